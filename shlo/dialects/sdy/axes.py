"""Arithmetic of mesh axes and their parts.

A part `"x":(m)k` of an axis is the k positions between m before it and those after it; it starts at m and
ends at m * k. A whole axis starts at 1 and ends at its size. `sizes` are those of a mesh's axes, in order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from shlo.dialects.sdy.attributes import AxisReference

Axes = tuple[AxisReference, ...]
Sizes = Mapping[str, int]


def start(axis: AxisReference) -> int:
    """Returns how many positions of the axis lie before a part."""
    return axis.part[0] if axis.part else 1


def end(axis: AxisReference, sizes: Sizes) -> int:
    """Returns how many positions of the axis lie before and in a part."""
    return axis.part[0] * axis.part[1] if axis.part else axis_size(axis, sizes)


def axis_size(axis: AxisReference, sizes: Sizes) -> int:
    """Returns how many positions an axis or a part of it has; 1 for an axis that the mesh lacks."""
    return axis.part[1] if axis.part else sizes.get(axis.name, 1)


def split_count(axes: Iterable[AxisReference], sizes: Sizes) -> int:
    """Returns into how many parts axes split a dimension."""
    return math.prod(axis_size(axis, sizes) for axis in axes)


def overlap(left: AxisReference, right: AxisReference) -> bool:
    """Returns whether two references share positions of an axis."""
    if left.name != right.name:
        return False
    if left.part is None or right.part is None:
        return True
    return left.part[0] < math.prod(right.part) and right.part[0] < math.prod(left.part)


def first_overlap(axes: Iterable[AxisReference], others: Iterable[AxisReference]) -> AxisReference | None:
    """Returns the first of the axes that shares positions with one of the others."""
    by_name = _by_name(others)
    return next(
        (axis for axis in axes if any(overlap(axis, other) for other in by_name.get(axis.name, ()))), None
    )


def can_merge(left: AxisReference, right: AxisReference) -> bool:
    """Returns whether `right` is the part of the same axis that follows `left`."""
    if left.name != right.name or left.part is None or right.part is None:
        return False
    return math.prod(left.part) == right.part[0]


def append(axes: Axes, added: Iterable[AxisReference], sizes: Sizes) -> Axes:
    """Returns the axes followed by others, each merged with the one before it where it continues that."""
    collected = list(axes)
    for axis in added:
        if collected and can_merge(collected[-1], axis):
            first = start(collected[-1])
            collected[-1] = _part(axis.name, first, end(axis, sizes) // max(first, 1), sizes)
        else:
            collected.append(axis)
    return tuple(collected)


def without_suffix(axes: Axes, removed: Sequence[AxisReference], sizes: Sizes) -> Axes | AxisReference:
    """Returns the axes without those at their end, or the first axis from behind that is not there."""
    collected = list(axes)
    for axis in reversed(removed):
        if not collected or not _is_suffix(axis, collected[-1], sizes):
            return axis
        last = collected.pop()
        if start(last) < start(axis):
            collected.append(_part(axis.name, start(last), start(axis) // start(last), sizes))
    return tuple(collected)


def is_sorted(axes: Sequence[AxisReference], sizes: Sizes) -> bool:
    """Returns whether axes are in the order of the mesh."""
    return len(axes) < 2 or list(axes) == in_order(axes, sizes)


def merged(axes: Iterable[AxisReference], sizes: Sizes) -> Axes:
    """Returns axes in the order of the mesh, with parts of one axis that follow each other merged."""
    return append((), in_order(axes, sizes), sizes)


def difference(axes: Iterable[AxisReference], others: Iterable[AxisReference], sizes: Sizes) -> Axes:
    """Returns what of the axes is not in the others, as parts where an overlap is partial."""
    by_name = _by_name(others)
    collected: list[AxisReference] = []
    for axis in axes:
        rest = [axis]
        for other in by_name.get(axis.name, ()):
            rest = [part for axis in rest for part in _minus(axis, other, sizes)]
        collected += rest
    return tuple(collected)


def _by_name(axes: Iterable[AxisReference]) -> dict[str, list[AxisReference]]:
    collected: dict[str, list[AxisReference]] = {}
    for axis in axes:
        collected.setdefault(axis.name, []).append(axis)
    return collected


def _minus(axis: AxisReference, other: AxisReference, sizes: Sizes) -> Iterator[AxisReference]:
    if not overlap(axis, other):
        yield axis
        return
    if start(axis) < start(other):
        yield _part(axis.name, start(axis), start(other) // max(start(axis), 1), sizes)
    if end(other, sizes) < end(axis, sizes):
        yield _part(axis.name, end(other, sizes), end(axis, sizes) // max(end(other, sizes), 1), sizes)


def _part(name: str, first: int, size: int, sizes: Sizes) -> AxisReference:
    """Returns a part of an axis; the axis itself where that is all of it."""
    is_whole = first == 1 and size == sizes.get(name)
    return AxisReference(name) if is_whole else AxisReference(name, (first, size))


def _is_suffix(axis: AxisReference, whole: AxisReference, sizes: Sizes) -> bool:
    """Returns whether an axis is another one, or the last part of it."""
    return (
        axis.name == whole.name
        and 0 < start(whole) <= start(axis)
        and start(axis) % start(whole) == 0
        and end(axis, sizes) == end(whole, sizes)
    )


def in_order(axes: Iterable[AxisReference], sizes: Sizes) -> list[AxisReference]:
    """Returns axes in the order of the mesh."""
    places = {name: position for position, name in enumerate(sizes)}

    def key(axis: AxisReference) -> tuple[int, int, float]:
        size = axis.part[1] if axis.part else math.inf
        return places.get(axis.name, len(places)), start(axis), size

    return sorted(axes, key=key)
