"""What a Session can go on from without computing it again: results of steps, and states; within a budget.

Results and states are dropped when memory runs short. Whatever was dropped is computed again from the nearest
state before it; only results of operations with effects are kept whatever happens. The first state, with the
arguments, always stays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.checkpoints import S, States
from shlo.debugger.replay.memory_budget import ENTRY_BYTES, Ledger
from shlo.debugger.replay.program_points import Site
from shlo.interpreter.engine.frames import State
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.runtime.values import check_of

SEGMENT = 64
"""How many steps' results are dropped together."""

Values = tuple[Value, ...]


class Store(ABC, Generic[S]):
    """Results by step, and states; all together may take `budget` bytes beside what the program itself holds.

    `is_short` tells that they once did not fit: values that no operation needs any more are kept no longer.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.is_short = False
        self.dropped = 0
        self._ledger = Ledger()
        self._kept: dict[int, dict[int, Values]] = {}  # by segment and step
        self._logged: dict[int, Values] = {}  # by step
        self._unproved: set[int] = set()  # those of them that come from elsewhere
        self._states = States[S]()
        self._holders: dict[int, int] = {}  # how many states have a part, by its id

    @property
    def bytes(self) -> int:
        """What is held, in bytes; effects and the program's own values not counted."""
        return self._ledger.bytes

    @abstractmethod
    def _parts(self, state: S) -> Sequence[State]:
        """The states of processes that a state consists of; those that did not change are the same ones."""

    @abstractmethod
    def _without_dead(self, state: S) -> S:
        """A state without what no operation needs any more."""

    # --- results ---

    def results(self, step: int) -> Values | None:
        """What the kernel gave in the step from position `step`, None where that is not kept."""
        logged = self._logged.get(step)
        if logged is not None:
            return logged
        segment = self._kept.get(step // SEGMENT)
        return None if segment is None else segment.get(step)

    def record(self, step: int, site: Site, values: Values) -> None:
        """Keeps the results of a step."""
        if site.has_effect:
            self._logged[step] = values
        elif site.is_constant:
            self._ledger.exempt(values)
        else:
            self._kept.setdefault(step // SEGMENT, {})[step] = values
            self._ledger.hold(values)
            self._make_room(step)

    @property
    def effects(self) -> dict[int, Values]:
        """The results of the steps that had effects, by step; for looking at."""
        return self._logged

    def log(self, effects: dict[int, Values]) -> None:
        """Takes over what effects gave in steps that were not taken here yet."""
        self._logged.update(effects)
        self._unproved.update(effects)

    def prove(self, step: int, site: Site) -> None:
        """Raises DebuggerError where results that come from elsewhere are none of the operation's."""
        if step not in self._unproved:
            return
        values, types = self._logged[step], site.operation.result_types
        if len(values) != len(types) or not all(
            check_of(type_)(value) for type_, value in zip(types, values)
        ):
            raise DebuggerError(
                f"the recording gives step {step} results that {site.operation.name} never has"
            )
        self._unproved.discard(step)

    # --- states ---

    def state_before(self, position: int) -> S:
        """The last kept state at or before a position."""
        return self._states.before(position)

    def _keep(self, state: S) -> None:
        registers = sum(map(_slots, self._hold(state)))
        self._states.add(state, registers)
        self._make_room(state.steps)

    def _hold(self, state: S) -> list[State]:
        """Counts one more state; gives the parts that no other has."""
        added: list[State] = []
        parts = self._parts(state)
        self._ledger.bytes += ENTRY_BYTES * len(parts)
        for part in parts:
            count = self._holders.get(id(part), 0)
            self._holders[id(part)] = count + 1
            if not count:
                self._ledger.hold(part.values())
                added.append(part)
        return added

    def _release(self, state: S) -> None:
        parts = self._parts(state)
        self._ledger.bytes -= ENTRY_BYTES * len(parts)
        for part in parts:
            count = self._holders.pop(id(part)) - 1
            if count:
                self._holders[id(part)] = count
            else:
                self._ledger.release(part.values())

    # --- memory ---

    def repair(self) -> None:
        """Counts anew after an interrupt that may have come anywhere."""
        self._ledger.recount([values for segment in self._kept.values() for values in segment.values()])
        self._holders.clear()
        for state in self._states:
            self._hold(state)

    def cut(self, position: int) -> None:
        """Forgets all that comes behind a position."""
        for state in self._states.cut(position):
            self._release(state)
        for segment in [segment for segment in self._kept if segment >= position // SEGMENT]:
            for step in [step for step in self._kept[segment] if step >= position]:
                self._ledger.release(self._kept[segment].pop(step))
        for step in [step for step in self._logged if step >= position]:
            del self._logged[step]

    def _make_room(self, cursor: int) -> None:
        """Drops what lies farthest from the cursor until what is left fits with some room to spare."""
        if self._ledger.bytes <= self.budget:
            return
        if not self.is_short:
            self._drop_dead()
        enough = self.budget * 7 // 8
        while self._ledger.bytes > enough and self._kept:
            self._drop_segment(max(self._kept, key=lambda segment: abs(segment - cursor // SEGMENT)))
        while self._ledger.bytes > enough and len(self._states) > 1:
            self._release(self._states.drop_one(cursor))

    def _drop_dead(self) -> None:
        self.is_short = True
        for state, live in self._states.replace(self._without_dead):
            self._hold(live)
            self._release(state)

    def _drop_segment(self, segment: int) -> None:
        for values in self._kept.pop(segment).values():
            self._ledger.release(values)
            self.dropped += 1


def _slots(state: State) -> int:
    return sum({id(frame.registers): len(frame.registers) for frame in state.frames}.values())
