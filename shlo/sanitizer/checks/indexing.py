"""Slices and updates that begin out of bounds, that overlap, and indices out of order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shlo.dialects.struct_attributes import GatherDimensionNumbers, ScatterDimensionNumbers
from shlo.interpreter.kernels.indexing.gather import Starts, batches_at
from shlo.ir.attributes import as_bool
from shlo.ir.dtypes import Array
from shlo.sanitizer.objections import Objection, objection
from shlo.sanitizer.steps import OperationStep
from shlo.sanitizer.wide import scattered

Sizes = tuple[int, ...]


def clamped_slice(step: OperationStep) -> Objection | None:
    """Starts of `dynamic_slice` and `dynamic_update_slice` that are not where the slice is."""
    is_update = step.operation.name == "stablehlo.dynamic_update_slice"
    sizes = step.operands[1].shape if is_update else step.results[0].shape
    starts = step.operands[2 if is_update else 1 :]
    highest = [whole - size for whole, size in zip(step.operands[0].shape, sizes)]
    if all(0 <= start <= most for start, most in zip(starts, highest)):
        return None
    return _out_of_bounds([int(start) for start in starts], highest)


def clamped_gather(step: OperationStep) -> Objection | None:
    """Start indices of a gather that are not where its slices are."""
    numbers = step.operation.attribute("dimension_numbers")
    if not isinstance(numbers, GatherDimensionNumbers):
        return None
    vectors, shape = _gather_starts(step, numbers), step.operands[0].shape
    sizes = _slice_sizes(step)
    highest = [shape[axis] - sizes[axis] for axis in numbers.start_index_map]
    return _vectors_out_of_bounds(vectors, highest, numbers.index_vector_dim)


def clamped_selection(step: OperationStep) -> Objection | None:
    """Indices of `torch_index_select` out of bounds."""
    axis = step.view.integer("dim")
    indices, last = np.asarray(step.operands[1]), step.operands[0].shape[axis] - 1
    return objection((indices < 0) | (indices > last), lambda at: {"index": indices[at], "greatest": last})


def dropped(step: OperationStep) -> Objection | None:
    """Updates of a scatter that lie, in part or as a whole, outside of the input."""
    numbers = step.operation.attribute("scatter_dimension_numbers")
    if not isinstance(numbers, ScatterDimensionNumbers):
        return None
    shape, sizes = step.operands[0].shape, _window_sizes(step, numbers)
    highest = [shape[axis] - sizes[axis] for axis in numbers.scatter_dims_to_operand_dims]
    return _vectors_out_of_bounds(_scatter_starts(step, numbers), highest, numbers.index_vector_dim)


def overlapping(step: OperationStep) -> Objection | None:
    """Elements of a result that several updates reach, though `unique_indices` says that none is."""
    if not _is_set(step, "unique_indices"):
        return None
    counts = scattered(step.view, step.operands[: len(step.operation.operands)])
    if counts is None:
        return None
    return objection(counts > 1, lambda at: {"updates": int(counts[at])}, counts)


def unsorted(step: OperationStep) -> Objection | None:
    """Indices that are less than those before them, though `indices_are_sorted` says that none is."""
    if not _is_set(step, "indices_are_sorted"):
        return None
    numbers = step.operation.attribute("dimension_numbers")
    if isinstance(numbers, GatherDimensionNumbers):
        shape, sizes = step.operands[0].shape, _slice_sizes(step)
        axes, batching = numbers.start_index_map, numbers.operand_batching_dims
        starts = _gather_starts(step, numbers)
        highest = [shape[axis] - sizes[axis] for axis in axes]
        vectors = [np.clip(_widest(row), 0, most) for row, most in zip(starts, highest)]
        paired = numbers.start_indices_batching_dims
    else:
        numbers = step.operation.attribute("scatter_dimension_numbers")
        if not isinstance(numbers, ScatterDimensionNumbers):
            return None
        axes, batching = numbers.scatter_dims_to_operand_dims, numbers.input_batching_dims
        starts = _scatter_starts(step, numbers)
        vectors = [_widest(row) for row in starts]
        paired = numbers.scatter_indices_batching_dims
    return _out_of_order(vectors, axes, batching, paired, numbers.index_vector_dim, starts)


def _widest(indices: Array) -> Array:
    """Returns integers as 64 bits of their own signedness, so that none of them changes."""
    return indices.astype(np.uint64 if indices.dtype.name.startswith("uint") else np.int64)


def _out_of_order(
    vectors: Sequence[Array],
    axes: Sizes,
    batching: Sizes,
    paired: Sizes,
    vector_dim: int,
    is_sorted_by: Array,
) -> Objection | None:
    """Objects to index vectors that are less than the one before, by the operand's dimensions in order."""
    batch = is_sorted_by.shape[1:]
    rows = dict(zip(axes, vectors))
    starts = Starts((*batch[:vector_dim], len(is_sorted_by), *batch[vector_dim:]), vector_dim)
    for axis, place in zip(batching, batches_at(starts, paired)):
        rows[axis] = np.indices(batch)[place]
    ordered = [rows[axis].reshape(-1) for axis in sorted(rows)]
    if not ordered or ordered[0].size < 2:
        return None
    is_less = np.zeros(ordered[0].size - 1, bool)
    is_equal = ~is_less
    for row in ordered:
        is_less |= is_equal & (row[1:] < row[:-1])
        is_equal &= row[1:] == row[:-1]
    flat = is_sorted_by.reshape(len(is_sorted_by), -1)

    def values(at: tuple[int, ...]) -> Mapping[str, Any]:
        return {"index": flat[:, at[0] + 1].tolist(), "before it": flat[:, at[0]].tolist()}

    return objection(is_less, values)


