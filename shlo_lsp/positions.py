"""Positions as clients count them: lines from 0, that end as the protocol says, and columns in the encoding
that was agreed on. Offsets count code points, as everywhere else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from lsprotocol import types

from shlo.ir.dtypes import Array
from shlo.ir.source import Span

Encoding = types.PositionEncodingKind
LINE_BREAK = re.compile("\r\n|\r|\n")


class Lines:
    """A text and where its lines start. An edit gives a new one, and reads the edited lines only."""

    __slots__ = ("__weakref__", "_starts", "encoding", "text")

    def __init__(self, text: str, encoding: Encoding | str, starts: Any = None) -> None:
        self.text = text
        self.encoding = encoding
        self._starts = np.array([0, *_line_starts(text, 0)], np.int64) if starts is None else starts

    @property
    def count(self) -> int:
        """How many lines there are, one at least."""
        return len(self._starts)

    def edited(self, span: Span, replacement: str) -> Lines:
        """The lines after a stretch of the text was replaced."""
        text = self.text[: span.start] + replacement + self.text[span.end :]
        # An edit may join or part the two characters of a line break, so its neighbours are read as well.
        first = self._line_of(max(span.start - 1, 0))
        behind = self._line_of(min(span.end + 1, len(self.text))) + 1
        grown = len(replacement) - (span.end - span.start)
        begin = int(self._starts[first])
        if behind < self.count:
            end = int(self._starts[behind]) + grown
            middle = [line_start for line_start in _line_starts(text[begin:end], begin) if line_start < end]
        else:
            middle = list(_line_starts(text[begin:], begin))
        starts = (self._starts[: first + 1], np.array(middle, np.int64), self._starts[behind:] + grown)
        return Lines(text, self.encoding, np.concatenate(starts))

    def line_at(self, offset: int) -> tuple[int, int, int]:
        """Returns the number of the line that holds an offset, its start, and the start of the next one."""
        line = self._line_of(offset)
        return line, int(self._starts[line]), self.start_of(line + 1)

    def position(self, offset: int) -> types.Position:
        """Returns the line and column of an offset."""
        line = self._line_of(offset)
        start = int(self._starts[line])
        return types.Position(line, self.units(start, offset))

    def places(self, offsets: Sequence[int] | Array) -> tuple[Array, Array]:
        """Returns the lines and the columns of many offsets."""
        lines = np.searchsorted(self._starts, offsets, "right") - 1
        starts = self._starts[lines]
        columns = np.asarray(offsets, np.int64) - starts
        if self.encoding != Encoding.Utf32 and not self.text.isascii():
            units = map(self.units, starts.tolist(), (starts + columns).tolist())
            columns = np.fromiter(units, np.int64, len(starts))
        return lines, columns

    def range(self, span: Span) -> types.Range:
        """Returns the range of a span."""
        return types.Range(self.position(span.start), self.position(span.end))

    def units(self, start: int, end: int) -> int:
        """Returns how many units of the encoding the text between two offsets has."""
        text = self.text[start:end]
        if self.encoding == Encoding.Utf32 or text.isascii():
            return len(text)
        if self.encoding == Encoding.Utf8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

    def offset(self, position: types.Position) -> int:
        """Returns the offset of a line and column, at most the line's or the text's end."""
        if position.line >= self.count:
            return len(self.text)
        start, column = int(self._starts[max(position.line, 0)]), max(position.character, 0)
        line = self.text[start : self.start_of(position.line + 1)].rstrip("\r\n")
        return start + min(self._characters(line, column), len(line))

    def span(self, range_: types.Range) -> Span:
        """Returns the span of a range; one that ends before it starts is empty."""
        start = self.offset(range_.start)
        return Span(start, max(start, self.offset(range_.end)))

    def _characters(self, line: str, column: int) -> int:
        """Returns how many characters of a line are so many units, the last one whole."""
        if self.encoding == Encoding.Utf32 or line.isascii():
            return column
        if self.encoding == Encoding.Utf8:
            return sum(byte & 0xC0 != 0x80 for byte in line.encode("utf-8", "surrogatepass")[:column])
        units = line.encode("utf-16-le", "surrogatepass")[: 2 * column]
        return len(units.decode("utf-16-le", "surrogatepass"))

    def _line_of(self, offset: int) -> int:
        return int(np.searchsorted(self._starts, offset, "right")) - 1

    def start_of(self, line: int) -> int:
        """Returns where a line starts; behind the last line, the text's end."""
        return int(self._starts[line]) if line < self.count else len(self.text)


def position_data(position: types.Position) -> dict[str, int]:
    """Returns a position as plain data."""
    return {"line": position.line, "character": position.character}


def range_data(range_: types.Range) -> dict[str, dict[str, int]]:
    """Returns a range as plain data."""
    return {"start": position_data(range_.start), "end": position_data(range_.end)}


def name_within(whole: Span, name: Span) -> Span:
    """Returns the span of a thing's name, which the protocol wants within that of the thing."""
    start = min(max(name.start, whole.start), whole.end)
    return Span(start, max(start, min(name.end, whole.end)))


def _line_starts(text: str, shift: int) -> list[int]:
    """Returns where lines start behind the line breaks of a text."""
    if "\r" in text:
        return [match.end() + shift for match in LINE_BREAK.finditer(text)]
    starts: list[int] = []
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1 + shift)
        at = text.find("\n", at + 1)
    return starts
