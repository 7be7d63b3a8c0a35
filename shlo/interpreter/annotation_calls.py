"""Custom calls that only say something about their operand: where it lives, how it is laid out or sharded."""

from __future__ import annotations

from shlo.interpreter.custom_calls import CustomCall, custom_call_handler
from shlo.interpreter.kernel import Evaluate, KernelError, Value

TARGETS = (
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "annotate_device_placement",
    "LayoutConstraint",
    "MoveToHost",
    "MoveToDevice",
    "PinToDevice",
    "PinToDeviceSram",
    "InspectSharding",
)
"""Each gives its operands back. On one process a shard is the whole, so a change between them changes
nothing.
"""


@custom_call_handler(*TARGETS)
def annotation(call: CustomCall) -> Evaluate:
    """The operands themselves, whose types must be those of the results (an inspection has no result)."""
    if not call.result_types:
        return lambda *operands: None
    if call.result_types != call.operand_types:
        raise KernelError(
            f"{call.target} changes the type of its operand: the program is for several processes"
        )
    return _one if len(call.result_types) == 1 else _all


def _one(operand: Value) -> Value:
    return operand


def _all(*operands: Value) -> tuple[Value, ...]:
    return operands
