"""The stepper's view of the source: all of it where the page runs scripts, with the place of the stepper."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from ipywidgets import HTML, Layout, Text, VBox
from markupsafe import Markup

from shlo.debugger import FrameView, Session
from shlo.ir.operations import Module
from shlo.ir.source import JoinedSource, Source, Span
from shlo.pages.packing import packed
from shlo.places.words import short_line_text
from shlo.text.escape import escaped
from shlo.text.shortening import clipped
from shlo_kernel.mime.markup import highlighted_lines, render, shown
from shlo_kernel.widgets.script import script_output

AROUND: Final = 7
"""How many lines are shown above and below the current one where a page runs no scripts."""
WIDEST: Final = 240
"""How many characters of a line are shown."""
MAX_LINES: Final = 100_000
"""How many lines a page is given; of a longer text those around the current one are shown."""

_LOCATION: Final = re.compile(r" loc\((?:#\w+|unknown)\)")
_BORDER: Final = "1px solid var(--jp-border-color2,#ddd)"
_VIEW: Final = Markup(
    '<shlo-source-view view="{}"><script type="application/json">{}</script></shlo-source-view>'
)
_PLACE: Final = Markup(
    '<shlo-source-place view="{}" at="{}" here="{}"{} breakpoints="{}" chosen="{}">{}</shlo-source-place>'
)
_TOLD: Final = re.compile(r"(?:break|key (\S)) (\d{1,9}) \d+")


class SourcePane(VBox):
    """The source of a session's program.

    Args:
        keys: the keys that are told from the view, and what each is for.
        toggle: called with a line whose margin is clicked.
        press: called with a key and the line of the view's cursor.
    """

    def __init__(
        self, keys: Mapping[str, str], toggle: Callable[[int], None], press: Callable[[str, int], None]
    ) -> None:
        self._view = secrets.token_hex(8)
        self._keys, self._toggle, self._press = keys, toggle, press
        self._module: Module | None = None
        self.html, self.place = HTML(), HTML()
        self.told = Text(continuous_update=False, layout=Layout(display="none"))
        self.told.add_class(f"shlo-picked-{self._view}")
        self.told.observe(self._hear, "value")
        layout = Layout(flex="1 1 62%", min_width="0", overflow="auto", border=_BORDER)
        super().__init__([script_output("source_view"), self.html, self.place, self.told], layout=layout)

    def show(self, session: Session, chosen: int | None = None) -> None:
        """Shows where a session is, and a line that was chosen."""
        if session.module is not self._module:
            self._module = session.module
            self.html.value = self._drawn(session)
        points = " ".join(map(str, sorted(_breakpoints(session))))
        done = Markup(" done") if session.selected_frame < 0 else ""
        here = current_line(session) or ""
        at = f"{session.position} {session.selected_frame} {chosen or ''}"
        around = source_html(session, chosen)
        self.place.value = _PLACE.format(self._view, at, here, done, points, chosen or "", around)

    def _drawn(self, session: Session) -> str:
        source = session.module.source
        if source is None or len(source.line_starts) > MAX_LINES:
            return ""
        return _VIEW.format(self._view, packed(_source_data(session, source, self._keys)))

    def _hear(self, change: Any) -> None:
        """Reads what the view asks for: `break LINE N`, `key KEY LINE N`; the number N makes them differ."""
        match = _TOLD.fullmatch(str(change.new))
        if match is None:
            return
        line = int(match[2])
        if match[1] is None:
            self._toggle(line)
        elif match[1] in self._keys:
            self._press(match[1], line)


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
    breakpoints = _breakpoints(session)
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


def origin_html(session: Session, frame: FrameView | None) -> Markup:
    """Returns the scope and the line of Python that an operation came from, with its text; nothing where
    that is not known."""
    if frame is None:
        return Markup("")
    line = frame.origin.line
    text = clipped(session.structure.python.text_of(line), WIDEST, " ...")
    words = " · ".join(filter(None, (frame.origin.scope, short_line_text(line), text)))
    return Markup('<span style="opacity:.7">{}</span>').format(shown(words)) if words else Markup("")


def _source_data(session: Session, source: Source, keys: Mapping[str, str]) -> dict[str, Any]:
    """Returns what the view reads (`SourceData` of web/src/source_model.ts)."""
    numbers = range(1, len(source.line_starts) + 1)
    labels = [escaped(source.line_label(line)) for line in numbers]
    origins = {op.line: short_line_text(op.origin.line) for op in reversed(session.structure.index.ops)}
    return {
        "lines": [escaped(_clipped(source, line)) for line in numbers],
        "labels": labels if isinstance(source, JoinedSource) else None,
        "origins": [origins.get(line, "") for line in numbers] if any(origins.values()) else None,
        "keys": dict(keys),
    }


def _breakpoints(session: Session) -> set[int]:
    """Returns the lines that have a breakpoint which is on."""
    return {int(point.where) for point in session.breakpoints if point.kind == "line" and point.enabled}


def _current(session: Session) -> Span | None:
    """Returns the span of the next operation, or of the last one."""
    snapshot = session.snapshot
    if snapshot.frames:
        return snapshot.frames[session.selected_frame].span
    return snapshot.last_step.span if snapshot.last_step else None


def _clipped(source: Source, line: int) -> str:
    text = _LOCATION.sub("", source.line_text(line)[: 4 * WIDEST])
    return clipped(text, WIDEST, " ...")
