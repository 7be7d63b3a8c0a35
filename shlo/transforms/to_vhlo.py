"""StableHLO's operations as VHLO's, as they are where a portable artifact is written."""

from __future__ import annotations

from msgspec.structs import replace

from shlo.dialects.vhlo.programs import has_vhlo
from shlo.dialects.vhlo.versions import Version, version_text
from shlo.ir.attributes import Attribute
from shlo.ir.diagnostics import PassError
from shlo.ir.locations import place_of
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.recursion import recursive
from shlo.ir.source import Span, place_in
from shlo.ir.version import STABLEHLO_VERSION
from shlo.transforms.from_vhlo import vhlo_to_stablehlo
from shlo.transforms.rewriting.rebuild import block_of, remade
from shlo_bytecode.container.errors import Obstacle, ObstacleError
from shlo_bytecode.vhlo.versions import opset_of
from shlo_bytecode.writer.casts import CastSignature, is_kept, with_casts
from shlo_bytecode.writer.numbering import OpLocations
from shlo_bytecode.writer.vhlo_forms import vhlo_form
from shlo_bytecode.writer.vhlo_text import VhloWriter


def stablehlo_to_vhlo(
    module: Module, *, target: str = STABLEHLO_VERSION, allow_other_dialects: bool = False
) -> Module:
    """Returns a module with VHLO's operations, types and attributes, as a version of StableHLO has them, in
    place of StableHLO's and functions.

    Args:
        module: the module to rewrite.
        target: the version, such as `1.4.0`.
        allow_other_dialects: whether operations of Shardy and CHLO stay, with casts of types around them.

    Raises PassError for what is no version, and for an operation that VHLO or the version lacks.
    """
    try:
        opset = opset_of(target)
    except ValueError as error:
        raise PassError(f"target: {error}") from None
    if allow_other_dialects:
        module = with_casts(module, OpLocations(module, True))
    return _Conversion(module, opset, allow_other_dialects).converted()


def vhlo_to_version(module: Module, *, target: str = "") -> Module:
    """Returns a module with the operations of VHLO that a version of StableHLO has in place of those of other
    versions; the module itself where there is nothing of VHLO's.

    Raises PassError for what is no version, and for an operation that VHLO or the version lacks.
    """
    if not has_vhlo(module):
        return module
    return stablehlo_to_vhlo(vhlo_to_stablehlo(module), target=target, allow_other_dialects=True)


class _Conversion:
    """Converts one module."""

    def __init__(self, module: Module, target: Version, keeps_others: bool) -> None:
        self._module = module
        self._target = target
        self._keeps_others = keeps_others
        self._writer = VhloWriter(target, keeps_others)
        self._tables: dict[ValueTable, ValueTable] = {}

    @recursive
    def converted(self) -> Module:
        """Returns the module; raises PassError."""
        module = self._module
        start = Span(module.start, module.start)
        regions = tuple([self._region(region, start, True) for region in module.operation.regions])
        operation = remade(module.operation, module.operation.signature, regions=regions)
        return replace(module, operation=operation)

    def _region(self, region: Region, span: Span, stays: bool) -> Region:
        """Returns a region of an operation that stays what it is, or of one that becomes VHLO's."""
        old = region.values
        table = self._tables.setdefault(old, ValueTable(list(old.types), list(old.names)))
        return Region(tuple([self._block(block, old, table, span, stays) for block in region.blocks]), table)

    def _block(self, block: Block, old: ValueTable, table: ValueTable, span: Span, stays: bool) -> Block:
        for argument in () if stays else block.arguments:
            table.types[argument] = self._writer.type(old.types[argument])
        converted = (
            (index, self._operation(operation, table, block.span(index, span.start)))
            for index, operation in enumerate(block.operations)
        )
        return block_of(block, converted)

    def _operation(self, operation: Operation, table: ValueTable, span: Span) -> Operation:
        try:
            signature = self._signature(operation)
        except (ObstacleError, ValueError) as error:
            reason, first = str(error), error.first if isinstance(error, ObstacleError) else None
            place = place_in(self._module.source, span) or place_of(operation.location)
            obstacle = Obstacle(operation.name, reason, first)
            raise PassError(f"{obstacle}; the target is {version_text(self._target)}", place) from None
        for result, type_ in zip(operation.results, signature.result_types, strict=True):
            table.types[result] = type_
        stays = signature.name == operation.name
        regions = tuple([self._region(region, span, stays) for region in operation.regions])
        return remade(operation, signature, regions=regions)

    def _signature(self, operation: Operation) -> Signature:
        """Returns what an operation's signature becomes; raises ObstacleError, ValueError."""
        old = operation.signature
        operands, results = old.operand_types, old.result_types
        if isinstance(old, CastSignature):
            (type_,) = operands
            built = (self._writer.type(type_),)
            return Signature(old.name, operands if old.to_vhlo else built, built if old.to_vhlo else results)
        if old.name == "builtin.module" or (self._keeps_others and is_kept(operation)):
            return old
        op, attributes = vhlo_form(operation, self._target)
        written: dict[str, Attribute] = {
            key: self._writer.attribute(value)
            for key, value in (*old.attributes.items(), *attributes.items())
        }
        properties = {key: written.pop(key) for key in op.attributes}
        types = self._writer.type
        return Signature(
            op.name, tuple(map(types, operands)), tuple(map(types, results)), properties, written
        )
