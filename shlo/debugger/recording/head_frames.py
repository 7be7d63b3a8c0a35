"""The frames that are read, in their order, when a recording is opened, and what they add to it.

docs/recordings.md describes the format. A field that holds something else than its type says is an error.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec import Struct, field

from shlo.debugger.errors import RecordingError
from shlo.debugger.recording.checkpoints import ChannelRecord, channel_of
from shlo.debugger.recording.frames import (
    PARTS,
    FrameRange,
    FrameRanges,
    FrameReader,
    Natural,
    Positive,
    Record,
    RecordingFrame,
    cut_parts,
)
from shlo.debugger.recording.points import PointsFrame
from shlo.debugger.recording.value_store import StoredGroup, ValueStore
from shlo.debugger.recording.values import ValueReader, ValueRecord, write_value
from shlo.debugger.replay.edits import Edit, ReplaceEdit, SkipEdit, ValueEdit
from shlo.debugger.replay.effect_log import Effect, EffectLog
from shlo.debugger.replay.program_output import MOST_ENTRIES
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.runtime.channels import ChannelKey
from shlo.interpreter.semantics import Semantics
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.source import Source

SliceRecord = tuple[int | None, int | None, int | None]


class ProgramFrame(RecordingFrame, tag="program", frozen=True):
    """The program of all processes, or of the next one: its text, or the number of an earlier one."""

    text: bytes | Natural
    name: str
    entry: str


class PythonFrame(RecordingFrame, tag="python", frozen=True):
    """The texts of the Python files that locations name, by path."""

    texts: dict[str, str]


class GridFrame(RecordingFrame, tag="grid", frozen=True):
    """The shape of a grid of processes."""

    replicas: int
    partitions: int


class InfeedFrame(RecordingFrame, tag="infeed", frozen=True):
    """What the queue into a process holds at the beginning."""

    process: int
    items: list[list[ValueRecord]]


class ChannelFrame(RecordingFrame, tag="channel", frozen=True):
    """What a channel holds at the beginning."""

    key: ChannelRecord
    items: list[list[ValueRecord]]


class OptionsFrame(RecordingFrame, tag="options", frozen=True):
    """How the program runs."""

    seed: int
    max_steps: Natural | None
    semantics: str = "spec"


class OutputFrame(RecordingFrame, tag="output", frozen=True):
    """What a step printed, and at which program point."""

    position: int
    process: int
    block: Natural
    index: Natural
    text: str


class ArgumentsFrame(RecordingFrame, tag="arguments", frozen=True):
    """The numbers of the arguments of each process."""

    numbers: list[list[Natural]]


class EffectFrame(RecordingFrame, tag="effect", frozen=True):
    """The results of a step that is not repeated, and the state of the generator after it; in a grid also
    which process took it, after how many of its own, at which program point, on which operands."""

    position: int
    results: list[ValueRecord]
    generator: str | None
    process: int | None = None
    step: int = 0
    point: str = ""
    operands: Sequence[ValueRecord] = ()


class DiscardedFrame(RecordingFrame, tag="discarded", frozen=True):
    """An effect of a future that was cut off."""

    process: int
    step: int
    point: str
    operands: list[ValueRecord]
    results: list[ValueRecord]


def _index_item(item: int | SliceRecord) -> int | slice:
    if not isinstance(item, int) and item[2] == 0:
        raise RecordingError("a slice takes steps of 0")
    return item if isinstance(item, int) else slice(*item)


class SetRecord(Record, tag="set", frozen=True):
    """A value in scope is another one; `index` is the part that was set, None for all of it."""

    depth: Positive
    register: Natural
    name: str
    index: list[int | SliceRecord] | None
    value: ValueRecord

    def edit(self, position: int, process: int, values: ValueReader) -> Edit:
        """Returns the edit."""
        index = None if self.index is None else tuple(map(_index_item, self.index))
        value = values.value(self.value)
        return ValueEdit(position, process, self.depth, self.register, self.name, index, value)


class SkipRecord(Record, tag="skip", frozen=True):
    """An operation is not carried out, and has these results."""

    step: Natural
    op: str
    results: list[ValueRecord]

    def edit(self, position: int, process: int, values: ValueReader) -> Edit:
        """Returns the edit."""
        return SkipEdit(position, process, self.step, self.op, values.values(self.results))


class ReplaceRecord(Record, tag="replace", frozen=True):
    """An operation is another one, whose text this is."""

    step: Natural
    key: str
    text: str

    def edit(self, position: int, process: int, values: ValueReader) -> Edit:
        """Returns the edit."""
        return ReplaceEdit(position, process, self.step, self.key, self.text)


EditRecord = SetRecord | SkipRecord | ReplaceRecord


def edit_record(edit: Edit, write: Callable[[Any], object]) -> EditRecord:
    """Writes the elements of an edit's values, and returns what refers to the edit."""
    if isinstance(edit, SkipEdit):
        return SkipRecord(edit.step, edit.op, [write_value(value, write) for value in edit.results])
    if isinstance(edit, ReplaceEdit):
        return ReplaceRecord(edit.step, edit.key, edit.text)
    index = (
        None
        if edit.index is None
        else [(item.start, item.stop, item.step) if isinstance(item, slice) else item for item in edit.index]
    )
    return SetRecord(edit.depth, edit.register, edit.name, index, write_value(edit.value, write))


