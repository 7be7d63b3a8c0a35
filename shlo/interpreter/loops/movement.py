"""Operations that move elements: from where in the operands each element of a result comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from shlo.dialects.struct_attributes import GatherDimensionNumbers, ScatterDimensionNumbers
from shlo.interpreter.kernel_api import Body, OpView
from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.kernels.shapes import Sizes, row_major_strides
from shlo.interpreter.loops.elements import Element, element_of
from shlo.interpreter.loops.expressions import ZERO, Expr, Place, Value, affine, index_of
from shlo.interpreter.loops.numbers import INDEX, INT64, UINT64, number_of
from shlo.interpreter.loops.statements import ArrayRegion, LoopBuilder, copy, merged_dimensions
from shlo.interpreter.registry import find_kernel, kernel_for
from shlo.interpreter.runtime.tiers import Unsupported
from shlo.ir.dtypes import Array

LoopOverShape = Callable[[Sequence[int], Callable[[list[Expr]], None]], None]
Write = Callable[[LoopBuilder, OpView, Sequence[Value], Place], None]
"""Writes the elements of an operation's result."""


def strides_of(shape: Sizes) -> Sizes:
    """Returns the steps between elements of an array that lies row by row."""
    return tuple(row_major_strides(shape, 1))


def whole(shape: Sizes) -> ArrayRegion:
    """Returns the region of a whole array."""
    return ArrayRegion(ZERO, strides_of(shape))


def copy_all(b: LoopBuilder, target: Place, source: Value) -> None:
    """Writes the copying of a whole array, or of a number."""
    copy(b, target.shape, target, whole(target.shape), source, whole(target.shape))


