"""Real numbers and how types round them.

An element of a float type is a Python `float`: binary64 holds all numbers of all these types. A result is
computed exactly, as a `Fraction` or with `DIGITS` digits, and rounded once to the numbers of its type, ties
to even.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, Final

import mpmath  # pyright: ignore[reportMissingTypeStubs]

from shlo.ir.floats import bits_from_float, bits_from_fraction, float_from_bits
from shlo.ir.types import FloatType

DIGITS: Final = 110
"""Decimal digits of functions that have no exact value as a fraction; binary64 has 16."""
LARGEST_EXPONENT: Final = 1200
"""Powers of two beyond which every type overflows, or below which every type has zero."""

Real = Any
"""A number of mpmath."""


def rounded(exact: Fraction, type_: FloatType, *, is_negative_zero: bool = False) -> float:
    """Returns the number of a type nearest to an exact one, ties to even; a zero has the sign that is
    told."""
    is_negative = exact < 0 or (exact == 0 and is_negative_zero)
    return float_from_bits(bits_from_fraction(abs(exact), type_, is_negative), type_)


def converted(value: float, type_: FloatType) -> float:
    """Returns a number, an infinity or NaN in a type."""
    return float_from_bits(bits_from_float(value, type_), type_)


def rounded_real(real: Real, type_: FloatType) -> float:
    """Returns the number of a type nearest to a number of mpmath."""
    context = high_precision()
    if context.isnan(real):
        return converted(math.nan, type_)
    if context.isinf(real):
        return converted(math.inf if real > 0 else -math.inf, type_)
    mantissa, exponent = (int(part) for part in real.man_exp)
    magnitude = abs(mantissa).bit_length() + exponent
    exponent = min(exponent, LARGEST_EXPONENT) if magnitude > 0 else max(exponent, -5 * LARGEST_EXPONENT)
    exact = abs(mantissa) * Fraction(2) ** exponent
    return rounded(-exact if real < 0 else exact, type_, is_negative_zero=real < 0)


@cache
def high_precision() -> Any:
    """Returns the functions of mpmath with `DIGITS` digits."""
    context = mpmath.MPContext()
    context.dps = DIGITS
    return context


# -- arithmetic of IEEE 754: exact, then rounded once ------------------------------------------------------


def add(left: float, right: float, type_: FloatType) -> float:
    """Returns the sum; of infinities and NaN, and a zero's sign, as IEEE 754 says."""
    if not (math.isfinite(left) and math.isfinite(right)):
        return converted(left + right, type_)
    exact = Fraction(left) + Fraction(right)
    return rounded(exact, type_, is_negative_zero=math.copysign(1, left) == math.copysign(1, right) == -1)


def multiply(left: float, right: float, type_: FloatType) -> float:
    """Returns the product."""
    if not (math.isfinite(left) and math.isfinite(right)):
        return converted(left * right, type_)
    return rounded(Fraction(left) * Fraction(right), type_, is_negative_zero=_have_other_signs(left, right))


def divide(left: float, right: float, type_: FloatType) -> float:
    """Returns the quotient; a number divided by zero is an infinity, zero divided by zero NaN."""
    is_negative = _have_other_signs(left, right)
    if math.isnan(left + right) or left == right == 0 or (math.isinf(left) and math.isinf(right)):
        return converted(math.nan, type_)
    if right == 0 or math.isinf(left):
        return converted(-math.inf if is_negative else math.inf, type_)
    exact = Fraction(0) if math.isinf(right) else Fraction(left) / Fraction(right)
    return rounded(exact, type_, is_negative_zero=is_negative)


def remainder(left: float, right: float, type_: FloatType) -> float:
    """Returns what is left of a division whose quotient is rounded to zero: it has the dividend's sign,
    and is exact."""
    if math.isinf(left) or right == 0:
        return converted(math.nan, type_)
    return converted(math.fmod(left, right), type_)


