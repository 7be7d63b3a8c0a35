"""Text to numbers: literals, and their values in a type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from shlo.ir.diagnostics import Applicability, Diagnostic, Fix
from shlo.ir.dtypes import bit_width
from shlo.ir.floats import bits_from_float, float_from_bits
from shlo.ir.source import Span
from shlo.ir.suggestions import Replace
from shlo.ir.types import F64, I1, FloatType, IndexType, IntegerType, Type
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.numbers.print import float_text
from shlo.text.shortening import clipped, with_short_words

# -- Number literals, and the findings on those that are read to find more although MLIR refuse --------------


_POINTLESS = re.compile(r"([0-9]+)((?:[eE][-+]?[0-9]+)?)", re.ASCII)
_ONE_DIGIT = re.compile(r"[0-9](?![0-9])", re.ASCII)


class NumberLiteral(Struct, frozen=True):
    """A number as it is written, or `true` or `false`."""

    negative: bool
    digits: str
    span: Span

    @property
    def is_float(self) -> bool:
        """Whether it is a decimal number with a point or an exponent."""
        return not self.is_hexadecimal and not self.is_word and any(mark in self.digits for mark in ".eE")

    @property
    def is_word(self) -> bool:
        """Whether it is `true` or `false`."""
        return self.digits in ("true", "false")

    @property
    def is_hexadecimal(self) -> bool:
        """Whether it is a hexadecimal number."""
        return self.digits.startswith("0x")

    @property
    def shown(self) -> str:
        """The literal for messages."""
        text = ("-" if self.negative else "") + self.digits
        return clipped(text, 40)

    @property
    def with_point(self) -> str:
        """The literal as MLIR reads it as a float; empty where it reads this one."""
        match = _POINTLESS.fullmatch(self.digits)
        return f"{'-' if self.negative else ''}{match[1]}.0{match[2]}" if match else ""


def findings(literals: Sequence[NumberLiteral], type_: Type, text: str) -> Iterator[Diagnostic]:
    """Yields the findings on one constant's literals: one for each kind of mistake."""
    if isinstance(type_, FloatType):
        yield from _without_point(literals, text)
        yield from islice(_few_digits(literals, type_), 1)
    elif isinstance(type_, IntegerType) and type_.signedness == "signless" and type_.width:
        yield from islice(_patterns(literals, type_), 1)


def _without_point(literals: Sequence[NumberLiteral], text: str) -> Iterator[Diagnostic]:
    pointless = [literal for literal in literals if literal.with_point]
    if not pointless:
        return
    first, span = pointless[0], Span(pointless[0].span.start, pointless[-1].span.end)
    parts, offset = list[str](), span.start
    for literal in pointless:
        parts += text[offset : literal.span.start], literal.with_point
        offset = literal.span.end
    many = "" if len(pointless) == 1 else f", and {len(pointless) - 1} more"
    wanted = with_short_words(f"{first.with_point}{many}")
    message = f"expected a decimal point in a float, got {first.shown}{many}"
    if len(pointless) == len(literals) and (len(literals) > 1 or _ONE_DIGIT.match(first.digits)):
        applicability = Applicability.CERTAIN
    else:
        applicability = Applicability.LIKELY  # 30 may be 3.0 that lost its point
    fix = Fix(f"write {wanted}", span, "".join(parts), applicability)
    yield Diagnostic(message, span, fix=fix)


def _few_digits(literals: Iterable[NumberLiteral], type_: FloatType) -> Iterator[Diagnostic]:
    wanted = -(-bit_width(type_) // 4)
    for literal in literals:
        digits = literal.digits[2:]
        if literal.is_hexadecimal and len(digits) < wanted:
            written = f"0x{digits.rjust(wanted, '0')}"
            read = f"{literal.digits} is read as {float_text(int(digits, 16), type_)}"
            yield Diagnostic(
                f"expected {wanted} hexadecimal digits for {type_}, got {len(digits)}: {read}",
                literal.span,
                "float_constant-C2",
                "warning",
                suggestions=(Replace("", written, f"write {written} if that is what you mean"),),
            )


def _patterns(literals: Iterable[NumberLiteral], type_: IntegerType) -> Iterator[Diagnostic]:
    """Yields findings on numbers beyond the largest of a type, and on numbers as booleans."""
    lowest = -(1 << type_.width - 1)
    for literal in literals:
        digits, span = literal.digits, literal.span
        if literal.is_word or literal.is_hexadecimal or literal.negative:
            continue
        if type_.width == 1:
            word = "true" if int(digits) else "false"
            message = f"a boolean is true or false today: {digits} is {word}"
            yield Diagnostic(
                message, span, "spelling", "hint", fix=Fix(f"write {word}", span, word, Applicability.CERTAIN)
            )
        elif len(digits) > 20 or int(digits) >= -lowest:
            expected = f"expected an integer of {type_}, from {lowest} to {-lowest - 1}, got {digits}"
            message = f"{expected}: it is read as {int(digits) + 2 * lowest}"
            yield Diagnostic(message, span, "integer_constant-C1", "warning")


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


def parse_double(cursor: Cursor) -> float:
    """Reads a number of type f64."""
    return float_from_bits(float_bits(cursor, expect_literal(cursor), F64), F64)


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
    width = bit_width(type_)
    if width == 0:
        return magnitude == 0
    if negative:
        return 0 < magnitude <= 1 << (width - 1)
    is_signed = isinstance(type_, IndexType) or type_.signedness == "signed"
    return magnitude < 1 << (width - 1 if is_signed else width)


def wrapped(value: int, type_: IntegerType | IndexType) -> int:
    """Returns a bit pattern's or number's value as the type reads it; that of an i1 is 0 or 1."""
    width = bit_width(type_)
    pattern = value & ((1 << width) - 1)
    is_unsigned = isinstance(type_, IntegerType) and (type_.is_unsigned or type_ == I1)
    return pattern - (1 << width) if not is_unsigned and width and pattern >> (width - 1) else pattern


def float_pattern(cursor: Cursor, literal: NumberLiteral, type_: FloatType) -> int:
    """Returns the bit pattern of the literal in a type; a hexadecimal literal is the pattern itself."""
    if not literal.is_hexadecimal:
        value = float(literal.digits)
        return bits_from_float(-value if literal.negative else value, type_)
    if literal.negative:
        cursor.fail("a float's bit pattern has no sign before it", literal.span)
    bits = _magnitude(cursor, literal)
    if bits >> bit_width(type_):
        cursor.fail(f"{literal.shown} has more bits than {type_}", literal.span, code="float_constant-C2")
    return bits
