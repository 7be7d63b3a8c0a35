"""Gather and scatter: the specification's formulas, index by index."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tests.differential.bodies import BODIES, UPDATES, draw
from tests.differential.instances import Array, Instance, Maker, Result, Shape, array_i64
from tests.differential.movement import ELEMENTS, INDEX_TYPES
from tests.differential.reductions import SUM_TOLERANCE


class Numbers(NamedTuple):
    """The dimension numbers that gather and scatter share, in gather's words."""

    operand_shape: Shape
    slice_sizes: list[int]
    indices: Array
    index_vector_dim: int
    collapsed: list[int]
    batching: list[int]
    start_batching: list[int]
    start_index_map: list[int]
    offset_dims: list[int]
    result_shape: Shape

    def operand_index(self, index: Shape, is_clamped: bool) -> Shape:
        """Returns the index into the operand for an index of the result (or updates): formula of gather and
        scatter.
        """
        batch = [index[d] for d in range(len(index)) if d not in self.offset_dims]
        start_position = list(batch)
        full = [0] * len(self.operand_shape)
        for position, axis in enumerate(self.start_index_map):
            place = list(start_position)
            if self.index_vector_dim < self.indices.ndim:
                place.insert(self.index_vector_dim, position)
            start = int(self.indices[tuple(place)])
            if is_clamped:
                start = max(0, min(start, self.operand_shape[axis] - self.slice_sizes[axis]))
            full[axis] = start
        for axis, start_axis in zip(self.batching, self.start_batching):
            # dimensions of the indices without index_vector_dim are those of the batch
            full[axis] = batch[start_axis - (start_axis > self.index_vector_dim)]
        window = [d for d in range(len(full)) if d not in self.collapsed and d not in self.batching]
        for axis, offset_dim in zip(window, self.offset_dims):
            full[axis] += index[offset_dim]
        return tuple(full)


def _numbers(make: Maker, is_unique: bool = False) -> Numbers:
    shape = make.shape(make.integer(1, 4), smallest=1)
    axes = make.permutation(len(shape))
    batch_count = make.integer(0, 1) if len(axes) > 1 and not is_unique else 0
    batching = sorted(axes[:batch_count])
    rest = axes[batch_count:]
    start_index_map = rest[: make.integer(1 if is_unique else 0, len(rest))]
    collapsed = make.subset(sorted(rest))
    sizes = [1 if d in collapsed or d in batching else make.integer(1, size) for d, size in enumerate(shape)]
    batch_shape = list(make.shape(make.integer(0, 2), smallest=1))
    if is_unique:
        batch_shape = [1] * len(batch_shape)
    batch_axes = [make.integer(0, len(batch_shape)) for _ in batching]
    for axis, position in zip(batching, batch_axes):
        batch_shape.insert(position, shape[axis])
    vector = make.integer(0, len(batch_shape))
    indices_shape = list(batch_shape)
    indices_shape.insert(vector, len(start_index_map))
    if len(start_index_map) == 1 and make.chance(0.3):
        vector, indices_shape = len(batch_shape), batch_shape
    start_batching = [position + (position >= vector) for position in batch_axes]
    if vector == len(batch_shape) and indices_shape is batch_shape:
        start_batching = batch_axes
    dtype = np.dtype(make.choice(INDEX_TYPES))
    low = 0 if dtype.kind == "u" else -2
    indices = make.random.integers(low, max(shape) + 2, indices_shape).astype(dtype)
    window = [sizes[d] for d in range(len(shape)) if d not in collapsed and d not in batching]
    rank = len(batch_shape) + len(window)
    offset_dims = make.subset(range(rank), len(window))
    batch_sizes, window_sizes = iter(batch_shape), iter(window)
    result = tuple(next(window_sizes) if d in offset_dims else next(batch_sizes) for d in range(rank))
    return Numbers(
        shape,
        sizes,
        indices,
        vector,
        collapsed,
        batching,
        start_batching,
        start_index_map,
        offset_dims,
        result,
    )


def gather(make: Maker) -> Instance:
    numbers = _numbers(make)
    array = make.small(numbers.operand_shape, make.choice(ELEMENTS))
    attributes = (
        f"dimension_numbers = #stablehlo.gather<offset_dims = {numbers.offset_dims}, "
        f"collapsed_slice_dims = {numbers.collapsed}, operand_batching_dims = {numbers.batching}, "
        f"start_indices_batching_dims = {numbers.start_batching}, start_index_map = {numbers.start_index_map}, "
        f"index_vector_dim = {numbers.index_vector_dim}>, slice_sizes = {array_i64(numbers.slice_sizes)}"
    )

    def formula() -> list[Array]:
        result = np.empty(numbers.result_shape, array.dtype)
        for index in np.ndindex(result.shape):
            result[index] = array[numbers.operand_index(index, is_clamped=True)]
        return [result]

    results = [Result(numbers.result_shape, array.dtype)]
    return Instance("stablehlo.gather", [array, numbers.indices], results, attributes, formula=formula)


def scatter(make: Maker) -> Instance:
    """Scatter with a reducer that has no order, or of one window with any body."""
    is_unique = make.chance(0.3)
    body, name = draw(make, UPDATES if is_unique else BODIES)
    numbers = _numbers(make, is_unique)
    array, updates = make.small(numbers.operand_shape, name), make.small(numbers.result_shape, name)
    attributes = (
        "scatter_dimension_numbers = #stablehlo.scatter<"
        f"update_window_dims = {numbers.offset_dims}, inserted_window_dims = {numbers.collapsed}, "
        f"input_batching_dims = {numbers.batching}, scatter_indices_batching_dims = {numbers.start_batching}, "
        f"scatter_dims_to_operand_dims = {numbers.start_index_map}, index_vector_dim = {numbers.index_vector_dim}>"
    )

    def formula() -> list[Array]:
        result = array.copy()
        for index in np.ndindex(updates.shape):
            place = numbers.operand_index(index, is_clamped=False)
            if all(0 <= i < size for i, size in zip(place, array.shape)):
                result[place] = body.combine(result[place], updates[index], name)
        return [result]

    return Instance(
        "stablehlo.scatter",
        [array, numbers.indices, updates],
        [Result(array.shape, array.dtype)],
        attributes,
        [body.region(array.dtype)],
        formula,
        SUM_TOLERANCE,
        SUM_TOLERANCE,
        is_for_xla=bool(numbers.start_index_map),  # `scatter-without-indices` of docs/differences.md
    )


MAKERS = (gather, gather, scatter, scatter)
