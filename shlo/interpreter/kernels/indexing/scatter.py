"""Scatter: updates combined into a tensor at indices that the program computes.

An operand is seen as a table whose rows are what one index names. Updates that repeat an index are applied in
their order; those out of bounds are dropped, element by element, as the specification says, or as whole
windows, as XLA does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.struct_attributes import ScatterDimensionNumbers
from shlo.interpreter.kernel_api import KernelFn, OpView, Value
from shlo.interpreter.kernels.indexing.gather import (
    CHUNK,
    Starts,
    batch_rows,
    batches_at,
    chunks,
    row_numbers,
)
from shlo.interpreter.kernels.reduction.combiner import (
    accumulator_of,
)
from shlo.interpreter.kernels.reduction.indexed_update import LONG_ROW, Apply, apply_of
from shlo.interpreter.kernels.shapes import (
    Sizes,
    by_shapes,
    row_major_strides,
)
from shlo.interpreter.registry import kernel
from shlo.interpreter.semantics import WHOLE_SCATTER_WINDOWS
from shlo.ir.dtypes import Array


class Scattering(Struct, frozen=True):
    """Scatter of known shapes.

    `sizes` are a window's along each of the operand's dimensions, `windows` the dimensions that updates have,
    `batching` those paired with dimensions of the start indices, `mapped` those that index vectors name.
    `order` brings an update's dimensions into [batch of the start indices, windows]. A window that is not all
    inside of the operand is dropped whole if `drops_windows`.
    """

    shape: Sizes
    sizes: Sizes
    starts: Starts
    batching: Sizes
    batches_at: Sizes
    mapped: Sizes
    windows: Sizes
    order: Sizes
    drops_windows: bool = False

    @property
    def window_shape(self) -> Sizes:
        """The shape of a window in the updates."""
        return tuple(self.sizes[axis] for axis in self.windows)

    @property
    def leading(self) -> Sizes:
        """The dimensions along which a window's position varies."""
        return tuple(sorted((*self.batching, *self.mapped)))


@kernel("stablehlo.scatter", in_place=lambda op: _scatter(op, overwrites=True))
def scatter(op: OpView) -> KernelFn:
    """Combines updates into the inputs at scatter indices; specification: "scatter". Cost: that of the
    updates, and of a copy of the inputs unless they are reused."""
    return _scatter(op, overwrites=False)


def scatter_of_rows(op: OpView) -> Scattering | None:
    """Returns a scatter of one tensor of known shape whose windows are rows, each of which may occur several
    times; None for any other."""
    if len(op.operand_types) != 3 or op.flag("unique_indices"):
        return None
    shapes = [op.tensor_type(index) for index in range(3)]
    if not all(shape.is_static for shape in shapes):
        return None
    numbers = op.require("scatter_dimension_numbers", ScatterDimensionNumbers)
    plan = _scattering(numbers, *[shape.static_shape for shape in shapes])
    return plan if _has_rows(plan) and math.prod(plan.starts.batch) > 1 else None


def _scatter(op: OpView, overwrites: bool) -> KernelFn:
    count = (len(op.operand_types) - 1) // 2
    body = accumulator_of(op, count)
    numbers = op.require("scatter_dimension_numbers", ScatterDimensionNumbers)
    unique = op.flag("unique_indices")
    apply, dtypes = apply_of(body), [op.result_dtype(index) for index in range(count)]

    def plan(*shapes: Sizes) -> KernelFn:
        scattering = _scattering(numbers, shapes[0], shapes[count], shapes[-1])
        scattering = replace(scattering, drops_windows=op.departs(WHOLE_SCATTER_WINDOWS))
        placed = _placing(scattering, apply, unique)

        def evaluate(*operands: Value) -> Value:
            updated = (
                1 if overwrites and operands[0].flags.c_contiguous and operands[0].dtype == dtypes[0] else 0
            )
            outputs = [
                *operands[:updated],
                *[np.array(x, dtype, order="C") for x, dtype in zip(operands[updated:], dtypes[updated:])],
            ]
            updates = [x.astype(dtype, copy=False) for x, dtype in zip(operands[count + 1 :], dtypes)]
            placed(outputs, operands[count], updates)
            return outputs[0] if count == 1 else tuple(outputs)

        return evaluate

    return by_shapes(op, plan)


