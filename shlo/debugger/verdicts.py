"""Whether a breakpoint with a condition or a count stops at a position that it meets.

A verdict belongs to a position and not to the way there, so it is given once, and is the same backwards.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field

from shlo.debugger.breakpoints import Breakpoint
from shlo.debugger.conditions import Condition
from shlo.debugger.errors import DebuggerError
from shlo.debugger.frames import find_value, read_value
from shlo.debugger.playback import Playback
from shlo.debugger.sites import NOWHERE


@dataclass(slots=True)
class _Visits:
    """The positions before `end` at which a place was visited, and which sites are that place."""

    positions: array[int] = field(default_factory=lambda: array("q"))
    sites: dict[int, bool] = field(default_factory=dict[int, bool])
    end: int = 0


class Verdicts:
    """Gives and remembers verdicts on the positions of a playback."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        self._timeline = playback.timeline
        self._known: dict[tuple[Condition, int], bool] = {}
        self._visits: dict[tuple[str, int | str], _Visits] = {}

    def stops(self, point: Breakpoint, position: int) -> bool:
        """Whether a breakpoint that meets a position stops there."""
        if point.condition is not None:
            return self._holds(point, point.condition, position)
        return not point.ignored or self._visit(point, position) > point.ignored

    def _holds(self, point: Breakpoint, condition: Condition, position: int) -> bool:
        known = self._known.get((condition, position))
        if known is not None:
            return known
        if self._playback.position == position:
            return self._judge(self._playback, condition)
        playback, sites = self._playback.fork(position), self._visits_of(point).sites
        for at in range(playback.position, position + 1):  # others on the way will be asked for next
            if at == position or self._is_at(point, at, sites):
                playback.seek(at)
                self._judge(playback, condition)
        return self._known[condition, position]

    def _judge(self, playback: Playback, condition: Condition) -> bool:
        """Says whether a condition holds where a playback is."""
        verdict = self._known[condition, playback.position] = _is_true(playback, condition)
        return verdict

    def _visit(self, point: Breakpoint, position: int) -> int:
        """How often the program had come to a breakpoint's place, up to a position."""
        visits = self._visits_of(point)
        for at in range(visits.end, position + 1):
            if self._is_at(point, at, visits.sites):
                visits.positions.append(at)
        visits.end = max(visits.end, position + 1)
        return bisect_right(visits.positions, position)

    def _visits_of(self, point: Breakpoint) -> _Visits:
        return self._visits.setdefault((point.kind, point.where), _Visits())

    def _is_at(self, point: Breakpoint, position: int, sites: dict[int, bool]) -> bool:
        """Whether a position is at a breakpoint's place; `sites` remembers that for each site."""
        number = self._timeline.numbers[position]
        known = sites.get(number)
        if known is None:
            known = sites[number] = number != NOWHERE and point.meets(self._timeline.sites[number])
        return known


def _is_true(playback: Playback, condition: Condition) -> bool:
    frames = playback.process.frames
    if not frames:
        return False
    try:
        bound = find_value(frames, len(frames) - 1, condition.name)
    except DebuggerError:
        return False  # another function or region, where no such value is
    return condition.holds(read_value(playback, bound))
