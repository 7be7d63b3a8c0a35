"""What `shlo debug` is given, opened, with a screen or without: a program with arguments, alone or in each
process of a grid, or a recording.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from shlo.command_line.options import arguments_of, grid_call_of, refuse_without_grid, stubs_of
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.source import Source
from shlo.runner.errors import RequestError

if TYPE_CHECKING:
    from shlo.debugger import Session
    from shlo.debugger.recording.file import Recorder
    from shlo.ir.operations import Module

Stop = Callable[[], bool] | None
StartSession = Callable[[Stop], "Session"]


@dataclass
class Launch:
    """What is debugged: the text of each process's program, the shape of the grid, and what starts a session.
    `close` ends the recording.
    """

    sources: tuple[Source, ...]
    _start: StartSession
    record_to: str | None = None
    shape: GridShape = field(default_factory=GridShape)
    _recorders: list[Recorder] = field(default_factory=list["Recorder"])

    @property
    def source(self) -> Source:
        """The text of the first process's program."""
        return self.sources[0]

    def start(self, stop: Stop = None) -> Session:
        """Returns the session; `stop` tells it when to stop. Raises ExecutionError and DebuggerError."""
        session = self._start(stop)
        if self.record_to is not None:
            from shlo.debugger.recording.file import record

            self._recorders.append(record(session, self.record_to))
        return session

    def source_of(self, place: str | None) -> Source:
        """Returns the text of the program that a place is in."""
        name = (place or "").rstrip(":").rsplit(":", 2)[0]
        return next((source for source in self.sources if source.name == name), self.source)

    def close(self) -> str | None:
        """Ends the recording; says what went wrong with it."""
        for recorder in self._recorders:
            recorder.close()
            return recorder.error
        return None


def open_for_debugging(options: Namespace) -> Launch:
    """Returns what the options name; raises RequestError, and ParseError of a program that is not valid."""
    if _is_recording(options.file):
        return _recording(options)
    if options.grid is not None:
        return _grid(options)
    refuse_without_grid(options)
    from shlo.runner.files import open_program
    from shlo.runner.validity import valid_program

    program = open_program(options.file)
    source = program if isinstance(program, Source) else Source(program.to_text(), options.file)
    module = valid_program(source)
    return Launch((source,), _starter(options, module, program), options.record)


def _is_recording(path: str) -> bool:
    from shlo.debugger.recording.frames import MAGIC

    if path == "-":
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False  # who reads the program says why


def _recording(options: Namespace) -> Launch:
    from shlo.debugger.errors import RecordingError
    from shlo.debugger.recording.file import open_recording, read_recording

    if options.arguments or options.infeed is not None:
        raise RequestError("a recording has its arguments in it; none can be given")
    if options.grid is not None:
        raise RequestError("a recording has its grid in it; none can be given")
    try:
        recording = read_recording(options.file)
    except RecordingError as error:
        raise RequestError(str(error)) from None
    stubs, size = stubs_of(options), recording.shape.size
    sources = tuple(recording.sources) if len(recording.sources) > 1 else (recording.source,) * size
    return Launch(
        sources,
        lambda stop: open_recording(options.file, stubs=stubs, stop=stop),
        options.record,
        recording.shape,
    )


def _grid(options: Namespace) -> Launch:
    from shlo.debugger import Session

    call = grid_call_of(options)
    read = {id(module): _with_source(module, options.file) for module in call.modules}
    modules = tuple(read[id(module)] for module in call.modules)
    call = replace(call, modules=modules)
    limits = {
        "seed": options.seed,
        "max_steps": options.max_steps,
        "stubs": stubs_of(options),
        "semantics": options.semantics,
    }
    inputs = call.inputs if len(call.places) > 1 else next(iter(call.inputs))

    def start(stop: Stop) -> Session:
        return Session(modules, inputs, stop=stop, **limits, **call.keywords())

    sources = tuple(map(_text, modules))
    return Launch(sources, start, options.record, GridShape(call.replicas, call.partitions))


def _text(module: Module) -> Source:
    assert module.source is not None
    return module.source


def _with_source(module: Module, name: str) -> Module:
    """Returns a program with a text to show; that of bytecode is the one that MLIR would print."""
    from shlo.runner.validity import valid_program

    return module if module.source is not None else valid_program(Source(module.to_text(), name))


def _refuse_sharded(module: Module, entry: str) -> None:
    """Raises RequestError where a function needs a process for each device."""
    from shlo.interpreter.spmd.legacy import legacy_partitions

    partitions = legacy_partitions(module, entry)
    if partitions > 1:
        raise RequestError(
            f"expected a process for each of {partitions} devices, got one",
            f"--grid 1x{partitions} starts them",
        )


def _starter(options: Namespace, module: Module, program: Source | Module) -> StartSession:
    """What starts a session on a module, which was read from `program`; reads the arguments at once."""
    from shlo.debugger import Session
    from shlo.interpreter import Channels
    from shlo.runner.arguments.call import entry_function
    from shlo.runner.arguments.feeds import read_infeed

    function = entry_function(module, options.entry)
    _refuse_sharded(module, options.entry)
    arguments = arguments_of(module if isinstance(program, Source) else program, function, options)
    items = [] if options.infeed is None else read_infeed(options.infeed, module)
    call = {
        "entry": options.entry,
        "seed": options.seed,
        "max_steps": options.max_steps,
        "stubs": stubs_of(options),
        "semantics": options.semantics,
    }
    return lambda stop: Session(module, arguments, stop=stop, channels=Channels.fed(items), **call)
