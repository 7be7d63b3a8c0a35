"""A loop of generated Python that goes on as machine code once that pays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from operator import length_hint
from struct import Struct
from time import thread_time
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from shlo.interpreter.jit.linker import Linker
from shlo.interpreter.jit.native.machine import Machine
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.program.nested_code import codes_within
from shlo.interpreter.runtime.values import is_row_major
from shlo.ir.diagnostics import ShloError

if TYPE_CHECKING:
    from shlo.interpreter.jit.native.emitter import Location, NativeCode

COMPILING: Final = 10e-3, 0.3e-3
"""Seconds that a compilation takes, and that it takes more for each operation."""
OPERATION: Final = 0.1e-6
"""Seconds that an operation takes in Python, until it has been measured."""
CHUNK: Final = 16
"""Rounds between two looks at the clock, which is that of the thread: waiting for a core is no work."""


class NativeLoop:
    """A loop as machine code, compiled when its rounds in Python have taken as long as that takes.

    `rounds()` is what the loop in Python iterates over: when it ends, the call of this object carries out the
    rounds that are left and returns the values that the loop changes.
    """

    def __init__(self, code: CodeBlock, index: int, linker: Linker) -> None:
        self._code = code
        self._index = index
        self._linker = linker
        self._machine: Machine | None = None
        self._layout: _Layout | None = None
        self._is_refused = False
        size = 1 + sum(len(block.instructions) for block in codes_within(code, index))
        fixed, each = COMPILING
        self._cost = fixed + each * size
        self._spent = 0.0
        self._per_round = OPERATION * size
        self._chunk: Iterator[int] = iter(())
        self._is_in_chunk = False

    @property
    def is_compiled(self) -> bool:
        """Whether there is machine code."""
        return self._layout is not None

    def rounds(self) -> Iterator[object]:
        """Returns an iterator over the rounds that the loop takes in Python."""
        if self._layout is not None:
            return iter(())
        if self._is_refused:
            return repeat(None)
        if self._is_in_chunk:
            self._spent += (CHUNK - length_hint(self._chunk)) * self._per_round
        return chain.from_iterable(self._chunks())

    def _chunks(self) -> Iterator[Iterator[object]]:
        """Yields rounds until they have taken as long as compiling takes, and without end where there can be
        no machine code.
        """
        while self._spent < self._cost:
            self._chunk, self._is_in_chunk = iter(range(CHUNK)), True
            start = thread_time()
            yield self._chunk
            elapsed = thread_time() - start
            self._is_in_chunk = False
            self._per_round = elapsed / CHUNK
            self._spent += elapsed
        if not self._compile():
            yield repeat(None)

    def _compile(self) -> bool:
        """Makes machine code, and loads what writes it: most loops end before that pays. Returns whether
        there is any.
        """
        from shlo.interpreter.jit.native.emitter import LoopEmitter
        from shlo.interpreter.jit.native.numbers import Unsupported

        with self._code.function.program.lock:
            if self._layout is None and not self._is_refused:
                try:
                    native = LoopEmitter(self._linker).emit(self._code, self._index)
                    self._machine = Machine(native.text)
                    self._layout = _Layout(native)
                except (Unsupported, ShloError, MemoryError, ImportError, OSError, RuntimeError):
                    self._is_refused = True
        return not self._is_refused

    def __call__(self, *values: Value) -> tuple[Value, ...]:
        """Returns the values that the loop changes, at its end; `values` are those that it captures, then all
        that it carries.
        """
        assert self._machine is not None
        assert self._layout is not None
        frame = np.empty(self._layout.size, np.uint8)
        kept = self._layout.fill(frame, values)
        address, state = frame.__array_interface__["data"][0], 0
        while (state := self._machine.function(address, state)) != 0:
            pass
        del kept
        return self._layout.results(frame)


class _Layout:
    """Where a frame has the values that go in and come out. Numbers and addresses lie at its beginning."""

    def __init__(self, native: NativeCode) -> None:
        self.size = native.size
        self.constants = native.constants
        self._inputs = native.inputs
        self._results = native.results

    def fill(self, frame: Any, values: Sequence[Value]) -> list[Any]:
        """Puts values into a frame; returns arrays that must live as long as it is used."""
        kept: list[Any] = []
        for location, value in zip(self._inputs, values):
            if location.is_address:
                array = _row_major(value, location)
                kept.append(array)
                _ADDRESS.pack_into(frame, location.offset, array.__array_interface__["data"][0])
            else:
                _array_in(frame, location)[...] = value
        return kept

    def results(self, frame: Any) -> tuple[Value, ...]:
        """Returns the values of a frame that the loop changed."""
        arrays = [_array_in(frame, location) for location in self._results]
        return tuple(array.copy() if array.shape else array[()] for array in arrays)


_ADDRESS: Final = Struct("=Q")


def _row_major(value: Value, location: Location) -> Any:
    """Returns a value as machine code reads it: itself, or a copy row by row. Raises ValueError for one of
    another shape.
    """
    dtype = location.number.dtype
    if is_row_major(value, location.shape, dtype):
        return value
    array = np.empty(location.shape, dtype)
    array[...] = value
    return array


def _array_in(frame: Any, location: Location) -> Any:
    return np.ndarray(location.shape, location.number.dtype, frame, location.offset)
