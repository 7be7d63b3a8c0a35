"""Plans of gather, made from shapes, and start indices and views of windows, which scatter shares."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.dialects.struct_attributes import GatherDimensionNumbers
from shlo.interpreter.kernel_api import KernelFn, Value
from shlo.interpreter.kernels.shapes import (
    Sizes,
    constant_function,
    require,
    reshaped,
    row_major_strides,
    transposed,
)
from shlo.ir.dtypes import Array


class Starts(Struct, frozen=True):
    """Tensor of start indices: vectors along `vector_dim`, or single numbers if that is the rank."""

    shape: Sizes
    vector_dim: int

    @property
    def batch(self) -> Sizes:
        """The batch dimensions: the shape without `vector_dim`."""
        return self.shape[: self.vector_dim] + self.shape[self.vector_dim + 1 :]

    @property
    def count(self) -> int:
        """The number of components of an index vector."""
        return self.shape[self.vector_dim] if self.vector_dim < len(self.shape) else 1

    def vectors_first(self, indices: Value) -> Array:
        """Returns the indices as an array of shape [count, *batch]."""
        if self.vector_dim == len(self.shape):
            return indices.reshape((1, *self.shape))
        rest = [axis for axis in range(len(self.shape)) if axis != self.vector_dim]
        return indices.transpose((self.vector_dim, *rest))


class Gathering(Struct, frozen=True):
    """Gather of known shapes.

    `batching` and `moving` are the operand's dimensions along which slices start at various positions, the
    latter where `components` of the index vectors say. The result is computed with the dimensions [batch of
    the start indices, `offsets`: the operand's dimensions that stay], and brought to its own `order` of them.
    """

    shape: Sizes
    sizes: Sizes
    starts: Starts
    batching: Sizes
    batches_at: Sizes
    moving: Sizes
    components: Sizes
    offsets: Sizes
    order: Sizes

    @property
    def leading(self) -> Sizes:
        """The operand's dimensions along which slices start at various positions."""
        return self.batching + self.moving

    @property
    def highest(self) -> list[int]:
        """The highest start along each of `moving`."""
        return [self.shape[axis] - self.sizes[axis] for axis in self.moving]

    @property
    def canonical(self) -> Sizes:
        """The result's shape before its dimensions are brought into order."""
        return self.starts.batch + tuple(self.sizes[axis] for axis in self.offsets)

    @property
    def result(self) -> Sizes:
        """The result's shape."""
        return tuple(self.canonical[axis] for axis in self.order)


def gather_plan(
    numbers: GatherDimensionNumbers, sizes: Sizes, shape: Sizes, indices_shape: Sizes, dtype: np.dtype[Any]
) -> KernelFn:
    """Returns the gather of an operand by start indices of these shapes."""
    plan = _gathering(numbers, sizes, shape, indices_shape)
    if 0 in plan.result:
        return constant_function(np.empty(plan.result, dtype))
    require(0 not in sizes, "expected slices with elements, got sizes {}", sizes)
    if math.prod(plan.starts.batch) == 1:
        return _one_slice(plan)
    if _takes_whole_rows(plan):
        return _rows(plan)
    windows = _windows(plan, dtype)
    return _table(plan, windows) if _has_table(plan) else windows


def _gathering(
    numbers: GatherDimensionNumbers, sizes: Sizes, shape: Sizes, indices_shape: Sizes
) -> Gathering:
    starts = Starts(indices_shape, numbers.index_vector_dim)
    gone = numbers.collapsed_slice_dims + numbers.operand_batching_dims
    offsets = tuple(axis for axis in range(len(shape)) if axis not in gone)
    mapped = enumerate(numbers.start_index_map)
    moving = [(component, axis) for component, axis in mapped if shape[axis] > sizes[axis]]
    return Gathering(
        shape,
        sizes,
        starts,
        numbers.operand_batching_dims,
        batches_at(starts, numbers.start_indices_batching_dims),
        tuple(axis for _, axis in moving),
        tuple(component for component, _ in moving),
        offsets,
        result_order(len(starts.batch), numbers.offset_dims),
    )


def batches_at(starts: Starts, dimensions: Sizes) -> Sizes:
    """Returns the positions of dimensions of the start indices in `starts.batch`."""
    return tuple(axis - (axis > starts.vector_dim) for axis in dimensions)


def result_order(batch_rank: int, offset_dims: Sequence[int]) -> Sizes:
    """Returns the permutation that moves dimensions [batch, offsets] so that offsets are at `offset_dims`."""
    offsets = iter(range(batch_rank, batch_rank + len(offset_dims)))
    batches = iter(range(batch_rank))
    places = range(batch_rank + len(offset_dims))
    return tuple(next(offsets) if axis in offset_dims else next(batches) for axis in places)


def _in_order(order: Sizes) -> KernelFn | None:
    return None if order == tuple(range(len(order))) else transposed(order)


def _one_slice(plan: Gathering) -> KernelFn:
    """Returns the gather of a single slice: a view of the operand. Batching dimensions have size 1 here."""
    result, moves = plan.result, list(zip(plan.components, plan.moving, plan.highest))
    gone = [axis for axis in range(len(plan.shape)) if axis not in plan.offsets]
    permutation, template = (*plan.offsets, *gone), [slice(0, size) for size in plan.sizes]

    def evaluate(x: Value, indices: Value) -> Value:
        vector, index = indices.reshape(-1).tolist(), template.copy()
        for component, axis, highest in moves:
            start = min(max(vector[component], 0), highest)
            index[axis] = slice(start, start + plan.sizes[axis])
        return x[tuple(index)].transpose(permutation).reshape(result)

    return evaluate


def _takes_whole_rows(plan: Gathering) -> bool:
    """Returns whether the slices are whole but for one dimension, of which they have one element."""
    others = [axis for axis in range(len(plan.shape)) if axis not in plan.moving]
    whole = all(plan.sizes[axis] == plan.shape[axis] for axis in others)
    return whole and not plan.batching and len(plan.moving) == 1 and plan.sizes[plan.moving[0]] == 1


def _rows(plan: Gathering) -> KernelFn:
    axis, batch = plan.moving[0], plan.starts.batch
    before = [plan.sizes[other] for other in plan.offsets if other < axis]
    behind = [plan.sizes[other] for other in plan.offsets if other >= axis]
    gathered = (*before, *batch, *behind)
    in_order = _in_order(_order_of_rows(plan, len(before)))
    select, last = _component(plan), plan.highest[0]

    def evaluate(x: Value, indices: Value) -> Value:
        rows = select(indices)
        if rows.dtype == np.uint64:
            rows = np.minimum(rows, last).astype(np.intp)
        result = x.take(rows, axis, mode="clip").reshape(gathered)
        return result if in_order is None else in_order(result)

    return evaluate


def _order_of_rows(plan: Gathering, before: int) -> Sizes:
    """Returns the order of dimensions that are as [offsets before, batch, offsets behind]."""
    rank = len(plan.starts.batch)

    def place(axis: int) -> int:
        if axis < rank:
            return before + axis
        return axis - rank if axis - rank < before else axis

    return tuple(place(axis) for axis in plan.order)


def _component(plan: Gathering) -> Callable[[Value], Array]:
    """Returns the function that picks the moving component of all index vectors."""
    starts, component = plan.starts, plan.components[0]
    if starts.count == 1:
        return reshaped(starts.batch)
    return lambda indices: starts.vectors_first(indices)[component]


def _has_table(plan: Gathering) -> bool:
    """Returns whether slices are rows of a table: one index of the first dimensions, all of the others."""
    count = len(plan.leading)
    expected = (*[1] * count, *plan.shape[count:])
    return bool(plan.moving) and sorted(plan.leading) == list(range(count)) and plan.sizes == expected


def _table(plan: Gathering, windows: KernelFn) -> KernelFn:
    leading, count = len(plan.leading), math.prod(plan.starts.batch)
    width = math.prod(plan.shape[leading:])
    table = (-1,) if width == 1 else (-1, width)
    strides = row_major_strides(plan.shape[:leading], 1)
    base = batch_rows(plan.starts.batch, plan.batches_at, [strides[axis] for axis in plan.batching])
    steps, lowest = [strides[axis] for axis in plan.moving], min(plan.highest)
    in_order, most = _in_order(plan.order), MOST_COPIED * math.prod(plan.result)

    def evaluate(x: Value, indices: Value) -> Value:
        if not x.flags.c_contiguous and x.size > most:
            return windows(x, indices)
        vectors, rows = plan.starts.vectors_first(indices).reshape(-1, count), x.reshape(table)
        places = [vectors[component] for component in plan.components]
        if count < MANY or indices.min() < 0 or indices.max() > lowest:
            places = [inside(start, highest) for start, highest in zip(places, plan.highest)]
        result = np.empty((count, *rows.shape[1:]), x.dtype)
        for part in chunks(count):
            rows.take(row_numbers(base, places, steps, part), 0, out=result[part], mode="clip")
        result = result.reshape(plan.canonical)
        return result if in_order is None else in_order(result)

    return evaluate


MOST_COPIED = 4
"""Operands up to so many times as large as the result are made contiguous for a gather."""

MANY = 1 << 12
"""Indices from which on it is faster to check first whether any of them needs clamping."""

CHUNK = 1 << 15
"""Indices that are computed at a time: their temporary arrays stay in the processor's cache."""


def chunks(count: int, size: int = CHUNK) -> Iterator[slice]:
    """Yields the numbers below `count`, in pieces."""
    return (slice(start, start + size) for start in range(0, count, size))


def batch_rows(batch: Sizes, dimensions: Sizes, steps: Sequence[int]) -> Array | None:
    """Returns the offsets that positions in batch dimensions add to row numbers; None for no dimensions."""
    columns = [column * step for column, step in zip(batch_indices(batch, dimensions), steps)]
    return np.broadcast_to(sum(columns, np.intp(0)), batch).reshape(-1) if columns else None


def row_numbers(base: Array | None, places: Sequence[Array], steps: Sequence[int], part: slice) -> Array:
    """Returns the numbers of rows: `base` plus the positions along each dimension times its step."""
    terms = [] if base is None else [base[part]]
    for start, step in zip(places, steps):
        term = start[part].astype(np.intp, copy=False)
        terms.append(term if step == 1 else term * step)
    numbers = terms[0]
    for term in terms[1:]:
        numbers = numbers + term
    return numbers


def _windows(plan: Gathering, dtype: np.dtype[Any]) -> KernelFn:
    # The view's first dimensions say where a slice starts, its last are the slice's elements.
    look = window_view(plan.shape, plan.leading, plan.sizes, plan.offsets, dtype)
    batches = batch_indices(plan.starts.batch, plan.batches_at)
    clamp = _clamp(plan)
    in_order = _in_order(plan.order)

    def evaluate(x: Value, indices: Value) -> Value:
        result = look(x)[(*batches, *clamp(indices))]
        return result if in_order is None else in_order(result)

    def evaluate_unmoved(x: Value, indices: Value) -> Value:
        result = np.broadcast_to(look(x)[tuple(batches)], plan.canonical)
        return result if in_order is None else in_order(result)

    return evaluate if plan.moving else evaluate_unmoved


def window_view(
    shape: Sizes, leading: Sizes, sizes: Sizes, offsets: Sizes, dtype: np.dtype[Any]
) -> Callable[[Value], Array]:
    """Returns a function that views an array of that shape as windows of `sizes`. The view's dimensions: the
    positions along `leading` where a window can start, its elements along `offsets`."""
    places = tuple(shape[axis] - sizes[axis] + 1 for axis in leading)
    view_shape = places + tuple(sizes[axis] for axis in offsets)
    compact = row_major_strides(shape, dtype.itemsize)
    axes = leading + offsets
    strides = tuple(compact[axis] for axis in axes)

    def look(x: Value) -> Array:
        if x.strides == compact:
            return np.ndarray(view_shape, dtype, x, 0, strides)
        steps = [x.strides[axis] for axis in axes]
        return np.lib.stride_tricks.as_strided(x, view_shape, steps, writeable=False)

    return look


def batch_indices(batch: Sizes, dimensions: Sizes) -> list[Array]:
    """Returns the positions along each of these dimensions of `batch`, shaped to broadcast over the batch."""
    columns = [
        tuple(-1 if axis == dimension else 1 for axis in range(len(batch))) for dimension in dimensions
    ]
    return [np.arange(batch[dimension]).reshape(column) for dimension, column in zip(dimensions, columns)]


def _clamp(plan: Gathering) -> Callable[[Value], list[Array]]:
    """Returns the function that computes the positions along each of `moving`, clamped."""
    starts, moves = plan.starts, list(zip(plan.components, plan.highest))

    def clamp(indices: Value) -> list[Array]:
        vectors = starts.vectors_first(indices)
        return [inside(vectors[component], highest) for component, highest in moves]

    return clamp


def inside(indices: Array, highest: int) -> Array:
    """Returns indices clamped to [0, highest]."""
    if indices.dtype == np.uint64:
        return np.minimum(indices, np.uint64(highest)).astype(np.intp)
    return np.minimum(np.maximum(indices.astype(np.intp, copy=False), 0), highest)
