"""Inspector: reads values in scope, their history, and values side by side in all processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from msgspec.structs import replace

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.applications import Application, applications
from shlo.debugger.inspect.compare import Brought, compare
from shlo.debugger.inspect.python_values import bound_python
from shlo.debugger.inspect.run import SessionRun
from shlo.debugger.inspect.scope import (
    Bound,
    arguments,
    find_value,
    newest,
    read_only,
    read_value,
    value_view,
)
from shlo.debugger.inspect.snapshots import Comparison, StepView, ValueView
from shlo.debugger.replay.nonfinite import NOTHING, Nonfinite, findings
from shlo.debugger.replay.program_points import ProgramPoint, origin_in, program_point
from shlo.debugger.tensors.summaries import Summaries, summary_of_statistics
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernel_api import Value
from shlo.ir.dtypes import Array
from shlo.places.names import PythonName
from shlo.places.place import Place
from shlo.runner.statistics import Histogram, Statistics, histogram_of, statistics_of, tensor_of


class Inspector:
    """Reads values where a session is; `frame` is an index into the frames of the selected process, and says
    what is in scope. Raises DebuggerError where a name or frame is not there, and where a request to stop
    comes while a value is computed again.
    """

    def __init__(self, run: SessionRun, note: Callable[[Bound], str]) -> None:
        self.summaries = Summaries()
        self._run = run
        self._cursor = run.cursor
        self._note = note

    def find(self, name: str, frame: int = -1) -> Bound:
        """Returns where a name is bound."""
        return find_value(self._cursor.process.frames, self._run.frame_index(frame), name)

    def values(self, frame: int = -1, most: int | None = None) -> tuple[ValueView, ...]:
        """Returns the values in scope, in the order in which they were bound; none when the program is done.
        `most` leaves only that many, the last ones.
        """
        frames = self._cursor.process.frames
        if not frames:
            return ()
        return tuple(map(self._view, islice(newest(frames, self._run.frame_index(frame)), most)))[::-1]

    def arguments(self, frame: int = -1) -> tuple[ValueView, ...]:
        """Returns the arguments of a frame's function and of the regions around the frame in it, outer ones
        first; none when the program is done.
        """
        frames = self._cursor.process.frames
        return tuple(map(self._view, arguments(frames, self._run.frame_index(frame)))) if frames else ()

    def python_values(self, frame: int, file: str) -> list[tuple[PythonName, Bound]]:
        """Returns the values in scope to which lines of a Python file give names, in the order in which they
        were bound; none when the program is done.
        """
        frames, names = self._cursor.process.frames, self._run.python_names
        if not frames:
            return []
        in_file = [
            name
            for text in names
            for name in names.values_of(text)
            if name.line is not None and name.line.file == file
        ]
        values = bound_python(frames, self._run.frame_index(frame), in_file)
        return sorted(values, key=lambda value: (value[1].depth, value[1].code.defined_at[value[1].register]))

    def _view(self, bound: Bound) -> ValueView:
        """Returns a value in scope as a snapshot, with its names in Python."""
        view, label = value_view(bound), self._label(bound)
        return replace(view, label=label) if label else view

    def label(self, name: str, frame: int = -1) -> str:
        """Returns what the program that this was made from calls a value in scope; empty where nothing
        tells.
        """
        return self._label(self.find(name, frame))

    def _label(self, bound: Bound) -> str:
        names = self._run.python_names.names_of(bound.frame.function.name, bound.register)
        return ", ".join(dict.fromkeys(name.name for name in names if not name.name.startswith("result")))

    def value(self, name: str, frame: int = -1) -> Any:
        """Returns a value in scope: an array that cannot be written to, a token, or a tuple of values."""
        with self._run.command():
            return self.read(name, frame)

    def read(self, name: str, frame: int = -1) -> Any:
        """Returns a value as `value` does, within a command."""
        return read_only(read_value(self._cursor, self.find(name, frame)))

    def value_at(self, name: str, position: int) -> Any:
        """Returns what a value was at another position that was reached, where it is in scope in the
        innermost frame; the session stays where it is.
        """
        if not 0 <= position <= self._cursor.last:
            raise DebuggerError(f"position {position} was not reached")
        with self._run.command(), self._cursor.fork_at(position) as fork:
            fork.go(position)
            return self.read(name)

    def part(self, name: str, index: tuple[int | slice, ...], frame: int = -1) -> Array:
        """Returns a part of a tensor, as NumPy's indexing takes it."""
        array = self._tensor(name, self.value(name, frame))
        try:
            return np.asarray(read_only(array[index]))
        except IndexError as error:
            raise DebuggerError(str(error)) from error

    def tensor_at(self, name: str, index: tuple[int, ...], frame: int) -> tuple[Bound, Array]:
        """Returns a tensor that has an element at an index, and where it is bound; within a command."""
        bound = self.find(name, frame)
        array = self._tensor(name, self.read(name, frame))
        if len(index) != array.ndim or any(not 0 <= at < size for at, size in zip(index, array.shape)):
            shown = ", ".join(map(str, array.shape))
            raise DebuggerError(f"expected an index in a tensor of shape ({shown}), got {list(index)}")
        return bound, array

    def _tensor(self, name: str, value: Value) -> Array:
        array = tensor_of(value)
        if array is None:
            raise DebuggerError(f"%{name.removeprefix('%')} is no tensor")
        return array

    def applications(self, name: str, index: tuple[int, ...], frame: int = -1) -> Iterator[Application]:
        """Returns how a region made one element of a value in scope, application by application."""
        with self._run.command():
            bound, _ = self.tensor_at(name, index, frame)
            return applications(self._cursor, bound, self._bound_at(bound), index)

    def summary(self, name: str, frame: int = -1) -> str | None:
        """Returns a value in one line (see `summaries.summary_of`), made once for each value that is bound;
        None for one that was dropped for want of memory, which is not computed for this, unless a recording
        has its statistics.
        """
        bound = self.find(name, frame)
        value = bound.frame.registers[bound.register]
        if value is not None:
            return self.summaries.of(value) + self._note(bound)
        try:
            statistics = self._stored_statistics(bound)
        except DebuggerError:
            return None  # the file is damaged there
        return None if statistics is None else summary_of_statistics(statistics) + self._note(bound)

    def statistics(self, name: str, frame: int = -1) -> Statistics | None:
        """Returns a tensor in a few numbers, those that a recording has where it was dropped; None for a
        value that is none.
        """
        with self._run.command():
            bound = self.find(name, frame)
            if bound.frame.registers[bound.register] is None:
                statistics = self._stored_statistics(bound)
                if statistics is not None:
                    return statistics
            return statistics_of(self.read(name, frame))

    def histogram(self, name: str, bins: int = 20, frame: int = -1) -> Histogram | None:
        """Returns how the finite elements of a tensor are spread, None where it has none."""
        return histogram_of(self.value(name, frame), bins)

    def _stored_statistics(self, bound: Bound) -> Statistics | None:
        stored, cursor = self._cursor.history.stored, self._cursor
        if stored is None:
            return None
        return stored.statistics(self._bound_at(bound), cursor.selected, bound.register)

    def _bound_at(self, bound: Bound) -> int:
        return self._cursor.values.bound_at(bound.code, bound.register, bound.depth)

    def bound_at(self, name: str, frame: int = -1) -> int:
        """Returns the position at which a value in scope was bound: `goto` it to see where it comes from."""
        return self._bound_at(self.find(name, frame))

    def history(self, name: str, frame: int = -1) -> tuple[int, ...]:
        """Returns the positions, as far as the program was run, at which a value in scope was bound: in each
        iteration of a loop and each call of a function.
        """
        bound = self.find(name, frame)
        return tuple(self._cursor.trace.visits(bound.code, bound.code.defined_at[bound.register] + 1))

    def last_step(self) -> StepView | None:
        """Returns the step that the selected process took last."""
        step, trace = self._cursor.process.steps - 1, self._cursor.trace
        point = trace.point(step) if step >= 0 else None
        if point is None:
            return None
        created = dict(self._cursor.history.nonfinite.get(trace.positions[step + 1], ()))
        nonfinite, here = created.get(self._cursor.selected, NOTHING), trace.point(step + 1)
        return StepView(
            op=point.operation.name,
            line=point.position.line if point.position else None,
            span=point.span,
            bound=here.bound if here else (),
            finding=_names(nonfinite) if nonfinite else (),
            origin=origin_in(point, self._callers(point)),
            details=self._details(point) if Nonfinite.FINDING in nonfinite else (),
        )

    def _callers(self, point: ProgramPoint) -> list[Frame]:
        """Returns the frames around that of the last step, which may have been entered or left by it."""
        frames = self._cursor.process.frames
        inside = [depth for depth in (1, 2) if len(frames) >= depth and frames[-depth].code is point.code]
        return frames[: -inside[0]] if inside else frames

    def _details(self, point: ProgramPoint) -> tuple[str, ...]:
        """Returns what the sanitizer objects to in the last step, which a kernel took."""
        process, instruction = self._cursor.process, point.code.instructions[point.index]
        frame = process.frames[-1]
        operands = [frame.registers[register] for register in instruction.operands]
        results = [frame.registers[register] for register in instruction.results]
        if frame.code is not point.code or any(value is None for value in (*operands, *results)):
            return ()
        return tuple(findings(process, point, operands, results, self._cursor.search.selection))

    def compare(self, name: str) -> Comparison:
        """Returns the value of a name (with or without `%`) side by side in all processes, each in its
        innermost frame. Raises DebuggerError where no process has one.
        """
        name = name.removeprefix("%")
        with self._run.command():
            values = [self._brought(number, name) for number in range(len(self._cursor.grid.processes))]
            if all(value.absent for value in values):
                raise DebuggerError(f"%{name} is not in scope in any process")
            first = next(value.process for value in values if not value.absent)
            return replace(compare(name, values, self.summaries), place=self._place(first, name))

    def _place(self, process: int, name: str) -> Place:
        """Returns where the operation is that binds a value in the innermost frame of a process."""
        frames = self._cursor.grid.processes[process].frames
        bound = find_value(frames, len(frames) - 1, name)
        defined = bound.code.defined_at[bound.register]
        if defined < 0:
            return Place()
        point = program_point(bound.code, defined)
        line = point.position.line if point.position else None
        return Place(point.operation.name, line, origin_in(point, frames[: bound.depth - 1]))

    def _brought(self, number: int, name: str) -> Brought:
        """Returns what a name refers to in a process."""
        cursor = self._cursor
        selected, cursor.selected = cursor.selected, number
        try:
            if not cursor.process.frames:
                return Brought(number, absent="the process is done")
            bound = self.find(name)
            value = read_value(cursor, bound)
            return Brought(number, bound.code.values.types[bound.register], self._bound_at(bound), value)
        except DebuggerError:
            return Brought(number, absent="not in scope here")
        finally:
            cursor.selected = selected


def _names(nonfinite: Nonfinite) -> tuple[str, ...]:
    return tuple(flag.name.lower() for flag in Nonfinite if nonfinite & flag and flag.name)
