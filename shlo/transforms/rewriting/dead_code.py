"""Dead code elimination: operations without effects whose results are unused."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace

from shlo.ir.operations import Module, Operation, Region
from shlo.transforms.rewriting.pruning import Pruning
from shlo.transforms.rewriting.purity import ends_region, is_constant, is_pure
from shlo.transforms.rewriting.rebuild import block_of, with_regions

_BARRIER = "stablehlo.optimization_barrier"
"""A barrier whose results nothing uses holds nothing back."""
_CONTROL_FLOW = frozenset({"stablehlo.case", "stablehlo.if", "stablehlo.while"})
"""Operations that have the effects of what they contain; loops are taken to end."""
_NONE: frozenset[str] = frozenset()


def without_dead_code(module: Module, removable: Set[str] = _NONE) -> Module:
    """Returns the module without operations that have no effect and no uses; the module itself where there
    are none.

    Args:
        module: the module to prune.
        removable: the names of other operations that may go.
    """
    names = removable | {_BARRIER}

    def is_removable(operation: Operation) -> bool:
        if operation.name in _CONTROL_FLOW:
            return all(
                is_removable(each) or ends_region(each)
                for region in operation.regions
                for block in region.blocks
                for each in block.operations
            )
        return operation.name in names or is_constant(operation) or is_pure(operation)

    def pruned(region: Region) -> Region:
        """Returns a function's body, or a region of functions."""
        holds_functions = any(
            operation.name in ("func.func", "builtin.module")
            for block in region.blocks
            for operation in block.operations
        )
        if holds_functions:
            return _mapped(region, function)
        return Pruning(set(range(len(region.values.types))), is_removable).pruned(region)

    def function(operation: Operation) -> Operation:
        regions = tuple(map(pruned, operation.regions))
        is_same = all(new is old for new, old in zip(regions, operation.regions))
        return operation if is_same else with_regions(operation, regions)

    body = pruned(module.body)
    if body is module.body:
        return module
    return replace(module, operation=with_regions(module.operation, (body,)))


def _mapped(region: Region, change: Callable[[Operation], Operation]) -> Region:
    """Returns the region with each operation changed."""
    blocks = tuple(block_of(block, enumerate(map(change, block.operations))) for block in region.blocks)
    is_same = all(new is old for new, old in zip(blocks, region.blocks))
    return region if is_same else Region(blocks, region.values)
