"""Positions of the past, visited mostly backwards."""

from __future__ import annotations

from bisect import bisect_right
from math import isqrt
from typing import Final

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.interpreter.spmd.grid import GridState
from shlo.support.cancellation import checkpoint

LEAST_SPACING: Final = 8
"""How many steps lie between two states that are kept, at least."""


class Rewinder:
    """Moves a fork of a cursor to positions. It keeps states of one interval between checkpoints, so that
    going back in it costs a few steps; good while the fork is open.
    """

    def __init__(self, fork: ReplayCursor) -> None:
        self.fork = fork
        self._states: list[GridState] = []
        self._last = -1  # up to which position states are kept

    def to(self, position: int) -> ReplayCursor:
        """Moves to a position that was reached."""
        fork = self.fork
        first = fork.history.cache.checkpoint_before(position)
        if not self._states or self._states[0].steps != first.steps or position > self._last:
            self._replay(first, position)
        state = self._states[bisect_right(self._states, position, key=lambda state: state.steps) - 1]
        if fork.grid.error is not None or not state.steps <= fork.position <= position:
            fork.grid.restore(state)
        self._forward(position)
        return fork

    def _replay(self, first: GridState, position: int) -> None:
        fork = self.fork
        fork.restore(first)
        self._states, self._last = [fork.grid.save()], position
        spacing = max(LEAST_SPACING, isqrt(position - first.steps))
        for at in range(first.steps + spacing, position, spacing):
            self._forward(at)
            self._states.append(fork.grid.save())
        self._forward(position)

    def _forward(self, position: int) -> None:
        fork = self.fork
        while fork.position < position:
            checkpoint()
            if not fork.forward():
                raise DebuggerError(f"position {position} is not reached again")
