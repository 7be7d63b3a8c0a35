"""A timeline in as many columns as a screen has."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection
from itertools import pairwise

import numpy as np
from msgspec import Struct

from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_points import NOWHERE


class Overview(Struct, frozen=True):
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


def overview_of(cursor: ReplayCursor, stopped_at: Collection[int], columns: int) -> Overview:
    """Returns the selected process in `columns` columns at most; `stopped_at` are the numbers of the program
    points that have a breakpoint."""
    trace, count = cursor.trace, cursor.last + 1
    columns = min(columns, count)
    starts = [-(-column * count // columns) for column in range(columns + 1)]
    stops = np.zeros(len(cursor.points) + 1, bool)  # the last one is that of a process that is done
    stops[list(stopped_at)] = True
    has_stops, entry = bool(stopped_at), _entry(cursor)
    firsts = [bisect_left(trace.positions, start) for start in starts]
    there = [bisect_right(trace.positions, start) - 1 for start in starts[:-1]]
    depths = tuple(
        int(trace.distinct(first, end).depths.max()) for first, end in zip(there, firsts[1:], strict=True)
    )
    breakpoints, rounds = list[bool](), list[bool]()
    for first, end in pairwise(firsts):
        visited = trace.distinct(first, end).numbers
        breakpoints.append(has_stops and bool(stops[visited].any()))
        rounds.append(entry != NOWHERE and bool((visited == entry).any()))
    return Overview(cursor.position, cursor.last, depths, tuple(breakpoints), tuple(rounds))


def _entry(cursor: ReplayCursor) -> int:
    """Returns the program point at which the innermost open region begins."""
    frames = cursor.process.frames
    frame = next((frame for frame in reversed(frames) if frame.region is not None), None)
    return cursor.points.number(frame.code, 0) if frame else NOWHERE
