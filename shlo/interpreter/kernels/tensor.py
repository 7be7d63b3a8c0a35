"""MLIR's tensor dialect: tensors made of numbers, and taken apart into them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shlo.interpreter.kernel import Evaluate, KernelError, Specialization, Value, kernel
from shlo.interpreter.kernels.shapes import identity, require, shape_text


@kernel("tensor.cast")
def cast(op: Specialization) -> Evaluate:
    """The same tensor as of a type that tells more or less of its sizes."""
    return identity


@kernel("tensor.dim")
def dim(op: Specialization) -> Evaluate:
    def evaluate(x: Value, index: Value) -> Value:
        shape = np.shape(x)
        require(0 <= int(index) < len(shape), "has no dimension {} among those of {}", int(index), shape)
        return np.int64(shape[int(index)])

    return evaluate


@kernel("tensor.extract")
def extract(op: Specialization) -> Evaluate:
    def evaluate(x: Value, *indices: Value) -> Value:
        return x[_index(x, indices)]

    return evaluate


@kernel("tensor.insert")
def insert(op: Specialization) -> Evaluate:
    def evaluate(scalar: Value, x: Value, *indices: Value) -> Value:
        result = np.array(x)
        result[_index(x, indices)] = scalar
        return result

    return evaluate


def _index(x: Value, indices: Sequence[Value]) -> tuple[int, ...]:
    index, shape = tuple(int(at) for at in indices), np.shape(x)
    if len(index) != len(shape) or not all(0 <= at < size for at, size in zip(index, shape)):
        raise KernelError(f"index {list(index)} is outside a tensor of shape {shape_text(shape)}")
    return index


@kernel("tensor.from_elements")
def from_elements(op: Specialization) -> Evaluate:
    dtype, shape = op.result_dtype(), op.result_type().static_shape
    require(len(op.operand_types) == op.result_type().element_count, "needs an operand for each element")

    def evaluate(*elements: Value) -> Value:
        return np.array(elements, dtype).reshape(shape)

    return evaluate
