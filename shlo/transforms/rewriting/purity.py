"""Purity: operations that depend on their operands alone, so that they may be computed early or left out."""

from __future__ import annotations

from shlo.dialects import find_op_def
from shlo.interpreter.registry import find_kernel
from shlo.ir.operations import Operation, inner_operations
from shlo.verifier.op_cursor import is_terminator


def has_pure_kernel(name: str) -> bool:
    """Returns whether a kernel carries an operation out that has no effect and needs nothing but its
    operands.
    """
    entry, op_def = find_kernel(name), find_op_def(name)
    is_alone = entry is not None and not entry.needs_context
    return is_alone and op_def is not None and not op_def.has("effect") and not op_def.has("barrier")


def is_pure(operation: Operation) -> bool:
    """Returns whether an operation that a kernel carries out has no effect, nor any in its regions."""
    return has_pure_kernel(operation.name) and all(
        has_pure_kernel(inner.name) or is_terminator(inner) for inner in inner_operations(operation)
    )
