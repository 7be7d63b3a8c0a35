"""The kernel of custom calls. Specification: "custom_call"."""

from __future__ import annotations

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.registry import bind
from shlo.interpreter.kernel_api import KernelFn, OpView, Value
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.context import ExecutionContext


@kernel("stablehlo.custom_call", needs_context=True)
def custom_call(op: OpView) -> KernelFn:
    """Returns what the target's handler or stub computes."""
    call = CustomCall(op)

    def evaluate(context: ExecutionContext, *operands: Value) -> Value:
        function = context.custom_calls.get(call)
        if function is None:
            function = context.custom_calls[call] = bind(call, context)
        return function(*operands)

    return evaluate
