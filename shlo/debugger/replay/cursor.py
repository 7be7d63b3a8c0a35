"""Replay cursor: moves a grid of processes along its history; one process is a grid of one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec.structs import replace

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.edits import Edit, Replace, Replacement, SetValue, Skip
from shlo.debugger.replay.effect_log import Effect, EffectListener, EffectLog, Values
from shlo.debugger.replay.external_state import ExternalState
from shlo.debugger.replay.fast_lane import FastLane
from shlo.debugger.replay.history import History, Visit
from shlo.debugger.replay.nonfinite import (
    NOTHING,
    NUMBERS,
    Nonfinite,
    NonfiniteArgument,
    nonfinite_arguments,
    operands_of,
    search,
)
from shlo.debugger.replay.program_output import OutputLog, printed_text
from shlo.debugger.replay.program_points import NOWHERE, ProgramPoint
from shlo.debugger.replay.spans import UNARMED, Armed
from shlo.debugger.replay.trace import ProcessTrace
from shlo.interpreter.engine.stepper import Process, Step
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.kernels.random import generator_state, set_generator_state
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.runtime.program_output import ProgramOutput
from shlo.interpreter.runtime.values import check_of
from shlo.interpreter.spmd.grid import GridState, GridStep, ProcessGrid
from shlo.interpreter.spmd.wait_for_graph import GridError
from shlo.ir.diagnostics import ExecutionError
from shlo.support.cancellation import checkpoint, shielded

if TYPE_CHECKING:
    from shlo.sanitizer.selection import Selection

Status = Literal["ready", "waiting", "done", "failed"]
"""What a process is doing; in a grid it may wait for others."""

QUEUES: Final = frozenset({"stablehlo.outfeed"})
"""Operations whose effect is on queues that are a part of a grid's state, so that they are taken again."""


