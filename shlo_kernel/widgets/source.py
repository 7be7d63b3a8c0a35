"""The stepper's view of the source: some lines around the current operation, and where it came from."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup

from shlo.debugger import FrameView, Session
from shlo.ir.source import Source, Span
from shlo.runner.python_source import cell_name
from shlo.text.shortening import clipped
from shlo_kernel.mime.markup import highlighted_lines, render, shown

AROUND: Final = 7
"""How many lines are shown above and below the current one."""
WIDEST: Final = 240
"""How many characters of a line are shown."""

_LOCATION: Final = re.compile(r" loc\((?:#\w+|unknown)\)")


def current_line(session: Session) -> int | None:
    """Returns the line of the selected frame's operation; of a program that is done, that of the last one
    that ran. None where nothing tells."""
    source, span = session.module.source, _current(session)
    return None if source is None or span is None else source.line_of(span.start)


def source_html(session: Session, chosen: int | None = None) -> Markup:
    """Returns the lines around the current one, or around one that was chosen."""
    source, current = session.module.source, current_line(session)
    if source is None or current is None:
        frame = session.snapshot.frame
        return render("source", rows=[], operation=frame.op if frame else "")
    breakpoints = {
        int(point.where) for point in session.breakpoints if point.kind == "line" and point.enabled
    }
    here = current if chosen is None else chosen
    last = min(max(here + AROUND, 2 * AROUND + 1), len(source.line_starts))
    first = max(min(here - AROUND, last - 2 * AROUND), 1)
    lines = highlighted_lines("\n".join(_clipped(source, line) for line in range(first, last + 1)))
    is_done = session.selected_frame < 0
    rows = [
        (source.line_label(line), text, line == current and not is_done, line in breakpoints, line == chosen)
        for line, text in enumerate(lines, first)
    ]
    return render("source", rows=rows)


def origin_html(frame: FrameView | None) -> Markup:
    """Returns the scope and the line of Python that an operation came from; nothing where that is not
    known."""
    if frame is None:
        return Markup("")
    line = frame.origin.line
    name = (cell_name(line.file) or line.file.replace("\\", "/").rpartition("/")[2]) if line else ""
    place = f"{name}:{line.line}" if line else ""
    words = " · ".join(filter(None, (frame.origin.scope, place)))
    return Markup('<span style="opacity:.7">{}</span>').format(shown(words)) if words else Markup("")


def _current(session: Session) -> Span | None:
    """Returns the span of the next operation, or of the last one."""
    snapshot = session.snapshot
    if snapshot.frames:
        return snapshot.frames[session.selected_frame].span
    return snapshot.last_step.span if snapshot.last_step else None


def _clipped(source: Source, line: int) -> str:
    text = _LOCATION.sub("", source.line_text(line)[: 4 * WIDEST])
    return clipped(text, WIDEST, " ...")
