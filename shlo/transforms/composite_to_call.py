"""Composite operations as calls of the functions that say what they mean."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from shlo.ir.attributes import StringAttr, SymbolRefAttr
from shlo.ir.operations import Module, Operation
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter, rewrite

COMPOSITE = "stablehlo.composite"


def composite_to_call(module: Module, *, keep: Collection[str] = ()) -> Module:
    """Returns the module with `func.call` of the decomposition in place of each composite.

    Args:
        module: the module to rewrite.
        keep: the names of composites that stay.
    """

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        name, decomposition = operation.attribute("name"), operation.attribute("decomposition")
        is_kept = isinstance(name, StringAttr) and name.value in keep
        if is_kept or not isinstance(decomposition, SymbolRefAttr):
            return None
        operands = rewriter.refs(operation.operands)
        return rewriter.create("func.call", operands, operation.result_types, {"callee": decomposition})

    return rewrite(module, {COMPOSITE: rule})
