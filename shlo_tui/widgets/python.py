"""The Python pane: the user's file, where the program is in it, and the values of its names."""

from __future__ import annotations

import keyword
import tokenize
from collections.abc import Sequence
from typing import Final

from rich.style import Style
from textual import events
from textual.strip import Strip

from shlo.debugger.views.python import PythonView
from shlo.text.escape import sanitized
from shlo_tui.render.status_text import Spans
from shlo_tui.widgets.events import LinesShown, LineToggled, PythonLineChosen
from shlo_tui.widgets.lines import LineNote, LinePane, Palette, noted, segments

_STYLES: Final = {
    tokenize.COMMENT: "comment",
    tokenize.NUMBER: "number",
    tokenize.OP: "operator",
    tokenize.STRING: "string",
    **{
        kind: "string"
        for name in ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")
        if (kind := getattr(tokenize, name, None)) is not None
    },
}


def python_styles(lines: Sequence[str]) -> dict[int, list[tuple[int, int, str]]]:
    """Returns which parts of the lines of a file, from 0, have another style than text: from a column to
    another one, in order. What is behind a mistake in the file has none.
    """
    styles: dict[int, list[tuple[int, int, str]]] = {}
    rows = iter([f"{line}\n" for line in lines])
    try:
        for token in tokenize.generate_tokens(lambda: next(rows, "")):
            style = _style(token)
            (first, start), (last, end) = token.start, token.end
            for row in range(first, last + 1) if style else ():
                stop = end if row == last else len(lines[row - 1])
                styles.setdefault(row - 1, []).append((start if row == first else 0, stop, style))
    except (tokenize.TokenError, SyntaxError):
        pass
    return styles


def _style(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        return "keyword" if keyword.iskeyword(token.string) else ""
    return _STYLES.get(token.type, "")


def python_spans(text: str, styles: Sequence[tuple[int, int, str]]) -> Spans:
    """Returns a line of Python in its styles."""
    spans, at = Spans(), 0
    for start, end, style in styles:
        spans += [(text[at:start], "text"), (text[start:end], style)]
        at = end
    return [(sanitized(part.expandtabs(4)), style) for part, style in [*spans, (text[at:], "text")] if part]


class PythonPane(LinePane):
    """The lines of a file that the program was made from; the cursor follows the one that the next operation
    comes from. A line is for breakpoints and running to, as in the source.
    """

    rows: tuple[str, ...]
    MARGIN = 3

    def __init__(self, palette: Palette, *, id: str) -> None:
        super().__init__(palette, id=id)
        self.view: PythonView | None = None
        self.notes: dict[int, LineNote] = {}
        self._styles: dict[int, list[tuple[int, int, str]]] = {}

    def show(self, view: PythonView | None) -> None:
        """Shows a file; None hides the pane."""
        lines = view.lines if view else ()
        if lines is not self.rows:
            self._styles, self.notes = python_styles(lines), {}
        self.view, self.rows = view, lines
        self.resize_content()
        if view is not None:
            self.border_title = f"python: {sanitized(view.file)}"
            if view.current:
                self.put_cursor(view.current - 1)

    def show_notes(self, notes: dict[int, LineNote]) -> None:
        """Shows other values at line ends, by line from 0."""
        self.notes = notes
        self.refresh()

    @property
    def where(self) -> str:
        """The line under the cursor as commands name it."""
        return f"{self.view.file}:{self.cursor + 1}" if self.view else ""

    def strip(self, line: int, width: int) -> Strip:
        """Returns a line with its marks and number, and the values of the names that it assigns."""
        if self.view is None:
            return Strip([])
        gutter, left = self._gutter(self.view, line + 1), self.scroll_offset.x
        text = python_spans(self.rows[line], self._styles.get(line, ()))
        strip = Strip(segments(text, self.palette))
        text_width = width - sum(len(part) for part, _ in gutter)
        shown = (
            strip.crop(left, left + text_width)
            if left
            else noted(strip, self.notes.get(line), text_width, self.palette)
        )
        return Strip([*segments(gutter, self.palette), *shown])

    def _gutter(self, view: PythonView, number: int) -> Spans:
        is_current = number == view.current
        mark = ("▶", "arrow") if is_current else ("▷" if number in view.callers else " ", "frame")
        digits = max(len(str(self.count)), 3)
        return [
            mark,
            ("●" if number in view.stops else " ", "breakpoint"),
            (f"{number:>{digits}}  ", "number.line.current" if is_current else "number.line"),
        ]

    def line_style(self, line: int) -> Style | None:
        """Returns the style of the cursor's line or of the current line, None for others."""
        if line == self.cursor:
            return super().line_style(line)
        return self.palette["current.line"] if self.view and self.view.current == line + 1 else None

    def viewed(self) -> None:
        """Posts `LinesShown`."""
        self.post_message(LinesShown())

    def on_click(self, event: events.Click) -> None:
        """Posts `LineToggled` for a click in the margin; another one puts the cursor on a line."""
        offset, line = event.get_content_offset(self), self.line_at(event)
        if offset is not None and line is not None and offset.x < 2 and self.view is not None:
            event.prevent_default()  # the base class would put the cursor there
            self.post_message(LineToggled(line + 1, self.view.file))

    def cursor_changed(self) -> None:
        """Tells which line was chosen."""
        if self.view is not None:
            self.post_message(PythonLineChosen(self.view.file, self.cursor + 1))
