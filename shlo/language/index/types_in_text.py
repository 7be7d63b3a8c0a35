"""Types where they are in a text."""

from __future__ import annotations

import re
from typing import NamedTuple

from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault
from shlo.syntax.lexer.tokens import CLOSING, Token, line_span, tokens
from shlo.syntax.types.parse import parse_type

TYPE_START = re.compile(
    r"\b(?:tensor|vector|memref|tuple|complex)<|![A-Za-z_][\w$]*\.[\w$.]+|\b(?:[su]?i[0-9]+|bf16|tf32|f[0-9]+\w*|index|none)\b",
    re.ASCII,
)
TYPE_OR_FUNCTION_START = re.compile(rf"\(|{TYPE_START.pattern}", re.ASCII)
"""The same, and where the type of a function may start that is one of several types."""
MAX_BRACKETS = 1_000
"""With more opening brackets in a list none is taken for the start of a function's type, as each is read."""


def type_from(text: str, start: int) -> tuple[Span, Type] | None:
    """Returns the type that starts at an offset, None where none does."""
    cursor = Cursor(text, pos=start)
    try:
        type_ = parse_type(cursor)
    except (SyntaxFault, RecursionError):
        return None
    return Span(start, cursor.pos), type_


def type_at(text: str, token: Token) -> tuple[Span, Type] | None:
    """Returns the outermost type on the token's line that holds the token."""
    line = line_span(text, token.span.start)
    for match in TYPE_START.finditer(text, *line):
        if match.start() > token.span.start:
            break
        placed = type_from(text, match.start())
        if placed is not None and placed[0].start <= token.span.start and token.span.end <= placed[0].end:
            return placed
    return None


def types_between(text: str, start: int, end: int) -> list[Type]:
    """Returns the types that a stretch of text names, one after another."""
    return [type_ for _, type_ in placed_types(text, start, end)]


def placed_types(text: str, start: int, end: int) -> list[tuple[Span, Type]]:
    """Returns the types that a stretch of text names and their places, one after another."""
    return _placed(text, start, end, TYPE_START)


def _placed(text: str, start: int, end: int, pattern: re.Pattern[str]) -> list[tuple[Span, Type]]:
    types: list[tuple[Span, Type]] = []
    while (match := pattern.search(text, start, end)) is not None:
        placed = type_from(text, match.start())
        if placed and placed[0].end > end:
            placed = None  # a list in parentheses, and not a function's type
        start = max(placed[0].end if placed else 0, match.end())
        if placed:
            types.append(placed)
    return types


class TypeSection(NamedTuple):
    """The types behind an operation's last colon. Without an arrow all are in `before`."""

    before: list[tuple[Span, Type]]
    behind: list[tuple[Span, Type]]
    has_arrow: bool


def type_section(text: str, start: int, end: int) -> TypeSection | None:
    """Returns the types behind the last colon of a text of an operation, None without a colon. It may begin
    inside of brackets, as that behind a region does."""
    depth, colon, arrow = 0, -1, -1
    for _, mark, span in tokens(text, start, end):
        if mark in CLOSING.values():
            depth += 1
        elif mark in CLOSING and depth == 0:
            colon, arrow = -1, -1
        elif mark in CLOSING:
            depth -= 1
        elif depth == 0 and mark == ":":
            colon, arrow = span.end, -1
        elif depth == 0 and mark == "->" and colon >= 0:
            arrow = span.end
    if colon < 0:
        return None
    if arrow < 0:
        return TypeSection(_listed(text, colon, end), [], False)
    return TypeSection(_listed(text, colon, arrow - len("->")), _listed(text, arrow, end), True)


def _listed(text: str, start: int, end: int) -> list[tuple[Span, Type]]:
    """Returns the types of a list, which may be those of functions."""
    has_few = text.count("(", start, end) <= MAX_BRACKETS
    return _placed(text, start, end, TYPE_OR_FUNCTION_START if has_few else TYPE_START)
