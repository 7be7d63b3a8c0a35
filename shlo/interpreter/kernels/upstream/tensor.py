"""MLIR's tensor and shape dialects, and casts: a shape is an array of sizes, an index a number."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from shlo.dialects.upstream.tensor_rules import DYNAMIC, groups_of
from shlo.interpreter.kernel_api import TOKEN, BinaryFn, KernelError, KernelFn, OpView, UnaryFn, Value
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.kernels.shapes import (
    constant_function,
    identity,
    integers_of,
    require,
    require_sizes,
    shape_text,
)
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.values import is_static
from shlo.ir.attributes import ArrayAttr, SymbolRefAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.types import RankedTensorType


@kernel("tensor.cast", "memref.cast", "bufferization.to_tensor", "bufferization.to_buffer")
def cast(op: OpView) -> KernelFn:
    """Returns the operand, of a type with more or fewer known sizes; buffers are arrays, as tensors are."""
    return identity


@kernel("tensor.dim")
def dim(op: OpView) -> KernelFn:
    """Returns the size of a dimension; raises KernelError if there is no such dimension."""

    def evaluate(x: Value, index: Value) -> Value:
        shape = np.shape(x)
        require(0 <= int(index) < len(shape), "has no dimension {} among those of {}", int(index), shape)
        return np.int64(shape[int(index)])

    return evaluate


@kernel("tensor.extract")
def extract(op: OpView) -> KernelFn:
    """Returns the element at an index; raises KernelError if it is outside."""

    def evaluate(x: Value, *indices: Value) -> Value:
        return x[_index(x, indices)]

    return evaluate


@kernel("tensor.insert")
def insert(op: OpView) -> KernelFn:
    """Returns a copy with one element replaced; raises KernelError for an index outside."""

    def evaluate(scalar: Value, x: Value, *indices: Value) -> Value:
        result = np.array(x)
        result[_index(x, indices)] = scalar
        return result

    return evaluate


def _index(x: Value, indices: Sequence[Value]) -> tuple[int, ...]:
    index, shape = tuple(int(at) for at in indices), np.shape(x)
    is_inside = all(0 <= at < size for at, size in zip(index, shape))
    require(is_inside, "index {} is outside a tensor of shape {}", index, shape)
    return index


@kernel("tensor.from_elements")
def from_elements(op: OpView) -> KernelFn:
    """Returns a tensor of the operands, row by row."""
    dtype, shape = op.result_dtype(), op.result_type().static_shape
    return lambda *elements: np.array(elements, dtype).reshape(shape)


@kernel("tensor.rank")
def rank(op: OpView) -> UnaryFn:
    """Returns the number of dimensions."""
    return lambda x: np.int64(np.ndim(x))


@kernel("tensor.collapse_shape")
def collapse_shape(op: OpView) -> KernelFn:
    """Merges each group of dimensions into one."""
    groups = groups_of(op.require("reassociation", ArrayAttr)) or []

    def evaluate(x: Value) -> Value:
        shape = np.shape(x)
        return np.reshape(x, tuple(math.prod(shape[axis] for axis in group) for group in groups))

    return evaluate


@kernel("tensor.expand_shape")
def expand_shape(op: OpView) -> KernelFn:
    """Splits dimensions; sizes that the type leaves open are operands."""
    sizes = op.integers("static_output_shape")

    def evaluate(x: Value, *given: Value) -> Value:
        numbers = iter(given)
        return _reshaped(x, [int(next(numbers)) if size == DYNAMIC else size for size in sizes])

    return evaluate


def _sizes(type_: RankedTensorType, given: Sequence[Value]) -> tuple[int, ...]:
    """Returns the sizes of a type, those that it leaves open from operands."""
    numbers = iter(given)
    sizes = tuple(int(next(numbers)) if size is None else size for size in type_.shape)
    require_sizes(sizes)
    return sizes


@kernel("tensor.empty")
def empty(op: OpView) -> KernelFn:
    """Returns zeros, which represent elements that are not set."""
    type_, dtype = op.result_type(), op.result_dtype()
    return lambda *sizes: np.zeros(_sizes(type_, sizes), dtype)


@kernel("tensor.splat")
def splat(op: OpView) -> KernelFn:
    """Returns a tensor of one repeated element, as a view."""
    type_ = op.result_type()

    def evaluate(value: Value, *sizes: Value) -> Value:
        return np.broadcast_to(value, _sizes(type_, sizes))

    return evaluate


@kernel("tensor.reshape")
def reshape(op: OpView) -> BinaryFn:
    """Reshapes to a shape that is an operand."""
    return lambda x, shape: _reshaped(x, integers_of(shape))


def _reshaped(x: Value, shape: Sequence[int]) -> Value:
    require(math.prod(shape) == np.size(x), "cannot give {} the shape {}", np.shape(x), shape)
    return np.reshape(x, shape)


@kernel("tensor.bitcast")
def bitcast(op: OpView) -> UnaryFn:
    """Reinterprets the bits of elements as another type."""
    dtype = element_dtype(op.result_types[0])
    return lambda x: x.view(dtype)


@kernel("tensor.concat")
def concat(op: OpView) -> KernelFn:
    """Joins tensors along a dimension."""
    dimension = op.integer("dim")
    return lambda *parts: np.concatenate(parts, dimension)


@kernel("shape.shape_of")
def shape_of(op: OpView) -> UnaryFn:
    """Returns the shape of a tensor as an array of sizes."""
    return lambda x: _shape(np.shape(x))


@kernel("shape.const_shape")
def const_shape(op: OpView) -> KernelFn:
    """Returns the shape that its attribute holds."""
    return constant_function(_shape(integers_of(op.require("shape", DenseElementsAttr).array)))


@kernel("shape.num_elements")
def num_elements(op: OpView) -> UnaryFn:
    """Returns the number of elements of a shape."""
    return lambda shape: np.int64(math.prod(integers_of(shape)))


@kernel("shape.broadcast")
def broadcast(op: OpView) -> KernelFn:
    """Returns the shape that the operands broadcast to."""
    return lambda *shapes: _shape(_broadcast(shapes))


@kernel("shape.cstr_broadcastable")
def cstr_broadcastable(op: OpView) -> KernelFn:
    """Fails unless the operands broadcast to one shape; returns a token."""

    def evaluate(*shapes: Value) -> Value:
        _broadcast(shapes)
        return TOKEN

    return evaluate


def _shape(sizes: tuple[int, ...] | list[int]) -> Array:
    return np.array(sizes, np.int64)


def _broadcast(shapes: tuple[Value, ...]) -> tuple[int, ...]:
    """Returns the shape that shapes broadcast to; raises KernelError if there is none."""
    sizes = [integers_of(shape) for shape in shapes]
    try:
        return np.broadcast_shapes(*[tuple(shape) for shape in sizes])
    except ValueError:
        words = " and ".join(map(shape_text, sizes))
        raise KernelError(f"cannot broadcast {words} to one shape") from None


@kernel("builtin.unrealized_conversion_cast")
def unrealized_cast(op: OpView) -> KernelFn:
    """Returns the operand; raises KernelError unless there are one operand and one result."""
    if len(op.operand_types) != 1 or len(op.result_types) != 1:
        raise KernelError("is carried out for one operand and one result only")
    return identity


@kernel("ub.poison")
def poison(op: OpView) -> KernelFn:
    """Returns zeros, which represent a value without a meaning."""
    (type_,) = op.result_types
    if not is_static(type_):
        raise KernelError(f"needs a type of known sizes, but has {type_}")
    shape = type_.static_shape if isinstance(type_, RankedTensorType) else ()
    return constant_function(np.zeros(shape, element_dtype(type_)))


@kernel("func.constant")
def function(op: OpView) -> KernelFn:
    """Returns the name of a function; callers look it up."""
    name = op.require("value", SymbolRefAttr)
    return lambda: name


@kernel("cf.assert")
def assert_(op: OpView) -> KernelFn:
    """Fails with the message `msg` if the condition is false."""
    words = op.word("msg")

    def evaluate(condition: Value) -> None:
        if not condition:
            raise KernelError(f"does not hold: {words}")

    return evaluate
