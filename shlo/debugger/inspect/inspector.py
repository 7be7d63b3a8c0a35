"""Inspector: reads values in scope, their history, and values side by side in all processes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

import numpy as np
from msgspec.structs import replace

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.applications import Application, applications
from shlo.debugger.inspect.compare import Brought, compare
from shlo.debugger.inspect.scope import (
    Bound,
    arguments,
    find_value,
    newest,
    read_value,
    value_view,
)
from shlo.debugger.inspect.snapshots import Comparison, StepView, ValueView
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.nonfinite import NOTHING, Nonfinite, findings
from shlo.debugger.replay.program_points import ProgramPoint, origin_in, program_point
from shlo.debugger.tensors.summaries import Summaries, summary_of_statistics
from shlo.interpreter.engine.frames import Frame
from shlo.ir.dtypes import Array
from shlo.places.place import Place
from shlo.runner.statistics import Statistics, statistics_of, tensor_of


class Inspector:
    """Reads values where a cursor is; `frame` is an index into the frames of the selected process, and says
    what is in scope. Raises DebuggerError where a name or frame is not there.
    """

    def __init__(self, cursor: ReplayCursor) -> None:
        self.summaries = Summaries()
        self._cursor = cursor

    def index(self, frame: int) -> int:
        """Returns the index, from 0, of a frame."""
        count = len(self._cursor.process.frames)
        if not -count <= frame < count:
            raise DebuggerError(
                f"there is no frame {frame}; there are {count}" if count else "the program is done"
            )
        return frame % count

    def find(self, name: str, frame: int) -> Bound:
        """Returns where a name is bound."""
        return find_value(self._cursor.process.frames, self.index(frame), name)

    def values(self, frame: int, most: int | None) -> tuple[ValueView, ...]:
        """Returns the last `most` values in scope, in the order in which they were bound."""
        frames = self._cursor.process.frames
        if not frames:
            return ()
        return tuple(map(value_view, islice(newest(frames, self.index(frame)), most)))[::-1]

    def arguments(self, frame: int) -> tuple[ValueView, ...]:
        """Returns the arguments of a frame's function and of the regions around the frame in it."""
        frames = self._cursor.process.frames
        return tuple(map(value_view, arguments(frames, self.index(frame)))) if frames else ()

    def value(self, name: str, frame: int = -1) -> Any:
        """Returns a value that cannot be written to, computed again where it was dropped."""
        return read_only(read_value(self._cursor, self.find(name, frame)))

    def value_at(self, name: str, position: int) -> Any:
        """Returns what a value was at another position that was reached, in the innermost frame there."""
        if not 0 <= position <= self._cursor.last:
            raise DebuggerError(f"position {position} was not reached")
        with self._cursor.fork_at(position) as fork:
            fork.go(position)
            return self.value(name)

    def part(self, name: str, index: tuple[int | slice, ...], frame: int) -> Array:
        """Returns a part of a tensor, as NumPy's indexing takes it."""
        array = tensor_of(self.value(name, frame))
        if array is None:
            raise DebuggerError(f"%{name.removeprefix('%')} is no tensor")
        try:
            return np.asarray(read_only(array[index]))
        except IndexError as error:
            raise DebuggerError(str(error)) from error

    def tensor_at(self, name: str, index: tuple[int, ...], frame: int) -> tuple[Bound, Array]:
        """Returns where a tensor that has an element at an index is bound, and the tensor."""
        bound = self.find(name, frame)
        array = tensor_of(self.value(name, frame))
        if array is None:
            raise DebuggerError(f"%{name.removeprefix('%')} is no tensor")
        if len(index) != array.ndim or any(not 0 <= at < size for at, size in zip(index, array.shape)):
            shown = ", ".join(map(str, array.shape))
            raise DebuggerError(f"expected an index in a tensor of shape ({shown}), got {list(index)}")
        return bound, array

    def applications(self, name: str, index: tuple[int, ...], frame: int) -> Iterator[Application]:
        """Returns how a region made an element."""
        bound, _ = self.tensor_at(name, index, frame)
        return applications(self._cursor, bound, self.bound_at(bound), index)

    def summary(self, name: str, frame: int) -> str | None:
        """Returns a value in one line, None for one that was dropped and that no recording has."""
        bound = self.find(name, frame)
        value = bound.frame.registers[bound.register]
        if value is not None:
            return self.summaries.of(value)
        try:
            statistics = self._stored_statistics(bound)
        except DebuggerError:
            return None  # the file is damaged there
        return None if statistics is None else summary_of_statistics(statistics)

    def statistics(self, name: str, frame: int) -> Statistics | None:
        """Returns a tensor in a few numbers: those that a recording has, where it was dropped."""
        bound = self.find(name, frame)
        if bound.frame.registers[bound.register] is None:
            statistics = self._stored_statistics(bound)
            if statistics is not None:
                return statistics
        return statistics_of(self.value(name, frame))

    def _stored_statistics(self, bound: Bound) -> Statistics | None:
        stored, cursor = self._cursor.history.stored, self._cursor
        if stored is None:
            return None
        return stored.statistics(self.bound_at(bound), cursor.selected, bound.register)

    def bound_at(self, bound: Bound) -> int:
        """Returns the position at which a value was bound."""
        return self._cursor.values.bound_at(bound.code, bound.register, bound.depth)

    def history(self, name: str, frame: int) -> tuple[int, ...]:
        """Returns all positions reached so far at which a value was bound."""
        bound = self.find(name, frame)
        return tuple(self._cursor.trace.visits(bound.code, bound.code.defined_at[bound.register] + 1))

    def last_step(self) -> StepView | None:
        """Returns the step that the selected process took last."""
        step, trace = self._cursor.process.steps - 1, self._cursor.trace
        point = trace.point(step) if step >= 0 else None
        if point is None:
            return None
        made = dict(self._cursor.history.nonfinite.get(trace.positions[step + 1], ()))
        nonfinite, here = made.get(self._cursor.selected, NOTHING), trace.point(step + 1)
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
        """Returns the value of a name side by side in all processes, each in its innermost frame."""
        name = name.removeprefix("%")
        values = [self._brought(number, name) for number in range(len(self._cursor.grid.processes))]
        if all(brought.absent for brought in values):
            raise DebuggerError(f"%{name} is not in scope in any process")
        first = next(brought.process for brought in values if not brought.absent)
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
            bound = self.find(name, -1)
            value = read_value(cursor, bound)
            return Brought(number, bound.code.values.types[bound.register], self.bound_at(bound), value)
        except DebuggerError:
            return Brought(number, absent="not in scope here")
        finally:
            cursor.selected = selected


def _names(nonfinite: Nonfinite) -> tuple[str, ...]:
    return tuple(flag.name.lower() for flag in Nonfinite if nonfinite & flag and flag.name)


def copied(value: Any) -> Any:
    """Returns an argument that its giver cannot change any more."""
    if isinstance(value, tuple):
        return tuple(map(copied, cast("tuple[Any, ...]", value)))
    return cast("Array", value).copy() if isinstance(value, np.ndarray) else value


def read_only(value: Any) -> Any:
    """Returns a value that cannot be written to."""
    if isinstance(value, tuple):
        return tuple(map(read_only, cast("tuple[Any, ...]", value)))
    if not isinstance(value, np.ndarray):
        return value
    view = cast("Array", value).view()
    view.flags.writeable = False
    return view
