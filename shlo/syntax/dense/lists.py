"""Dense elements by the grammar, one after the other: for extraordinary ones, and for messages."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from shlo.ir.dense import element_parts
from shlo.ir.dtypes import Array, UnsupportedTypeError, bit_width, dtype_of
from shlo.ir.source import Span
from shlo.ir.types import I1, FloatType, IndexType, IntegerType, Type
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.numbers.parse import (
    NumberLiteral,
    findings,
    float_pattern,
    integer_pattern,
    parse_literal,
)


class StringElement(Struct, frozen=True):
    """An element that is a string."""

    value: str
    span: Span


class ComplexPair(Struct, frozen=True):
    """A complex number `(a, b)`."""

    real: NumberLiteral
    imaginary: NumberLiteral
    span: Span


Element = NumberLiteral | StringElement | ComplexPair


class ListedElements(Struct, frozen=True):
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


def parse_elements(cursor: Cursor) -> ListedElements:
    """Reads one element or nested lists of elements."""
    values: list[Element] = []
    shape = _read(cursor, values)
    return ListedElements(shape, values)


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
    return ComplexPair(real, imaginary, Span(start, cursor.pos))


def _literal(cursor: Cursor) -> NumberLiteral:
    start = cursor.skip()
    for word in ("true", "false"):
        if cursor.accept(word):
            return NumberLiteral(False, word, Span(start, cursor.pos))
    literal = parse_literal(cursor)
    return literal if literal is not None else cursor.fail_expected("an element")


def convert(cursor: Cursor, elements: ListedElements, element_type: Type) -> list[int]:
    """Returns the bit patterns of elements of a numeric type; those of a complex one as two each."""
    part, count = element_parts(element_type)
    bits: list[int] = []
    literals: list[NumberLiteral] = []
    for value in elements.values:
        if isinstance(value, StringElement) or isinstance(value, ComplexPair) != (count == 2):
            wanted = "a pair of numbers '(a, b)'" if count == 2 else "a number"
            if isinstance(value, StringElement) and not elements.shape:
                wanted += ", or a string '0x...' holds the bytes of all"
            cursor.fail(f"an element of type {element_type} is {wanted}", value.span)
        for literal in (value.real, value.imaginary) if isinstance(value, ComplexPair) else (value,):
            bits.append(_bits(cursor, literal, part))
            literals.append(literal)
    cursor.diagnostics.extend(findings(literals, part, cursor.text))
    return bits


def _bits(cursor: Cursor, literal: NumberLiteral, type_: Type) -> int:
    if isinstance(type_, FloatType) and not literal.is_word:
        return float_pattern(cursor, literal, type_)
    if not isinstance(type_, (IntegerType, IndexType)):
        cursor.fail(f"expected a number of type {type_}", literal.span)
    if literal.is_word:
        if bit_width(type_) != 1:
            cursor.fail("'true' and 'false' are elements of i1 only", literal.span)
        return int(literal.digits == "true")
    if literal.negative and isinstance(type_, IntegerType) and type_.is_unsigned:
        cursor.fail("an unsigned integer is not negative", literal.span)
    return integer_pattern(cursor, literal, type_) & ((1 << bit_width(type_)) - 1)


# -- Ordinary lists of numbers at once -----------------------------------------------------------------------


FLOAT = re.compile(r"-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]{1,9})?", re.ASCII)
INTEGER = re.compile(r"-?[0-9]{1,100}", re.ASCII)
BOOLEAN = re.compile(r"true|false|-?1|0")
BROKEN_NUMBER = re.compile(r"[\w.][ \t\r\n]+[\w.]", re.ASCII)
MINUS_ZERO = re.compile(r"-0+(?![0-9])")
BLANKS = str.maketrans("", "", " \t\r\n")
BRACKETS = str.maketrans("", "", "[]()")
TRUE = ("true", "1", "-1")


def plain_elements(body: str, element_type: Type, shape: tuple[int, ...]) -> Array | None:
    """Returns the elements between the angle brackets; one for all as an array without dimensions.

    None where the text is no ordinary list of decimal numbers of that type and shape: it may be wrong, it
    may not.
    """
    part, parts = element_parts(element_type)
    pattern = _pattern(part)
    count = body.count(",") + 1
    if pattern is None or count not in (parts, parts * math.prod(shape)) or BROKEN_NUMBER.search(body):
        return None
    text = body.translate(BLANKS)
    layout, one = pattern.sub("#", text), "(#,#)" if parts == 2 else "#"
    if layout != one and (count != parts * math.prod(shape) or layout != _nested(one, shape)):
        return None
    numbers = text.translate(BRACKETS).split(",")
    try:
        dtype = dtype_of(element_type)
    except UnsupportedTypeError:
        return None
    array = _converted(numbers, part)
    return None if array is None else array.view(dtype).reshape(() if layout == one else shape)


def reinterpreted_literal(body: str, array: Array, element_type: Type) -> re.Match[str] | None:
    """Returns where an integer is written as a bit pattern, or a boolean as a number; None where there is
    none.

    An element is negative either because a minus sign says so, or because it is a pattern.
    """
    if not isinstance(element_type, IntegerType) or element_type.signedness != "signless":
        return None
    if element_type == I1:
        return re.search(r"[01]", body)
    if array.dtype.kind not in "iV" or np.count_nonzero(array < 0) == body.count("-"):
        return None
    largest = (1 << (element_type.width - 1)) - 1
    return next((match for match in INTEGER.finditer(body) if int(match[0]) > largest), None)


def _pattern(part: Type) -> re.Pattern[str] | None:
    if isinstance(part, FloatType):
        return None if part.name == "f8E8M0FNU" else FLOAT
    if isinstance(part, IntegerType) and part.width == 1:
        return BOOLEAN
    return INTEGER if isinstance(part, (IntegerType, IndexType)) else None


def _nested(item: str, shape: tuple[int, ...]) -> str:
    for size in reversed(shape):
        item = f"[{','.join([item] * size)}]"
    return item


def _converted(numbers: list[str], part: Type) -> Array | None:
    if isinstance(part, FloatType):
        return narrowed(np.array(list(map(float, numbers)), np.float64), part)
    assert isinstance(part, (IntegerType, IndexType))
    if part == I1:
        return np.array([number in TRUE for number in numbers], np.bool_)
    if any(map(MINUS_ZERO.fullmatch, numbers)):
        return None
    return _integers(list(map(int, numbers)), part)


def _integers(values: Sequence[int], part: IntegerType | IndexType) -> Array | None:
    """Returns integers (of a signless type also bit patterns) in their type; None if one is out of range."""
    signedness = part.signedness if isinstance(part, IntegerType) else "signed"
    width = bit_width(part)
    low = 0 if signedness == "unsigned" else -(1 << (width - 1))
    high = 1 << (width - 1 if signedness == "signed" else width)
    if min(values) < low or max(values) >= high:
        return None
    if max(values) < 1 << 63:
        return np.array(values, np.int64).astype(dtype_of(part))
    return np.array([value & (2**64 - 1) for value in values], np.uint64).view(dtype_of(part))


def narrowed(values: Array, type_: FloatType) -> Array:
    """Doubles as numbers of a type, each rounded once, ties to even."""
    with np.errstate(all="ignore"):
        if type_.name in ("f64", "f32", "f16"):
            return values.astype(dtype_of(type_))
        # f32 by "round to odd" (an inexact number gets an odd last bit) makes the second rounding exact.
        nearest = values.astype(np.float32)
        bits = nearest.view(np.uint32)
        toward_zero = bits - (np.abs(nearest).astype(np.float64) > np.abs(values))
        is_inexact = (nearest.astype(np.float64) != values) & ~np.isnan(values)
        sticky = np.where(is_inexact, toward_zero | 1, bits).astype(np.uint32).view(np.float32)
        return sticky.astype(dtype_of(type_))
