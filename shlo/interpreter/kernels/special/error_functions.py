"""The error function and its relatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from shlo.interpreter.kernels.numeric import contiguous
from shlo.interpreter.kernels.special.scipy_functions import scipy_function
from shlo.ir.dtypes import Array

# erf(x) = tanh(x P(x^2)). P is fitted to atanh(erf(x)) / x where erf(x) differs from 1 in float32; its value
# at 0 is 2 / sqrt(pi). The result is within 3 units in the last place, and 1 beyond the limit.
_ERF_LIMIT = 4.3
_ERF_COEFFICIENTS = (
    4.87776763e-11,
    -2.77232748e-09,
    5.81800386e-08,
    -4.40548718e-07,
    -2.63511129e-06,
    7.93016079e-05,
    -0.000608204224,
    -0.000199073052,
    0.102770612,
    1.12837923,
)
_BLOCK = 16384
"""So many elements at a time stay in the fastest cache through all steps of a polynomial."""

_erf_exactly = np.vectorize(math.erf, otypes=[np.float64])
_erfc_exactly = np.vectorize(math.erfc, otypes=[np.float64])


def erf(x: Array) -> Any:
    """The error function: a polynomial for float32, the C library's for float64 (SciPy's is less exact)."""
    return _erf_exactly(x) if x.dtype == np.float64 else _erf_of_float32(x)


def _erf_of_float32(x: Array) -> Any:
    flat = contiguous(x).reshape(-1)
    result = np.empty_like(flat)
    for start in range(0, flat.size, _BLOCK):
        _erf_block(flat[start : start + _BLOCK], result[start : start + _BLOCK])
    return result.reshape(np.shape(x))


def _erf_block(x: Array, result: Array) -> None:
    x = np.minimum(np.maximum(x, np.float32(-_ERF_LIMIT)), np.float32(_ERF_LIMIT))
    square = x * x
    result.fill(_ERF_COEFFICIENTS[0])
    for coefficient in _ERF_COEFFICIENTS[1:]:
        np.multiply(result, square, out=result)
        np.add(result, np.float32(coefficient), out=result)
    np.multiply(result, x, out=result)
    np.tanh(result, out=result)


def erfc(x: Array) -> Any:
    """1 - erf(x), exact also where erf(x) is near 1."""
    if x.dtype == np.float64:
        return _erfc_exactly(x)
    return scipy_function("erfc")(x)


def erf_inv(x: Array) -> Any:
    """The number whose error function is x; infinite at -1 and 1, NaN beyond."""
    return scipy_function("erfinv")(x.astype(np.float64)).astype(x.dtype)