def _gather_starts(step: OperationStep, numbers: GatherDimensionNumbers) -> Array:
    indices = np.asarray(step.operands[1])
    return Starts(indices.shape, numbers.index_vector_dim).vectors_first(indices)


def _scatter_starts(step: OperationStep, numbers: ScatterDimensionNumbers) -> Array:
    indices = np.asarray(step.operands[(len(step.operation.operands) - 1) // 2])
    return Starts(indices.shape, numbers.index_vector_dim).vectors_first(indices)


def _slice_sizes(step: OperationStep) -> Sizes:
    if len(step.operands) > 2:  # a dynamic_gather
        return tuple(int(size) for size in step.operands[2])
    return step.view.integers("slice_sizes")


def _window_sizes(step: OperationStep, numbers: ScatterDimensionNumbers) -> Sizes:
    """Returns the size of a window along each dimension of the input."""
    shape, updates = step.operands[0].shape, step.operands[(len(step.operation.operands) + 1) // 2].shape
    gone = (*numbers.inserted_window_dims, *numbers.input_batching_dims)
    sizes = [1] * len(shape)
    for axis, axis_ in zip(
        (axis for axis in range(len(shape)) if axis not in gone), numbers.update_window_dims
    ):
        sizes[axis] = updates[axis_]
    return tuple(sizes)


def _vectors_out_of_bounds(vectors: Array, highest: Sequence[int], vector_dim: int) -> Objection | None:
    """Objects to index vectors, of shape [component, *batch], of which a component is out of bounds."""
    if not vectors.size:
        return None
    most = np.array(highest, np.int64).reshape(-1, *[1] * (vectors.ndim - 1))
    if int(vectors.min()) >= 0 and bool((vectors <= most).all()):
        return None
    signed = vectors.astype(np.float64)
    beyond = np.maximum(np.maximum(-signed, signed - most), 0).max(axis=0)

    def values(at: tuple[int, ...]) -> Mapping[str, Any]:
        return {"index": vectors[(slice(None), *at)].tolist(), "greatest": list(highest)}

    return objection(beyond > 0, values, beyond)


def _out_of_bounds(starts: Sequence[int], highest: Sequence[int]) -> Objection | None:
    beyond = np.array([float(max(-start, start - most, 0)) for start, most in zip(starts, highest)])

    def values(at: tuple[int, ...]) -> Mapping[str, Any]:
        return {"dimension": at[0], "start": starts[at[0]], "greatest": highest[at[0]]}

    return objection(beyond > 0, values, beyond)


def _is_set(step: OperationStep, name: str) -> bool:
    value = step.operation.attribute(name)
    return value is not None and as_bool(value)
