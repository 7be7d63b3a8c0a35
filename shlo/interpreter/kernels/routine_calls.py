"""Calls of one routine of LAPACK or BLAS for each matrix of a batch, by the address that SciPy's wrapper
calls, from one piece of machine code.

F2PY documents `_cpointer` of a wrapper: the address of the routine. A routine takes the address of each of
its arguments, so that a call is told by an array and a step for each. A plan tells what is called with what;
the machine code of sequences and loops (`loops`) follows it as well.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from struct import pack
from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernel_api import KernelError, KernelFn, Value
from shlo.interpreter.kernels.scipy_functions import linear_algebra_routine
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.runtime.machine_code import LateCode
from shlo.ir.dtypes import Array

LEAST: Final = 2
"""Matrices from which on a batch is worth the call of machine code."""
MOST_ELEMENTS: Final = 1 << 14
"""Elements of an operand up to which the machine code of sequences and loops may call a routine."""
MOST_WORK: Final = 1 << 24
"""Multiplications, about, after which Python looks for signals."""
ALIGNED: Final = 16
"""Bytes that the places of NumPy's memory are multiples of."""
INTEGER: Final = np.dtype(np.int32)
"""What LAPACK counts in, of those that machine code calls."""


class Arity(Struct, frozen=True):
    """Asks for the machine code that calls routines of so many `arguments`."""

    arguments: int


Place = tuple[Array, int]
"""The array that an argument begins in, and by how many bytes the next matrix's is further on."""


def blas_routine(name: str, dtype: np.dtype[Any], library: str = "lapack") -> Callable[..., Any]:
    """Returns SciPy's wrapper of a routine of LAPACK (or `library` "blas") for a dtype of `blas_dtype`.
    Raises KernelError if there is none."""
    letter = {"f": "s", "d": "d", "F": "c", "D": "z"}[dtype.char]
    routine = linear_algebra_routine(letter + name, library)
    if routine is None:
        raise KernelError(f"there is no routine {letter}{name} in {library}")
    return routine


