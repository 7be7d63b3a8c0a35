"""Writes a session to a file while it runs: its inputs and effects, the trace, checkpoints, and values or
statistics of them, as docs/recordings.md describes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, Final, Literal

import numpy as np
from msgspec import to_builtins

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import RecordingError
from shlo.debugger.recording import head_frames
from shlo.debugger.recording.checkpoints import channel_record, checkpoint_frame, may_write
from shlo.debugger.recording.columns import compress, packed
from shlo.debugger.recording.frames import PARTS, FrameRange, FrameRanges, FrameWriter, cut_parts, encoded
from shlo.debugger.recording.points import PointWriter
from shlo.debugger.recording.statistics import ROWS, StatisticsWriter
from shlo.debugger.recording.stored import ResultsFrame
from shlo.debugger.recording.trace import TraceWriter
from shlo.debugger.recording.value_store import UnrecordableError, ValueWriter
from shlo.debugger.recording.values import ValueRecord, write_value
from shlo.debugger.replay.edits import Edit
from shlo.debugger.replay.program_points import NOWHERE
from shlo.debugger.replay.step_plan import StepPlan
from shlo.debugger.session import Session
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import program_of
from shlo.interpreter.spmd.grid import GridState, GridStep
from shlo.ir.diagnostics import ExecutionError

RecordedValues = Literal["none", "statistics", "all"]
"""What a recording has of the values that steps bind."""

DEFAULT_LIMIT: Final = 1 << 30
"""How many bytes a recording may have before it holds fewer values, unless told otherwise."""

SECONDS_BETWEEN: Final = 0.05
"""How often, at most, a recording notes where a running command is."""

STEPS_BETWEEN: Final = 2048
"""How many steps lie between checkpoints; fewer where they take more than BUSY seconds."""

BUSY: Final = 0.05

SHARE: Final = 10
"""How many times longer than a checkpoint takes to write the steps after it take."""

DOUBLINGS: Final = 16
"""How often the distance between checkpoints has doubled when their half of the limit is full."""


def record(
    session: Session, path: str, values: RecordedValues = "statistics", limit: int = DEFAULT_LIMIT
) -> Recorder:
    """Writes a session's past to a new file, and from now on what is added to it. Raises RecordingError where
    the file cannot be made or is there already.

    Args:
        session: The session.
        path: The file.
        values: Whether the values that steps bind from now on are recorded: their statistics, or all of
            them.
        limit: From how many bytes on the file holds fewer of these: checkpoints up to a half, values up to
            three quarters, then their statistics. What a replay needs is recorded beyond it.
    """
    try:
        file = open(path, "xb")  # noqa: SIM115  (the recorder closes it)
    except FileExistsError:
        raise RecordingError("it is there already and is not replaced", path=path) from None
    except (OSError, ValueError) as error:
        raise RecordingError(f"it cannot be written: {error}", path=path) from None
    recorder = Recorder(session, file, values, limit)
    session.cursor.listen(recorder)
    return recorder


class Recorder:
    """Writes what happens to a session. `error` says why it had to stop, such as a full disk."""

    def __init__(self, session: Session, file: BinaryIO, values: RecordedValues, limit: int) -> None:
        self.error: str | None = None
        self._session = session
        self._file = file
        self._level: RecordedValues = values
        self._limit = limit
        self._breakpoints: list[Any] = []
        self._bound: dict[int, tuple[int, ...]] = {}  # registers, by program point
        self._parts: FrameRanges = {kind: [] for kind in PARTS}
        self._head: list[int] = []  # where frames begin that are read when the file is opened
        self._place = 0  # that of the last position
        self._noted = self._last_step_s = time.monotonic()
        self._busy = self._due_busy = 0.0
        self._due = STEPS_BETWEEN
        self._checkpoint_bytes = 0
        self._is_idle = True
        self._printed = 0  # how many entries of the output are written
        self._statistics = StatisticsWriter()
        self._rows: list[int] = []  # numbers of values
        self._rows_first = self._rows_end = 0
        self._attempt(self._begin)

    def close(self) -> None:
        """Ends the recording, with the index."""
        self._attempt(self._finish)
        self._session.cursor.listen(None)
        self._file.close()

    def before_step(self, plan: StepPlan) -> None:
        """Writes the position of a running command, at most every `SECONDS_BETWEEN`."""
        now = time.monotonic()
        if self._is_idle:
            self._is_idle, self._last_step_s = False, now
        self._busy += now - self._last_step_s
        self._last_step_s = now
        if now - self._noted >= SECONDS_BETWEEN:
            self._noted = now
            self._attempt(lambda: self._write_position(plan.position))

    def after_step(self, plan: StepPlan, outcome: GridStep) -> None:
        """Records the values that a new step has bound, what it printed, its results where it has an effect,
        and a checkpoint where one is due.
        """
        position = plan.position + 1
        if plan.is_first:
            if self._session.cursor.output.total != self._printed:
                self._attempt(self._write_output)
            if self._level != "none":
                self._attempt(lambda: self._record_values(position, outcome))
            if position >= self._due or self._busy >= self._due_busy:
                self._attempt(lambda: self._checkpoint(position))
        if plan.records and plan.point.has_effect:
            results = self._session.cursor.history.log.results[plan.position]
            self._attempt(lambda: self._write_effect(plan.position, results))

    def cut(self, position: int) -> None:
        """Writes that the history after a position was discarded."""
        self._attempt(lambda: self._cut(head_frames.CutFrame(position)))

    def edited(self, edit: Edit) -> None:
        """Writes an edit."""
        self._attempt(lambda: self._write_edit(edit))

    def switched(self, position: int) -> None:
        """Writes that another future goes on from a position, and what a replay of it needs."""
        self._attempt(lambda: self._switch(position))

    def failed(self, position: int, error: ExecutionError) -> None:
        """Writes that the step from a position fails, and why."""
        self._attempt(lambda: self._write_failure(position, error))

    def stopped(self) -> None:
        """Writes the breakpoints, if they changed, and the position."""
        self._is_idle = True
        self._attempt(self._write_place)

    # --- the beginning and the end ---

    def _begin(self) -> None:
        session, cursor = self._session, self._session.cursor
        log, options = cursor.log, session.run.options
        self._writer = FrameWriter(self._file)
        self._values = ValueWriter(self._writer.write)
        programs = [program_of(module, options.semantics) for module in session.run.modules]
        self._points = PointWriter(programs)
        self._trace = TraceWriter(cursor.history, self._points, cursor.grid.is_alone)
        for program in _programs_of(session):
            self._write(program)
        texts = session.structure.python.texts_of(session.run.modules)
        if texts:
            self._write(head_frames.PythonFrame(texts))
        if not cursor.grid.is_alone:
            self._write_grid()
        self._write(head_frames.OptionsFrame(options.seed, options.max_steps, options.semantics))
        numbers = [[self._values.number(value) for value in values] for values in cursor.inputs]
        self._values.flush()
        self._write(head_frames.ArgumentsFrame(numbers))
        for effect, results in log.discarded.values():
            operands = self._records(effect.operands)
            discarded = head_frames.DiscardedFrame(
                effect.process, effect.step, effect.point, operands, self._records(results)
            )
            self._write(discarded)
        self._write_log(0)
        self._due_busy = BUSY
        self._write_output()
        self._write_place()
        for state in cursor.history.cache.checkpoints():
            if state.steps:
                self._write_checkpoint(state)

    def _write_grid(self) -> None:
        """Writes the shape of the grid, and what its queues hold at the beginning."""
        session, start = self._session, self._session.cursor.history.cache.checkpoint_before(0)
        self._write(head_frames.GridFrame(session.run.options.replicas, session.run.options.partitions))
        for number, (infeed, _) in start.queues.items():
            self._write(head_frames.InfeedFrame(number, list(map(self._records, infeed))))
        for key, items in start.channels.items():
            self._write(head_frames.ChannelFrame(channel_record(key), list(map(self._records, items))))

    def _finish(self) -> None:
        self._write_place()
        self._flush_values()
        self._values.flush()
        later = (self._parts[kind] for kind in PARTS)
        head = packed([np.array([*self._head, self._place], np.int64)])
        content = encoded(head_frames.IndexRecord(head, self._values.groups, *later))
        self._writer.finish(self._writer.write(head_frames.IndexFrame(len(content), compress(content))))

    # --- effects, positions, breakpoints ---

    def _write_log(self, position: int) -> None:
        """Writes edits, effects and the failure from a position on."""
        log = self._session.cursor.log
        for edit in log.edits:
            if edit.position >= position:
                self._write_edit(edit)
        for step, results in log.results.items():
            if step >= position:
                self._write_effect(step, results)
        if log.failure:
            self._write_failure(*log.failure)

    def _write_edit(self, edit: Edit) -> None:
        record = head_frames.edit_record(edit, self._write)
        self._write(["edit", edit.position, edit.process, *to_builtins(record)])

    def _write_effect(self, step: int, results: Sequence[Value]) -> None:
        self._write_trace()
        effect = self._session.cursor.history.log.effects.get(step)
        _, generator = self._session.cursor.history.log.drawn.get(step, (0, None))
        state = None if generator is None else json.dumps(generator)
        results = self._records(results)  # writes elements first
        if effect is None:
            self._write(head_frames.EffectFrame(step, results, state))
            return
        where = effect.process, effect.step, effect.point
        self._write(head_frames.EffectFrame(step, results, state, *where, self._records(effect.operands)))

    def _write_output(self) -> None:
        """Writes what was printed since the last time."""
        output = self._session.cursor.output
        for entry in output.since(self._printed):
            block = self._points.block(entry.point.code)
            self._write_points()
            where = entry.position, entry.process, block, entry.point.index
            self._write(head_frames.OutputFrame(*where, entry.text))
        self._printed = output.total

    def _write_failure(self, position: int, error: ExecutionError) -> None:
        self._write_trace()
        location = None if error.place is None else str(error.place)
        self._write(head_frames.FailedFrame(position, error.message, error.op, location))

    def _write_place(self) -> None:
        points = [_breakpoint_record(point) for point in self._session.breakpoints]
        if points != self._breakpoints:
            self._breakpoints = points
            self._write(head_frames.BreakpointsFrame(points))
        self._write_position(self._session.position)

    def _write_position(self, position: int) -> None:
        self._write_trace()
        self._place = self._writer.write(head_frames.PositionFrame(position, self._session.cursor.selected))

    def _records(self, values: Sequence[Value]) -> list[ValueRecord]:
        return [write_value(value, self._write) for value in values]

    def _write(self, content: Any) -> None:
        """Writes a frame that is read when the file is opened."""
        self._head.append(self._writer.write(content))

    # --- the trace and checkpoints ---

    def _write_trace(self) -> None:
        """Writes the steps since the last time."""
        first = self._trace.written + 1
        while (chunk := self._trace.chunk()) is not None:
            self._write_points()
            self._parts["trace"].append(FrameRange(self._writer.write(chunk), first, self._trace.written))
            first = self._trace.written + 1

    def _write_points(self) -> None:
        if (added := self._points.added()) is not None:
            self._write(added)

    def _checkpoint(self, position: int) -> None:
        """Writes a checkpoint; they are the rarer the more of their part of the limit is used."""
        budget = self._limit // 2
        rarity = 2.0 ** (DOUBLINGS * min(self._checkpoint_bytes / max(budget, 1), 1.0))
        self._due = position + int(STEPS_BETWEEN * rarity)
        self._due_busy = self._busy + BUSY * rarity
        grid = self._session.cursor.grid
        if self._checkpoint_bytes >= budget or grid.error is not None:
            return
        begin = time.monotonic()
        state = grid.save()
        if may_write(state):
            state = state.with_processes([part.without_dead() for part in state.processes])
            values = (value for part in state.processes for value in part.values())
            if self._checkpoint_bytes + self._values.added_bytes(values) <= budget:
                self._write_checkpoint(state)
        took = time.monotonic() - begin
        self._due_busy = max(self._due_busy, self._busy + took * SHARE)
        if took * SHARE > BUSY:
            self._due = max(self._due, position + STEPS_BETWEEN)

    def _write_checkpoint(self, state: GridState) -> None:
        before = self._writer.size
        try:
            frame = checkpoint_frame(state, self._values, self._points)
        except UnrecordableError:
            return
        self._write_trace()
        self._write_points()
        self._values.flush()
        self._parts["checkpoint"].append(FrameRange(self._writer.write(frame), state.steps, state.steps))
        self._checkpoint_bytes += self._writer.size - before

    # --- values ---

    def _record_values(self, position: int, outcome: GridStep) -> None:
        if self._level == "all" and self._writer.size > self._limit // 4 * 3:
            self._flush_values()
            self._level = "statistics"
        if self._writer.size > self._limit:
            self._flush_values()
            self._level = "none"
            return
        end = self._rows_end if self._level == "all" else self._statistics.end
        if end != position:
            self._flush_values()
            self._statistics.begin(position)
            self._rows_first = position
        if outcome.step is not None:
            self._record_bound(position, outcome.process, outcome.step.results)
        for process, step in outcome.resumed:
            self._record_bound(position, process, step.results)
        self._statistics.end = self._rows_end = position + 1
        if self._statistics.is_full or len(self._rows) >= ROWS:
            self._flush_values()

    def _record_bound(self, position: int, process: int, results: Sequence[tuple[int, Value]]) -> None:
        """Records what is bound where a process arrived."""
        history = self._session.cursor.history
        trace = history.traces[process]
        number = trace.number(trace.last)
        if number == NOWHERE or trace.positions[-1] != position:
            return
        bound = self._bound.get(number)
        if bound is None:
            bound = self._bound[number] = history.points[number].bound_registers
        if not bound:
            return
        registers = self._session.cursor.grid.processes[process].frames[-1].registers
        for register in bound:
            value = registers[register]
            if value is None:
                value = dict(results).get(register)
            if self._level == "statistics":
                self._statistics.add(value)
            else:
                self._rows.append(self._number(value))

    def _number(self, value: Value) -> int:
        try:
            return -1 if value is None else self._values.number(value)
        except UnrecordableError:
            return -1

    def _flush_values(self) -> None:
        """Writes what is known of values since the last time."""
        self._write_trace()
        first, last = self._statistics.first, self._statistics.end - 1
        if self._level == "statistics" and (chunk := self._statistics.chunk()) is not None:
            self._parts["statistics"].append(FrameRange(self._writer.write(chunk), first, last))
        first, last = self._rows_first, self._rows_end - 1
        if self._level == "all" and first <= last:
            self._values.flush()
            data = packed([np.array(self._rows, np.int64)])
            count = last - first + 1
            frame = ResultsFrame(first, count, len(self._rows), len(data), compress(data))
            self._parts["results"].append(FrameRange(self._writer.write(frame), first, last))
            self._rows, self._rows_first = [], self._rows_end
            self._statistics.begin(self._rows_end)

    # --- futures ---

    def _switch(self, position: int) -> None:
        self._cut(head_frames.FutureFrame(position))
        self._write_log(position)

    def _cut(self, frame: head_frames.CutFrame | head_frames.FutureFrame) -> None:
        self._flush_values()
        self._write(frame)
        self._trace.history = self._session.cursor.history
        self._printed = self._session.cursor.output.total
        self._trace.written = min(self._trace.written, frame.position)
        self._parts = cut_parts(self._parts, frame.position)

    def _attempt(self, write: Callable[[], None]) -> None:
        if self.error is not None or self._file.closed:
            return
        try:
            write()
        except (OSError, ValueError, OverflowError) as error:
            self.error = str(error)


def _programs_of(session: Session) -> Iterator[head_frames.ProgramFrame]:
    """Yields a frame for the program of all processes, or for that of each: its text, or the number of an
    earlier program with the same one, its name, and the entry.
    """
    modules, entries = session.run.modules, session.run.options.entries
    numbers: dict[int, int] = {}
    for number in range(max(len(modules), len(entries))):
        module, entry = modules[number % len(modules)], entries[number % len(entries)]
        source = module.source
        name = "<program>" if source is None else source.name
        if id(module) in numbers:
            yield head_frames.ProgramFrame(numbers[id(module)], name, entry)
            continue
        numbers[id(module)] = number
        text = module.to_text(locations=True) if source is None else source.text
        yield head_frames.ProgramFrame(text.encode("utf-8", "surrogatepass"), name, entry)


def _breakpoint_record(point: Breakpoint) -> head_frames.BreakpointRecord:
    return head_frames.BreakpointRecord(
        point.kind,
        point.where,
        point.enabled,
        None if point.condition is None else str(point.condition),
        point.ignored,
        point.process,
        None if point.message is None else point.message.text,
        point.function if point.kind == "change" else None,
        point.column,
        point.number,
    )
