"""Arithmetic on arrays where NumPy differs from XLA: integers at their limits, rounding, signs.

Steps write into the memory of their result: fresh memory for each would cost more than the arithmetic.
Operands are arrays of one shape; in a region that is evaluated on whole arrays some of them may be scalars.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.interpreter.kernels.numeric import in_blocks, where
from shlo.ir.dtypes import Array


def divide_signed(lhs: Array, rhs: Array) -> Any:
    """Returns the quotient rounded toward zero; -1 if the divisor is 0; INT_MIN / -1 wraps to INT_MIN."""
    if lhs.dtype.itemsize < 8:
        quotient = _quotient_in_double(lhs, rhs)
        is_minus_one = rhs == -1
        if is_minus_one.any():
            quotient = where(is_minus_one, np.negative(lhs), quotient)
        return _unless_zero(rhs, -1, quotient)
    floored = np.floor_divide(lhs, rhs)
    inexact_and_negative = ((lhs ^ rhs) < 0) & (floored * rhs != lhs)
    return _unless_zero(rhs, -1, floored + inexact_and_negative)


def divide_unsigned(lhs: Array, rhs: Array) -> Any:
    """Returns the quotient; all bits are set if the divisor is 0."""
    is_small = lhs.dtype.itemsize < 8
    quotient = _quotient_in_double(lhs, rhs) if is_small else np.floor_divide(lhs, rhs)
    return _unless_zero(rhs, np.iinfo(lhs.dtype).max, quotient)


def _quotient_in_double(lhs: Array, rhs: Array) -> Any:
    """Returns the quotient of integers of up to 32 bits: faster than NumPy's division of integers."""
    quotient = np.empty_like(lhs if np.ndim(lhs) else rhs)
    return np.true_divide(lhs, rhs, out=quotient, casting="unsafe")


def remainder_integer(lhs: Array, rhs: Array) -> Any:
    """Returns the remainder of division toward zero; the dividend, whose sign it has, if the divisor is 0."""
    return _unless_zero(rhs, lhs, np.fmod(lhs, rhs))


def _unless_zero(divisor: Array, value: Any, result: Any) -> Any:
    """Returns the result, but `value` where the divisor is 0."""
    is_zero = divisor == 0
    return where(is_zero, value, result) if is_zero.any() else result


def power_signed(base: Array, exponent: Array) -> Any:
    """Returns the wrapped power; for a negative exponent the exact one rounded toward zero (0 to it is 0)."""
    power = np.power(base, np.maximum(exponent, 0))
    of_minus_one = where(exponent & 1, base, 1)
    unit = where(np.abs(base) == 1, where(base == 1, base, of_minus_one), 0)
    return where(exponent < 0, unit, power)


_OWN_WAYS = (-1.0, 0.0, 0.5, 1.0, 2.0)
"""Exponents for which NumPy's power has ways of its own where one is for all elements of its inner loop."""


def power_float(base: Array, exponent: Array) -> Any:
    """Returns IEEE 754's power. Where all elements have one exponent, NumPy multiplies or takes a root, which
    gives other bits, and at -0 and -infinity another number; so whether they do is told by values, however
    they lie in memory.
    """
    if np.size(exponent) > 1:
        first = exponent[(0,) * exponent.ndim]
        if first in _OWN_WAYS and (not any(exponent.strides) or (exponent == first).all()):
            exponent = first
        elif not all(exponent.strides):
            exponent = np.array(exponent, order="C")
    power = np.power(base, exponent)
    if np.size(exponent) == 1 and np.asarray(exponent).flat[0] == 0.5:
        return where((base == 0) | (base == -np.inf), np.abs(base), power)
    return power


def power_by_six_bits(base: Array, exponent: Array) -> Any:
    """Returns XLA's power: by the last six bits of a non-negative exponent, unsigned numbers as signed."""
    signed = f"i{base.dtype.itemsize}"
    wrapped = exponent.view(signed)
    power = power_signed(base.view(signed), where(wrapped < 0, wrapped, wrapped & 63))
    return power.view(base.dtype)


def sign_float(x: Array) -> Any:
    """Returns -1, 0 or 1; zeros keep their sign and NaN stays."""
    result = np.sign(x, out=np.empty_like(x))
    return np.copysign(result, x, out=result)


def round_away_from_zero(x: Array) -> Any:
    """Returns the nearest integer; ties round away from zero."""
    # Adding 1/2 itself would take the number just below it to 1.
    below_half = np.nextafter(x.dtype.type(0.5), x.dtype.type(0))
    return np.trunc(x + np.copysign(below_half, x))


def logistic(x: Array) -> Any:
    """Returns 1 / (1 + exp(-x)), computed in float64: errors of exponential and division would add up."""
    return in_blocks(_logistic_block, x)


def _logistic_block(x: Array, result: Array) -> None:
    wide = np.negative(x, dtype=np.float64)
    np.exp(wide, out=wide)
    np.add(wide, 1, out=wide)
    np.divide(1, wide, out=result, casting="same_kind")


def rsqrt(x: Array) -> Any:
    """Returns 1 / sqrt(x)."""
    result = np.sqrt(x, out=np.empty_like(x))
    return np.divide(1, result, out=result)


def clamp(least: Array, x: Array, greatest: Array) -> Any:
    """Returns integers, booleans or complex numbers clamped to two bounds."""
    return np.minimum(np.maximum(least, x), greatest)
