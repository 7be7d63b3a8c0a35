"""Moving a grid of processes along its timeline."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from shlo.debugger.control.nonfinite import Finding, judge, operands_of
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import Status
from shlo.debugger.replay.cursor import Arrival, Player, ShouldStop, never
from shlo.debugger.replay.effects import Past
from shlo.debugger.replay.grid_history import Effect, GridTimeline, GridTrack
from shlo.debugger.replay.program_points import NOWHERE, Site
from shlo.interpreter.engine.stepper import Process, Step
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import Kind
from shlo.interpreter.spmd.grid import GridStep, ProcessGrid
from shlo.interpreter.spmd.wait_report import GridError
from shlo.ir.diagnostics import ExecutionError

QUEUES: Final = frozenset({"stablehlo.outfeed"})
"""Operations whose effect is on queues that are a part of the grid's state, so that they are taken again."""


class GridPlayback(Player):
    """A grid and the timeline that it is recorded in. `departed` is told where a future became void."""

    def __init__(self, grid: ProcessGrid, timeline: GridTimeline) -> None:
        super().__init__(timeline.sites)
        self.grid = grid
        self.departed: Callable[[int], None] = lambda position: None
        self._timeline = timeline
        self._is_short = False  # whether the processes were told that memory is

    @property
    def timeline(self) -> GridTimeline:
        return self._timeline

    @property
    def process(self) -> Process:
        return self.grid.processes[self.selected]

    @property
    def position(self) -> int:
        return self.grid.steps

    @property
    def last(self) -> int:
        return self._timeline.last

    @property
    def status(self) -> Status:
        if self.process.status == "done":
            return "done"
        return "failed" if self.grid.error is not None else self.grid.status_of(self.selected)

    @property
    def is_over(self) -> bool:
        return self.grid.status == "done"

    @property
    def error(self) -> ExecutionError | None:
        return self.grid.error

    @property
    def track(self) -> GridTrack:
        return self._timeline.tracks[self.selected]

    def place(self, step: int) -> int:
        return self.track.positions[step]

    def finding(self, step: int) -> int:
        return dict(self.found(self.place(step + 1))).get(self.selected, 0)

    def arrivals(self, position: int) -> Iterator[Arrival]:
        return (comer for comer in self._timeline.comers(position) if comer[1] != NOWHERE)

    def found(self, position: int) -> Sequence[tuple[int, int]]:
        return self._timeline.found.get(position, ())

    @property
    def recorded(self) -> int | None:
        """The process that takes the next step, as far as one is recorded."""
        position, timeline = self.position, self._timeline
        return timeline.schedule[position] if position < timeline.last else None

    @property
    def are_settled(self) -> bool:
        """Whether each process stands at a meeting point, waits, or is done."""
        return not self._timeline.unsettled[self.position]

    # Going on

    def forward(self) -> bool:
        return self.take()

    def take(self, prefers: int | None = None) -> bool:
        """Takes a step: of the process that is preferred where it can, else the recorded one, else that of
        the process whose turn it is. False where there is none, or where the grid then cannot go on.
        """
        timeline, position, recorded = self._timeline, self.position, self.recorded
        if self.grid.error is not None:
            return False
        number = self._choose(prefers, recorded)
        if number is None:
            return False
        if recorded is not None and number != recorded:
            timeline.cut(position)
            self.departed(position)
        failure = timeline.failure
        if failure is not None and failure.steps == position + 1:
            self.grid.restore(failure)
            return False
        return self._step(number)

    def _choose(self, prefers: int | None, recorded: int | None) -> int | None:
        if prefers is not None and self.grid.status_of(prefers) == "ready":
            return prefers
        return self.grid.next_process if recorded is None else recorded

    def _step(self, number: int) -> bool:
        """Takes a step of a process, and notes what comes of it."""
        grid, timeline, position = self.grid, self._timeline, self.position
        own = grid.processes[number].steps
        site = self.sites[timeline.tracks[number].numbers[own]]
        is_kept = not site.is_meeting and site.operation.name not in QUEUES
        known = timeline.results(position) if is_kept else None
        operands = self._operands(number) if known is None and is_kept and site.has_effect else None
        again = None if operands is None else timeline.known_effect(Effect(number, own, site, operands))
        brought = self._brought(number) if self.watches and not timeline.findings[position] else None
        try:
            made = grid.step(number, again if known is None else known)
        except GridError:
            return self._fail(number)
        taken = _taken(made)
        if is_kept and known is None and made.step is not None:
            self._record(site, made.step, Effect(number, own, site, operands or ()))
        if brought is not None:
            self._look(position, taken, brought)
        timeline.arrive(grid, number, [process for process, _ in taken])
        self._note_shortage()
        return self._can_go_on()

    def _operands(self, number: int) -> tuple[Value, ...]:
        frame = self.grid.processes[number].frames[-1]
        return tuple(frame.registers[register] for register in frame.instruction.operands)

    def _brought(self, number: int) -> dict[int, list[Value]]:
        """What the next step of a process takes, and what others have brought that wait for it alone."""
        processes = self.grid.processes
        return {one: operands_of(processes[one]) for one in (number, *self.grid.waiting_for(number))}

    def _record(self, site: Site, step: Step, effect: Effect) -> None:
        """Keeps what the step that was taken gave, if a kernel carried it out."""
        if _is_kernel(step):
            position, results = self.position - 1, tuple(value for _, value in step.results)
            self._timeline.record(position, site, results)
            if site.has_effect:
                self._timeline.log_effect(position, effect)

    def _look(self, position: int, taken: list[tuple[int, Step]], brought: dict[int, list[Value]]) -> None:
        """Looks through what processes got for NaN and infinities."""
        finding, found = Finding.SEEN, list[tuple[int, int]]()
        for process, step in taken:
            if _is_kernel(step) and process in brought:
                site = self.sites[self.sites.number(step.code, step.index)]
                own = judge(site, brought[process], [value for _, value in step.results])
                if own != Finding.SEEN:
                    found.append((process, own))
                    finding |= own
        self._timeline.findings[position] = finding
        if found:
            self._timeline.found[position + 1] = tuple(found)

    def _fail(self, number: int) -> bool:
        """The step has failed, or made plain that processes wait without end."""
        timeline, grid = self._timeline, self.grid
        before = self.position - 1
        advanced = [
            process
            for process, (one, track) in enumerate(zip(grid.processes, timeline.tracks))
            if one.steps > track.step_at(before)
        ]
        timeline.arrive(grid, number, advanced)
        timeline.fail(grid)
        return False

    def _can_go_on(self) -> bool:
        """Whether the grid is not stuck: an error where all that are not done wait."""
        if self.position < self._timeline.last:
            return True
        try:
            self.grid.next_process  # noqa: B018  (asking finds out)
        except GridError as error:
            self.grid.error = error
            self._timeline.fail(self.grid)
            return False
        return True

    def _note_shortage(self) -> None:
        if self._timeline.is_short and not self._is_short:
            self._is_short = True
            self.grid.drop_dead()

    # To other positions

    def seek(self, position: int, stop: ShouldStop = never) -> None:
        failure = self._timeline.failure
        if failure is not None and position >= failure.steps:
            self.grid.restore(failure)
            return
        state = self._timeline.state_before(position)
        if self.grid.error is not None or not state.steps <= self.position <= position:
            self.grid.restore(state)
        while self.position < position and not stop() and self.forward():
            pass

    def repair(self) -> None:
        self._timeline.repair()
        self.grid.forget_saved()
        position = min(self.position, self.last)
        self.grid.restore(self._timeline.state_before(position))
        self.seek(position)

    @contextmanager
    def elsewhere(self, position: int) -> Generator[GridPlayback]:
        here, selected = self.grid.save(), self.selected
        watches, self.watches = self.watches, False
        process = self.process
        self.grid.restore(self._timeline.state_before(position))
        try:
            yield self
        finally:
            self.grid.restore(here)
            self.selected, self.watches = selected, watches
            process.keeps_values = not self._is_short

    # What a recording on disk must hold

    @property
    def inputs(self) -> Sequence[Value]:
        raise DebuggerError("a grid of processes cannot be recorded")

    @property
    def past(self) -> Past:
        raise DebuggerError("a grid of processes cannot be recorded")

    def take_over(self, past: Past) -> None:
        raise DebuggerError("a grid of processes cannot be recorded")


def _taken(made: GridStep) -> list[tuple[int, Step]]:
    own = [] if made.step is None else [(made.process, made.step)]
    return [*own, *made.resumed]


def _is_kernel(step: Step) -> bool:
    return step.code.instructions[step.index].kind is Kind.KERNEL
