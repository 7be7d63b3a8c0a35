"""The states of a process, or of a grid of them, that are kept to go on from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Generic, NamedTuple, Protocol, TypeVar

SPACING = 256
"""How many steps lie between kept states, at least; more where frames have many values."""

SLOTS_PER_STEP = 16
"""How many slots of a state one step pays for."""


class KeptState(Protocol):
    """Something that was after so many steps, and that nothing changes."""

    @property
    def steps(self) -> int: ...


S = TypeVar("S", bound=KeptState)


class Kept(NamedTuple, Generic[S]):
    """A state of a step, and from which step on another one is due."""

    step: int
    due: int
    state: S


class States(Generic[S]):
    """States in the order of their steps. The first one, that of step 0, always stays as it was."""

    def __init__(self) -> None:
        self._kept: list[Kept[S]] = []

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[S]:
        return (kept.state for kept in self._kept)

    def before(self, step: int) -> S:
        """The last state at or before a step."""
        return self._kept[self._behind(step) - 1].state

    def is_due(self, step: int) -> bool:
        """Whether the last state before a step is far enough away to keep another one."""
        index = self._behind(step)
        return index == 0 or step >= self._kept[index - 1].due

    def add(self, state: S, registers: int) -> None:
        """Keeps a state of a step that has none yet; it has so many slots of its own."""
        due = state.steps + max(SPACING, registers // SLOTS_PER_STEP)
        self._kept.insert(self._behind(state.steps), Kept(state.steps, due, state))

    def replace(self, without_dead: Callable[[S], S]) -> Iterator[tuple[S, S]]:
        """Puts others in the place of all states but the first; gives each as it was and is."""
        for index, kept in enumerate(self._kept[1:], 1):
            live = without_dead(kept.state)
            self._kept[index] = kept._replace(state=live)
            yield kept.state, live

    def drop_one(self, cursor: int) -> S:
        """Drops the state that is missed least, far from the cursor with others near it, and gives it."""
        steps = [kept.step for kept in self._kept]
        steps.append(steps[-1] + SPACING)

        def gap(index: int) -> float:
            return (steps[index + 1] - steps[index - 1]) / (1 + abs(steps[index] - cursor))

        return self._kept.pop(min(range(1, len(self._kept)), key=gap)).state

    def cut(self, step: int) -> list[S]:
        """Drops the states behind a step, and gives them."""
        index = self._behind(step)
        dropped = [kept.state for kept in self._kept[index:]]
        del self._kept[index:]
        return dropped

    def _behind(self, step: int) -> int:
        return bisect_right(self._kept, step, key=_step_of)


_step_of = itemgetter(0)
