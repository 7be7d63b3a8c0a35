"""The machine code of the ufuncs of NumPy, and of formulas: the address of the loop of each for given types.

NumPy's C API documents the structure of a ufunc (PyUFuncObject): its loops, what they are passed, their
types.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from shlo.interpreter.jit.native.formulas import loop_address
from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.numbers import Number
from shlo.interpreter.jit.native.values import NativeValue, Scalar, load, store
from shlo.interpreter.kernels.elementwise.formula import Formula
from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.runtime.tiers import Unsupported


class _UFunc(ctypes.Structure):
    _fields_ = (
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
        ("reserved1", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("types", ctypes.POINTER(ctypes.c_ubyte)),
    )


Function: TypeAlias = np.ufunc | Formula


class Loop(Struct, frozen=True):
    """A loop `void (char **args, npy_intp *count, npy_intp *steps, void *data)`: its address and its
    data's."""

    address: int
    data: int


@lru_cache(maxsize=256)
def loop_of(ufunc: Function, dtypes: tuple[np.dtype[Any], ...]) -> Loop:
    """Returns the loop of a ufunc for the types of its operands and its result, or of a formula; raises
    Unsupported where it has none, or NumPy's structure is not the documented one.
    """
    if isinstance(ufunc, Formula):
        return Loop(loop_address(ufunc), 0)
    fields = _UFunc.from_address(id(ufunc) + object.__basicsize__)
    if (fields.nin, fields.nout, fields.ntypes) != (ufunc.nin, ufunc.nout, ufunc.ntypes):
        raise Unsupported(ufunc.__name__)
    wanted = [dtype.num for dtype in dtypes]
    for number in range(fields.ntypes):
        types = fields.types[number * fields.nargs : (number + 1) * fields.nargs]
        if _same(types, wanted) and fields.functions[number]:
            data = fields.data[number] if fields.data else None
            return Loop(int(fields.functions[number] or 0), int(data or 0))
    raise Unsupported(ufunc.__name__)


def _same(types: Sequence[int], wanted: Sequence[int]) -> bool:
    return list(types) == list(wanted)


def call_loop(lines: Lines, ufunc: Function, number: Number, pointers: Sequence[str], count: int) -> None:
    """Writes the call of a ufunc's loop on `count` elements of one type, which are at the addresses of the
    operands and of the result.
    """
    loop = loop_of(ufunc, (number.dtype,) * len(pointers))
    call(lines, loop, pointers, (str(count),), (number.dtype.itemsize,) * len(pointers))


def write_power(lines: Lines, operands: Sequence[NativeValue], target: NativeValue) -> None:
    """Writes the power of one float by NumPy's loop, as `power_float` calls it: with steps of 0, for which
    it has ways of its own. Raises Unsupported for arrays, whose steps the kernel's operands decide."""
    number = target.number
    if not isinstance(target, Scalar) or number.kind is not Kind.FLOAT:
        raise Unsupported("power")
    if any(not isinstance(operand, Scalar) or operand.number != number for operand in operands):
        raise Unsupported("power")
    type_, places = number.llvm, [lines.scratch(number.llvm) for _ in range(3)]
    base, exponent = (load(lines, operand, "0") for operand in operands)
    for place, element in zip(places, (base, exponent)):
        lines.line(f"store {type_} {element}, ptr {place}")
    call(lines, loop_of(np.power, (number.dtype,) * 3), places, ("1",), (0, 0, 0))
    power = lines.value(f"load {type_}, ptr {places[2]}")
    is_root = lines.value(f"fcmp oeq {type_} {exponent}, {number.literal(0.5)}")
    is_zero = lines.value(f"fcmp oeq {type_} {base}, {number.literal(0)}")
    is_least = lines.value(f"fcmp oeq {type_} {base}, {number.literal(-np.inf)}")
    is_other = lines.value(f"and i1 {is_root}, {lines.value(f'or i1 {is_zero}, {is_least}')}")
    magnitude = lines.value(f"call {type_} @llvm.fabs.{number.suffix}({type_} {base})")
    store(lines, target, "0", lines.value(f"select i1 {is_other}, {type_} {magnitude}, {type_} {power}"))


def call(
    lines: Lines, loop: Loop, pointers: Sequence[str], dimensions: Sequence[str], steps: Sequence[int]
) -> None:
    """Writes the call of a loop.

    Args:
        lines: the lines.
        loop: the loop.
        pointers: the addresses of the operands and of the result.
        dimensions: names or literals of how many elements there are; of a generalised ufunc the core's sizes.
        steps: the bytes between elements of each operand and of the result, then those of the core's
            dimensions.
    """
    arguments = lines.scratch(f"[{len(pointers)} x ptr]")
    counts, strides = lines.scratch(f"[{len(dimensions)} x i64]"), lines.scratch(f"[{len(steps)} x i64]")
    for place, pointer in enumerate(pointers):
        at = lines.value(f"getelementptr ptr, ptr {arguments}, i64 {place}")
        lines.line(f"store ptr {pointer}, ptr {at}")
    for memory, values in ((counts, dimensions), (strides, steps)):
        for place, value in enumerate(values):
            at = lines.value(f"getelementptr i64, ptr {memory}, i64 {place}")
            lines.line(f"store i64 {value}, ptr {at}")
    lines.line(
        f"call void inttoptr (i64 {loop.address} to ptr)(ptr {arguments}, ptr {counts}, ptr {strides}, "
        f"ptr inttoptr (i64 {loop.data} to ptr))"
    )
