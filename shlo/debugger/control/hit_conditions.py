"""Whether a breakpoint with a condition or a count stops at a position that it meets.

A verdict belongs to a position and not to the way there, so it is given once, and is the same backwards.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.control.value_conditions import Condition
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.scope import find_value, read_value
from shlo.debugger.replay.cursor import Player


@dataclass(slots=True)
class _Visits:
    """The positions before `end` at which processes came to a place, and which sites are that place."""

    positions: array[int] = field(default_factory=lambda: array("q"))
    sites: dict[int, bool] = field(default_factory=dict[int, bool])
    end: int = 0


class Verdicts:
    """Gives and remembers verdicts on the positions of a player."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._known: dict[tuple[int, int, Condition], bool] = {}  # position, process, condition
        self._visits: dict[tuple[str, int | str, int | None], _Visits] = {}

    def stops(self, point: Breakpoint, process: int, position: int) -> bool:
        """Whether a breakpoint that a process meets at a position stops it there."""
        if point.condition is not None:
            return self._holds(point, point.condition, process, position)
        return not point.ignored or self._visit(point, position) > point.ignored

    def forget(self, position: int) -> None:
        """Forgets what was known of positions behind one, as another future begins there."""
        self._known = {key: known for key, known in self._known.items() if key[0] <= position}
        for visits in self._visits.values():
            del visits.positions[bisect_right(visits.positions, position) :]
            visits.end = min(visits.end, position + 1)

    def _holds(self, point: Breakpoint, condition: Condition, process: int, position: int) -> bool:
        known = self._known.get((position, process, condition))
        if known is None:
            if self._player.position == position:
                self._judge(self._player, condition, process)
            else:
                self._judge_on_the_way(point, condition, position)
            known = self._known[position, process, condition]
        return known

    def _judge_on_the_way(self, point: Breakpoint, condition: Condition, position: int) -> None:
        """Judges a position, and others on the way to it, which will be asked for next."""
        with self._player.elsewhere(position) as player:
            for at in range(player.position, position + 1):
                comers = self._comers(point, at)
                if comers:
                    player.seek(at)
                for process in comers:
                    self._judge(player, condition, process)

    def _judge(self, player: Player, condition: Condition, process: int) -> None:
        """Says whether a condition holds in a process where a player is."""
        selected, player.selected = player.selected, process
        try:
            self._known[player.position, process, condition] = _is_true(player, condition)
        finally:
            player.selected = selected

    def _visit(self, point: Breakpoint, position: int) -> int:
        """How often processes had come to a breakpoint's place, up to a position."""
        visits = self._visits_of(point)
        for at in range(visits.end, position + 1):
            visits.positions.extend([at] * len(self._comers(point, at)))
        visits.end = max(visits.end, position + 1)
        return bisect_right(visits.positions, position)

    def _visits_of(self, point: Breakpoint) -> _Visits:
        return self._visits.setdefault((point.kind, point.where, point.process), _Visits())

    def _comers(self, point: Breakpoint, position: int) -> list[int]:
        """The processes that came to a breakpoint's place at a position; which sites are that place is found
        out once.
        """
        sites, table = self._visits_of(point).sites, self._player.sites
        found: list[int] = []
        for process, site in self._player.arrivals(position):
            if site not in sites:
                sites[site] = point.meets(table[site])
            if sites[site] and point.is_for(process):
                found.append(process)
        return found


def _is_true(player: Player, condition: Condition) -> bool:
    frames = player.process.frames
    if not frames:
        return False
    try:
        bound = find_value(frames, len(frames) - 1, condition.name)
    except DebuggerError:
        return False  # another function or region, where no such value is
    return condition.holds(read_value(player, bound))
