"""Operations that move elements without computing: views wherever NumPy can make one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, OpView, Value
from shlo.interpreter.kernels.shapes import (
    Sizes,
    by_shapes,
    constant_function,
    identity,
    indexed,
    known_sizes,
    reshaped,
    row_major,
    row_major_strides,
    transposed,
)
from shlo.interpreter.registry import kernel


@kernel("stablehlo.broadcast_in_dim")
def broadcast_in_dim(op: OpView) -> KernelFn:
    """Repeats the operand along new dimensions, as a view of stride 0; specification: "broadcast_in_dim"."""
    dimensions, target = op.integers("broadcast_dimensions"), known_sizes(op)
    return by_shapes(
        op, partial(broadcast_plan, dimensions=dimensions, target=target, dtype=op.result_dtype())
    )


@kernel("stablehlo.broadcast")
def broadcast(op: OpView) -> KernelFn:
    """Repeats the operand along new leading dimensions; specification: "broadcast"."""
    sizes = op.integers("broadcast_sizes")

    def plan(shape: Sizes) -> KernelFn:
        target = sizes + shape
        return broadcast_plan(shape, range(len(sizes), len(target)), target, op.result_dtype())

    return by_shapes(op, plan)


def broadcast_plan(shape: Sizes, dimensions: Sequence[int], target: Sizes, dtype: np.dtype[Any]) -> KernelFn:
    """Returns a function that broadcasts arrays of one shape, dimension i as the target's `dimensions[i]`."""
    if shape == target and list(dimensions) == list(range(len(shape))):
        return identity
    order = sorted(range(len(shape)), key=lambda axis: dimensions[axis])
    column, result_strides = [1] * len(target), [0] * len(target)
    operand_strides = row_major_strides(shape, dtype.itemsize)
    for size, stride, dimension in zip(shape, operand_strides, dimensions):
        column[dimension] = size
        result_strides[dimension] = stride if size != 1 else 0
    strides = tuple(result_strides)

    def evaluate(x: Value) -> Value:
        if x.strides == operand_strides:  # np.ndarray is many times quicker than np.broadcast_to
            return np.ndarray(target, dtype, x, 0, strides)
        return np.broadcast_to(x.transpose(order).reshape(column), target)

    return evaluate


@kernel("stablehlo.transpose")
def transpose(op: OpView) -> KernelFn:
    """Permutes the dimensions, as a view; specification: "transpose"."""
    permutation = op.integers("permutation")
    return identity if permutation == tuple(range(len(permutation))) else transposed(permutation)


@kernel("stablehlo.reshape")
def reshape(op: OpView) -> KernelFn:
    """Returns the same elements, row by row, in another shape; specification: "reshape"."""
    target = known_sizes(op)
    return by_shapes(op, partial(reshape_plan, target=target))


def reshape_plan(shape: Sizes, target: Sizes) -> KernelFn:
    """Returns a function that reshapes arrays of one shape."""

    def evaluate(x: Value) -> Value:
        return x.reshape(target) if x.flags.c_contiguous else row_major(x).reshape(target)

    if shape == target:
        return identity
    return reshaped(target) if math.prod(shape) == 1 else evaluate


@kernel("stablehlo.reverse")
def reverse(op: OpView) -> KernelFn:
    """Reverses dimensions, as a view; specification: "reverse"."""
    dimensions, rank = op.integers("dimensions"), op.tensor_type(0).rank
    index = tuple(slice(None, None, -1) if axis in dimensions else slice(None) for axis in range(rank))
    return indexed(index) if dimensions else identity


@kernel("stablehlo.slice")
def slice_(op: OpView) -> KernelFn:
    """Returns every stride-th element from start to limit, as a view; specification: "slice"."""
    starts, limits, strides = (op.integers(name) for name in ("start_indices", "limit_indices", "strides"))

    return by_shapes(op, partial(slice_plan, starts=starts, limits=limits, strides=strides))


def slice_plan(
    shape: Sizes, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int]
) -> KernelFn:
    """Returns a function that slices arrays of one shape, as a view."""
    index = tuple(map(slice, starts, limits, strides))
    is_whole = all(len(range(size)[part]) == size for part, size in zip(index, shape))
    return identity if is_whole else indexed(index)


@kernel("stablehlo.concatenate")
def concatenate(op: OpView) -> KernelFn:
    """Joins the operands along a dimension; specification: "concatenate"."""
    dimension = op.integer("dimension")

    def evaluate(*arrays: Value) -> Value:
        return np.concatenate(arrays, dimension)

    return identity if len(op.operand_types) == 1 else evaluate


@kernel("stablehlo.pad")
def pad(op: OpView) -> KernelFn:
    """Pads around and between elements, or cuts edges off; specification: "pad"."""

    def plan(shape: Sizes) -> KernelFn:
        return pad_function(shape, pad_parts(shape, *map(op.integers, PADDING)))

    return by_shapes(op, plan, 1)


PADDING: Final = ("edge_padding_low", "edge_padding_high", "interior_padding")
"""The attributes with the amounts of a pad."""
PadParts = tuple[Sizes, tuple[slice, ...], tuple[slice, ...]]
"""The shape of the result of a pad, which elements are kept, and where they go."""


def pad_parts(shape: Sizes, *amounts: Sequence[int]) -> PadParts:
    """Returns the parts of a pad of an array of a shape by amounts: low, high and interior ones. Negative
    edges cut elements off (padding between elements included); specification: "pad"."""
    parts = [_padded_dimension(*sizes) for sizes in zip(shape, *amounts)]
    kept, places = tuple(part[1] for part in parts), tuple(part[2] for part in parts)
    return tuple(part[0] for part in parts), kept, places


def pad_function(shape: Sizes, parts: PadParts) -> KernelFn:
    """Returns a function of an array of a shape and a padding value."""
    result, source, target = parts
    if all(len(range(size)[part]) == size for size, part in zip(result, target)):
        return identity if result == shape else indexed(source)

    def evaluate(x: Value, value: Value) -> Value:
        out: Any = np.empty(result, x.dtype)
        out.fill(value)
        out[target] = x[source]
        return out

    return evaluate


def _padded_dimension(size: int, low: int, high: int, interior: int) -> tuple[int, slice, slice]:
    """Returns the resulting size, which elements are kept, and where they go."""
    step = interior + 1
    result = low + high + size + max(size - 1, 0) * interior
    first = max(0, -(low // step)) if low < 0 else 0
    end = min(size, (result - 1 - low) // step + 1) if result > 0 else first
    count = max(end - first, 0)
    start = low + first * step
    return (
        result,
        slice(first, first + count),
        slice(start, start + max((count - 1) * step + 1, 0) if count else start, step),
    )


@kernel("stablehlo.get_dimension_size")
def get_dimension_size(op: OpView) -> KernelFn:
    """Returns the size of a dimension; specification: "get_dimension_size"."""
    dimension, dtype = op.integer("dimension"), op.result_dtype()

    def plan(shape: Sizes) -> KernelFn:
        return constant_function(np.array(shape[dimension], dtype))

    return by_shapes(op, plan)
