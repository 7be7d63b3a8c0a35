"""A loop of generated Python that goes on as machine code once that pays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from shlo.interpreter.kernel_api import Value
from shlo.interpreter.loops.frame import NativeFrame
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.program.nested_code import codes_within
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.tiers import Tier, work_seconds

if TYPE_CHECKING:
    from shlo.interpreter.loops.emitter import NativeCode

CHUNK: Final = 16
"""Rounds between two looks at the clock, which is that of the thread: waiting for a core is no work."""


class NativeLoop:
    """A loop as machine code, compiled when its rounds in Python have taken so long that it pays.

    `rounds(context)` is what the loop in Python iterates over: when it ends, the call of this object carries
    out the rounds that are left and returns the values that the loop changes and that something uses.
    """

    def __init__(self, code: CodeBlock, index: int, linker: Linker) -> None:
        self._code = code
        self._index = index
        self._linker = linker
        size = 1 + sum(len(block.instructions) for block in codes_within(code, index))
        self.tier = Tier[NativeFunction]("loop", size, code.function.program)

    def rounds(self, context: ExecutionContext) -> Iterator[object]:
        """Returns an iterator over the rounds that the loop takes in Python."""
        function = self.tier.code
        if function is not None:
            return iter(()) if function.serves(context) else repeat(None)
        return chain.from_iterable(self._chunks(context)) if self.tier.may_make else repeat(None)

    def _chunks(self, context: ExecutionContext) -> Iterator[Iterable[object]]:
        """Yields rounds until they have taken so long that compiling pays, and without end where there can be
        no machine code for this run.
        """
        tier = self.tier
        while tier.may_make and not (tier.is_due() and tier.make(self._compiled)):
            start = work_seconds()
            try:
                yield range(CHUNK)
            finally:  # also where the loop ends among them
                tier.spent += work_seconds() - start
        if tier.code is None or not tier.code.serves(context):
            yield repeat(None)

    def _compiled(self) -> NativeFunction:
        """Returns machine code, and loads what writes it: most loops end before that pays."""
        from shlo.interpreter.loops.emitter import NativeEmitter

        return NativeFunction(NativeEmitter(self._linker).emit_loop(self._code, self._index))

    def __call__(self, *values: Value) -> tuple[Value, ...]:
        """Returns the values that the loop changes and that something uses, at its end; `values` are those
        that it captures, then all that it carries.
        """
        assert self.tier.code is not None
        return self.tier.code(*values)


class NativeFunction:
    """Machine code as a function of values. It holds what the code refers to by addresses."""

    def __init__(self, native: NativeCode) -> None:
        from shlo.interpreter.loops.machine import simple_machine

        self._machine = simple_machine(native.text)
        self._constants = native.constants
        self._size = native.size
        self.targets = native.targets
        """Those of the custom calls that it carries out as the handlers of this package do."""
        self._frame = NativeFrame(native.inputs, native.results, more=1)

    def serves(self, context: ExecutionContext) -> bool:
        """Returns whether a run has no handlers or stubs of its own for what the code calls."""
        if not self.targets:
            return True
        from shlo.interpreter.custom_calls.registry import is_replaced

        return not is_replaced(self.targets, context)

    def __call__(self, *values: Value) -> tuple[Value, ...]:
        """Returns the results, new arrays and NumPy scalars."""
        objects, results = self._frame.objects(values)
        memory = np.empty(self._size, np.uint8)
        words = self._frame.words((memory, *objects, *results))
        machine, state, start = self._machine, 0, perf_counter()
        while (state := machine.function(words, state)) != 0:
            machine.spend(perf_counter() - start)
            start = perf_counter()
        if machine.is_simple:
            machine.spend(perf_counter() - start)
        return tuple([array if array.shape else array[()] for array in results])
