"""How many decimal digits a value lost, element by element, beside its shadow."""

from __future__ import annotations

from functools import cache
from math import inf, sqrt
from typing import Any, Final, NamedTuple, cast

import ml_dtypes
import numpy as np

from shlo.ir.dtypes import Array
from shlo.runner.statistics import is_floating
from shlo.shadow.widening import widened_value

FEWEST: Final = 1.0
"""How many digits an operation must lose to be told of: its error is ten times that of rounding once."""


class Precision(NamedTuple):
    """What a floating-point type can hold.

    Args:
        unit: the largest relative error of rounding to it once.
        least: its smallest normal number; errors of smaller ones are relative to this.
    """

    unit: float
    least: float

    @property
    def digits(self) -> float:
        """How many decimal digits it has."""
        return float(-np.log10(self.unit))


@cache
def precision_of(dtype: np.dtype[Any]) -> Precision:
    """Returns the precision of a floating-point or complex type."""
    info: Any = cast("Any", ml_dtypes).finfo(dtype)
    return Precision(float(info.eps) / 2, float(info.smallest_normal))


def is_measured(value: Any) -> bool:
    """Returns whether a value is a tensor of floating-point numbers that has elements."""
    return (
        isinstance(value, (np.ndarray, np.generic))
        and bool(np.size(cast("Array", value)))
        and is_floating(np.asarray(cast("Array", value)))
    )


def relative_errors(value: Array, shadow: Array, least: float) -> Array:
    """Returns the error of each element relative to its shadow, both of f64 or complex<f64>: 0 for two NaNs
    or equal infinities, infinity where one alone is finite.
    """
    with np.errstate(all="ignore"):
        scale = np.maximum(np.abs(shadow), least)
        return _without_nan(np.abs(value - shadow) / scale, value, shadow)


def errors_relative_to(value: Array, shadow: Array, scale: Array) -> Array:
    """Returns the error of each element relative to a scale of its own."""
    with np.errstate(all="ignore"):
        return _without_nan(np.abs(value - shadow) / scale, value, shadow)


def overall_error(distances: Array, sizes: Array) -> float:
    """Returns the error of a tensor as a whole: the root of the mean square of distances relative to that of
    sizes, those that are not finite left out.
    """
    distance, size = (_sum_of_squares(np.abs(each)) for each in (distances, sizes))
    return sqrt(distance / size) if size else (inf if distance else 0.0)


def _sum_of_squares(numbers: Array) -> float:
    with np.errstate(all="ignore"):
        return float(np.square(numbers[np.isfinite(numbers)]).sum())


def _without_nan(errors: Array, value: Array, shadow: Array) -> Array:
    unclear = np.isnan(errors)
    if unclear.any():
        are_same = (value == shadow) | ((value != value) & (shadow != shadow))
        errors = np.where(unclear, np.where(are_same, 0.0, np.inf), errors)
    return errors


def digits_lost(errors: Any, unit: float) -> Any:
    """Returns how many decimal digits relative errors take: 0 for that of rounding once, all that a type of
    this `unit` has for one of 1 or more.
    """
    with np.errstate(all="ignore"):
        return np.log10(np.clip(np.asarray(errors) / unit, 1.0, 1.0 / unit))


def value_digits_lost(value: Any, shadow: Any) -> Array:
    """Returns how many digits each element of a floating-point value lost."""
    array = np.asarray(value)
    unit, least = precision_of(array.dtype)
    return digits_lost(relative_errors(widened_value(array), np.asarray(shadow), least), unit)
