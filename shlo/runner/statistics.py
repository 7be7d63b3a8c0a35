"""What a tensor holds, in a few numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final, cast

import ml_dtypes
import numpy as np
from msgspec import Struct

from shlo.ir.dtypes import Array
from shlo.runner.equality import tensor_of
from shlo.text.statistics import Statistics


class Histogram(Struct, frozen=True):
    """How many finite elements fall between one edge and the next; there is one edge more than counts."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]


AT_A_TIME: Final = 1 << 18
"""How many elements of a large tensor are looked at together, so that they stay in the processor's cache."""


def statistics_of(value: Any) -> Statistics | None:
    """Returns the statistics of a tensor, None for a value that is none (a token, a tuple).

    Reads each element a few times and takes little memory beside the tensor's.
    """
    array = tensor_of(value)
    if array is None:
        return None
    parts = [_part_of(real_numbers(part)) for part in _parts(array)]
    count = sum(part.count for part in parts)
    return Statistics(
        shape=array.shape,
        dtype=array.dtype.name,
        size=array.size,
        bytes=array.size * array.dtype.itemsize,
        low=min((part.low for part in parts if part.count), default=None),
        high=max((part.high for part in parts if part.count), default=None),
        mean=sum(part.total for part in parts) / count if count else None,
        nans=sum(part.nans for part in parts),
        positive_infinities=sum(part.positive_infinities for part in parts),
        negative_infinities=sum(part.negative_infinities for part in parts),
        zeros=sum(part.zeros for part in parts),
    )


class _Part(Struct, frozen=True):
    """A part of a tensor in numbers: `low`, `high` and `total` are those of its `count` finite elements."""

    low: Any
    high: Any
    total: float
    count: int
    zeros: int
    nans: int = 0
    positive_infinities: int = 0
    negative_infinities: int = 0


@np.errstate(all="ignore")
def _part_of(numbers: Array) -> _Part:
    """Counts, and takes the extremes of, real numbers; none are picked out, which would take longer."""
    least, most = numbers.min().item(), numbers.max().item()
    zeros = int(np.count_nonzero(numbers == 0))
    if math.isfinite(least) and math.isfinite(most):
        return _Part(least, most, float(numbers.sum(dtype=np.float64)), numbers.size, zeros)
    is_finite = np.isfinite(numbers)
    count = int(np.count_nonzero(is_finite))
    least, most = np.fmin.reduce(numbers, axis=None).item(), np.fmax.reduce(numbers, axis=None).item()
    infinities = 0, 0
    if math.isinf(least) or math.isinf(most):
        infinities = int(np.count_nonzero(numbers == np.inf)), int(np.count_nonzero(numbers == -np.inf))
        ordered = finite_or_nan(numbers)
        least, most = np.fmin.reduce(ordered, axis=None).item(), np.fmax.reduce(ordered, axis=None).item()
    bits = numbers.view(f"i{numbers.itemsize}") * is_finite  # those of 0 for what is not finite
    total = float(bits.view(numbers.dtype).sum(dtype=np.float64))
    nans = numbers.size - count - sum(infinities)
    return _Part(least, most, total, count, zeros, nans, *infinities)