class RoutineCalls:
    """Calls of one routine, once those from Python have taken as long as making machine code takes."""

    def __init__(self, routine: Callable[..., Any], arguments: int) -> None:
        self._routine, self._arguments = routine, arguments
        self._code = LateCode(Arity(arguments))
        self.in_python = self._code.in_python
        """Calls a function that calls the routine from Python for a batch."""

    @cached_property
    def address(self) -> int | None:
        """The address of the routine; None where it does not tell, or counts in numbers of 64 bits."""
        return _address_of(self._routine) if _counts_in_int32() else None

    def is_ready(self) -> bool:
        """Returns whether there is machine code; makes it where that pays by now."""
        return self._code.function is not None and self.address is not None

    def run(self, count: int, work: int, *places: Place) -> None:
        """Calls the routine `count` times; `work` are the multiplications of a call, about.

        The caller answers for the sizes of the arrays: each holds what `count` calls read and write.
        """
        function = self._code.function
        if function is None or len(places) != self._arguments:
            raise KernelError(f"expected {self._arguments} arguments of a routine, got {len(places)}")
        batch = max(1, MOST_WORK // max(work, 1))
        form = f"={1 + 3 * len(places)}Q"
        for first in range(0, count, batch):
            numbers = [part for array, step in places for part in (id(array), first * step, step)]
            function(pack(form, self.address, *numbers), min(batch, count - first))


@cache
def routine_calls(name: str, dtype: np.dtype[Any], library: str, arguments: int) -> RoutineCalls:
    """Returns the calls of a routine, which all programs share; raises KernelError if there is none."""
    return RoutineCalls(blas_routine(name, dtype, library), arguments)


class Storage(Struct, frozen=True):
    """Memory that a routine is passed for each matrix: for one, column by column, for a vector, or for a
    number. It is a copy of an operand, or only written."""

    dtype: np.dtype[Any]
    shape: Sizes
    operand: int | None = None


Argument = Array | tuple[int, int]
"""One element, the same for all matrices; or the number of a storage, and the column where it begins."""


class RoutinePlan(Struct, frozen=True, eq=False):
    """How the results of one matrix are computed by calls of one routine.

    Args:
        routine: what is called.
        storages: the memory that is passed.
        calls: the arguments of each call.
        work: the multiplications of a call, about.
        results: the numbers of the storages that are the results.
        triangle: "L" or "U" where all of the first result but that triangle is 0, and all of it NaN where
            the second storage, a number, is not 0; else empty.
    """

    routine: RoutineCalls
    storages: tuple[Storage, ...]
    calls: tuple[tuple[Argument, ...], ...]
    work: int
    results: tuple[int, ...]
    triangle: str = ""

    def run(self, operands: Sequence[Array]) -> list[Array]:
        """Returns the results of matrices `[count, ...]`, by machine code for the calls, which must be
        ready."""
        count = len(operands[0])
        memory = [
            np.empty((count, *storage.shape), storage.dtype)
            if storage.operand is None
            else in_columns(operands[storage.operand])
            for storage in self.storages
        ]
        for arguments in self.calls:
            self.routine.run(count, self.work, *[_place(argument, memory) for argument in arguments])
        results = [
            in_rows(memory[number]) if self.storages[number].operand is not None else memory[number]
            for number in self.results
        ]
        if self.triangle:
            results[0] = (np.tril if self.triangle == "L" else np.triu)(results[0])
            results[0][memory[1] != 0] = np.nan
        return results


def _place(argument: Argument, memory: Sequence[Array]) -> Place:
    if not isinstance(argument, tuple):
        return argument, 0
    number, column = argument
    array = memory[number]
    return array[:, column:] if column else array, array.strides[0]


class ByRoutine:
    """A kernel's function whose results calls of one routine compute for each matrix of a batch.

    Args:
        function: the function.
        plan: returns the plan for the types of the kernel; None where there is none.
    """

    __slots__ = ("function", "plan")

    def __init__(self, function: KernelFn, plan: Callable[[], RoutinePlan | None]) -> None:
        self.function = function
        self.plan = plan

    def __call__(self, *operands: Value) -> Value:
        """Returns the result of the function."""
        return self.function(*operands)


def by_rows_if_small(result: Any) -> Any:
    """Returns a matrix row by row, as machine code leaves it, if machine code may compute it."""
    matrix: Array = np.asarray(result)
    is_small = matrix.ndim == 2 and matrix.size <= MOST_ELEMENTS
    return np.ascontiguousarray(matrix) if is_small else result


def in_columns(matrices: Array) -> Array:
    """Returns a new array `[count, columns, rows]` of matrices `[count, rows, columns]`. Each begins at a
    multiple of ALIGNED bytes, as memory of its own does: which of several NaN is a pivot depends on that."""
    count, rows, columns = matrices.shape
    size = rows * columns
    unit = max(1, ALIGNED // matrices.itemsize)
    memory = np.empty((count, -(-size // unit) * unit), matrices.dtype)
    copies = memory[:, :size].reshape(count, columns, rows)
    copies[...] = matrices.transpose(0, 2, 1)
    return copies


def in_rows(matrices: Array) -> Array:
    """Returns matrices `[count, rows, columns]`, row by row, of those of `in_columns`."""
    return np.ascontiguousarray(matrices.transpose(0, 2, 1))


def integers(*values: int) -> list[Array]:
    """Returns arguments that are whole numbers."""
    return [np.array([value], INTEGER) for value in values]


def letters(text: str) -> list[Array]:
    """Returns arguments that are letters."""
    return [np.frombuffer(letter.encode("ascii"), np.uint8) for letter in text]


@cache
def _counts_in_int32() -> bool:
    """Returns whether SciPy's LAPACK counts in numbers of 32 bits."""
    pivots = blas_routine("getrf", np.dtype(np.float32))(np.ones((1, 1), np.float32))[1]
    return pivots.dtype == INTEGER


def _address_of(routine: Any) -> int | None:
    """Returns the address of the routine that a wrapper of F2PY calls; None where it does not tell."""
    capsule = getattr(routine, "_cpointer", None)
    if capsule is None or type(capsule).__name__ != "PyCapsule":
        return None
    read = ctypes.pythonapi.PyCapsule_GetPointer
    read.restype, read.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return read(capsule, None)