def power(left: float, right: float, type_: FloatType) -> float:
    """Returns a power; where a number is zero, infinite or NaN, or the base negative, as IEEE 754 says."""
    is_odd = math.isfinite(right) and right % 2 == 1
    if left == 0 and right < 0:
        return converted(math.copysign(math.inf, left) if is_odd else math.inf, type_)
    if not (math.isfinite(left) and math.isfinite(right)) or left == 0 or right == 0 or left == 1:
        return converted(math.pow(left, right), type_)
    if left < 0 and right != math.floor(right):
        return converted(math.nan, type_)
    context = high_precision()
    exponent = right * math.log2(abs(left))
    if abs(exponent) > LARGEST_EXPONENT:
        magnitude = context.mpf(2) ** math.copysign(LARGEST_EXPONENT, exponent)
    else:
        magnitude = context.power(abs(left), right)
    return rounded_real(-magnitude if left < 0 and is_odd else magnitude, type_)


def _have_other_signs(left: float, right: float) -> bool:
    return math.copysign(1, left) != math.copysign(1, right)


# -- functions of one number -------------------------------------------------------------------------------


def round_half_even(value: float) -> float:
    """Returns the nearest integer, the even one of two that are as near."""
    return math.copysign(float(round(Fraction(value))), value) if math.isfinite(value) else value


def round_half_away(value: float) -> float:
    """Returns the nearest integer, the one away from zero of two that are as near."""
    if not math.isfinite(value):
        return value
    return math.copysign(float(math.floor(abs(Fraction(value)) + Fraction(1, 2))), value)


def floor(value: float) -> float:
    """Returns the largest integer that is not larger."""
    return math.copysign(float(math.floor(value)), value) if math.isfinite(value) else value


def ceil(value: float) -> float:
    """Returns the smallest integer that is not smaller; of a number in (-1, 0) it is -0."""
    return math.copysign(float(math.ceil(value)), value) if math.isfinite(value) else value


def _cbrt(context: Any, x: Real) -> Real:
    return context.cbrt(x) if x >= 0 else -context.cbrt(-x)


_FUNCTIONS: Final[dict[str, Callable[[Any, Real], Real]]] = {
    "cbrt": _cbrt,
    "cosine": lambda context, x: context.cos(x),
    "exponential": lambda context, x: context.exp(x),
    "exponential_minus_one": lambda context, x: context.expm1(x),
    "log": lambda context, x: context.log(x),
    "log_plus_one": lambda context, x: context.log1p(x),
    "logistic": lambda context, x: 1 / (1 + context.exp(-x)),
    "rsqrt": lambda context, x: 1 / context.sqrt(x),
    "sine": lambda context, x: context.sin(x),
    "sqrt": lambda context, x: context.sqrt(x),
    "tan": lambda context, x: context.tan(x),
    "tanh": lambda context, x: context.tanh(x),
}
FUNCTIONS: Final = frozenset(_FUNCTIONS)
"""The functions of one number that have no exact value as a fraction."""

_LIMITS: Final[dict[str, tuple[float, float]]] = {
    "cbrt": (-math.inf, math.inf),
    "exponential": (0.0, math.inf),
    "exponential_minus_one": (-1.0, math.inf),
    "log": (math.nan, math.inf),
    "log_plus_one": (math.nan, math.inf),
    "logistic": (0.0, 1.0),
    "rsqrt": (math.nan, 0.0),
    "sqrt": (math.nan, math.inf),
    "tanh": (-1.0, 1.0),
}
"""Values at minus infinity and at infinity; the other functions have none there."""
_LEAST: Final = {"log": 0.0, "log_plus_one": -1.0, "rsqrt": 0.0, "sqrt": 0.0}
"""Numbers below which a function is NaN."""
_KEEPS_ZERO: Final = {"cbrt", "exponential_minus_one", "log_plus_one", "sine", "sqrt", "tan", "tanh"}
"""Functions that are zero at zero, with its sign."""
_SATURATES: Final = {"exponential", "exponential_minus_one", "logistic", "tanh"}
"""Functions that reach the value at an infinity, as far as any type tells, within a few thousand."""


