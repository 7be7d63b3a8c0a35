"""Types and attributes of dialects, `!dialect.body` and `#dialect<body>`: finding where they end, and
writing them.

What is in a body is the dialect's own matter; all that MLIR's grammar says of it is that its brackets
balance.
"""

from __future__ import annotations

import re

from msgspec import Struct

from shlo.dialects.mhlo import MHLO, twin_dialect
from shlo.ir.source import Span
from shlo.syntax.lexer.cursor import SUFFIX, WORD, Cursor, balanced_end, is_balanced

NAMESPACE = re.compile(r"[A-Za-z_][\w$]*", re.ASCII)
NAME = re.compile(r"[A-Za-z][\w.]*", re.ASCII)


class DialectSymbol(Struct, frozen=True):
    """A use of a dialect's type or attribute, or of an alias (`dialect` is empty then and `body` the alias's
    name).

    `body_start` is where the body begins; the reader is there, after `.` or `<`.
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


def is_simple(body: str) -> bool:
    """Returns whether a body can follow a dot: a name, and at most one pair of angle brackets behind it."""
    name = NAME.match(body)
    if name is None:
        return False
    rest = body[name.end() :]
    return not rest or (rest[0] == "<" and rest[-1] == ">" and is_balanced(rest))


def dotted_or_wrapped(body: str) -> str:
    """Returns a body as it follows the dialect's name: `.body` or `<body>`."""
    return f".{body}" if is_simple(body) else f"<{body}>"
