"""The stepper's view of the source: some lines around the current operation, and where it came from."""

from __future__ import annotations

import re
from typing import Final

from shlo.debugger import FrameView, Session
from shlo.ir.source import Source, Span
from shlo_kernel.mime.highlight import highlighted_lines, shown

AROUND: Final = 7
"""How many lines are shown above and below the current one."""
WIDEST: Final = 240
"""How many characters of a line are shown."""

_LOCATION: Final = re.compile(r" loc\((?:#\w+|unknown)\)")
_BOX: Final = (
    "margin:0;padding:4px 0;line-height:1.35;font-size:12px;white-space:pre;width:max-content;min-width:100%;"
    "font-family:var(--jp-code-font-family,monospace)"
)
_HERE: Final = "background:var(--jp-warn-color3,#fff3c4);box-shadow:inset 3px 0 var(--jp-warn-color1,#f57c00)"
_MARGIN: Final = "opacity:.5;user-select:none"
_BREAKPOINT: Final = "color:var(--jp-error-color1,#d32f2f)"


def source_html(session: Session) -> str:
    """The lines around the operation that the selected frame stands at; of a program that is done, around the
    last one that ran."""
    source, span = session.module.source, _current(session)
    if source is None or span is None:
        return f'<pre style="{_BOX}"> {shown(_operation(session))}</pre>'
    stopping = {int(point.where) for point in session.breakpoints if point.kind == "line" and point.enabled}
    here = source.line_of(span.start)
    last = min(max(here + AROUND, 2 * AROUND + 1), len(source.line_starts))
    first = max(min(here - AROUND, last - 2 * AROUND), 1)
    texts = (_clipped(source, line) for line in range(first, last + 1))
    is_done = session.selected_frame < 0
    rows = (
        _row(line, html, line == here and not is_done, line in stopping)
        for line, html in enumerate(highlighted_lines("\n".join(texts)), first)
    )
    return f'<pre class="shlo-source" style="{_BOX}">{"".join(rows)}</pre>'


def origin_html(frame: FrameView | None) -> str:
    """The scope and the line of Python that an operation came from; nothing where that is not known."""
    if frame is None:
        return ""
    line = frame.origin.line
    place = f"{line.file.replace(chr(92), '/').rpartition('/')[2]}:{line.line}" if line else ""
    words = " · ".join(filter(None, (frame.origin.scope, place)))
    return f'<span style="opacity:.7">{shown(words)}</span>' if words else ""


def _current(session: Session) -> Span | None:
    """Where the operation stands that is next, or that was the last."""
    snapshot = session.snapshot
    if snapshot.frames:
        return snapshot.frames[session.selected_frame].span
    return snapshot.taken.span if snapshot.taken else None


def _operation(session: Session) -> str:
    frame = session.snapshot.frame
    return frame.op if frame else ""


def _clipped(source: Source, line: int) -> str:
    text = _LOCATION.sub("", source.line_text(line)[: 4 * WIDEST])
    return text if len(text) <= WIDEST else f"{text[:WIDEST]} ..."


def _row(line: int, html: str, is_here: bool, stops: bool) -> str:
    mark = f'<span style="{_BREAKPOINT}">●</span>' if stops else " "
    arrow = "▶" if is_here else " "
    margin = f'{mark}<span style="{_MARGIN}">{line:4}</span> {arrow} '
    style = f' class="shlo-here" style="{_HERE}"' if is_here else ""
    return f"<div{style}>{margin}{html}</div>"
