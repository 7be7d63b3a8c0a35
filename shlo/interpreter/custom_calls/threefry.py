"""JAX's random bits on GPUs: Threefry2x32 of arrays of keys and counters, in every spelling of the call."""

from __future__ import annotations

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.registry import custom_call_handler
from shlo.interpreter.kernel_api import KernelError, KernelFn
from shlo.interpreter.kernels.random import threefry
from shlo.ir.dtypes import Array
from shlo.ir.types import IntegerType

TARGETS = [f"{device}_threefry2x32{ending}" for device in ("cu", "cuda", "hip") for ending in ("", "_ffi")]


@custom_call_handler(*TARGETS)
def threefry2x32(call: CustomCall) -> KernelFn:
    """The two words of each element, of two words of its key and two of its counter.

    Operands behind these tell a length and a shape that are known at run time, which the arrays have anyway.
    """
    if len(call.operand_types) < 4:
        raise KernelError(f"{call.target} takes four operands, not {len(call.operand_types)}")
    types = [call.operation.tensor_type(i) for i in range(4)]
    word = IntegerType(32, "unsigned")
    if any(type_ != types[0] or type_.element_type != word for type_ in types):
        raise KernelError(f"expected {call.target} to have four operands of one shape of ui32")

    def on_arrays(*operands: Array) -> tuple[Array, ...]:
        key_0, key_1, counter_0, counter_1 = operands[:4]
        return threefry((counter_0, counter_1), (key_0, key_1))

    return on_arrays
