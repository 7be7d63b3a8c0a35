"""Positions of the past, visited mostly backwards."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import isqrt
from typing import Final

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.interpreter.spmd.grid import GridState
from shlo.support.cancellation import checkpoint

LEAST_SPACING: Final = 8
"""How many steps lie between two states that are kept, at least."""

MOST_HELD: Final = 64 << 20
"""How many bytes may be bound, about, between two of these states of which each state is kept."""


class Rewinder:
    """Moves a fork of a cursor to positions. It keeps states of one interval between checkpoints, and the
    states between two of these, so that going back takes few steps twice; good while the fork is open.
    """

    def __init__(self, fork: ReplayCursor) -> None:
        self.fork = fork
        self._states: list[GridState] = []
        self._steps: list[GridState] = []  # from one of the states on
        self._last = -1  # up to which position states are kept

    def to(self, position: int) -> ReplayCursor:
        """Moves to a position that was reached."""
        fork = self.fork
        first = fork.history.cache.checkpoint_before(position)
        if not self._states or self._states[0].steps != first.steps or position > self._last:
            self._replay(first, position)
        state = _before(self._states, position)
        if not self._steps or self._steps[0] is not state:
            self._steps = [state]
        nearest = _before(self._steps, position)
        if fork.grid.error is not None or fork.position != position:
            fork.grid.restore(nearest)
        held = 0
        while fork.position < position:
            held += _bytes_of_next_step(fork)
            self._forward(fork.position + 1)
            if held <= MOST_HELD:
                self._steps.append(fork.grid.save())
        return fork

    def _replay(self, first: GridState, position: int) -> None:
        fork = self.fork
        fork.restore(first)
        self._states, self._steps, self._last = [fork.grid.save()], [], position
        spacing = max(LEAST_SPACING, isqrt(position - first.steps))
        for at in range(first.steps + spacing, position + 1, spacing):
            self._forward(at)
            self._states.append(fork.grid.save())

    def _forward(self, position: int) -> None:
        fork = self.fork
        while fork.position < position:
            checkpoint()
            if not fork.forward():
                raise DebuggerError(f"position {position} is not reached again")


def _bytes_of_next_step(fork: ReplayCursor) -> int:
    """Returns how many bytes the process binds next, if it is its turn, as far as types tell."""
    frames = fork.process.frames
    return frames[-1].instruction.size if frames else 0


def _before(states: Sequence[GridState], position: int) -> GridState:
    return states[bisect_right(states, position, key=lambda state: state.steps) - 1]
