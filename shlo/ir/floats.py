"""Numbers and bit patterns of MLIR's floating-point types, exact and without NumPy's roundings."""

from __future__ import annotations

import math
import struct
import sys
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from shlo.ir.dtypes import FLOAT_FORMATS
from shlo.ir.types import FloatType, Type

if TYPE_CHECKING:
    from fractions import Fraction


Number = TypeVar("Number", int, "Fraction")


class FloatParts(Struct, frozen=True):
    """A finite number: `significand * 2**exponent`, negated where `negative` (a zero has a sign too)."""

    negative: bool
    significand: int
    exponent: int


def unpack_float(bits: int, type_: FloatType) -> FloatParts | None:
    """Returns the number that a bit pattern represents; None for NaN and the infinities."""
    layout = FLOAT_FORMATS[type_.name]
    if is_not_finite(bits, type_):
        return None
    if type_.name == "f8E8M0FNU":
        return FloatParts(False, 1, bits - 127)
    stored = 64 if type_.name == "f80" else layout.mantissa
    biased = (bits >> stored) & ((1 << layout.exponent) - 1)
    significand = bits & ((1 << stored) - 1)
    if biased and type_.name != "f80":
        significand |= 1 << layout.mantissa
    negative = bool(bits >> (layout.width - 1))
    return FloatParts(negative, significand, max(biased, 1) - _bias(type_.name) - layout.mantissa)


def is_not_finite(bits: int, type_: FloatType) -> bool:
    """Returns whether a bit pattern is NaN or infinite."""
    layout, specials = FLOAT_FORMATS[type_.name], _specials(type_.name)
    magnitude = bits & ((1 << (layout.width - 1)) - 1)
    if specials == "ieee":
        return magnitude >> (layout.width - 1 - layout.exponent) == (1 << layout.exponent) - 1
    if specials == "all ones":
        return magnitude == (1 << (layout.width - 1)) - 1
    if specials == "minus zero":
        return bits == 1 << (layout.width - 1)
    return specials == "unsigned" and bits == 0xFF


def float_from_bits(bits: int, type_: Type) -> float:
    """Returns the value of a bit pattern of a floating-point type (of f80 and f128: the nearest double)."""
    assert isinstance(type_, FloatType)
    if type_.name == "f64":
        return struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    parts = unpack_float(bits, type_)
    if parts is None:
        return _special_value(bits, type_)
    return math.copysign(_nearest_double(parts), -1.0 if parts.negative else 1.0)


def _nearest_double(parts: FloatParts) -> float:
    try:
        return float(_scaled(parts.significand, parts.exponent))
    except OverflowError:
        return math.inf


def _special_value(bits: int, type_: FloatType) -> float:
    layout = FLOAT_FORMATS[type_.name]
    fraction = bits & ((1 << layout.mantissa) - 1)
    if _specials(type_.name) != "ieee" or fraction:
        return math.nan
    return -math.inf if bits >> (layout.width - 1) else math.inf


def positive_range(type_: FloatType) -> tuple[float, float]:
    """Returns the smallest positive and the largest finite number of a type, as far as doubles reach."""
    smallest, largest = unpack_float(1, type_), unpack_float(_encoded(_largest(type_), type_), type_)
    assert smallest is not None
    assert largest is not None
    return _nearest_double(smallest), min(_nearest_double(largest), sys.float_info.max)


def bits_from_float(value: float, type_: Type) -> int:
    """Returns the bit pattern of the nearest number of a floating-point type, ties to even."""
    assert isinstance(type_, FloatType)
    if type_.name == "f64":
        return int.from_bytes(struct.pack("<d", value), "little")
    negative = math.copysign(1.0, value) < 0
    if math.isnan(value):
        return _nan(type_)
    if math.isinf(value):
        return _overflow(type_, negative)
    from fractions import Fraction  # loads decimal numbers

    return bits_from_fraction(abs(Fraction(value)), type_, negative)


