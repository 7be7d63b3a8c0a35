"""The values pane: what is in scope, the last one on top."""

from __future__ import annotations

from rich.segment import Segment

from shlo.debugger import ValueView
from shlo.text.escape import sanitized
from shlo_tui.render.status_text import fit
from shlo_tui.session.view_model import label_of
from shlo_tui.widgets.events import ValueChosen, ValuesShown
from shlo_tui.widgets.lines import LinePane, Palette, Segments
from shlo_tui.widgets.summary import summary_words

NAME_WIDTH = (6, 16)
"""The narrowest and the widest column of names."""


class ValuesPane(LinePane):
    """A table of names, types and summaries; the value under the cursor is looked at in the tensor pane."""

    def __init__(self, palette: Palette, *, id: str = "values") -> None:
        super().__init__(palette, id=id)
        self.rows: tuple[ValueView, ...] = ()
        self.changed: frozenset[str] = frozenset()
        self.summaries: dict[str, str] = {}
        self._columns = NAME_WIDTH[0], 8

    @property
    def count(self) -> int:
        """The number of values."""
        return len(self.rows)

    @property
    def chosen(self) -> ValueView | None:
        """The value under the cursor."""
        return self.rows[self.cursor] if self.rows else None

    def show(self, rows: tuple[ValueView, ...], changed: frozenset[str]) -> None:
        """Shows values, the last of them on top; `changed` are the names of new ones."""
        self.rows, self.changed = rows[::-1], changed
        names = max((len(sanitized(row.name)) for row in self.rows[:200]), default=0)
        types = max((len(short_type(row)) for row in self.rows[:200]), default=0)
        self._columns = min(max(names + 1, NAME_WIDTH[0]), NAME_WIDTH[1]), types
        self.summaries = {}
        self.resize_content()

    def follow(self, name: str | None) -> None:
        """Puts the cursor on a value, or on the last one."""
        at = next((line for line, row in enumerate(self.rows) if row.name == name), 0)
        self.put_cursor(at)

    def show_summaries(self, summaries: dict[str, str]) -> None:
        """Shows lines about values, by name."""
        self.summaries |= summaries
        self.refresh()

    @property
    def wanted(self) -> tuple[str, ...]:
        """The names whose summaries are missing among the visible rows."""
        rows = [self.rows[line] for line in self.visible_lines]
        return tuple(row.name for row in rows if row.is_held and row.name not in self.summaries)

    def words(self, line: int, width: int) -> Segments:
        """Returns a value's mark, name, type and summary."""
        row = self.rows[line]
        name_width, type_width = self._columns
        type_width = max(min(type_width, width - name_width - 14, 26), 6)
        is_new = row.name in self.changed
        name = fit(sanitized(label_of(row.name)), name_width)
        words = [
            Segment("+" if is_new else " ", self.palette["changed"]),
            Segment(f"{name} ", self.palette["changed" if is_new else "name"]),
            Segment(f"{fit(short_type(row), type_width)} ", self.palette["type"]),
        ]
        summary = self.summaries.get(row.name, "" if row.is_held else "dropped")
        summary_width = width - name_width - type_width - 3
        return [*words, *summary_words(summary, "text", self.palette, summary_width)]

    def cursor_changed(self) -> None:
        """Posts `ValueChosen` for the value under the cursor."""
        if self.chosen is not None:
            self.post_message(ValueChosen(self.chosen.name))

    def viewed(self) -> None:
        """Posts `ValuesShown`."""
        self.post_message(ValuesShown())


def short_type(row: ValueView) -> str:
    """Returns a value's type, a tensor's without that word: `48x32xf32`."""
    text = sanitized(str(row.type))
    return text[7:-1] if text.startswith("tensor<") else text
