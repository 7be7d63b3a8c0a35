"""Lint: gradients that are zero for all of an argument because no derivative leads to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from shlo.diagnosis.program import ProgramOp, program_ops
from shlo.interpreter.program.code import CodeBlock
from shlo.ir.name_stack import is_transposed
from shlo.ir.traced_names import argument_label, result_labels
from shlo.places.card import Card
from shlo.places.names import COPIES
from shlo.places.origins import origin_of
from shlo.places.remedies import ZERO_GRADIENT
from shlo.runner.python_source import PythonSources
from shlo.runner.statistics import is_floating, tensor_of

_GRADIENT: Final = "grad"
"""What the names of functions of JAX have in them that take derivatives."""

_FIRST_NAME: Final = re.compile(r"^\w+(\[\d+\])*")


def zero_gradients(code: CodeBlock, results: Sequence[Any], sources: PythonSources) -> Iterator[Card]:
    """Yields a card for each result of a derivative that is named and typed as an argument, and constantly 0.

    Args:
        code: the entry function's block.
        results: what it returned.
        sources: the files of Python.
    """
    is_derivative = _is_derivative(code)
    returned = code.instructions[-1].operands
    labels = result_labels(code.function.operation, len(returned))
    for register, label, value in zip(returned, labels, results):
        array, maker = tensor_of(value), _constant_behind(code, register)
        if maker is None or array is None or not is_floating(array) or not array.size or np.any(array):
            continue
        argument = _argument_like(code, register, label) if is_derivative else None
        if argument is None and not _is_gradient_call(maker, sources):
            continue
        deed = f"is exactly 0 for all {array.size:,} elements: no derivative leads to the argument"
        card = sources.card_at("zero_gradient", maker.place, deed, ZERO_GRADIENT)
        of_argument = f" of {argument}" if argument else ""
        yield replace(card, subject=f"the gradient{of_argument} in {label or 'the result'}")


def _is_derivative(code: CodeBlock) -> bool:
    scopes = (origin_of(op.operation.location).scope for op in program_ops(code))
    return any(is_transposed(scope) or "jvp(" in scope for scope in scopes)


def _is_gradient_call(maker: ProgramOp, sources: PythonSources) -> bool:
    """Returns whether the expression that an operation is from takes a gradient; JAX drops the argument where
    nothing depends on it.
    """
    expression = sources.expression_of(maker.origin.line)
    return expression is not None and _GRADIENT in expression.function


def _argument_like(code: CodeBlock, register: int, label: str) -> str | None:
    """Returns the name of the argument whose gradient a result may be: of its type, and of the same path
    behind the first name, `result[1]['w']` and `params['w']`.
    """
    type_, path = code.values.types[register], _FIRST_NAME.sub("", label)
    for number, argument in enumerate(code.arguments):
        name = argument_label(code.block, number)
        if code.values.types[argument] == type_ and _FIRST_NAME.sub("", name) == path:
            return name or f"argument {number}"
    return None


def _constant_behind(code: CodeBlock, register: int) -> ProgramOp | None:
    """Returns what makes a value that is a constant, moved or broadcast; None for any other value."""
    index = first = code.defined_at.get(register, -1)
    while index >= 0:
        op = ProgramOp(code, index)
        if op.operation.name == "stablehlo.constant":
            return ProgramOp(code, first)
        if op.operation.name not in COPIES:
            return None
        index = code.defined_at.get(op.operation.operands[0], -1)
    return None
