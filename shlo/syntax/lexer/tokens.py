"""Lossless tokens of MLIR's text: every character belongs to one token, and a token says where it is.

The patterns here are the only ones for strings, names, comments and definitions of aliases; the parser's
cursor and everything else that reads text inside an operation is built from them. No token but a blank
crosses the end of a line, so the start of any line is a place to begin at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal, NamedTuple

from shlo.ir.source import Span

TokenKind = Literal[
    "blank",
    "comment",
    "string",
    "value",
    "symbol",
    "label",
    "attribute",
    "type",
    "shape",
    "number",
    "word",
    "mark",
]

BLANKS: Final = r"[ \t\r\n\0]"
"""Characters between tokens; MLIR takes a NUL for a blank."""
COMMENT: Final = r"//[^\n]*+"
NAME: Final = r"(?:[0-9]+|[A-Za-z_$.-][\w$.-]*)"
"""What follows the sign of a value, label or alias."""
IDENTIFIER: Final = r"[A-Za-z_][\w$.]*"
STRING_BODY: Final = r'(?:[^"\\\n\v\f]++|\\[^\n])*+'
STRING: Final = rf'"{STRING_BODY}"?'
"""A string literal; one that its line does not close ends there. `literal_value` judges its escapes."""
DECIMAL: Final = r"[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?"
HEXADECIMAL: Final = r"0x[0-9a-fA-F]+"
SHAPE: Final = r"(?:(?:[0-9]+|[?*])x)+(?=[fiu][0-9]|bf16|tf32|si[0-9]|index|complex|!|tuple|vector|none)"

_WORDS = (
    rf"(?P<comment>{COMMENT})"
    rf"|(?P<string>{STRING})"
    rf"|(?P<value>%{NAME}(?:\#[0-9]+)?)"
    rf"|(?P<symbol>@(?:{STRING}|{IDENTIFIER}))"
    rf"|(?P<label>\^{NAME})"
    rf"|(?P<attribute>\#{NAME})"
    rf"|(?P<type>!{NAME})"
    rf"|(?P<shape>{SHAPE})"
    rf"|(?P<number>{HEXADECIMAL}|{DECIMAL}|[0-9]+)"
    rf"|(?P<word>{IDENTIFIER})"
)
_MARK = r"(?P<mark>->|::|==|[<>]=|.)"
_CODE = rf"{_WORDS}|{BLANKS}++|{_MARK}"
_LOSSLESS = rf"{_WORDS}|(?P<blank>{BLANKS}++)|{_MARK}"
_VALUES = rf"{STRING}|{COMMENT}|%(?P<value>{NAME}(?:\#[0-9]+)?)|\^(?P<label>{NAME})"
_OPAQUE = rf"{STRING}|{COMMENT}"
LONG_LINE: Final = 2_000
"""Characters of a line beyond which the search for a token does not begin at the line's start."""

ALIAS_DEFINITION: Final = re.compile(rf"^[ \t]*([#!]{NAME})[ \t]*=(?!=)", re.MULTILINE | re.ASCII)
"""The start of an alias's definition, up to its `=`."""
PIECE = 200_000
"""Characters that a pattern looks at in one go, at least."""
_LOCATION = re.compile(r"\s*loc\s*\(")
CLOSING: Final = {")": "(", "]": "[", "}": "{", ">": "<"}
"""The bracket that each closing one closes."""


class Token(NamedTuple):
    """A piece of a text: its kind by its first character, its text, and its span."""

    kind: TokenKind
    text: str
    span: Span


def tokenize(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Yields all tokens of a stretch of text, blanks and comments included; joined they are that text."""
    return _matched(_LOSSLESS, text, start, end)


def tokens(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Yields the tokens of a stretch of text, which starts with one, without the blanks between them."""
    return _matched(_CODE, text, start, end)


def values_and_labels(text: str, start: int, end: int) -> Iterator[Token]:
    """Yields the tokens of a stretch of text that are names of values and blocks; it starts with a token."""
    return _matched(_VALUES, text, start, end)


def words(text: str, start: int, end: int) -> Iterator[Token]:
    """Yields the tokens of a stretch of text, which starts with one, without blanks and marks."""
    return _matched(_WORDS, text, start, end)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Returns a pattern that is compiled when it is first used: the parser's cursor uses none of them."""
    return re.compile(pattern, re.ASCII | re.DOTALL)


def _matched(pattern: str, text: str, start: int, end: int | None) -> Iterator[Token]:
    for match in _compiled(pattern).finditer(text, start, len(text) if end is None else end):
        if kind := match.lastgroup:
            yield Token(kind, match[0], Span(*match.span()))  # type: ignore[arg-type]


def alias_definitions(text: str) -> Iterator[re.Match[str]]:
    """Yields the matches of ALIAS_DEFINITION in a text, which is looked at in pieces: the pattern tries every
    line, and no other thread runs meanwhile."""
    start = 0
    while start < len(text):
        piece = text.find("\n", start + PIECE)
        piece = len(text) if piece < 0 else piece
        if text.find("#", start, piece) >= 0 or text.find("!", start, piece) >= 0:
            yield from ALIAS_DEFINITION.finditer(text, start, piece)
        start = piece + 1


def value_aliases(text: str) -> Iterator[re.Match[str]]:
    """Yields the matches of ALIAS_DEFINITION in a text that define no location."""
    for match in alias_definitions(text):
        if not _LOCATION.match(text, match.end()):
            yield match


def line_span(text: str, offset: int) -> Span:
    """Returns the line that holds an offset, without its line break."""
    end = text.find("\n", offset)
    return Span(text.rfind("\n", 0, offset) + 1, len(text) if end < 0 else end)


def token_at(text: str, offset: int) -> Token | None:
    """Returns the token that holds an offset or ends there; a name before a mark."""
    before: Token | None = None
    for token in tokens(text, _token_start(text, offset), line_span(text, offset).end):
        if token.span.start > offset or (token.span.start == offset and before and before.kind != "mark"):
            break
        if offset <= token.span.end:
            before = token
    return before


def _token_start(text: str, offset: int) -> int:
    """Returns where a token before an offset starts: the start of the line, or in a long one a place nearby,
    behind a string or a blank outside of strings."""
    start, end = line_span(text, offset)
    if offset - start < LONG_LINE:
        return start
    outside = start
    for match in _compiled(_OPAQUE).finditer(text, start, end):
        if match.start() >= offset:
            break
        if match.end() >= offset:
            return match.start() - text.startswith("@", match.start() - 1)  # `@"a b"` is one token
        outside = match.end()
    return max(outside, text.rfind(" ", outside, offset - 1) + 1)


def is_code(text: str, offset: int) -> bool:
    """Returns whether an offset is in code: in no comment and in no string."""
    for token in tokens(text, _token_start(text, offset), line_span(text, offset).end):
        if offset < token.span.start:
            break
        if token.span.start <= offset < token.span.end:
            return token.kind not in ("comment", "string")
    return True
