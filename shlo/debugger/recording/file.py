"""Recordings: a session on disk, written while it runs, that can be opened again after a crash.

A recording holds the program's text, its inputs, what cannot be computed again (what effects gave), where the
session was, its breakpoints, the trace, checkpoints, and values or statistics, with an index at the end. A
session that is opened is at any position by the checkpoint before it. Nothing in a
recording is code; every length and checksum is looked at before what it speaks of is used. What follows a
frame that is cut short or damaged is left out. docs/recordings.md describes the format.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, suppress
from typing import Any, Final, Union, cast

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError, RecordingError
from shlo.debugger.recording.checkpoints import CheckpointFrame
from shlo.debugger.recording.columns import decompress, unpacked
from shlo.debugger.recording.frames import (
    PARTS,
    EndFrame,
    FrameRange,
    FrameReader,
    RecordingFrame,
    converted,
    decoded,
)
from shlo.debugger.recording.head_frames import BreakpointRecord, IndexFrame, IndexRecord, Recording
from shlo.debugger.recording.points import PointReader
from shlo.debugger.recording.statistics import StatisticsFrame
from shlo.debugger.recording.stored import RecordedHistory, ResultsFrame
from shlo.debugger.recording.trace import TraceFrame, TraceReader
from shlo.debugger.recording.value_store import ElementsFrame, StoredGroup, ValuesFrame, ValueStore
from shlo.debugger.recording.values import ValueReader
from shlo.debugger.session import DEFAULT_MEMORY, Session, Stop
from shlo.interpreter.custom_call_api import Handler, Stub
from shlo.interpreter.options import OptionError
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime.channels import Channels
from shlo.interpreter.topology.groups import MOST_PROCESSES
from shlo.ir.diagnostics import ExecutionError, ParseError
from shlo.support.files import open_input

MOST_NUMBER: Final = 1 << 31
"""Numbers of breakpoints are less."""


FRAMES: Final = cast("Any", Union[(bytes, *RecordingFrame.__subclasses__())])
"""What a file may hold: elements of values, or a frame of any kind."""


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
        session.structure.python.add_texts(recording.python_texts)
        session.cursor.take_over(recording.log)
        _load(recording, session)
    except RecordingError:
        raise
    except (DebuggerError, ParseError, ExecutionError, OptionError, ValueError) as error:
        raise RecordingError(str(error), path=path) from error
    return session, recording


def _load(recording: Recording, session: Session) -> None:
    """Fills the history of a session with the trace, and lets it read the rest from the file."""
    cursor = session.cursor
    programs = [program_of(module, session.run.options.semantics) for module in session.run.modules]
    points, trace = PointReader(programs), TraceReader()
    try:
        for frame in recording.points:
            points.add(frame)
        for entry in recording.output:
            point = points.point(entry.block, entry.index)
            cursor.output.add(entry.position, entry.process, point, entry.text)
        for part in recording.parts["trace"]:
            trace.add(recording.reader.at(part.offset, TraceFrame), part.last)
    except RecordingError as error:
        recording.damage = recording.damage or f"{error.reason}; what follows is left out"
    trace.fill(cursor.history, points.points, cursor.grid.is_alone)
    values = ValueStore(recording.reader, recording.groups)
    cursor.history.store(RecordedHistory(recording.reader, values, points, recording.parts, cursor))


def read_recording(path: str) -> Recording:
    """Reads a file; raises RecordingError where its program and inputs are not whole."""
    with ExitStack() as opened:
        recording = None
        try:
            recording = Recording(FrameReader(opened.enter_context(open_input(path))))
            index = recording.reader.index()
            if index is None or not _read_indexed(recording, index):
                recording = Recording(recording.reader)
                _scan(recording)
        except RecordingError as error:
            if recording is None or recording.inputs is None:
                raise RecordingError(error.reason, error.offset, path) from None
            recording.damage = f"{error.reason} at byte {error.offset}; what follows is left out"
        except (OSError, ValueError) as error:
            raise RecordingError(f"it cannot be read: {error}", path=path) from None
        if recording.inputs is None:
            raise RecordingError("it holds no program and inputs", path=path)
        opened.pop_all()  # as long as values may be read from the file
        return recording


def _scan(recording: Recording) -> None:
    """Reads all frames; notes where those begin that are read later."""
    first_elements: int | None = None
    for offset, content in recording.reader.all():
        frame = _frame(content, offset)
        try:
            if isinstance(frame, bytes | ElementsFrame):
                first_elements = offset if first_elements is None else first_elements
                if isinstance(frame, bytes):
                    recording.values.chunk(frame)
                continue
            if isinstance(frame, ValuesFrame):
                begin = offset if first_elements is None else first_elements
                recording.groups.append(StoredGroup(frame.first, frame.count, begin))
                recording.values = ValueReader()
            elif isinstance(frame, CheckpointFrame):
                recording.parts["checkpoint"].append(FrameRange(offset, frame.position, frame.position))
            elif isinstance(frame, TraceFrame | StatisticsFrame | ResultsFrame):
                last = frame.first + frame.count - 1
                recording.parts[content[0]].append(FrameRange(offset, frame.first, last))
            elif not isinstance(frame, IndexFrame | EndFrame):
                recording.add(frame)
            first_elements = None
        except (RecordingError, ValueError, RecursionError) as error:
            raise RecordingError(str(error), offset) from None


def _frame(content: Any, offset: int) -> bytes | RecordingFrame:
    """Returns a frame of any kind; what an edit changes is no list of its own."""
    match content:
        case ["edit", position, process, *change]:
            content = ["edit", position, process, change]
        case _:
            pass
    return converted(content, FRAMES, offset)


def _read_indexed(recording: Recording, offset: int) -> bool:
    """Reads the frames at the beginning and those that an index names; returns False where it does not fit
    the file.
    """
    recording.has_index, reader = True, recording.reader
    try:
        frame = reader.at(offset, IndexFrame)
        index = converted(decoded(decompress(frame.data, frame.size)), IndexRecord)
        (offsets,) = unpacked(index.head, ["i8"], [len(index.head) // 8])
        recording.groups = index.groups
        later = (index.trace, index.statistics, index.results, index.checkpoints)
        recording.parts = dict(zip(PARTS, later, strict=True))
        for begin in offsets.tolist():
            recording.add(_frame(reader.at(begin), begin))
    except (RecordingError, ValueError, TypeError, IndexError, RecursionError):
        return False
    return recording.inputs is not None


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


def _digits(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise RecordingError("a number of digits is none") from None


def _set_breakpoint(session: Session, plain: Any) -> None:
    points = {point.number: point for point in session.breakpoints}
    record = converted(plain, BreakpointRecord)
    if record.number is not None and 0 < record.number < MOST_NUMBER:
        session.breakpoints.number_from(record.number)
    point = _new_breakpoint(session, record)
    if record.message is not None:
        point = session.breakpoints.log(point.number, record.message, in_place=point.number not in points)
    elif point.number in points:
        point = session.breakpoints.twin(points[point.number])
    if record.ignored > 0 and record.kind not in ("nonfinite", "shadow"):
        session.breakpoints.ignore(point.number, record.ignored)
    session.breakpoints.enable(point.number, record.enabled)


def _new_breakpoint(session: Session, record: BreakpointRecord) -> Breakpoint:
    kind, where, condition, process = record.kind, str(record.where), record.condition, record.process
    if process is not None and not 0 <= process < session.cursor.grid.shape.size:
        raise RecordingError("there is no such process")
    match kind:
        case "nonfinite":
            return session.breakpoints.on_nonfinite(where, process, condition)
        case "shadow":
            return session.breakpoints.on_loss(_digits(where), condition)
        case "line":
            line = record.where
            if not isinstance(line, int):
                raise RecordingError("a line is no number")
            return session.breakpoints.on_line(line, condition, process, record.column)
        case "op":
            return session.breakpoints.on_op(where, condition, process)
        case "value":
            return session.breakpoints.on_value(where, condition, process)
        case "change":
            return session.breakpoints.on_change(where, condition, process, record.function)
        case _:
            return session.breakpoints.on_area(kind, where, condition, process)
