"""Dense elements by the grammar, one element after the other: for what is out of the ordinary, and for
messages."""

from __future__ import annotations

from typing import NamedTuple

from shlo.ir.dense import element_parts
from shlo.ir.source import Span
from shlo.ir.types import FloatType, IndexType, IntegerType, Type
from shlo.syntax.lexer.cursor import Reader
from shlo.syntax.parser.literals import Literal, findings
from shlo.syntax.parser.numbers import float_pattern, integer_pattern, integer_width, read_literal


class Text(NamedTuple):
    """An element that is a string."""

    value: str
    span: Span


class Pair(NamedTuple):
    """A complex number `(a, b)`."""

    real: Literal
    imaginary: Literal
    span: Span


Element = Literal | Text | Pair


class Elements(NamedTuple):
    """Elements row by row, and the shape of the lists around them; `()` where one stands for all."""

    shape: tuple[int, ...]
    values: list[Element]

    def strings(self, reader: Reader) -> tuple[str, ...]:
        """The elements as strings, which all must be; equal ones as one for all."""
        texts: list[str] = []
        for value in self.values:
            if not isinstance(value, Text):
                reader.fail("elements of this type are written as strings", value.span)
            texts.append(value.value)
        return (texts[0],) if len(set(texts)) == 1 else tuple(texts)


def read_elements(reader: Reader) -> Elements:
    """Reads one element or nested lists of elements."""
    values: list[Element] = []
    shape = _read(reader, values)
    return Elements(shape, values)


def _read(reader: Reader, values: list[Element]) -> tuple[int, ...]:
    if not reader.at("["):
        values.append(_element(reader))
        return ()
    start = reader.pos
    reader.expect("[")
    shapes = reader.comma_list(lambda: reader.nested(lambda: _read(reader, values)), "]")
    if len(set(shapes)) > 1:
        reader.fail("the lists of elements differ in their lengths", Span(start, reader.pos))
    return (len(shapes), *(shapes[0] if shapes else ()))


def _element(reader: Reader) -> Element:
    start = reader.skip()
    text = reader.string()
    if text is not None:
        return Text(text, Span(start, reader.pos))
    if not reader.accept("("):
        return _literal(reader)
    real = _literal(reader)
    reader.expect(",", "between real and imaginary part")
    imaginary = _literal(reader)
    reader.expect(")", "after the imaginary part")
    return Pair(real, imaginary, Span(start, reader.pos))


def _literal(reader: Reader) -> Literal:
    start = reader.skip()
    for word in ("true", "false"):
        if reader.accept(word):
            return Literal(False, word, Span(start, reader.pos))
    literal = read_literal(reader)
    return literal if literal is not None else reader.fail(f"expected an element, but found {reader.found()}")


def convert(reader: Reader, elements: Elements, element_type: Type) -> list[int]:
    """The bit patterns of elements of a numeric type; those of a complex one as two each."""
    part, count = element_parts(element_type)
    bits: list[int] = []
    literals: list[Literal] = []
    for value in elements.values:
        if isinstance(value, Text) or isinstance(value, Pair) != (count == 2):
            wanted = "a pair of numbers '(a, b)'" if count == 2 else "a number"
            if isinstance(value, Text) and not elements.shape:
                wanted += ", or a string '0x...' holds the bytes of all"
            reader.fail(f"an element of type {element_type} is {wanted}", value.span)
        for literal in (value.real, value.imaginary) if isinstance(value, Pair) else (value,):
            bits.append(_bits(reader, literal, part))
            literals.append(literal)
    reader.diagnostics.extend(findings(literals, part, reader.text))
    return bits


def _bits(reader: Reader, literal: Literal, type_: Type) -> int:
    if isinstance(type_, FloatType) and not literal.is_word:
        return float_pattern(reader, literal, type_)
    if not isinstance(type_, (IntegerType, IndexType)):
        reader.fail(f"expected a number of type {type_}", literal.span)
    if literal.is_word:
        if integer_width(type_) != 1:
            reader.fail("'true' and 'false' are elements of i1 only", literal.span)
        return int(literal.digits == "true")
    if literal.negative and isinstance(type_, IntegerType) and type_.is_unsigned:
        reader.fail("an unsigned integer is not negative", literal.span)
    return integer_pattern(reader, literal, type_) & ((1 << integer_width(type_)) - 1)
