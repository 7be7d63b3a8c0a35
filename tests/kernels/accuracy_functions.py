"""What is measured for accuracy: functions, their references, and where they are interesting."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
Interval = tuple[float, float]

GOAL = 2.0
"""How many units in the last place a function of MEASURED types may be off, where XLA is not farther off."""
MEASURED = ("float32", "float16", "bfloat16")
"""The types in which functions are measured."""
ROUNDED_ONCE = (
    "chlo.bessel_i1e",
    "chlo.erf",
    "chlo.erfc",
    "chlo.lgamma",
    "chlo.polygamma",
    "chlo.zeta",
    "stablehlo.atan2",
    "stablehlo.log",
    "stablehlo.logistic",
    "stablehlo.tan",
)
"""Functions that are computed in more than f32 and rounded to it."""
ONE_ROUNDING = 0.51
"""How many units in the last place these are off at most."""

BITS = 300
COMPLEX_BITS = 1000
"""Bits of mpmath's numbers: enough for what cancels between operands of all exponents that occur."""


class Function(NamedTuple):
    """A function: its float64 version, its mpmath version, and its points of interest.

    `pairs` makes operands of a function of two, where those of random magnitudes would all be trivial.
    `complex_` is the mpmath version for complex operands where it exists: `mp` if True.
    """

    double: Callable[..., Any]
    mp: Callable[..., Any]
    intervals: tuple[Interval, ...] = ((-1, 1), (-20, 20))
    centers: tuple[float, ...] = (0, 1, -1)
    complex_: bool = False
    operands: int = 1
    pairs: Callable[[Any, int], tuple[Any, Any]] | None = None

    def is_of(self, dtype: np.dtype[Any]) -> bool:
        return self.complex_ or dtype.kind != "c"

    def exact(self, *arrays: Array) -> list[Any]:
        """Returns the reference: one array for each part of the result, of float64 or of mpmath's numbers."""
        if arrays[0].dtype.kind != "c" and arrays[0].dtype.itemsize <= 4:
            return [np.asarray(self.double(*[x.astype(np.float64) for x in arrays]))]
        values = [self._exactly(*(x.item() for x in point)) for point in zip(*arrays)]
        if arrays[0].dtype.kind != "c":
            return [_objects(value.real for value in values)]
        return [_objects(value.real for value in values), _objects(value.imag for value in values)]

    def _exactly(self, *point: Any) -> Any:
        mp = mpmath()
        is_complex = isinstance(point[0], complex)
        make = mp.mpc if is_complex else mp.mpf
        with mp.workprec(COMPLEX_BITS if is_complex else BITS):
            try:
                if not is_complex and not all(map(math.isfinite, point)):
                    return mp.mpf(float(self.double(*point)))
                value = mp.mpmathify(self.mp(*map(make, point)))
            except (ValueError, ZeroDivisionError, OverflowError, mp.libmp.NoConvergence):
                return mp.mpf(float(self.double(*point)))
            return value if is_complex or not value.imag else mp.nan


def _objects(values: Any) -> Any:
    items = list(values)
    result = np.empty(len(items), object)
    result[:] = items
    return result


@cache
def mpmath() -> Any:
    """Returns the module; it is needed for types wider than 32 bits only."""
    return import_module("mpmath")


def _mp(name: str) -> Callable[..., Any]:
    return lambda *operands: getattr(mpmath(), name)(*operands)


def _scipy(name: str) -> Callable[..., Any]:
    return lambda *operands: getattr(import_module("scipy.special"), name)(*operands)


def _logistic(z: Any) -> Any:
    return 1 / (1 + mpmath().exp(-z))


def _lgamma(x: Any) -> Any:
    mp = mpmath()
    return mp.inf if mp.isinf(x) else mp.log(abs(mp.gamma(x))) if abs(x) < 1000 else mp.loggamma(x).real


def _double_lgamma(x: Any) -> Any:
    return np.where(x == -np.inf, np.inf, _scipy("gammaln")(x))


def _double_digamma(x: Any) -> Any:
    return np.where(x == 0, np.nan, _scipy("digamma")(x))


def _atan2(y: Any, x: Any) -> Any:
    mp = mpmath()
    if not isinstance(y, mp.mpc):
        if 0 in (x, y):
            raise ZeroDivisionError("mpmath has no signed zeros")
        return mp.atan2(y, x)
    return -1j * mp.log((x + 1j * y) / mp.sqrt(x * x + y * y))


def _powers(random: Any, count: int) -> tuple[Any, Any]:
    """Bases of all sizes, and exponents for which the result is of moderate size or the base is near 1."""
    base = 2.0 ** random.uniform(-100, 100, count)
    exponent = random.uniform(-80, 80, count) / np.log(base)
    near = 1 + random.choice([-1, 1], count) * 2.0 ** random.uniform(-20, -1, count)
    near_exponent = random.uniform(-80, 80, count) / np.log(near)
    return np.concatenate([base, near]), np.concatenate([exponent, near_exponent])


