"""Edits of a run as a cursor makes them: values that are set, operations that are skipped or replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.edits import Edit, ReplaceEdit, Replacement, SkipEdit, ValueEdit
from shlo.debugger.replay.effect_log import Values
from shlo.debugger.replay.program_points import ProgramPoint
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.program.code import Kind
from shlo.interpreter.runtime.values import check_of
from shlo.interpreter.spmd.grid import GridStep
from shlo.ir.diagnostics import ExecutionError

if TYPE_CHECKING:
    from shlo.debugger.replay.cursor import ReplayCursor


class EditedSteps:
    """Makes the edits of a cursor's history. `compile` compiles the text of an operation that takes the place
    of another one.
    """

    def __init__(self, cursor: ReplayCursor) -> None:
        self.compile: Callable[[ReplaceEdit, Process], Replacement] = _no_compiler
        self._cursor = cursor
        self._replacements: dict[ReplaceEdit, Replacement] = {}

    def add(self, edit: Edit) -> None:
        """Makes an edit at the position, behind which nothing is recorded."""
        cursor = self._cursor
        cursor.history.edit(edit)
        cursor.forget_arguments()
        self.apply()
        if cursor.listener is not None:
            cursor.listener.edited(edit)

    def apply(self) -> None:
        """Sets what edits at the position set."""
        grid = self._cursor.grid
        edits = self._cursor.history.edits_at(grid.steps)
        for edit in edits:
            if isinstance(edit, ValueEdit):
                edit.apply(grid.processes[edit.process])
        if edits:
            grid.forget_saved()

    def step(self, edit: SkipEdit | ReplaceEdit, point: ProgramPoint, position: int) -> GridStep:
        """Takes a step of a process whose operation an edit skips or replaces. Raises GridError."""
        grid, cache = self._cursor.grid, self._cursor.history.cache
        process = grid.processes[edit.process]
        results = edit.results if isinstance(edit, SkipEdit) else cache.results(position)
        if isinstance(edit, ReplaceEdit) and results is None:
            replacement = self._replacements.get(edit)
            if replacement is None:
                replacement = self._replacements[edit] = self.compile(edit, process)
            results = self.evaluate(replacement, edit.process)
            cache.record(position, results)
        if process.frames[-1].instruction.kind in (Kind.JUMP, Kind.RETURN):
            raise DebuggerError(f"{point.operation.name} ends its block, and cannot be skipped or replaced")
        types, values = point.operation.result_types, results or ()
        if len(types) != len(values) or not all(
            check_of(type_)(value) for type_, value in zip(types, values)
        ):
            raise DebuggerError(f"an edit gives {point.operation.name} results that it never has")
        return grid.skip(edit.process, values)

    def evaluate(self, replacement: Replacement, number: int) -> Values:
        """Returns the results of another operation in the place of the next one of a process. Raises
        GridError where it fails, which is a failure of the process.
        """
        grid, values = self._cursor.grid, self._cursor.values
        process = grid.processes[number]
        operands = [values.operand(process, register) for register in replacement.registers]
        try:
            return replacement.evaluate(process.context, operands)
        except ExecutionError as error:
            raise grid.fail(number, error) from error


def _no_compiler(edit: ReplaceEdit, process: Process) -> Replacement:
    raise DebuggerError("operations cannot be replaced here")
