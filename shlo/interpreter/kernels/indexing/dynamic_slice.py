"""Kernels of slices at indices that the program computes: dynamic_slice, dynamic_update_slice, gather."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from shlo.dialects.struct_attributes import GatherDimensionNumbers
from shlo.interpreter.kernel_api import KernelFn, OpView, Value
from shlo.interpreter.kernels.indexing.gather import gather_plan
from shlo.interpreter.kernels.shapes import (
    Sizes,
    by_shapes,
    identity,
    integers_of,
    planned_by,
    require,
    without_last,
)
from shlo.interpreter.registry import kernel


@kernel("stablehlo.dynamic_slice")
def dynamic_slice(op: OpView) -> KernelFn:
    """Returns a slice at clamped start indices, as a view; specification: "dynamic_slice"."""
    sizes = op.integers("slice_sizes")
    return by_shapes(op, partial(_slicer, sizes), 1)


def _slicer(sizes: Sizes, shape: Sizes) -> KernelFn:
    """Returns a function that slices. For few dimensions, as in loops over scalars, it has no loop of its
    own. Conditions take a third of the time of `min` and `max`."""
    if sizes == shape:
        return identity
    if len(shape) == 1:
        size, highest = sizes[0], shape[0] - sizes[0]

        def slice_one(x: Value, start: Value) -> Value:
            first = int(start)
            first = 0 if first < 0 else highest if first > highest else first
            return x[first : first + size]

        return slice_one
    if len(shape) == 2:
        (rows, columns), (last_row, last_column) = sizes, (shape[0] - sizes[0], shape[1] - sizes[1])

        def slice_two(x: Value, first: Value, second: Value) -> Value:
            row, column = int(first), int(second)
            row = 0 if row < 0 else last_row if row > last_row else row
            column = 0 if column < 0 else last_column if column > last_column else column
            return x[row : row + rows, column : column + columns]

        return slice_two
    template, moving = _moving(sizes, shape)

    def slice_all(x: Value, *starts: Value) -> Value:
        return x[_placed(template, moving, starts)]

    return slice_all


def _moving(sizes: Sizes, shape: Sizes) -> tuple[list[slice], list[tuple[int, int, int]]]:
    """Returns a window's index at the origin, and its moving axes as (axis, size, highest start)."""
    parts = list(zip(range(len(shape)), sizes, shape))
    moving = [(axis, size, whole - size) for axis, size, whole in parts if whole > size]
    return [slice(0, size) for size in sizes], moving


def _placed(
    template: list[slice], moving: list[tuple[int, int, int]], starts: Sequence[Value]
) -> tuple[slice, ...]:
    index = template.copy()
    for axis, size, highest in moving:
        first = int(starts[axis])
        first = 0 if first < 0 else highest if first > highest else first
        index[axis] = slice(first, first + size)
    return tuple(index)


@kernel("stablehlo.dynamic_update_slice", in_place=lambda op: _dynamic_update_slice(op, overwrites=True))
def dynamic_update_slice(op: OpView) -> KernelFn:
    """Returns the operand with a slice replaced, its start clamped; specification: "dynamic_update_slice"."""
    return _dynamic_update_slice(op, overwrites=False)


def _dynamic_update_slice(op: OpView, overwrites: bool) -> KernelFn:
    def plan(shape: Sizes, sizes: Sizes) -> KernelFn:
        if sizes == shape:
            return _whole_update
        template, moving = _moving(sizes, shape)

        def evaluate(x: Value, update: Value, *starts: Value) -> Value:
            out = x if overwrites else x.copy()
            out[_placed(template, moving, starts)] = update
            return out

        return evaluate

    return by_shapes(op, plan, 2)


def _whole_update(x: Value, update: Value, *starts: Value) -> Value:
    return update


@kernel("stablehlo.gather")
def gather(op: OpView) -> KernelFn:
    """Gathers slices at many start indices, clamped into the operand; specification: "gather"."""
    numbers, sizes = op.require("dimension_numbers", GatherDimensionNumbers), op.integers("slice_sizes")
    dtype = op.result_dtype()
    return by_shapes(op, partial(gather_plan, numbers, sizes, dtype=dtype))


@kernel("stablehlo.dynamic_gather")
def dynamic_gather(op: OpView) -> KernelFn:
    """Computes a gather whose slice sizes are an operand; specification: "dynamic_gather"."""
    numbers, dtype = op.require("dimension_numbers", GatherDimensionNumbers), op.result_dtype()

    def key_of(operand: Value, indices: Value, slice_sizes: Value) -> tuple[Sizes, Sizes, Sizes]:
        return tuple(integers_of(slice_sizes)), operand.shape, indices.shape

    def plan(sizes: Sizes, shape: Sizes, indices_shape: Sizes) -> KernelFn:
        return without_last(gather_plan(numbers, sizes, shape, indices_shape, dtype))

    return planned_by(key_of, plan)


@kernel("stablehlo.torch_index_select")
def torch_index_select(op: OpView) -> KernelFn:
    """Selects rows of a dimension by an index tensor; specification: "torch_index_select"."""
    dim, batch_dims, rank = op.integer("dim"), op.integer("batch_dims"), op.tensor_type(0).rank
    fits = 0 <= batch_dims <= min(dim, op.tensor_type(1).rank) and dim < rank
    require(fits, "expected batch_dims <= dim < {}, got {} and {}", rank, batch_dims, dim)

    def plan(operand: Sizes, index: Sizes) -> KernelFn:
        alike = operand[:batch_dims] == index[:batch_dims]
        require(
            alike, "expected batches of one shape, got {} and {}", operand[:batch_dims], index[:batch_dims]
        )
        numbers = _select_numbers(dim, batch_dims, rank, len(index))
        sizes = tuple(1 if axis == dim or axis < batch_dims else size for axis, size in enumerate(operand))
        return gather_plan(numbers, sizes, operand, index, op.result_dtype())

    return by_shapes(op, plan)


def _select_numbers(dim: int, batch_dims: int, rank: int, index_rank: int) -> GatherDimensionNumbers:
    behind = range(dim + index_rank - batch_dims, rank - 1 + index_rank - batch_dims)
    return GatherDimensionNumbers(
        offset_dims=(*range(batch_dims, dim), *behind),
        collapsed_slice_dims=(dim,),
        operand_batching_dims=tuple(range(batch_dims)),
        start_indices_batching_dims=tuple(range(batch_dims)),
        start_index_map=(dim,),
        index_vector_dim=index_rank,
    )
