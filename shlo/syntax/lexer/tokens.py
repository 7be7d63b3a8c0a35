"""The words of a program's text, without regard to its grammar: names, numbers, strings, comments.

No token crosses the end of a line, so the start of any line is a place to begin at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from shlo.ir.source import Span

TokenKind = Literal[
    "comment", "string", "value", "symbol", "label", "attribute", "type", "shape", "number", "word", "mark"
]

NAME = r"(?:[0-9]+|[A-Za-z_$.-][\w$.-]*)"
STRING = r'"(?:[^"\\\n]++|\\.)*+"?'
_WORDS = (
    r"(?P<comment>//[^\n]*)"
    rf"|(?P<string>{STRING})"
    rf"|(?P<value>%{NAME}(?:\#[0-9]+)?)"
    rf"|(?P<symbol>@(?:{STRING}|[A-Za-z_][\w$.]*))"
    rf"|(?P<label>\^{NAME})"
    rf"|(?P<attribute>\#{NAME})"
    rf"|(?P<type>!{NAME})"
    r"|(?P<shape>(?:(?:[0-9]+|[?*])x)+(?=[fiu][0-9]|bf16|tf32|si[0-9]|index|complex|!|tuple|vector|none))"
    r"|(?P<number>0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)?)"
    r"|(?P<word>[A-Za-z_][\w$.]*)"
)
WORDS = re.compile(_WORDS, re.ASCII)
LEXEME = re.compile(rf"{_WORDS}|(?P<mark>->|::|[^\s])", re.ASCII)
CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}
"""The bracket that each closing one closes."""


class Token(NamedTuple):
    """A word of a text: what it is by its first character, where it stands."""

    kind: TokenKind
    text: str
    span: Span


def tokens(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of a stretch of text, which starts with one."""
    return _matched(LEXEME, text, start, len(text) if end is None else end)


def words(text: str, start: int, end: int) -> Iterator[Token]:
    """The tokens of a stretch of text, which starts with one, without the marks between them."""
    return _matched(WORDS, text, start, end)


def _matched(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Token]:
    for match in pattern.finditer(text, start, end):
        kind = match.lastgroup
        assert kind is not None
        yield Token(kind, match[0], Span(*match.span()))  # type: ignore[arg-type]


def line_span(text: str, offset: int) -> Span:
    """The line that holds an offset, without its line break."""
    end = text.find("\n", offset)
    return Span(text.rfind("\n", 0, offset) + 1, len(text) if end < 0 else end)


def token_at(text: str, offset: int) -> Token | None:
    """The token that holds an offset or ends there; a name before a mark."""
    before: Token | None = None
    for token in tokens(text, *line_span(text, offset)):
        if token.span.start > offset or (token.span.start == offset and before and before.kind != "mark"):
            break
        if offset <= token.span.end:
            before = token
    return before


def is_code(text: str, offset: int) -> bool:
    """Whether an offset stands in code: in no comment and in no string."""
    for token in tokens(text, *line_span(text, offset)):
        if token.span.start <= offset < token.span.end:
            return token.kind not in ("comment", "string")
    return True
