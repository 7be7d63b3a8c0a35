"""Operations that represent constants, of whatever dialect."""

from __future__ import annotations

from shlo.dialects import has_trait
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Operation


def is_constant(operation: Operation) -> bool:
    """Returns whether an operation represents a constant."""
    return has_trait(operation.name, "constant")


def constant_elements(operation: Operation) -> DenseElementsAttr | None:
    """Returns the elements of a constant, None for any other operation and where they are not known."""
    value = operation.attribute("value")
    return value if isinstance(value, DenseElementsAttr) and is_constant(operation) else None
