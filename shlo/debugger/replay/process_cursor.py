"""Moving one process along its timeline."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from shlo.debugger.control.nonfinite import Finding, judge, operands_of
from shlo.debugger.inspect.snapshots import Status
from shlo.debugger.replay.cursor import Arrival, Player, ShouldStop, never
from shlo.debugger.replay.effects import Past
from shlo.debugger.replay.history import Timeline
from shlo.debugger.replay.program_points import NOWHERE
from shlo.debugger.replay.trace import Track
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.kernels.random import generator_state, set_generator_state
from shlo.interpreter.program.code import Kind
from shlo.ir.diagnostics import ExecutionError


class Playback(Player):
    """A process and the timeline that it is recorded in."""

    def __init__(self, process: Process, timeline: Timeline) -> None:
        super().__init__(timeline.sites)
        self._process = process
        self._timeline = timeline
        self._is_short = False  # whether the process was told that memory is

    @property
    def timeline(self) -> Timeline:
        return self._timeline

    @property
    def process(self) -> Process:
        return self._process

    @property
    def position(self) -> int:
        return self._process.steps

    @property
    def last(self) -> int:
        return self._timeline.track.last

    @property
    def status(self) -> Status:
        return self._process.status

    @property
    def is_over(self) -> bool:
        return self._process.status == "done"

    @property
    def error(self) -> ExecutionError | None:
        return self._process.error

    @property
    def track(self) -> Track:
        return self._timeline.track

    def place(self, step: int) -> int:
        return step

    def finding(self, step: int) -> int:
        return self._timeline.findings[step]

    def arrivals(self, position: int) -> Sequence[Arrival]:
        number = self._timeline.track.numbers[position]
        return () if number == NOWHERE else ((0, number),)

    def found(self, position: int) -> Sequence[tuple[int, int]]:
        finding = self._timeline.findings[position - 1] if position else 0
        return () if finding in (0, Finding.SEEN) else ((0, finding),)

    def forward(self) -> bool:
        process, timeline, position = self._process, self._timeline, self._process.steps
        if process.status != "ready":
            return False
        if timeline.failure is not None and position == timeline.failure[0]:
            process.error = timeline.failure[1]
            return False
        looks = self.watches and not timeline.findings[position]
        operands = operands_of(process) if looks else []
        site = self.sites[timeline.track.numbers[position]]
        known = timeline.results(position)
        if known is not None:
            timeline.prove(position, site)
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
        state = self._timeline.state_before(position)
        if self._process.error or not state.steps <= self.position <= position:
            self._process.restore(state)
        while self.position < position and not stop() and self.forward():
            pass

    def repair(self) -> None:
        self._timeline.repair()
        position = min(self.position, self.last)
        self._process.restore(self._timeline.state_before(position))
        self.seek(position)

    @property
    def inputs(self) -> Sequence[Value]:
        frame = self._timeline.state_before(0).frames[0]
        return tuple(frame.registers[register] for register in frame.code.arguments)

    @property
    def past(self) -> Past:
        generator = generator_state(self._process.context)
        return Past(self._timeline.effects, self.position, self._timeline.failure, generator)

    def take_over(self, past: Past) -> None:
        self._timeline.log(past.effects)
        self._timeline.failure = past.failure
        if past.generator is not None:
            set_generator_state(self._process.context, past.generator)

    @contextmanager
    def elsewhere(self, position: int) -> Generator[Playback]:
        other = Playback(self._process.fork(self._timeline.state_before(position)), self._timeline)
        other._process.keeps_values, other._is_short = False, True
        yield other
