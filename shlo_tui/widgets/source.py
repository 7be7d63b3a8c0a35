"""The source pane: the program's text, the current operation, breakpoints, values at line ends."""

from __future__ import annotations

import re
from collections import OrderedDict
from itertools import pairwise
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip

from shlo.ir.source import Source, Span
from shlo.language.document import Document
from shlo.language.tokens import SemanticToken, semantic_tokens
from shlo_tui.render.source_line import LONGEST, ShownLine, shown_line
from shlo_tui.render.status_text import Spans
from shlo_tui.session.view_model import LineStates, ViewModel
from shlo_tui.theme import faded
from shlo_tui.widgets.events import LinesShown, LineToggled
from shlo_tui.widgets.lines import LineNote, LinePane, Palette, Segments, noted, segments

CACHED: Final = 1000
"""Lines whose colours are remembered."""


class SourcePane(LinePane):
    """A text of any length; the cursor is a line for breakpoints and running to."""

    MARGIN = 3

    def __init__(self, source: Source, palette: Palette, *, id: str = "source") -> None:
        super().__init__(palette, id=id)
        self.source = source
        self.model: ViewModel | None = None
        self.notes: dict[int, LineNote] = {}
        self.marks: dict[int, str] = {}
        self.pattern: re.Pattern[str] | None = None
        self.errors: dict[int, Span] = {}
        self.has_locations = False
        self._ends = _ends_of_program(source)
        self.states = LineStates(frozenset(), frozenset())
        self._lines: OrderedDict[int, tuple[ShownLine, list[SemanticToken]]] = OrderedDict()

    @property
    def count(self) -> int:
        """The number of lines of the source, without the definitions of locations behind it, unless shown."""
        return len(self.source.line_starts) if self.has_locations else self._ends[1]

    @property
    def first(self) -> int:
        """The first line that is shown: that behind the definitions of locations, unless they are."""
        return 0 if self.has_locations else self._ends[0]

    @property
    def _digits(self) -> int:
        return max(len(str(len(self.source.line_starts))), 3)

    @property
    def margin_width(self) -> int:
        """Cells before the text: arrow, breakpoint, number, space."""
        return self._digits + 4

    def on_mount(self) -> None:
        """Fits the content to the source."""
        self._measure()

    def take_source(self, source: Source) -> None:
        """Shows another text, unless it is this one."""
        if source is not self.source:
            self.source, self.notes, self.marks = source, {}, {}
            self._ends = _ends_of_program(source)
            self._lines.clear()
            self._measure()

    def _measure(self) -> None:
        starts = self.source.line_starts
        longest = max((end - start for start, end in pairwise(starts)), default=80)
        self.resize_content(self.margin_width + min(longest, LONGEST) + 1)

    # --- what it shows ---

    def show(self, model: ViewModel) -> None:
        """Shows where a session is; the cursor goes there."""
        is_first, self.model = self.model is None, model
        lines, current = model.source.open_lines, model.source.current
        self.marks = {line - 1: "▷" for line in lines if line is not None}
        if lines and lines[-1] is not None:
            self.marks[lines[-1] - 1] = "▶"
        elif not lines and current is not None:
            self.marks = {current - 1: "✓"}
            self.put_cursor(current - 1)
        self.refresh()
        self.go_home()
        if is_first and self.cursor - self.first < self.size.height:
            self.scroll_to(y=0, animate=False, force=True, immediate=True)

    def show_locations(self, has_locations: bool) -> None:
        """Shows the locations that lines end with, and their definitions; or folds them."""
        self.has_locations = has_locations
        self._lines.clear()
        self._measure()
        self.put_cursor(self.cursor)

    def go_home(self) -> None:
        """Puts the cursor on the operation of the frame that is looked at."""
        frame = self.model.frame if self.model else None
        if frame is not None and frame.line is not None:
            self.put_cursor(frame.line - 1)

    def show_notes(self, notes: dict[int, LineNote]) -> None:
        """Shows other values at line ends, by line from 0."""
        if notes != self.notes:
            self.notes = notes
            self.refresh()

    def show_states(self, states: LineStates) -> None:
        """Fades lines that were executed, and those of dead code."""
        if states != self.states:
            self.states = states
            self.refresh()

    def show_errors(self, spans: list[Span]) -> None:
        """Marks the places of findings."""
        self.errors = {self.source.line_of(span.start) - 1: span for span in reversed(spans)}
        self.refresh()

    def is_constant(self, line: int) -> bool:
        """Returns whether the value that a line binds is written on it."""
        return ".constant" in self.source.line_text(line + 1)[:200]

    def viewed(self) -> None:
        """Posts `LinesShown`."""
        self.post_message(LinesShown())

    def on_click(self, event: events.Click) -> None:
        """Posts `LineToggled` for a click in the margin; another one puts the cursor on a line."""
        offset, line = event.get_content_offset(self), self.line_at(event)
        if offset is not None and line is not None and offset.x < self.margin_width - 1:
            event.prevent_default()  # the base class would put the cursor there
            self.post_message(LineToggled(line + 1))

    # --- finding ---

    def show_found(self, text: str, matches: list[int], direction: int = 1, here: bool = False) -> None:
        """Goes to the next of the lines, counted from 1, that a text finds (from the cursor's on, if `here`),
        around the end; marks where the text is.
        """
        self.pattern = re.compile(re.escape(text), re.IGNORECASE if text == text.lower() else 0)
        self.refresh()
        self.put_on_next([line - 1 for line in matches], direction, here)

    # --- drawing ---

    def strip(self, line: int, width: int) -> Strip:
        """Returns a line of the source after its gutter."""
        gutter = Strip(segments(self._gutter(line), self.palette))
        return Strip.join([gutter, self._text_strip(line, width - self.margin_width)])

    def line_style(self, line: int) -> Style | None:
        """Returns the style of the cursor's line or of the current operation's line, None for others."""
        if line == self.cursor:
            return super().line_style(line)
        frame = self.model.frame if self.model else None
        return self.palette["current.line"] if frame and frame.line == line + 1 else None

    def _gutter(self, line: int) -> Spans:
        mark = self.marks.get(line, " ")
        point = self.model.source.breakpoints.get(line + 1) if self.model else None
        dots = "○●" if point and point.kind == "line" else "◇◆"
        dot = " " if point is None else dots[point.enabled]
        number = "number.line.current" if mark == "▶" else "number.line"
        if line in self.errors:
            mark, number = "✗", "alarm"
        return [
            (mark, {"✗": "alarm", "▶": "arrow", "✓": "changed"}.get(mark, "frame")),
            (dot, "breakpoint" if point and point.enabled else "breakpoint.off"),
            (f"{line + 1:>{self._digits}} ", number),
            ("│", "arrow") if self._is_inside(line) else ("·" if self._is_past(line) else " ", "frame"),
        ]

    def _is_past(self, line: int) -> bool:
        """Returns whether a line was executed, and is not about to be again."""
        return line + 1 in self.states.executed and self.marks.get(line) != "▶"

    def _is_inside(self, line: int) -> bool:
        """Returns whether a line belongs to the current operation, where that has more than one."""
        span = self._current_span
        if span is None or line >= len(self.source.line_starts):
            return False
        start = self.source.line_starts[line]
        multiline = "\n" in self.source.text[span.start : min(span.end, span.start + 10 * LONGEST)]
        return multiline and start < span.end and start + len(self.source.line_text(line + 1)) > span.start

    @property
    def _current_span(self) -> Span | None:
        frame = self.model.frame if self.model else None
        return frame.span if frame else None

    def _text_strip(self, line: int, width: int) -> Strip:
        shown, tokens = self._line(line)
        left = self.scroll_offset.x
        strip = Strip(self._coloured(line, shown, tokens))
        note = self.notes.get(line)
        if line + 1 in self.states.unused:
            note = LineNote(
                f"unused  {note.text}".rstrip() if note else "unused", note is not None and note.is_new
            )
        return strip.crop(left, left + width) if left else noted(strip, note, width, self.palette)

    def _line(self, line: int) -> tuple[ShownLine, list[SemanticToken]]:
        cached = self._lines.get(line)
        if cached is None:
            shown = shown_line(self.source.line_text(line + 1), self.has_locations)
            cached = self._lines[line] = shown, list(semantic_tokens(Document(shown.text)))
            if len(self._lines) > CACHED:
                self._lines.popitem(last=False)
        return cached

    def _coloured(self, line: int, shown: ShownLine, tokens: list[SemanticToken]) -> Segments:
        words, at = Segments(), 0
        for token in tokens:
            start, end = token.span
            if start > at:
                words.append(Segment(shown.text[at:start], self.palette["text"]))
            words.append(Segment(shown.text[start:end], self._token_style(token)))
            at = end
        words.append(Segment(shown.text[at:], self.palette["text"]))
        if line + 1 in self.states.unused:
            words = [Segment(text, self.palette["unused"]) for text, _, _ in words]
        elif self._is_past(line):
            background = self.palette["faded"]
            words = [Segment(text, faded(style or Style.null(), background)) for text, style, _ in words]
        for start, end, style in self._highlights(line, shown):
            words = _overlaid(words, start, end, style)
        return words

    def _token_style(self, token: SemanticToken) -> Style:
        for modifier in token.modifiers:
            style = self.palette.get(f"{token.kind}.{modifier}")
            if style is not None:
                return style
        return self.palette.get(token.kind, self.palette["text"])

    def _highlights(self, line: int, shown: ShownLine) -> list[tuple[int, int, Style]]:
        """Returns where the current operation, a finding and what was searched for are on a line."""
        highlights: list[tuple[int, int, Style]] = []
        for span, style in ((self._current_span, "current"), (self.errors.get(line), "error")):
            if span is not None and self.source.line_of(span.start) == line + 1:
                first = self.source.line_starts[line]
                start, end = shown.column(span.start - first), shown.column(span.end - first)
                highlights.append((start, max(end, start + 1), self.palette[style]))
        if self.pattern is not None:
            marks = self.pattern.finditer(shown.text)
            highlights += [(*match.span(), self.palette["match"]) for match in marks]
        return highlights


def _ends_of_program(source: Source) -> tuple[int, int]:
    """Returns how many lines that define locations come before the program of a source, and how many lines
    there are up to its end, before those behind it; all lines where it has nothing else.
    """

    def is_left_out(line: int) -> bool:
        return not (text := source.line_text(line)).strip() or text.startswith("#loc")

    count = end = len(source.line_starts)
    while end > 1 and is_left_out(end):
        end -= 1
    first = 0
    while first < end and is_left_out(first + 1):
        first += 1
    has_locations = source.line_text(first).startswith("#loc") if first else False
    if end <= 1:
        return 0, count
    return first if has_locations else 0, end if end < count - 1 else count


def _overlaid(words: Segments, start: int, end: int, style: Style) -> Segments:
    """Segments with a style laid over those from one character to another."""
    overlaid, at = Segments(), 0
    for text, under, _ in words:
        first, last = max(start - at, 0), min(end - at, len(text))
        if first < last:
            over = (under or Style.null()) + style
            overlaid += [
                Segment(text[:first], under),
                Segment(text[first:last], over),
                Segment(text[last:], under),
            ]
        else:
            overlaid.append(Segment(text, under))
        at += len(text)
    return [word for word in overlaid if word.text]
