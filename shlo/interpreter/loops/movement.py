"""Operations that move elements: from where in the operands each element of a result comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from shlo.dialects.struct_attributes import GatherDimensionNumbers, ScatterDimensionNumbers
from shlo.interpreter.kernel_api import Body, OpView
from shlo.interpreter.kernels.indexing.scatter import scatter_of_rows
from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.kernels.shapes import Sizes, row_major_strides
from shlo.interpreter.loops.elements import Element, element_of
from shlo.interpreter.loops.expressions import ZERO, Expr, Place, Value, affine, index_of
from shlo.interpreter.loops.numbers import INDEX, INT64, UINT64, number_of
from shlo.interpreter.loops.statements import ArrayRegion, LoopBuilder, copy, merged_dimensions
from shlo.interpreter.runtime.tiers import Unsupported

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


def source_region(op: OpView, shape: Sizes, result: Sizes) -> ArrayRegion:
    """Returns where the elements of a result are in the only operand, of a shape."""
    strides, name = strides_of(shape), op.name.removeprefix("stablehlo.")
    if name == "broadcast_in_dim":
        steps = [0] * len(result)
        for size, stride, dimension in zip(shape, strides, op.integers("broadcast_dimensions")):
            steps[dimension] = stride if size != 1 else 0
        return ArrayRegion(ZERO, steps)
    if name == "transpose":
        return ArrayRegion(ZERO, [strides[dimension] for dimension in op.integers("permutation")])
    if name == "slice":
        first = sum(start * stride for start, stride in zip(op.integers("start_indices"), strides))
        return ArrayRegion(
            index_of(first), [step * stride for step, stride in zip(op.integers("strides"), strides)]
        )
    assert name == "reverse"
    reversed_ = op.integers("dimensions")
    first = sum((shape[dimension] - 1) * strides[dimension] for dimension in reversed_)
    steps = [-stride if dimension in reversed_ else stride for dimension, stride in enumerate(strides)]
    return ArrayRegion(index_of(first), steps)


def _view(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    (source,) = operands
    origin = source_region(op, source.shape, target.shape)
    copy(b, target.shape, target, whole(target.shape), source, origin)


def _concatenate(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    dimension, strides, start = op.integer("dimension"), strides_of(target.shape), 0
    for source in operands:
        region = ArrayRegion(index_of(start * strides[dimension]), strides)
        copy(b, source.shape, target, region, source, whole(source.shape))
        start += source.shape[dimension]


def _pad(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    source, padding = operands
    low, high = op.integers("edge_padding_low"), op.integers("edge_padding_high")
    if min((*low, *high), default=0) < 0:
        raise Unsupported("negative padding")
    strides = strides_of(target.shape)
    copy(b, target.shape, target, whole(target.shape), padding, ArrayRegion(ZERO, [0] * len(strides)))
    offset = sum(before * stride for before, stride in zip(low, strides))
    steps = [(between + 1) * stride for between, stride in zip(op.integers("interior_padding"), strides)]
    copy(b, source.shape, target, ArrayRegion(index_of(offset), steps), source, whole(source.shape))


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
    b: LoopBuilder,
    op: OpView,
    operands: Sequence[Value],
    target: Place,
    loop_over_batch: Callable[[Sequence[int], Callable[[list[Expr]], None]], None],
) -> None:
    """Writes a scatter into its operand's elements, which the target has; `each` writes the loops over the
    batch of the start indices.

    Windows are rows, each of which may occur several times, or there is one window in each part of the
    operand that batching dimensions make: with several, the order of what is combined would count. NumPy
    combines element by element where rows repeat. This takes a row's elements together; as each of them has
    its updates in the same order, the bits are the same.
    """
    numbers = op.require("scatter_dimension_numbers", ScatterDimensionNumbers)
    if len(operands) != 3 or 0 in operands[2].shape:
        raise Unsupported("scatter")
    _, starts, updates = operands
    batch_axes, at_batch, step = _starts_layout(starts.shape, numbers.index_vector_dim)
    batching = dict(zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims))
    has_one_window = all(starts.shape[axis] == 1 for axis in batch_axes if axis not in batching.values())
    if not (has_one_window and op.semantics == "spec") and scatter_of_rows(op) is None:
        raise Unsupported("several windows")
    if starts.number.kind is Kind.UNSIGNED and starts.number.bits == 64:
        raise Unsupported("starts whose sums wrap")
    combine = combiner(op.bodies[0], op)
    shape, strides, steps_of_updates = target.shape, strides_of(target.shape), strides_of(updates.shape)
    windows = [axis for axis in range(len(shape)) if axis not in (*numbers.inserted_window_dims, *batching)]
    window_dims = numbers.update_window_dims
    batch_dims = [dimension for dimension in range(len(updates.shape)) if dimension not in window_dims]
    mapped = numbers.scatter_dims_to_operand_dims
    moving = [
        axis for axis in windows if axis in mapped and updates.shape[window_dims[windows.index(axis)]] > 1
    ]

    def update(batch: list[Expr]) -> None:
        first = affine(ZERO, batch, at_batch)
        start_indices = [wide_index(starts, first + number * step) for number in range(len(mapped))]
        at = dict(zip(mapped, map(b.let, start_indices)))
        row = affine(ZERO, batch, [steps_of_updates[dimension] for dimension in batch_dims])
        position = affine(
            ZERO,
            [batch[batch_axes.index(paired)] for paired in batching.values()],
            [strides[axis] for axis in batching],
        )
        still = {axis: start.convert(INDEX) for axis, start in at.items() if axis not in moving}
        position = affine(position, [*still.values()], [strides[axis] for axis in still])

        def window() -> None:
            to = [0 if axis in moving else strides[axis] for axis in windows]
            sizes = [updates.shape[dimension] for dimension in window_dims]
            steps = [steps_of_updates[dimension] for dimension in window_dims]
            if not moving:
                sizes, to, steps = merged_dimensions(sizes, to, steps)
            b.each(sizes, lambda indices: element(indices, to, steps))

        def element(indices: list[Expr], to: Sequence[int], steps: Sequence[int]) -> None:
            shifted = {axis: at[axis] + indices[windows.index(axis)].convert(INT64) for axis in moving}
            target_index = affine(
                affine(position, indices, to),
                [coordinate.convert(INDEX) for coordinate in shifted.values()],
                [strides[axis] for axis in shifted],
            )

            def put() -> None:
                value = updates.at(affine(row, indices, steps))
                b.store(
                    target,
                    target_index,
                    value if combine is None else combine(target.at(target_index), value),
                )

            b.when(_inside(shifted, shape), put)

        b.when(_inside({axis: at[axis] for axis in still}, shape), window)

    loop_over_batch([updates.shape[dimension] for dimension in batch_dims], update)


def _inside(coordinates: dict[int, Expr], shape: Sizes) -> Expr | None:
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
    number = number_of(signature.operand_types[0])
    element = element_of(OpView(signature), number, number_of(signature.result_types[0]))
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
