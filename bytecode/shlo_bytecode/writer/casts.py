"""Portable artifacts with operations of other dialects, as `jax.export` writes for sharded programs.

Operations of Shardy stay what they are and keep builtin types, all others become VHLO's. A value that is used
on the other side goes through an `unrealized_conversion_cast` right behind where the value is defined. MLIR's
conversion makes casts to builtin types in the order of the values, and casts to VHLO's in the order of their
first users, whose locations they have; each comes before those that were made earlier at the same place.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from shlo.ir.locations import Location
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.recursion import MAX_DEPTH
from shlo.ir.types import Type
from shlo_bytecode.container.errors import BytecodeError
from shlo_bytecode.vhlo.upgrade import CAST
from shlo_bytecode.writer.interning import KEPT_DIALECTS
from shlo_bytecode.writer.numbering import OpLocations

Key = tuple[int, int]
"""A value: the identity of its table, and its number there."""


class CastSignature(Signature):
    """The signature of a cast between VHLO's form of a type and the builtin one."""

    __slots__ = ("to_vhlo",)

    def __init__(self, type_: Type, to_vhlo: bool) -> None:
        super().__init__(CAST, (type_,), (type_,))
        self.to_vhlo = to_vhlo


class LocatedOp(Struct, frozen=True):
    """An operation with its region and its location."""

    region: Region
    operation: Operation
    location: Location


def is_kept(operation: Operation) -> bool:
    """Returns whether an operation stays what it is in an artifact."""
    return operation.name.partition(".")[0] in KEPT_DIALECTS


def with_casts(module: Module, places: OpLocations) -> Module:
    """Returns a module with casts where values go between VHLO and operations that are kept; the module
    itself where no operation is kept. Locations of a new module are those that `places` gives.
    """
    if not any(is_kept(operation) for operation, _ in module.walk()):
        return module
    return Module(_Casting(places).rebuilt(module), resources=module.resources)


class _Casting:
    """Puts casts into one module."""

    def __init__(self, places: OpLocations) -> None:
        self._places = places
        self._kept: dict[Key, bool] = {}
        self._casts: dict[Key, tuple[int, Location]] = {}
        self._tables: dict[int, ValueTable] = {}
        self._signatures: dict[tuple[Type, bool], CastSignature] = {}

    def rebuilt(self, module: Module) -> Operation:
        """Returns the module's operation with casts."""
        outer = Block([module.operation])
        location = self._places.operation(outer, 0, self._places.base, None)
        start = self._places.start(outer, 0, self._places.base)
        for region in module.operation.regions:
            self._define(region, False)
        for region in module.operation.regions:
            for located in self._located_ops(region, start, location):
                self._use(located)
        return self._operation(module.operation, start, location, 0)

    # -- which values go to the other side -------------------------------------------------------------------

    def _define(self, region: Region, inside_kept: bool) -> None:
        """Notes on which side each value of a region is defined."""
        table = id(region.values)
        values = region.values
        self._tables.setdefault(table, ValueTable(list(values.types), list(values.names), values.use_orders))
        for block in region.blocks:
            self._kept.update(dict.fromkeys([(table, value) for value in block.arguments], inside_kept))
            for operation in block.operations:
                stays = is_kept(operation)
                self._kept.update(dict.fromkeys([(table, value) for value in operation.results], stays))
                for inner in operation.regions:
                    self._define(inner, stays)

    def _located_ops(
        self, region: Region, base: int, around: Location, depth: int = 0
    ) -> Iterator[LocatedOp]:
        """Yields the operations of a region, outer ones before those inside."""
        if depth >= MAX_DEPTH:
            raise BytecodeError(f"regions nest more than {MAX_DEPTH} deep", 0)
        for block in region.blocks:
            for index, operation in enumerate(block.operations):
                location = self._places.operation(block, index, base, around)
                yield LocatedOp(region, operation, location)
                start = self._places.start(block, index, base)
                for inner in operation.regions:
                    yield from self._located_ops(inner, start, location, depth + 1)

    def _use(self, located: LocatedOp) -> None:
        """Numbers the casts of the values that an operation takes from the other side."""
        operation, table = located.operation, id(located.region.values)
        stays = is_kept(operation)
        passed = [value for _, values in operation.successors for value in values]
        for value in (*operation.operands, *passed):
            key = table, value
            if self._kept.get(key, stays) != stays and key not in self._casts:
                built = self._tables[table].define(located.region.values.types[value])
                self._casts[key] = built, located.location

    # -- the new module --------------------------------------------------------------------------------------

    def _operation(
        self, operation: Operation, start: int, location: Location, depth: int, table: int = 0
    ) -> Operation:
        if depth >= MAX_DEPTH:
            raise BytecodeError(f"regions nest more than {MAX_DEPTH} deep", 0)
        stays = is_kept(operation)
        regions = [self._region(region, start, location, depth + 1) for region in operation.regions]
        return Operation(
            operation.signature,
            self._on_side(operation.operands, table, stays),
            operation.results,
            tuple(regions),
            tuple([(block, self._on_side(values, table, stays)) for block, values in operation.successors]),
            location,
        )

    def _on_side(self, values: tuple[int, ...], table: int, stays: bool) -> tuple[int, ...]:
        """Returns values, those of the other side by their casts."""
        return tuple(
            [
                self._casts[table, value][0] if self._kept.get((table, value), stays) != stays else value
                for value in values
            ]
        )

    def _region(self, region: Region, base: int, around: Location, depth: int) -> Region:
        blocks = tuple([self._block(region, block, base, around, depth) for block in region.blocks])
        return Region(blocks, self._tables[id(region.values)])

    def _block(self, region: Region, block: Block, base: int, around: Location, depth: int) -> Block:
        table, places = id(region.values), self._places
        located = [
            places.argument(region, block, index, base, around) for index in range(len(block.arguments))
        ]
        operations = self._casts_of(region, block.arguments, tuple(located))
        for index, operation in enumerate(block.operations):
            location = places.operation(block, index, base, around)
            start = places.start(block, index, base)
            operations.append(self._operation(operation, start, location, depth, table))
            operations += self._casts_of(region, operation.results, (location,) * len(operation.results))
        return Block(operations, block.arguments, block.label, argument_locations=tuple(located))

    def _casts_of(
        self, region: Region, values: tuple[int, ...], locations: tuple[Location, ...]
    ) -> list[Operation]:
        """Returns the casts of values that are defined together; all of them are to the same side."""
        built: list[tuple[int, Operation]] = []
        for value, location in zip(values, locations):
            key = id(region.values), value
            if key in self._casts:
                number, user = self._casts[key]
                to_vhlo = self._kept[key]
                signature = self._signature(region.values.types[value], to_vhlo)
                cast = Operation(signature, (value,), (number,), location=user if to_vhlo else location)
                built.append((number if to_vhlo else value, cast))
        return [cast for _, cast in sorted(built, key=lambda pair: pair[0], reverse=True)]

    def _signature(self, type_: Type, to_vhlo: bool) -> CastSignature:
        key = type_, to_vhlo
        if key not in self._signatures:
            self._signatures[key] = CastSignature(type_, to_vhlo)
        return self._signatures[key]
