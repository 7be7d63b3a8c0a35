"""Replay cursor: moves a grid of processes along its history; one process is a grid of one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import cached_property
from typing import Final, Literal

from msgspec.structs import replace

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.bound_values import BoundValues
from shlo.debugger.replay.bulk_steps import BulkStepper
from shlo.debugger.replay.edited_steps import EditedSteps
from shlo.debugger.replay.edits import ValueEdit
from shlo.debugger.replay.effect_log import Effect, EffectLog
from shlo.debugger.replay.external_state import ExternalState
from shlo.debugger.replay.history import History
from shlo.debugger.replay.nonfinite import (
    NOTHING,
    NUMBERS,
    Nonfinite,
    NonfiniteArgument,
    nonfinite_arguments,
)
from shlo.debugger.replay.program_output import OutputLog, printed_text
from shlo.debugger.replay.program_points import ProgramPoint
from shlo.debugger.replay.scanning import StepSearch
from shlo.debugger.replay.spans import UNARMED, Armed
from shlo.debugger.replay.step_plan import SessionListener, StepObserver, StepPlan, is_kernel, steps_of
from shlo.debugger.replay.trace import ProcessTrace
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.kernels.random import generator_state, set_generator_state
from shlo.interpreter.runtime.program_output import ProgramOutput
from shlo.interpreter.spmd.grid import GridState, GridStep, ProcessGrid
from shlo.interpreter.spmd.wait_for_graph import GridError
from shlo.ir.diagnostics import ExecutionError
from shlo.support.cancellation import checkpoint, shielded

Status = Literal["ready", "waiting", "done", "failed"]
"""What a process is doing; in a grid it may wait for others."""

QUEUES: Final = frozenset({"stablehlo.outfeed"})
"""Operations whose effect is on queues that are a part of a grid's state, so that they are taken again."""


