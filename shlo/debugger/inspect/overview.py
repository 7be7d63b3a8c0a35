"""A timeline in as many columns as a screen has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shlo.debugger.replay.cursor import ReplayCursor
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
        """Returns the column that a position is in."""
        return position * len(self.depths) // (self.last + 1)

    def position_of(self, column: int) -> int:
        """Returns the first position of a column."""
        return min(-(-column * (self.last + 1) // len(self.depths)), self.last)


def overview_of(cursor: ReplayCursor, stops_at: Callable[[int], object], columns: int) -> Overview:
    """Returns the selected process in `columns` columns at most; `stops_at` tells breakpoints."""
    trace, count = cursor.trace, cursor.last + 1
    positions, numbers, depths = map(np.array, (trace.positions, trace.numbers, trace.depths))
    columns = min(columns, count)
    starts = -(-np.arange(columns) * count // columns)
    stops = np.array([bool(stops_at(number)) for number in range(len(cursor.points))] + [False])
    entry = _entry(cursor)
    return Overview(
        cursor.position,
        cursor.last,
        tuple(np.maximum.reduceat(np.repeat(depths, np.diff(positions, append=count)), starts).tolist()),
        _any_in(positions[stops[numbers]], starts, count),
        _any_in(positions[(numbers == entry) & (numbers != NOWHERE)], starts, count),
    )


def _entry(cursor: ReplayCursor) -> int:
    """Returns the program point at which the innermost open region begins."""
    frames = cursor.process.frames
    frame = next((frame for frame in reversed(frames) if frame.region is not None), None)
    return cursor.points.number(frame.code, 0) if frame else NOWHERE


def _any_in(positions: Array, starts: Array, count: int) -> tuple[bool, ...]:
    """Returns which of the columns that begin at `starts` have one of the positions in them."""
    flags = np.zeros(count, bool)
    flags[positions] = True
    return tuple(np.logical_or.reduceat(flags, starts).tolist())
