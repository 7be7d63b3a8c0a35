"""History of a session: which process took each step, where each process was, results, checkpoints.

Position N is the grid after N steps; one process is a grid of one. Stepping another process than the recorded
one cuts off what comes after. What effects gave there is set aside: a process that arrives at the same effect
on the same operands gets it again.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from copy import copy
from typing import Protocol

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.block_index import block_index
from shlo.debugger.replay.edits import Edit, ReplaceEdit, SkipEdit, ValueEdit
from shlo.debugger.replay.effect_log import Effect, EffectLog, Values
from shlo.debugger.replay.nonfinite import NUMBERS, Nonfinite
from shlo.debugger.replay.program_output import OutputLog
from shlo.debugger.replay.program_points import NOWHERE, ProgramPoint, ProgramPoints
from shlo.debugger.replay.result_cache import ResultCache
from shlo.debugger.replay.schedule import Schedule, SearchedSteps
from shlo.debugger.replay.trace import ProcessTrace
from shlo.debugger.replay.trace_blocks import TraceBlock, blocks_behind
from shlo.interpreter.custom_calls.registry import replaced_targets
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.runtime.values import check_of
from shlo.interpreter.spmd.grid import GridState, ProcessGrid
from shlo.runner.equality import same_bits
from shlo.text.statistics import Statistics

Visit = tuple[int, int]
"""A process that arrived at a program point: both by their numbers."""


class StoredHistory(Protocol):
    """What a recording on disk has of a history beside the trace, read when it is asked for.

    `value` and `statistics` are those of the value that a process bound to a register as it arrived at a
    position, None where the recording has none.
    """

    def checkpoint(self, after: int, position: int) -> GridState | None:
        """Returns the last checkpoint after one position and not after another."""
        ...

    def value(self, position: int, process: int, register: int) -> Value | None:
        """Returns a value."""
        ...

    def statistics(self, position: int, process: int, register: int) -> Statistics | None:
        """Returns the statistics of a value."""
        ...

    def finite(self) -> Iterable[int]:
        """Returns the positions at which all values that were bound are known to be finite."""
        ...

    def cut(self, position: int) -> None:
        """Forgets what came after a position."""

    def branch(self, position: int) -> StoredHistory:
        """Returns what is stored up to a position; this stays as it is."""
        ...


class History:
    """The record of a grid, which may hold `budget` bytes beside what the programs themselves hold.

    `schedule` has the process of each step; `resumed`, by position, the others that it brought on;
    `unsettled`, by position of several, how many are neither at a synchronisation point nor done; `scanned`,
    by step, whether results were searched for what `searched_for` says, and `nonfinite`, by position, what
    was found in which processes. `failure` is the state in which the grid cannot go on, reached by the step
    from position `failing_step` (-1 for none).
    """

    def __init__(self, grid: ProcessGrid, budget: int) -> None:
        self._begin()
        self.log = EffectLog()
        self.output = OutputLog()
        context = grid.processes[0].context
        self.points = ProgramPoints(replaced_targets(context.handlers, context.stubs))
        self.schedule = Schedule(grid.is_alone)
        self.resumed: dict[int, tuple[int, ...]] = {}
        self.unsettled = array("i")
        self.scanned = SearchedSteps()
        self.searched_for = NUMBERS
        self.nonfinite: dict[int, tuple[tuple[int, Nonfinite], ...]] = {}
        self.replayed = 0  # up to which position a recording says where processes were
        self.stored: StoredHistory | None = None
        self._knows_finite = False
        self.traces = [ProcessTrace(self.points) for _ in grid.processes]
        self.cache = ResultCache(budget, [value for process in grid.processes for value in process.live()])
        for process, trace in zip(grid.processes, self.traces):
            trace.arrive(process.frames, 0)
        self.unsettled.append(sum(not self.is_settled(trace.numbers[0]) for trace in self.traces))
        self.cache.keep(grid.save())

    def _begin(self) -> None:
        """Begins without failures and edits."""
        self.failure: GridState | None = None
        self.failing_step = -1
        self._unproved: set[int] = set()  # steps whose effects come from a recording
        self._edits: dict[int, list[Edit]] = {}  # by position
        self._skips: dict[tuple[int, int], SkipEdit] = {}  # by process and its step
        self._replaced: dict[tuple[int, str], list[ReplaceEdit]] = {}  # by process and program point

    @property
    def last(self) -> int:
        """The last position that was reached."""
        return len(self.schedule)

    def scheduled(self, position: int) -> int | None:
        """Returns the process that takes the step from a position, as far as one is recorded."""
        if position < len(self.schedule):
            return self.schedule[position]
        return self.log.schedule[position] if position < len(self.log.schedule) else None

    def arrive(self, grid: ProcessGrid, number: int, advanced: Sequence[int]) -> None:
        """Notes a step of a process, by which it and others have advanced; keeps a checkpoint where none is
        near.
        """
        position = grid.steps
        if position > len(self.schedule):
            if grid.is_alone:
                self.traces[0].arrive(grid.processes[0].frames, position)
            else:
                self._note_arrivals(grid, number, advanced)
            self.schedule.append(number)
        if grid.error is None and self.cache.is_checkpoint_due(position):
            self.cache.keep(grid.save())

    def arrive_alone(
        self,
        grid: ProcessGrid,
        position: int,
        count: int,
        blocks: Sequence[TraceBlock],
        unrecorded_bytes: int = 0,
    ) -> None:
        """Notes `count` steps from a position on of a process that runs alone; keeps a checkpoint where none
        is near, or where much was bound that is not recorded.

        Args:
            grid: The process.
            position: From where the steps were taken.
            count: How many they are.
            blocks: The points to which they led, and how many frames were open there.
            unrecorded_bytes: How much the frames hold more, about, of which no results are recorded.
        """
        recorded = self.last - position
        if count > recorded:
            self.traces[0].defer(blocks_behind(blocks, recorded) if recorded else blocks)
            self.schedule.extend_alone(count - recorded)
        if self.cache.is_checkpoint_due(grid.steps, unrecorded_bytes):
            self.cache.keep(grid.save())

    def record_kernels(self, position: int, code: CodeBlock, index: int, results: Sequence[Values]) -> None:
        """Keeps what kernels gave in the steps from a position on, as far as that is not known."""
        blocks = block_index(code)
        constants = blocks.constants
        for at in constants.intersection(range(index, index + len(results))):
            self.cache.exempt(results[at - index])
        self.cache.record_all(
            position,
            [None if at in constants else values for at, values in enumerate(results, index)],
            {position + at - index for at in blocks.dear.intersection(range(index, index + len(results)))},
        )

    def note_searched(self, position: int, count: int) -> None:
        """Notes that `count` steps from a position on made no NaN or infinity."""
        self.scanned.add(position, count)

    def _note_arrivals(self, grid: ProcessGrid, number: int, advanced: Sequence[int]) -> None:
        unsettled, position = self.unsettled[-1], grid.steps
        for process in advanced:
            trace = self.traces[process]
            unsettled += self.is_settled(trace.numbers[-1])
            trace.arrive(grid.processes[process].frames, position)
            unsettled -= self.is_settled(trace.numbers[-1])
        others = tuple(process for process in advanced if process != number)
        if others:
            self.resumed[position] = others
        self.unsettled.append(unsettled)

    def is_settled(self, number: int) -> bool:
        """Returns whether a process at a program point is done or before a synchronisation point."""
        return number == NOWHERE or self.points[number].is_sync_point

    def are_settled(self, position: int) -> bool:
        """Returns whether each process is at a synchronisation point, waits, or is done."""
        return not self.unsettled[position]

    def fail(self, grid: ProcessGrid, step: int) -> None:
        """Notes that the grid cannot go on after the step from a position."""
        self.failure, self.failing_step = grid.save(), step

    def arrivals(self, position: int) -> Iterable[Visit]:
        """Returns the processes that the step to a position brought to another point; at 0, all."""
        if len(self.traces) == 1:
            number = self.traces[0].number(position)
            return () if number == NOWHERE else ((0, number),)
        if not position:
            advanced_to = [(process, trace.numbers[0]) for process, trace in enumerate(self.traces)]
        else:
            advanced = (self.schedule[position - 1], *self.resumed.get(position, ()))
            advanced_to = [(process, self.traces[process].number_at(position)) for process in advanced]
        return [
            (process, number) for process, number in advanced_to if number is not None and number != NOWHERE
        ]

    def nonfinite_up_to(self, position: int) -> list[tuple[int, tuple[tuple[int, Nonfinite], ...]]]:
        """Returns the positions up to one behind steps that were found to have made some, and what in which
        processes.
        """
        return [(at, flags) for at, flags in self.nonfinite.items() if at <= position]

    # --- results and effects ---

    def results(self, step: int) -> Values | None:
        """Returns what the kernel gave in the step from position `step`, None where that is not kept."""
        logged = self.log.results.get(step)
        return self.cache.results(step) if logged is None else logged

    def record(self, step: int, point: ProgramPoint, values: Values, effect: Effect | None) -> None:
        """Keeps the results of a step; those of an effect whatever happens."""
        if point.has_effect:
            self.log.results[step] = values
            if effect is not None:
                self.log.effects[step] = effect
        elif point.is_constant:
            self.cache.exempt(values)
        else:
            self.cache.record(step, values, point.index in block_index(point.code).dear)

    def take_over(self, log: EffectLog) -> None:
        """Replays the effects, the schedule and the failure of a recording."""
        self.log = log
        self._index_edits()
        self._unproved.update(log.results)
        self.failing_step = -1 if log.failure is None else log.failure[0]

    def loaded(self) -> None:
        """Notes that the schedule and the traces come from a recording."""
        self.replayed = self.last
        self.scanned = SearchedSteps()

    def store(self, stored: StoredHistory) -> None:
        """Lets checkpoints and values come from a recording, too."""
        self.stored = stored
        self.cache.stored = stored.checkpoint

    def search_anew(self) -> None:
        """Forgets which steps were searched."""
        self.scanned, self._knows_finite = SearchedSteps(), False

    def note_finite(self) -> None:
        """Notes as searched for NaN and infinities what a recording says has none; asks it once."""
        if self.stored is not None and not self._knows_finite:
            self._knows_finite = True
            for position in self.stored.finite():
                if position <= self.last:
                    self.scanned.add(position - 1)

    def prove(self, step: int, point: ProgramPoint) -> None:
        """Raises DebuggerError where results that a recording gives to a step do not fit the operation."""
        if step not in self._unproved:
            return
        values, types = self.log.results[step], point.operation.result_types
        fits = len(values) == len(types) and all(
            check_of(type_)(value) for type_, value in zip(types, values)
        )
        if not fits:
            raise DebuggerError(
                f"the recording gives step {step} results that {point.operation.name} never has"
            )
        self._unproved.discard(step)

    def discarded_results(self, effect: Effect) -> Values | None:
        """Returns what an effect gave in a future that was cut off, if it is the same one."""
        discarded, results = self.log.discarded.get((effect.process, effect.step), (None, None))
        if (
            discarded is None
            or discarded.point != effect.point
            or not same_bits(discarded.operands, effect.operands)
        ):
            return None
        return results

    # --- edits ---

    @property
    def has_edits(self) -> bool:
        """Whether anything was edited."""
        return bool(self._edits)

    def is_edited_from(self, position: int) -> bool:
        """Returns whether an edit takes effect at a position or after it."""
        return bool(self._edits) and (bool(self._replaced) or position <= max(self._edits))

    def edit(self, edit: Edit) -> None:
        """Adds an edit at the last position."""
        self.log.edits.append(edit)
        self._index_edits()

    def edits_at(self, position: int) -> Sequence[Edit]:
        """Returns the edits at a position, in the order in which they were made."""
        return self._edits.get(position, ())

    def edit_of_step(self, process: int, step: int, point: ProgramPoint) -> SkipEdit | ReplaceEdit | None:
        """Returns the edit by which a step of a process, before a program point, is not carried out."""
        skip = self._skips.get((process, step))
        if skip is not None or not self._replaced:
            return skip
        replaced = self._replaced.get((process, point.key), ())
        return next((edit for edit in reversed(replaced) if edit.step <= step), None)

    def edit_of_value(
        self, process: int, register: int, depth: int, first: int, last: int
    ) -> ValueEdit | None:
        """Returns the last edit of a value that was bound at a position and not again until another one."""
        edits = (
            edit
            for edit in reversed(self.log.edits)
            if isinstance(edit, ValueEdit)
            and (edit.process, edit.register, edit.depth) == (process, register, depth)
            and first <= edit.position <= last
        )
        return next(edits, None)

    def _index_edits(self) -> None:
        self._edits, self._skips, self._replaced = {}, {}, {}
        for edit in self.log.edits:
            self._edits.setdefault(edit.position, []).append(edit)
            if isinstance(edit, SkipEdit):
                self._skips[edit.process, edit.step] = edit
            elif isinstance(edit, ReplaceEdit):
                self._replaced.setdefault((edit.process, edit.key), []).append(edit)

    # --- other futures, interrupts ---

    def branch(self, position: int) -> History:
        """Returns the record of another future that begins at a position; this one stays as it is."""
        other = copy(self)
        other._begin()
        other.log, other.output = self.log.branch(position), self.output.branch(position)
        other.schedule, other.unsettled = self.schedule.copy(), self.unsettled[:]
        other.scanned = self.scanned.copy()
        other.resumed, other.nonfinite = dict(self.resumed), dict(self.nonfinite)
        other.traces = [trace.copy() for trace in self.traces]
        for trace in other.traces:
            trace.cut(position)
        other.cache = self.cache.branch(position)
        if other.stored is not None:
            other.cache.stored = other.stored.checkpoint
        other._unproved = {step for step in self._unproved if step < position}
        other._shorten(position)
        other._index_edits()
        return other

    def cut(self, position: int) -> None:
        """Drops what comes after a position."""
        self.log.cut(position)
        self.output.cut(position)
        self._index_edits()
        self._unproved = {step for step in self._unproved if step < position}
        self.cache.cut(position)
        for trace in self.traces:
            trace.cut(position)
        self.failure, self.failing_step = None, -1
        self.replayed = min(self.replayed, position)
        if self.stored is not None:
            self.stored.cut(position)
        self._shorten(position)

    def repair(self) -> None:
        """Makes the record whole after an interrupt that may have come anywhere."""
        for trace in self.traces:
            trace.cut(self.last)
        self._shorten(self.last)
        self.cache.repair()

    def _shorten(self, position: int) -> None:
        self.schedule.cut(position)
        self.scanned.cut(position)
        del self.unsettled[position + 1 :]
        for by_position in (self.resumed, self.nonfinite):
            for at in [at for at in by_position if at > position]:
                del by_position[at]