class ReplayCursor:
    """A position in a history. It goes on from there, by steps that are recorded or new, or to any other.

    `selected` is the process that is looked at; `departed` is called where another future begins.
    """

    def __init__(self, grid: ProcessGrid, memory: int) -> None:
        self.grid = grid
        self.history = History(grid, memory)
        self.points = self.history.points
        self.selected = 0
        self.search = StepSearch(grid)
        self.listener: SessionListener | None = None
        self._observers: list[StepObserver] = []
        self.edits = EditedSteps(self)
        self.values = BoundValues(self)
        self.departed: Callable[[int], None] = lambda position: None
        context = grid.processes[0].context
        is_limited = context.budget.is_limited or context.meter is not None
        self.takes_bulk_steps = grid.is_alone and not is_limited and not self.points.replaced
        self._bulk = BulkStepper(grid, self.history)
        self._is_short = False  # whether the processes were told that memory is

    # --- where it is ---

    @property
    def process(self) -> Process:
        """The process that is looked at."""
        return self.grid.processes[self.selected]

    @property
    def trace(self) -> ProcessTrace:
        """The trace of the process that is looked at."""
        return self.history.traces[self.selected]

    @property
    def position(self) -> int:
        """How many steps lead from the start to here."""
        return self.grid.steps

    @property
    def last(self) -> int:
        """The furthest position that was reached."""
        return self.history.last

    @property
    def status(self) -> Status:
        """What the process is doing that is looked at."""
        if self.process.status == "done":
            return "done"
        return "failed" if self.grid.error is not None else self.grid.status_of(self.selected)

    @property
    def output(self) -> OutputLog:
        """What was printed."""
        return self.history.output

    @property
    def is_over(self) -> bool:
        """Whether all processes are done."""
        return self.grid.status == "done"

    @property
    def error(self) -> ExecutionError | None:
        """Why the grid cannot go on."""
        return self.grid.error

    def nonfinite_at(self, position: int) -> Iterable[tuple[int, Nonfinite]]:
        """Returns what is known that the step to a position, or an edit there, made, by process; at 0, what
        arguments hold.
        """
        edits = self.history.edits_at(position)
        if position and not edits:
            return self.history.nonfinite.get(position, ())
        held: dict[int, Nonfinite] = dict(self.history.nonfinite.get(position, ()))
        created = [(edit.process, edit.kinds) for edit in edits if isinstance(edit, ValueEdit)]
        if not position:
            created += [(argument.process, argument.kinds) for argument in self.nonfinite_arguments]
        for process, kinds in created:
            held[process] = held.get(process, NOTHING) | kinds
        return [(process, kinds) for process, kinds in held.items() if kinds]

    @cached_property
    def nonfinite_arguments(self) -> tuple[NonfiniteArgument, ...]:
        """The arguments that hold numbers that are not finite, by process and in order."""
        if not self.history.edits_at(0):
            return tuple(nonfinite_arguments(self.history.cache.checkpoint_before(0).processes))
        with self.fork_at(0):
            return tuple(nonfinite_arguments([process.save() for process in self.grid.processes]))

    def look_for(self, kinds: Nonfinite) -> None:
        """Searches steps for this from now on; those that were searched for less are searched again."""
        if kinds & ~self.history.searched_for:
            self.history.search_anew()
        self._observe(kinds, self.listener)
        if kinds:
            self.history.searched_for = kinds

    def listen(self, listener: SessionListener | None) -> None:
        """Tells a listener from now on what is added to the history."""
        self._observe(self.search.kinds, listener)

    def _observe(self, kinds: Nonfinite, listener: SessionListener | None) -> None:
        self.search.kinds, self.listener = kinds, listener
        observers = (self.search if kinds else None, listener)
        self._observers = [observer for observer in observers if observer is not None]

    # --- going on ---

    def forward(self, preferred: int | None = None) -> bool:
        """Takes a step: of the preferred process where it can, else the recorded one, else that of the
        process whose turn it is. Returns False where there is none, or where the grid then cannot go on.
        """
        grid, history, position = self.grid, self.history, self.grid.steps
        if grid.error is not None:
            return False
        recorded = number = history.scheduled(position)
        if preferred is not None and preferred != recorded and grid.status_of(preferred) == "ready":
            number = preferred
        elif recorded is None:
            number = grid.next_process
        if number is None:
            return False
        if number != recorded and recorded is not None:
            self._depart(position)
        elif recorded is not None and position >= history.last and grid.status_of(recorded) != "ready":
            raise DebuggerError(f"the recording has a step of process {recorded}, which is not ready")
        if history.failing_step == position:
            self._fail_again(number)
            return False
        return self._step(number, position)

    def forward_many(self, armed: Armed, most: int = sys.maxsize) -> bool:
        """Takes up to `most` steps at once, past no instruction that is armed but the first. Returns False
        where the next step must be taken by itself: `forward` does so.
        """
        if not self.takes_bulk_steps or self.listener is not None or self.grid.error is not None:
            return False
        if self.history.is_edited_from(self.position):
            return False
        if self.position < self.history.replayed or not self._bulk.advance(
            most, armed, self.search.kinds, self.search.selection
        ):
            return False
        self._note_shortage()
        return True

    def _note_shortage(self) -> None:
        """Has the processes keep less once memory is short."""
        if self.history.cache.is_short and not self._is_short:
            self._is_short = True
            self.grid.drop_dead()

    def _depart(self, position: int) -> None:
        self.history.cut(position)
        self.departed(position)
        if self.listener is not None:
            self.listener.cut(position)

    def _fail_again(self, number: int) -> None:
        """Reaches the known failure without taking the step again."""
        history = self.history
        if history.failure is not None:
            self.grid.restore(history.failure)
        elif history.log.failure is not None:
            position, error = history.log.failure
            self._note_failure(number, position, self.grid.fail(number, error))

    def _step(self, number: int, position: int) -> bool:
        """Takes a step of a process, and records it."""
        plan = self._plan_step(number, position)
        for observer in self._observers:
            observer.before_step(plan)
        try:
            if plan.edit is None:
                outcome = self.grid.step(number, plan.results)
            else:
                outcome = self.edits.step(plan.edit, plan.point, position)
        except GridError as error:
            self._note_failure(number, position, error)
            return False
        self._record_step(plan, outcome)
        for observer in self._observers:
            observer.after_step(plan, outcome)
        if self.history.has_edits:
            self.edits.apply()
        self._note_shortage()
        return self.grid.is_alone or self._can_go_on()

    def _plan_step(self, number: int, position: int) -> StepPlan:
        """Returns what the step of a process is, without taking it."""
        grid, history = self.grid, self.history
        process, trace = grid.processes[number], history.traces[number]
        if position < history.replayed:
            self._check_recorded(process, trace)
        point = self.points[trace.number(process.steps)]
        edit = history.edit_of_step(number, process.steps, point) if history.has_edits else None
        is_first = position == history.last
        is_kept = grid.is_alone or not (point.is_sync_point or point.operation.name in QUEUES)
        if edit is not None or not is_kept:
            return StepPlan(history, position, number, point, edit, None, False, None, is_first)
        effect, results = None, history.results(position)
        records = results is None
        if results is not None:
            history.prove(position, point)
        elif point.has_effect and not grid.is_alone:
            effect = Effect(number, process.steps, point.key, process.frames[-1].operands)
            results = history.discarded_results(effect)
        if results is not None and point.has_effect:
            self._print_again(number, position, point)
        return StepPlan(history, position, number, point, None, results, records, effect, is_first)

    def _print_again(self, number: int, position: int, point: ProgramPoint) -> None:
        """Notes what an operation prints that is not carried out again, where that was not noted."""
        if position >= self.output.last:
            process = self.grid.processes[number]
            text = printed_text(point, process.frames[-1].operands, process.context.handlers)
            if text is not None:
                self.output.add(position + 1, number, point, text)

    def _record_step(self, plan: StepPlan, outcome: GridStep) -> None:
        """Records the results of a step of a kernel, the generator after an effect, and where it led."""
        grid, history, step = self.grid, self.history, outcome.step
        plan.records = plan.records and step is not None and is_kernel(step)
        if plan.records and step is not None:
            results = tuple([value for _, value in step.results])
            history.record(plan.position, plan.point, results, plan.effect)
            state = generator_state(grid.processes[plan.process].context) if plan.point.has_effect else None
            if state is not None:
                history.log.drawn[plan.position] = plan.process, state
        advanced = (0,) if grid.is_alone else [process for process, _ in steps_of(outcome)]
        history.arrive(grid, plan.process, advanced)

    def _check_recorded(self, process: Process, trace: ProcessTrace) -> None:
        """Raises DebuggerError where a process is not where the recording says."""
        here = trace.point(process.steps) if process.steps <= trace.last and process.frames else None
        frame = process.frames[-1] if process.frames else None
        if here is None or frame is None or here.code is not frame.code or here.index != frame.index:
            raise DebuggerError("the recording is not one of this program: a process is somewhere else")

    def note_output(self, output: ProgramOutput) -> None:
        """Notes what the step that is being taken prints."""
        number, text = (0, str(output)) if self.grid.is_alone else (output.process, output.text)
        steps = self.grid.processes[number].steps
        point = self.points[self.history.traces[number].number(steps)]
        self.output.add(self.position + 1, number, point, text)

    def forget_arguments(self) -> None:
        """Has the arguments be looked at again, as an edit may have changed them."""
        self.__dict__.pop("nonfinite_arguments", None)

    def restore(self, checkpoint: GridState) -> None:
        """Goes to a checkpoint, which is kept as it was before edits at its position, and before a grid that
        is stuck there was found to be.
        """
        self.grid.restore(checkpoint)
        if self.history.has_edits:
            self.edits.apply()
        if not self.grid.is_alone and self.grid.error is None:
            self._can_go_on()

    def _note_failure(self, number: int, position: int, error: GridError) -> None:
        """Notes that a step has failed, or that processes wait without end after it."""
        grid, history = self.grid, self.history
        advanced = [
            process
            for process, (one, trace) in enumerate(zip(grid.processes, history.traces))
            if one.steps > trace.step_at(position)
        ]
        history.arrive(grid, number, advanced)
        history.fail(grid, position)
        failed = grid.processes[error.process].error
        if self.listener is not None and failed is not None:
            self.listener.failed(position, failed)

    def _can_go_on(self) -> bool:
        """Returns whether the grid is not stuck: an error where all that are not done wait."""
        if self.position < self.last:
            return True
        try:
            self.grid.next_process  # noqa: B018  (asking finds out)
        except GridError as error:
            self.grid.error = error
            self.history.fail(self.grid, self.position - 1)
            return False
        return True

    # --- to other positions ---

    def seek(self, position: int) -> None:
        """Goes to a position, or as far towards it as the program runs. A cancellation ends that between two
        steps.
        """
        history, grid = self.history, self.grid
        if history.failure is not None and position > history.failing_step:
            grid.restore(history.failure)
            return
        state = history.cache.checkpoint_before(position)
        if grid.error is not None or not state.steps <= grid.steps <= position:
            self.restore(state)
        while grid.steps < position:
            checkpoint()
            if not self.forward_many(UNARMED, position - grid.steps) and not self.forward():
                break

    def go(self, position: int) -> None:
        """Goes to a position that was reached; raises DebuggerError where a damaged recording keeps it from
        being reached again.
        """
        self.seek(position)
        if self.position != position:
            raise DebuggerError(f"position {position} is not reached again")

    def repair(self) -> None:
        """Makes all agree again after an interrupt that may have come anywhere."""
        self.history.repair()
        self.grid.forget_saved()
        position = min(self.position, self.last)
        self.restore(self.history.cache.checkpoint_before(position))
        self.seek(position)

    @contextmanager
    def fork_at(self, position: int) -> Generator[ReplayCursor]:
        """Moves to the checkpoint before a position, or at it, for as long as the context is open.

        The processes may lack values that are not needed to go on. What is done there reaches no listener.
        """
        grid, here = self.grid, self.grid.save()
        selected, kinds, listener = self.selected, self.search.kinds, self.listener
        self._observe(NOTHING, None)
        self.restore(self.history.cache.checkpoint_before(position))
        self._keep_values(False)
        try:
            yield self
        finally:
            grid.restore(here)
            self._keep_values(not self._is_short)
            self.selected = selected
            self._observe(kinds, listener)

    def _keep_values(self, keeps: bool) -> None:
        for process in self.grid.processes:
            process.keeps_values = keeps

    def scan(self, position: int) -> int:
        """Searches the steps from the checkpoint before a position to it, where that was not done; returns
        where they begin.
        """
        kinds = self.search.kinds or NUMBERS
        if Nonfinite.FINDING not in kinds:
            self.history.note_finite()
        first = self.history.cache.checkpoint_before(position - 1).steps
        if not self.history.scanned.has_all(first, position):
            with self.fork_at(first) as fork:
                fork._observe(kinds, None)
                while fork.position < position:  # `seek` would go straight to a checkpoint
                    checkpoint()
                    if not fork.forward_many(UNARMED, position - fork.position) and not fork.forward():
                        break
        return first

    # --- other futures ---

    def switch(self, history: History, position: int, state: ExternalState) -> None:
        """Goes to a position of another future, whose random generators and queues these are."""
        self.history = self._bulk.history = history
        self.forget_arguments()
        self._is_short = history.cache.is_short
        state.restore(self.grid)
        self.grid.forget_saved()
        self.restore(history.cache.checkpoint_before(position))
        self._keep_values(not self._is_short)
        with shielded():
            self.seek(position)

    @contextmanager
    def in_history(self, history: History) -> Generator[ReplayCursor]:
        """Looks at another future for as long as the context is open. Only what it has recorded may be
        replayed there.
        """
        previous, here = self.history, self.grid.save()
        selected, kinds, listener = self.selected, self.search.kinds, self.listener
        self._bulk.history = self.history = history
        self._observe(NOTHING, None)
        try:
            yield self
        finally:
            self.history = self._bulk.history = previous
            self.grid.restore(here)
            self._keep_values(not self._is_short)
            self.selected = selected
            self._observe(kinds, listener)

    # --- what a recording on disk holds ---

    @property
    def inputs(self) -> list[tuple[Value, ...]]:
        """The arguments of each process."""
        frames = [state.frames[0] for state in self.history.cache.checkpoint_before(0).processes]
        return [tuple(frame.registers[register] for register in frame.code.arguments) for frame in frames]

    @property
    def log(self) -> EffectLog:
        """What a replay needs to get here."""
        history = self.history
        generators = {
            number: generator_state(process.context) for number, process in enumerate(self.grid.processes)
        }
        error = None if history.failure is None else history.failure.failed
        return replace(
            history.log,
            position=self.position,
            failure=history.log.failure if error is None else (history.failing_step, error[1]),
            generators={number: state for number, state in generators.items() if state is not None},
            schedule=history.schedule.processes() + history.log.schedule[history.last :],
        )

    def take_over(self, log: EffectLog) -> None:
        """Replays the log of another session of the same programs on the same inputs."""
        self.history.take_over(log)
        self.edits.apply()
        for number, state in log.generators.items():
            set_generator_state(self.grid.processes[number].context, state)
