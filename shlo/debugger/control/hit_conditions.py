"""Hit conditions: whether a breakpoint with a condition or a count stops at a position.

That depends on the position and not on the way there, so it is found once, and is the same backwards.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.control.value_conditions import Condition
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.areas import enters
from shlo.debugger.inspect.scope import find_value, read_value
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_points import NOWHERE


@dataclass(slots=True)
class _Visits:
    """The positions before `end` at which processes arrived at a place, and which program points are it."""

    positions: array[int] = field(default_factory=lambda: array("q"))
    points: dict[int, bool] = field(default_factory=dict[int, bool])
    end: int = 0


class HitConditions:
    """Evaluates conditions and counts at the positions of a cursor, and remembers the answers."""

    def __init__(self, cursor: ReplayCursor) -> None:
        self._cursor = cursor
        self._known: dict[tuple[int, int, Condition], bool] = {}  # position, process, condition
        self._visits: dict[tuple[str, int | str, int | None], _Visits] = {}

    def stops(self, point: Breakpoint, process: int, position: int) -> bool:
        """Returns whether a breakpoint at whose place a process arrived at a position stops it there."""
        if point.area is not None and not self._enters(point, process, position):
            return False
        if point.condition is not None:
            return self._holds(point, point.condition, process, position)
        return not point.ignored or self._visit(point, position) > point.ignored

    def forget(self, position: int) -> None:
        """Forgets what was known of positions after one: another future begins there."""
        self._known = {key: known for key, known in self._known.items() if key[0] <= position}
        for visits in self._visits.values():
            del visits.positions[bisect_right(visits.positions, position) :]
            visits.end = min(visits.end, position + 1)

    def _holds(self, point: Breakpoint, condition: Condition, process: int, position: int) -> bool:
        known = self._known.get((position, process, condition))
        if known is None:
            if self._cursor.position == position:
                self._evaluate(self._cursor, condition, process)
            else:
                self._evaluate_on_the_way(point, condition, position)
            known = self._known[position, process, condition]
        return known

    def _evaluate_on_the_way(self, point: Breakpoint, condition: Condition, position: int) -> None:
        """Evaluates a position, and others on the way to it, which will be asked for next."""
        with self._cursor.fork_at(position) as cursor:
            for at in range(cursor.position, position + 1):
                arrived = self._arrived(point, at)
                if arrived:
                    cursor.seek(at)
                for process in arrived:
                    self._evaluate(cursor, condition, process)

    def _evaluate(self, cursor: ReplayCursor, condition: Condition, process: int) -> None:
        """Notes whether a condition holds in a process where a cursor is."""
        selected, cursor.selected = cursor.selected, process
        try:
            self._known[cursor.position, process, condition] = _is_true(cursor, condition)
        finally:
            cursor.selected = selected

    def _visit(self, point: Breakpoint, position: int) -> int:
        """Returns how often processes had arrived at a breakpoint's place, up to a position."""
        visits = self._visits_of(point)
        for at in range(visits.end, position + 1):
            visits.positions.extend([at] * len(self._arrived(point, at)))
        visits.end = max(visits.end, position + 1)
        return bisect_right(visits.positions, position)

    def _visits_of(self, point: Breakpoint) -> _Visits:
        return self._visits.setdefault((point.kind, point.where, point.process), _Visits())

    def _arrived(self, point: Breakpoint, position: int) -> list[int]:
        """Returns the processes that arrived at a breakpoint's place at a position."""
        return [
            process
            for process, number in self._cursor.arrivals(position)
            if point.is_for(process)
            and self._is_at(point, number)
            and (point.area is None or self._enters(point, process, position))
        ]

    def _is_at(self, point: Breakpoint, number: int) -> bool:
        known = self._visits_of(point).points
        if number not in known:
            known[number] = number != NOWHERE and point.is_at(self._cursor.points[number])
        return known[number]

    def _enters(self, point: Breakpoint, process: int, position: int) -> bool:
        """Returns whether a process came into a breakpoint's area at a position."""
        trace = self._cursor.history.traces[process]
        return enters(trace, trace.step_at(position), lambda number: self._is_at(point, number))


def _is_true(cursor: ReplayCursor, condition: Condition) -> bool:
    frames = cursor.process.frames
    if not frames:
        return False
    try:
        bound = find_value(frames, len(frames) - 1, condition.name)
    except DebuggerError:
        return False  # another function or region, where no such value is
    return condition.holds(read_value(cursor, bound))
