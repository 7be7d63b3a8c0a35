"""Calls of Python functions of the process that wrote a program: `jax.debug.print`, `pure_callback`, ...

The function is not in the program, which has its index among the callbacks that were lowered with it. A run
that is given those (`RunOptions.callbacks`) calls them; addresses that older programs have are never
followed. Otherwise the operands of a call without results, which is there for what it shows, are printed in
its place, and a call with results needs a handler or a stub.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import numpy as np

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.kernel_api import TOKEN, KernelError, KernelFn, Value
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.marshal import marshal_argument
from shlo.interpreter.runtime.program_output import ProgramOutput, print_output
from shlo.ir.types import TokenType, TupleType, Type
from shlo.text.numbers import plural

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


def callback_of(call: CustomCall, context: ExecutionContext) -> Callable[..., Any] | None:
    """Returns the Python function that a call is of, None where the run was not given it."""
    index = call.config.get("index") if call.target in HOST_CALLBACKS else None
    if not isinstance(index, int) or not 0 <= index < len(context.callbacks):
        return None
    return context.callbacks[index]


def calling(call: CustomCall, callback: Callable[..., Any], context: ExecutionContext) -> KernelFn:
    """Returns the function that calls a Python function with the operands, and returns its results. What it
    prints goes where the run's output goes.
    """
    name = callback_name(call)

    def evaluate(*operands: Value) -> Value:
        try:
            returned = _called(callback, operands, context)
        except Exception as error:
            raise KernelError(f"{name} raised {type(error).__name__}: {error}") from error
        values: tuple[Any, ...] = tuple(returned or ())
        if len(values) != len(call.result_types):
            expected = plural(len(call.result_types), "result")
            raise KernelError(f"expected {expected} of {name}, got {len(values)}")
        results = tuple(
            TOKEN
            if isinstance(type_, TokenType)
            else marshal_argument(np.asarray(value), type_, f"result of {name}")
            for type_, value in zip(call.result_types, values)
        )
        return results[0] if len(results) == 1 else results or None

    return evaluate


def _called(callback: Callable[..., Any], operands: Sequence[Value], context: ExecutionContext) -> Any:
    """Returns what a Python function returns; what it prints is the run's output, unless that is the
    default.
    """
    if context.output is print_output:
        return callback(*operands)
    printed = StringIO()
    try:
        with redirect_stdout(printed):
            return callback(*operands)
    finally:
        if text := printed.getvalue().removesuffix("\n"):
            context.output(ProgramOutput(context.process, context.label, text))


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