class EditFrame(RecordingFrame, tag="edit", frozen=True):
    """An edit; in the file, what it changes is not in a list of its own."""

    position: Natural
    process: int
    change: EditRecord


class FutureFrame(RecordingFrame, tag="future", frozen=True):
    """Another future is the session's from a position on, with its own edits there."""

    position: Natural


class CutFrame(RecordingFrame, tag="cut", frozen=True):
    """What came after a position was discarded."""

    position: Natural


class PositionFrame(RecordingFrame, tag="at", frozen=True):
    """Where the session was; the last one counts."""

    position: Natural
    selected: int = 0


class BreakpointsFrame(RecordingFrame, tag="breakpoints", frozen=True):
    """All breakpoints: BreakpointRecords, of which those that are none are left out."""

    points: list[Any]


class FailedFrame(RecordingFrame, tag="failed", frozen=True):
    """The step from a position fails."""

    position: int
    message: str
    op: str | None
    place: str | None


class IndexFrame(RecordingFrame, tag="index", frozen=True):
    """An IndexRecord, compressed."""

    size: int
    data: bytes


class IndexRecord(Record, frozen=True):
    """The offsets of the frames read at once, as a column; groups of values; frames that are read later."""

    head: bytes
    groups: list[StoredGroup]
    trace: list[FrameRange]
    statistics: list[FrameRange]
    results: list[FrameRange]
    checkpoints: list[FrameRange]


class BreakpointRecord(Record, frozen=True):
    """A breakpoint."""

    kind: Literal["line", "op", "value", "scope", "python", "change", "nonfinite", "shadow"]
    where: int | str
    enabled: bool
    condition: str | None
    ignored: int
    process: int | None = None
    message: str | None = None
    function: str | None = None
    column: int | None = None
    number: int | None = None


