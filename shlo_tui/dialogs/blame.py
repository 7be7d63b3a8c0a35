"""What made a number that is not finite, as a tree that one walks."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from shlo.debugger.provenance.chain import Link
from shlo.debugger.views.blame import BlameRow, BlameTree
from shlo.text.escape import sanitized
from shlo_tui.dialogs.text import FittedLines, Popup
from shlo_tui.render.status_text import Spans
from shlo_tui.widgets.lines import Palette


class BlameLines(FittedLines):
    """A line for each element of the tree; rounds that are alike are one line until they are unfolded."""

    rows: tuple[BlameRow, ...]

    def __init__(self, palette: Palette, rows: tuple[BlameRow, ...], *, id: str) -> None:
        super().__init__(palette, id=id)
        self._all = rows
        self._unfolded = set[int]()
        self._arrange()

    def _arrange(self) -> None:
        rows = list[BlameRow]()
        for row in self._all:
            rows += [row, *(row.folded if id(row) in self._unfolded else ())]
        self.rows = tuple(rows)

    def fold(self, is_folded: bool | None = None) -> None:
        """Folds the rounds below the cursor, or unfolds them; without a word for it, the other way round."""
        row = self.rows[self.cursor]
        if row.folded and is_folded is not (id(row) not in self._unfolded):
            self._unfolded ^= {id(row)}
            self._arrange()
            self.resize_content()

    def action_sideways(self, by: int) -> None:
        """Folds or unfolds rounds; scrolls sideways on another line."""
        if self.rows[self.cursor].folded:
            self.fold(by < 0)
        else:
            super().action_sideways(by)

    def spans(self, line: int, width: int) -> Spans:
        """Returns a row: its line of Python first."""
        row = self.rows[line]
        fold = " " if not row.folded else "▾" if id(row) in self._unfolded else "▸"
        is_finite = row.link is None or row.link.is_finite
        return [
            (f"{'  ' * row.depth}{fold} ", "dim"),
            (f"{sanitized(row.python)}  " if row.python else "", "name" if not line else "accent"),
            (sanitized(row.text), "dim" if row.link is None else "text" if is_finite else "alarm"),
        ]


class BlameScreen(Popup):
    """Shows the tree; `go` goes to where an element was bound."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,W", "dismiss", "close"),
        Binding("enter", "go", "go there", priority=True),
    ]

    def __init__(self, palette: Palette, tree: BlameTree, go: Callable[[Link], None]) -> None:
        super().__init__()
        self.palette, self.shown, self._go = palette, tree, go

    def on_resize(self) -> None:
        """Makes the dialog as wide and as high as the screen allows."""
        self.fit("100%")

    def compose(self) -> ComposeResult:
        """Yields the titled tree."""
        with Vertical(classes="dialog") as box:
            box.border_title = sanitized(self.shown.title).replace("[", r"\[")
            box.border_subtitle = "Enter goes there  ← → fold rounds  Esc closes"
            yield BlameLines(self.palette, self.shown.rows, id="lines")

    def action_go(self) -> None:
        """Goes to where the element under the cursor was bound; folds or unfolds rounds."""
        lines = self.query_one(BlameLines)
        link = lines.rows[lines.cursor].link
        if link is None:
            lines.fold()
        else:
            self.dismiss()
            self._go(link)
