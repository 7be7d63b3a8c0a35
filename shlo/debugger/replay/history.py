"""What a Session of one process records: where the process stood at every position, the results of its steps,
and states to go on from. Position N is the process after N steps. A position is never forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence

from shlo.debugger.replay.program_points import SiteTable
from shlo.debugger.replay.store import Store
from shlo.debugger.replay.trace import Track
from shlo.interpreter.engine.frames import State
from shlo.interpreter.engine.stepper import Process
from shlo.ir.diagnostics import ExecutionError


class Timeline(Store[State]):
    """The record of one process, which may hold `budget` bytes beside what the program itself holds."""

    def __init__(self, process: Process, budget: int) -> None:
        super().__init__(budget)
        self.sites = SiteTable()
        self.track = Track(self.sites)
        self.findings = bytearray()  # by step, see watch.py
        self.failure: tuple[int, ExecutionError] | None = None  # at which position
        self._ledger.exempt(process.live())
        self.arrive(process)

    def arrive(self, process: Process) -> None:
        """Notes where a process stands, and keeps its state where none is near."""
        if process.steps > self.track.last:
            self.findings.append(0)
            self.track.arrive(process.frames)
        if self._states.is_due(process.steps):
            state = process.save()
            self._keep(self._without_dead(state) if self.is_short and state.steps else state)

    def repair(self) -> None:
        """Makes the record whole after an interrupt that may have come anywhere."""
        self.track.repair()
        del self.findings[len(self.track.numbers) :]
        super().repair()

    def _parts(self, state: State) -> Sequence[State]:
        return (state,)

    def _without_dead(self, state: State) -> State:
        return state.without_dead()
