"""Operations that return a value as one of another type, or a value without a meaning."""

from __future__ import annotations

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, Value
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.kernels.shapes import constant_function, identity
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.values import is_static
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.types import RankedTensorType


@kernel("memref.cast", "bufferization.to_tensor", "bufferization.to_buffer")
def cast(op: OpView) -> KernelFn:
    """Returns the operand: buffers are arrays, as tensors are."""
    return identity


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
