"""How many decimal digits a value lost, element by element, beside its shadow."""

from __future__ import annotations

from functools import cache
from math import inf, sqrt
from typing import Any, Final, NamedTuple, cast

import numpy as np

from shlo.ir.dtypes import Array, float_limits
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
    limits = float_limits(dtype)
    return Precision(limits.epsilon / 2, limits.smallest_normal)


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


def overall_error(value: Array, shadow: Array, sizes: Array) -> float:
    """Returns the error of a tensor as a whole: the root of the mean square of distances relative to that of
    sizes; infinity where an element is not finite beside a shadow that is. Elements whose shadow is not
    finite, and sizes that are not, are left out.
    """
    value, shadow, sizes = map(np.asarray, (value, shadow, sizes))
    with np.errstate(all="ignore"):
        counted = np.isfinite(shadow)
        distances, sizes = np.abs(value - shadow)[counted], np.abs(sizes)[counted]
        if not np.isfinite(distances).all():
            return inf
        (distance, of_distances), (size, of_sizes) = map(_largest_and_rest, (distances, sizes))
    if not distance:
        return 0.0
    return distance / size * (of_distances / of_sizes) if size else inf


def _largest_and_rest(numbers: Array) -> tuple[float, float]:
    """Returns the largest of the finite numbers, and by what it is to be multiplied to be the root of the sum
    of their squares: so that no square is out of range.
    """
    finite = numbers[np.isfinite(numbers)]
    largest = float(finite.max(initial=0.0))
    return largest, sqrt(float(np.square(finite / largest).sum())) if largest else 0.0


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
