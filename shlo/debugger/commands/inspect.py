"""Commands that show: where the session is, frames, values, the program's text."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from shlo.debugger.commands.registry import DebuggerCommand
from shlo.debugger.commands.stepping import natural
from shlo.debugger.errors import DebuggerError, program_is_done
from shlo.debugger.inspect.areas import read_python_line
from shlo.debugger.session import Session
from shlo.debugger.tensors.bits import fields_text, hex_text
from shlo.debugger.tensors.summaries import summary_of
from shlo.debugger.text.format import (
    LONGEST_LINE,
    frame_text,
    local_text,
    reached_text,
    step_text,
    where_text,
)
from shlo.debugger.text.format_output import output_text
from shlo.debugger.text.format_structure import ops_text
from shlo.debugger.views.python import python_text
from shlo.debugger.views.values import found_values
from shlo.ir.source import Source
from shlo.ir.traced_names import result_labels
from shlo.runner.display import array_text, result_title
from shlo.runner.errors import RequestError
from shlo.text.numbers import exact_number_text, plural

Index = tuple[int | slice, ...]

HISTORY_SHOWN: Final = 8
"""How many values that a name had before are shown."""

AROUND: Final = 5
"""How many lines `list` shows above and below."""

FOUND_SHOWN: Final = 20
"""How many lines `find` shows."""

_VALUE = re.compile(r"%?(?P<name>[\w$.#-]+)\s*(?:\[(?P<index>[^\[\]]*)\])?\s*")
_NUMBER = r"\s*(-?[0-9]{1,18})?\s*"
_SLICE = re.compile(rf"{_NUMBER}(?:(:){_NUMBER}(?::{_NUMBER})?)?")


def read_value_and_index(text: str) -> tuple[str, Index | None]:
    """Returns the name and the slices of `%x[0, :, 3]`; None for no slices. Raises DebuggerError."""
    match = _VALUE.fullmatch(text)
    if match is None:
        raise DebuggerError(f"{text!r} names no value" if text else "expected a value: %0, %x[0, :]")
    written = match["index"]
    if written is None:
        return match["name"], None
    return match["name"], tuple(map(_place, written.split(","))) if written.strip() else ()


def _place(text: str) -> int | slice:
    """Returns a number, or a slice `start:stop:step`, each part of which may be left out."""
    match = _SLICE.fullmatch(text) if text.strip() else None
    if match is None or match[4] in ("0", "-0"):
        raise DebuggerError(f"{text.strip()!r} is no index: write 3, :, 2:5 or ::2")
    start, stop, step = (None if part is None else int(part) for part in match.group(1, 3, 4))
    return slice(start, stop, step) if match[2] else int(match[1])


def read_element(text: str) -> tuple[str, tuple[int, ...]]:
    """Returns the name and the index of `%x[0, 3]`; raises DebuggerError, also for slices."""
    name, index = read_value_and_index(text)
    if index is None or any(isinstance(item, slice) for item in index):
        raise DebuggerError("expected one element: %x[0, 3]")
    return name, tuple(item for item in index if isinstance(item, int))


def read_name(text: str) -> str:
    """Returns the name of `%x`; raises DebuggerError, also where slices follow."""
    name, index = read_value_and_index(text)
    if index is not None:
        raise DebuggerError("this looks at a whole value: leave the slices out")
    return name


def _history(session: Session, text: str) -> str:
    name = read_name(text)
    positions = session.inspector.history(name, session.selected_frame)
    shown = [
        f"[{at}] %{name} = {summary_of(session.inspector.value_at(name, at))}"
        for at in positions[-HISTORY_SHOWN:]
    ]
    more = [f"{len(positions) - HISTORY_SHOWN} before"] if len(positions) > HISTORY_SHOWN else []
    return "\n".join([*more, *shown])


def _bits(session: Session, text: str) -> str:
    name, index = read_value_and_index(text)
    part = session.inspector.part(name, index or (), session.selected_frame)
    if part.size != 1:
        raise DebuggerError(f"expected one element: %{name}[0, 3]; got {part.size:,}")
    element = part.reshape(-1)[0]
    return f"{exact_number_text(element)}\n{hex_text(element)}\n{fields_text(element)}"


def _save(session: Session, text: str) -> str:
    from shlo.runner.files import save_results

    match = _VALUE.match(text)
    path = text[match.end() :].strip() if match else ""
    if not match or not path or text[match.end() - 1] not in " ]":
        raise DebuggerError("write save %NAME[SLICES] FILE.npy")
    (name, index), frame = read_value_and_index(match[0]), session.selected_frame
    if os.path.exists(path):
        raise DebuggerError(f"{path} is there already and is not replaced")
    value = (
        session.inspector.value(name, frame) if index is None else session.inspector.part(name, index, frame)
    )
    try:
        save_results(path, [value])
    except RequestError as error:
        raise DebuggerError(error.with_hint) from None
    return f"%{match[0].strip().removeprefix('%')} is in {path}{_raw_type_note(value)}"


def _raw_type_note(value: Any) -> str:
    """Returns how to read a type that NumPy keeps as raw bytes; empty for its own types."""
    dtype = np.asarray(value).dtype
    if dtype.kind != "V" and dtype.name in np.sctypeDict:
        return ""
    return f"; NumPy reads {dtype.name} as raw bytes: np.load(...).view(ml_dtypes.{dtype.name})"


def _breakpoints(session: Session, text: str) -> str:
    return "\n".join(reached_text(session, point) for point in session.breakpoints) or "no breakpoints"


def _frames(session: Session, text: str) -> str:
    frames = session.snapshot.frames
    return "\n".join(frame_text(session, number) for number in range(len(frames))) or where_text(session)


def _locals(session: Session, text: str) -> str:
    frame = session.selected_frame
    views = session.inspector.values(frame) if session.snapshot.frames else ()
    matches = found_values(views, text, lambda name: session.inspector.summary(name, frame))
    return "\n".join(local_text(session, view, frame) for view in matches) or "no values"


def _results(session: Session, text: str) -> str:
    function = session.module.functions[session.run.entry]
    types = function.type.results
    labels = result_labels(function.operation, len(types))
    titles = [result_title(index, *result) for index, result in enumerate(zip(labels, types))]
    if session.snapshot.status != "done":
        return "\n".join([*titles, "they are computed when the program is done: continue goes on to the end"])
    shown = (f"{title}\n{array_text(value)}" for title, value in zip(titles, session.results))
    return "\n".join(shown) or "no results"


def _arguments(session: Session, text: str) -> str:
    frames = session.snapshot.frames
    if not frames:
        raise program_is_done()
    depth = session.selected_frame + 1
    while frames[depth - 1].region is not None:
        depth -= 1
    frame = depth - 1
    views = [view for view in session.inspector.values(frame) if view.is_argument and view.depth == depth]
    return "\n".join(local_text(session, view, frame) for view in views) or "no arguments"


TOPICS: Final[dict[str, Callable[[Session, str], str]]] = {
    "args": _arguments,
    "breakpoints": _breakpoints,
    "frames": _frames,
    "locals": _locals,
    "output": lambda session, text: output_text(session),
    "results": _results,
    "step": lambda session, text: step_text(session),
    "unused": lambda session, text: ops_text(session.structure.unused(), FOUND_SHOWN) or "no dead code",
}
"""What `info` tells about; the beginning of a word is enough."""


def _info(session: Session, text: str) -> str:
    word, _, rest = text.partition(" ")
    topics = [topic for topic in TOPICS if word and topic.startswith(word)]
    if not topics:
        raise DebuggerError(f"info tells about {', '.join(TOPICS)}")
    return TOPICS[topics[0]](session, rest.strip())


def _source(session: Session) -> Source:
    source = session.module.source
    if source is None:
        raise DebuggerError("the program has no text")
    return source


def _list_python(session: Session, text: str) -> str:
    if text:
        area = read_python_line(text)
        if area is None:
            raise DebuggerError(f"expected list python FILE.py:LINE, got {text!r}")
        files = {at.file for op in session.structure.find(text) for at in op.origin.lines if area.is_at(at)}
        return python_text(session, min(files, default=area.file), area.line, AROUND)
    frames = session.snapshot.frames
    source_line = frames[session.selected_frame].origin.line if frames else None
    if source_line is None:
        raise DebuggerError("the operation has no line of Python") if frames else program_is_done()
    return python_text(session, source_line.file, source_line.line, AROUND)


def _list(session: Session, text: str) -> str:
    word, _, rest = text.partition(" ")
    if word == "python":
        return _list_python(session, rest.strip())
    source, here = _source(session), _current_line(session)
    middle = natural(text, "a line") if text else here or 1
    last = min(middle + AROUND, len(source.line_starts))
    stops = {point.where for point in session.breakpoints if point.kind == "line"}
    lines = (
        _line(source, line, line == here, line in stops) for line in range(max(middle - AROUND, 1), last + 1)
    )
    return "\n".join(lines) or f"the program has {len(source.line_starts)} lines"


def _find(session: Session, text: str) -> str:
    if not text:
        raise DebuggerError("expected a text to look for")
    source, here = _source(session), _current_line(session)
    ops, lines = session.structure.find(text), session.structure.find_lines(text)
    title = [f"{plural(len(ops), 'operation')} in {text}"] if ops else []
    more = [f"{len(lines) - FOUND_SHOWN} lines more"] if len(lines) > FOUND_SHOWN else []
    shown = [_line(source, line, line == here, False) for line in lines[:FOUND_SHOWN]]
    return "\n".join([*title, *shown, *more]) or "not found"


def _line(source: Source, line: int, is_here: bool, is_stop: bool) -> str:
    marks = f"{'->' if is_here else '  '}{'*' if is_stop else ' '}"
    return f"{marks}{line:5} {source.line_text(line)[:LONGEST_LINE]}"


def _current_line(session: Session) -> int | None:
    frames = session.snapshot.frames
    return frames[session.selected_frame].line if frames else None


INSPECT_COMMANDS: Final = (
    DebuggerCommand(
        ("where", "w", "bt"), "", "tell where the session is", lambda session, text: where_text(session)
    ),
    DebuggerCommand(("backtrace", "frames"), "", "show the frames, the outermost first", _frames),
    DebuggerCommand(("values", "locals"), "[FILTER]", "show the values in scope", _locals),
    DebuggerCommand(("bits",), "%NAME[INDEX]", "show the bits of an element, by fields", _bits, "value"),
    DebuggerCommand(
        ("history",), "%NAME", "where a value was bound so far, and what it was", _history, "value"
    ),
    DebuggerCommand(
        ("save",), "%NAME[SLICES] FILE.npy", "write a value or a part to a new file", _save, "value"
    ),
    DebuggerCommand(
        ("info", "i"),
        "args | breakpoints | frames | locals [FILTER] | output | results | step | unused",
        "tell about the session",
        _info,
        "topic",
    ),
    DebuggerCommand(
        ("list", "l"),
        "[LINE] | python [FILE.py:LINE]",
        "show the source around a line or the place; the Python that it was made from",
        _list,
    ),
    DebuggerCommand(
        ("find", "/"),
        "SCOPE | FILE.py:LINE | TEXT",
        "show the lines of a scope, of a line of Python, or that have a text",
        _find,
        "scope",
    ),
)