def _region_of(view: Array, base: Array) -> ArrayRegion:
    """Returns where the elements of a view are in the array that it is of, which lies row by row."""
    first, start = (array.__array_interface__["data"][0] for array in (view, base))
    size = base.itemsize
    return ArrayRegion(index_of((first - start) // size), [stride // size for stride in view.strides])


def _memory_like(value: Value) -> Array:
    """Returns an array as a value lies in memory, whose elements are never read."""
    return np.empty(value.shape, value.number.dtype)


def _view(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    """Writes the copying of what the kernel gives as a view."""
    (source,), entry = operands, find_kernel(op.name)
    assert entry is not None
    base = _memory_like(source)
    copy(b, target.shape, target, whole(target.shape), source, _region_of(entry.kernel(op)(base), base))


def _concatenate(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    dimension, strides, start = op.integer("dimension"), strides_of(target.shape), 0
    for source in operands:
        region = ArrayRegion(index_of(start * strides[dimension]), strides)
        copy(b, source.shape, target, region, source, whole(source.shape))
        start += source.shape[dimension]


def _pad(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    from shlo.interpreter.kernels.movement.views import PADDING, pad_parts

    source, padding = operands
    _, kept, places = pad_parts(source.shape, *map(op.integers, PADDING))
    copy(b, target.shape, target, whole(target.shape), padding, ArrayRegion(ZERO, [0] * len(target.shape)))
    arrays = _memory_like(source), _memory_like(target)
    views = arrays[0][kept], arrays[1][places]
    origin, to = map(_region_of, views, arrays)
    copy(b, views[0].shape, target, to, source, origin)


def clamped(start: Value, index: Expr, most: int) -> Expr:
    """Returns a start index from 0 to `most`."""
    if most == 0:
        return ZERO
    if start.number.kind is Kind.UNSIGNED:
        return wide_index(start, index).convert(UINT64).minimum(most).convert(INDEX)
    return wide_index(start, index).minimum(most).maximum(0).convert(INDEX)


def wide_index(start: Value, index: Expr) -> Expr:
    """Returns an index as an integer of 64 bits."""
    if start.number.kind not in (Kind.SIGNED, Kind.UNSIGNED):
        raise Unsupported("indices")
    return start.at(index).convert(INT64)


def _window(shape: Sizes, sizes: Sizes, starts: Sequence[Value]) -> ArrayRegion:
    """Returns where a window is at start indices that are clamped into an array."""
    strides = strides_of(shape)
    indices = [clamped(start, ZERO, most - size) for start, most, size in zip(starts, shape, sizes)]
    return ArrayRegion(affine(ZERO, indices, strides), strides)


def _dynamic_slice(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    source, *starts = operands
    window = _window(source.shape, target.shape, starts)
    copy(b, target.shape, target, whole(target.shape), source, _computed(b, window))


def _dynamic_update_slice(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    source, update, *starts = operands
    window = _computed(b, _window(target.shape, update.shape, starts))
    if source != target:
        copy_all(b, target, source)
    copy(b, update.shape, target, window, update, whole(update.shape))


def _computed(b: LoopBuilder, region: ArrayRegion) -> ArrayRegion:
    return ArrayRegion(b.let(region.offset), region.strides)


def _gather(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    source, starts = operands
    numbers, sizes = op.require("dimension_numbers", GatherDimensionNumbers), op.integers("slice_sizes")
    dropped = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    windows = [axis for axis in range(len(source.shape)) if axis not in dropped]
    strides = strides_of(source.shape)
    batch_axes, at_batch, step = _starts_layout(starts.shape, numbers.index_vector_dim)

    def element(indices: list[Expr]) -> None:
        batch = [index for axis, index in enumerate(indices) if axis not in numbers.offset_dims]
        first = affine(ZERO, batch, at_batch)
        window = [indices[axis] for axis in numbers.offset_dims]
        position = affine(ZERO, window, [strides[axis] for axis in windows])
        for number, axis in enumerate(numbers.start_index_map):
            start = clamped(starts, first + number * step, source.shape[axis] - sizes[axis])
            position = position + start * strides[axis]
        for axis, paired in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims):
            position = position + batch[batch_axes.index(paired)] * strides[axis]
        b.store(target, affine(ZERO, indices, strides_of(target.shape)), source.at(position))

    b.each(target.shape, element)


def _starts_layout(shape: Sizes, vector: int) -> tuple[list[int], list[int], int]:
    """Returns the batch dimensions of start indices, their strides, and that of the components of an index
    vector.
    """
    strides = strides_of(shape)
    batch_axes = [axis for axis in range(len(shape)) if axis != vector]
    return batch_axes, [strides[axis] for axis in batch_axes], strides[vector] if vector < len(shape) else 0


def _scatter(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    if len(operands) == 3 and operands[0] != target:
        copy_all(b, target, operands[0])
    write_scatter(b, op, operands, target, b.each)


def write_scatter(
    b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place, loop_over_batch: LoopOverShape
) -> None:
    """Writes a scatter into its operand's elements, which the target has; `loop_over_batch` writes the loops
    over the batch of the start indices.

    Windows are rows, each of which may occur several times, or there is one window in each part of the
    operand that batching dimensions make: with several, the order of what is combined would count. NumPy
    combines element by element where rows repeat. This takes a row's elements together; as each of them has
    its updates in the same order, the bits are the same.
    """
    if len(operands) != 3 or 0 in operands[2].shape:
        raise Unsupported("scatter")
    scatter = _Scatter(b, op, operands, target)
    loop_over_batch([scatter.updates.shape[axis] for axis in scatter.batch_dims], scatter.write_window)


class _Scatter:
    """The parts of a scatter into a target. Raises Unsupported for windows whose order counts."""

    def __init__(self, b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
        numbers = op.require("scatter_dimension_numbers", ScatterDimensionNumbers)
        self._b, self._target = b, target
        _, self._starts, self.updates = operands
        self._batch_axes, self._at_batch, self._step = _starts_layout(
            self._starts.shape, numbers.index_vector_dim
        )
        self._batching = dict(zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims))
        self._check(op)
        self._combine = combiner(op.bodies[0], op)
        self._strides, self._update_strides = strides_of(target.shape), strides_of(self.updates.shape)
        self._window_dims, self._mapped = numbers.update_window_dims, numbers.scatter_dims_to_operand_dims
        self.batch_dims = [axis for axis in range(len(self.updates.shape)) if axis not in self._window_dims]
        outside = (*numbers.inserted_window_dims, *self._batching)
        self._windows = [axis for axis in range(len(target.shape)) if axis not in outside]
        self._sizes = [self.updates.shape[dimension] for dimension in self._window_dims]
        self._moving = [
            axis for axis, size in zip(self._windows, self._sizes) if axis in self._mapped and size > 1
        ]
        """The axes along which a window has several elements, and begins at a start index."""

    def _check(self, op: OpView) -> None:
        from shlo.interpreter.kernels.indexing.scatter import scatter_of_rows

        starts, batched = self._starts, self._batching.values()
        has_one_window = all(starts.shape[axis] == 1 for axis in self._batch_axes if axis not in batched)
        if not (has_one_window and op.semantics == "spec") and scatter_of_rows(op) is None:
            raise Unsupported("several windows")
        if starts.number.kind is Kind.UNSIGNED and starts.number.bits == 64:
            raise Unsupported("starts whose sums wrap")

    def write_window(self, batch: list[Expr]) -> None:
        """Writes the updates of the window of an index of the batch, where it is inside of the target."""
        first = affine(ZERO, batch, self._at_batch)
        components = range(len(self._mapped))
        indices = [wide_index(self._starts, first + number * self._step) for number in components]
        at = dict(zip(self._mapped, map(self._b.let, indices)))
        still = {axis: start for axis, start in at.items() if axis not in self._moving}
        row = affine(ZERO, batch, [self._update_strides[dimension] for dimension in self.batch_dims])
        fixed = {axis: batch[self._batch_axes.index(paired)] for axis, paired in self._batching.items()}
        fixed |= {axis: start.convert(INDEX) for axis, start in still.items()}
        position = affine(ZERO, [*fixed.values()], [self._strides[axis] for axis in fixed])
        moving = {axis: at[axis] for axis in self._moving}
        self._b.when(_inside(still, self._target.shape), lambda: self._write_elements(row, position, moving))

    def _write_elements(self, row: Expr, position: Expr, moving: Mapping[int, Expr]) -> None:
        """Writes the updates of a window that begins at a position but for the axes that move."""
        sizes, to = self._sizes, [0 if axis in moving else self._strides[axis] for axis in self._windows]
        steps = [self._update_strides[dimension] for dimension in self._window_dims]
        if not moving:
            sizes, to, steps = merged_dimensions(sizes, to, steps)

        def element(indices: list[Expr]) -> None:
            shifted = {
                axis: start + indices[self._windows.index(axis)].convert(INT64)
                for axis, start in moving.items()
            }
            coordinates = [coordinate.convert(INDEX) for coordinate in shifted.values()]
            base = affine(position, indices, to)
            index = affine(base, coordinates, [self._strides[axis] for axis in shifted])
            update = affine(row, indices, steps)
            self._b.when(_inside(shifted, self._target.shape), lambda: self._put(index, update))

        self._b.each(sizes, element)

    def _put(self, index: Expr, update: Expr) -> None:
        value = self.updates.at(update)
        if self._combine is not None:
            value = self._combine(self._target.at(index), value)
        self._b.store(self._target, index, value)


def _inside(coordinates: Mapping[int, Expr], shape: Sizes) -> Expr | None:
    """Returns whether coordinates are within a shape; None where there are none."""
    inside: Expr | None = None
    for axis, coordinate in coordinates.items():
        fits = coordinate.convert(UINT64) < shape[axis]
        inside = fits if inside is None else inside & fits
    return inside


def combiner(body: Body, op: OpView) -> Element | None:
    """Returns what combines an element and an update, None where the update takes its place; raises
    Unsupported for any other region.
    """
    if body.returned_arguments == (1,):
        return None
    signature = body.single_operation
    if signature is None or len(signature.operand_types) != 2:
        raise Unsupported("a region")
    number, op_view = number_of(signature.operand_types[0]), OpView(signature)
    entry = kernel_for(op_view)
    evaluate = entry and entry.kernel(op_view)
    element = element_of(op_view, evaluate, number, number_of(signature.result_types[0]))
    if element is None or number != number_of(op.result_types[0]):
        raise Unsupported("a region")
    return element


MOVEMENT: Final[dict[str, Write]] = {
    "broadcast_in_dim": _view,
    "concatenate": _concatenate,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "gather": _gather,
    "pad": _pad,
    "reverse": _view,
    "scatter": _scatter,
    "slice": _view,
    "transpose": _view,
}
IN_PLACE: Final = ("dynamic_update_slice", "scatter")
"""Operations that may write into the memory of their first operand."""
