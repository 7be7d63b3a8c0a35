"""Kernel of chlo.ragged_dot: dot products in which one dimension of lhs consists of groups.

By the role of the ragged dimension: a free one has a rhs for each group; a contracted one has a result for
each group; a batch dimension's groups change nothing. There may be `group_sizes` for each index of the
dimensions before the ragged one (batch dimensions, then those of its role). Beyond the last group the result
is zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.dialects.chlo.dialect import RaggedDotDimensionNumbers
from shlo.dialects.struct_attributes import DotDimensionNumbers
from shlo.interpreter.kernel_api import KernelFn, OpView
from shlo.interpreter.kernels.contraction.dot import contraction
from shlo.interpreter.registry import kernel
from shlo.ir.dtypes import Array
from shlo.ir.types import RankedTensorType

Index = list[Any]


class Places(Struct, frozen=True):
    """Positions of the ragged dimension and those before it in lhs, rhs and result, None where they are
    absent. rhs is counted without its group dimension, the result without the one for the groups."""

    ragged: tuple[int, int | None, int | None]
    before: tuple[tuple[int, int | None, int | None], ...]


@kernel("chlo.ragged_dot")
def ragged_dot(op: OpView) -> KernelFn:
    """Computes a dot_general for each group of the ragged dimension, at the cost of one over all groups."""
    numbers = op.require("ragged_dot_dimension_numbers", RaggedDotDimensionNumbers)
    places = ragged_places(numbers, op.tensor_type(0).rank)
    dot = _group_product(op, numbers)
    dtype, group_dimensions = op.result_dtype(), numbers.rhs_group_dimensions

    def evaluate(lhs: Array, rhs: Array, group_sizes: Array) -> Array:
        if group_dimensions:
            return _of_free_groups(dot, places, lhs, np.moveaxis(rhs, group_dimensions[0], 0), group_sizes)
        if places.ragged[2] is not None:
            return dot(lhs, rhs)
        return _of_contracted_groups(dot, places, lhs, rhs, group_sizes, dtype)

    return evaluate


def _group_product(op: OpView, numbers: RaggedDotDimensionNumbers) -> KernelFn:
    """Returns the dot_general of a group, for operands of any sizes, rhs without its group dimension."""
    gone = numbers.rhs_group_dimensions
    lhs, rhs = op.tensor_type(0), op.tensor_type(1)
    dot_numbers = group_dimension_numbers(numbers)
    shared = len(numbers.lhs_batching_dimensions) + 2 * len(numbers.lhs_contracting_dimensions)
    rank = lhs.rank + rhs.rank - len(gone) - shared
    return contraction(
        dot_numbers,
        _of_any_sizes(lhs, lhs.rank),
        _of_any_sizes(rhs, rhs.rank - len(gone)),
        _of_any_sizes(op.result_type(), rank),
    )


def group_dimension_numbers(numbers: RaggedDotDimensionNumbers) -> DotDimensionNumbers:
    """Returns the dimension numbers of a group's dot_general, with rhs without its group dimension."""
    gone = numbers.rhs_group_dimensions
    return DotDimensionNumbers(
        numbers.lhs_batching_dimensions,
        _without(numbers.rhs_batching_dimensions, gone),
        numbers.lhs_contracting_dimensions,
        _without(numbers.rhs_contracting_dimensions, gone),
    )


def _of_any_sizes(type_: RankedTensorType, rank: int) -> RankedTensorType:
    return RankedTensorType((None,) * rank, type_.element_type)


def _without(dimensions: Sequence[int], gone: Sequence[int]) -> tuple[int, ...]:
    """Returns dimensions renumbered for a tensor that lacks those that are gone."""
    return tuple(dimension - sum(other < dimension for other in gone) for dimension in dimensions)


def ragged_places(numbers: RaggedDotDimensionNumbers, rank: int) -> Places:
    """Returns where the ragged dimension and those before it are, for a lhs of a rank."""
    gone = numbers.rhs_group_dimensions
    rhs_batching = _without(numbers.rhs_batching_dimensions, gone)
    rhs_contracting = _without(numbers.rhs_contracting_dimensions, gone)
    batch = [(d, rhs_batching[i], i) for i, d in enumerate(numbers.lhs_batching_dimensions)]
    contracted = [(d, rhs_contracting[i], None) for i, d in enumerate(numbers.lhs_contracting_dimensions)]
    used = {axis[0] for axis in (*batch, *contracted)}
    rest = [dimension for dimension in range(rank) if dimension not in used]
    free = [(d, None, len(batch) + i) for i, d in enumerate(rest)]
    ragged = numbers.lhs_ragged_dimensions[0]
    roles = ((free, batch), (contracted, batch), (batch, ()))
    role, outer = next(role for role in roles if any(axis[0] == ragged for axis in role[0]))
    position = [axis[0] for axis in role].index(ragged)
    return Places(role[position], (*outer, *role[:position]))


def _of_free_groups(dot: KernelFn, places: Places, lhs: Array, rhs: Array, sizes: Array) -> Array:
    """Returns each group of rows times its own rhs."""
    whole = dot(lhs[_at(lhs.ndim, places.ragged[0], slice(0, 0))], rhs[0])
    shape = list(whole.shape)
    assert places.ragged[2] is not None
    shape[places.ragged[2]] = lhs.shape[places.ragged[0]]
    result = np.zeros(shape, whole.dtype)
    for group, left, right, out in group_parts(places, lhs.ndim, rhs.ndim - 1, result.ndim, sizes):
        result[out] = dot(lhs[left], rhs[group][right])
    return result


def _of_contracted_groups(
    dot: KernelFn, places: Places, lhs: Array, rhs: Array, sizes: Array, dtype: np.dtype[Any]
) -> Array:
    """Returns a result for each group, from the elements of the contracted dimension that belong to it."""
    empty = slice(0, 0)
    nothing = dot(
        lhs[_at(lhs.ndim, places.ragged[0], empty)], rhs[_at(rhs.ndim, places.ragged[1] or 0, empty)]
    )
    result = np.zeros((sizes.shape[-1], *nothing.shape), dtype)
    for group, left, right, out in group_parts(places, lhs.ndim, rhs.ndim, nothing.ndim, sizes):
        result[(group, *out)] += dot(lhs[left], rhs[right])
    return result


def _at(rank: int, dimension: int, part: slice) -> tuple[slice, ...]:
    index = [slice(None)] * rank
    index[dimension] = part
    return tuple(index)


def group_parts(
    places: Places, lhs: int, rhs: int, result: int, sizes: Array
) -> Iterator[tuple[int, tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]]:
    """Yields each group's number and the parts of lhs, rhs and result (given by their ranks) it covers."""
    for outer in np.ndindex(*sizes.shape[:-1]):
        ends = np.cumsum(sizes[outer])
        for group, (size, end) in enumerate(zip(sizes[outer].tolist(), ends.tolist())):
            indices: list[Index] = [[slice(None)] * rank for rank in (lhs, rhs, result)]
            parts = [*(slice(i, i + 1) for i in outer), slice(end - size, end)]
            covered = (*places.before, places.ragged) if outer else (places.ragged,)
            for part, rows_ in zip(parts, covered):
                for index, dimension in zip(indices, rows_):
                    if dimension is not None:
                        index[dimension] = part
            yield group, *(tuple(index) for index in indices)  # type: ignore[misc]
