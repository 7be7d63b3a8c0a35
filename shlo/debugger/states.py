"""The states of a process that are kept to go on from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from shlo.interpreter.process import State

SPACING = 256
"""How many steps lie between kept states, at least; more where frames have many values."""

SLOTS_PER_STEP = 16
"""How many slots of a state one step pays for."""


class States:
    """States in the order of their steps. The first one, that of step 0, always stays as it was."""

    def __init__(self) -> None:
        self._states: list[State] = []
        self._steps: list[int] = []
        self._due: list[int] = []  # from which step on another state is due

    def __len__(self) -> int:
        return len(self._states)

    def before(self, step: int) -> State:
        """The last state at or before a step."""
        return self._states[bisect_right(self._steps, step) - 1]

    def is_due(self, step: int) -> bool:
        """Whether the last state before a step is far enough away to keep another one."""
        index = bisect_right(self._steps, step) - 1
        return index < 0 or step >= self._due[index]

    def add(self, state: State) -> None:
        """Keeps a state of a step that has none yet."""
        slots = {id(frame.slots): len(frame.slots) for frame in state.frames}
        index = bisect_right(self._steps, state.steps)
        self._states.insert(index, state)
        self._steps.insert(index, state.steps)
        self._due.insert(index, state.steps + max(SPACING, sum(slots.values()) // SLOTS_PER_STEP))

    def drop_dead(self) -> Iterator[tuple[State, State]]:
        """Drops from all states but the first what no operation needs; gives each as it was and is."""
        for index, state in enumerate(self._states[1:], 1):
            self._states[index] = state.without_dead()
            yield state, self._states[index]

    def drop_one(self, cursor: int) -> State:
        """Drops the state that is missed least, far from the cursor with others near it, and gives it."""
        steps = [*self._steps, self._steps[-1] + SPACING]

        def gap(index: int) -> float:
            return (steps[index + 1] - steps[index - 1]) / (1 + abs(steps[index] - cursor))

        index = min(range(1, len(self._states)), key=gap)
        self._steps.pop(index)
        self._due.pop(index)
        return self._states.pop(index)
