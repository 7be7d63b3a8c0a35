"""Difference of two tensors: which elements are not the same, and how far apart they are."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.interpreter.agreement import FARTHEST, ulp_distance
from shlo.ir.dtypes import Array
from shlo.runner.statistics import index_at, is_floating, largest_finite, same_elements, tensor_of, wide

MOST_ELEMENTS: Final = 1 << 26
"""How many elements are compared at most."""


class ElementDifference(Struct, frozen=True):
    """Two elements at one index; how far apart they are (NaN where one is NaN), in units in the last place
    too where both are floating-point numbers of one type.
    """

    index: tuple[int, ...]
    one: Any
    other: Any
    distance: float
    ulps: int | None


class TensorDifference(Struct, frozen=True):
    """How two tensors differ: how many elements do, the largest distance of two finite ones and the largest
    in units in the last place (None where there is none), the elements that differ most, those first of
    which one alone is finite. `signed` is the first tensor minus the second, 0 where both are the same; of
    complex numbers it is the distance.
    """

    differing: int
    largest: float | None
    ulps: int | None
    worst: tuple[ElementDifference, ...]
    signed: Array


def difference_of(one: Any, other: Any, most: int) -> TensorDifference:
    """Returns how two values differ, with the `most` worst elements: NaN is the same as NaN, 0 as -0. A
    number is compared with each element. Raises DebuggerError for values that are no tensors of one shape.
    """
    left, right = tensor_of(one), tensor_of(other)
    if left is None or right is None:
        raise DebuggerError("expected two tensors, got a tuple or token")
    if not (left.ndim and right.ndim):
        left, right = np.broadcast_arrays(left, right)
    if left.shape != right.shape:
        shapes = " and ".join(f"({', '.join(map(str, array.shape))})" for array in (left, right))
        raise DebuggerError(f"expected tensors of one shape, got {shapes}")
    if left.size > MOST_ELEMENTS:
        raise DebuggerError(f"expected at most {MOST_ELEMENTS:,} elements, got {left.size:,}")
    with np.errstate(all="ignore"):
        return _difference(left, right, most)


def _difference(left: Array, right: Array, most: int) -> TensorDifference:
    one, other = wide(left), wide(right)
    differs = ~(same_elements(left, right) if left.dtype == right.dtype else same_elements(one, other))
    signed: Array = np.where(differs, one - other, 0)
    distances: Array = np.abs(signed)
    ulps = ulps_apart(left, right)
    places = np.flatnonzero(differs)
    finite = distances.reshape(-1)[places]
    ranks = np.nan_to_num(finite, nan=np.inf, posinf=np.inf)
    worst = places[np.argsort(-ranks, kind="stable")[:most]]
    return TensorDifference(
        len(places),
        largest_finite(finite),
        _largest(ulps, differs),
        tuple(_element(int(at), left, right, distances, ulps) for at in worst),
        distances if signed.dtype.kind == "c" else signed,
    )


def _element(at: int, left: Array, right: Array, distances: Array, ulps: Array | None) -> ElementDifference:
    index = index_at(at, left.shape)
    apart = None if ulps is None or ulps[index] == np.uint64(FARTHEST) else int(ulps[index])
    return ElementDifference(index, left[index], right[index], float(distances[index]), apart)


def ulps_apart(one: Array, other: Array) -> Array | None:
    """Returns how many units in the last place the elements of two tensors of one shape are apart, FARTHEST
    where one alone is finite; None for other types than one of floating-point numbers.
    """
    if one.dtype != other.dtype or not is_floating(one) or not one.size:
        return None
    distance = np.asarray(ulp_distance(one, other))
    return distance.max(-1) if one.dtype.kind == "c" else distance


def _largest(ulps: Array | None, differs: Array) -> int | None:
    near = None if ulps is None else ulps[differs & (ulps != np.uint64(FARTHEST))]
    return int(near.max()) if near is not None and near.size else None
