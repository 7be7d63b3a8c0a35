"""Positions of the past, visited mostly backwards."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import isqrt
from typing import Final

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.checkpoints import least_needed
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.result_cache import MemoryUse
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.spmd.grid import GridState
from shlo.support.cancellation import checkpoint

MOST_SINGLE: Final = 128
"""How many steps are replayed so that each state on the way is kept; of more, those of every square root."""

MOST_HELD: Final = 64 << 20
"""How many bytes states on the way may take, about, that neither the first one nor the process has."""

HELD_SHARE: Final = 16
"""They may take the part by this of what the first one and the process have, where that is more."""


class Rewinder:
    """Moves a fork of a cursor to positions. It keeps states on the way from a checkpoint to the last
    position, so that going back takes few steps twice; good while the fork is open.
    """

    def __init__(self, fork: ReplayCursor) -> None:
        self.fork = fork
        self._kept: _StatesOnTheWay | None = None

    def to(self, position: int) -> ReplayCursor:
        """Moves to a position that was reached."""
        fork, kept = self.fork, self._kept
        first = fork.history.cache.checkpoint_before(position)
        if kept is None or kept.first.steps != first.steps:
            fork.restore(first)
            kept = self._kept = _StatesOnTheWay(fork.grid.save())
        kept.drop_after(position)
        if fork.grid.error is not None or fork.position != position:
            fork.grid.restore(kept.last)
            self._replay(kept, position)
        return fork

    def _replay(self, kept: _StatesOnTheWay, position: int) -> None:
        """Goes on from the last state to a position."""
        fork = self.fork
        distance = position - fork.position
        spacing = 1 if distance <= MOST_SINGLE else isqrt(distance)
        due = fork.position + spacing
        while fork.position < position:
            checkpoint()
            frames = fork.process.frames
            kept.bound += frames[-1].instruction.size if frames else 0
            if not fork.forward():
                raise DebuggerError(f"position {position} is not reached again")
            if fork.position == due < position:
                kept.add(fork.grid.save())
                due += spacing


class _StatesOnTheWay:
    """States by position, from a checkpoint on. Where they take much memory, those are dropped that are far
    from the last one and have others near them.
    """

    def __init__(self, first: GridState) -> None:
        self.first = first
        self._states = [first]
        self.bound = 0
        """How many bytes were bound on the way, as far as types tell."""
        self._use: MemoryUse | None = None  # of them all, where that may be much

    @property
    def last(self) -> GridState:
        """The one with the highest position."""
        return self._states[-1]

    def add(self, state: GridState) -> None:
        """Keeps the state where the process is."""
        self._states.append(state)
        if self._use is not None:
            self._use.hold(_values([state]))
        elif self.bound > MOST_HELD:
            self._use = MemoryUse()
            self._use.hold(_values(self._states))
        if self._use is not None:
            most = self._most_bytes()
            while self._use.bytes > most and len(self._states) > 2:
                at = least_needed([state.steps for state in self._states], self.last.steps)
                self._drop(slice(at, at + 1))

    def drop_after(self, position: int) -> None:
        """Drops the states after a position."""
        self._drop(slice(bisect_right(self._states, position, key=lambda state: state.steps), None))

    def _most_bytes(self) -> int:
        """Returns how many bytes they may take when the process is at the last one."""
        needed = MemoryUse()
        needed.hold(_values([self.first, self.last]))
        return needed.bytes + max(MOST_HELD, needed.bytes // HELD_SHARE)

    def _drop(self, states: slice) -> None:
        if self._use is not None:
            self._use.release(_values(self._states[states]))
        del self._states[states]


def _values(states: Sequence[GridState]) -> Iterator[Value]:
    return (value for state in states for process in state.processes for value in process.values())
