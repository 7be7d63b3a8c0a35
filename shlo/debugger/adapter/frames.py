"""Requests about processes, frames and texts of programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from shlo.debugger.adapter.debuggee import END, Debuggee, ProgramText, source_of
from shlo.debugger.adapter.protocol import (
    Empty,
    LoadedSourcesResponseBody,
    ModulesArguments,
    ModulesResponseBody,
    Source,
    SourceArguments,
    SourceResponseBody,
    StackFrame,
    StackTraceArguments,
    StackTraceResponseBody,
    ThreadsResponseBody,
)
from shlo.debugger.adapter.validation import LONGEST
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import FrameView
from shlo.ir.source import Position
from shlo.places.origins import SourceLine
from shlo.runner.python_source import find_python_file
from shlo.text.escape import escaped
from shlo.text.shortening import clipped

SCHEME = "text/x-mlir"
TEXT_BITS: Final = 32
"""Bits of an operation's number that say where it is in the text; those above, in which program."""


def threads(debuggee: Debuggee, _: Empty) -> ThreadsResponseBody:
    """Returns the processes, as threads."""
    grid = debuggee.session.grid
    if grid is None:
        return {"threads": [{"id": 1, "name": escaped(f"@{debuggee.session.run.entry}")}]}
    return {
        "threads": [
            {"id": process.number + 1, "name": escaped(f"process {process.label}: {process.status}")}
            for process in grid.processes
        ]
    }


def stack_trace(debuggee: Debuggee, arguments: StackTraceArguments) -> StackTraceResponseBody:
    """Returns the frames of a process, the innermost first, then the lines of Python that led to the next
    operation.
    """
    debuggee.select(arguments["threadId"] - 1)
    frames = debuggee.session.snapshot.frames
    places = frames[-1].origin.lines if frames else ()
    first, count = arguments.get("startFrame", 0), arguments.get("levels", 0)
    if not frames:
        return {"stackFrames": [_end_frame(debuggee)], "totalFrames": 1}
    total = len(frames) + len(places)
    if first < 0 or count < 0:
        raise DebuggerError(f"expected startFrame and levels from 0, got {first} and {count}")
    shown: list[StackFrame] = []
    for number in range(first, min(first + count, total) if count else total):
        if number < len(frames):
            index = len(frames) - 1 - number
            shown.append(_frame(debuggee, frames[index], index))
        else:
            shown.append(_python_frame(debuggee, places[number - len(frames)], len(frames) - 1))
    return {"stackFrames": shown, "totalFrames": total}


def _frame(debuggee: Debuggee, frame: FrameView, index: int) -> StackFrame:
    name = (
        f"@{frame.function}"
        if frame.region is None
        else f"{frame.region_name or 'region'} of @{frame.function}"
    )
    if frame.region is not None and frame.iteration:
        name += f", round {frame.iteration}"
    process = debuggee.session.cursor.selected
    body: StackFrame = {
        "id": debuggee.frames.add((process, index), (process, index)),
        "name": escaped(f"{name}: {frame.op}"),
        "line": 0,
        "column": 0,
        "canRestart": frame.region is None,
        "moduleId": debuggee.programs.index(debuggee.program),
    }
    text = debuggee.session.module.source
    if frame.line is not None and frame.column is not None and text is not None:
        body["source"] = source_of(debuggee, debuggee.program)
        body["line"] = debuggee.client.line(frame.line)
        body["column"] = debuggee.client.column(text.line_text(frame.line), frame.column)
        offset = text.line_starts[frame.line - 1] + frame.column - 1
        body["instructionPointerReference"] = reference_of(debuggee, offset)
    return body


def reference_of(debuggee: Debuggee, offset: int) -> str:
    """Returns by which number the client knows the operation at an offset of the program's text."""
    return hex(debuggee.programs.index(debuggee.program) << TEXT_BITS | offset)


