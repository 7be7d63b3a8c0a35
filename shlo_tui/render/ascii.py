"""ASCII in place of all other glyphs, for terminals that have no more."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_GLYPHS: Final = {
    "-": "─━┄┈╌╴╶▔▁―–—",
    "|": "│┃┆┊╎║▏▕▎▍▌▐╵",
    "+": "┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛╔╗╚╝",
    "=": "═",
    "#": "█▉▊▋▇▆▅▓",
    ":": "▒▃▄",
    ".": "░▂·…",
    "^": "▀▲↑",
    ">": "▶▸→❯▷",
    "<": "◀◂←❮◁",
    "v": "▼▾↓",
    "@": "◉",
    "*": "●•◆",
    "o": "○◦◇",
    "x": "×✕╳✗",
    "y": "✓",
    "_": "⎵",
    "u": "μ",
}
_TABLE: Final = {ord(glyph): plain for plain, glyphs in _GLYPHS.items() for glyph in glyphs}


def plain_text(text: str) -> str:
    """Returns the text in ASCII, as many cells wide."""
    if text.isascii():
        return text
    text = text.translate(_TABLE)
    return "".join(char if char.isascii() else "?" * cell_len(char) for char in text)


class PlainFilter(LineFilter):
    """Puts ASCII in place of all other glyphs, whichever widget they come from."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Returns the segments with their text in ASCII."""
        return [Segment(plain_text(text), style, control) for text, style, control in segments]
