"""Constants at the start of functions, each once."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Module, Operation
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter, rewrite

CONSTANT = "stablehlo.constant"
MAX_COMPARED = 1024
"""The most elements of constants that are compared with others, unless all elements are the same."""


def hoisted_constants(module: Module) -> Module:
    """Returns the module with the constants of each function at its start, the last one first, and equal ones
    once.

    Constants that are at the start already keep their order.
    """
    tables: dict[Rewriter, _Table] = {}

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        return tables.setdefault(rewriter, _Table()).hoist(rewriter, operation)

    return rewrite(module, {CONSTANT: rule})


class _Table:
    """The constants of a function."""

    def __init__(self) -> None:
        self._known: dict[tuple[DenseElementsAttr, bool], ValueRef] = {}

    def hoist(self, rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        """Returns the value of an equal constant, or of this one at the start of the function."""
        value = operation.attribute("value")
        if not isinstance(value, DenseElementsAttr) or operation.signature.attributes:
            return None
        is_compared = value.array.size <= MAX_COMPARED or value.is_splat
        key = (value, operation.result_types[0] == value.type)
        if is_compared and key in self._known:
            return [self._known[key]]
        (result,) = operation.results
        at_start = rewriter.is_at_start
        rewriter.prologue.insert(len(rewriter.prologue) if at_start else 0, operation)
        self._known[key] = rewriter.ref(result)
        return [rewriter.ref(result)]
