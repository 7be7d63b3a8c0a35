"""Custom calls about how devices hold values: memory spaces, layouts, shardings, 64 bits as two halves."""

from __future__ import annotations

import numpy as np

from shlo.dialects.stablehlo.custom_call_targets import ANNOTATIONS, OPERAND_WRAPPER, SHARDING_CALLS
from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.registry import custom_call_handler
from shlo.interpreter.kernel_api import KernelError, KernelFn
from shlo.interpreter.kernels.shapes import identity
from shlo.interpreter.runtime.values import tensor_type_of
from shlo.interpreter.topology.frontend_attributes import is_one_tuple, result_types
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import RankedTensorType, TupleType

HALVES = {"f8": "f4", "i8": "u4", "u8": "u4"}
"""The type of both halves of each type of 64 bits."""


@custom_call_handler("AllocateBuffer", "CreateBuffer")
def allocate_buffer(call: CustomCall) -> KernelFn:
    """Returns zeros of the declared type; the program writes the elements later."""
    results = [tensor_type_of(type_) for type_ in call.result_types]
    result = results[0] if len(results) == 1 else None
    if not isinstance(result, RankedTensorType) or not result.is_static:
        raise KernelError("expected one result, a tensor or buffer of known sizes")
    shape, dtype = result.static_shape, dtype_of(result.element_type)
    return lambda *operands: np.zeros(shape, dtype)


@custom_call_handler("Pin", "Unpin", "SetBound")
def only_operand(call: CustomCall) -> KernelFn:
    """Returns the operand: a buffer is represented by the tensor of its elements, and a bound of sizes,
    `mhlo.literal`, only concerns compilers.
    """
    call.require_operands(1)
    return identity


@custom_call_handler(OPERAND_WRAPPER)
def wrapped_operand(call: CustomCall) -> KernelFn:
    """Returns the first operand; the second one is its shape, which only refinement needs."""
    call.require_operands(2)
    return identity


@custom_call_handler("X64SplitLow", "X64SplitHigh")
def split(call: CustomCall) -> KernelFn:
    """Returns one half of each element: of the bits of an integer, or the nearest f32 and the remainder."""
    call.require_operands(1)
    operand, result = call.operation.tensor_type(0), call.operation.result_type()
    _check_halves(call, operand, result)
    is_high = call.target == "X64SplitHigh"
    if dtype_of(operand.element_type).kind == "f":
        return _high_float if is_high else _low_float
    return _high_bits if is_high else _low_bits


@custom_call_handler("X64Combine")
def combine(call: CustomCall) -> KernelFn:
    """Returns the elements whose low and high halves are the operands."""
    call.require_operands(2)
    result = call.operation.result_type()
    for index in range(2):
        _check_halves(call, result, call.operation.tensor_type(index))
    dtype = dtype_of(result.element_type)

    def summed(low: Array, high: Array) -> Array:
        return np.asarray(low, dtype) + high

    def joined(low: Array, high: Array) -> Array:
        bits = np.asarray(low, np.uint64) | (np.asarray(high, np.uint64) << np.uint64(32))
        return np.asarray(bits).view(dtype)

    return summed if dtype.kind == "f" else joined


def _check_halves(call: CustomCall, whole: RankedTensorType, half: RankedTensorType) -> None:
    """Raises KernelError if one type is not that of a half of the other one's elements."""
    expected = HALVES.get(dtype_of(whole.element_type).str[1:])
    if expected is None or dtype_of(half.element_type) != np.dtype(expected):
        raise KernelError(f"expected {call.target} to be of 64 bits and halves, got {whole} and {half}")


def _high_float(values: Array) -> Array:
    return np.asarray(values).astype(np.float32)


def _low_float(values: Array) -> Array:
    high = _high_float(values).astype(np.float64)
    return np.where(np.isfinite(high), values - high, 0).astype(np.float32)


def _low_bits(values: Array) -> Array:
    return np.asarray(values).view(np.uint64).astype(np.uint32)


def _high_bits(values: Array) -> Array:
    return (np.asarray(values).view(np.uint64) >> np.uint64(32)).astype(np.uint32)


@custom_call_handler(*ANNOTATIONS, *SHARDING_CALLS)
def annotation(call: CustomCall) -> KernelFn:
    """Returns the operands unchanged, whose types must be those of the results (an inspection has no result).
    On one process a shard is the whole tensor, so conversions between the two change nothing."""
    if not call.result_types:
        return lambda *operands: None
    if call.result_types == (TupleType(()),):
        return lambda *operands: ()
    if result_types(call.operation) != call.operand_types:
        raise KernelError(
            f"expected a process for each device, got one: {call.target} goes between tensors and their "
            "parts; use --grid RxP for replicas and partitions"
        )
    if is_one_tuple(call.operation):
        return lambda *operands: operands
    return identity if len(call.result_types) == 1 else lambda *operands: operands
