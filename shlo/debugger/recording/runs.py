"""Recorded runs to compare: the values that each step bound, by step and name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from shlo.debugger.errors import RecordingError
from shlo.debugger.recording.file import load_recording
from shlo.debugger.recording.stored import RecordedHistory, Row
from shlo.debugger.replay.program_points import ProgramPoint
from shlo.debugger.session import Session
from shlo.text.statistics import Statistics


class RecordedValue(Struct, frozen=True):
    """A value that a step bound: the position behind the step, the process, how many steps of its own this
    had taken, where it arrived, and the value's name without `%`. `statistics` are None for what is no
    tensor; `value` is None unless values were recorded.
    """

    position: int
    process: int
    step: int
    point: ProgramPoint
    name: str
    statistics: Statistics | None
    value: Any


class RecordedRun:
    """The values in a file that `record` wrote; one thread reads them."""

    def __init__(self, path: str) -> None:
        """Opens a file; raises RecordingError where it is no recording, or holds no values."""
        self._session = load_recording(path)[0]
        stored = self._session.cursor.history.stored
        if not isinstance(stored, RecordedHistory) or not stored.has_statistics:
            raise RecordingError("it holds neither values nor statistics", path=path)
        self._stored = stored

    @property
    def session(self) -> Session:
        """A session on the recording, at its beginning."""
        return self._session

    @property
    def last(self) -> int:
        """The last position that was reached."""
        return self._session.cursor.last

    def values(self) -> Iterator[RecordedValue]:
        """Yields the values in the order in which they were bound; raises RecordingError where the file is
        damaged.
        """
        history = self._session.cursor.history
        for row, statistics, value in self._stored.rows():
            yield self._value(row, history.points[row.point], statistics, value)

    def _value(
        self, row: Row, point: ProgramPoint, statistics: Statistics | None, value: Any
    ) -> RecordedValue:
        step = self._session.cursor.history.traces[row.process].step_at(row.position)
        return RecordedValue(
            row.position, row.process, step, point, point.bound[row.bound], statistics, value
        )
