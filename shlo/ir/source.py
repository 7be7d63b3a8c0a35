"""Texts and the positions in them: the only module that converts between offsets, lines and columns.

An offset counts code points of the text from 0. A line counts from 1. Columns count from 1: code points, or
the bytes of UTF-8 that MLIR counts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from shlo.support.files import Data

BYTECODE_MAGIC = b"ML\xefR"
"""How a file of MLIR bytecode starts, which no text does."""


def is_binary(data: Data) -> bool:
    """Returns whether bytes may start as those of MLIR bytecode or a FlatBuffer, as hardly any text does."""
    return data[:4] == BYTECODE_MAGIC or data[3:4] == b"\0"


class Span(NamedTuple):
    """A stretch of text, from `start` up to but not including `end`, in offsets."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """Returns the stretch so many characters further on."""
        return Span(self.start + by, self.end + by)

    def touches(self, other: Span) -> bool:
        """Returns whether two stretches have a character in common, or one begins where the other ends."""
        return self.start <= other.end and other.start <= self.end


class Position(NamedTuple):
    """A line and a column, both from 1; which kind of column, the caller chose."""

    line: int
    column: int


class Source(Struct, frozen=True, dict=True):
    """A text and the name that messages give it (a path, or `<text>`)."""

    text: str
    name: str = "<text>"

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset at which each line starts."""
        starts = [0, *accumulate([len(line) + 1 for line in self.text.split("\n")])]
        starts.pop()
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

    def line_label(self, line: int) -> str:
        """Returns what people call a line: its number."""
        return str(line)

    def line_named(self, label: str) -> int | None:
        """Returns the line that people call so, None where there is none."""
        line = int(label) if re.fullmatch(r"[0-9]{1,9}", label) else 0
        return line if 0 < line <= len(self.line_starts) else None

    def byte_position(self, offset: int) -> Position:
        """Returns line and column in bytes of UTF-8, as MLIR counts them."""
        line = self.line_of(offset)
        prefix = self.text[self.line_starts[line - 1] : offset]
        return Position(line, len(prefix.encode("utf-8", "surrogatepass")) + 1)


class JoinedSource(Source, frozen=True, dict=True):
    """Texts one after the other, as one: places and the labels of lines are those of the parts."""

    parts: tuple[Source, ...] = ()

    @classmethod
    def of(cls, parts: Sequence[Source], name: str = "<text>") -> JoinedSource:
        """Returns the texts of the parts, with a line break between two of them."""
        return cls("\n".join(part.text for part in parts), name, tuple(parts))

    @cached_property
    def part_starts(self) -> list[int]:
        """The offset at which the text of each part starts."""
        return list(accumulate((len(part.text) + 1 for part in self.parts[:-1]), initial=0))

    def part_at(self, offset: int) -> tuple[Source, int]:
        """Returns the part that an offset is in, and the offset in that."""
        index = bisect_right(self.part_starts, offset) - 1
        return self.parts[index], offset - self.part_starts[index]

    def place(self, offset: int) -> str:
        """`name:line:column` in the part."""
        part, inner = self.part_at(offset)
        return part.place(inner)

    def offset_of_place(self, place: str) -> int | None:
        """Returns the offset of a place in a part; of parts with the same name, the last one counts."""
        for start, part in zip(reversed(self.part_starts), reversed(self.parts)):
            inner = part.offset_of_place(place)
            if inner is not None:
                return start + inner
        return None

    def line_label(self, line: int) -> str:
        """Returns the part's name and the line in it: `In[2]:3`."""
        part, inner = self.part_at(self.line_starts[line - 1])
        return f"{part.name}:{part.line_of(inner)}"

    def line_named(self, label: str) -> int | None:
        """Returns the line of a label `In[2]:3`; a number alone is a line of the first part."""
        offset = self.offset_of_place(f"{label if ':' in label else f'{self.parts[0].name}:{label}'}:1")
        return None if offset is None else self.line_of(offset)


def place_in(source: Source | None, span: Span) -> str | None:
    """Returns a place as `file:line:column`; None where there is no text."""
    if source is None or span.end == span.start:
        return None
    return source.place(span.start)
