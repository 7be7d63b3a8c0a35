"""The panes that list things: open frames, values in scope, findings of a program that cannot be run."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from msgspec import Struct

from shlo.debugger import FrameView, ValueView
from shlo.debugger.text.format import place_text
from shlo.debugger.views.values import ORDERS, label_of, sorted_values
from shlo.ir.diagnostics import Diagnostic, ExecutionError, ParseError, ShloError
from shlo.ir.source import Source, Span
from shlo.text.escape import sanitized
from shlo_tui.render.status_text import Spans, fit, origin_parts, summary_spans
from shlo_tui.session.view_model import ViewModel
from shlo_tui.widgets.events import FindingChosen, FrameChosen, ValueChosen, ValuesShown
from shlo_tui.widgets.lines import LinePane, Palette

NAME_WIDTH = (6, 15)
"""The narrowest and the widest column of names."""

LABELLED_WIDTH = 24
"""The widest column of names with JAX's names behind them, where the pane has room."""


LEAST_SUMMARY = 5
"""Cells that a type leaves to what is behind it: enough for an alarm."""


class FramesPane(LinePane):
    """A line for each function and region that is open, the outermost on top; the one under the cursor is
    looked at.
    """

    rows: tuple[FrameView, ...]

    def show(self, model: ViewModel) -> None:
        """Shows the frames of a session."""
        self.rows = model.snapshot.frames
        self.resize_content()
        self.put_cursor(model.selected)

    def cursor_changed(self) -> None:
        """Posts `FrameChosen` for the frame under the cursor."""
        if self.rows:
            self.post_message(FrameChosen(self.cursor))

    def spans(self, line: int, width: int) -> Spans:
        """Returns a frame's mark, number, description, line and origin."""
        frame = self.rows[line]
        return [
            ("▶", "arrow") if line == self.count - 1 else ("▷", "frame"),
            (f"{line} ", "dim"),
            (sanitized(place_text(frame)), "name"),
            ("  " if frame.line is None else f":{frame.line}  ", "dim"),
            *((f"{sanitized(text)}  ", style) for text, style in origin_parts(frame.origin)),
        ]


class ValuesPane(LinePane):
    """A table of what is in scope, the last value on top: names, types and summaries. The value under the
    cursor is looked at in the tensor pane.
    """

    rows: tuple[ValueView, ...]

    def __init__(self, palette: Palette, *, id: str) -> None:
        super().__init__(palette, id=id)
        self.changed: frozenset[str] = frozenset()
        self.summaries: dict[str, str] = {}
        self._columns = NAME_WIDTH[0], 8
        self.order = ORDERS[0]

    @property
    def chosen(self) -> ValueView | None:
        """The value under the cursor."""
        return self.rows[self.cursor] if self.rows else None

    def show(self, rows: tuple[ValueView, ...], changed: frozenset[str]) -> None:
        """Shows values, the last of them on top; `changed` are the names of new ones."""
        self.rows, self.changed = sorted_values(rows, self.order), changed
        names = max((len(name_and_label(row)) for row in self.rows[:200]), default=0)
        types = max((len(short_type(row)) for row in self.rows[:200]), default=0)
        self._columns = max(names, NAME_WIDTH[0]), types
        self.summaries = {}
        self.resize_content()

    def follow(self, name: str | None) -> None:
        """Puts the cursor on a value, or on the last one."""
        self.put_cursor(next((line for line, row in enumerate(self.rows) if row.name == name), 0))

    def show_summaries(self, summaries: dict[str, str]) -> None:
        """Shows lines about values, by name."""
        self.summaries |= summaries
        self.refresh()

    def next_order(self) -> None:
        """Chooses the next of the ORDERS."""
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]

    def go_to_found(self, matches: tuple[ValueView, ...], direction: int, here: bool) -> bool:
        """Puts the cursor on the next of the values that were found (on the chosen one, if `here`), around
        the end; False where none is listed.
        """
        names = {view.name for view in matches}
        lines = [line for line, row in enumerate(self.rows) if row.name in names]
        self.put_on_next(lines, direction, here)
        if lines:
            self.cursor_changed()
        return bool(lines)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The names whose summaries are missing among the visible rows."""
        rows = [self.rows[line] for line in self.visible_lines]
        return tuple(row.name for row in rows if row.is_held and row.name not in self.summaries)

    def spans(self, line: int, width: int) -> Spans:
        """Returns a value's mark, name, type and summary."""
        row = self.rows[line]
        name_width, type_width = self._columns
        name_width = min(name_width, LABELLED_WIDTH if width >= LABELLED_WIDTH + 22 else NAME_WIDTH[1])
        type_width = max(min(type_width, width - name_width - LEAST_SUMMARY - 3, 26), 6)
        is_new = row.name in self.changed
        summary = self.summaries.get(row.name, "" if row.is_held else "dropped")
        return [
            ("+" if is_new else " ", "changed"),
            *_name_spans(row, name_width, "changed" if is_new else "name"),
            (f"{fit(short_type(row), type_width)} ", "type"),
            *summary_spans(summary, "text", width - name_width - type_width - 3),
        ]

    def cursor_changed(self) -> None:
        """Posts `ValueChosen` for the value under the cursor."""
        if self.chosen is not None:
            self.post_message(ValueChosen(self.chosen.name))

    def viewed(self) -> None:
        """Posts `ValuesShown`."""
        self.post_message(ValuesShown())


