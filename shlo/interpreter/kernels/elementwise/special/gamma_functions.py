"""Functions around the gamma function, and the modified Bessel function."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.interpreter.kernels.numeric import scipy_function, where
from shlo.ir.dtypes import Array

ZEROS_REACH = 0.1
"""So near its zeros 1 and 2, SciPy's gammaln loses digits; its loggamma for complex numbers does not."""

POLES_REACH = 0.25
"""So near negative integers, SciPy's digamma loses the distance to them."""


def lgamma(x: Array) -> Any:
    """Returns log |gamma(x)|; infinite at 0, the negative integers and both infinities."""
    result = where(x == -np.inf, np.inf, scipy_function("gammaln")(x))
    near_zero = (np.abs(x - 1) < ZEROS_REACH) | (np.abs(x - 2) < ZEROS_REACH)
    if x.dtype == np.float64 and near_zero.any():
        result = where(near_zero, scipy_function("loggamma")(x + 0j).real, result)
    return result.astype(x.dtype)


def digamma(x: Array) -> Any:
    """Returns the derivative of log |gamma(x)|; NaN at 0 and the negative integers."""
    result = where(x == 0, np.nan, scipy_function("digamma")(x))
    beyond_pole = x - np.rint(x)
    near_pole = (x < -0.5) & (beyond_pole != 0) & (np.abs(beyond_pole) < POLES_REACH)
    if x.dtype == np.float64 and near_pole.any():
        reflected = scipy_function("digamma")(1 - x) - np.pi / np.tan(np.pi * beyond_pole)
        result = where(near_pole, reflected, result)
    return result.astype(x.dtype)


def zeta(x: Array, q: Array) -> Any:
    """Returns Hurwitz's zeta function, the sum of (q + k)^-x over k = 0, 1, ....

    Infinite for x = 1, NaN for x below 1. At the poles q = 0, -1, ... infinite for even x, else NaN.
    """
    at_pole = (q <= 0) & (q == np.floor(q)) & (x != 1)
    poles = where(np.fmod(x, 2) == 0, np.inf, np.nan)
    return where(at_pole, poles, scipy_function("zeta")(x, q)).astype(x.dtype)


def polygamma(n: Array, x: Array) -> Any:
    """Returns the derivative of order n of digamma; NaN unless n is a natural number."""
    order, place = n.astype(np.float64), x.astype(np.float64)
    sign = where(np.fmod(order, 2) == 0, -1.0, 1.0)
    of_higher_order = sign * scipy_function("gamma")(order + 1) * zeta(order + 1, place)
    result = where(order == 0, digamma(place), of_higher_order)
    is_natural = (order >= 0) & (order == np.floor(order))
    return where(is_natural, result, np.nan).astype(x.dtype)


def bessel_i1e(x: Array) -> Any:
    """Returns the modified Bessel function of the first kind of order 1, times exp(-|x|)."""
    return scipy_function("i1e")(x)
