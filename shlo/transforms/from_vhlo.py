"""VHLO's operations as operations of StableHLO, as they are where a portable artifact is read."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from shlo.dialects.vhlo.programs import VhloError, has_vhlo
from shlo.dialects.vhlo.versions import OPS
from shlo.ir.attributes import Attribute
from shlo.ir.locations import place_of
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.recursion import recursive
from shlo.ir.source import Span, place_in
from shlo.ir.types import Type
from shlo.transforms.rewriting.rebuild import block_of
from shlo_bytecode.vhlo.text import VhloText, is_vhlo
from shlo_bytecode.vhlo.upgrade import stablehlo_form

CAST = "builtin.unrealized_conversion_cast"
FUNCTIONS = ("func.func", "vhlo.func_v1")


@recursive
def vhlo_to_stablehlo(module: Module) -> Module:
    """Returns a module with StableHLO's operations, types and attributes in place of VHLO's, those of earlier
    versions upgraded, and without the casts between types that become the same; the module itself where there
    is nothing of VHLO's. Values and places stay what they were.

    Raises VhloError for what has no form in StableHLO. The module is not verified: VHLO demands less of its
    operations.
    """
    if not has_vhlo(module):
        return module
    return replace(module, operation=_Conversion(module).converted())


class _Conversion:
    """Converts one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._text = VhloText()
        self._signatures: dict[tuple[Signature, bool], Signature] = {}
        self._tables: dict[ValueTable, ValueTable] = {}
        self._cast: dict[tuple[ValueTable, int], int] = {}

    def converted(self) -> Operation:
        """Returns the module's operation."""
        module = self._module
        for region in module.operation.regions:
            self._find_casts(region)
        span = Span(module.start, module.start)
        return self._operation(module.operation, module.body.values, span, in_function=False)

    def _find_casts(self, region: Region) -> None:
        """Notes which results of casts are what they are cast from."""
        table = region.values
        for block in region.blocks:
            for operation in block.operations:
                if operation.name == CAST and self._is_idle(operation):
                    for result, operand in zip(operation.results, operation.operands):
                        if self._now(table, operand) != result:
                            self._cast[table, result] = operand
                for inner in operation.regions:
                    self._find_casts(inner)

    def _is_idle(self, operation: Operation) -> bool:
        """Returns whether a cast is between VHLO's and other types that become the same."""
        operands, results = operation.operand_types, operation.result_types
        if not any(map(is_vhlo, (*operands, *results))):
            return False
        try:
            return list(map(self._text.type, operands)) == list(map(self._text.type, results))
        except ValueError:
            return False

    def _now(self, table: ValueTable, value: int) -> int:
        """Returns the value that is left of one that is cast."""
        while (table, value) in self._cast:
            value = self._cast[table, value]
        return value

    def _operation(self, operation: Operation, table: ValueTable, span: Span, in_function: bool) -> Operation:
        try:
            signature = self._signature(operation.signature, in_function)
            regions = tuple([self._retyped(region) for region in operation.regions])
        except ValueError as error:
            location = place_in(self._module.source, span) or place_of(operation.location)
            raise VhloError(operation.name, str(error), location, span) from None
        inside = operation.name in FUNCTIONS
        return Operation(
            signature,
            tuple([self._now(table, value) for value in operation.operands]),
            operation.results,
            tuple([self._region(old, new, span, inside) for old, new in zip(operation.regions, regions)]),
            tuple(
                [
                    (block, tuple([self._now(table, value) for value in passed]))
                    for block, passed in operation.successors
                ]
            ),
            operation.location,
        )

    def _retyped(self, region: Region) -> ValueTable:
        """Returns the table of a region's values with the types that they get; one for all regions that share
        it. Raises ValueError for the types of arguments; those of results are the matter of their operations.
        """
        old = region.values
        for block in region.blocks:
            for argument in block.arguments:
                self._text.type(old.types[argument])
        if old not in self._tables:
            self._tables[old] = ValueTable(list(map(self._type_if_known, old.types)), list(old.names))
        return self._tables[old]

    def _type_if_known(self, type_: Type) -> Type:
        try:
            return self._text.type(type_)
        except ValueError:
            return type_

    def _region(self, region: Region, table: ValueTable, span: Span, in_function: bool) -> Region:
        blocks = [self._block(block, region.values, span, in_function) for block in region.blocks]
        return Region(tuple(blocks), table)

    def _block(self, block: Block, table: ValueTable, around: Span, in_function: bool) -> Block:
        return block_of(
            block,
            [
                (index, self._operation(operation, table, block.span(index, around.start), in_function))
                for index, operation in enumerate(block.operations)
                if not self._is_left_out(operation, table)
            ],
        )

    def _is_left_out(self, operation: Operation, table: ValueTable) -> bool:
        return (
            operation.name == CAST
            and bool(operation.results)
            and all((table, result) in self._cast for result in operation.results)
        )

    # -- signatures ------------------------------------------------------------------------------------------

    def _signature(self, old: Signature, in_function: bool) -> Signature:
        key = old, in_function
        if key not in self._signatures:
            self._signatures[key] = self._built(old, in_function)
        return self._signatures[key]

    def _built(self, old: Signature, in_function: bool) -> Signature:
        """Returns the signature in StableHLO; raises ValueError."""
        operands = tuple(map(self._text.type, old.operand_types))
        results = tuple(map(self._text.type, old.result_types))
        properties, attributes = self._attributes(old.properties), self._attributes(old.attributes)
        if not old.name.startswith("vhlo."):
            return Signature(old.name, operands, results, properties, attributes)
        inherent = OPS[old.name].attributes if old.name in OPS else ()
        entries = {**attributes, **properties}
        inherent_entries = {key: value for key, value in entries.items() if key in inherent}
        others = {key: value for key, value in entries.items() if key not in inherent}
        name, properties = stablehlo_form(old.name, inherent_entries, operands, results, in_function)
        return Signature(name, operands, results, properties, others)

    def _attributes(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        built: dict[str, Attribute] = {}
        for key, value in attributes.items():
            try:
                built[key] = self._text.attribute(value)
            except ValueError as error:
                raise ValueError(f"its attribute {key}: {error}") from None
        return built
