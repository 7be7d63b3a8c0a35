"""Affine maps and sets: checked against the grammar and kept as text, with MLIR's names `d0` and `s0`."""

from __future__ import annotations

import re

from shlo.ir.attributes import AffineMapAttr
from shlo.ir.source import Span
from shlo.syntax.lexer.cursor import Cursor

DIMENSIONS = re.compile(r"\(([^()]*)\)")
IDENTITY = re.compile(r"\(([^()]*)\) -> \(\1\)")
OPERATORS = ("+", "*", "mod", "floordiv", "ceildiv")
COMPARISONS = (">=", "<=", "==")


def parse_affine(cursor: Cursor, keyword: str) -> AffineMapAttr:
    """Reads `<(dims)[symbols] -> (results)>` or `<(dims)[symbols] : (constraints)>` behind the keyword."""
    cursor.expect("<", f"after '{keyword}'")
    names: dict[str, str] = {}
    cursor.expect("(", "before the dimensions")
    dimensions = cursor.comma_list(lambda: _declared(cursor, names, "d"), ")")
    head = f"({', '.join(dimensions)})"
    if cursor.accept("["):
        count = len(names)
        symbols = cursor.comma_list(lambda: _declared(cursor, names, "s", count), "]")
        head += f"[{', '.join(symbols)}]"
    separator, read = ("->", _expression) if keyword == "affine_map" else (":", _constraint)
    cursor.expect(separator, "after the dimensions and symbols")
    cursor.expect("(", f"after '{separator}'")
    parts = cursor.comma_list(lambda: read(cursor, names), ")")
    cursor.expect(">", f"at the end of an {keyword}")
    return AffineMapAttr(keyword, f"{head} {separator} ({', '.join(parts)})")


def dimension_count(attribute: AffineMapAttr) -> int:
    """Returns how many dimensions a map takes."""
    head = DIMENSIONS.match(attribute.body)
    return len(head[1].split(",")) if head and head[1] else 0


def is_identity(attribute: AffineMapAttr) -> bool:
    """Returns whether a map gives its dimensions back as they are."""
    return IDENTITY.fullmatch(attribute.body) is not None


def _declared(cursor: Cursor, names: dict[str, str], letter: str, before: int = 0) -> str:
    """Reads the name of a dimension or symbol; `before` names of the other kind were declared."""
    start = cursor.skip()
    name = cursor.expect_identifier("the name of a dimension or symbol")
    if name in names:
        cursor.fail(f"'{name}' is declared twice", Span(start, cursor.pos))
    names[name] = f"{letter}{len(names) - before}"
    return names[name]


def _constraint(cursor: Cursor, names: dict[str, str]) -> str:
    left = _expression(cursor, names)
    for comparison in COMPARISONS:
        if cursor.accept(comparison):
            return f"{left} {comparison} {_expression(cursor, names)}"
    return cursor.fail_expected(f"one of {', '.join(COMPARISONS)}", words=tuple(COMPARISONS))


def _expression(cursor: Cursor, names: dict[str, str]) -> str:
    text = _term(cursor, names)
    while True:
        operator = next((sign for sign in OPERATORS if cursor.accept(sign)), None)
        if operator is None and not cursor.at("->") and cursor.accept("-"):
            operator = "-"
        if operator is None:
            return text
        text += f" {operator} {_term(cursor, names)}"


def _term(cursor: Cursor, names: dict[str, str]) -> str:
    if cursor.accept("-"):
        return f"-{cursor.nested(lambda: _term(cursor, names))}"
    if cursor.accept("("):
        inner = cursor.nested(lambda: _expression(cursor, names))
        cursor.expect(")", "after an expression in parentheses")
        return f"({inner})"
    start = cursor.skip()
    name = cursor.identifier()
    if name is None:
        return str(cursor.expect_integer("a dimension, a symbol or an integer"))
    if name not in names:
        cursor.fail(f"'{name}' is no dimension or symbol", Span(start, cursor.pos))
    return names[name]
