"""Recordings: a session on disk, written while it runs, that can be opened again after a crash.

A recording holds the program's text, its inputs, and what cannot be computed again: what effects gave, where
the session stood, its breakpoints. Opening one runs the program again up to where it stood, with what effects
gave in place of the effects. Nothing in a recording is code; every length and checksum is looked at before
what it speaks of is used. What follows a frame that is cut short or damaged is left out.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError, RecordingError
from shlo.debugger.recording.frames import FrameWriter, read_frames
from shlo.debugger.recording.values import ValueReader, as_list, write_value
from shlo.debugger.replay.effect_log import EffectLog
from shlo.debugger.session import DEFAULT_MEMORY, Session, Stop
from shlo.interpreter.custom_call_api import Handler, Stub
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.semantics import Semantics
from shlo.ir.diagnostics import ExecutionError, ParseError
from shlo.ir.source import Source

SUFFIX: Final = ".shlorec"
"""How the names of recordings end."""

SECONDS_BETWEEN: Final = 0.05
"""How often, at most, a recording notes where a running command is."""


def record(session: Session, path: str) -> Recorder:
    """Writes a session's past to a new file, and from now on what comes to it. Raises RecordingError where
    the file cannot be made or is there already, and for a grid.
    """
    if session.grid is not None:
        raise RecordingError("a grid of processes cannot be recorded", path=path)
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
    """Writes what happens to a session. `error` says why it had to stop (a full disk), which does not disturb
    the session.
    """

    def __init__(self, session: Session, file: BinaryIO) -> None:
        self.error: str | None = None
        self._session = session
        self._file = file
        self._noted = time.monotonic()
        self._points: list[Any] = []
        self._attempt(self._begin)

    def close(self) -> None:
        """Ends the recording."""
        self.stopped()
        self._session.cursor.listener = None
        self._file.close()

    def moving(self, position: int) -> None:
        now = time.monotonic()
        if now - self._noted >= SECONDS_BETWEEN:
            self._noted = now
            self._attempt(lambda: self._write(["at", position]))

    def cut(self, position: int) -> None:
        pass

    def effect(self, step: int, results: Sequence[Value]) -> None:
        self._attempt(lambda: self._write_effect(step, results))

    def failed(self, position: int, error: ExecutionError) -> None:
        words = [None if text is None else str(text) for text in (error.message, error.op, error.place)]
        self._attempt(lambda: self._write(["failed", position, *words]))

    def stopped(self) -> None:
        self._attempt(self._write_place)

    def _begin(self) -> None:
        session, log = self._session, self._session.cursor.log
        self._writer = FrameWriter(self._file)
        text, name = _text_of(session)
        self._write(["program", text.encode("utf-8", "surrogatepass"), name, session.entry])
        options = session.options
        self._write(["options", options.seed, options.max_steps, options.semantics])
        self._write(["inputs", [write_value(value, self._write) for value in session.cursor.inputs[0]]])
        for step, results in log.results.items():
            self._write_effect(step, results)
        if log.failure:
            self.failed(*log.failure)
        self._write_place()

    def _write_effect(self, step: int, results: Sequence[Value]) -> None:
        generator = self._session.cursor.generator(0)
        values = [write_value(value, self._write) for value in results]
        self._write(["effect", step, values, None if generator is None else json.dumps(generator)])

    def _write_place(self) -> None:
        points = [_plain_point(point) for point in self._session.breakpoints]
        if points != self._points:
            self._points = points
            self._write(["breakpoints", points])
        self._write(["at", self._session.position])

    def _write(self, content: Any) -> None:
        self._writer.write(content)

    def _attempt(self, write: Callable[[], None]) -> None:
        if self.error is not None or self._file.closed:
            return
        try:
            write()
        except (OSError, ValueError, OverflowError) as error:
            self.error = str(error)


def _text_of(session: Session) -> tuple[str, str]:
    source = session.module.source
    return (
        (session.module.to_text(locations=True), "<program>")
        if source is None
        else (source.text, source.name)
    )


def _plain_point(point: Breakpoint) -> list[Any]:
    condition = None if point.condition is None else str(point.condition)
    return [point.kind, point.where, point.enabled, condition, point.ignored]


# --- reading ---


@dataclass(slots=True)
class Recording:
    """What a file holds, as far as it is whole. `damage` says what is wrong with the rest; empty if nothing
    is.
    """

    source: Source = field(default_factory=lambda: Source(""))
    entry: str = "main"
    seed: int = 0
    max_steps: int | None = None
    semantics: Semantics = "spec"
    inputs: tuple[Value, ...] | None = None
    log: EffectLog = field(default_factory=EffectLog)
    breakpoints: list[Any] = field(default_factory=list[Any])
    damage: str = ""


def open_recording(
    path: str,
    *,
    handlers: Mapping[str, Handler] | None = None,
    stubs: Mapping[str, Stub] | None = None,
    probe_folder: str | None = None,
    memory: int = DEFAULT_MEMORY,
    stop: Stop | None = None,
) -> Session:
    """The session that a file holds, standing where it stood; the other arguments are those of Session, and
    `stop` also ends the way there. Effects that the recording has are not repeated; what the program does
    beyond them is done. Raises RecordingError.
    """
    recording = read_recording(path)
    try:
        session = _session_of(recording, handlers, stubs, probe_folder, memory, stop)
        session.cursor.take_over(recording.log)
        session.goto(recording.log.position)
    except RecordingError:
        raise
    except (DebuggerError, ParseError, ExecutionError, ValueError) as error:
        raise RecordingError(str(error), path=path) from error
    _set_breakpoints(session, recording.breakpoints)
    return session


def read_recording(path: str) -> Recording:
    """What a file holds; raises RecordingError where it is no recording, or where the program and its inputs
    are not whole.
    """
    made = Recording()
    try:
        with open(path, "rb") as file:
            _take_all(made, file)
    except OSError as error:
        raise RecordingError(f"it cannot be read: {error}", path=path) from None
    except RecordingError as error:
        if made.inputs is None:
            raise RecordingError(error.reason, error.offset, path) from None
        made.damage = f"{error.reason} at byte {error.offset}; what follows is left out"
    if made.inputs is None:
        raise RecordingError("it holds no program and inputs", path=path)
    return made


def _take_all(made: Recording, file: BinaryIO) -> None:
    values = ValueReader()
    for offset, content in read_frames(file):
        try:
            _take(made, values, content)
        except (RecordingError, ValueError, RecursionError) as error:
            raise RecordingError(str(error), offset) from None


def _take(made: Recording, values: ValueReader, content: Any) -> None:
    """Adds what a frame holds."""
    match content:
        case bytes():
            values.chunk(content)
        case ["program", bytes(text), str(name), str(entry)]:
            made.source, made.entry = Source(text.decode("utf-8", "surrogatepass"), name), entry
        case ["options", int(seed), None | int() as max_steps, *rest]:
            made.seed, made.max_steps = seed, max_steps
            made.semantics = "xla" if rest == ["xla"] else "spec"
        case ["inputs", inputs]:
            made.inputs = values.values(inputs)
        case ["effect", int(step), results, None | str() as generator]:
            made.log.results[step] = values.values(results)
            if generator is not None:
                made.log.generators[0] = json.loads(generator)
        case ["at", int(position)] if position >= 0:
            made.log.position = position
        case ["breakpoints", points]:
            made.breakpoints = as_list(points)
        case ["failed", int(position), str(message), None | str() as op, None | str() as place]:
            made.log.failure = position, ExecutionError(message, op, place)
        case _:
            raise RecordingError("a frame is of no kind that is known")


def _session_of(
    recording: Recording,
    handlers: Mapping[str, Handler] | None,
    stubs: Mapping[str, Stub] | None,
    probe_folder: str | None,
    memory: int,
    stop: Stop | None,
) -> Session:
    from shlo.api import parse

    return Session(
        parse(recording.source),
        recording.inputs or (),
        entry=recording.entry,
        seed=recording.seed,
        max_steps=recording.max_steps,
        semantics=recording.semantics,
        handlers=handlers,
        stubs=stubs,
        probe_folder=probe_folder,
        memory=memory,
        stop=stop,
    )


def _set_breakpoints(session: Session, points: Iterable[Any]) -> None:
    """Sets the breakpoints of a recording again; one that the program has no place for is left out."""
    for plain in points:
        try:
            _set_breakpoint(session, plain)
        except DebuggerError:
            continue


def _set_breakpoint(session: Session, plain: Any) -> None:
    match plain:
        case ["nonfinite", str(what), bool(enabled), None, int()]:
            made, ignored = session.break_on_nonfinite(what), 0
        case ["line", int(line), bool(enabled), None | str() as condition, int(ignored)]:
            made = session.break_on_line(line, condition)
        case ["op", str(name), bool(enabled), None | str() as condition, int(ignored)]:
            made = session.break_on_op(name, condition)
        case ["value", str(name), bool(enabled), None | str() as condition, int(ignored)]:
            made = session.break_on_value(name, condition)
        case _:
            raise RecordingError("a breakpoint is of no kind that is known")
    if ignored > 0:
        session.ignore_breakpoint(made.number, ignored)
    session.enable_breakpoint(made.number, enabled)
