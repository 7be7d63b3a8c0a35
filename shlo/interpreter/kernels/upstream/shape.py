"""MLIR's shape dialect: a shape is an array of sizes, an index a number."""

from __future__ import annotations

import math

import numpy as np

from shlo.interpreter.kernel_api import TOKEN, KernelError, KernelFn, OpView, UnaryFn, Value
from shlo.interpreter.kernels.shapes import constant_function, integers_of, shape_text
from shlo.interpreter.registry import kernel
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array


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