def _zetas(random: Any, count: int) -> tuple[Any, Any]:
    close = 1 + 2.0 ** random.uniform(-10, 5, count // 4)
    return close, 2.0 ** random.uniform(-3, 6, count // 4)


def _orders(random: Any, count: int) -> tuple[Any, Any]:
    return random.integers(0, 6, count // 4).astype(float), 2.0 ** random.uniform(-3, 5, count // 4)


_HALF_TURNS = tuple(np.arange(-4, 5) * np.pi / 2)
_EXPONENTS: tuple[Interval, ...] = ((-1, 1), (-20, 20), (-90, 90))
_INTEGERS = (0, 1, 2, -1, -2, -3, -10)
_IN_ONE: tuple[Interval, ...] = ((-1, 1), (-0.1, 0.1))
_POSITIVE: tuple[Interval, ...] = ((0, 1), (0, 20), (0.9, 1.1))

FUNCTIONS: dict[str, Function] = {
    "stablehlo.atan2": Function(np.arctan2, _atan2, complex_=True, operands=2),
    "stablehlo.cbrt": Function(np.cbrt, lambda x: _mp("sign")(x) * _mp("cbrt")(abs(x))),
    "stablehlo.cosine": Function(np.cos, _mp("cos"), centers=_HALF_TURNS, complex_=True),
    "stablehlo.exponential": Function(
        np.exp, _mp("exp"), _EXPONENTS, (0, 1, -1, 88.72284, -87.33654, -103.28), complex_=True
    ),
    "stablehlo.exponential_minus_one": Function(np.expm1, _mp("expm1"), _EXPONENTS, complex_=True),
    "stablehlo.log": Function(np.log, _mp("log"), _POSITIVE, complex_=True),
    "stablehlo.log_plus_one": Function(np.log1p, _mp("log1p"), complex_=True),
    "stablehlo.logistic": Function(_scipy("expit"), _logistic, _EXPONENTS, complex_=True),
    "stablehlo.power": Function(np.power, lambda x, y: x**y, complex_=True, operands=2, pairs=_powers),
    "stablehlo.rsqrt": Function(
        lambda x: 1 / np.sqrt(x), lambda x: 1 / _mp("sqrt")(x), _POSITIVE, complex_=True
    ),
    "stablehlo.sine": Function(np.sin, _mp("sin"), centers=_HALF_TURNS, complex_=True),
    "stablehlo.sqrt": Function(np.sqrt, _mp("sqrt"), _POSITIVE, complex_=True),
    "stablehlo.tan": Function(np.tan, _mp("tan"), centers=_HALF_TURNS, complex_=True),
    "stablehlo.tanh": Function(np.tanh, _mp("tanh"), complex_=True),
    "chlo.acos": Function(np.arccos, _mp("acos"), _IN_ONE, complex_=True),
    "chlo.acosh": Function(np.arccosh, _mp("acosh"), ((1, 2), (1, 20)), (1,), complex_=True),
    "chlo.asin": Function(np.arcsin, _mp("asin"), _IN_ONE, complex_=True),
    "chlo.asinh": Function(np.arcsinh, _mp("asinh"), complex_=True),
    "chlo.atan": Function(np.arctan, _mp("atan"), complex_=True),
    "chlo.atanh": Function(np.arctanh, _mp("atanh"), _IN_ONE, complex_=True),
    "chlo.bessel_i1e": Function(
        _scipy("i1e"), lambda x: _mp("besseli")(1, x) * _mp("exp")(-abs(x)), ((-1, 1), (-20, 20), (-300, 300))
    ),
    "chlo.cosh": Function(np.cosh, _mp("cosh"), _EXPONENTS, complex_=True),
    "chlo.digamma": Function(
        _double_digamma,
        _mp("digamma"),
        ((-10, 10), (0, 100)),
        (*_INTEGERS, 1.4616321449683622, -0.504083008264455),
    ),
    "chlo.erf": Function(_scipy("erf"), _mp("erf"), ((-1, 1), (-6, 6))),
    "chlo.erf_inv": Function(_scipy("erfinv"), _mp("erfinv"), _IN_ONE),
    "chlo.erfc": Function(_scipy("erfc"), _mp("erfc"), ((-1, 1), (-6, 12))),
    "chlo.lgamma": Function(
        _double_lgamma, _lgamma, ((-10, 10), (0, 100)), (*_INTEGERS, -2.4570247382208, -2.7476826467274)
    ),
    "chlo.polygamma": Function(
        _scipy("polygamma"), lambda n, x: mpmath().psi(int(n), x), operands=2, pairs=_orders
    ),
    "chlo.sinh": Function(np.sinh, _mp("sinh"), _EXPONENTS, complex_=True),
    "chlo.square": Function(np.square, lambda x: x * x, complex_=True),
    "chlo.tan": Function(np.tan, _mp("tan"), centers=_HALF_TURNS, complex_=True),
    "chlo.zeta": Function(_scipy("zeta"), _mp("zeta"), operands=2, pairs=_zetas),
}
