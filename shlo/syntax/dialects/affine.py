"""Affine maps and sets: checked against the grammar and kept as text, with MLIR's names `d0` and `s0`."""

from __future__ import annotations

import re

from shlo.ir.attributes import AffineMapAttr
from shlo.ir.source import Span
from shlo.syntax.lexer.cursor import Reader

DIMENSIONS = re.compile(r"\(([^()]*)\)")
IDENTITY = re.compile(r"\(([^()]*)\) -> \(\1\)")
OPERATORS = ("+", "*", "mod", "floordiv", "ceildiv")
COMPARISONS = (">=", "<=", "==")


def parse_affine(reader: Reader, keyword: str) -> AffineMapAttr:
    """Reads `<(dims)[symbols] -> (results)>` or `<(dims)[symbols] : (constraints)>` behind the keyword."""
    reader.expect("<", f"after '{keyword}'")
    names: dict[str, str] = {}
    reader.expect("(", "before the dimensions")
    dimensions = reader.comma_list(lambda: _declared(reader, names, "d"), ")")
    head = f"({', '.join(dimensions)})"
    if reader.accept("["):
        count = len(names)
        symbols = reader.comma_list(lambda: _declared(reader, names, "s", count), "]")
        head += f"[{', '.join(symbols)}]"
    separator, read = ("->", _expression) if keyword == "affine_map" else (":", _constraint)
    reader.expect(separator, "after the dimensions and symbols")
    reader.expect("(", f"after '{separator}'")
    parts = reader.comma_list(lambda: read(reader, names), ")")
    reader.expect(">", f"at the end of an {keyword}")
    return AffineMapAttr(keyword, f"{head} {separator} ({', '.join(parts)})")


def dimension_count(attribute: AffineMapAttr) -> int:
    """How many dimensions a map takes."""
    head = DIMENSIONS.match(attribute.body)
    return len(head[1].split(",")) if head and head[1] else 0


def is_identity(attribute: AffineMapAttr) -> bool:
    """Whether a map gives its dimensions back as they are."""
    return IDENTITY.fullmatch(attribute.body) is not None


def _declared(reader: Reader, names: dict[str, str], letter: str, before: int = 0) -> str:
    """Reads the name of a dimension or symbol; `before` names of the other kind were declared."""
    start = reader.skip()
    name = reader.expect_identifier("the name of a dimension or symbol")
    if name in names:
        reader.fail(f"'{name}' is declared twice", Span(start, reader.pos))
    names[name] = f"{letter}{len(names) - before}"
    return names[name]


def _constraint(reader: Reader, names: dict[str, str]) -> str:
    left = _expression(reader, names)
    for comparison in COMPARISONS:
        if reader.accept(comparison):
            return f"{left} {comparison} {_expression(reader, names)}"
    return reader.fail(f"expected one of {', '.join(COMPARISONS)}, but found {reader.found()}")


def _expression(reader: Reader, names: dict[str, str]) -> str:
    text = _term(reader, names)
    while True:
        operator = next((each for each in OPERATORS if reader.accept(each)), None)
        if operator is None and not reader.at("->") and reader.accept("-"):
            operator = "-"
        if operator is None:
            return text
        text += f" {operator} {_term(reader, names)}"


def _term(reader: Reader, names: dict[str, str]) -> str:
    if reader.accept("-"):
        return f"-{reader.nested(lambda: _term(reader, names))}"
    if reader.accept("("):
        inner = reader.nested(lambda: _expression(reader, names))
        reader.expect(")", "after an expression in parentheses")
        return f"({inner})"
    start = reader.skip()
    name = reader.identifier()
    if name is None:
        return str(reader.expect_integer("a dimension, a symbol or an integer"))
    if name not in names:
        reader.fail(f"'{name}' is no dimension or symbol", Span(start, reader.pos))
    return names[name]
