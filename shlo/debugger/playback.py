"""Moving a process along its timeline: on by a step, recorded or new, and to any position."""

from __future__ import annotations

from collections.abc import Callable

from shlo.debugger.errors import DebuggerError
from shlo.debugger.past import Listener
from shlo.debugger.timeline import Timeline
from shlo.debugger.watch import Finding, judge, operands_of
from shlo.interpreter.kernel import Value
from shlo.interpreter.process import Process
from shlo.interpreter.program import Code, Kind
from shlo.ir.diagnostics import ExecutionError

ShouldStop = Callable[[], bool]


def never() -> bool:
    """No reason to stop."""
    return False


class Playback:
    """A process and the timeline that it is recorded in. `watches` says whether steps are looked through for
    NaN and infinities as they are taken.
    """

    def __init__(self, process: Process, timeline: Timeline) -> None:
        self.process = process
        self.timeline = timeline
        self.watches = False
        self.listener: Listener | None = None
        self._is_short = False  # whether the process was told that memory is

    @property
    def position(self) -> int:
        """How many steps lead from the start to where the process is."""
        return self.process.steps

    def forward(self) -> bool:
        """Takes a step; False where there is none, as the process is done or fails."""
        process, timeline, position = self.process, self.timeline, self.process.steps
        if process.status != "ready":
            return False
        if timeline.failure is not None and position == timeline.failure[0]:
            process.error = timeline.failure[1]
            return False
        looks = self.watches and not timeline.findings[position]
        operands = operands_of(process) if looks else []
        known = timeline.results(position)
        if known is not None:
            timeline.prove(position, timeline.sites[timeline.numbers[position]])
        if self.listener is not None:
            self.listener.moving(position)
        try:
            step = process.step(known)
        except ExecutionError as error:
            timeline.failure = position, error
            if self.listener is not None:
                self.listener.failed(position, error)
            return False
        if step.code.instructions[step.index].kind is Kind.KERNEL:
            site = timeline.sites[timeline.numbers[position]]
            results = tuple(value for _, value in step.results)
            if known is None:
                timeline.record(position, site, results)
                if site.has_effect and self.listener is not None:
                    self.listener.effect(position, results)
            if looks:
                timeline.findings[position] = judge(site, operands, results)
        elif looks:
            timeline.findings[position] = Finding.SEEN
        timeline.arrive(process)
        if timeline.is_short and not self._is_short:
            self._is_short = True
            process.drop_dead()
        return True

    def seek(self, position: int, stop: ShouldStop = never) -> None:
        """Goes to a position, or as far towards it as the program runs; `stop` ends that early, between two
        steps.
        """
        state = self.timeline.state_before(position)
        if self.process.error or not state.steps <= self.position <= position:
            self.process.restore(state)
        while self.position < position and not stop() and self.forward():
            pass

    def recall(self, code: Code, slot: int, depth: int, stop: ShouldStop = never) -> Value:
        """A value in scope that the process holds no more: what it was when it was bound. Raises
        DebuggerError where `stop` ends that early.
        """
        bound = self.bound_at(code, slot, depth)
        other = self.at(max(bound - 1, 0), stop)
        other.process.keeps_values = True
        other.seek(bound)
        return other.process.frames[-1].slots[slot]

    def repair(self) -> None:
        """Makes process and timeline agree again after an interrupt, at the last position of both."""
        self.timeline.repair()
        position = min(self.position, self.timeline.last)
        self.process.restore(self.timeline.state_before(position))
        self.seek(position)

    def bound_at(self, code: Code, slot: int, depth: int) -> int:
        """The position at which a value that is in scope now, in a frame of this depth, was bound.

        Calls in between have more frames, so that the last visit of the place behind the definition in this
        depth is one of the same execution of the block.
        """
        site = self.timeline.sites.number(code, code.defined_at[slot] + 1)
        return self.timeline.last_visit(site, depth, self.position)

    def look_through(self, first: int, last: int, stop: ShouldStop = never) -> None:
        """Looks through the steps from position `first` up to `last` that were not looked through before."""
        if 0 in self.timeline.findings[first:last]:
            other = self.fork(first)
            other.watches = True
            other.seek(last, stop)

    def at(self, position: int, stop: ShouldStop = never) -> Playback:
        """Another playback of the same timeline at a position that was reached; raises DebuggerError where
        `stop` ends that early.
        """
        other = self.fork(position)
        other.seek(position, stop)
        if other.position != position:
            raise DebuggerError("stopped on request")
        return other

    def fork(self, position: int) -> Playback:
        """Another playback of the same timeline, at the last state that is kept before a position or at it.
        It holds no values that are not needed to go on.
        """
        other = Playback(self.process.fork(self.timeline.state_before(position)), self.timeline)
        other.process.keeps_values, other._is_short = False, True
        return other
