"""A sheet of text above the screen: help, and what commands answer in several lines."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.screen import ModalScreen
from textual.strip import Strip

from shlo.debugger.commands.table import COMMANDS
from shlo.text.escape import sanitized
from shlo_tui.keymap import KeyRow, shown
from shlo_tui.render.status_text import Spans
from shlo_tui.widgets.lines import LinePane, Palette

KEY_WIDTH = 10
COMMAND_WIDTH = 19
LEAST_WIDTH = 76
FRAME = 4
"""Cells of a dialog beside its text: borders and padding."""

Groups = tuple[tuple[str, tuple[KeyRow, ...]], ...]


DialogLine = Sequence[tuple[str, str] | Segment]
"""A line of texts, each with the name of its style, or with its style."""


class FittedLines(LinePane):
    """Lines whose content has the height of all of them from the start."""

    def on_mount(self) -> None:
        """Fits the content to the number of lines."""
        self.resize_content()


class DialogLines(FittedLines):
    """The lines of a sheet; they may have several styles."""

    rows: Sequence[DialogLine]

    def strip(self, line: int, width: int) -> Strip:
        """Returns a line."""
        parts = self.rows[line]
        return Strip([p if isinstance(p, Segment) else Segment(p[0], self.palette[p[1]]) for p in parts])

    def put_cursor(self, line: int) -> None:
        """Does nothing, as there is no cursor."""

    def action_cursor(self, by: int) -> None:
        """Scrolls by a number of lines, as there is no cursor."""
        self.scroll_to(y=self.scroll_offset.y + by, animate=False, force=True, immediate=True)

    def line_style(self, line: int) -> None:
        """Returns None, as there is no cursor."""


class Popup(ModalScreen[None]):
    """A dialog above the screen. A key that means nothing here closes it, and does what it does there."""

    def on_key(self, event: Key) -> None:
        """Hands keys that are none of the dialog's on to the screen below."""
        if event.key not in self.active_bindings:
            event.stop()
            self.dismiss()
            self.app.simulate_key(event.key)  # pyright: ignore[reportUnknownMemberType]

    def fit(self, width: int | str) -> None:
        """Makes the dialog of a width, and its lines as high as the screen allows."""
        self.query_one(".dialog").styles.width = width
        self.query_one(FittedLines).styles.max_height = max(self.size.height * 9 // 10 - 2, 1)


class TextDialog(Popup):
    """Shows lines until a key is pressed that closes it; another one copies them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "dismiss", "close", key_display="Esc"),
        Binding("y", "copy", "copy"),
    ]

    def __init__(
        self, title: str, palette: Palette, lines: Sequence[DialogLine], copy: Callable[[str], None]
    ) -> None:
        super().__init__()
        self.heading, self.palette, self.lines, self._copy = title, palette, lines, copy

    def on_resize(self) -> None:
        """Makes the sheet as wide as its text and as high as the screen allows."""
        longest = max((sum(cell_len(part[0]) for part in parts) for parts in self.lines), default=0)
        self.fit(max(longest + FRAME, LEAST_WIDTH))

    def compose(self) -> ComposeResult:
        """Yields the titled lines."""
        with Vertical(classes="dialog") as box:
            box.border_title, box.border_subtitle = self.heading, "y copies  Esc closes"
            yield DialogLines(self.palette, self.lines, id="lines")

    def action_copy(self) -> None:
        """Copies the lines without their styles into the clipboard of the terminal."""
        self._copy("\n".join("".join(part[0] for part in parts).rstrip() for parts in self.lines))
        self.query_one(".dialog").border_subtitle = "copied  Esc closes"


def text_lines(text: str) -> list[Spans]:
    """Returns the lines of a plain text."""
    return [[(sanitized(line), "text")] for line in text.split("\n")]


def text_width(screen_width: int) -> int:
    """Returns how wide a text can be in a sheet on a screen."""
    return max(screen_width - FRAME, 20)


def wrapped_lines(text: str, width: int) -> list[Spans]:
    """Returns the lines of a text, those broken that are longer than `width`."""
    wrapped = (textwrap.wrap(sanitized(line), width) or [""] for line in text.split("\n"))
    return [[(part, "text")] for parts in wrapped for part in parts]


def help_lines(groups: Groups) -> list[Spans]:
    """Returns the table of keys with the commands that do the same, then the other commands."""
    lines: list[Spans] = []
    for heading, keys in groups:
        lines.append([(heading, "accent")])
        for key in keys:
            names = "  ".join(map(shown, key.keys))
            command = f":{key.command} " if key.command else ""
            lines.append(
                [
                    (f" {names:{KEY_WIDTH}}", "name"),
                    (f"{command:{COMMAND_WIDTH}}", "dim"),
                    (key.help, "text"),
                ]
            )
        lines.append([])
    with_keys = {key.command for _, keys in groups for key in keys}
    lines.append([("Commands without a key; : asks for one, Tab completes it", "accent")])
    for command in COMMANDS:
        if command.name not in with_keys:
            usage, width = f":{command.name} {command.usage}", KEY_WIDTH + COMMAND_WIDTH
            if len(usage) >= width:
                lines.append([(f" {usage}", "name")])
                usage = ""
            lines.append([(f" {usage:{width}}", "name"), (command.summary, "text")])
    return lines