class WatchesPane(LinePane):
    """A line for each value that is displayed wherever the session stops; hidden where there is none."""

    rows: tuple[str, ...]

    def show(self, rows: tuple[str, ...]) -> None:
        """Shows lines; those that are not as they were before are marked."""
        before = set(self.rows)
        self.changed = {row for row in rows if row not in before}
        self.rows = rows
        self.resize_content()

    def spans(self, line: int, width: int) -> Spans:
        """Returns the mark, name and summary of a value."""
        row = sanitized(self.rows[line])
        name, equals, summary = row.partition(" = ")
        mark = "+" if self.rows[line] in self.changed else " "
        spans: Spans = [(mark, "changed"), (f"{name}{equals}", "name")]
        return [*spans, *summary_spans(summary, "text", width - len(name) - len(equals) - 1)]


def name_and_label(row: ValueView) -> str:
    """Returns a value's name, and what JAX called it: `%arg2 params['w']`."""
    return sanitized(f"{label_of(row.name)} {row.label}".rstrip())


def _name_spans(row: ValueView, width: int, style: str) -> Spans:
    """Returns the name in its style and JAX's name, in so many cells and a space. Of a long one of JAX, the
    end is shown, in which those of one tree differ.
    """
    name = fit(sanitized(label_of(row.name)), min(len(sanitized(label_of(row.name))), width))
    label, cells = name_and_label(row)[len(name) :], width - len(name)
    if len(label) > cells > 2:
        label = f" …{label[2 - cells :]}"
    return [(name, style), (f"{fit(label, cells)} ", "scope")]


def short_type(row: ValueView) -> str:
    """Returns a value's type, a tensor's without that word: `48x32xf32`."""
    text = sanitized(str(row.type))
    return text[7:-1] if text.startswith("tensor<") else text


class ShownFinding(Struct, frozen=True):
    """What is wrong with a program that cannot be run, and where, as far as that is known; `notes` say what
    belongs to it and what to do: a word and a text each.
    """

    severity: str
    message: str
    span: Span | None
    notes: tuple[tuple[str, str], ...] = ()


def findings_of(error: ShloError, source: Source) -> tuple[ShownFinding, ...]:
    """Returns what an error says of a source."""
    if isinstance(error, ParseError):
        return tuple(
            ShownFinding(
                diagnostic.severity,
                f"{diagnostic.message} [{diagnostic.code}]",
                diagnostic.span,
                tuple(_notes(diagnostic, source)),
            )
            for diagnostic in error.diagnostics
        )
    if isinstance(error, ExecutionError):
        start = source.offset_of_place(error.place.removesuffix(":")) if error.place else None
        span = None if start is None else Span(start, start + 1)
        return (ShownFinding("error", error.message, span),)
    return (ShownFinding("error", str(error), None),)


def _notes(diagnostic: Diagnostic, source: Source) -> Iterator[tuple[str, str]]:
    """Yields what `shlo check` prints below a diagnostic."""
    for related in diagnostic.related:
        yield "note", f"line {source.line_of(related.span.start)}: {related.message}"
    if diagnostic.fix:
        yield "fix", diagnostic.fix.title
    if diagnostic.help:
        yield "help", diagnostic.help


class FindingsPane(LinePane):
    """Findings, each with its notes below; the one under the cursor is shown in the source."""

    rows: list[tuple[ShownFinding, Spans]]

    def __init__(self, palette: Palette, source: Source, findings: tuple[ShownFinding, ...]) -> None:
        super().__init__(palette, (), id="findings")
        self.source, self.findings = source, findings
        self._break_lines(80)

    def _break_lines(self, width: int) -> None:
        """Makes the lines of all findings, those broken that are longer than `width`."""
        self.rows = [(finding, line) for finding in self.findings for line in self._lines(finding, width)]

    def on_resize(self) -> None:
        """Breaks the lines for the new width."""
        self._break_lines(self.size.width)
        super().on_resize()

    def _lines(self, finding: ShownFinding, width: int) -> Iterator[Spans]:
        """Yields a finding's mark, position, severity and message, then its notes."""
        mark = ("✗ " if finding.severity == "error" else "! ", "alarm")
        position = (
            "" if finding.span is None else ":".join(map(str, self.source.position(finding.span.start)))
        )
        texts = [(finding.severity, finding.message), *finding.notes]
        for number, (word, text) in enumerate(texts):
            head: Spans = [mark, (f"{position:9} ", "accent")] if not number else [(" " * 12, "dim")]
            head.append((f"{word}: ", "accent" if number else "alarm"))
            for line in textwrap.wrap(sanitized(text), max(width - 14 - len(word), 20)) or [""]:
                yield [*head, (line, "text")]
                head = [(" " * (14 + len(word)), "dim")]

    def on_mount(self) -> None:
        """Announces the first finding."""
        self.cursor_changed()

    def spans(self, line: int, width: int) -> Spans:
        """Returns a line of a finding."""
        return self.rows[line][1]

    def cursor_changed(self) -> None:
        """Posts `FindingChosen` for the finding under the cursor."""
        if self.rows:
            self.post_message(FindingChosen(self.rows[self.cursor][0].span))
