"""Affine maps, integer sets and strided layouts in binary, which newer MLIR writes."""

from __future__ import annotations

from msgspec import Struct

from shlo_bytecode.tables.fields import EntryStream

IDENTITY, PERMUTATION, PROJECTION, GENERAL = range(4)
LEAVES = ("d{}", "s{}", "{}")
OPERATORS = ("+", "*", "mod", "floordiv", "ceildiv")
COMPARISONS = (">=", "==")
MAX_OPERANDS = 10_000
DYNAMIC = -(1 << 63)
"""The offset or stride that is not known."""


def affine_map_text(stream: EntryStream) -> str:
    """Returns the map as text between the angle brackets."""
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
    return f"{_operands(dimensions, symbols)} -> ({', '.join(results)})"


def integer_set_text(stream: EntryStream) -> str:
    """Returns the set as text between the angle brackets; behind its constraints a byte for each says
    whether it is an equation.
    """
    dimensions = stream.index(MAX_OPERANDS, "the dimensions of an integer set")
    symbols = stream.index(MAX_OPERANDS, "the symbols of an integer set")
    parts = [_expression(stream) for _ in range(stream.count("constraints of an integer set"))]
    signs = [COMPARISONS[stream.byte("whether a constraint is an equation") != 0] for _ in parts]
    constraints = [f"{part} {sign} 0" for part, sign in zip(parts, signs, strict=True)]
    return f"{_operands(dimensions, symbols)} : ({', '.join(constraints)})"


def strided_layout_text(stream: EntryStream) -> str:
    """Returns the layout of a memref as text between the angle brackets."""
    offset = _extent(stream, "the offset of a layout")
    strides = [_extent(stream, "a stride of a layout") for _ in range(stream.count("strides of a layout"))]
    return f"[{', '.join(strides)}]" + (f", offset: {offset}" if offset != "0" else "")


def _extent(stream: EntryStream, what: str) -> str:
    number = stream.signed(what)
    return "?" if number == DYNAMIC else str(number)


def _operands(dimensions: int, symbols: int) -> str:
    names = ", ".join(f"d{index}" for index in range(dimensions))
    return f"({names})" + (f"[{', '.join(f's{index}' for index in range(symbols))}]" if symbols else "")


class _Expression(Struct, frozen=True):
    """An expression as MLIR prints it; `operator` is empty for a name or number, `negated` is what a sum
    subtracts instead of adding it, and empty where it adds.
    """

    text: str
    operator: str = ""
    negated: str = ""

    @property
    def operand(self) -> str:
        """The text as an operand of anything but a sum."""
        return f"({self.text})" if self.operator else self.text


def _expression(stream: EntryStream) -> str:
    """Returns an expression in prefix order; each operator waits for its two operands."""
    waiting: list[tuple[str, list[_Expression]]] = []
    while True:
        code = stream.index(len(LEAVES) + len(OPERATORS), "an affine expression")
        if code >= len(LEAVES):
            waiting.append((OPERATORS[code - len(LEAVES)], []))
            continue
        read = stream.signed if code == 2 else stream.varint
        text = LEAVES[code].format(read("a part of an affine expression"))
        expression = _Expression(text, negated=text[1:] if text.startswith("-") else "")
        while waiting and waiting[-1][1]:
            operator, operands = waiting.pop()
            expression = _joined(operator, operands[0], expression)
        if not waiting:
            return expression.text
        waiting[-1][1].append(expression)


def _joined(operator: str, left: _Expression, right: _Expression) -> _Expression:
    if operator == "+":
        end = f"- {right.negated}" if right.negated else f"+ {right.text}"
        return _Expression(f"{left.text} {end}", operator)
    text = f"{left.operand} {operator} {right.operand}"
    if operator != "*" or right.operator or not right.negated:
        return _Expression(text, operator)
    if right.text == "-1":
        return _Expression(f"-{left.operand}", operator, left.operand if left.operator == "+" else left.text)
    return _Expression(text, operator, f"{left.operand} * {right.negated}")
