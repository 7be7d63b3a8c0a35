"""What `shlo debug` is given, opened, for the screen or a script: a program with arguments, alone or in each
process of a grid, or a recording.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import (
    arguments_of,
    grid_call_of,
    recording_of,
    refuse_without_grid,
    selection_of,
    stubs_of,
)
from shlo.debugger import Session
from shlo.debugger.commands.table import run_script
from shlo.debugger.errors import RecordingError
from shlo.debugger.launch import Launch, Stop
from shlo.debugger.recording.file import open_recording, read_recording
from shlo.debugger.recording.frames import MAGIC
from shlo.debugger.recording.recorder import Recorder, record
from shlo.interpreter import Channels
from shlo.interpreter.spmd.legacy import legacy_partitions
from shlo.interpreter.spmd.needed_grid import MOST_UNASKED, NeededGrid, needed_grid
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.runner.arguments.call import entry_function
from shlo.runner.arguments.feeds import read_infeed
from shlo.runner.errors import RequestError
from shlo.runner.files import open_program, read_bytes
from shlo.runner.interrupts import interruptible
from shlo.runner.validity import valid_program
from shlo.support.files import open_input
from shlo.support.suffixes import CAPTURE_SUFFIX, has_suffix
from shlo.text.diagnostics import failure_lines

PROMPT = "(shlo) "


def open_for_debugging(options: Namespace) -> Launch:
    """Returns what the options name; raises RequestError, and ParseError of a program that is not valid."""
    if _is_recording(options.file):
        launch = _recording(options)
    else:
        launch = _process(options) if options.grid is None else _grid(options)
    launch.at = options.at
    launch.sanitize = options.sanitize
    if options.shadow is not None:
        launch.follow_shadow(options.shadow)
    selection_of(options)
    if has_suffix(options.file, CAPTURE_SUFFIX):
        from shlo.runner.capture import sources_of  # loads zipfile

        launch.python_texts = sources_of(options.file)
    launch.source_roots = (*options.source_root, os.path.dirname(options.file) or ".")
    return launch


def _is_recording(path: str) -> bool:
    if path == "-":
        return False
    try:
        with open_input(path) as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False  # who reads the program says why


def _recording(options: Namespace) -> Launch:
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
        _recording_to(options),
        recording.shape,
        grid_text=f"grid {recording.shape.replicas}x{recording.shape.partitions} from the recording",
    )


def _recording_to(options: Namespace) -> Callable[[Session], Recorder] | None:
    """Returns what records a session as the options of `add_recording` say."""
    chosen = recording_of(options)
    if options.record is None:
        return None
    return lambda session: record(session, options.record, **chosen)


def _grid(
    options: Namespace, needed: NeededGrid | None = None, programs: Mapping[str, Module] | None = None
) -> Launch:
    """Returns the grid that the options name, or the one that the program needs."""
    notes = [] if needed is None else [str(needed)]
    note = partial(_add_once, notes)
    call = grid_call_of(options, note, needed and (needed.replicas, needed.partitions), programs)
    read = {id(module): _with_source(module, options.file) for module in call.modules}
    call = replace(call, modules=tuple(read[id(module)] for module in call.modules))
    inputs = call.inputs if len(call.places) > 1 else next(iter(call.inputs))
    keywords = {**_limits(options), **call.keywords()}
    sources = tuple(module.source for module in call.modules if module.source is not None)
    shape = GridShape(call.replicas, call.partitions)
    return Launch(
        sources,
        lambda stop: Session(call.modules, inputs, stop=stop, **keywords),
        _recording_to(options),
        shape,
        notes,
        str(needed or f"grid {call.replicas}x{call.partitions} from --grid"),
    )


def _add_once(notes: list[str], text: str) -> None:
    """Adds a note, unless another process had the same."""
    if text not in notes:
        notes.append(text)


def _with_source(module: Module, name: str) -> Module:
    """Returns a program with a text to show; that of bytecode is the one that MLIR would print."""
    return module if module.source is not None else valid_program(Source(module.to_text(), name))


def _limits(options: Namespace) -> dict[str, Any]:
    return {
        "seed": options.seed,
        "max_steps": options.max_steps,
        "stubs": stubs_of(options),
        "semantics": options.semantics,
        "threads": options.threads,
    }


def _process(options: Namespace) -> Launch:
    """Returns one process; its arguments are read at once. Where the function needs a process for each device
    of a mesh, returns such a grid.
    """
    program = open_program(options.file)
    source = program if isinstance(program, Source) else Source(program.to_text(), options.file)
    module = valid_program(source)
    function = entry_function(module, options.entry)
    needed = needed_grid(module, options.entry)
    if needed is not None and needed.size <= MOST_UNASKED:
        programs = {options.file: module if isinstance(program, Source) else program}
        return _grid(options, needed, programs)
    if needed is not None and legacy_partitions(module, options.entry) > 1:
        raise RequestError(
            f"expected a process for each of {needed.partitions} devices, got one",
            f"--grid 1x{needed.partitions} starts them",
        )
    refuse_without_grid(options)
    notes: list[str] = []
    of_call = module if isinstance(program, Source) else program
    arguments = arguments_of(of_call, function, options, notes.append)
    items = [] if options.infeed is None else read_infeed(options.infeed, module)
    keywords = {"entry": options.entry, **_limits(options)}

    def start(stop: Stop) -> Session:
        return Session(module, arguments, stop=stop, channels=Channels.fed(items), **keywords)

    return Launch((source,), start, _recording_to(options), notes=notes)


def run_script_file(options: Namespace, console: Console) -> int:
    """Carries out the commands of a file without a screen, and prints them with what they answer.

    Returns:
        The exit code: 1 where the program fails on the way, 2 where a command cannot be carried out. What
        prevents the session from starting raises as for `shlo run`.
    """
    lines = script_lines(options)
    launch = open_for_debugging(options)
    for note in launch.notes:
        console.print(note)
    try:
        return interruptible(lambda: run_lines(launch.start(), options.script, lines, console))
    except ExecutionError as error:
        console.report(failure_lines(launch.source_of(error.place), error))
        return FINDINGS
    except RecordingError as error:
        raise RequestError(str(error)) from None
    finally:
        launch.close()


def script_lines(options: Namespace) -> list[str]:
    """Returns the lines of the script that the options name.

    Raises RequestError.
    """
    if options.file == options.script == "-":
        raise RequestError("standard input cannot hold the program and the script")
    return read_bytes(options.script).decode("utf-8", "replace").splitlines()


def run_lines(session: Session, script: str, lines: list[str], console: Console) -> int:
    """Carries out the lines of a script and prints what they answer; returns the exit code."""
    code, name = FINE, "<stdin>" if script == "-" else script
    for entry in run_script(session, lines):
        console.print(f"{PROMPT}{entry.line}")
        if entry.failed:
            console.message("error", entry.reply.text, f"{name}:{entry.number}")
            code = COULD_NOT
            continue
        if entry.reply.text:
            console.print(entry.reply.text)
        if entry.reply.snapshot.error:
            code = max(code, FINDINGS)
    return code
