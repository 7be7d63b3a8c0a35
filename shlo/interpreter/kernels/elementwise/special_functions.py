"""Mathematical functions of real arrays that NumPy lacks. SciPy is imported when one of them is first used.

Functions take and give arrays (or NumPy scalars) of float32 or float64. Those of float32 are computed in
float64 and rounded once, except error functions that JAX programs call on large float32 tensors (gelu,
random.normal): polynomials, fitted here, within 3 units in the last place; SciPy's are ten times slower.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from shlo.interpreter.kernels.numeric import in_blocks, where
from shlo.interpreter.kernels.scipy_functions import special_function
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
ERF_INV_LIMIT = 5.0
ERF_INV_COEFFICIENTS = (
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

# erf_inv(x) = x P(sqrt(w) - 3) from there to the greatest float32 below 1.
ERF_INV_BEYOND_CENTER = 3.0
ERF_INV_BEYOND_COEFFICIENTS = (
    0.000116115928,
    -0.000315096795,
    -5.16673538e-05,
    0.00149087494,
    -0.00360290514,
    0.00568499526,
    -0.00763568802,
    0.00944552842,
    1.00167486,
    2.8329768,
)

_erf_exactly = np.vectorize(math.erf, otypes=[np.float64])
_erfc_exactly = np.vectorize(math.erfc, otypes=[np.float64])


def erf(x: Array) -> Any:
    """Returns the error function; for float64 the C library's, as SciPy's is less exact."""
    return _erf_exactly(x) if x.dtype == np.float64 else in_blocks(_erf_block, x)


def erfc(x: Array) -> Any:
    """Returns 1 - erf(x), exact also where erf(x) is near 1."""
    return _erfc_exactly(x) if x.dtype == np.float64 else special_function("erfc")(x)


def erf_inv(x: Array) -> Any:
    """Returns the number whose error function is x; infinite at -1 and 1, NaN beyond."""
    return special_function("erfinv")(x) if x.dtype == np.float64 else in_blocks(_erf_inv_block, x)


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
    _evaluate(ERF_INV_COEFFICIENTS[:-1], w, result)
    # The last steps in float64: their rounding would be most of the error.
    result[...] = (np.multiply(result, w, dtype=np.float64) + ERF_INV_COEFFICIENTS[-1]) * x
    beyond = ~(w <= ERF_INV_LIMIT)
    if beyond.any():
        result[beyond] = _erf_inv_beyond(x[beyond].astype(np.float64))


def _erf_inv_beyond(x: Array) -> Array:
    root = np.sqrt(-np.log((1 - x) * (1 + x)))
    polynomial = np.full_like(x, ERF_INV_BEYOND_COEFFICIENTS[0])
    for coefficient in ERF_INV_BEYOND_COEFFICIENTS[1:]:
        polynomial = polynomial * (root - ERF_INV_BEYOND_CENTER) + coefficient
    return polynomial * x


ZEROS_REACH = 0.1
"""So near its zeros 1 and 2, SciPy's gammaln loses digits; its loggamma for complex numbers does not."""

POLES_REACH = 0.25
"""So near negative integers, SciPy's digamma loses the distance to them."""


def lgamma(x: Array) -> Any:
    """Returns log |gamma(x)|; infinite at 0, the negative integers and both infinities."""
    result = where(x == -np.inf, np.inf, special_function("gammaln")(x))
    near_zero = (np.abs(x - 1) < ZEROS_REACH) | (np.abs(x - 2) < ZEROS_REACH)
    if x.dtype == np.float64 and near_zero.any():
        result = where(near_zero, special_function("loggamma")(x + 0j).real, result)
    return result.astype(x.dtype)


def digamma(x: Array) -> Any:
    """Returns the derivative of log |gamma(x)|; NaN at 0 and the negative integers."""
    result = where(x == 0, np.nan, special_function("digamma")(x))
    beyond_pole = x - np.rint(x)
    near_pole = (x < -0.5) & (beyond_pole != 0) & (np.abs(beyond_pole) < POLES_REACH)
    if x.dtype == np.float64 and near_pole.any():
        reflected = special_function("digamma")(1 - x) - np.pi / np.tan(np.pi * beyond_pole)
        result = where(near_pole, reflected, result)
    return result.astype(x.dtype)


def zeta(x: Array, q: Array) -> Any:
    """Returns Hurwitz's zeta function, the sum of (q + k)^-x over k = 0, 1, .... Infinite for x = 1, NaN for
    x below 1. At the poles q = 0, -1, ... infinite for even x, else NaN."""
    at_pole = (q <= 0) & (q == np.floor(q)) & (x != 1)
    poles = where(np.fmod(x, 2) == 0, np.inf, np.nan)
    return where(at_pole, poles, special_function("zeta")(x, q)).astype(x.dtype)


def polygamma(n: Array, x: Array) -> Any:
    """Returns the derivative of order n of digamma; NaN unless n is a natural number."""
    order, place = n.astype(np.float64), x.astype(np.float64)
    sign = where(np.fmod(order, 2) == 0, -1.0, 1.0)
    of_higher_order = sign * special_function("gamma")(order + 1) * zeta(order + 1, place)
    result = where(order == 0, digamma(place), of_higher_order)
    is_natural = (order >= 0) & (order == np.floor(order))
    return where(is_natural, result, np.nan).astype(x.dtype)


def bessel_i1e(x: Array) -> Any:
    """Returns the modified Bessel function of the first kind of order 1, times exp(-|x|)."""
    return special_function("i1e")(x)
