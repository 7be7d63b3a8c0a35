"""Leaves out operations without effects whose results nothing uses."""

from __future__ import annotations

from dataclasses import replace

from shlo.ir.operations import Module, Operation, Region
from shlo.transforms.pruning import Pruning
from shlo.transforms.purity import is_constant, is_pure
from shlo.transforms.rebuilding import block_of, with_regions


def without_dead_code(module: Module) -> Module:
    """The module without operations that have no effect and no uses; the module itself where there are
    none."""
    body = _region(module.body)
    return (
        module if body is module.body else replace(module, operation=with_regions(module.operation, (body,)))
    )


def _region(region: Region) -> Region:
    """A region of functions and modules, with the bodies of functions pruned."""
    blocks = tuple(block_of(block, enumerate(map(_function, block.operations))) for block in region.blocks)
    is_same = all(new is old for new, old in zip(blocks, region.blocks))
    return region if is_same else Region(blocks, region.values)


def _function(operation: Operation) -> Operation:
    if operation.name == "builtin.module":
        regions = tuple(map(_region, operation.regions))
    else:
        regions = tuple(_pruned(region) for region in operation.regions)
    is_same = all(new is old for new, old in zip(regions, operation.regions))
    return operation if is_same else with_regions(operation, regions)


def _pruned(region: Region) -> Region:
    return Pruning(set(range(len(region.values.types))), _is_removable).pruned(region)


def _is_removable(operation: Operation) -> bool:
    """Whether an operation may go; a barrier whose results nothing uses holds nothing back."""
    return operation.name == "stablehlo.optimization_barrier" or is_constant(operation) or is_pure(operation)
