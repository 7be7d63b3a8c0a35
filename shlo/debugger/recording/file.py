"""Recordings: a session on disk, written while it runs, that can be opened again after a crash.

A recording holds the program's text, its inputs, and what cannot be computed again: what effects gave, where
the session was, its breakpoints. Opening one runs the program again up to where it was, with what effects
gave in place of the effects. Nothing in a recording is code; every length and checksum is looked at before
what it speaks of is used. What follows a frame that is cut short or damaged is left out.
"""

from __future__ import annotations

import json
import sys
import time
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError, RecordingError
from shlo.debugger.recording.frames import FrameWriter, read_frames
from shlo.debugger.recording.values import ValueReader, as_list, write_value
from shlo.debugger.replay.effect_log import Effect, EffectLog
from shlo.debugger.session import DEFAULT_MEMORY, Session, Stop
from shlo.interpreter.custom_call_api import Handler, Stub
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.runtime.channels import ChannelKey, Channels
from shlo.interpreter.semantics import Semantics
from shlo.interpreter.topology.groups import MOST_PROCESSES, GridShape
from shlo.ir.diagnostics import ExecutionError, ParseError
from shlo.ir.source import Source

SUFFIX: Final = ".shlorec"
"""How the names of recordings end."""

PLAIN_POINT: Final = 5
"""How many parts a breakpoint has in a file, without its process."""

SECONDS_BETWEEN: Final = 0.05
"""How often, at most, a recording notes where a running command is."""


def record(session: Session, path: str) -> Recorder:
    """Writes a session's past to a new file, and from now on what is added to it. Raises RecordingError where
    the file cannot be made or is there already.
    """
    try:
        file = open(path, "xb")  # noqa: SIM115  (the recorder closes it)
    except FileExistsError:
        raise RecordingError("it is there already and is not replaced", path=path) from None
    except (OSError, ValueError) as error:
        raise RecordingError(f"it cannot be written: {error}", path=path) from None
    recorder = Recorder(session, file)
    session.cursor.listener = recorder
    return recorder


class Recorder:
    """Writes what happens to a session. `error` says why it had to stop, such as a full disk."""

    def __init__(self, session: Session, file: BinaryIO) -> None:
        self.error: str | None = None
        self._session = session
        self._file = file
        self._noted = time.monotonic()
        self._points: list[Any] = []
        self._scheduled = 0  # how many steps of the schedule are written
        self._attempt(self._begin)

    def close(self) -> None:
        """Ends the recording."""
        self.stopped()
        self._session.cursor.listener = None
        self._file.close()

    def before_step(self, position: int) -> None:
        """Writes the position of a running command, at most every `SECONDS_BETWEEN`."""
        now = time.monotonic()
        if now - self._noted >= SECONDS_BETWEEN:
            self._noted = now
            self._attempt(lambda: self._write_position(position))

    def cut(self, position: int) -> None:
        """Writes that the history after a position was discarded."""
        self._scheduled = min(self._scheduled, position)
        self._attempt(lambda: self._write(["cut", position]))

    def effect(self, step: int, results: Sequence[Value]) -> None:
        """Writes the results of a step with an effect."""
        self._attempt(lambda: self._write_effect(step, results))

    def failed(self, position: int, error: ExecutionError) -> None:
        """Writes that the step from a position fails, and why."""
        self._attempt(lambda: self._write_failure(position, error))

    def stopped(self) -> None:
        """Writes the breakpoints, if they changed, and the position."""
        self._attempt(self._write_place)

    def _begin(self) -> None:
        session, cursor = self._session, self._session.cursor
        log, options = cursor.log, session.options
        self._writer = FrameWriter(self._file)
        for program in _programs_of(session):
            self._write(program)
        if not cursor.grid.is_alone:
            self._write_grid()
        self._write(["options", options.seed, options.max_steps, options.semantics])
        self._write(["inputs", *(self._values(values) for values in cursor.inputs)])
        for effect, results in log.discarded.values():
            self._write(["discarded", *self._plain_effect(effect), self._values(results)])
        for step, results in log.results.items():
            self._write_effect(step, results)
        if log.failure:
            self._write_failure(*log.failure)
        self._write_place()

    def _write_grid(self) -> None:
        """Writes the shape of the grid, and what its queues hold at the beginning."""
        session, start = self._session, self._session.cursor.history.cache.checkpoint_before(0)
        self._write(["grid", session.options.replicas, session.options.partitions])
        for number, (infeed, _) in start.queues.items():
            self._write(["infeed", number, [self._values(item) for item in infeed]])
        for key, items in start.channels.items():
            channel = [key] if isinstance(key, int) else list(key)
            self._write(["channel", channel, [self._values(item) for item in items]])

    def _write_effect(self, step: int, results: Sequence[Value]) -> None:
        self._write_schedule()
        effect = self._session.cursor.history.log.effects.get(step)
        generator = self._session.cursor.generator(0 if effect is None else effect.process)
        state = None if generator is None else json.dumps(generator)
        content = [
            "effect",
            step,
            self._values(results),
            state,
        ]  # writes elements first
        self._write(content if effect is None else [*content, *self._plain_effect(effect)])

    def _plain_effect(self, effect: Effect) -> list[Any]:
        return [effect.process, effect.step, effect.point, self._values(effect.operands)]

    def _write_failure(self, position: int, error: ExecutionError) -> None:
        self._write_schedule()
        words = [None if text is None else str(text) for text in (error.message, error.op, error.place)]
        self._write(["failed", position, *words])

    def _write_place(self) -> None:
        points = [_plain_point(point) for point in self._session.breakpoints]
        if points != self._points:
            self._points = points
            self._write(["breakpoints", points])
        self._write_position(self._session.position)

    def _write_position(self, position: int) -> None:
        self._write_schedule()
        cursor = self._session.cursor
        self._write(["at", position] if cursor.grid.is_alone else ["at", position, cursor.selected])

    def _write_schedule(self) -> None:
        """Writes which process took each step since the last time."""
        schedule = self._session.cursor.history.schedule
        if self._scheduled < len(schedule) and not self._session.cursor.grid.is_alone:
            added = array("H", schedule[self._scheduled :])
            self._scheduled = len(schedule)
            self._write(["schedule", _little(added).tobytes()])

    def _values(self, values: Sequence[Value]) -> list[Any]:
        return [write_value(value, self._write) for value in values]

    def _write(self, content: Any) -> None:
        self._writer.write(content)

    def _attempt(self, write: Callable[[], None]) -> None:
        if self.error is not None or self._file.closed:
            return
        try:
            write()
        except (OSError, ValueError, OverflowError) as error:
            self.error = str(error)


