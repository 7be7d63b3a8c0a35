"""A cell as StableHLO with magics in between: lines `%name ...`, or `%%name ...` before the rest of the cell.

Values are written with a percent sign too. A line is a magic's where nothing of an operation follows the
name, and a name alone is a magic's where no value has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from shlo.ir.source import Span
from shlo.syntax.lexer.tokens import line_span

_LINE: Final = re.compile(
    r"^(?P<mark>%%?)(?P<name>[A-Za-z_]\w*)(?:[ \t]+(?![=:,)#{>]|-(?!-))(?P<argument>[^\r\n]*?))?[ \t\r]*$",
    re.MULTILINE | re.ASCII,
)
_ABOVE: Final = re.compile(r"(?:[ \t\r\n]+|//[^\n]*)*")


class Call(Struct, frozen=True):
    """A magic's line: its name, what follows, its span, and below `%%` the rest of the cell."""

    name: str
    argument: str
    span: Span
    body: Span | None = None


CellPiece = Call | Span
"""A magic, or a stretch of StableHLO."""


def split_cell(text: str, is_magic: Callable[[str, bool], bool]) -> Iterator[CellPiece]:
    """Yields what a cell consists of, in order. `is_magic` is asked, with a name and whether nothing follows
    it, if a line that looks like a magic's is one."""
    start = 0
    for line in _LINE.finditer(text):
        name, argument = line["name"], line["argument"] or ""
        if line["mark"] == "%%":
            if _is_first(text, line.start()):
                end = line_span(text, line.start()).end
                yield Call(name, argument, Span(*line.span()), Span(min(end + 1, len(text)), len(text)))
                return
        elif is_magic(name, not argument):
            yield from _program(text, start, line.start())
            yield Call(name, argument, Span(*line.span()))
            start = line.end()
    yield from _program(text, start, len(text))


def _program(text: str, start: int, end: int) -> Iterator[Span]:
    if text[start:end].strip():
        yield Span(start, end)


def _is_first(text: str, offset: int) -> bool:
    """Returns whether only blanks and comments are before an offset."""
    above = _ABOVE.match(text)
    return above is not None and above.end() == offset
