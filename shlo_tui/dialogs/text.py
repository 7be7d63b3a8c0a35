"""A sheet of text above the screen: help, and what commands answer in several lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from shlo.text.escape import sanitized
from shlo_tui.keymap import Key, shown
from shlo_tui.widgets.lines import LinePane, Palette, Segments

KEY_WIDTH = 16
TEXT_WIDTH = 70


class DialogLines(LinePane):
    """The lines of a sheet; they may have several styles."""

    def __init__(self, palette: Palette, lines: list[Segments]) -> None:
        super().__init__(palette, id="lines")
        self.lines = lines

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self.lines)

    def on_mount(self) -> None:
        """Fits the content to the number of lines."""
        self.resize_content()

    def words(self, line: int, width: int) -> Segments:
        """Returns the styled segments of a line."""
        return self.lines[line]

    def action_cursor(self, by: int) -> None:
        """Scrolls by a number of lines, as there is no cursor."""
        self.scroll_to(y=self.scroll_offset.y + by, animate=False, force=True, immediate=True)

    def line_style(self, line: int) -> None:
        """Returns None, as there is no cursor."""


class TextDialog(ModalScreen[None]):
    """Shows lines until a key is pressed that closes it; another one copies them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "dismiss", "close", key_display="Esc"),
        Binding("y", "copy", "copy"),
    ]

    def __init__(self, title: str, palette: Palette, lines: list[Segments]) -> None:
        super().__init__()
        self.heading, self.palette, self.lines = title, palette, lines

    def compose(self) -> ComposeResult:
        """Yields the titled lines."""
        with Vertical(classes="dialog") as box:
            box.border_title, box.border_subtitle = self.heading, "y copies  Esc closes"
            yield DialogLines(self.palette, self.lines)

    @property
    def text(self) -> str:
        """What is copied: the lines without their styles."""
        return "\n".join("".join(text for text, _, _ in words).rstrip() for words in self.lines)

    def action_copy(self) -> None:
        """Puts the text into the clipboard of the terminal."""
        self.app.copy_to_clipboard(self.text)
        self.query_one(".dialog").border_subtitle = "copied  Esc closes"


def text_lines(text: str, palette: Palette) -> list[Segments]:
    """Returns the lines of a plain text."""
    return [[Segment(sanitized(line), palette["text"])] for line in text.split("\n")]


def styled_lines(lines: Iterable[Sequence[tuple[str, str]]], palette: Palette) -> list[Segments]:
    """Returns lines of texts that do nothing, each with the name of its style."""
    return [[Segment(text, palette[style]) for text, style in words] for words in lines]


def wrapped_lines(text: str, palette: Palette) -> list[Segments]:
    """Returns the lines of a text, long ones broken."""
    lines = [part for line in text.split("\n") for part in textwrap.wrap(sanitized(line), TEXT_WIDTH) or [""]]
    return [[Segment(line, palette["text"])] for line in lines]


def help_lines(groups: tuple[tuple[str, tuple[Key, ...]], ...], palette: Palette) -> list[Segments]:
    """Returns the table of keys."""
    lines: list[Segments] = []
    for heading, keys in groups:
        lines += [[Segment(heading, palette["accent"])]]
        for key in keys:
            names = "  ".join(map(shown, key.keys))
            lines.append(
                [Segment(f"  {names:{KEY_WIDTH}}", palette["name"]), Segment(key.help, palette["text"])]
            )
        lines.append([])
    return lines[:-1]
