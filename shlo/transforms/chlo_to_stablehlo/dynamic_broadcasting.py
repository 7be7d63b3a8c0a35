"""Broadcasts to a shape that only the run tells, computed with StableHLO's operations alone.

StableHLO's own pass uses the shape dialect here, which a portable artifact cannot hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.types import RankedTensorType, Shape
from shlo.transforms.rewriting.builder import ValueRef, int64s
from shlo.transforms.rewriting.elementwise import select
from shlo.transforms.rewriting.shapes import joined, list_of, size_of


def run_time_broadcast(
    operands: Sequence[ValueRef], axes: Sequence[Sequence[int]], rank: int
) -> list[ValueRef]:
    """Returns the operands, each of which lies along some axes, broadcast to one shape of a rank."""
    builder = operands[0].builder
    sizes = [_size(operands, axes, axis) for axis in range(rank)]
    lists = [list_of(value) for value, _ in sizes]
    shape: Shape = tuple(known for _, known in sizes)
    extents = joined(lists)
    return [
        builder.one(
            "stablehlo.dynamic_broadcast_in_dim",
            (operand, extents),
            RankedTensorType(shape, operand.element_type),
            {"broadcast_dimensions": int64s(places)},
        )
        for operand, places in zip(operands, axes)
    ]


def _size(
    operands: Sequence[ValueRef], axes: Sequence[Sequence[int]], axis: int
) -> tuple[ValueRef, int | None]:
    """Returns the size of a dimension of the result as a scalar, and its number where that is known: that of
    the operand whose size is not one.
    """
    found = [(operand, places.index(axis)) for operand, places in zip(operands, axes) if axis in places]
    known = [operand.tensor.shape[own] for operand, own in found]
    for (operand, own), size in zip(found, known):
        if size is not None and size != 1:
            return size_of(operand, own), size
    unknown = [each for each, size in zip(found, known) if size is None]
    if not unknown:
        return size_of(*found[0]), 1
    value, *others = (size_of(*each) for each in unknown)
    for other in others:
        value = select(value.equals(1), other, value)
    return value, None
