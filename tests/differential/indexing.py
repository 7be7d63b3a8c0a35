"""Gather and scatter: the specification's formulas, index by index."""

from __future__ import annotations

import numpy as np

from shlo.fuzzing.maker import Maker, Shape, array_i64
from shlo.fuzzing.structures import GatherNumbers, gather_numbers
from tests.differential.bodies import BODIES, UPDATES, draw
from tests.differential.instances import Array, Instance, Result
from tests.differential.movement import ELEMENTS
from tests.differential.reductions import SUM_TOLERANCE


def _operand_index(numbers: GatherNumbers, indices: Array, index: Shape, is_clamped: bool) -> Shape:
    """Returns the index into the operand for an index of the result (or updates): formula of gather and
    scatter.
    """
    batch = [index[d] for d in range(len(index)) if d not in numbers.offset_dims]
    start_position = list(batch)
    full = [0] * len(numbers.operand_shape)
    for position, axis in enumerate(numbers.start_index_map):
        place = list(start_position)
        if numbers.index_vector_dim < indices.ndim:
            place.insert(numbers.index_vector_dim, position)
        start = int(indices[tuple(place)])
        if is_clamped:
            start = max(0, min(start, numbers.operand_shape[axis] - numbers.slice_sizes[axis]))
        full[axis] = start
    for axis, start_axis in zip(numbers.batching, numbers.start_batching):
        # dimensions of the indices without index_vector_dim are those of the batch
        full[axis] = batch[start_axis - (start_axis > numbers.index_vector_dim)]
    window = [d for d in range(len(full)) if d not in numbers.collapsed and d not in numbers.batching]
    for axis, offset_dim in zip(window, numbers.offset_dims):
        full[axis] += index[offset_dim]
    return tuple(full)


def gather(make: Maker) -> Instance:
    numbers = gather_numbers(make)
    indices = numbers.indices
    array = make.small(numbers.operand_shape, make.choice(ELEMENTS))
    attributes = f"{numbers.gather_attribute}, slice_sizes = {array_i64(numbers.slice_sizes)}"

    def formula() -> list[Array]:
        result = np.empty(numbers.result_shape, array.dtype)
        for index in np.ndindex(result.shape):
            result[index] = array[_operand_index(numbers, indices, index, is_clamped=True)]
        return [result]

    results = [Result(numbers.result_shape, array.dtype)]
    return Instance("stablehlo.gather", [array, indices], results, attributes, formula=formula)


def scatter(make: Maker) -> Instance:
    """Scatter with a reducer that has no order, or of one window with any body."""
    is_unique = make.chance(0.3)
    body, name = draw(make, UPDATES if is_unique else BODIES)
    numbers = gather_numbers(make, is_unique)
    indices = numbers.indices
    array, updates = make.small(numbers.operand_shape, name), make.small(numbers.result_shape, name)

    def formula() -> list[Array]:
        result = array.copy()
        for index in np.ndindex(updates.shape):
            place = _operand_index(numbers, indices, index, is_clamped=False)
            if all(0 <= i < size for i, size in zip(place, array.shape)):
                result[place] = body.combine(result[place], updates[index], name)
        return [result]

    return Instance(
        "stablehlo.scatter",
        [array, indices, updates],
        [Result(array.shape, array.dtype)],
        numbers.scatter_attribute,
        [body.region(array.dtype)],
        formula,
        SUM_TOLERANCE,
        SUM_TOLERANCE,
        is_for_xla=bool(numbers.start_index_map),  # `scatter-without-indices` of docs/differences.md
    )


MAKERS = (gather, gather, scatter, scatter)
