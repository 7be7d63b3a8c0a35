"""A timeline in as many columns as a screen has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shlo.debugger.control.breakpoints import Breakpoints
from shlo.debugger.replay.cursor import Player
from shlo.debugger.replay.program_points import NOWHERE
from shlo.ir.dtypes import Array


@dataclass(frozen=True, slots=True)
class Overview:
    """The positions up to `last` in columns of equally many: how many frames are open at most in each, in
    which a place with a breakpoint is, in which the region that is open now was entered (a loop's rounds).
    """

    position: int
    last: int
    depths: tuple[int, ...]
    breakpoints: tuple[bool, ...]
    rounds: tuple[bool, ...]

    def column_of(self, position: int) -> int:
        """The column that a position is in."""
        return position * len(self.depths) // (self.last + 1)

    def position_of(self, column: int) -> int:
        """The first position of a column."""
        return min(-(-column * (self.last + 1) // len(self.depths)), self.last)


def overview_of(player: Player, breakpoints: Breakpoints, columns: int) -> Overview:
    """The overview, in at most `columns` columns, of the process that a player looks at."""
    track, count = player.track, player.last + 1
    places = np.array([player.place(step) for step in range(track.last + 1)])
    numbers, depths = np.array(track.numbers), np.array(track.depths)
    columns = min(columns, count)
    starts = -(-np.arange(columns) * count // columns)
    stops = np.array([bool(breakpoints.at_site(number)) for number in range(len(player.sites))] + [False])
    entry = _entry(player)
    return Overview(
        player.position,
        player.last,
        tuple(np.maximum.reduceat(np.repeat(depths, np.diff(places, append=count)), starts).tolist()),
        _any_in(places[stops[numbers]], starts, count),
        _any_in(places[(numbers == entry) & (numbers != NOWHERE)], starts, count),
    )


def _entry(player: Player) -> int:
    """The site at which the innermost region that is open begins."""
    frames = player.process.frames
    frame = next((frame for frame in reversed(frames) if frame.region is not None), None)
    return player.sites.number(frame.code, 0) if frame else NOWHERE


def _any_in(positions: Array, starts: Array, count: int) -> tuple[bool, ...]:
    """Which of the columns that begin at `starts` have one of the positions in them."""
    flags = np.zeros(count, bool)
    flags[positions] = True
    return tuple(np.logical_or.reduceat(flags, starts).tolist())
