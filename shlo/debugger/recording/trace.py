"""The trace of a recording: which process took each step, and where it arrived."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Annotated, Final

import numpy as np
from msgspec import Meta

from shlo.debugger.errors import RecordingError
from shlo.debugger.recording.columns import compress, decompress, packed, unpacked
from shlo.debugger.recording.frames import RecordingFrame
from shlo.debugger.recording.points import PointWriter
from shlo.debugger.replay.history import History
from shlo.debugger.replay.program_points import NOWHERE, ProgramPoint
from shlo.ir.dtypes import Array

LONGEST: Final = 1 << 18
"""How many steps a chunk has at most."""

MOST_STEPS: Final = 1 << 26
"""How many arrivals a recording may have: they are all in memory."""

STAYS: Final = -2
"""The program point of a process that took a step of the grid without one of its own: it began to wait."""


class TraceFrame(RecordingFrame, tag="trace", frozen=True):
    """The steps to `count` positions from `first` on, which brought on `others` other processes.

    The columns, of 4 bytes each, are the process of each step, how many others it brought on, and which; and
    for each of these arrivals the program point (NOWHERE where the process was done) and how many frames are
    open.
    """

    first: int
    count: Annotated[int, Meta(gt=0, le=LONGEST)]
    others: Annotated[int, Meta(ge=0, le=MOST_STEPS)]
    size: int
    data: bytes


class TraceWriter:
    """Packs the steps of a history that were not written yet."""

    def __init__(self, history: History, points: PointWriter, is_alone: bool) -> None:
        self.written = 0
        self.history = history
        self._points = points
        self._is_alone = is_alone
        self._numbers = np.full(64, NOWHERE, np.int32)  # of the file, by those of the session

    def chunk(self) -> TraceFrame | None:
        """Returns the next chunk, None where all is written."""
        first, last = self.written + 1, min(self.history.last, self.written + LONGEST)
        if first > last:
            return None
        columns = self._alone(first, last) if self._is_alone else self._grid(first, last)
        numbers = columns[3]
        for number in np.unique(numbers).tolist():
            if number >= 0 and self._number_of(number) == NOWHERE:
                self._numbers[number] = self._points.point(self.history.points[number])
        columns[3] = np.where(numbers < 0, numbers, self._numbers[np.maximum(numbers, 0)])
        data = packed([column.astype(np.int32, copy=False) for column in columns])
        self.written = last
        others = len(columns[2])
        return TraceFrame(first, last - first + 1, others, len(data), compress(data, 6))

    def _number_of(self, number: int) -> int:
        if number >= len(self._numbers):
            grown = np.full(2 * number, NOWHERE, np.int32)
            grown[: len(self._numbers)] = self._numbers
            self._numbers = grown
        return int(self._numbers[number])

    def _alone(self, first: int, last: int) -> list[Array]:
        trace, nothing = self.history.traces[0], np.zeros(0, np.int32)
        numbers = np.array(trace.numbers[first : last + 1], np.int32)
        depths = np.array(trace.depths[first : last + 1], np.int32)
        return [np.zeros(len(numbers), np.int32), np.zeros(len(numbers), np.int32), nothing, numbers, depths]

    def _grid(self, first: int, last: int) -> list[Array]:
        history, others, counts = self.history, list[int](), list[int]()
        numbers, depths = list[int](), list[int]()
        movers = [history.schedule[position] for position in range(first - 1, last)]
        for position in range(first, last + 1):
            resumed = history.resumed.get(position, ())
            counts.append(len(resumed))
            others += resumed
            for process in (movers[position - first], *resumed):
                trace = history.traces[process]
                step = trace.step_at(position)
                arrived = trace.positions[step] == position
                numbers.append(trace.numbers[step] if arrived else STAYS)
                depths.append(trace.depths[step] if arrived else 0)
        return [np.array(column, np.int32) for column in (movers, counts, others, numbers, depths)]


class TraceReader:
    """Puts the chunks of a trace together, and fills a history with them."""

    def __init__(self) -> None:
        self._columns: list[list[Array]] = []
        self._last = 0
        self._arrivals = 0

    def add(self, frame: TraceFrame, until: int) -> None:
        """Adds a chunk, the steps to positions up to `until` of it; raises RecordingError."""
        first, count, others = frame.first, frame.count, frame.others
        if first != self._last + 1:
            raise RecordingError("a part of the trace is not where it must be")
        arrivals = count + others
        counts = (count, count, others, arrivals, arrivals)
        columns = unpacked(decompress(frame.data, frame.size), ["i4"] * 5, counts)
        if int(columns[1].sum(dtype=np.int64)) != others or min(columns[1].min(initial=0), 0) < 0:
            raise RecordingError("a part of the trace has other processes than it says")
        self._arrivals += arrivals
        if self._arrivals > MOST_STEPS:
            raise RecordingError(f"it has more than {MOST_STEPS:,} steps")
        keep = min(count, until - first + 1)
        if keep <= 0:
            return
        others = int(columns[1][:keep].sum())
        sizes = (keep, keep, others, keep + others, keep + others)
        self._columns.append([column[:size] for column, size in zip(columns, sizes)])
        self._last = first + keep - 1

    def fill(self, history: History, points: Sequence[ProgramPoint], is_alone: bool) -> None:
        """Fills a history; raises RecordingError where a process or program point is not there."""
        if not self._columns:
            return
        size = len(history.traces)
        columns = [np.concatenate(parts) for parts in zip(*self._columns)]
        self._columns = []
        movers, counts, others, numbers, depths = columns
        for processes in (movers, others):
            if len(processes) and not 0 <= processes.min() <= processes.max() < size:
                raise RecordingError("a step is one of no process")
        if numbers.min() < STAYS or numbers.max() >= len(points):
            raise RecordingError("there is no such program point")
        of_session = [history.points.number(point.code, point.index) for point in points]
        session_numbers = np.array([*of_session, STAYS, NOWHERE], np.int32)[
            numbers
        ]  # the last two by -2 and -1
        positions = np.arange(1, len(movers) + 1, dtype=np.int64)
        history.schedule.cut(0)
        history.schedule.extend(movers.tolist())
        if is_alone:
            history.traces[0].extend(session_numbers, depths, positions)
        else:
            _fill_grid(history, positions, movers, counts, others, session_numbers, depths)
        history.loaded()


def _fill_grid(
    history: History, positions: Array, movers: Array, counts: Array, others: Array, *rest: Array
) -> None:
    numbers, depths = rest
    starts = np.cumsum(1 + counts) - 1 - counts  # of the arrivals of each position
    processes = np.empty(len(numbers), np.int32)
    is_mover = np.zeros(len(numbers), bool)
    is_mover[starts] = True
    processes[is_mover], processes[~is_mover] = movers, others
    at = np.repeat(positions, 1 + counts)
    ends = np.cumsum(counts)
    for index in np.flatnonzero(counts).tolist():
        resumed = others[ends[index] - counts[index] : ends[index]]
        history.resumed[index + 1] = tuple(resumed.tolist())
    settled = np.ones(len(history.points) + 1, bool)
    for number in {*numbers[numbers >= 0].tolist(), *(trace.numbers[0] for trace in history.traces)}:
        settled[number] = history.is_settled(number)
    change = np.zeros(len(positions) + 1, np.int64)
    for process, trace in enumerate(history.traces):
        mine = np.flatnonzero((processes == process) & (numbers != STAYS))
        before = np.concatenate([[trace.numbers[0]], numbers[mine]])
        unsettled_before = ~settled[before]
        np.add.at(change, at[mine], unsettled_before[1:].astype(np.int64) - unsettled_before[:-1])
        trace.extend(numbers[mine], depths[mine], at[mine])
    unsettled = history.unsettled[0] + np.cumsum(change)
    history.unsettled = array("i", unsettled.astype(np.intc).tobytes())