def _scattering(numbers: ScatterDimensionNumbers, shape: Sizes, indices: Sizes, updates: Sizes) -> Scattering:
    rank = len(shape)
    starts = Starts(indices, numbers.index_vector_dim)
    mapped, batching = numbers.scatter_dims_to_operand_dims, numbers.input_batching_dims
    windows = tuple(axis for axis in range(rank) if axis not in numbers.inserted_window_dims + batching)
    window_dims = numbers.update_window_dims
    order = (*[axis for axis in range(len(updates)) if axis not in window_dims], *window_dims)
    sizes = [1] * rank
    for axis, size in zip(windows, window_dims):
        sizes[axis] = updates[size]
    places = batches_at(starts, numbers.scatter_indices_batching_dims)
    return Scattering(shape, tuple(sizes), starts, batching, places, mapped, windows, order)


Place = Callable[[list[Array], Value, list[Array]], None]
"""Combines updates into C-contiguous outputs at the places that start indices name."""


def _placing(plan: Scattering, apply: Apply, unique: bool) -> Place:
    count, size = math.prod(plan.starts.batch), math.prod(plan.window_shape)
    if count == 0 or size == 0:
        return lambda outputs, indices, updates: None
    if _has_rows(plan) and count > 1:
        return _rows(plan, apply, unique)
    if count == 1 or size >= LONG_ROW:
        one_by_one = _window_by_window(plan, apply)
        return _one_window(plan, apply, one_by_one) if count == 1 and not plan.batching else one_by_one
    return _elements(plan, apply, unique)


def _has_rows(plan: Scattering) -> bool:
    """Returns whether windows are rows: one index of the operand's first dimensions, all of the others."""
    leading = plan.leading
    expected = (*[1] * len(leading), *plan.shape[len(leading) :])
    return leading == tuple(range(len(leading))) and plan.sizes == expected


def _one_window(plan: Scattering, apply: Apply, otherwise: Place) -> Place:
    """Returns the function for a single window; `otherwise` places one that is not all inside."""
    template = [slice(0, size) for size in plan.sizes]
    moves = [(axis, plan.sizes[axis], plan.shape[axis] - plan.sizes[axis]) for axis in plan.mapped]

    def place(outputs: list[Array], indices: Value, updates: list[Array]) -> None:
        index: list[Any] = [..., *template]
        for start, (axis, size, highest) in zip(indices.reshape(-1).tolist(), moves):
            if not 0 <= start <= highest:
                otherwise(outputs, indices, updates)
                return
            index[axis + 1] = slice(start, start + size)
        target = tuple(index)
        apply(
            [output[target] for output in outputs],
            ...,
            [update.reshape(plan.sizes) for update in updates],
            True,
        )

    return place


def _window_by_window(plan: Scattering, apply: Apply) -> Place:
    batch = plan.starts.batch
    whole = (*batch, *plan.sizes)

    def place(outputs: list[Array], indices: Value, updates: list[Array]) -> None:
        vectors = plan.starts.vectors_first(indices)
        ordered = [update.transpose(plan.order).reshape(whole) for update in updates]
        for at in np.ndindex(batch):
            index = _clipped(plan, at, vectors[(slice(None), *at)].tolist())
            if index is not None:
                target, source = index
                views = [output[(..., *target)] for output in outputs]
                apply(views, ..., [update[(*at, ..., *source)] for update in ordered], True)

    return place


def _clipped(plan: Scattering, at: Sizes, vector: Sequence[int]) -> tuple[list[slice], list[slice]] | None:
    """Returns where a window lies in the operand, and which part of it that is; None if it is outside."""
    target = [slice(0, size) for size in plan.sizes]
    source = target.copy()
    for axis, dimension in zip(plan.batching, plan.batches_at):
        target[axis] = slice(at[dimension], at[dimension] + 1)
    for axis, start in zip(plan.mapped, vector):
        low, high = max(start, 0), min(start + plan.sizes[axis], plan.shape[axis])
        if low >= high or (plan.drops_windows and high - low < plan.sizes[axis]):
            return None
        target[axis], source[axis] = slice(low, high), slice(low - start, high - start)
    return target, source