def _parts(array: Array) -> Iterator[Array]:
    """Yields the elements of a tensor in parts that are views of it."""
    if array.size <= AT_A_TIME:
        yield from (array,) * (array.size > 0)
        return
    if array.flags.c_contiguous or array.flags.f_contiguous:
        flat = array.reshape(-1, order="A")
        yield from (flat[at : at + AT_A_TIME] for at in range(0, flat.size, AT_A_TIME))
        return
    axis = int(np.argmax(array.shape))
    step = max(1, AT_A_TIME * array.shape[axis] // array.size)
    outer = np.moveaxis(array, axis, 0)
    for at in range(0, array.shape[axis], step):
        yield from _parts(outer[at : at + step])


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
    if low == high and low + 1 / bins == low:
        return Histogram((low, high), (finite.size,))  # no edges fit around it
    step = (high - low) / bins
    if low < high and (low + step == low or high - step == high):
        bins = 1  # there are not as many numbers between the two
    counts, edges = np.histogram(finite, bins, (low, high) if low < high else None)
    return Histogram(tuple(edges.tolist()), tuple(counts.tolist()))


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


def nan_mask(array: Array) -> Array:
    """Returns which elements are no number; a complex one is none where a part of it is."""
    return np.isnan(array if array.dtype.kind == "c" else real_numbers(array))


def out_of_range(before: Array, after: Array) -> Array | None:
    """Returns which elements of `before` are out of the range of the type of `after`, to which they were
    converted: any number for a type of integers, finite ones for one of floating-point numbers. A NaN is not.
    Returns None where none can be.
    """
    if not _may_exceed(before.dtype, after.dtype):
        return None
    numbers = real_numbers(cast("Array", np.real(before)))
    limits = _limits(after.dtype)
    if is_floating(after):
        lost = finite_mask(before) & ~finite_mask(after)
        return lost | (np.abs(numbers) > limits.max) if _saturates(after.dtype) else lost
    if numbers.dtype.kind in "iu":
        return (numbers < limits.min) | (numbers > limits.max)
    whole = np.trunc(numbers.astype(np.float64))
    return (whole < limits.min) | (whole >= limits.max + 1)


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


def index_at(position: int, shape: Sequence[int]) -> tuple[int, ...]:
    """Returns the index of a position, in row-major order, in a shape."""
    return tuple(int(at) for at in np.unravel_index(position, tuple(shape)))


def wide(values: Any) -> Array:
    """Returns numbers in which products and magnitudes do not overflow early: float64 or complex128."""
    array = np.asarray(values)
    with np.errstate(all="ignore"):
        return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def same_elements(one: Array, other: Array) -> Array:
    """Returns which elements are the same number, a NaN being the same as another and 0 as -0."""
    is_same = one == other
    if one.dtype.kind in "biu":
        return np.asarray(is_same)
    with np.errstate(all="ignore"):
        return np.asarray(is_same | ((one != one) & (other != other)))


def largest_finite(numbers: Array) -> float | None:
    """Returns the largest finite one of real numbers, None where there is none."""
    finite = numbers[np.isfinite(numbers)]
    return float(finite.max()) if finite.size else None


def finite_or_nan(numbers: Array) -> Array:
    """Returns real numbers with NaN in place of infinities."""
    with np.errstate(invalid="ignore"):
        return numbers + 0 * numbers if numbers.dtype.kind == "f" else numbers  # `where` takes twice as long


def is_floating(array: Array) -> bool:
    """Returns whether elements are floating-point or complex numbers."""
    kind = array.dtype.kind
    return kind in "fc" or (kind == "V" and array.dtype.name.startswith(("bfloat", "float")))


def real_numbers(array: Array) -> Array:
    """Elements as numbers that NumPy can order: magnitudes of complex ones, narrow types widened."""
    kind = array.dtype.kind
    if kind in "iu":
        return array
    if kind == "c":
        return np.abs(array)
    if kind == "b":
        return array.astype(np.uint8)
    if not is_floating(array):
        return array.astype(np.int64)
    if array.dtype.itemsize == 1 or array.dtype == np.float16:
        return np.asarray(_widened(array.dtype).take(array.view(f"u{array.dtype.itemsize}"), mode="wrap"))
    return array.astype(np.float64 if array.dtype.itemsize > 4 else np.float32, copy=False)


@cache
def _widened(dtype: np.dtype[Any]) -> Array:
    """Returns what each pattern of bits of a narrow type is: a look-up takes a fifth of a conversion."""
    patterns = np.arange(1 << 8 * dtype.itemsize, dtype=f"u{dtype.itemsize}")
    return patterns.view(dtype).astype(np.float32)


def _finite(numbers: Array) -> Array:
    return numbers[np.isfinite(numbers)] if numbers.dtype.kind == "f" else numbers.reshape(-1)


@cache
def _may_exceed(source: np.dtype[Any], target: np.dtype[Any]) -> bool:
    """Returns whether a type has numbers out of the range of another; of reduce_precision, both are one."""
    if "b" in (source.kind, target.kind):
        return False
    limits, other = _limits(source), _limits(target)
    return source == target or int(limits.max) > int(other.max) or int(limits.min) < int(other.min)


def _limits(dtype: np.dtype[Any]) -> Any:
    """Returns the least and the greatest number of a type."""
    return cast("Any", ml_dtypes.finfo if is_floating(np.empty(0, dtype)) else ml_dtypes.iinfo)(dtype)


@cache
def _saturates(dtype: np.dtype[Any]) -> bool:
    """Returns whether the greatest number of a type is what greater ones become."""
    return dtype.kind == "V" and bool(np.isfinite(np.array(np.inf).astype(dtype).astype(np.float32)))
