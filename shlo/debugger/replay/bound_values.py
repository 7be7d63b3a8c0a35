"""Values in scope at a cursor's position: where they were bound, and their values if dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shlo.debugger.replay.edits import ValueEdit
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock

if TYPE_CHECKING:
    from shlo.debugger.replay.cursor import ReplayCursor


class BoundValues:
    """The values of the process that a cursor looks at."""

    def __init__(self, cursor: ReplayCursor) -> None:
        self._cursor = cursor

    def bound_at(self, code: CodeBlock, register: int, depth: int) -> int:
        """Returns the position at which a value that is in scope now, in a frame of this depth, was bound, or
        else set by the last edit of it.
        """
        position = self.bound_before_edits(code, register, depth)
        edit = self._edit(register, depth, position)
        return position if edit is None else edit.position

    def bound_before_edits(self, code: CodeBlock, register: int, depth: int, at: int | None = None) -> int:
        """Returns the position at which a value that is in scope now (or at another position), in a frame of
        this depth, was bound, edits aside.

        Calls in between have more frames, so the last visit of the point after the definition in this depth
        is one of the same execution of the block.
        """
        cursor, trace = self._cursor, self._cursor.trace
        number = cursor.points.number(code, code.defined_at[register] + 1)
        steps = cursor.process.steps if at is None else trace.step_at(at)
        return trace.positions[trace.last_visit(number, depth, steps)]

    def recompute(self, code: CodeBlock, register: int, depth: int) -> Value:
        """Returns a value in scope that was dropped, as it was when it was bound."""
        position = self.bound_before_edits(code, register, depth)
        edit = self._edit(register, depth, position)
        return self.value_bound_at(position, register) if edit is None else edit.value

    def _edit(self, register: int, depth: int, position: int) -> ValueEdit | None:
        """Returns the last edit of a value that was bound at a position."""
        cursor = self._cursor
        if not cursor.history.has_edits:
            return None
        return cursor.history.edit_of_value(cursor.selected, register, depth, position, cursor.position)

    def value_bound_at(self, position: int, register: int) -> Value:
        """Returns a value that the process bound by the step to a position, or that an edit set there."""
        cursor, history = self._cursor, self._cursor.history
        depth = cursor.trace.depths[cursor.trace.step_at(position)]
        edit = history.edit_of_value(cursor.selected, register, depth, position, position)
        if edit is not None:
            return edit.value
        if not position:
            start = history.cache.checkpoint_before(0).processes[cursor.selected]
            return start.frames[0].registers[register]
        if history.stored is not None:
            stored = history.stored.value(position, cursor.selected, register)
            if stored is not None:
                return stored
        with cursor.fork_at(position - 1) as fork:
            fork.go(position - 1)
            fork.process.keeps_values = True
            fork.forward()  # and not to a checkpoint there, which may lack the value
            return fork.process.frames[-1].registers[register]

    def operand(self, process: Process, register: int) -> Value:
        """Returns a value in scope of a process's innermost frame, computed again where it was dropped."""
        value = process.frames[-1].registers[register]
        if value is not None:
            return value
        depth = len(process.frames)
        while register not in process.frames[depth - 1].code.defined_at:
            depth -= 1
        return self.recompute(process.frames[depth - 1].code, register, depth)
