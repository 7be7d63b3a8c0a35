"""Checkpoints: states of a grid that are kept to go on from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from shlo.interpreter.spmd.grid import GridState

SPACING = 256
"""How many steps lie between checkpoints, at least; more where frames have many values."""

REGISTERS_PER_STEP = 2
"""How many registers of a state one step pays for."""


class _Checkpoint(NamedTuple):
    step: int
    due: int  # from which step on another one is due
    state: GridState


class Checkpoints:
    """States in the order of their steps. The first one, that of step 0, always stays as it was."""

    def __init__(self) -> None:
        self._kept: list[_Checkpoint] = []

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[GridState]:
        return (checkpoint.state for checkpoint in self._kept)

    def copy(self) -> Checkpoints:
        """Returns the same states, to be kept independently."""
        other = Checkpoints()
        other._kept = self._kept[:]
        return other

    def before(self, step: int) -> GridState:
        """Returns the last state at or before a step."""
        return self._kept[self._after(step) - 1].state

    def is_due(self, step: int) -> bool:
        """Returns whether the last state before a step is far enough away to keep another one."""
        index = self._after(step)
        return index == 0 or step >= self._kept[index - 1].due

    def has(self, step: int) -> bool:
        """Returns whether there is a state of a step."""
        index = self._after(step)
        return index > 0 and self._kept[index - 1].step == step

    def add(self, state: GridState, registers: int) -> None:
        """Keeps a state, which has so many registers of its own, of a step that has none yet."""
        due = _due_after(state.steps, registers)
        self._kept.insert(self._after(state.steps), _Checkpoint(state.steps, due, state))

    def postpone(self, step: int, registers: int) -> None:
        """Has none be due as soon after a step as if one of so many registers were kept there."""
        index = self._after(step) - 1
        self._kept[index] = self._kept[index]._replace(due=_due_after(step, registers))

    def replace(self, change: Callable[[GridState], GridState]) -> Iterator[tuple[GridState, GridState]]:
        """Replaces every checkpoint but the first; yields (old, new) pairs."""
        for index, checkpoint in enumerate(self._kept[1:], 1):
            live = change(checkpoint.state)
            self._kept[index] = checkpoint._replace(state=live)
            yield checkpoint.state, live

    def drop_one(self, cursor: int) -> GridState:
        """Drops and returns a state that is far from the cursor and has others near it."""
        steps = [checkpoint.step for checkpoint in self._kept]
        return self._kept.pop(least_needed([*steps, steps[-1] + SPACING], cursor)).state

    def cut(self, step: int) -> list[GridState]:
        """Drops and returns the states after a step."""
        index = self._after(step)
        dropped = [checkpoint.state for checkpoint in self._kept[index:]]
        del self._kept[index:]
        return dropped

    def _after(self, step: int) -> int:
        return bisect_right(self._kept, step, key=_STEP)


def least_needed(steps: Sequence[int], cursor: int) -> int:
    """Returns which of some steps, neither the first nor the last, is far from the cursor and has others near
    it.
    """
    return min(
        range(1, len(steps) - 1),
        key=lambda index: (steps[index + 1] - steps[index - 1]) / (1 + abs(steps[index] - cursor)),
    )


def _due_after(step: int, registers: int) -> int:
    return step + max(SPACING, registers // REGISTERS_PER_STEP)


_STEP = attrgetter("step")
