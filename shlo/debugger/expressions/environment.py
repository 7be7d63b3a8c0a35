"""What expressions see: values in scope of a frame, of the calls around it, of other processes, rounds of
loops.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from shlo.debugger.errors import DebuggerError, program_is_done
from shlo.debugger.expressions.nodes import ValueRef
from shlo.debugger.inspect.python_values import bound_python, python_name_text
from shlo.debugger.inspect.scope import Bound, find_bound, newest, read_value
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_points import value_name
from shlo.interpreter.engine.frames import rounds_of
from shlo.interpreter.program.code import Kind
from shlo.places.names import PythonName
from shlo.places.place import short_line_text
from shlo.text.suggest import did_you_mean


class Outward(Struct, frozen=True):
    """A value that was found in a function around the one that it was looked for in."""

    name: str
    function: str
    calls: int


class Scope:
    """The values where a cursor is: in the frame of an index of the selected process, the innermost one
    unless it is told.

    `outward` lists the values that were found in functions around, `python` those of names of Python;
    `suggests` has errors name the value that may be meant, which takes long.
    """

    def __init__(self, cursor: ReplayCursor, frame: int = -1, suggests: bool = False) -> None:
        self.outward: list[Outward] = []
        self.python: list[PythonName] = []
        self._cursor = cursor
        self._frame = frame
        self._suggests = suggests

    def value(self, ref: ValueRef) -> Any:
        """Returns a value, computed again where it was dropped."""
        if ref.process is None:
            return self._read(ref)
        with self._selected(ref.process):
            return self._read(ref)

    def _read(self, ref: ValueRef) -> Any:
        bound = self.find(ref)
        return self._earlier(ref, bound) if ref.back else read_value(self._cursor, bound)

    def find(self, ref: ValueRef) -> Bound:
        """Returns where a value of the selected process is bound; raises DebuggerError for none."""
        frames = self._cursor.process.frames
        if not frames:
            raise program_is_done()
        index = start = (self._frame if ref.process is None else -1) % len(frames)
        for _ in range(ref.outer):
            index = start = self._function_at(index) - 1
            if index < 0:
                raise DebuggerError(f"no call is around %{ref.name}: outer leads out of the program")
        calls = 0
        while index >= 0:
            bound = self._find_python(ref, index) if ref.python else find_bound(frames, index, ref.name)
            if bound is not None:
                if calls:
                    self.outward.append(Outward(ref.name, frames[index].function.name, calls))
                return bound
            index, calls = self._function_at(index) - 1, calls + 1
        if ref.python:
            raise DebuggerError(_not_bound(ref))
        hint = ""
        if self._suggests:
            names = (value_name(bound.code, bound.register) for bound in newest(frames, start))
            hint = did_you_mean(ref.name, names, "%{}")
        raise DebuggerError(f"%{ref.name} is not in scope here{f'; {hint}' if hint else ''}")

    def _find_python(self, ref: ValueRef, index: int) -> Bound | None:
        """Returns the value of a name of Python that an operation of frame `index` may use; None for none.
        Raises DebuggerError for several.
        """
        matches = bound_python(self._cursor.process.frames, index, ref.python)
        if len({bound.register for _, bound in matches}) > 1:
            listed = "; ".join(python_name_text(name, bound) for name, bound in matches)
            raise DebuggerError(f"{ref.name} is {len(matches)} values here: {listed}")
        self.python += [name for name, _ in matches]
        return matches[0][1] if matches else None

    def round(self, level: int) -> int:
        """Returns the round of a loop that is open, from 0; level 0 is the innermost."""
        frames = self._cursor.process.frames
        if not frames:
            raise program_is_done()
        rounds = rounds_of(frames[: self._frame % len(frames) + 1])
        open_loops = len(rounds)
        if level < open_loops:
            return rounds[-1 - level]
        raise DebuggerError(
            f"iter({level}): {open_loops} loop{'s are' * (open_loops != 1) or ' is'} open here"
        )

    def _function_at(self, index: int) -> int:
        """Returns the index of the frame in which the function of a frame began."""
        frames = self._cursor.process.frames
        while frames[index].region is not None:
            index -= 1
        return index

    @contextmanager
    def _selected(self, process: int) -> Generator[None]:
        cursor = self._cursor
        if process >= len(cursor.grid.processes):
            raise DebuggerError(f"there is no process {process}; there are {len(cursor.grid.processes)}")
        selected, cursor.selected = cursor.selected, process
        try:
            yield
        finally:
            cursor.selected = selected

    def _earlier(self, ref: ValueRef, bound: Bound) -> Any:
        """Returns what a value was when it was bound before, so many times as `back` says."""
        cursor = self._cursor
        trace, instruction = cursor.trace, bound.code.defined_at[bound.register]
        number = cursor.points.number(bound.code, instruction + 1)
        step = trace.last_visit(number, bound.depth, cursor.process.steps)
        after = cursor.position + 1
        for _ in range(ref.back):
            after = trace.positions[step]
            step = trace.last_visit(number, bound.depth, step - 1)
            if step < 0:
                raise DebuggerError(f"%{ref.name} was not bound before")
        position = trace.positions[step]
        edit = cursor.history.edit_of_value(cursor.selected, bound.register, bound.depth, position, after - 1)
        if edit is not None:
            return edit.value
        if cursor.grid.is_alone and instruction >= 0 and position:
            results = cursor.history.results(position - 1)
            binding = bound.code.instructions[instruction]
            if results is not None and binding.kind is Kind.KERNEL:
                return results[list(binding.results).index(bound.register)]
        return cursor.values.value_bound_at(position, bound.register)


def _not_bound(ref: ValueRef) -> str:
    """Returns why a name of Python has no value here."""
    lines = dict.fromkeys(short_line_text(name.line) for name in ref.python if name.line)
    where = f" of {' and '.join(lines)}" if lines else ""
    return f"{ref.name}{where} has no value here; break {ref.name} stops where it gets one"
