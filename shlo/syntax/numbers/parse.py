"""Text to numbers: literals, and their values in a type."""

from __future__ import annotations

import re

from shlo.ir.floats import bits_from_float, float_width
from shlo.ir.source import Span
from shlo.ir.types import FloatType, IndexType, IntegerType, Type
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.numbers.literals import NumberLiteral, findings

NUMBER = re.compile(r"0x[0-9a-fA-F]+|[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[0-9]+(?:[eE][-+]?[0-9]+)?", re.ASCII)
MAX_DIGITS = 3000
"""More digits than any number needs; beyond them Python itself refuses to convert."""


def parse_literal(cursor: Cursor) -> NumberLiteral | None:
    """Reads a number with its sign if one follows."""
    start = cursor.skip()
    negative = cursor.accept("-")
    if not negative:
        cursor.plus()
    match = cursor.match(NUMBER)
    if match:
        return NumberLiteral(negative, match[0], Span(start, match.end()))
    if negative:
        cursor.fail_expected("a number after '-'")
    return None


def expect_literal(cursor: Cursor) -> NumberLiteral:
    """Reads a number with its sign, which must follow."""
    literal = parse_literal(cursor)
    return literal if literal is not None else cursor.fail_expected("a number")


def integer_width(type_: Type) -> int:
    """Returns the bits of an integer type or of `index`."""
    return type_.width if isinstance(type_, IntegerType) else 64


def integer_value(cursor: Cursor, literal: NumberLiteral, type_: IntegerType | IndexType) -> int:
    """Returns the literal's value in a type, and reports legacy forms and values out of range."""
    value = integer_pattern(cursor, literal, type_)
    cursor.diagnostics.extend(findings((literal,), type_, cursor.text))
    return value


def float_bits(cursor: Cursor, literal: NumberLiteral, type_: FloatType) -> int:
    """Returns the literal's bit pattern in a type, and reports legacy forms and values out of range."""
    bits = float_pattern(cursor, literal, type_)
    cursor.diagnostics.extend(findings((literal,), type_, cursor.text))
    return bits


def integer_pattern(cursor: Cursor, literal: NumberLiteral, type_: IntegerType | IndexType) -> int:
    """Returns the literal's value in a type; a signless pattern of the upper half is a negative number."""
    if literal.is_float:
        cursor.fail(f"expected an integer of type {type_}, but found a float", literal.span)
    magnitude = _magnitude(cursor, literal)
    value = -magnitude if literal.negative else magnitude
    if not _fits(magnitude, literal.negative, type_):
        message = f"{literal.shown} is out of the range of {type_}"
        cursor.fail(message, literal.span, code="integer_constant-C1")
    return wrapped(value, type_)


def _magnitude(cursor: Cursor, literal: NumberLiteral) -> int:
    if len(literal.digits) > MAX_DIGITS:
        cursor.fail("the integer has too many digits", literal.span)
    return int(literal.digits, 16 if literal.is_hexadecimal else 10)


def _fits(magnitude: int, negative: bool, type_: IntegerType | IndexType) -> bool:
    """MLIR takes patterns of a signless type's width as well as negative numbers, but no minus zero."""
    width = integer_width(type_)
    if width == 0:
        return magnitude == 0
    if negative:
        return 0 < magnitude <= 1 << (width - 1)
    is_signed = isinstance(type_, IndexType) or type_.signedness == "signed"
    return magnitude < 1 << (width - 1 if is_signed else width)


def wrapped(value: int, type_: IntegerType | IndexType) -> int:
    """Returns a bit pattern's or number's value as the type reads it; that of an i1 is 0 or 1."""
    width = integer_width(type_)
    pattern = value & ((1 << width) - 1)
    is_unsigned = isinstance(type_, IntegerType) and (type_.is_unsigned or type_.is_boolean)
    return pattern - (1 << width) if not is_unsigned and width and pattern >> (width - 1) else pattern


def float_pattern(cursor: Cursor, literal: NumberLiteral, type_: FloatType) -> int:
    """Returns the bit pattern of the literal in a type; a hexadecimal literal is the pattern itself."""
    if not literal.is_hexadecimal:
        value = float(literal.digits)
        return bits_from_float(-value if literal.negative else value, type_)
    if literal.negative:
        cursor.fail("a float's bit pattern has no sign before it", literal.span)
    bits = _magnitude(cursor, literal)
    if bits >> float_width(type_):
        cursor.fail(f"{literal.shown} has more bits than {type_}", literal.span, code="float_constant-C2")
    return bits