def place_of(debuggee: Debuggee, reference: str, offset: int) -> Position:
    """Returns where the operation is that begins `offset` characters behind the one of a number (see
    `reference_of`), in the program of a process, which is selected; raises DebuggerError where none does.
    """
    programs = debuggee.programs
    try:
        number, at = divmod(int(reference, 0) + offset, 1 << TEXT_BITS)
    except ValueError:
        number, at = len(programs), 0
    if 0 <= number < len(programs):
        if programs[number] != debuggee.program:
            debuggee.select(debuggee.process_of(programs[number]))
        text = debuggee.session.module.source
        position = None if text is None else text.position(at)
        if position is not None and position.column in debuggee.session.run.listing.columns_on(position.line):
            return position
    shown = clipped(repr(reference), LONGEST) + (f" + {offset}" if offset else "")
    raise DebuggerError(f"expected the reference of an operation, got {shown}")


def _end_frame(debuggee: Debuggee) -> StackFrame:
    """Returns what a process that is done shows: its last operation, with the results in scope."""
    process, step = debuggee.session.cursor.selected, debuggee.session.snapshot.last_step
    body: StackFrame = {
        "id": debuggee.frames.add((process, END), (process, END)),
        "name": escaped(f"@{debuggee.session.run.entry}: the end"),
        "line": 0,
        "column": 0,
    }
    if step is not None and step.line is not None:
        body["source"] = source_of(debuggee, debuggee.program)
        body["line"] = debuggee.client.line(step.line)
        body["column"] = debuggee.client.columns_from
    return body


def _python_frame(debuggee: Debuggee, source_line: SourceLine, index: int) -> StackFrame:
    process = debuggee.session.cursor.selected
    return {
        "id": debuggee.frames.add((process, index, source_line), (process, index)),
        "name": escaped(source_line.function or "Python"),
        "line": debuggee.client.line(source_line.line),
        "column": max(source_line.column - 1, 0) + debuggee.client.columns_from,
        "source": _python_source(debuggee, source_line.file),
        "canRestart": False,
    }


def _python_source(debuggee: Debuggee, file: str) -> Source:
    located = find_python_file(file, debuggee.session.structure.python.folders)
    name = escaped(file.replace("\\", "/").rpartition("/")[2])
    return {"name": name, "origin": "not found"} if located is None else {"name": name, "path": str(located)}


def location_file(debuggee: Debuggee, path: str) -> str:
    """Returns how locations name the Python file that a client knows by a path; the path, if none does."""
    folders = debuggee.session.structure.python.folders
    named = (file for file in _python_files(debuggee) if str(find_python_file(file, folders)) == path)
    return next(named, path)


def _python_files(debuggee: Debuggee) -> Iterable[str]:
    """Returns the files that the locations of the program name, each once."""
    ops = debuggee.session.structure.index.ops
    return dict.fromkeys(source_line.file for op in ops for source_line in op.origin.lines)


def source(debuggee: Debuggee, arguments: SourceArguments) -> SourceResponseBody:
    """Returns the text of a program whose file holds none."""
    number = arguments.get("source", {}).get("sourceReference", 0) or arguments["sourceReference"]
    programs = debuggee.programs
    if not 0 < number <= len(programs):
        raise DebuggerError(f"expected the reference of a source, got {number}")
    return {"content": programs[number - 1].text, "mimeType": SCHEME}


def modules(debuggee: Debuggee, arguments: ModulesArguments) -> ModulesResponseBody:
    """Returns the programs, as modules."""
    programs = debuggee.programs
    first, count = arguments.get("startModule", 0), arguments.get("moduleCount", 0) or len(programs)
    return {
        "modules": [
            {"id": number, "name": _name(program), "path": program.path, "isUserCode": True}
            for number, program in list(enumerate(programs))[max(first, 0) :][: max(count, 0)]
        ],
        "totalModules": len(programs),
    }


def loaded_sources(debuggee: Debuggee, _: Empty) -> LoadedSourcesResponseBody:
    """Returns the texts of the programs, and the files of Python that led to their operations."""
    sources = [source_of(debuggee, program) for program in debuggee.programs]
    return {"sources": [*sources, *(_python_source(debuggee, file) for file in _python_files(debuggee))]}


def _name(program: ProgramText) -> str:
    return escaped(program.path.replace("\\", "/").rpartition("/")[2])
