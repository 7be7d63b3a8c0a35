"""What `shlo debug` is given, opened: a program with arguments, or a recording; with a screen or without."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shlo.cli.options import filling_of
from shlo.ir.source import Source
from shlo.runner.errors import RequestError

if TYPE_CHECKING:
    from shlo.debugger import Session
    from shlo.debugger.recording import Recorder
    from shlo.ir.operations import Module

Stop = Callable[[], bool] | None
StartSession = Callable[[Stop], "Session"]


@dataclass
class Opening:
    """A program's text and what starts a session on it; `close` ends its recording."""

    source: Source
    _start: StartSession
    record_to: str | None = None
    _recorders: list[Recorder] = field(default_factory=list["Recorder"])

    def start(self, stop: Stop = None) -> Session:
        """The session; `stop` tells it when to stop. Raises ExecutionError and DebuggerError."""
        session = self._start(stop)
        if self.record_to is not None:
            from shlo.debugger.recording import record

            self._recorders.append(record(session, self.record_to))
        return session

    def close(self) -> str | None:
        """Ends the recording; says what went wrong with it."""
        for recorder in self._recorders:
            recorder.close()
            return recorder.error
        return None


def open_for_debugging(options: Namespace) -> Opening:
    """What the options name; raises RequestError, and ParseError of a program that is not valid."""
    if _is_recording(options.file):
        return _recording(options)
    from shlo.runner.files import open_program
    from shlo.runner.validity import valid_program

    program = open_program(options.file)
    source = program if isinstance(program, Source) else Source(program.to_text(), options.file)
    return Opening(source, _starter(options, valid_program(source)), options.record)


def _is_recording(path: str) -> bool:
    from shlo.debugger.recording_frames import MAGIC

    if path == "-":
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False  # who reads the program says why


def _recording(options: Namespace) -> Opening:
    from shlo.debugger.errors import RecordingError
    from shlo.debugger.recording import open_recording, read_recording

    if options.arguments:
        raise RequestError("a recording has its arguments in it; none can be given")
    try:
        source = read_recording(options.file).source
    except RecordingError as error:
        raise RequestError(str(error)) from None
    return Opening(source, lambda stop: open_recording(options.file, stop=stop), options.record)


def _starter(options: Namespace, module: Module) -> StartSession:
    """What starts a session on a module; reads the arguments at once."""
    from shlo.debugger import Session
    from shlo.runner.arguments import entry_function, load_arguments

    function = entry_function(module, options.entry)
    arguments = load_arguments(function, options.arguments, filling_of(options), options.random or 0)
    call = {"entry": options.entry, "seed": options.seed, "max_steps": options.max_steps}
    return lambda stop: Session(module, arguments, stop=stop, **call)