def _programs_of(session: Session) -> Iterator[list[Any]]:
    """Yields a frame for the program of all processes, or for that of each: its text, or the number of an
    earlier program with the same one, its name, and the entry.
    """
    modules, entries = session.modules, session.options.entries
    numbers: dict[int, int] = {}
    for number in range(max(len(modules), len(entries))):
        module, entry = modules[number % len(modules)], entries[number % len(entries)]
        source = module.source
        name = "<program>" if source is None else source.name
        if id(module) in numbers:
            yield ["program", numbers[id(module)], name, entry]
            continue
        numbers[id(module)] = number
        text = module.to_text(locations=True) if source is None else source.text
        yield ["program", text.encode("utf-8", "surrogatepass"), name, entry]


def _little(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _plain_point(point: Breakpoint) -> list[Any]:
    condition = None if point.condition is None else str(point.condition)
    plain = [point.kind, point.where, point.enabled, condition, point.ignored]
    return plain if point.process is None else [*plain, point.process]


# --- reading ---


@dataclass(slots=True)
class Recording:
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
    recording = read_recording(path)
    try:
        session = _session_of(recording, handlers, stubs, probe_folder, memory, stop)
        session.cursor.take_over(recording.log)
        session.goto(recording.log.position)
        session.select_process(recording.selected)
    except RecordingError:
        raise
    except (DebuggerError, ParseError, ExecutionError, ValueError) as error:
        raise RecordingError(str(error), path=path) from error
    for plain in recording.breakpoints:
        with suppress(DebuggerError):  # one that the program has no place for is left out
            _set_breakpoint(session, plain)
    return session


def read_recording(path: str) -> Recording:
    """Reads a file; raises RecordingError where its program and inputs are not whole."""
    recording = Recording()
    try:
        with open(path, "rb") as file:
            values = ValueReader()
            for offset, content in read_frames(file):
                try:
                    _add(recording, values, content)
                except (RecordingError, ValueError, RecursionError) as error:
                    raise RecordingError(str(error), offset) from None
    except OSError as error:
        raise RecordingError(f"it cannot be read: {error}", path=path) from None
    except RecordingError as error:
        if recording.inputs is None:
            raise RecordingError(error.reason, error.offset, path) from None
        recording.damage = f"{error.reason} at byte {error.offset}; what follows is left out"
    if recording.inputs is None:
        raise RecordingError("it holds no program and inputs", path=path)
    return recording


# A table of the kinds of frames, one case each: splitting it would scatter the format's grammar.
def _add(recording: Recording, values: ValueReader, content: Any) -> None:  # noqa: C901
    """Adds what a frame holds."""
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
        case ["inputs", *inputs]:
            recording.inputs = list(map(values.values, inputs))
        case ["effect", int(step), results, None | str() as generator, *effect]:
            recording.log.results[step] = values.values(results)
            if effect:
                recording.log.effects[step] = _effect(values, effect, recording.shape)
            if generator is not None:
                process = recording.log.effects[step].process if effect else 0
                recording.log.generators[process] = json.loads(generator)
        case ["discarded", *effect, results]:
            discarded = _effect(values, effect, recording.shape)
            recording.log.discarded[discarded.process, discarded.step] = discarded, values.values(results)
        case ["schedule", bytes(processes)]:
            added = _little(array("H", processes))
            if max(added, default=0) >= recording.shape.size:
                raise RecordingError("a step is one of no process")
            recording.log.schedule.extend(added)
        case ["cut", int(position)] if position >= 0:
            recording.log.cut(position)
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


def _set_breakpoint(session: Session, plain: Any) -> None:
    parts = as_list(plain)
    process = _process(parts[PLAIN_POINT], session.cursor.grid.shape) if parts[PLAIN_POINT:] else None
    match parts[:PLAIN_POINT]:
        case ["nonfinite", str(what), bool(enabled), None, int()]:
            point, ignored = session.break_on_nonfinite(what, process), 0
        case ["line", int(line), bool(enabled), None | str() as condition, int(ignored)]:
            point = session.break_on_line(line, condition, process)
        case ["op", str(name), bool(enabled), None | str() as condition, int(ignored)]:
            point = session.break_on_op(name, condition, process)
        case ["value", str(name), bool(enabled), None | str() as condition, int(ignored)]:
            point = session.break_on_value(name, condition, process)
        case ["scope" | "python" as kind, str(text), bool(enabled), None | str() as condition, int(ignored)]:
            point = session.break_on_area(kind, text, condition, process)
        case _:
            raise RecordingError("a breakpoint is of no kind that is known")
    if ignored > 0:
        session.ignore_breakpoint(point.number, ignored)
    session.enable_breakpoint(point.number, enabled)
