"""Operations that move elements without computing: views wherever NumPy can make one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, Value, kernel
from shlo.interpreter.kernels.shapes import (
    Sizes,
    by_shapes,
    constant_function,
    identity,
    indexed,
    require,
    require_dimensions,
    require_length,
    require_result,
    require_same_elements,
    reshaped,
    row_major,
    row_major_strides,
    shape_text,
    transposed,
)


@kernel("stablehlo.broadcast_in_dim")
def broadcast_in_dim(op: OpView) -> KernelFn:
    """Repeats the operand along new dimensions, as a view of stride 0; specification: "broadcast_in_dim"."""
    require_same_elements(op)
    dimensions, type_ = op.integers("broadcast_dimensions"), op.result_type()
    if not type_.is_static:
        raise KernelError(f"needs a result type of known sizes, not {shape_text(type_.shape)}")
    target = type_.static_shape
    dtype = op.result_dtype()

    def plan(shape: Sizes) -> KernelFn:
        return broadcast_plan(shape, dimensions, target, dtype)

    return by_shapes(op, plan)


@kernel("stablehlo.broadcast")
def broadcast(op: OpView) -> KernelFn:
    """Repeats the operand along new leading dimensions; specification: "broadcast"."""
    require_same_elements(op)
    sizes = op.integers("broadcast_sizes")
    require(all(size >= 0 for size in sizes), "needs broadcast_sizes of at least 0, not {}", sizes)

    def plan(shape: Sizes) -> KernelFn:
        target = sizes + shape
        require_result(op, target)
        return broadcast_plan(shape, range(len(sizes), len(target)), target, op.result_dtype())

    return by_shapes(op, plan)


def broadcast_plan(shape: Sizes, dimensions: Sequence[int], target: Sizes, dtype: np.dtype[Any]) -> KernelFn:
    """A function that broadcasts arrays of one shape, dimension i becoming `dimensions[i]` of the target."""
    require_length(dimensions, len(shape), "broadcast_dimensions")
    require_dimensions(dimensions, len(target), "broadcast_dimensions")
    if any(size not in (1, target[dimension]) for size, dimension in zip(shape, dimensions)):
        raise KernelError(
            f"cannot broadcast {shape_text(shape)} to {shape_text(target)} along {shape_text(dimensions)}"
        )
    if shape == target and list(dimensions) == list(range(len(shape))):
        return identity
    return _broadcast_function(shape, dimensions, target, dtype)


def _broadcast_function(
    shape: Sizes, dimensions: Sequence[int], target: Sizes, dtype: np.dtype[Any]
) -> KernelFn:
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
    require_same_elements(op)
    permutation = op.integers("permutation")
    rank = op.tensor_type(0).rank
    require_length(permutation, rank, "permutation")
    require_dimensions(permutation, rank, "permutation")

    def plan(shape: Sizes) -> KernelFn:
        require_result(op, [shape[dimension] for dimension in permutation])
        return transposed(permutation)

    return identity if permutation == tuple(range(rank)) else by_shapes(op, plan)


@kernel("stablehlo.reshape")
def reshape(op: OpView) -> KernelFn:
    """The same elements, row by row, in another shape; specification: "reshape"."""
    require_same_elements(op)
    type_ = op.result_type()
    if not type_.is_static:
        raise KernelError(f"needs a result type of known sizes, not {shape_text(type_.shape)}")
    target = type_.static_shape

    def plan(shape: Sizes) -> KernelFn:
        return reshape_plan(shape, target)

    return by_shapes(op, plan)


def reshape_plan(shape: Sizes, target: Sizes) -> KernelFn:
    """A function that reshapes arrays of one shape; raises KernelError where the counts differ."""
    if _count(shape) != _count(target):
        raise KernelError(
            f"cannot reshape {_count(shape)} elements {shape_text(shape)} to {shape_text(target)}"
        )
    if shape == target:
        return identity
    return reshaped(target) if _count(shape) == 1 else _reshape(target)


def _reshape(target: Sizes) -> KernelFn:
    def evaluate(x: Value) -> Value:
        return x.reshape(target) if x.flags.c_contiguous else row_major(x).reshape(target)

    return evaluate


def _count(shape: Sizes) -> int:
    return int(np.prod(shape, dtype=object)) if shape else 1


@kernel("stablehlo.reverse")
def reverse(op: OpView) -> KernelFn:
    """Turns dimensions around, as a view; specification: "reverse"."""
    require_same_elements(op)
    dimensions, rank = op.integers("dimensions"), op.tensor_type(0).rank
    require_dimensions(dimensions, rank, "dimensions")
    index = tuple(slice(None, None, -1) if axis in dimensions else slice(None) for axis in range(rank))
    return indexed(index) if dimensions else identity


@kernel("stablehlo.slice")
def slice_(op: OpView) -> KernelFn:
    """Every stride-th element from start to limit, as a view; specification: "slice"."""
    require_same_elements(op)
    starts, limits, strides = (op.integers(name) for name in ("start_indices", "limit_indices", "strides"))

    def plan(shape: Sizes) -> KernelFn:
        planned, result = slice_plan(shape, starts, limits, strides)
        require_result(op, result)
        return planned

    return by_shapes(op, plan)


def slice_plan(
    shape: Sizes, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int]
) -> tuple[KernelFn, Sizes]:
    """A function that slices arrays of one shape, and the shape that it gives."""
    for values, name in ((starts, "start_indices"), (limits, "limit_indices"), (strides, "strides")):
        require_length(values, len(shape), name)
    for start, limit, stride, size in zip(starts, limits, strides, shape):
        require(
            0 <= start <= limit <= size, f"cannot take [{start}, {limit}) from a dimension of size {size}"
        )
        require(stride > 0, "needs strides above 0, not {}", strides)
    index = tuple(slice(start, limit, stride) for start, limit, stride in zip(starts, limits, strides))
    result = tuple(len(range(size)[part]) for part, size in zip(index, shape))
    return (identity if result == shape else indexed(index)), result


@kernel("stablehlo.concatenate")
def concatenate(op: OpView) -> KernelFn:
    """Joins the operands along a dimension; specification: "concatenate"."""
    require(len(op.operand_types) > 0, "needs an operand")
    dimension = op.integer("dimension")
    require_dimensions((dimension,), op.tensor_type(0).rank, "dimension")
    for index in range(len(op.operand_types)):
        require_same_elements(op, index)

    def plan(*shapes: Sizes) -> KernelFn:
        first = shapes[0]
        for shape in shapes:
            fits = len(shape) == len(first) and _without(shape, dimension) == _without(first, dimension)
            require(fits, "cannot join {} and {} along dimension {}", first, shape, dimension)
        total = sum(shape[dimension] for shape in shapes)
        require_result(op, (*first[:dimension], total, *first[dimension + 1 :]))
        return identity if len(shapes) == 1 else _joined(dimension)

    return by_shapes(op, plan)


def _joined(dimension: int) -> KernelFn:
    def evaluate(*arrays: Value) -> Value:
        return np.concatenate(arrays, dimension)

    return evaluate


def _without(shape: Sizes, dimension: int) -> Sizes:
    return shape[:dimension] + shape[dimension + 1 :]


@kernel("stablehlo.pad")
def pad(op: OpView) -> KernelFn:
    """Puts a value around and between elements, or cuts edges off; specification: "pad"."""
    require_same_elements(op)
    require_same_elements(op, 1)
    low, high = op.integers("edge_padding_low"), op.integers("edge_padding_high")
    interior = op.integers("interior_padding")

    def plan(shape: Sizes) -> KernelFn:
        planned, result = pad_plan(shape, low, high, interior)
        require_result(op, result)
        return planned

    return by_shapes(op, plan, 1)


def pad_plan(
    shape: Sizes, low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> tuple[KernelFn, Sizes]:
    """A function of an array of that shape and a padding value, and the shape that it gives.

    Negative edges cut elements off (padding between elements included); specification: "pad".
    """
    for values, name in (
        (low, "edge_padding_low"),
        (high, "edge_padding_high"),
        (interior, "interior_padding"),
    ):
        require_length(values, len(shape), name)
    require(
        all(step >= 0 for step in interior),
        "needs interior padding of at least 0, not {}",
        interior,
    )
    parts = [_padded_dimension(*sizes) for sizes in zip(shape, low, high, interior)]
    result = tuple(part[0] for part in parts)
    require(all(size >= 0 for size in result), "padding leaves a negative size: {}", result)
    source, target = tuple(part[1] for part in parts), tuple(part[2] for part in parts)
    if all(_is_whole(part[2], part[0]) for part in parts):
        return (identity if result == shape else indexed(source)), result

    def evaluate(x: Value, value: Value) -> Value:
        out: Any = np.empty(result, x.dtype)
        out.fill(value)
        out[target] = x[source]
        return out

    return evaluate, result


def _padded_dimension(size: int, low: int, high: int, interior: int) -> tuple[int, slice, slice]:
    """The size that comes out, which elements are kept, and where they go."""
    step = interior + 1
    result = low + high + size + max(size - 1, 0) * interior
    first = max(0, -(low // step)) if low < 0 else 0
    end = min(size, (result - 1 - low) // step + 1) if result > 0 else first
    kept = max(end - first, 0)
    place = low + first * step
    return (
        result,
        slice(first, first + kept),
        slice(place, place + max((kept - 1) * step + 1, 0) if kept else place, step),
    )


def _is_whole(part: slice, size: int) -> bool:
    return len(range(size)[part]) == size


@kernel("stablehlo.get_dimension_size")
def get_dimension_size(op: OpView) -> KernelFn:
    """The size of a dimension; specification: "get_dimension_size"."""
    dimension, dtype = op.integer("dimension"), op.result_dtype()
    require_dimensions((dimension,), op.tensor_type(0).rank, "dimension")
    require_result(op, ())

    def plan(shape: Sizes) -> KernelFn:
        return constant_function(np.array(shape[dimension], dtype))

    return by_shapes(op, plan)
