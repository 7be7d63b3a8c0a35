"""Slices at places that the program computes: dynamic_slice, dynamic_update_slice, gather."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.dialects.stablehlo.attributes import GatherDimensionNumbers
from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, Value, kernel
from shlo.interpreter.kernels.indexing.gather import gather_plan
from shlo.interpreter.kernels.shapes import (
    MOST_PLANS,
    Sizes,
    by_shapes,
    identity,
    integers_of,
    require,
    require_dimensions,
    require_length,
    require_result,
    require_same_elements,
)


@kernel("stablehlo.dynamic_slice")
def dynamic_slice(op: OpView) -> KernelFn:
    """A slice that starts where the operands say, moved inside, as a view; specification: "dynamic_slice"."""
    require_same_elements(op)
    sizes = op.integers("slice_sizes")
    _require_starts(op, 1)
    require_result(op, sizes)

    def plan(shape: Sizes) -> KernelFn:
        require_length(sizes, len(shape), "slice_sizes")
        _require_window(sizes, shape)
        return identity if sizes == shape else _slicer(sizes, shape)

    return by_shapes(op, plan, 1)


def _slicer(sizes: Sizes, shape: Sizes) -> KernelFn:
    """A function that slices; of few dimensions, which loops over scalars slice, without any loop of its own.
    Conditions take a third of the time of `min` and `max`.
    """
    if len(shape) == 1:
        size, highest = sizes[0], shape[0] - sizes[0]

        def slice_one(x: Value, start: Value) -> Value:
            place = int(start)
            place = 0 if place < 0 else highest if place > highest else place
            return x[place : place + size]

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
    """A window's index at the origin; the axes along which it can move, with its size and highest start."""
    parts = list(zip(range(len(shape)), sizes, shape))
    moving = [(axis, size, whole - size) for axis, size, whole in parts if whole > size]
    return [slice(0, size) for size in sizes], moving


def _placed(
    template: list[slice], moving: list[tuple[int, int, int]], starts: Sequence[Value]
) -> tuple[slice, ...]:
    index = template.copy()
    for axis, size, highest in moving:
        place = int(starts[axis])
        place = 0 if place < 0 else highest if place > highest else place
        index[axis] = slice(place, place + size)
    return tuple(index)


@kernel("stablehlo.dynamic_update_slice", in_place=lambda op: _dynamic_update_slice(op, overwrites=True))
def dynamic_update_slice(op: OpView) -> KernelFn:
    """The operand with a slice replaced, moved inside; specification: "dynamic_update_slice"."""
    return _dynamic_update_slice(op, overwrites=False)


def _dynamic_update_slice(op: OpView, overwrites: bool) -> KernelFn:
    require_same_elements(op)
    require_same_elements(op, 1)
    _require_starts(op, 2)

    def plan(shape: Sizes, sizes: Sizes) -> KernelFn:
        require_result(op, shape)
        require_length(sizes, len(shape), "update")
        _require_window(sizes, shape)
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


def _require_starts(op: OpView, first: int) -> None:
    starts = op.operand_types[first:]
    require(len(starts) == op.tensor_type(0).rank, "needs a start index for each dimension")
    for index in range(first, len(op.operand_types)):
        require(op.tensor_type(index).rank == 0, "needs start indices of rank 0")


def _require_window(sizes: Sizes, shape: Sizes) -> None:
    fits = all(0 <= size <= whole for size, whole in zip(sizes, shape))
    require(fits, "a slice of {} does not fit in {}", sizes, shape)


@kernel("stablehlo.gather")
def gather(op: OpView) -> KernelFn:
    """Slices from many places, moved inside; specification: "gather"."""
    require_same_elements(op)
    numbers, sizes = _gather_numbers(op), op.integers("slice_sizes")

    def plan(operand: Sizes, indices: Sizes) -> KernelFn:
        planned, result = gather_plan(numbers, sizes, operand, indices, op.result_dtype())
        require_result(op, result)
        return planned

    return by_shapes(op, plan)


@kernel("stablehlo.dynamic_gather")
def dynamic_gather(op: OpView) -> KernelFn:
    """A gather whose slice sizes are an operand; specification: "dynamic_gather"."""
    require_same_elements(op)
    numbers, dtype = _gather_numbers(op), op.result_dtype()
    plans: dict[tuple[Sizes, ...], KernelFn] = {}

    def evaluate(operand: Value, indices: Value, slice_sizes: Value) -> Value:
        key = (tuple(integers_of(slice_sizes)), operand.shape, indices.shape)
        if key not in plans:
            if len(plans) >= MOST_PLANS:
                plans.clear()
            plans[key], result = gather_plan(numbers, *key, dtype)
            require_result(op, result)
        return plans[key](operand, indices)

    return evaluate


def _gather_numbers(op: OpView) -> GatherDimensionNumbers:
    numbers = op.require("dimension_numbers")
    if not isinstance(numbers, GatherDimensionNumbers):
        raise KernelError("needs dimension_numbers of a gather")
    return numbers


@kernel("stablehlo.torch_index_select")
def torch_index_select(op: OpView) -> KernelFn:
    """Rows of a dimension in the order of an index tensor; specification: "torch_index_select"."""
    require_same_elements(op)
    dim, batch_dims, rank = op.integer("dim"), op.integer("batch_dims"), op.tensor_type(0).rank
    require_dimensions((dim,), rank, "dim")
    require(
        0 <= batch_dims <= min(dim, op.tensor_type(1).rank),
        "needs batch_dims of at most dim and the index's rank",
    )

    def plan(operand: Sizes, index: Sizes) -> KernelFn:
        numbers = _select_numbers(dim, batch_dims, rank, len(index))
        sizes = tuple(1 if axis == dim or axis < batch_dims else size for axis, size in enumerate(operand))
        planned, result = gather_plan(numbers, sizes, operand, index, op.result_dtype())
        require_result(op, result)
        return planned

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
