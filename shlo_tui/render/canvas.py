"""A drawing of characters, each with the name of a style."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from shlo_tui.render.status_text import Spans

CORNERS = ("╭", "╮", "╰", "╯")


class Canvas:
    """Characters at columns and rows, both from 0; what is drawn later covers what was drawn before."""

    def __init__(self) -> None:
        self._cells: dict[int, dict[int, tuple[str, str]]] = {}

    def put(self, x: int, y: int, text: str, style: str) -> None:
        """Writes a text of single-cell characters from left to right."""
        row = self._cells.setdefault(y, {})
        for offset, character in enumerate(text):
            row[x + offset] = character, style

    def down(self, x: int, top: int, bottom: int, character: str, style: str) -> None:
        """Draws a character on the rows from `top` to `bottom`, the last one included."""
        for y in range(top, bottom + 1):
            self.put(x, y, character, style)

    def box(self, x: int, y: int, width: int, lines: tuple[Spans, ...], style: str) -> None:
        """Draws a frame around lines that are at most `width - 4` wide."""
        across = "─" * (width - 2)
        self.put(x, y, f"{CORNERS[0]}{across}{CORNERS[1]}", style)
        for number, words in enumerate(lines, 1):
            self.put(x, y + number, f"│{' ' * (width - 2)}│", style)
            self.write(x + 2, y + number, words)
        self.put(x, y + len(lines) + 1, f"{CORNERS[2]}{across}{CORNERS[3]}", style)

    def write(self, x: int, y: int, words: Spans) -> None:
        """Writes words one after the other."""
        for text, style in words:
            self.put(x, y, text, style)
            x += len(text)

    def lines(self) -> Iterator[Spans]:
        """Yields the drawing from top to bottom."""
        for y in range(max(self._cells, default=-1) + 1):
            row = self._cells.get(y, {})
            cells = [row.get(x, (" ", "text")) for x in range(max(row, default=-1) + 1)]
            yield [
                ("".join(character for character, _ in group), style)
                for style, group in groupby(cells, lambda cell: cell[1])
            ]