class Recording(Struct):
    """The part of a file that is whole. `damage` says what is wrong with the rest, if anything."""

    reader: FrameReader
    sources: list[Source] = field(default_factory=list[Source])
    entries: list[str] = field(default_factory=list[str])
    python_texts: dict[str, str] = field(default_factory=dict[str, str])
    shape: GridShape = field(default_factory=GridShape)
    seed: int = 0
    max_steps: Natural | None = None
    semantics: Semantics = "spec"
    inputs: list[tuple[Value, ...]] | None = None
    infeeds: dict[int, list[Any]] = field(default_factory=dict[int, list[Any]])
    channels: dict[ChannelKey, list[Any]] = field(default_factory=dict[ChannelKey, list[Any]])
    log: EffectLog = field(default_factory=EffectLog)
    selected: int = 0
    breakpoints: list[Any] = field(default_factory=list[Any])
    points: list[PointsFrame] = field(default_factory=list[PointsFrame])
    groups: list[StoredGroup] = field(default_factory=list[StoredGroup])
    parts: FrameRanges = field(default_factory=lambda: {kind: [] for kind in PARTS})
    output: list[OutputFrame] = field(default_factory=list[OutputFrame])
    damage: str = ""
    values: ValueReader = field(default_factory=ValueReader)
    has_index: bool = False

    @property
    def source(self) -> Source:
        """The text of the first program."""
        return self.sources[0] if self.sources else Source("")

    def process(self, number: int) -> int:
        """Returns the number of a process; raises RecordingError where the grid has none such."""
        if not 0 <= number < self.shape.size:
            raise RecordingError("there is no such process")
        return number

    def _cut(self, position: int) -> None:
        """Drops frames after a position; an index knows already what was cut."""
        if not self.has_index:
            self.parts = cut_parts(self.parts, position)

    def add(self, frame: bytes | RecordingFrame) -> None:
        """Adds what a frame says; raises RecordingError where that does not fit what came before."""
        match frame:
            case bytes():
                self.values.chunk(frame)
            case PointsFrame():
                self.points.append(frame)
            case ProgramFrame(text, name, entry):
                self.sources.append(self._source(text, name))
                self.entries.append(entry)
            case PythonFrame(texts):
                self.python_texts.update(texts)
            case GridFrame(replicas, partitions):
                self.shape = GridShape(replicas, partitions)
            case InfeedFrame(process, items):
                self.infeeds[process] = list(map(self.values.values, items))
            case ChannelFrame(key, items):
                self.channels[channel_of(key)] = list(map(self.values.values, items))
            case OptionsFrame(seed, max_steps, semantics):
                self.seed, self.max_steps = seed, max_steps
                self.semantics = "xla" if semantics == "xla" else "spec"
            case ArgumentsFrame(numbers):
                store = ValueStore(self.reader, self.groups)
                self.inputs = [tuple(map(store.value, row)) for row in numbers]
            case BreakpointsFrame(breakpoints):
                self.breakpoints = breakpoints
            case _:
                self._add_to_log(frame)

    def _source(self, text: bytes | int, name: str) -> Source:
        if isinstance(text, bytes):
            return Source(text.decode("utf-8", "surrogatepass"), name)
        if text >= len(self.sources):
            raise RecordingError("there is no such program")
        return self.sources[text]

    def _add_to_log(self, frame: RecordingFrame) -> None:
        log, values = self.log, self.values
        match frame:
            case EffectFrame():
                self._add_effect(frame)
            case DiscardedFrame(process, step, point, operands, results):
                effect = Effect(self.process(process), step, point, values.values(operands))
                log.discarded[process, step] = effect, values.values(results)
            case OutputFrame(process=process):
                self.process(process)
                self.output.append(frame)
                del self.output[:-MOST_ENTRIES]
            case EditFrame(position, process, change):
                log.edits.append(change.edit(position, self.process(process), values))
            case FutureFrame(position):
                log.switch(position)
                self._cut(position)
            case CutFrame(position):
                log.cut(position)
                self.output = [entry for entry in self.output if entry.position <= position]
                self._cut(position)
            case PositionFrame(position, selected):
                log.position, self.selected = position, self.process(selected)
            case FailedFrame(position, message, op, location):
                log.failure = position, ExecutionError(message, op, location)
            case _:
                raise RecordingError("a frame is of another version")

    def _add_effect(self, frame: EffectFrame) -> None:
        log, values, process = self.log, self.values, self.process(frame.process or 0)
        log.results[frame.position] = values.values(frame.results)
        if frame.process is not None:
            operands = values.values(frame.operands)
            log.effects[frame.position] = Effect(process, frame.step, frame.point, operands)
        if frame.generator is not None:
            log.generators[process] = state = json.loads(frame.generator)
            log.drawn[frame.position] = process, state
