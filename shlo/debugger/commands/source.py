"""Commands that show the program's text."""

from __future__ import annotations

from typing import Final

from shlo.debugger.commands.registry import Command
from shlo.debugger.commands.stepping import natural
from shlo.debugger.errors import DebuggerError
from shlo.debugger.session import Session
from shlo.debugger.text.format import LONGEST_LINE
from shlo.ir.source import Source

AROUND: Final = 5
"""How many lines `list` shows above and below."""

FOUND_SHOWN: Final = 20
"""How many lines `find` shows."""


def _source(session: Session) -> Source:
    source = session.module.source
    if source is None:
        raise DebuggerError("the program has no text")
    return source


def _list(session: Session, text: str) -> str:
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
    source, here, found = _source(session), _current_line(session), list[int]()
    at = source.text.find(text)
    while at >= 0:
        line = source.line_of(at)
        found.append(line)
        at = source.text.find(text, source.line_starts[line]) if line < len(source.line_starts) else -1
    more = [f"{len(found) - FOUND_SHOWN} lines more"] if len(found) > FOUND_SHOWN else []
    shown = [_line(source, line, line == here, False) for line in found[:FOUND_SHOWN]]
    return "\n".join([*shown, *more]) or "not found"


def _line(source: Source, line: int, is_here: bool, is_stop: bool) -> str:
    marks = f"{'->' if is_here else '  '}{'*' if is_stop else ' '}"
    return f"{marks}{line:5} {source.line_text(line)[:LONGEST_LINE]}"


def _current_line(session: Session) -> int | None:
    frames = session.snapshot.frames
    return frames[session.selected_frame].line if frames else None


SOURCE_COMMANDS: Final = (
    Command(("list", "l"), "[LINE]", "show the source around a line or the place", _list),
    Command(("find", "/"), "TEXT", "show the lines of the source that have a text", _find),
)
