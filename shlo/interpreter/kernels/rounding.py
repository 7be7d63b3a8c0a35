"""Sums and products of bf16, f16 and floats of 8 bits and fewer, in which every single result is rounded.

NumPy's and ml_dtypes' own loops convert element by element: 2 to 25 ns for each. Large arrays are therefore
kept in f32, which holds every value of a narrow type, and rounded there by integer arithmetic on their bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from shlo.ir.dtypes import FLOAT_FORMATS, Array, element_type_for
from shlo.ir.types import FloatType

Step = Callable[[Any, Any], Any]
"""Combines two arrays of one dtype, rounding each element to the narrow type."""

FEW_ELEMENTS = 512
"""Elements up to which one call of a narrow ufunc is faster than the calls that round in f32."""

_F32_MANTISSA = 23


def widened_from(x: Any) -> Array:
    """Returns narrow floats as f32."""
    if x.dtype.itemsize == 1:
        return _values_of_codes(x.dtype)[x.view(np.uint8)]
    return x.astype(np.float32)


def _mantissa(narrow: np.dtype[Any]) -> int:
    """Returns the number of stored bits of the mantissa."""
    element = element_type_for(narrow)
    assert isinstance(element, FloatType)
    return FLOAT_FORMATS[element.name].mantissa


def _largest(narrow: np.dtype[Any]) -> float:
    """Returns the largest finite value."""
    if narrow == np.float16:
        return float(np.finfo(np.float16).max)
    values = _values_of_codes(narrow)
    return float(values[np.isfinite(values)].max())


@cache
def _values_of_codes(dtype: np.dtype[Any]) -> Array:
    with np.errstate(all="ignore"):
        return np.arange(256, dtype=np.uint8).view(dtype).astype(np.float32)


def rounding_step(ufunc: np.ufunc, narrow: np.dtype[Any], x: Array, combined: int) -> Step:
    """Returns a function like `ufunc` on arrays of f32 that hold values of `narrow`, rounded to such values.
    `x` holds, or bounds, the combined elements, at most `combined` of which make up one result: if their sum
    may leave the range of `narrow`, the rounding goes by the type's own conversions."""
    # bf16 has the exponents of f32. Of the others, sums below twice the least normal number are exact: their
    # subnormals need no rounding.
    mantissa = _mantissa(narrow)
    is_inside = narrow.name == "bfloat16" or (
        ufunc is np.add and float(np.max(np.abs(x), initial=0)) * combined <= _largest(narrow)
    )
    if mantissa and is_inside:
        return _rounded_to_bits(ufunc, mantissa)
    return _converted(ufunc, narrow)


def rounding_sum(narrow: np.dtype[Any]) -> Step:
    """Returns the sum of two arrays of f32, rounded to `narrow`; unlike in `rounding_step`, of any f32."""
    if narrow.name == "bfloat16":
        return _rounded_to_bits(np.add, _mantissa(narrow))
    return _converted(np.add, narrow)


def round_to_bits(x: Array, mantissa: int) -> Array:
    """Rounds an array of f32 in place to the nearest number of so many bits of mantissa, ties to even. It
    carries into the bits that stay. NaN must have one of these bits set."""
    shift = _F32_MANTISSA - mantissa
    below_half, mask = np.uint32((1 << (shift - 1)) - 1), np.uint32(0xFFFFFFFF << shift & 0xFFFFFFFF)
    bits = x.view(np.uint32)
    carry = bits >> np.uint32(shift)
    np.bitwise_and(carry, np.uint32(1), out=carry)
    np.add(carry, below_half, out=carry)
    np.add(bits, carry, out=bits)
    np.bitwise_and(bits, mask, out=bits)
    return x


def _rounded_to_bits(ufunc: np.ufunc, mantissa: int) -> Step:
    return lambda lhs, rhs: round_to_bits(np.asarray(ufunc(lhs, rhs)), mantissa)


def _converted(ufunc: np.ufunc, narrow: np.dtype[Any]) -> Step:
    return lambda lhs, rhs: ufunc(lhs, rhs).astype(narrow).astype(np.float32)
