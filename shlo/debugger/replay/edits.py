"""Edits: what a session changes in a run, each at a position, so that a replay makes it again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.nonfinite import NOTHING, Nonfinite
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import Kind
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.values import check_of
from shlo.ir.dtypes import Array
from shlo.runner.statistics import has_infinity, has_nan, tensor_of

Index = tuple[int | slice, ...]


class Replacement(Struct, frozen=True):
    """Another operation in the place of one: the registers that it uses, and what computes its results of
    their values, in the context of a process.
    """

    registers: tuple[int, ...]
    evaluate: Callable[[ExecutionContext, list[Value]], tuple[Value, ...]]


class ValueEdit(Struct, frozen=True, eq=False, dict=True):
    """A value in scope is another one from a position on.

    Args:
        position: Position of the grid.
        process: The process whose value it is.
        depth: How many frames are open where it is bound.
        register: Its register there.
        name: Its name in the source, without `%`.
        index: The part that was set; None for all of it.
        value: The whole value after the edit; an array that nothing else writes to.
    """

    position: int
    process: int
    depth: int
    register: int
    name: str
    index: Index | None
    value: Value

    def covers(self, index: tuple[int, ...]) -> bool:
        """Returns whether an element is one of those that were set."""
        if self.index is None:
            return True
        array = tensor_of(self.value)
        if array is None:
            return True
        mask = np.zeros(array.shape, np.bool_)
        mask[self.index] = True
        return bool(mask[index])

    @cached_property
    def kinds(self) -> Nonfinite:
        """Whether what was set holds NaN or infinities."""
        array = tensor_of(self.value)
        if array is None:
            return NOTHING
        part = self._part(array)
        kinds = Nonfinite.NAN if has_nan(part) else NOTHING
        return kinds | Nonfinite.INFINITY if has_infinity(part) else kinds

    def _part(self, array: Array) -> Any:
        try:
            return array if self.index is None else array[self.index]
        except IndexError as error:
            raise DebuggerError(f"%{self.name}: {error}") from error

    def apply(self, process: Process) -> None:
        """Puts the value in its place in a process at the position; raises DebuggerError where there is no
        such value.
        """
        frame = process.frames[self.depth - 1] if 0 < self.depth <= len(process.frames) else None
        if (
            frame is None
            or self.register not in frame.code.defined_at
            or not check_of(frame.code.values.types[self.register])(self.value)
        ):
            raise DebuggerError(f"there is no %{self.name} at position {self.position} that could be set")
        self.kinds  # noqa: B018  (checks the index)
        frame.registers[self.register] = self.value
        if frame.region == 0 and process.frames[self.depth - 2].instruction.kind is Kind.WHILE:
            # the condition of a loop hands on what its round began with
            frame.carried = tuple(
                self.value if register == self.register else value
                for register, value in zip(frame.code.arguments, frame.carried)
            )


class SkipEdit(Struct, frozen=True, eq=False):
    """A step of a process is not carried out: its operation has these results.

    `step` is the number of steps that the process had taken; `op` the operation's name.
    """

    position: int
    process: int
    step: int
    op: str
    results: tuple[Value, ...]


class ReplaceEdit(Struct, frozen=True, eq=False):
    """An operation of a process is another one, each time that it is reached from a step on.

    `text` is that of the other operation. `key` is that of the replaced operation's program point.
    """

    position: int
    process: int
    step: int
    key: str
    text: str


Edit = ValueEdit | SkipEdit | ReplaceEdit
