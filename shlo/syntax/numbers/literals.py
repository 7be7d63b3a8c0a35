"""Number literals, and the findings on those that are read although MLIR refuses them, or that mean something
else than they say.

MLIR wants a decimal point in a float, reads integers beyond the largest of a signless type as bit patterns,
and hexadecimal floats with missing digits as small ones. Specification: "Constants" (FloatLiteral,
integer_constant C1, float_constant C2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from shlo.ir.diagnostics import Diagnostic, Fix
from shlo.ir.floats import float_width
from shlo.ir.source import Span
from shlo.ir.types import FloatType, IntegerType, Type
from shlo.syntax.numbers.print import float_text

_POINTLESS = re.compile(r"([0-9]+)((?:[eE][-+]?[0-9]+)?)", re.ASCII)


class Literal(NamedTuple):
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
        return text if len(text) <= 40 else f"{text[:40]}..."

    @property
    def with_point(self) -> str:
        """The literal as MLIR reads it as a float; empty where it reads this one."""
        match = _POINTLESS.fullmatch(self.digits)
        return f"{'-' if self.negative else ''}{match[1]}.0{match[2]}" if match else ""


def findings(literals: Iterable[Literal], type_: Type, text: str) -> Iterator[Diagnostic]:
    """Yields the findings on one constant's literals: one for each kind of mistake."""
    if isinstance(type_, FloatType):
        yield from _without_point([each for each in literals if each.with_point], text)
        short = next((each for each in literals if _lacks_digits(each, type_)), None)
        if short:
            yield _few_digits(short, type_)
    elif isinstance(type_, IntegerType) and type_.signedness == "signless":
        wrong = next((each for each in literals if _is_pattern(each, type_)), None)
        if wrong:
            yield _pattern(wrong, type_)


def _without_point(literals: Sequence[Literal], text: str) -> Iterator[Diagnostic]:
    if not literals:
        return
    first, span = literals[0], Span(literals[0].span.start, literals[-1].span.end)
    parts, place = list[str](), span.start
    for literal in literals:
        parts += text[place : literal.span.start], literal.with_point
        place = literal.span.end
    many = "" if len(literals) == 1 else f", and {len(literals) - 1} more"
    message = f"a float has a decimal point today: {first.with_point}{many}"
    fix = Fix(f"Write {first.with_point}{many}", span, "".join(parts))
    yield Diagnostic(message, span, "spelling", "hint", fix=fix)


def _lacks_digits(literal: Literal, type_: FloatType) -> bool:
    return literal.is_hexadecimal and len(literal.digits) - 2 < -(-float_width(type_) // 4)


def _few_digits(literal: Literal, type_: FloatType) -> Diagnostic:
    digits, wanted = literal.digits[2:], -(-float_width(type_) // 4)
    read = f"{literal.digits} is read as {float_text(int(digits, 16), type_)}"
    return Diagnostic(
        f"expected {wanted} hexadecimal digits for {type_}, got {len(digits)}: {read}",
        literal.span,
        "float_constant-C2",
        "warning",
        help=f"write 0x{digits.rjust(wanted, '0')} if that is what you mean",
    )


def _is_pattern(literal: Literal, type_: IntegerType) -> bool:
    if literal.is_word or literal.is_hexadecimal or literal.negative or not type_.width:
        return False
    return type_.width == 1 or len(literal.digits) > 20 or int(literal.digits) >= 1 << (type_.width - 1)


def _pattern(literal: Literal, type_: IntegerType) -> Diagnostic:
    if type_.width == 1:
        word = "true" if int(literal.digits) else "false"
        fix = Fix(f"Write {word}", literal.span, word)
        message = f"a boolean is true or false today: {literal.digits} is {word}"
        return Diagnostic(message, literal.span, "spelling", "hint", fix=fix)
    return Diagnostic(
        f"expected an integer of {type_}, from {-(1 << type_.width - 1)} to {(1 << type_.width - 1) - 1},"
        f" got {literal.digits}: it is read as {int(literal.digits) - (1 << type_.width)}",
        literal.span,
        "integer_constant-C1",
        "warning",
    )
