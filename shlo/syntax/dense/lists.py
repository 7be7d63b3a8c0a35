"""Dense elements by the grammar, one after the other: for extraordinary ones, and for messages."""

from __future__ import annotations

from msgspec import Struct

from shlo.ir.dense import element_parts
from shlo.ir.source import Span
from shlo.ir.types import FloatType, IndexType, IntegerType, Type
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.numbers.literals import Literal, findings
from shlo.syntax.numbers.parse import float_pattern, integer_pattern, integer_width, parse_literal


class StringElement(Struct, frozen=True):
    """An element that is a string."""

    value: str
    span: Span


class Pair(Struct, frozen=True):
    """A complex number `(a, b)`."""

    real: Literal
    imaginary: Literal
    span: Span


Element = Literal | StringElement | Pair


class Elements(Struct, frozen=True):
    """Elements row by row, and the shape of the lists around them; `()` where one refers to all."""

    shape: tuple[int, ...]
    values: list[Element]

    def strings(self, cursor: Cursor) -> tuple[str, ...]:
        """Returns the elements as strings, which all must be; equal ones as one for all."""
        strings: list[str] = []
        for value in self.values:
            if not isinstance(value, StringElement):
                cursor.fail("elements of this type are written as strings", value.span)
            strings.append(value.value)
        return (strings[0],) if len(set(strings)) == 1 else tuple(strings)


def parse_elements(cursor: Cursor) -> Elements:
    """Reads one element or nested lists of elements."""
    values: list[Element] = []
    shape = _read(cursor, values)
    return Elements(shape, values)


def _read(cursor: Cursor, values: list[Element]) -> tuple[int, ...]:
    if not cursor.at("["):
        values.append(_element(cursor))
        return ()
    start = cursor.pos
    cursor.expect("[")
    shapes = cursor.comma_list(lambda: cursor.nested(lambda: _read(cursor, values)), "]")
    if len(set(shapes)) > 1:
        cursor.fail("the lists of elements differ in their lengths", Span(start, cursor.pos))
    return (len(shapes), *(shapes[0] if shapes else ()))


def _element(cursor: Cursor) -> Element:
    start = cursor.skip()
    text = cursor.string()
    if text is not None:
        return StringElement(text, Span(start, cursor.pos))
    if not cursor.accept("("):
        return _literal(cursor)
    real = _literal(cursor)
    cursor.expect(",", "between real and imaginary part")
    imaginary = _literal(cursor)
    cursor.expect(")", "after the imaginary part")
    return Pair(real, imaginary, Span(start, cursor.pos))


def _literal(cursor: Cursor) -> Literal:
    start = cursor.skip()
    for word in ("true", "false"):
        if cursor.accept(word):
            return Literal(False, word, Span(start, cursor.pos))
    literal = parse_literal(cursor)
    return literal if literal is not None else cursor.fail(f"expected an element, but found {cursor.found()}")


def convert(cursor: Cursor, elements: Elements, element_type: Type) -> list[int]:
    """Returns the bit patterns of elements of a numeric type; those of a complex one as two each."""
    part, count = element_parts(element_type)
    bits: list[int] = []
    literals: list[Literal] = []
    for value in elements.values:
        if isinstance(value, StringElement) or isinstance(value, Pair) != (count == 2):
            wanted = "a pair of numbers '(a, b)'" if count == 2 else "a number"
            if isinstance(value, StringElement) and not elements.shape:
                wanted += ", or a string '0x...' holds the bytes of all"
            cursor.fail(f"an element of type {element_type} is {wanted}", value.span)
        for literal in (value.real, value.imaginary) if isinstance(value, Pair) else (value,):
            bits.append(_bits(cursor, literal, part))
            literals.append(literal)
    cursor.diagnostics.extend(findings(literals, part, cursor.text))
    return bits


def _bits(cursor: Cursor, literal: Literal, type_: Type) -> int:
    if isinstance(type_, FloatType) and not literal.is_word:
        return float_pattern(cursor, literal, type_)
    if not isinstance(type_, (IntegerType, IndexType)):
        cursor.fail(f"expected a number of type {type_}", literal.span)
    if literal.is_word:
        if integer_width(type_) != 1:
            cursor.fail("'true' and 'false' are elements of i1 only", literal.span)
        return int(literal.digits == "true")
    if literal.negative and isinstance(type_, IntegerType) and type_.is_unsigned:
        cursor.fail("an unsigned integer is not negative", literal.span)
    return integer_pattern(cursor, literal, type_) & ((1 << integer_width(type_)) - 1)
