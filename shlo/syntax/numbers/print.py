"""Numbers as MLIR prints them.

A float is printed with six digits after the point where that text reads back as the same number, else with
as many digits as its type can need; NaN and infinities are printed as the bits of their type.
"""

from __future__ import annotations

import struct

from shlo.ir.dtypes import bit_width
from shlo.ir.floats import FloatParts, bits_from_fraction, unpack_float
from shlo.ir.types import FloatType, IntegerType, Type

SHORT_DIGITS = 6
MAX_ZEROS = 3
"""How many zeros the long form adds after or before a number's digits, rather than an exponent."""


def integer_text(value: int, type_: Type) -> str:
    """Returns an integer without its type; a boolean as a word."""
    if isinstance(type_, IntegerType) and type_.width == 1:
        return "true" if value else "false"
    return str(value)


def float_text(bits: int, type_: FloatType) -> str:
    """Returns the number with this bit pattern, without its type."""
    parts = unpack_float(bits, type_)
    if parts is None:
        return f"0x{bits:X}"
    sign = "-" if parts.negative else ""
    if parts.significand == 0:
        return f"{sign}0.{'0' * SHORT_DIGITS}e+00"
    digits, exponent = _decimal(parts, SHORT_DIGITS)
    if _reads_back(digits, exponent, bits, type_):
        return sign + _scientific(digits, exponent)
    most = 2 + PRECISION[type_.name] * 59 // 196
    text = _long(*_decimal(parts, most), most)
    return sign + text if "." in text else f"0x{bits:X}"


PRECISION = {"f64": 53, "f32": 24, "f16": 11, "tf32": 11, "bf16": 8, "f80": 64, "f128": 113}
"""Significant bits of the types whose numbers six digits do not always tell apart, and of some others."""


def _decimal(parts: FloatParts, count: int) -> tuple[str, int]:
    """Returns at most `count` digits without zeros at their end, and the power of ten of the last of them.

    MLIR rounds half up, but only what is left after it cut the binary number down to about as many bits as
    the digits take: where no more digits are left than wanted, the rest is lost unrounded.
    """
    significand, exponent = _as_decimal(parts.significand, parts.exponent)
    surplus = significand.bit_length() - (count * 196 + 58) // 59
    cut = surplus * 59 // 196 if surplus > 0 else 0
    significand //= 10**cut
    digits, exponent = str(significand), exponent + cut
    if len(digits) > count:
        dropped = len(digits) - count
        rounded = int(digits[:count]) + (digits[count] >= "5")
        digits, exponent = str(rounded), exponent + dropped
    shown = digits.rstrip("0")
    return shown, exponent + len(digits) - len(shown)


def _as_decimal(significand: int, exponent: int) -> tuple[int, int]:
    """`significand * 2**exponent` as an integer times a power of ten."""
    trailing = (significand & -significand).bit_length() - 1
    significand, exponent = significand >> trailing, exponent + trailing
    if exponent >= 0:
        return significand << exponent, 0
    return significand * 5**-exponent, exponent


def _reads_back(digits: str, exponent: int, bits: int, type_: FloatType) -> bool:
    """Returns whether the decimal number rounds to the number that it was made from."""
    if type_.name not in ("f64", "f32", "f80", "f128"):
        return True
    magnitude = bits & ~(1 << (bit_width(type_) - 1))
    if type_.name in ("f64", "f32"):
        double = struct.pack("<d", float(f"{digits}e{exponent}"))
        pattern = int.from_bytes(double, "little")
        if type_.name == "f64":
            return pattern == magnitude
        if pattern & F32_TAIL != F32_MIDDLE:
            return _f32_bits(struct.unpack("<d", double)[0]) == magnitude
    from fractions import Fraction  # loads decimal numbers

    return bits_from_fraction(Fraction(int(digits)) * Fraction(10) ** exponent, type_) == magnitude


F32_TAIL, F32_MIDDLE = (1 << 29) - 1, 1 << 28
"""The bits of a double beyond those of f32; in the middle of two f32 it does not tell the nearer one."""


def _f32_bits(value: float) -> int:
    try:
        return int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return -1


def _scientific(digits: str, exponent: int) -> str:
    power = exponent + len(digits) - 1
    tail = digits[1:].ljust(SHORT_DIGITS, "0")
    return f"{digits[0]}.{tail}e{'-' if power < 0 else '+'}{abs(power):02}"


def _long(digits: str, exponent: int, precision: int) -> str:
    """Returns all digits, with an exponent only where more than three zeros would be needed."""
    count = len(digits)
    if exponent >= 0:
        if exponent > MAX_ZEROS or count + exponent > precision:
            return _long_scientific(digits, exponent)
        return digits + "0" * exponent
    whole = exponent + count
    if whole > 0:
        return f"{digits[:whole]}.{digits[whole:]}"
    if 1 - whole > MAX_ZEROS:
        return _long_scientific(digits, exponent)
    return f"0.{'0' * -whole}{digits}"


def _long_scientific(digits: str, exponent: int) -> str:
    power = exponent + len(digits) - 1
    return f"{digits[0]}.{digits[1:] or '0'}E{'-' if power < 0 else '+'}{abs(power)}"
