"""How far functions are off, in units in the last place (ULP): points, our kernels, XLA, references.

XLA takes subnormal numbers for zeros: points with a subnormal operand or result are measured apart, without
XLA. Complex results are measured part by part. An infinite result counts as the power of two after the
largest number; points where only one of result and reference is NaN are counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from ml_dtypes import finfo

from tests.oracle import Oracle, OracleError

from .accuracy_functions import GOAL, Function, mpmath
from .helpers import Call, all_on_xla, evaluate

Array = np.ndarray[Any, Any]

EXTREME_EXPONENT = 10000
"""Above that of every number."""
COMPLEX_EXPONENTS = 60
"""Complex operands lie within 2 to plus and minus this: mpmath would need thousands of digits beyond."""


class Errors(NamedTuple):
    """Errors in ULP of the points of a kind, and how many points have a NaN on one side only."""

    ulps: Array
    nans: int

    @property
    def most(self) -> float:
        return float(self.ulps.max(initial=0))

    @property
    def mean(self) -> float:
        return float(self.ulps.mean()) if self.ulps.size else 0.0

    def __str__(self) -> str:
        return f"{_number(self.most)} / {_number(self.mean)}"


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 1000 else f"{value:.1e}"


# --- points ------------------------------------------------------------------------------------------------


def operands(function: Function, dtype: np.dtype[Any], count: int) -> list[Array]:
    """Arrays of operands for a function of one or two of them."""
    random = np.random.default_rng(0)
    if dtype.kind == "c":
        points = [_complex_points(function, dtype, count, random) for _ in range(function.operands)]
    else:
        points = [_real_points(function, dtype, count, random) for _ in range(function.operands)]
    if function.operands == 1:
        return points
    if function.pairs is not None:
        with np.errstate(over="ignore"):
            pairs = [x.astype(dtype) for x in function.pairs(random, 4 * count)]
        return pairs if dtype.kind != "c" else [_turned(x, random) for x in pairs]
    return [random.permutation(x) for x in points]


def _real_points(function: Function, dtype: np.dtype[Any], count: int, random: Any) -> Array:
    info = finfo(dtype)
    exponents = random.uniform(float(info.minexp) - float(info.nmant), float(info.maxexp), count)
    parts: list[Any] = [random.choice([-1.0, 1.0], count) * 2.0**exponents]
    parts += [random.uniform(low, high, count) for low, high in function.intervals]
    parts += [_approach(center, float(info.eps)) for center in function.centers]
    parts.append(np.array([0.0, -0.0, np.inf, -np.inf, np.nan, float(info.max), float(info.tiny)]))
    with np.errstate(over="ignore"):
        return np.concatenate(parts).astype(dtype)


def _approach(center: float, eps: float) -> Any:
    """Both sides of a number, ever closer to it."""
    steps = np.concatenate([2.0 ** -np.arange(0.0, 60.0), eps * np.arange(1.0, 17.0)])
    return center + np.concatenate([-steps, [0.0], steps])


def _complex_points(function: Function, dtype: np.dtype[Any], count: int, random: Any) -> Array:
    signs = random.choice([-1.0, 1.0], (2, count))
    sizes = signs * 2.0 ** random.uniform(-COMPLEX_EXPONENTS, COMPLEX_EXPONENTS, (2, count))
    wide, narrow = random.uniform(-10, 10, (2, 2 * count)), random.uniform(-2, 2, (2, 2 * count))
    turns = random.uniform(-np.pi, np.pi, count)
    near = 2.0 ** random.uniform(-25, 0, (2, count)) * random.choice([-1.0, 1.0], (2, count))
    places = random.choice([1, -1, 1j, -1j], count)
    circle = np.cos(turns) + 1j * np.sin(turns)
    parts = [sizes, wide, narrow]
    points = [x + 1j * y for x, y in parts] + [circle, places + near[0] + 1j * near[1]]
    result: Any = np.concatenate(points).astype(dtype)
    return result[(result.real != 0) & (result.imag != 0)]


def _turned(sizes: Array, random: Any) -> Array:
    """Returns numbers of these sizes in all directions."""
    return (sizes * np.exp(1j * random.uniform(-np.pi, np.pi, len(sizes)))).astype(sizes.dtype)


# --- errors ------------------------------------------------------------------------------------------------


def parts_of(values: Any) -> list[Any]:
    """Returns the real and imaginary parts, or the values themselves."""
    return [values.real, values.imag] if values.dtype.kind == "c" else [values]


def errors(got: Array, exact: Sequence[Any], which: Any) -> Errors:
    """Returns the errors of results at some points; `exact` holds the references of the parts of the results."""
    both = [_errors_of_part(part[which], want[which]) for part, want in zip(parts_of(got), exact)]
    return Errors(np.concatenate([one.ulps for one in both]), sum(one.nans for one in both))


def _errors_of_part(got: Array, exact: Any) -> Errors:
    info, is_wide = finfo(got.dtype), exact.dtype == object
    limit = mpmath().ldexp(1, int(info.maxexp)) if is_wide else 2.0 ** int(info.maxexp)
    is_nan = np.array([value != value for value in exact], np.bool_)
    got = got.astype(np.float64)
    differ = np.isnan(got) != is_nan
    measured = ~differ & ~is_nan
    exact, got = exact[measured], got[measured].astype(exact.dtype)
    off = np.abs(np.clip(got, -limit, limit) - np.clip(exact, -limit, limit))
    ulps = [float(error / unit) for error, unit in zip(off, _units(exact, info))]
    return Errors(np.array(ulps, np.float64), int(differ.sum()))


def _units(exact: Any, info: Any) -> Any:
    """Returns the distance between numbers of the type at these places."""
    most, least = int(info.maxexp), int(info.minexp) + 1
    exponents = np.array([min(max(_exponent(value), least), most) for value in exact], np.int64)
    return np.ldexp(1.0, exponents - 1 - int(info.nmant))


def _exponent(value: Any) -> int:
    """Returns the power of two above a number; of an infinity or zero, more or less than that of every
    number.
    """
    if not value or abs(value) == math.inf:
        return EXTREME_EXPONENT if value else -EXTREME_EXPONENT
    return math.frexp(value)[1] if isinstance(value, float) else int(mpmath().frexp(value)[1])


def is_ordinary(arrays: Sequence[Array], exact: Sequence[Any]) -> Any:
    """Returns where no operand and no reference is a subnormal number."""
    tiny = float(finfo(arrays[0].dtype).tiny)
    ordinary = np.ones(arrays[0].shape, np.bool_)
    for part in (*[part for array in arrays for part in parts_of(array)], *exact):
        size = np.abs(part.astype(object) if part.dtype == object else part.astype(np.float64))
        ordinary &= ~((size > 0) & (size < tiny)).astype(np.bool_)
    return ordinary


# --- functions ---------------------------------------------------------------------------------------------


class Measured(NamedTuple):
    """Of one function and type: our errors, XLA's (None: it cannot), and ours at subnormal numbers."""

    points: int
    ours: Errors
    xla: Errors | None
    subnormal: Errors

    @property
    def is_good(self) -> bool:
        """Whether the goal is met."""
        if self.xla is None:
            return self.ours.most <= GOAL and not self.ours.nans
        limit = GOAL if self.xla.most <= GOAL else 2 * self.xla.most
        return self.ours.most <= limit and self.ours.nans <= self.xla.nans


def measured(name: str, function: Function, dtype: np.dtype[Any], count: int, xla: Oracle) -> Measured:
    """Computes a function by our kernel, by XLA, and by the reference."""
    arrays = operands(function, dtype, count)
    ours = evaluate(name, *arrays)
    with np.errstate(all="ignore"):
        exact = function.exact(*arrays)
    ordinary = is_ordinary(arrays, exact)
    theirs = _on_xla(xla, name, arrays)
    return Measured(
        len(arrays[0]),
        errors(ours, exact, ordinary),
        None if theirs is None else errors(theirs, exact, ordinary),
        errors(ours, exact, ~ordinary),
    )


def _on_xla(xla: Oracle, name: str, arrays: Sequence[Array]) -> Array | None:
    try:
        return all_on_xla(xla, [Call(name, arrays)])[0]
    except OracleError:
        return None
