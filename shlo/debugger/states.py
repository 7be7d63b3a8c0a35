"""The states of a process that are kept to go on from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from shlo.interpreter.frames import State

SPACING = 256
"""How many steps lie between kept states, at least; more where frames have many values."""

SLOTS_PER_STEP = 16
"""How many slots of a state one step pays for."""


class Kept(NamedTuple):
    """A state of a step, and from which step on another one is due."""

    step: int
    due: int
    state: State


class States:
    """States in the order of their steps. The first one, that of step 0, always stays as it was."""

    def __init__(self) -> None:
        self._kept: list[Kept] = []

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[State]:
        return (kept.state for kept in self._kept)

    def before(self, step: int) -> State:
        """The last state at or before a step."""
        return self._kept[self._behind(step) - 1].state

    def is_due(self, step: int) -> bool:
        """Whether the last state before a step is far enough away to keep another one."""
        index = self._behind(step)
        return index == 0 or step >= self._kept[index - 1].due

    def add(self, state: State) -> None:
        """Keeps a state of a step that has none yet."""
        slots = {id(frame.slots): len(frame.slots) for frame in state.frames}
        due = state.steps + max(SPACING, sum(slots.values()) // SLOTS_PER_STEP)
        self._kept.insert(self._behind(state.steps), Kept(state.steps, due, state))

    def drop_dead(self) -> Iterator[tuple[State, State]]:
        """Drops from all states but the first what no operation needs; gives each as it was and is."""
        for index, kept in enumerate(self._kept[1:], 1):
            live = kept.state.without_dead()
            self._kept[index] = kept._replace(state=live)
            yield kept.state, live

    def drop_one(self, cursor: int) -> State:
        """Drops the state that is missed least, far from the cursor with others near it, and gives it."""
        steps = [kept.step for kept in self._kept]
        steps.append(steps[-1] + SPACING)

        def gap(index: int) -> float:
            return (steps[index + 1] - steps[index - 1]) / (1 + abs(steps[index] - cursor))

        return self._kept.pop(min(range(1, len(self._kept)), key=gap)).state

    def _behind(self, step: int) -> int:
        return bisect_right(self._kept, step, key=_step_of)


_step_of = itemgetter(0)
