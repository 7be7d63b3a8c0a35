"""Types and attributes of dialects, `!dialect.body` and `#dialect<body>`: finding where they end, and
writing them.

What stands in a body is the dialect's own matter; all that MLIR's grammar says of it is that its brackets
balance.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from shlo.dialects.mhlo import MHLO, twin_dialect
from shlo.ir.source import Span
from shlo.syntax.lexer.cursor import SUFFIX, WORD, Cursor

CLOSING = {"<": ">", "[": "]", "{": "}", "(": ")"}
STEP = re.compile(r'"(?:[^"\\\n\v\f\0]|\\(?:[nt"\\]|[0-9a-fA-F]{2}))*"|->|[<\[{(>\]})"\0]')
BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"|->|[<\[{(>\]})]')
NAMESPACE = re.compile(r"[A-Za-z_][\w$]*", re.ASCII)
NAME = re.compile(r"[A-Za-z][\w.]*", re.ASCII)


class DialectSymbol(NamedTuple):
    """A use of a dialect's type or attribute, or of an alias (`dialect` is empty then and `body` the alias's
    name).

    `body_start` is where the body begins; the reader stands there, after `.` or `<`.
    """

    dialect: str
    body: str
    wrapped: bool
    body_start: int
    end: int


def parse_symbol(cursor: Cursor) -> DialectSymbol:
    """Reads what follows `!` or `#`, the sign itself included, up to the end of the symbol."""
    start = cursor.skip()
    match = SUFFIX.match(cursor.text, start + 1)
    if not match:
        cursor.fail(f"expected a name after '{cursor.text[start]}'", Span(start, start + 1))
    name, end = match[0], match.end()
    dialect, dot, _ = name.partition(".")
    has_angle = cursor.text.startswith("<", end)
    if not dot and not has_angle:
        cursor.pos = end
        return DialectSymbol("", name, False, start + 1, end)
    if not NAMESPACE.fullmatch(dialect):
        cursor.fail(f"'{dialect}' is no name of a dialect", Span(start + 1, start + 1 + len(dialect)))
    body_start = start + 1 + len(dialect) + 1
    cursor.pos = balanced_end(cursor, end) if has_angle else end
    body = cursor.text[body_start : cursor.pos] if dot else cursor.text[body_start : cursor.pos - 1]
    if dialect == MHLO and cursor.context.reads_mhlo:
        mnemonic = WORD.match(cursor.text, body_start)
        dialect = twin_dialect(mnemonic[0] if mnemonic else "")
    return DialectSymbol(dialect, body, not dot, body_start, cursor.pos)


def parse_mnemonic(cursor: Cursor, symbol: DialectSymbol) -> str:
    """Reads the word that a symbol's body starts with, empty where there is none."""
    cursor.pos = symbol.body_start
    return cursor.word() or ""


def balanced_end(cursor: Cursor, start: int) -> int:
    """The place behind the bracket that closes the one at `start`; strings and arrows are passed over
    whole."""
    open_brackets: list[tuple[str, int]] = []
    for match in STEP.finditer(cursor.text, start):
        token = match[0]
        if token in CLOSING:
            open_brackets.append((CLOSING[token], match.start()))
        elif token == '"':
            span = Span(match.start(), match.end())
            cursor.fail("the string has no end on its line, or a bad escape in it", span)
        elif token == "\0":
            break
        elif len(token) == 1 and open_brackets.pop()[0] != token:
            cursor.fail(f"'{token}' closes a bracket of another kind", Span(match.start(), match.end()))
        if not open_brackets:
            return match.end()
    at = open_brackets[-1][1] if open_brackets else start
    return cursor.fail(f"the '{cursor.text[at]}' is never closed", Span(at, at + 1))


def is_simple(body: str) -> bool:
    """Whether a body can stand after a dot: a name, and at most one pair of angle brackets behind it."""
    name = NAME.match(body)
    if name is None:
        return False
    rest = body[name.end() :]
    return not rest or (rest[0] == "<" and rest[-1] == ">" and _closes_at_end(rest))


def _closes_at_end(text: str) -> bool:
    """Whether the bracket at the start is closed by the last character, all those between balancing."""
    open_brackets: list[str] = []
    for match in BRACKET.finditer(text):
        token = match[0]
        if token in CLOSING:
            open_brackets.append(CLOSING[token])
        elif len(token) == 1 and token != open_brackets.pop():
            return False
        if not open_brackets:
            return match.end() == len(text)
    return False


def dotted_or_wrapped(body: str) -> str:
    """A body as it follows the dialect's name: `.body` or `<body>`."""
    return f".{body}" if is_simple(body) else f"<{body}>"
