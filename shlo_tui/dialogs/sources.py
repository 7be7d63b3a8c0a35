"""The elements that made an element; Enter shows those that made the one under the cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from shlo.debugger.provenance.chain import Link
from shlo.debugger.session import Session
from shlo.debugger.text.format_provenance import link_text, sources_text
from shlo.text.escape import sanitized
from shlo_tui.dialogs.text import FRAME, LEAST_WIDTH, FittedLines, Popup
from shlo_tui.render.status_text import Spans
from shlo_tui.widgets.lines import Palette


class SourceRows(Struct, frozen=True):
    """An element, and its sources: each as text and, where it can be followed, as a link."""

    title: str
    rows: tuple[tuple[str, Link | None], ...]


def source_rows(session: Session, link: Link) -> SourceRows:
    """Returns what an element depends on, for a dialog."""
    sources = session.elements.sources(link)
    lines = sources_text(session, link, sources).split("\n")[1:]
    links = [*sources.links, *[None] * (len(lines) - len(sources.links))]
    return SourceRows(link_text(session, link), tuple(zip((line.strip() for line in lines), links)))


class SourceLines(FittedLines):
    """A line for each source."""

    rows: tuple[tuple[str, Link | None], ...]

    def spans(self, line: int, width: int) -> Spans:
        """Returns the text of a source."""
        text, link = self.rows[line]
        style = "dim" if link is None else "text" if link.is_finite else "alarm"
        return [(sanitized(text), style)]


class SourcesScreen(Popup):
    """Shows the sources of an element; `follow` opens those of another one above it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "back"),
        Binding("enter", "follow", "one step back", priority=True),
    ]

    def __init__(self, palette: Palette, shown: SourceRows, follow: Callable[[Link], None]) -> None:
        super().__init__()
        self.palette, self.shown, self._follow = palette, shown, follow

    def on_resize(self) -> None:
        """Makes the dialog as wide as its text and as high as the screen allows."""
        texts = (self.shown.title, *(text for text, _ in self.shown.rows))
        self.fit(max(max(map(cell_len, texts)) + FRAME, LEAST_WIDTH))

    def compose(self) -> ComposeResult:
        """Yields the titled list."""
        with Vertical(classes="dialog") as box:
            box.border_title = f"from {sanitized(self.shown.title)}".replace("[", r"\[")
            box.border_subtitle = "Enter one step back  Esc returns"
            yield SourceLines(self.palette, self.shown.rows, id="lines")

    def action_follow(self) -> None:
        """Shows what the element under the cursor depends on."""
        link = self.shown.rows[self.query_one(SourceLines).cursor][1]
        if link is not None:
            self._follow(link)