def _rows(plan: Scattering, apply: Apply, unique: bool) -> Place:
    count, width = math.prod(plan.starts.batch), math.prod(plan.window_shape)
    rows = (-1,) if width == 1 else (-1, width)
    locate = _locator(plan, row_major_strides([plan.shape[axis] for axis in plan.leading], 1))

    def place(outputs: list[Array], indices: Value, updates: list[Array]) -> None:
        numbers_of, inside = locate(indices)
        tables = [output.reshape(rows) for output in outputs]
        ordered = [update.transpose(plan.order).reshape(rows) for update in updates]
        for part in chunks(count):
            numbers, news = numbers_of(part), [update[part] for update in ordered]
            if inside is not None:
                kept = np.flatnonzero(inside[part])
                numbers, news = numbers[kept], [update[kept] for update in news]
            apply(tables, numbers, news, unique)

    return place


def _elements(plan: Scattering, apply: Apply, unique: bool) -> Place:
    count, size = math.prod(plan.starts.batch), math.prod(plan.window_shape)
    strides = row_major_strides(plan.shape, 1)
    locate = _locator(plan, [strides[axis] for axis in plan.leading])
    offsets = [np.arange(plan.sizes[axis]) * strides[axis] for axis in plan.windows]
    within = np.ravel(sum(np.ix_(*offsets), np.zeros((), np.intp)))

    def place(outputs: list[Array], indices: Value, updates: list[Array]) -> None:
        numbers_of, inside = locate(indices)
        tables = [output.reshape(-1) for output in outputs]
        ordered = [update.transpose(plan.order).reshape(count, size) for update in updates]
        if inside is not None and plan.drops_windows:
            inside = np.repeat(inside, size).reshape(count, size)
        elif inside is not None:
            inside = _inside_one_by_one(plan, indices).reshape(count, size)
        for part in chunks(count, max(CHUNK // size, 1)):
            numbers = np.add.outer(numbers_of(part), within).reshape(-1)
            news = [update[part].reshape(-1) for update in ordered]
            if inside is not None:
                rows = np.flatnonzero(inside[part])
                numbers, news = numbers[rows], [update[rows] for update in news]
            apply(tables, numbers, news, unique)

    return place


Numbers = Callable[[slice], Array]


def _locator(plan: Scattering, strides: Sequence[int]) -> Callable[[Value], tuple[Numbers, Array | None]]:
    """Returns the function from start indices to their windows' first row numbers, and which windows are
    inside. `strides` are the rows of a step along each of `leading`. None means that all windows are
    inside."""
    steps = dict(zip(plan.leading, strides))
    starts, count = plan.starts, math.prod(plan.starts.batch)
    base = batch_rows(starts.batch, plan.batches_at, [steps[axis] for axis in plan.batching])
    if base is None and not plan.mapped:
        base = np.zeros(count, np.intp)
    moves, highest = (
        [steps[axis] for axis in plan.mapped],
        [plan.shape[axis] - plan.sizes[axis] for axis in plan.mapped],
    )

    def locate(indices: Value) -> tuple[Numbers, Array | None]:
        vectors, inside = starts.vectors_first(indices).reshape(starts.count, count), None
        if highest and (indices.min() < 0 or indices.max() > min(highest)):
            limits = zip(vectors, highest)
            inside = np.logical_and.reduce([(start >= 0) & (start <= limit) for start, limit in limits])
        return lambda part: row_numbers(base, list(vectors), moves, part), inside

    return locate


def _inside_one_by_one(plan: Scattering, indices: Value) -> Array:
    """Returns which elements of the updates lie inside."""
    rank = len(plan.windows)
    vectors = plan.starts.vectors_first(indices).astype(np.intp)
    inside = np.ones((*plan.starts.batch, *plan.window_shape), np.bool_)
    for axis, vector in zip(plan.mapped, vectors):
        start = vector.reshape((*vector.shape, *[1] * rank))
        if axis in plan.windows:
            behind = rank - 1 - plan.windows.index(axis)
            start = start + np.arange(plan.sizes[axis]).reshape((-1,) + (1,) * behind)
        inside &= (start >= 0) & (start < plan.shape[axis])
    return inside
