"""A timeline in as many columns as a screen has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shlo.debugger.breakpoints import Breakpoints
from shlo.debugger.sites import NOWHERE
from shlo.debugger.timeline import Timeline
from shlo.interpreter.frames import Frame
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


def overview_of(
    timeline: Timeline, breakpoints: Breakpoints, frames: Sequence[Frame], position: int, columns: int
) -> Overview:
    """The overview of a timeline in at most `columns` columns."""
    numbers, depths = np.array(timeline.numbers), np.array(timeline.depths)
    columns = min(columns, len(numbers))
    starts = -(-np.arange(columns) * len(numbers) // columns)
    stops = np.array([bool(breakpoints.at_site(number)) for number in range(len(timeline.sites))] + [False])
    frame = next((frame for frame in reversed(frames) if frame.region is not None), None)
    entry = timeline.sites.number(frame.code, 0) if frame else NOWHERE
    return Overview(
        position,
        timeline.last,
        tuple(np.maximum.reduceat(depths, starts).tolist()),
        _any_in(stops[numbers], starts),
        _any_in((numbers == entry) & (numbers != NOWHERE), starts),
    )


def _any_in(flags: Array, starts: Array) -> tuple[bool, ...]:
    return tuple(np.logical_or.reduceat(flags, starts).tolist())
