"""Texts and the positions in them: the only module that converts between offsets, lines and columns.

An offset counts code points of the text from 0. A line counts from 1. Columns count from 1: code points, or
the bytes of UTF-8 that MLIR counts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

BYTECODE_MAGIC = b"ML\xefR"
"""How a file of MLIR bytecode starts, which no text does."""


class Span(NamedTuple):
    """A stretch of text, from `start` up to but not including `end`, in offsets."""

    start: int
    end: int


class Position(NamedTuple):
    """A line and a column, both from 1; which kind of column, the caller chose."""

    line: int
    column: int


@dataclass(frozen=True)
class Source:
    """A text and the name that messages give it (a path, or `<text>`)."""

    text: str
    name: str = "<text>"

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset at which each line starts."""
        starts, find = [0], self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    def line_of(self, offset: int) -> int:
        """Returns the line, from 1, that holds an offset."""
        return bisect_right(self.line_starts, offset)

    def line_text(self, line: int) -> str:
        """Returns a line's text without its line break."""
        start = self.line_starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")

    def position(self, offset: int) -> Position:
        """Returns line and column in code points."""
        line = self.line_of(offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def place(self, offset: int) -> str:
        """`name:line:column`, as messages say it."""
        line, column = self.position(offset)
        return f"{self.name}:{line}:{column}"

    def offset_of_place(self, place: str) -> int | None:
        """Returns the offset of `name:line:column`, as messages say it; None if it is not in this text."""
        name, _, numbers = place.rpartition(self.name)
        found = re.fullmatch(r":(\d{1,9}):(\d{1,9})", numbers)
        if name or not found or not 0 < int(found[1]) <= len(self.line_starts):
            return None
        return self.line_starts[int(found[1]) - 1] + int(found[2]) - 1

    def byte_position(self, offset: int) -> Position:
        """Returns line and column in bytes of UTF-8, as MLIR counts them."""
        line = self.line_of(offset)
        prefix = self.text[self.line_starts[line - 1] : offset]
        return Position(line, len(prefix.encode("utf-8", "surrogatepass")) + 1)


def place_in(source: Source | None, span: Span) -> str | None:
    """Returns a place as `file:line:column`; None where there is no text."""
    if source is None or span.end == span.start:
        return None
    return source.place(span.start)
