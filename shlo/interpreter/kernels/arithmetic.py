"""Arithmetic on arrays where NumPy differs from XLA: integers at their limits, rounding, signs."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.interpreter.kernels.numeric import where
from shlo.ir.dtypes import Array


def divide_signed(lhs: Array, rhs: Array) -> Any:
    """The quotient rounded toward zero; -1 where the divisor is 0; the least number by -1 is itself."""
    floored = np.floor_divide(lhs, rhs)
    inexact_and_negative = ((lhs ^ rhs) < 0) & (floored * rhs != lhs)
    return where(rhs == 0, -1, floored + inexact_and_negative)


def divide_unsigned(lhs: Array, rhs: Array) -> Any:
    """The quotient; all bits are set where the divisor is 0."""
    return where(rhs == 0, np.iinfo(lhs.dtype).max, np.floor_divide(lhs, rhs))


def remainder_integer(lhs: Array, rhs: Array) -> Any:
    """What division toward zero leaves, signed as the dividend; the dividend where the divisor is 0."""
    return where(rhs == 0, lhs, np.fmod(lhs, rhs))


def power_signed(base: Array, exponent: Array) -> Any:
    """The power, wrapped; with a negative exponent the exact one rounded toward zero (0 to it is 0)."""
    power = np.power(base, np.maximum(exponent, 0))
    of_minus_one = where(exponent & 1, base, 1)
    unit = where(np.abs(base) == 1, where(base == 1, base, of_minus_one), 0)
    return where(exponent < 0, unit, power)


def sign_float(x: Array) -> Any:
    """-1, 0 or 1; zeros keep their sign and NaN stays."""
    return np.copysign(np.sign(x), x)


def round_away_from_zero(x: Array) -> Any:
    """The nearest integer; of two the one farther from zero."""
    # Adding 1/2 itself would take the number just below it to 1.
    below_half = np.nextafter(x.dtype.type(0.5), x.dtype.type(0))
    return np.trunc(x + np.copysign(below_half, x))


def logistic(x: Array) -> Any:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-x))


def rsqrt(x: Array) -> Any:
    """1 / sqrt(x)."""
    return 1 / np.sqrt(x)


def clamp(least: Array, x: Array, greatest: Array) -> Any:
    """x, held between two bounds; NaN where any of the three is."""
    return np.minimum(np.maximum(least, x), greatest)