def function(name: str, x: float, type_: FloatType) -> float:
    """Returns a function of a number: the exact value, rounded once."""
    if math.isnan(x) or x < _LEAST.get(name, -math.inf):
        return converted(math.nan, type_)
    if math.isinf(x):
        return converted(_LIMITS.get(name, (math.nan, math.nan))[x > 0], type_)
    if x == 0 and name in _KEEPS_ZERO:
        return converted(x, type_)
    if (name == "log" and x == 0) or (name == "log_plus_one" and x == -1):
        return converted(-math.inf, type_)
    if name == "rsqrt" and x == 0:
        return converted(math.copysign(math.inf, x), type_)
    context = high_precision()
    if name in _SATURATES:
        x = max(-4.0 * LARGEST_EXPONENT, min(x, 4.0 * LARGEST_EXPONENT))
    return rounded_real(_FUNCTIONS[name](context, context.mpf(x)), type_)


def atan2(y: float, x: float, type_: FloatType) -> float:
    """Returns the angle of the point (x, y); at zeros and infinities as IEEE 754 says."""
    context = high_precision()
    if math.isfinite(x) and math.isfinite(y) and y != 0:
        return rounded_real(context.atan2(context.mpf(y), context.mpf(x)), type_)
    quarters = math.atan2(y, x) / (math.pi / 4)
    if math.isnan(quarters) or quarters == 0:
        return converted(quarters, type_)
    return math.copysign(rounded_real(abs(round(quarters)) * context.pi / 4, type_), y)


# -- functions of complex numbers --------------------------------------------------------------------------

_COMPLEX_FUNCTIONS: Final[dict[str, Callable[[Any, Real], Real]]] = {
    **_FUNCTIONS,
    "cbrt": lambda context, z: context.power(z, context.mpf(1) / 3),
    "exponential_minus_one": lambda context, z: context.exp(z) - 1,
    "log_plus_one": lambda context, z: context.log(1 + z),
}


def complex_function(name: str, z: complex, type_: FloatType) -> complex:
    """Returns a function of a complex number, each part rounded once; NaN where a part is not finite."""
    if not (math.isfinite(z.real) and math.isfinite(z.imag)):
        return complex(math.nan, math.nan)
    context = high_precision()
    try:
        result = _COMPLEX_FUNCTIONS[name](context, context.mpc(z.real, z.imag))
    except (ValueError, ZeroDivisionError):  # a pole
        return complex(-math.inf if name.startswith("log") else math.nan, 0.0)
    return rounded_complex(result, type_)


def complex_power(base: complex, exponent: complex, type_: FloatType) -> complex:
    """Returns the principal value of a power."""
    parts = (base.real, base.imag, exponent.real, exponent.imag)
    if not all(map(math.isfinite, parts)):
        return complex(math.nan, math.nan)
    if exponent == 0:
        return 1 + 0j
    if base == 0:
        return 0j if exponent.real > 0 else complex(math.nan, math.nan)
    context = high_precision()
    return rounded_complex(context.power(context.mpc(base), context.mpc(exponent)), type_)


def complex_atan2(y: complex, x: complex, type_: FloatType) -> complex:
    """Returns -i log((x + iy) / sqrt(x^2 + y^2)); NaN where the root is zero."""
    context = high_precision()
    z, i = context.mpc(x) + context.mpc(0, 1) * context.mpc(y), context.mpc(0, 1)
    square = context.mpc(x) ** 2 + context.mpc(y) ** 2
    if square == 0:
        return complex(math.nan, math.nan)
    return rounded_complex(-i * context.log(z / context.sqrt(square)), type_)


def rounded_complex(real: Real, type_: FloatType) -> complex:
    """Returns a complex number of mpmath with each part rounded to a type."""
    number = high_precision().mpc(real)
    return complex(rounded_real(number.real, type_), rounded_real(number.imag, type_))