def bits_from_fraction(magnitude: Fraction, type_: FloatType, negative: bool = False) -> int:
    """Returns the bit pattern of the number nearest to a magnitude with a sign, ties to even.

    Beyond the largest number: infinity, else NaN, else the largest number, as the type has them.
    """
    layout, name = FLOAT_FORMATS[type_.name], type_.name
    if name == "f8E8M0FNU":
        return _power_of_two(magnitude, negative)
    quantum = max(_floor_log2(magnitude), 1 - _bias(name)) - layout.mantissa
    count = round(_scaled(magnitude, -quantum))
    bits = ((quantum + layout.mantissa + _bias(name) - 1) << layout.mantissa) + count
    if bits > _largest(type_):
        return _overflow(type_, negative)
    bits = _encoded(bits, type_)
    has_sign = negative and (bits or _specials(name) != "minus zero")
    return bits | (1 << (layout.width - 1) if has_sign else 0)


def _encoded(bits: int, type_: FloatType) -> int:
    """Returns the bits of a magnitude with the leading one that f80, unlike all other types, writes out."""
    if type_.name != "f80":
        return bits
    return (bits >> 63 << 64) | (bits & (2**63 - 1)) | (bool(bits >> 63) << 63)


def _power_of_two(magnitude: Fraction, negative: bool) -> int:
    """Returns the bits of f8E8M0FNU, which has neither sign nor zero; halfway goes up."""
    if negative and _scaled(magnitude, 128) > 1:
        return 0xFF
    if _scaled(magnitude, 127) <= 1:
        return 0
    power = _floor_log2(magnitude)
    rounded = power + (2 * _scaled(magnitude, -power) >= 3)
    return min(rounded + 127, 0xFF)


def _floor_log2(magnitude: Fraction) -> int:
    if not magnitude:
        return -(1 << 20)
    power = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return power if _scaled(magnitude, -power) >= 1 else power - 1


def _scaled(number: Number, power: int) -> Number | float:
    """Returns a number times a power of two: of a fraction exactly, of an integer the nearest double where
    the power is negative."""
    return number * (1 << power) if power >= 0 else number / (1 << -power)


def _specials(name: str) -> str:
    """Returns how a type writes NaN and infinity."""
    if name == "f8E8M0FNU":
        return "unsigned"
    if name.endswith("FNUZ"):
        return "minus zero"
    if name == "f8E4M3FN":
        return "all ones"
    return "none" if name.endswith("FN") else "ieee"


def _bias(name: str) -> int:
    if name == "f8E4M3B11FNUZ":
        return 11
    middle = 1 << (FLOAT_FORMATS[name].exponent - 1)
    return middle if name.endswith("FNUZ") else middle - 1


def _largest(type_: FloatType) -> int:
    """Returns the bits of the largest finite number (of f80 without its explicit leading one)."""
    layout, specials = FLOAT_FORMATS[type_.name], _specials(type_.name)
    if specials == "ieee":
        return (((1 << layout.exponent) - 1) << layout.mantissa) - 1
    if specials == "unsigned":
        return 0xFE
    return (1 << (layout.width - 1)) - (2 if specials == "all ones" else 1)


def _overflow(type_: FloatType, negative: bool) -> int:
    layout, specials = FLOAT_FORMATS[type_.name], _specials(type_.name)
    if specials in ("minus zero", "unsigned"):
        return _nan(type_)
    sign = (1 << (layout.width - 1)) if negative else 0
    if type_.name == "f80":
        return sign | 0x7FFF << 64 | 1 << 63
    return sign | (_largest(type_) + (specials != "none"))


def _nan(type_: FloatType) -> int:
    """Returns the bits of the ordinary NaN (where there is none, of zero with a sign)."""
    layout, specials = FLOAT_FORMATS[type_.name], _specials(type_.name)
    if type_.name == "f80":
        return 0x7FFF << 64 | 0b11 << 62
    if specials == "ieee":
        return ((1 << layout.exponent) - 1) << layout.mantissa | 1 << (layout.mantissa - 1)
    if specials == "all ones":
        return (1 << (layout.width - 1)) - 1
    return 0xFF if specials == "unsigned" else 1 << (layout.width - 1)
