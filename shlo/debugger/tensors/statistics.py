"""What a tensor holds, in a few numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from shlo.ir.dtypes import Array
from shlo.text.statistics import Statistics


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many finite elements fall between one edge and the next; there is one edge more than counts."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]


def statistics_of(value: Any) -> Statistics | None:
    """Returns the statistics of a tensor, None for a value that is none (a token, a tuple)."""
    array = tensor_of(value)
    if array is None:
        return None
    numbers = real_numbers(array)
    finite = _finite(numbers)
    low = high = mean = None
    if finite.size:
        low, high = finite.min().item(), finite.max().item()
        with np.errstate(all="ignore"):
            mean = float(finite.mean(dtype=np.float64))
    return Statistics(
        shape=array.shape,
        dtype=array.dtype.name,
        size=array.size,
        bytes=array.size * array.dtype.itemsize,
        low=low,
        high=high,
        mean=mean,
        nans=int(np.count_nonzero(numbers != numbers)),
        positive_infinities=int(np.count_nonzero(numbers == np.inf)),
        negative_infinities=int(np.count_nonzero(numbers == -np.inf)),
        zeros=int(np.count_nonzero(numbers == 0)),
    )


def histogram_of(value: Any, bins: int = 20) -> Histogram | None:
    """Returns the finite elements of a tensor in `bins` equal steps, None where it has none."""
    array = tensor_of(value)
    finite = None if array is None else _finite(real_numbers(array)).astype(np.float64)
    if finite is None or not finite.size:
        return None
    low, high = float(finite.min()), float(finite.max())
    if not np.isfinite(high - low):
        finite, low, high = finite / 4, low / 4, high / 4
        counts, edges = np.histogram(finite, bins, (low, high))
        return Histogram(tuple((edges * 4).tolist()), tuple(counts.tolist()))
    step = (high - low) / bins
    if low < high and (low + step == low or high - step == high):
        bins = 1  # there are not as many numbers between the two
    counts, edges = np.histogram(finite, bins, (low, high) if low < high else None)
    return Histogram(tuple(edges.tolist()), tuple(counts.tolist()))


def tensor_of(value: Any) -> Array | None:
    """Returns the array that a value is, None where it is no tensor."""
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(cast("Array", value))
    return None


def has_nan(value: Any) -> bool:
    """Returns whether a value, or a part of a tuple, has an element that is no number."""
    return _any(value, np.isnan)


def has_infinity(value: Any) -> bool:
    """Returns whether a value, or a part of a tuple, has an infinite element."""
    return _any(value, np.isinf)


def is_finite(value: Any) -> bool:
    """Returns whether all elements of a value are finite numbers."""
    return not _any(value, _is_nonfinite)


def finite_mask(array: Array) -> Array:
    """Returns which elements are finite numbers; all of types that are not floating-point."""
    if not is_floating(array):
        return np.ones(array.shape, bool)
    return np.isfinite(array.astype(np.float32) if array.dtype.kind == "V" else array)


def _any(value: Any, test: Any) -> bool:
    if isinstance(value, tuple):
        return any(_any(part, test) for part in cast("tuple[Any, ...]", value))
    array = tensor_of(value)
    if array is None or not is_floating(array):
        return False
    if array.dtype.kind == "V":
        array = array.astype(np.float32)
    return bool(test(array).any())


def _is_nonfinite(array: Array) -> Array:
    return ~np.isfinite(array)


def is_floating(array: Array) -> bool:
    """Returns whether elements are floating-point or complex numbers."""
    kind = array.dtype.kind
    return kind in "fc" or (kind == "V" and array.dtype.name.startswith(("bfloat", "float")))


def real_numbers(array: Array) -> Array:
    """Elements as numbers that NumPy can order: magnitudes of complex ones, narrow types widened."""
    if array.dtype.kind == "c":
        return np.abs(array)
    if array.dtype.kind == "b":
        return array.astype(np.uint8)
    if array.dtype.kind in "iu" and not array.dtype.name.endswith("int4"):
        return array
    if is_floating(array):
        return array.astype(np.float64 if array.dtype.itemsize > 4 else np.float32)
    return array.astype(np.int64)


def _finite(numbers: Array) -> Array:
    return numbers[np.isfinite(numbers)] if numbers.dtype.kind == "f" else numbers.reshape(-1)
