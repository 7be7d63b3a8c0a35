"""Mathematical functions of real arrays that NumPy lacks.

Functions take and give arrays (or NumPy scalars) of float32 or float64. Those of float32 are `formulas`.
Those of float64 are SciPy's, which is imported when one of them is first used, or the C library's; threads
share large arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from shlo.interpreter.kernels.elementwise import formulas
from shlo.interpreter.kernels.elementwise.formula import Formula
from shlo.interpreter.kernels.numeric import where
from shlo.interpreter.kernels.scipy_functions import special_function
from shlo.interpreter.runtime.context import current_context
from shlo.interpreter.runtime.threads import in_parts
from shlo.ir.dtypes import Array

PART: Final = 4096
"""Elements that a thread computes at a time; SciPy takes 10 to 300 ns for each."""

_erf_exactly = np.vectorize(math.erf, otypes=[np.float64])
_erfc_exactly = np.vectorize(math.erfc, otypes=[np.float64])


class FormulaKernel:
    """A function that for float32 is a formula."""

    __slots__ = ("_double", "formula_in_float32")

    def __init__(self, formula_in_float32: Formula, double: Callable[..., Any]) -> None:
        self.formula_in_float32 = formula_in_float32
        self._double = double

    def __call__(self, x: Any, *others: Any) -> Any:
        """Returns the function of arrays of one type."""
        function = self.formula_in_float32 if x.dtype == np.float32 else self._double
        return function(x, *others)


def shared(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function of float64 arrays whose large operands threads share."""

    def evaluate(*operands: Any) -> Any:
        size = np.size(operands[0])
        threads = 1 if size < 2 * PART else current_context().threads
        if threads == 1:
            return function(*operands)
        flat = [np.ascontiguousarray(operand).reshape(-1) for operand in operands]
        result = np.empty(size)

        def part(start: int, end: int) -> None:
            result[start:end] = function(*(operand[start:end] for operand in flat))

        in_parts(part, size, PART, threads)
        return result.reshape(np.shape(operands[0]))

    return evaluate


ZEROS_REACH = 0.1
"""So near its zeros 1 and 2, SciPy's gammaln loses digits; its loggamma for complex numbers does not."""

POLES_REACH = 0.25
"""So near negative integers, SciPy's digamma loses the distance to them."""


def _lgamma(x: Array) -> Any:
    """Returns log |gamma(x)|; infinite at 0, the negative integers and both infinities."""
    result = where(x == -np.inf, np.inf, special_function("gammaln")(x))
    near_zero = (np.abs(x - 1) < ZEROS_REACH) | (np.abs(x - 2) < ZEROS_REACH)
    if near_zero.any():
        result = where(near_zero, special_function("loggamma")(x + 0j).real, result)
    return result


def _digamma(x: Array) -> Any:
    """Returns the derivative of log |gamma(x)|; NaN at 0 and the negative integers."""
    result = where(x == 0, np.nan, special_function("digamma")(x))
    beyond_pole = x - np.rint(x)
    near_pole = (x < -0.5) & (beyond_pole != 0) & (np.abs(beyond_pole) < POLES_REACH)
    if near_pole.any():
        reflected = special_function("digamma")(1 - x) - np.pi / np.tan(np.pi * beyond_pole)
        result = where(near_pole, reflected, result)
    return result


def _zeta(x: Array, q: Array) -> Any:
    """Returns Hurwitz's zeta function, the sum of (q + k)^-x over k = 0, 1, .... Infinite for x = 1, NaN for
    x below 1. At the poles q = 0, -1, ... infinite for even x, else NaN."""
    at_pole = (q <= 0) & (q == np.floor(q)) & (x != 1)
    poles = where(np.fmod(x, 2) == 0, np.inf, np.nan)
    return where(at_pole, poles, special_function("zeta")(x, q))


def _polygamma(n: Array, x: Array) -> Any:
    """Returns the derivative of order n of digamma; NaN unless n is a natural number."""
    sign = where(np.fmod(n, 2) == 0, -1.0, 1.0)
    of_higher_order = sign * special_function("gamma")(n + 1) * _zeta(n + 1, x)
    result = where(n == 0, _digamma(x), of_higher_order)
    is_natural = (n >= 0) & (n == np.floor(n))
    return where(is_natural, result, np.nan)


def _erf_inv(x: Array) -> Any:
    """Returns the number whose error function is x; infinite at -1 and 1, NaN beyond."""
    return special_function("erfinv")(x)


def _bessel_i1e(x: Array) -> Any:
    """Returns the modified Bessel function of the first kind of order 1, times exp(-|x|)."""
    return special_function("i1e")(x)


def _completed(formula: Formula, double: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function that for float32 is a formula where that gives a number, elsewhere `double`."""

    def evaluate(*operands: Array) -> Any:
        if operands[0].dtype != np.float32:
            return double(*operands)
        result: Any = formula(*operands)
        unknown: Any = np.isnan(result)
        if unknown.any():
            wide = (np.asarray(operand)[unknown].astype(np.float64) for operand in operands)
            result[unknown] = double(*wide)
        return result

    return evaluate


erf: Final = FormulaKernel(formulas.ERF, _erf_exactly)
erfc: Final = FormulaKernel(formulas.ERFC, _erfc_exactly)
erf_inv: Final = FormulaKernel(formulas.ERF_INV, shared(_erf_inv))
lgamma: Final = FormulaKernel(formulas.LGAMMA, shared(_lgamma))
digamma: Final = FormulaKernel(formulas.DIGAMMA, shared(_digamma))
bessel_i1e: Final = FormulaKernel(formulas.BESSEL_I1E, shared(_bessel_i1e))
zeta: Final = _completed(formulas.ZETA, shared(_zeta))
polygamma: Final = _completed(formulas.POLYGAMMA, shared(_polygamma))
