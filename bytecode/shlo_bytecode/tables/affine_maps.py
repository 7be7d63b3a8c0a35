"""Affine maps in binary, which newer MLIR writes."""

from __future__ import annotations

from shlo_bytecode.tables.fields import EntryStream

IDENTITY, PERMUTATION, PROJECTION, GENERAL = range(4)
LEAVES = ("d{}", "s{}", "{}")
OPERATORS = ("+", "*", "mod", "floordiv", "ceildiv")
MAX_OPERANDS = 10_000


def affine_map_text(stream: EntryStream) -> str:
    """Returns the map as text between the angle brackets, every expression in parentheses."""
    start = stream.pos
    number = stream.varint("the dimensions of an affine map")
    dimensions, kind = number >> 2, number & 3
    if dimensions > MAX_OPERANDS:
        stream.fail(f"an affine map has {dimensions} dimensions", start)
    symbols = 0
    if kind == IDENTITY:
        results = [f"d{index}" for index in range(dimensions)]
    elif kind == GENERAL:
        symbols = stream.index(MAX_OPERANDS, "the symbols of an affine map")
        results = [_expression(stream) for _ in range(stream.count("results of an affine map"))]
    else:
        count = dimensions if kind == PERMUTATION else stream.varint("the results of an affine map")
        stream.checked_count(count, "results of an affine map", start)
        results = [f"d{stream.varint('a dimension of an affine map')}" for _ in range(count)]
    names = ", ".join(f"d{index}" for index in range(dimensions))
    listed = f"[{', '.join(f's{index}' for index in range(symbols))}]" if symbols else ""
    return f"({names}){listed} -> ({', '.join(results)})"


def _expression(stream: EntryStream) -> str:
    """Returns an expression in prefix order; each operator waits for its two operands."""
    waiting: list[list[str]] = []
    while True:
        code = stream.index(len(LEAVES) + len(OPERATORS), "an affine expression")
        if code >= len(LEAVES):
            waiting.append([OPERATORS[code - len(LEAVES)]])
            continue
        read = stream.signed if code == 2 else stream.varint
        text = LEAVES[code].format(read("a part of an affine expression"))
        while waiting and len(waiting[-1]) == 2:
            operator, left = waiting.pop()
            text = f"({left} {operator} {text})"
        if not waiting:
            return text
        waiting[-1].append(text)
