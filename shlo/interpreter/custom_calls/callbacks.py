"""Calls of Python functions of the process that wrote a program: `jax.debug.print`, `pure_callback`, ...

The function is not in the program. A call without results is there for what it shows: its operands are
printed in its place. A call with results needs a handler or a stub.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.kernel_api import TOKEN, KernelFn, Value
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.program_output import ProgramOutput
from shlo.ir.types import TokenType, TupleType, Type

HOST_CALLBACKS = frozenset(
    f"xla_{kind}python_{device}_callback"
    for kind in ("", "ffi_", "ffi_partitioned_")
    for device in ("cpu", "gpu")
)
"""Targets whose calls hold the address of a Python function."""

SHOWN_ELEMENTS = 1000
"""A tensor of more elements is printed by its edges, as NumPy does."""


def is_print(call: CustomCall) -> bool:
    """Returns whether a call is of a callback whose results hold no tensor."""
    return call.target in HOST_CALLBACKS and not any(map(_holds_tensor, call.result_types))


def printing(call: CustomCall, context: ExecutionContext) -> KernelFn:
    """Returns the function that prints the operands of a callback, and returns its tokens."""
    results = tuple(TOKEN if isinstance(type_, TokenType) else () for type_ in call.result_types)
    values = results[0] if len(results) == 1 else results or None

    def evaluate(*operands: Value) -> Value:
        text = output_text(call, operands)
        context.output(ProgramOutput(context.process, context.label, text))
        return values

    return evaluate


def output_text(call: CustomCall, operands: Sequence[Value]) -> str:
    """Returns what a callback without results prints: its name and its operands."""
    pairs = zip(call.operand_types, operands)
    shown = [value for type_, value in pairs if not isinstance(type_, TokenType)]
    if shown and _is_descriptor(call, shown[0]):
        del shown[0]
    return f"{callback_name(call)}: {', '.join(map(_text, shown)) or 'no operands'}"


def callback_name(call: CustomCall) -> str:
    """Returns `callback N`, the number of the function where the program has it, else `callback`."""
    index = call.config.get("index")
    return f"callback {index}" if isinstance(index, int) else "callback"


def _is_descriptor(call: CustomCall, value: Value) -> bool:
    """Returns whether an operand is the address of the function, as older programs pass it first."""
    array = np.asarray(value)
    return array.dtype == np.int64 and not array.ndim and str(array) == call.config_text


def _text(value: Value) -> str:
    text = np.array2string(np.asarray(value), separator=", ", threshold=SHOWN_ELEMENTS)
    return f"\n{text}" if "\n" in text else text


def _holds_tensor(type_: Type) -> bool:
    if isinstance(type_, TupleType):
        return any(map(_holds_tensor, type_.types))
    return not isinstance(type_, TokenType)
