"""Batch normalization: inference, training and its gradient. Narrow floats are computed in f32."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, OpView
from shlo.interpreter.kernels.numeric import wide_dtype
from shlo.interpreter.registry import kernel
from shlo.ir.dtypes import Array, dtype_of


class _Normalization:
    """Shared by the three operations: epsilon, the feature dimension, and the types to compute in."""

    def __init__(self, op: OpView) -> None:
        operand = op.tensor_type(0)
        self.feature = op.integer("feature_index")
        self.dtype = dtype_of(operand.element_type)
        self.wide = wide_dtype(self.dtype)
        self.epsilon = self.wide.type(op.number("epsilon"))
        self.others = tuple(d for d in range(operand.rank) if d != self.feature)
        self.trailing = (1,) * (operand.rank - self.feature - 1)

    def widen(self, operands: tuple[Array, ...]) -> list[Array]:
        """Returns the operands in the type to compute in; all but the first may be vectors over features."""
        return [operand.astype(self.wide, copy=False) for operand in operands]

    def spread(self, vector: Array) -> Array:
        """Returns a vector over features in a shape that broadcasts with the operand."""
        return vector.reshape(-1, *self.trailing)

    def narrow(self, *results: Array) -> tuple[Array, ...]:
        """Returns results in the operand's type."""
        return tuple(result.astype(self.dtype, copy=False) for result in results)

    def scale_and_shift(self, centered: Array, scale: Array, offset: Array, variance: Array) -> Array:
        """Computes centered / sqrt(variance + epsilon) * scale + offset, in the memory of `centered`."""
        centered *= self.spread(scale / np.sqrt(variance + self.epsilon))
        centered += self.spread(offset)
        return centered

    def mean(self, operand: Array) -> Array:
        """Returns the mean of each feature."""
        return operand.sum(self.others) / self.count(operand)

    def count(self, operand: Array) -> Any:
        """Returns the number of elements of each feature, of the type to compute in."""
        return self.wide.type(math.prod(operand.shape[d] for d in self.others))


@kernel("stablehlo.batch_norm_inference")
def batch_norm_inference(op: OpView) -> KernelFn:
    """Normalizes each feature by given mean and variance; specification: "batch_norm_inference"."""
    norm = _Normalization(op)

    def on_arrays(*operands: Array) -> Array:
        operand, scale, offset, mean, variance = norm.widen(operands)
        result = norm.scale_and_shift(operand - norm.spread(mean), scale, offset, variance)
        return norm.narrow(result)[0]

    return on_arrays


@kernel("stablehlo.batch_norm_training")
def batch_norm_training(op: OpView) -> KernelFn:
    """Normalizes each feature by its own mean and variance; specification: "batch_norm_training"."""
    norm = _Normalization(op)

    def on_arrays(*operands: Array) -> tuple[Array, ...]:
        operand, scale, offset = norm.widen(operands)
        mean = norm.mean(operand)
        centered = operand - norm.spread(mean)
        variance = norm.mean(centered * centered)
        return norm.narrow(norm.scale_and_shift(centered, scale, offset, variance), mean, variance)

    return on_arrays


@kernel("stablehlo.batch_norm_grad")
def batch_norm_grad(op: OpView) -> KernelFn:
    """Computes the gradients of operand, scale and offset; specification: "batch_norm_grad"."""
    norm = _Normalization(op)

    def on_arrays(*operands: Array) -> tuple[Array, ...]:
        operand, scale, mean, variance, grad_output = norm.widen(operands)
        shifted = variance + norm.epsilon
        centered = operand - norm.spread(mean)
        count = norm.count(operand)
        grad_offset = grad_output.sum(norm.others)
        by_deviation = (grad_output * centered).sum(norm.others)
        grad_operand = grad_output * count - norm.spread(grad_offset)
        grad_operand -= centered * norm.spread(by_deviation / shifted)
        grad_operand *= norm.spread(scale / np.sqrt(shifted) / count)
        return norm.narrow(grad_operand, by_deviation / np.sqrt(shifted), grad_offset)

    return on_arrays
