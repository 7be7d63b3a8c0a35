"""Recordings: a session on disk, written while it runs, that can be opened again after a crash.

A recording holds the program's text, its inputs, what cannot be computed again (what effects gave), where the
session was, its breakpoints; and since version 2 the trace, checkpoints, and values or statistics, with an
index at the end. Opening one of version 1 runs the program again up to where it was, with what effects gave
in place of the effects; one of version 2 is at any position by the checkpoint before it. Nothing in a
recording is code; every length and checksum is looked at before what it speaks of is used. What follows a
frame that is cut short or damaged is left out. docs/recordings.md describes the format.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, cast

from msgspec import Struct, field

from shlo.debugger.errors import DebuggerError, RecordingError
from shlo.debugger.recording.columns import decompress, unpacked
from shlo.debugger.recording.edits import edit_of
from shlo.debugger.recording.frames import END, FrameReader, decoded
from shlo.debugger.recording.points import PointReader
from shlo.debugger.recording.stored import Part, StoredHistory
from shlo.debugger.recording.trace import TraceReader
from shlo.debugger.recording.value_store import Group, ValueStore
from shlo.debugger.recording.values import ValueReader, as_list
from shlo.debugger.replay.effect_log import Effect, EffectLog
from shlo.debugger.replay.program_output import MOST_ENTRIES
from shlo.debugger.session import DEFAULT_MEMORY, Session, Stop
from shlo.interpreter.custom_call_api import Handler, Stub
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime.channels import ChannelKey, Channels
from shlo.interpreter.semantics import Semantics
from shlo.interpreter.topology.groups import MOST_PROCESSES, GridShape
from shlo.ir.diagnostics import ExecutionError, ParseError
from shlo.ir.source import Source
from shlo.support.files import open_input

MOST_NUMBER: Final = 1 << 31
"""Numbers of breakpoints are less."""

PLAIN_POINT: Final = 5
"""How many parts a breakpoint has in a file, without its process, message, function, column and number."""

PARTS: Final = ("trace", "statistics", "results", "checkpoint")
"""The kinds of frames that are read when what they hold is asked for."""


class Recording(Struct):
    """The part of a file that is whole. `damage` says what is wrong with the rest, if anything."""

    sources: list[Source] = field(default_factory=list[Source])
    entries: list[str] = field(default_factory=list[str])
    shape: GridShape = field(default_factory=GridShape)
    seed: int = 0
    max_steps: int | None = None
    semantics: Semantics = "spec"
    inputs: list[tuple[Value, ...]] | None = None
    infeeds: dict[int, list[Any]] = field(default_factory=dict[int, list[Any]])
    channels: dict[ChannelKey, list[Any]] = field(default_factory=dict[ChannelKey, list[Any]])
    log: EffectLog = field(default_factory=EffectLog)
    selected: int = 0
    breakpoints: list[Any] = field(default_factory=list[Any])
    reader: FrameReader | None = None
    points: list[tuple[Any, Any]] = field(default_factory=list[tuple[Any, Any]])
    groups: list[Group] = field(default_factory=list[Group])
    parts: dict[str, list[Part]] = field(default_factory=lambda: {kind: [] for kind in PARTS})
    output: list[tuple[int, int, Any, Any, str]] = field(default_factory=list[tuple[int, int, Any, Any, str]])
    damage: str = ""

    @property
    def source(self) -> Source:
        """The text of the first program."""
        return self.sources[0] if self.sources else Source("")


def open_recording(
    path: str,
    *,
    handlers: Mapping[str, Handler] | None = None,
    stubs: Mapping[str, Stub] | None = None,
    probe_folder: str | None = None,
    memory: int = DEFAULT_MEMORY,
    stop: Stop | None = None,
) -> Session:
    """Returns the session that a file holds, standing where it was; the other arguments are those of Session,
    and `stop` also ends the way there. Effects that the recording has are not repeated; what the program does
    beyond them is done. Raises RecordingError.
    """
    session, recording = load_recording(path, handlers, stubs, probe_folder, memory, stop)
    try:
        session.goto(recording.log.position)
        session.select_process(recording.selected)
    except RecordingError:
        raise
    except (DebuggerError, ExecutionError) as error:
        raise RecordingError(str(error), path=path) from error
    for plain in recording.breakpoints:
        with suppress(DebuggerError):  # one that the program has no place for is left out
            _set_breakpoint(session, plain)
    return session


def load_recording(
    path: str,
    handlers: Mapping[str, Handler] | None = None,
    stubs: Mapping[str, Stub] | None = None,
    probe_folder: str | None = None,
    memory: int = DEFAULT_MEMORY,
    stop: Stop | None = None,
) -> tuple[Session, Recording]:
    """Returns the session that a file holds at its beginning, and the rest; as `open_recording`."""
    recording = read_recording(path)
    try:
        session = _session_of(recording, handlers, stubs, probe_folder, memory, stop)
        session.cursor.take_over(recording.log)
        _load(recording, session)
    except RecordingError:
        raise
    except (DebuggerError, ParseError, ExecutionError, ValueError) as error:
        raise RecordingError(str(error), path=path) from error
    return session, recording


def _load(recording: Recording, session: Session) -> None:
    """Fills the history of a session with the trace, and lets it read the rest from the file."""
    if recording.reader is None:
        return
    cursor = session.cursor
    programs = [program_of(module, session.options.semantics) for module in session.modules]
    points, trace = PointReader(programs), TraceReader()
    try:
        for blocks, added in recording.points:
            points.add(blocks, added)
        for position, process, block, index, text in recording.output:
            cursor.output.add(position, process, points.point(block, index), text)
        for part in recording.parts["trace"]:
            trace.add(recording.reader.at(part.offset), part.last)
    except RecordingError as error:
        recording.damage = recording.damage or f"{error.reason}; what follows is left out"
    trace.fill(cursor.history, points.points, cursor.grid.is_alone)
    values = ValueStore(recording.reader, recording.groups)
    cursor.history.store(StoredHistory(recording.reader, values, points, recording.parts, cursor))


def read_recording(path: str) -> Recording:
    """Reads a file; raises RecordingError where its program and inputs are not whole."""
    recording = Recording()
    try:
        file = open_input(path)  # as long as values may be read from it
    except (OSError, ValueError) as error:
        raise RecordingError(f"it cannot be read: {error}", path=path) from None
    try:
        reader = FrameReader(file)
        if reader.version > 1:
            recording.reader = reader
        index = reader.index()
        if index is None or not _read_indexed(recording, reader, index):
            fresh = Recording(reader=recording.reader)
            recording = fresh
            _scan(recording, reader)
    except OSError as error:
        raise RecordingError(f"it cannot be read: {error}", path=path) from None
    except RecordingError as error:
        if recording.inputs is None:
            raise RecordingError(error.reason, error.offset, path) from None
        recording.damage = f"{error.reason} at byte {error.offset}; what follows is left out"
    finally:
        if recording.reader is None:
            file.close()
    if recording.inputs is None:
        raise RecordingError("it holds no program and inputs", path=path)
    return recording


def _scan(recording: Recording, reader: FrameReader) -> None:
    """Reads all frames; notes where those begin that are read later."""
    values, first_elements = ValueReader(), None
    for offset, content in reader.all():
        kind: Any = cast("list[Any]", content)[:1] if isinstance(content, list) else []
        kind = kind[0] if kind and isinstance(kind[0], str) else None
        try:
            if isinstance(content, bytes) or kind == "elements":
                first_elements = offset if first_elements is None else first_elements
                if isinstance(content, bytes):
                    values.chunk(content)
                continue
            if kind == "values":
                recording.groups.append(
                    _group(content[1:3], offset if first_elements is None else first_elements)
                )
                values = ValueReader()
            elif kind in PARTS:
                recording.parts[str(kind)].append(_part(content, offset))
            elif kind not in ("index", END):
                _add(recording, values, content)
            first_elements = None
        except (RecordingError, ValueError, RecursionError) as error:
            raise RecordingError(str(error), offset) from None


def _cut(recording: Recording, position: int) -> None:
    for kind, parts in recording.parts.items():
        cut = [part._replace(last=min(part.last, position)) for part in parts]
        recording.parts[kind] = [part for part in cut if part.first <= part.last]


def _group(plain: Any, offset: Any) -> Group:
    match plain:
        case [int(first), int(count)] if isinstance(offset, int) and min(first, count, offset) >= 0:
            return Group(first, count, offset)
        case _:
            raise RecordingError("a group of values is of no kind that is known")


def _part(content: Any, offset: int) -> Part:
    match content:
        case ["checkpoint", int(position), *_] if position > 0:
            return Part(position, position, offset)
        case [_, int(first), int(count), *_] if first > 0 and count > 0:
            return Part(first, first + count - 1, offset)
        case _:
            raise RecordingError("a frame is of no kind that is known")


def _read_indexed(recording: Recording, reader: FrameReader, index: Any) -> bool:
    """Reads the frames at the beginning and those that an index names; returns False where it does not fit
    the file.
    """
    try:
        match index:
            case ["index", int(size), bytes(data)]:
                head, groups, *parts = decoded(decompress(data, size))
            case _:
                return False
        width = 8
        (offsets,) = unpacked(head, ["i8"], [len(head) // width])
        recording.groups = [_group(as_list(plain)[:2], as_list(plain)[2]) for plain in as_list(groups)]
        for kind, rows in zip(PARTS, parts, strict=True):
            recording.parts[kind] = [_listed_part(plain) for plain in as_list(rows)]
        values = ValueReader()
        for offset in offsets.tolist():
            _add(recording, values, reader.at(offset), is_indexed=True)
    except (RecordingError, ValueError, TypeError, IndexError, RecursionError):
        return False
    return recording.inputs is not None


def _listed_part(plain: Any) -> Part:
    match plain:
        case [int(offset), int(first), int(last)] if 0 < first <= last:
            return Part(first, last, offset)
        case _:
            raise RecordingError("an index is of no kind that is known")


# A table of the kinds of frames, one case each: splitting it would scatter the format's grammar.
def _add(  # noqa: C901
    recording: Recording, values: ValueReader, content: Any, is_indexed: bool = False
) -> None:
    """Adds what a frame holds; an index knows already what was cut."""
    match content:
        case bytes():
            values.chunk(content)
        case ["program", bytes(text), str(name), str(entry)]:
            recording.sources.append(Source(text.decode("utf-8", "surrogatepass"), name))
            recording.entries.append(entry)
        case ["program", int(earlier), str(), str(entry)] if 0 <= earlier < len(recording.sources):
            recording.sources.append(recording.sources[earlier])
            recording.entries.append(entry)
        case ["grid", int(replicas), int(partitions)]:
            recording.shape = GridShape(replicas, partitions)
        case ["infeed", int(process), items]:
            recording.infeeds[process] = list(map(values.values, as_list(items)))
        case ["channel", [int(channel)] | [int(channel), int()] as key, items]:
            receiver = as_list(key)[1:]
            recording.channels[(channel, receiver[0]) if receiver else channel] = list(
                map(values.values, as_list(items))
            )
        case ["options", int(seed), None | int() as max_steps, *rest]:
            recording.seed, recording.max_steps = seed, max_steps
            recording.semantics = "xla" if rest == ["xla"] else "spec"
        case ["output", int(position), int(process), block, index, str(text)]:
            recording.output.append((position, _process(process, recording.shape), block, index, text))
            del recording.output[:-MOST_ENTRIES]
        case ["points", blocks, points]:
            recording.points.append((blocks, points))
        case ["arguments", inputs] if recording.reader is not None:
            store = ValueStore(recording.reader, recording.groups)
            recording.inputs = [
                tuple(store.value(number) for number in as_list(numbers)) for numbers in as_list(inputs)
            ]
        case ["inputs", *inputs]:
            recording.inputs = list(map(values.values, inputs))
        case ["effect", int(step), results, None | str() as generator, *effect]:
            recording.log.results[step] = values.values(results)
            if effect:
                recording.log.effects[step] = _effect(values, effect, recording.shape)
            if generator is not None:
                process = recording.log.effects[step].process if effect else 0
                recording.log.generators[process] = state = json.loads(generator)
                recording.log.drawn[step] = process, state
        case ["discarded", *effect, results]:
            discarded = _effect(values, effect, recording.shape)
            recording.log.discarded[discarded.process, discarded.step] = discarded, values.values(results)
        case ["schedule", bytes(processes)]:
            added = array("H", processes)
            if sys.byteorder == "big":
                added.byteswap()
            if max(added, default=0) >= recording.shape.size:
                raise RecordingError("a step is one of no process")
            recording.log.schedule.extend(added)
        case ["edit", int(position), int(process), *edit] if position >= 0:
            recording.log.edits.append(edit_of(values, position, _process(process, recording.shape), edit))
        case ["future", int(position)] if position >= 0:
            recording.log.switch(position)
            if not is_indexed:
                _cut(recording, position)
        case ["cut", int(position)] if position >= 0:
            recording.log.cut(position)
            recording.output = [entry for entry in recording.output if entry[0] <= position]
            if not is_indexed:
                _cut(recording, position)
        case ["at", int(position), *selected] if position >= 0:
            recording.log.position = position
            recording.selected = _process(selected[0], recording.shape) if selected else 0
        case ["breakpoints", points]:
            recording.breakpoints = as_list(points)
        case ["failed", int(position), str(message), None | str() as op, None | str() as place]:
            recording.log.failure = position, ExecutionError(message, op, place)
        case _:
            raise RecordingError("a frame is of no kind that is known")


def _effect(values: ValueReader, plain: list[Any], shape: GridShape) -> Effect:
    match plain:
        case [process, int(step), str(point), operands]:
            return Effect(_process(process, shape), step, point, values.values(operands))
        case _:
            raise RecordingError("an effect is of no kind that is known")


def _process(plain: Any, shape: GridShape) -> int:
    if not isinstance(plain, int) or not 0 <= plain < shape.size:
        raise RecordingError("there is no such process")
    return plain


def _session_of(
    recording: Recording,
    handlers: Mapping[str, Handler] | None,
    stubs: Mapping[str, Stub] | None,
    probe_folder: str | None,
    memory: int,
    stop: Stop | None,
) -> Session:
    from shlo.api import parse

    modules = {id(source): parse(source) for source in {id(s): s for s in recording.sources}.values()}
    is_grid = recording.shape.size != 1
    inputs = recording.inputs or [()]
    return Session(
        [modules[id(source)] for source in recording.sources],
        inputs if is_grid else inputs[0],
        replicas=recording.shape.replicas,
        partitions=recording.shape.partitions,
        channels=_channels_of(recording) if is_grid else None,
        entry=recording.entries,
        seed=recording.seed,
        max_steps=recording.max_steps,
        semantics=recording.semantics,
        handlers=handlers,
        stubs=stubs,
        probe_folder=probe_folder,
        memory=memory,
        stop=stop,
    )


def _channels_of(recording: Recording) -> list[Channels] | None:
    """Returns the queues as they were filled at the beginning, one set for each process."""
    if not 0 < recording.shape.size <= MOST_PROCESSES:
        return None  # starting the grid says why
    queues = [Channels.fed(recording.infeeds.get(number, ())) for number in range(recording.shape.size)]
    for key, items in recording.channels.items():
        queues[0].channels[key].extend(items)
    return queues


def _column(plain: Any) -> int | None:
    return plain if isinstance(plain, int) else None


def _digits(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise RecordingError("a number of digits is none") from None


def _set_breakpoint(session: Session, plain: Any) -> None:
    known = {point.number: point for point in session.breakpoints}
    parts = as_list(plain)
    process, message, function, column, number = [*parts[PLAIN_POINT:], *(None,) * 5][:5]
    if isinstance(number, int) and 0 < number < MOST_NUMBER:
        session.number_breakpoints_from(number)
    if process is not None:
        process = _process(process, session.cursor.grid.shape)
    match parts[:PLAIN_POINT]:
        case ["nonfinite", str(what), bool(enabled), None | str() as condition, int()]:
            point, ignored = session.break_on_nonfinite(what, process, condition), 0
        case ["shadow", str(digits), bool(enabled), None | str() as condition, int()]:
            point, ignored = session.break_on_loss(_digits(digits), condition), 0
        case ["line", int(line), bool(enabled), None | str() as condition, int(ignored)]:
            point = session.break_on_line(line, condition, process, _column(column))
        case ["op", str(name), bool(enabled), None | str() as condition, int(ignored)]:
            point = session.break_on_op(name, condition, process)
        case ["value", str(name), bool(enabled), None | str() as condition, int(ignored)]:
            point = session.break_on_value(name, condition, process)
        case ["scope" | "python" as kind, str(text), bool(enabled), None | str() as condition, int(ignored)]:
            point = session.break_on_area(kind, text, condition, process)
        case ["change", str(text), bool(enabled), None | str() as condition, int(ignored)]:
            named = function if isinstance(function, str) else None
            point = session.break_on_change(text, condition, process, named)
        case _:
            raise RecordingError("a breakpoint is of no kind that is known")
    if not isinstance(message, str) and point.number in known:
        point = session.twin_breakpoint(known[point.number])
    if isinstance(message, str):
        point = session.add_log_point(point.number, message, in_place=point.number not in known)
    if ignored > 0:
        session.ignore_breakpoint(point.number, ignored)
    session.enable_breakpoint(point.number, enabled)
