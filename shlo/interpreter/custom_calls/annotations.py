"""Custom calls that only annotate their operand: memory space, layout, sharding."""

from __future__ import annotations

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.registry import custom_call_handler
from shlo.interpreter.kernel_api import KernelError, KernelFn, Value
from shlo.interpreter.program.sync_points import SHARDING_CALLS
from shlo.interpreter.topology.frontend_attributes import is_one_tuple, result_types
from shlo.ir.types import TupleType

TARGETS = (
    "Sharding",
    "annotate_device_placement",
    "LayoutConstraint",
    "MoveToHost",
    "MoveToDevice",
    "PinToDevice",
    "PinToDeviceSram",
    "InspectSharding",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.PropagationBarrier",
    "xla.sdy.ShardingGroup",
)
"""Each returns its operands, or nothing."""


@custom_call_handler(*TARGETS, *SHARDING_CALLS)
def annotation(call: CustomCall) -> KernelFn:
    """Returns the operands unchanged, whose types must be those of the results (an inspection has no result).

    On one process a shard is the whole tensor, so conversions between the two change nothing.
    """
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
    return _one if len(call.result_types) == 1 else _all


def _one(operand: Value) -> Value:
    return operand


def _all(*operands: Value) -> tuple[Value, ...]:
    return operands
