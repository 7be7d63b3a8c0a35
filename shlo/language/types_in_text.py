"""Types where they stand in a text."""

from __future__ import annotations

import re

from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.language.lexing import Token, line_span
from shlo.syntax.reader import Reader, SyntaxFault
from shlo.syntax.type_parser import parse_type

TYPE_START = re.compile(
    r"\b(?:tensor|vector|memref|tuple|complex)<|![A-Za-z_][\w$]*\.[\w$.]+|\b(?:[su]?i[0-9]+|bf16|tf32|f[0-9]+\w*|index|none)\b",
    re.ASCII,
)


def type_from(text: str, start: int) -> tuple[Span, Type] | None:
    """The type that starts at an offset, None where none does."""
    reader = Reader(text, pos=start)
    try:
        type_ = parse_type(reader)
    except (SyntaxFault, RecursionError):
        return None
    return Span(start, reader.pos), type_


def type_at(text: str, token: Token) -> tuple[Span, Type] | None:
    """The outermost type on the token's line that holds the token."""
    line = line_span(text, token.span.start)
    for match in TYPE_START.finditer(text, *line):
        if match.start() > token.span.start:
            break
        found = type_from(text, match.start())
        if found is not None and found[0].start <= token.span.start and token.span.end <= found[0].end:
            return found
    return None


def types_between(text: str, start: int, end: int) -> list[Type]:
    """The types that a stretch of text names, one after another."""
    types: list[Type] = []
    while (match := TYPE_START.search(text, start, end)) is not None:
        found = type_from(text, match.start())
        start = max(found[0].end if found else 0, match.end())
        if found:
            types.append(found[1])
    return types
