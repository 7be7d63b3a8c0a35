"""Dead code elimination: operations without effects whose results are unused."""

from __future__ import annotations

from collections.abc import Callable, Set

from shlo.ir.operations import Module, Operation, Region
from shlo.transforms.rewriting.constants import hoisted_constants
from shlo.transforms.rewriting.pruning import Pruning
from shlo.transforms.rewriting.purity import is_constant, is_pure
from shlo.transforms.rewriting.rebuild import block_of, with_blocks, with_body, with_regions
from shlo.verifier.op_cursor import is_terminator

MAX_ROUNDS = 32
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
                is_removable(each) or is_terminator(each)
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
            blocks = (block_of(block, enumerate(map(function, block.operations))) for block in region.blocks)
            return with_blocks(region, tuple(blocks))
        return Pruning(set(range(len(region.values.types))), is_removable).pruned(region)

    def function(operation: Operation) -> Operation:
        return with_regions(operation, tuple(map(pruned, operation.regions)))

    return with_body(module, pruned(module.body))


def until_unchanged(module: Module, step: Callable[[Module], Module], start: Module | None = None) -> Module:
    """Returns what a step makes of a module (or of `start`, made from it), repeated until nothing changes, at
    most MAX_ROUNDS times, and with equal constants once; the module itself where nothing changes.
    """
    built = start or module
    for _ in range(MAX_ROUNDS):
        following = step(built)
        if following is built:
            break
        built = following
    return built if built is module else hoisted_constants(built)
