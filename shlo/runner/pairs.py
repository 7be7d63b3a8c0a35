"""Differences of two arrays and of two pytrees, leaf by leaf, in memory of a part of a leaf."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.interpreter.agreement import FARTHEST, ulp_distance
from shlo.ir.dtypes import Array
from shlo.runner.leaves import Leaf
from shlo.runner.statistics import index_at, is_floating, wide

MOST_ULPS: Final = 1 << 20
"""Units in the last place are counted up to this many: more are another number, not another rounding."""
AT_A_TIME: Final = 1 << 13
"""How many elements are compared together, which stay in the processor's cache."""


class ArrayDifference(Struct, frozen=True):
    """How two arrays of one shape differ; NaN is the same as NaN, 0 as -0.

    Args:
        differing: how many elements do.
        nonfinite: of how many of them one alone is a finite number.
        largest: the largest distance of two finite elements, None where there is none.
        ulps: the largest distance in units in the last place, where both are of one floating-point type; more
            than MOST_ULPS means no more than that.
        index: the first element that is finite in one array alone, else one that is farthest apart.
        one: the element there.
        other: the element there, of the other array.
    """

    differing: int = 0
    nonfinite: int = 0
    largest: float | None = None
    ulps: int | None = None
    index: tuple[int, ...] = ()
    one: Any = None
    other: Any = None


class LeafPair(Struct, frozen=True, dict=True):
    """Two leaves at one path of two pytrees, None where one tree has no leaf there."""

    path: tuple[str, ...]
    one: Leaf | None
    other: Leaf | None

    @cached_property
    def mismatch(self) -> str:
        """Why the two cannot be compared element by element, empty where they can."""
        if self.one is None or self.other is None:
            return f"only in the {'first' if self.other is None else 'second'}"
        one, other = self.one.value, self.other.value
        if self.refusal:
            return f"not compared: {self.refusal}"
        if isinstance(one, str) or isinstance(other, str):
            words = self.one.type or str(one), self.other.type or str(other)
            if words[0] != words[1]:
                return f"{words[0]} and {words[1]}"
            return "" if _are_equal(self.one.original, self.other.original) else f"not equal: {words[0]}"
        return "" if one.shape == other.shape else f"{self.one.type} and {self.other.type}"

    @property
    def refusal(self) -> str:
        """Why nothing can be said about the two, empty where something can."""
        if self.one is None or self.other is None:
            return ""
        return self.one.refusal or self.other.refusal

    @cached_property
    def difference(self) -> ArrayDifference:
        """How the elements differ; none does where they cannot be compared."""
        if self.mismatch or self.one is None or self.other is None or isinstance(self.one.value, str):
            return ArrayDifference()
        return array_difference(self.one.value, np.asarray(self.other.value))

    @property
    def differs(self) -> bool:
        """Whether the two are not the same."""
        return bool(self.mismatch or self.difference.differing)

    @property
    def relative(self) -> float | None:
        """The largest distance relative to the largest element, None where there is none."""
        largest = self.difference.largest
        scale = max((leaf.largest for leaf in (self.one, self.other) if leaf is not None), default=0.0)
        return None if largest is None else largest / scale if scale else 0.0

    @property
    def rank(self) -> tuple[float, ...]:
        """A key to sort by, which the worst has the least of."""
        return (-bool(self.mismatch), -self.difference.nonfinite, -(self.relative or 0.0))


def pairs_of(one: Sequence[Leaf], other: Sequence[Leaf]) -> list[LeafPair]:
    """Returns the leaves of two pytrees by path, those of the first tree in its order before the others."""
    others = {leaf.path: leaf for leaf in other}
    pairs = [LeafPair(leaf.path, leaf, others.pop(leaf.path, None)) for leaf in one]
    return pairs + [LeafPair(path, None, leaf) for path, leaf in others.items()]


def _are_equal(one: Any, other: Any) -> bool:
    """Returns whether two objects are equal, arrays element by element."""
    try:
        if type(one) is np.ndarray:
            return bool(np.array_equal(one, other))
        return one is other or (type(one) is type(other) and bool(one == other))
    except Exception:  # whatever the equality of a user's class raises
        return False


def array_difference(one: Array, other: Array) -> ArrayDifference:
    """Returns how two arrays of one shape differ; those of two element types by their numbers."""
    left, right = one.reshape(-1), other.reshape(-1)
    total = ArrayDifference()
    with np.errstate(all="ignore"):
        for start in range(0, left.size, AT_A_TIME):
            end = start + AT_A_TIME
            counts_ulps = (total.ulps or 0) <= MOST_ULPS
            part = _part_difference(left[start:end], right[start:end], start, one.shape, counts_ulps)
            total = _joined(total, part) if total.differing else part
    return total


def _part_difference(
    left: Array, right: Array, offset: int, shape: tuple[int, ...], counts_ulps: bool
) -> ArrayDifference:
    """Returns how parts differ that begin at an offset of flat arrays of a shape."""
    differs = left != right
    if not differs.any():
        return ArrayDifference()
    places = np.flatnonzero(differs)
    left, right = left[places], right[places]
    one, other = wide(left), wide(right)
    kept = ~(np.isnan(one) & np.isnan(other))
    if not kept.all():
        places, left, right, one, other = (array[kept] for array in (places, left, right, one, other))
    if not places.size:
        return ArrayDifference()
    distances = np.abs(one - other)
    is_finite = np.isfinite(distances)
    worst = int(np.argmax(distances) if is_finite.all() else np.argmin(is_finite))
    return ArrayDifference(
        places.size,
        places.size - int(np.count_nonzero(is_finite)),
        float(distances.max(initial=0.0, where=is_finite)) if is_finite.any() else None,
        _largest_ulps(left, right) if counts_ulps else None,
        index_at(offset + int(places[worst]), shape),
        left[worst],
        right[worst],
    )


def _largest_ulps(left: Array, right: Array) -> int | None:
    if left.dtype != right.dtype or not is_floating(left):
        return None
    ulps = np.asarray(ulp_distance(left, right))
    near = ulps[ulps != np.uint64(FARTHEST)]
    return int(near.max()) if near.size else None


def _joined(one: ArrayDifference, other: ArrayDifference) -> ArrayDifference:
    """Returns the difference of a whole from those of its parts, in order."""
    if not other.differing:
        return one
    is_worse = (other.nonfinite, other.largest or 0.0) > (one.nonfinite, one.largest or 0.0)
    worst = other if is_worse and not one.nonfinite else one
    return ArrayDifference(
        one.differing + other.differing,
        one.nonfinite + other.nonfinite,
        max((part.largest for part in (one, other) if part.largest is not None), default=None),
        max((part.ulps for part in (one, other) if part.ulps is not None), default=None),
        worst.index,
        worst.one,
        worst.other,
    )
