"""The error function and its relatives.

Those that JAX programs call on large float32 tensors (gelu, random.normal) are polynomials, fitted here,
within 3 units in the last place; SciPy's are ten times slower.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from shlo.interpreter.kernels.blocks import in_blocks
from shlo.interpreter.kernels.numeric import scipy_function
from shlo.ir.dtypes import Array

# erf(x) = tanh(x P(x^2)): P is atanh(erf(x)) / x, as far as erf(x) differs from 1 in float32.
_ERF_LIMIT = np.float32(4.3)
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

# erf_inv(x) = x P(w) with w = -log(1 - x^2), as far as the limit, which is where |x| is 0.9966.
_ERF_INV_LIMIT = 5.0
_ERF_INV_COEFFICIENTS = (
    -1.16674634e-08,
    2.85005967e-07,
    -2.56798876e-06,
    6.92387857e-06,
    3.60792292e-05,
    -0.000113175534,
    -0.00234773941,
    0.0115549117,
    0.232012719,
    0.886226952,
)

_erf_exactly = np.vectorize(math.erf, otypes=[np.float64])
_erfc_exactly = np.vectorize(math.erfc, otypes=[np.float64])


def erf(x: Array) -> Any:
    """Returns the error function; for float64 the C library's, as SciPy's is less exact."""
    return _erf_exactly(x) if x.dtype == np.float64 else in_blocks(_erf_block, x)


def erfc(x: Array) -> Any:
    """Returns 1 - erf(x), exact also where erf(x) is near 1."""
    return _erfc_exactly(x) if x.dtype == np.float64 else scipy_function("erfc")(x)


def erf_inv(x: Array) -> Any:
    """Returns the number whose error function is x; infinite at -1 and 1, NaN beyond."""
    return scipy_function("erfinv")(x) if x.dtype == np.float64 else in_blocks(_erf_inv_block, x)


def _evaluate(coefficients: Sequence[float], x: Array, result: Array) -> None:
    """Evaluates the polynomial of these coefficients, the highest first, into `result`."""
    result.fill(coefficients[0])
    for coefficient in coefficients[1:]:
        np.multiply(result, x, out=result)
        np.add(result, np.float32(coefficient), out=result)


def _erf_block(x: Array, result: Array) -> None:
    x = np.minimum(np.maximum(x, -_ERF_LIMIT), _ERF_LIMIT)
    _evaluate(_ERF_COEFFICIENTS, x * x, result)
    np.multiply(result, x, out=result)
    np.tanh(result, out=result)


def _erf_inv_block(x: Array, result: Array) -> None:
    w = -np.log((1 - x) * (1 + x))
    _evaluate(_ERF_INV_COEFFICIENTS[:-1], w, result)
    # The last steps in float64: their rounding would be most of the error.
    result[...] = (np.multiply(result, w, dtype=np.float64) + _ERF_INV_COEFFICIENTS[-1]) * x
    beyond = ~(w <= _ERF_INV_LIMIT)
    if beyond.any():
        result[beyond] = scipy_function("erfinv")(x[beyond].astype(np.float64))
