"""What a graph's operations cost, for its colours."""

from __future__ import annotations

from shlo.costs.analysis import cost
from shlo.graph.build import Measures
from shlo.ir.operations import Module


def cost_measures(module: Module, entry: str) -> Measures:
    """Returns FLOPs and bytes of operations in one run of a function, by where they start; nothing where
    there is no such function."""
    function = module.functions.get(entry)
    if function is None or function.body is None:
        return {}
    found = cost(module, entry).operations
    return {
        "FLOPs": {each.span.start: each.total.flops for each in found if each.total.flops},
        "bytes": {each.span.start: each.total.accessed_bytes for each in found if each.total.accessed_bytes},
    }
