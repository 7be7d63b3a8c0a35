"""Locations without ends: a range becomes the place where it starts."""

from __future__ import annotations

from dataclasses import replace

from shlo.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
    resolve,
)
from shlo.ir.operations import Block, Module, Operation, Region


def without_location_ranges(module: Module) -> Module:
    """Returns the module with places in place of ranges; the module itself where there are none."""
    operation = _operation(module.operation)
    return module if operation is module.operation else replace(module, operation=operation)


def _operation(operation: Operation) -> Operation:
    location = _optional(operation.location)
    regions = tuple(map(_region, operation.regions))
    is_same = all(new is old for new, old in zip(regions, operation.regions))
    if location is operation.location and is_same:
        return operation
    return Operation(
        operation.signature, operation.operands, operation.results, regions, operation.successors, location
    )


def _region(region: Region) -> Region:
    blocks = tuple(map(_block, region.blocks))
    is_same = all(new is old for new, old in zip(blocks, region.blocks))
    return region if is_same else Region(blocks, region.values)


def _block(block: Block) -> Block:
    operations = list(map(_operation, block.operations))
    locations = tuple(map(_optional, block.argument_locations))
    is_same = all(new is old for new, old in zip(operations, block.operations))
    if is_same and all(new is old for new, old in zip(locations, block.argument_locations)):
        return block
    return Block(operations, block.arguments, block.label, block.starts, block.ends, locations)


def _optional(location: Location | None) -> Location | None:
    return None if location is None else _place(location)


def _place(location: Location) -> Location:
    """Returns the location itself where it has no range."""
    match resolve(location):
        case FileLocation(file, line, column, end_line, end_column):
            is_place = end_line is None and end_column is None
            return location if is_place else FileLocation(file, line, column)
        case NameLocation(name, child) if child is not None:
            new = _place(child)
            return location if new is child else NameLocation(name, new)
        case CallSiteLocation(callee, caller):
            ends = _place(callee), _place(caller)
            return location if ends[0] is callee and ends[1] is caller else CallSiteLocation(*ends)
        case FusedLocation(parts, metadata):
            places = tuple(map(_place, parts))
            is_same = all(new is old for new, old in zip(places, parts))
            return location if is_same else FusedLocation(places, metadata)
        case _:
            return location
