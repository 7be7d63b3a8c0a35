"""What an opened recording holds beside the effects: checkpoints, and values or statistics of them, read from
the file when they are asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from copy import copy
from operator import attrgetter
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from shlo.debugger.errors import DebuggerError, RecordingError
from shlo.debugger.recording.checkpoints import CheckpointFrame, read_checkpoint
from shlo.debugger.recording.columns import decompress, unpacked
from shlo.debugger.recording.frames import (
    PARTS,
    FrameRange,
    FrameRanges,
    FrameReader,
    Positive,
    RecordingFrame,
    cut_parts,
)
from shlo.debugger.recording.points import PointReader
from shlo.debugger.recording.statistics import MOST_ROWS, StatisticsChunk, StatisticsFrame
from shlo.debugger.recording.value_store import ValueStore
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.spmd.grid import GridState
from shlo.ir.diagnostics import ExecutionError
from shlo.runner.statistics import statistics_of
from shlo.text.statistics import Statistics

KEPT: Final = 8
"""How many chunks are remembered."""


_first = attrgetter("first")


class ResultsFrame(RecordingFrame, tag="results", frozen=True):
    """The numbers of the values that steps bind, as a column of 8 bytes; -1 for none."""

    first: Positive
    count: Positive
    rows: Annotated[int, Meta(ge=0, le=MOST_ROWS)]
    size: int
    data: bytes


class ResultsChunk:
    """A chunk that was read: the number of the value of each row."""

    def __init__(self, frame: ResultsFrame) -> None:
        self.first, self.count, self.rows = frame.first, frame.count, frame.rows
        (self.numbers,) = unpacked(decompress(frame.data, frame.size), ["i8"], [frame.rows])


class Row(Struct, frozen=True):
    """A value in a chunk: where it was bound, in which process, and which one of those bound there."""

    position: int
    process: int
    point: int
    bound: int


class RecordedHistory:
    """Reads checkpoints and values of a file for a cursor whose trace comes from it."""

    def __init__(
        self,
        reader: FrameReader,
        values: ValueStore,
        points: PointReader,
        parts: FrameRanges,
        cursor: ReplayCursor,
    ) -> None:
        self._reader = reader
        self._values = values
        self._points = points
        self._cursor = cursor
        self._parts = {kind: sorted(parts[kind], key=_first) for kind in PARTS}
        self._chunks: OrderedDict[int, Any] = OrderedDict()
        self._starts: OrderedDict[int, dict[tuple[int, int], int]] = OrderedDict()

    # --- checkpoints ---

    def checkpoint(self, after: int, position: int) -> GridState | None:
        """Returns the last checkpoint after one position and not after another, None where there is none."""
        checkpoints = self._parts["checkpoint"]
        at = bisect_right(checkpoints, position, key=_first) - 1
        while at >= 0 and checkpoints[at].first > after:
            try:
                return self._checkpoint(checkpoints[at])
            except (DebuggerError, ExecutionError, ValueError):
                del checkpoints[at]  # it is damaged: one before serves as well
                at -= 1
        return None

    def _checkpoint(self, part: FrameRange) -> GridState:
        cursor = self._cursor
        frame = self._reader.at(part.offset, CheckpointFrame)
        state = read_checkpoint(frame, self._values, self._points, len(cursor.grid.processes))
        if state.steps != part.first or not self._fits(state):
            raise RecordingError("a checkpoint is not where the trace is")
        return cursor.grid.completed(state)

    def _fits(self, state: GridState) -> bool:
        """Returns whether the processes are where the trace says that they were."""
        points = self._cursor.points
        for part, trace in zip(state.processes, self._cursor.history.traces):
            if part.steps != trace.step_at(state.steps) or len(part.frames) != trace.depths[part.steps]:
                return False
            number = trace.numbers[part.steps]
            if part.frames and (
                number < 0
                or points[number].code is not part.frames[-1].code
                or points[number].index != part.frames[-1].index
            ):
                return False
        return True

    def branch(self, position: int) -> RecordedHistory:
        """Returns what is stored of the future that begins at a position."""
        other = copy(self)
        other._chunks, other._starts = OrderedDict(), OrderedDict()
        other.cut(position)
        return other

    def cut(self, position: int) -> None:
        """Forgets what came after a position."""
        self._parts = cut_parts(self._parts, position)

    # --- values and statistics ---

    @property
    def has_statistics(self) -> bool:
        """Whether statistics, or values, were recorded."""
        return bool(self._parts["results"] or self._parts["statistics"])

    def statistics(self, position: int, process: int, register: int) -> Statistics | None:
        """Returns the statistics of the value that a process bound to a register as it arrived at a position,
        None where the file has none.
        """
        match = self._find("statistics", position, process, register)
        if match is not None:
            chunk, row = match
            return chunk.statistics(row)
        value = self.value(position, process, register)
        return None if value is None else statistics_of(value)

    def value(self, position: int, process: int, register: int) -> Value | None:
        """Returns the value that a process bound to a register as it arrived at a position, None where the
        file does not have it.
        """
        match = self._find("results", position, process, register)
        if match is None:
            return None
        chunk, row = match
        number = int(chunk.numbers[row])
        return None if number < 0 else self._values.value(number)

    def _find(self, kind: str, position: int, process: int, register: int) -> tuple[Any, int] | None:
        parts = self._parts[kind]
        at = bisect_right(parts, position, key=_first) - 1
        if at < 0 or position > parts[at].last:
            return None
        history = self._cursor.history
        number = history.traces[process].number_at(position)
        if number is None or number < 0:
            return None
        registers = history.points[number].bound_registers
        if register not in registers:
            return None
        chunk, starts = self._chunk(parts[at]), self._rows(parts[at])
        row = starts[position, process] + registers.index(register)
        return (chunk, row) if row < chunk.rows else None

    def _chunk(self, part: FrameRange) -> Any:
        if part.offset not in self._chunks:
            frame = self._reader.at(part.offset, StatisticsFrame | ResultsFrame)
            is_statistics = isinstance(frame, StatisticsFrame)
            chunk = StatisticsChunk(frame) if is_statistics else ResultsChunk(frame)
            if chunk.first != part.first or chunk.first + chunk.count <= part.last:
                raise RecordingError("a part of the values is not where it must be", part.offset)
            self._chunks[part.offset] = chunk
            if len(self._chunks) > KEPT:
                self._chunks.popitem(last=False)
        self._chunks.move_to_end(part.offset)
        return self._chunks[part.offset]

    def _rows(self, part: FrameRange) -> dict[tuple[int, int], int]:
        """Returns the first row of each arrival in a chunk, by position and process."""
        if part.offset not in self._starts:
            starts, row = dict[tuple[int, int], int](), 0
            history = self._cursor.history
            for position in range(part.first, min(part.last, history.last) + 1):
                for process, number in history.arrivals(position):
                    starts[position, process] = row
                    row += len(history.points[number].bound_registers)
            self._starts[part.offset] = starts
            if len(self._starts) > KEPT:
                self._starts.popitem(last=False)
        return self._starts[part.offset]

    def finite(self) -> Iterator[int]:
        """Yields the positions at which all values that were bound are known to be finite."""
        for part in self._parts["statistics"]:
            try:
                chunk, starts = self._chunk(part), self._rows(part)
            except RecordingError:
                continue  # it is damaged: nothing is known
            places, rows = list(starts), list(starts.values())
            unknown: list[int] = chunk.unknown.tolist()
            doubtful = {places[bisect_right(rows, row) - 1][0] for row in unknown if rows}
            yield from ({position for position, _ in places} - doubtful)

    def rows(self) -> Iterator[tuple[Row, Statistics | None, Value | None]]:
        """Yields all values that the file has in the order in which they were bound; statistics where it has
        only these. None for what is no tensor.
        """
        parts = sorted([*self._parts["statistics"], *self._parts["results"]], key=_first)
        for part in parts:
            chunk = self._chunk(part)
            row = 0
            history = self._cursor.history
            for position in range(part.first, min(part.last, history.last) + 1):
                for process, number in history.arrivals(position):
                    for index, _ in enumerate(history.points[number].bound_registers):
                        if row >= chunk.rows:
                            raise RecordingError("a part of the values is too short", part.offset)
                        yield self._row(chunk, row, Row(position, process, number, index))
                        row += 1

    def _row(self, chunk: Any, row: int, recorded: Row) -> tuple[Row, Statistics | None, Value | None]:
        if isinstance(chunk, StatisticsChunk):
            return recorded, chunk.statistics(row), None
        number = int(chunk.numbers[row])
        value = None if number < 0 else self._values.value(number)
        return recorded, None if value is None else statistics_of(value), value
