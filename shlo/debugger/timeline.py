"""What a Session records: where the process stood at every position, the results of its steps, and states to
go on from.

Position N is the process after N steps. A position is never forgotten; results and states are, when memory
runs short. Whatever was dropped is computed again from the nearest state before it; only results of
operations with effects are kept whatever happens. The first state, with the arguments, always stays.
"""

from __future__ import annotations

from array import array

import numpy as np

from shlo.debugger.errors import DebuggerError
from shlo.debugger.ledger import Ledger
from shlo.debugger.sites import NOWHERE, Site, SiteTable
from shlo.debugger.states import States
from shlo.interpreter.frames import State
from shlo.interpreter.kernel import Value
from shlo.interpreter.process import Process
from shlo.interpreter.program import Code
from shlo.interpreter.values import check_of
from shlo.ir.diagnostics import ExecutionError

SEGMENT = 64
"""How many steps' results are dropped together."""

Values = tuple[Value, ...]


class Timeline:
    """The record of one process, which may hold `budget` bytes beside what the program itself holds."""

    def __init__(self, process: Process, budget: int) -> None:
        self.budget = budget
        self.sites = SiteTable()
        self.depths = array("i")
        self.numbers = array("i")  # of sites
        self.findings = bytearray()  # by step, see watch.py
        self.failure: tuple[int, ExecutionError] | None = None  # at which position
        self.is_short = False
        self.dropped = 0
        self._ledger = Ledger()
        self._kept: dict[int, dict[int, Values]] = {}  # by segment and step
        self._logged: dict[int, Values] = {}  # by step
        self._unproved: set[int] = set()  # those of them that come from elsewhere
        self._states = States()
        self._ledger.exempt(process.live())
        self.arrive(process)

    @property
    def last(self) -> int:
        """The last position that was reached."""
        return len(self.numbers) - 1

    @property
    def bytes(self) -> int:
        """What the record holds, in bytes; effects and the program's own values not counted."""
        return self._ledger.bytes

    def site(self, position: int) -> Site | None:
        """Where the process stands at a position, None where it is done."""
        number = self.numbers[position]
        return None if number == NOWHERE else self.sites[number]

    def arrive(self, process: Process) -> None:
        """Notes where a process stands, and keeps its state where none is near."""
        if process.steps > self.last:
            frame = process.frames[-1] if process.frames else None
            number = self.sites.number(frame.code, frame.index) if frame else NOWHERE
            self.depths.append(len(process.frames))
            self.findings.append(0)
            self.numbers.append(number)
        if self._states.is_due(process.steps):
            self._keep_state(process)

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
        """Takes over what effects gave in steps that this process has not taken yet."""
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

    def state_before(self, position: int) -> State:
        """The last kept state at or before a position."""
        return self._states.before(position)

    def last_visit(self, number: int, depth: int, position: int) -> int:
        """The last position, up to `position`, at which it stood at a site in this depth; -1 for none."""
        numbers, depths = self.numbers, self.depths
        for at in range(position, -1, -1):
            if numbers[at] == number and depths[at] == depth:
                return at
        return -1

    def visits(self, code: Code, index: int) -> tuple[int, ...]:
        """The positions at which it stood at an instruction."""
        number = self.sites.number(code, index)
        return tuple(np.flatnonzero(np.array(self.numbers) == number).tolist())

    def repair(self) -> None:
        """Makes the record whole after an interrupt that may have come anywhere."""
        del self.depths[len(self.numbers) :], self.findings[len(self.numbers) :]
        self._ledger.recount(
            [
                *(values for segment in self._kept.values() for values in segment.values()),
                *(state.values() for state in self._states),
            ]
        )

    def _keep_state(self, process: Process) -> None:
        state = process.save()
        if self.is_short and state.steps:
            state = state.without_dead()
        self._states.add(state)
        self._ledger.hold(state.values())
        self._make_room(state.steps)

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
            self._ledger.release(self._states.drop_one(cursor).values())

    def _drop_dead(self) -> None:
        self.is_short = True
        for state, live in self._states.drop_dead():
            self._ledger.hold(live.values())
            self._ledger.release(state.values())

    def _drop_segment(self, segment: int) -> None:
        for values in self._kept.pop(segment).values():
            self._ledger.release(values)
            self.dropped += 1