class ReplayCursor:
    """A position in a history. It goes on from there, by steps that are recorded or new, or to any other.

    `selected` is the process that is looked at. `scans` says what steps are searched for as they are taken,
    and `selection` what the sanitizer looks for (None: what it does by default); `departed` is called where
    another future begins. `compile_edit` compiles the text of an operation that takes the place of another
    one.
    """

    def __init__(self, grid: ProcessGrid, memory: int) -> None:
        self.grid = grid
        self.history = History(grid, memory)
        self.points = self.history.points
        self.selected = 0
        self.scans = NOTHING
        self.selection: Selection | None = None
        self.listener: EffectListener | None = None
        self.departed: Callable[[int], None] = lambda position: None
        context = grid.processes[0].context
        is_limited = context.budget.is_limited or context.meter is not None
        self.has_fast_lane = grid.is_alone and not is_limited and not self.points.replaced
        self._fast_lane = FastLane(grid, self.history)
        self.compile_edit: Callable[[Replace, Process], Replacement] = _no_compiler
        self._replacements: dict[Replace, Replacement] = {}
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

    @property
    def are_settled(self) -> bool:
        """Whether each process is at a synchronisation point, waits, or is done."""
        return not self.history.unsettled[self.position]

    def nonfinite(self, step: int) -> Nonfinite:
        """Returns what is known that a step of the process made."""
        if not self.history.nonfinite:
            return NOTHING
        found = self.history.nonfinite.get(self.trace.positions[step + 1], ())
        return next((flags for process, flags in found if process == self.selected), NOTHING)

    def nonfinite_at(self, position: int) -> Iterable[tuple[int, Nonfinite]]:
        """Returns what is known that the step to a position, or an edit there, made, by process; at 0, what
        arguments hold.
        """
        edits = self.history.edits_at(position)
        if position and not edits:
            return self.history.nonfinite.get(position, ())
        held: dict[int, Nonfinite] = dict(self.history.nonfinite.get(position, ()))
        found = [(edit.process, edit.kinds) for edit in edits if isinstance(edit, SetValue)]
        if not position:
            found += [(argument.process, argument.kinds) for argument in self.nonfinite_arguments]
        for process, kinds in found:
            held[process] = held.get(process, NOTHING) | kinds
        return [(process, kinds) for process, kinds in held.items() if kinds]

    @cached_property
    def nonfinite_arguments(self) -> tuple[NonfiniteArgument, ...]:
        """The arguments that hold numbers that are not finite, by process and in order."""
        if not self.history.edits_at(0):
            return tuple(nonfinite_arguments(self.history.cache.checkpoint_before(0).processes))
        with self.fork_at(0):
            return tuple(nonfinite_arguments([process.save() for process in self.grid.processes]))

    def arrivals(self, position: int) -> Iterable[Visit]:
        """Returns the processes that the step to a position brought to another point; at 0, all."""
        if not self.grid.is_alone:
            return self.history.arrivals(position)
        number = self.trace.number(position)
        return () if number == NOWHERE else ((0, number),)

    def look_for(self, kinds: Nonfinite) -> None:
        """Searches steps for this from now on; those that were searched for less are searched again."""
        if kinds & ~self.history.searched_for:
            self.history.search_anew()
        self.scans = kinds
        if kinds:
            self.history.searched_for = kinds

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
        if not self.has_fast_lane or self.listener is not None or self.grid.error is not None:
            return False
        if self.history.is_edited_from(self.position):
            return False
        if self.position < self.history.replayed or not self._fast_lane.advance(
            most, armed, self.scans, self.selection
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
        grid, history = self.grid, self.history
        process, trace = grid.processes[number], history.traces[number]
        if position < history.replayed:
            self._check_recorded(process, trace)
        point = self.points[trace.number(process.steps)]
        is_kept = grid.is_alone or not (point.is_sync_point or point.operation.name in QUEUES)
        edit = history.edit_of_step(number, process.steps, point) if history.has_edits else None
        known = results = history.results(position) if is_kept and edit is None else None
        effect = None
        if known is not None:
            history.prove(position, point)
        elif is_kept and edit is None and point.has_effect and not grid.is_alone:
            effect = Effect(number, process.steps, point.key, _operands(process))
            results = history.discarded_results(effect)
        if results is not None and point.has_effect and position >= self.output.last:
            text = printed_text(point, _operands(process), process.context.handlers)
            if text is not None:
                self.output.add(position + 1, number, point, text)
        brought = None
        if self.scans and position not in history.scanned:
            brought = self._brought(number, point)
        if self.listener is not None:
            self.listener.before_step(position)
        try:
            edited = None if edit is None else self._edited_step(edit, point, position)
            outcome = edited or grid.step(number, results)
        except GridError as error:
            self._note_failure(number, position, error)
            return False
        step = outcome.step
        is_new = known is None and edit is None and is_kept and step is not None and _is_kernel(step)
        if is_new and step is not None:
            self._record(number, position, point, step, effect)
        if brought is not None:
            self._scan(position, outcome, brought)
        is_first = position == history.last
        history.arrive(
            grid, number, (0,) if grid.is_alone else [process for process, _ in _steps_of(outcome)]
        )
        if is_first and self.listener is not None:
            self.listener.stepped(position + 1, outcome)
        if history.has_edits:
            self.apply_edits()
        if is_new and self.listener is not None and point.has_effect:
            self.listener.effect(position, history.log.results[position])
        self._note_shortage()
        return grid.is_alone or self._can_go_on()

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

    def _edited_step(self, edit: Skip | Replace, point: ProgramPoint, position: int) -> GridStep:
        """Takes a step of a process whose operation an edit skips or replaces. Raises GridError."""
        process, cache = self.grid.processes[edit.process], self.history.cache
        results = edit.results if isinstance(edit, Skip) else cache.results(position)
        if isinstance(edit, Replace) and results is None:
            replacement = self._replacements.get(edit)
            if replacement is None:
                replacement = self._replacements[edit] = self.compile_edit(edit, process)
            results = self.evaluate(replacement, edit.process)
            cache.record(position, results)
        if process.frames[-1].instruction.kind in (Kind.JUMP, Kind.RETURN):
            raise DebuggerError(f"{point.operation.name} ends its block, and cannot be skipped or replaced")
        types, values = point.operation.result_types, results or ()
        if len(types) != len(values) or not all(check_of(type_)(each) for type_, each in zip(types, values)):
            raise DebuggerError(f"an edit gives {point.operation.name} results that it never has")
        return self.grid.skip(edit.process, values)

    def evaluate(self, replacement: Replacement, number: int) -> Values:
        """Returns the results of another operation in the place of the next one of a process. Raises
        GridError where it fails, which is a failure of the process.
        """
        process = self.grid.processes[number]
        operands = [self._operand(process, register) for register in replacement.registers]
        try:
            return replacement.evaluate(process.context, operands)
        except ExecutionError as error:
            raise self.grid.fail(number, error) from error

    def _operand(self, process: Process, register: int) -> Value:
        """Returns a value in scope of the innermost frame, computed again where it was dropped."""
        value = process.frames[-1].registers[register]
        if value is not None:
            return value
        depth = len(process.frames)
        while register not in process.frames[depth - 1].code.defined_at:
            depth -= 1
        return self.recompute(process.frames[depth - 1].code, register, depth)

    def edit(self, edit: Edit) -> None:
        """Makes an edit at the position, behind which nothing is recorded."""
        self.history.edit(edit)
        self._forget_arguments()
        self.apply_edits()
        if self.listener is not None:
            self.listener.edited(edit)

    def _forget_arguments(self) -> None:
        self.__dict__.pop("nonfinite_arguments", None)

    def apply_edits(self) -> None:
        """Sets what edits at the position set."""
        edits = self.history.edits_at(self.position)
        for edit in edits:
            if isinstance(edit, SetValue):
                edit.apply(self.grid.processes[edit.process])
        if edits:
            self.grid.forget_saved()

    def restore(self, checkpoint: GridState) -> None:
        """Goes to a checkpoint, which is kept as it was before edits at its position, and before a grid that
        is stuck there was found to be.
        """
        self.grid.restore(checkpoint)
        if self.history.has_edits:
            self.apply_edits()
        if not self.grid.is_alone and self.grid.error is None:
            self._can_go_on()

    def _record(
        self, number: int, position: int, point: ProgramPoint, step: Step, effect: Effect | None
    ) -> None:
        """Records the results of a step of a kernel, and the generator after an effect."""
        history = self.history
        history.record(position, point, tuple([value for _, value in step.results]), effect)
        if point.has_effect and (state := self.generator(number)) is not None:
            history.log.drawn[position] = number, state

    def _brought(self, number: int, point: ProgramPoint) -> dict[int, list[Value]]:
        """Returns the operands of the next step of a process, and of others that wait for it alone."""
        grid, processes = self.grid, self.grid.processes
        if grid.is_alone:
            is_searched = point.is_searched or Nonfinite.FINDING in self.scans
            return {number: operands_of(processes[number])} if is_searched else {}
        return {one: operands_of(processes[one]) for one in (number, *self.grid.waiting_for(number))}

    def _scan(self, position: int, outcome: GridStep, brought: dict[int, list[Value]]) -> None:
        """Searches what processes got for NaN and infinities."""
        found: list[tuple[int, Nonfinite]] = []
        for process, step in _steps_of(outcome) if brought else ():
            if process in brought and _is_kernel(step):
                point = self.points[self.points.number(step.code, step.index)]
                nonfinite = search(
                    self.grid.processes[process],
                    point,
                    brought[process],
                    [value for _, value in step.results],
                    self.scans,
                    self.selection,
                )
                if nonfinite:
                    found.append((process, nonfinite))
        self.history.scanned.add(position)
        if found:
            self.history.nonfinite[position + 1] = tuple(found)

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
        before = self.selected, self.scans, self.listener
        self.scans, self.listener = NOTHING, None
        self.restore(self.history.cache.checkpoint_before(position))
        self._keep_values(False)
        try:
            yield self
        finally:
            grid.restore(here)
            self._keep_values(not self._is_short)
            self.selected, self.scans, self.listener = before

    def _keep_values(self, keeps: bool) -> None:
        for process in self.grid.processes:
            process.keeps_values = keeps

    def scan(self, position: int) -> int:
        """Searches the steps from the checkpoint before a position to it, where that was not done; returns
        where they begin.
        """
        kinds = self.scans or NUMBERS
        if Nonfinite.FINDING not in kinds:
            self.history.note_finite()
        first = self.history.cache.checkpoint_before(position - 1).steps
        if not self.history.scanned.has_all(first, position):
            with self.fork_at(first) as fork:
                fork.scans = kinds
                while fork.position < position:  # `seek` would go straight to a checkpoint
                    checkpoint()
                    if not fork.forward_many(UNARMED, position - fork.position) and not fork.forward():
                        break
        return first

    # --- other futures ---

    def switch(self, history: History, position: int, state: ExternalState) -> None:
        """Goes to a position of another future, whose random generators and queues these are."""
        self.history = self._fast_lane.history = history
        self._forget_arguments()
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
        own, here = self.history, self.grid.save()
        before = self.selected, self.scans, self.listener
        self._fast_lane.history = self.history = history
        self.scans, self.listener = NOTHING, None
        try:
            yield self
        finally:
            self.history = self._fast_lane.history = own
            self.grid.restore(here)
            self._keep_values(not self._is_short)
            self.selected, self.scans, self.listener = before

    # --- values ---

    def bound_at(self, code: CodeBlock, register: int, depth: int) -> int:
        """Returns the position at which a value that is in scope now, in a frame of this depth, was bound, or
        else set by the last edit of it.
        """
        position = self.bound_before_edits(code, register, depth)
        if not self.history.has_edits:
            return position
        edit = self.history.edit_of_value(self.selected, register, depth, position, self.position)
        return position if edit is None else edit.position

    def bound_before_edits(self, code: CodeBlock, register: int, depth: int, at: int | None = None) -> int:
        """Returns the position at which a value that is in scope now (or at another position), in a frame of
        this depth, was bound, edits aside.

        Calls in between have more frames, so the last visit of the point after the definition in this depth
        is one of the same execution of the block.
        """
        number = self.points.number(code, code.defined_at[register] + 1)
        steps = self.process.steps if at is None else self.trace.step_at(at)
        step = self.trace.last_visit(number, depth, steps)
        return self.trace.positions[step]

    def recompute(self, code: CodeBlock, register: int, depth: int) -> Value:
        """Returns a value in scope that was dropped, as it was when it was bound."""
        bound_at = self.bound_at(code, register, depth)
        if self.history.has_edits:
            edit = self.history.edit_of_value(self.selected, register, depth, bound_at, self.position)
            if edit is not None:
                return edit.value
        return self.value_bound_at(bound_at, register)

    def value_bound_at(self, position: int, register: int) -> Value:
        """Returns a value that the selected process bound by the step to a position, or that an edit set
        there.
        """
        depth = self.trace.depths[self.trace.step_at(position)]
        for edit in reversed(self.history.edits_at(position)):
            if isinstance(edit, SetValue) and (edit.process, edit.register, edit.depth) == (
                self.selected,
                register,
                depth,
            ):
                return edit.value
        if not position:
            start = self.history.cache.checkpoint_before(0).processes[self.selected]
            return start.frames[0].registers[register]
        if self.history.stored is not None:
            stored = self.history.stored.value(position, self.selected, register)
            if stored is not None:
                return stored
        with self.fork_at(position - 1) as fork:
            fork.go(position - 1)
            fork.process.keeps_values = True
            fork.forward()  # and not to a checkpoint there, which may lack the value
            return fork.process.frames[-1].registers[register]

    # --- what a recording on disk holds ---

    @property
    def inputs(self) -> list[tuple[Value, ...]]:
        """The arguments of each process."""
        frames = [state.frames[0] for state in self.history.cache.checkpoint_before(0).processes]
        return [tuple(frame.registers[register] for register in frame.code.arguments) for frame in frames]

    def generator(self, process: int) -> dict[str, Any] | None:
        """Returns the state of a process's random generator as plain data, None where nothing was drawn."""
        return generator_state(self.grid.processes[process].context)

    @property
    def log(self) -> EffectLog:
        """What a replay needs to get here."""
        history = self.history
        generators = {number: self.generator(number) for number in range(len(self.grid.processes))}
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
        self.apply_edits()
        for number, state in log.generators.items():
            set_generator_state(self.grid.processes[number].context, state)


def _no_compiler(edit: Replace, process: Process) -> Replacement:
    raise DebuggerError("operations cannot be replaced here")


def _operands(process: Process) -> tuple[Value, ...]:
    frame = process.frames[-1]
    return tuple(frame.registers[register] for register in frame.instruction.operands)


def _steps_of(outcome: GridStep) -> Sequence[tuple[int, Step]]:
    step = outcome.step
    return outcome.resumed if step is None else ((outcome.process, step), *outcome.resumed)


def _is_kernel(step: Step) -> bool:
    return step.code.instructions[step.index].kind is Kind.KERNEL
