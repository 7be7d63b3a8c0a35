"""Custom calls that the processes of a group carry out together, in a process that is a group by itself."""

from __future__ import annotations

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.registry import custom_call_handler
from shlo.interpreter.kernel_api import KernelFn, Value
from shlo.interpreter.kernels.shapes import as_results
from shlo.interpreter.kernels.spmd.collective import alone, collective_of
from shlo.interpreter.topology.groups import GridShape


@custom_call_handler("ragged_all_to_all")
def ragged_all_to_all(call: CustomCall) -> KernelFn:
    """Slices that the process sends to itself; see kernels/collective.py."""
    plan = collective_of(call.operation, GridShape())

    def evaluate(*operands: Value) -> Value:
        return as_results(alone(plan, 0, operands))

    return evaluate
