"""Writes the section of operations: regions, blocks, operations and the values that they use."""

from __future__ import annotations

from collections.abc import Callable

from shlo.ir.operations import Operation, Region, ValueTable
from shlo_bytecode.container import COUNTED_NAMES, IR, LAZY_REGIONS, USE_LISTS
from shlo_bytecode.errors import BytecodeError
from shlo_bytecode.masks import (
    HAS_ATTRIBUTES,
    HAS_OPERANDS,
    HAS_PROPERTIES,
    HAS_REGIONS,
    HAS_RESULTS,
    HAS_SUCCESSORS,
)
from shlo_bytecode.numbering import BlockPlan, RegionPlan
from shlo_bytecode.operation_forms import OperationForm
from shlo_bytecode.output import Part, varint, varints
from shlo_bytecode.regions import MAX_DEPTH
from shlo_bytecode.sections import section

Numbers = list[bytes]
"""The number of each value of a table, as it is written."""


class RegionWriter:
    """Writes the operations of one file, whose tables are in order. `properties` gives the number of an entry
    of the properties section."""

    def __init__(self, version: int, unknown: bytes, properties: Callable[[tuple[Part, ...]], int]) -> None:
        self._version = version
        self._unknown = unknown
        self._properties = properties
        self._counts = varints(range(256))
        self._texts: dict[OperationForm, tuple[bytes, int, bytes]] = {}
        self._captured: dict[int, frozenset[int]] = {}

    def root(self, plan: BlockPlan) -> bytearray:
        """The content of the section: a block of one operation."""
        out = bytearray(varint(len(plan.block.operations) << 1))
        self._operations(out, plan, ValueTable(), [], 0, 0)
        return out

    def _operations(
        self, out: bytearray, plan: BlockPlan, table: ValueTable, numbers: Numbers, size: int, depth: int
    ) -> None:
        """The operations of a block, whose values have `numbers`, `size` of them so far."""
        texts, nested = self._texts, plan.nested
        counts = self._counts
        join = b"".join
        for index, (operation, form, location) in enumerate(
            zip(plan.block.operations, plan.forms, plan.locations, strict=True)
        ):
            name, mask, middle = texts.get(form) or self._text(form)
            operands = operation.operands
            if operation.regions or operation.successors:
                operands += tuple([value for _, values in operation.successors for value in values])
                mask |= (HAS_REGIONS if operation.regions else 0) | (
                    HAS_SUCCESSORS if operation.successors else 0
                )
            if operands:
                mask |= HAS_OPERANDS
                count = counts[len(operands)] if len(operands) < 256 else varint(len(operands))
                middle += count + join([numbers[value] for value in operands])
            out += name + bytes((mask,)) + location.encoded + middle
            if operation.successors:
                targets = [block for block, _ in operation.successors]
                out += join([varint(len(targets)), *varints(targets)])
            if operation.regions:
                self._regions(out, operation, nested[index], table, numbers, size, depth)

    def _text(self, form: OperationForm) -> tuple[bytes, int, bytes]:
        """What operations of a form have in common: their name, which parts they have, and the parts between
        location and operands."""
        mask, middle = 0, b""
        if form.dictionary is not None:
            mask |= HAS_ATTRIBUTES
            middle += form.dictionary.encoded
        if form.properties is not None:
            mask |= HAS_PROPERTIES
            middle += varint(self._properties(form.properties))
        if form.results:
            mask |= HAS_RESULTS
            middle += varint(len(form.results)) + b"".join([entry.encoded for entry in form.results])
        text = self._texts[form] = varint(form.name.number), mask, middle
        return text

    # -- regions ---------------------------------------------------------------------------------------------

    def _regions(
        self,
        out: bytearray,
        operation: Operation,
        plans: list[RegionPlan],
        table: ValueTable,
        numbers: Numbers,
        size: int,
        depth: int,
    ) -> None:
        """The regions of an operation, in a section of their own where they use nothing from outside."""
        if depth >= MAX_DEPTH:
            raise BytecodeError(f"regions nest more than {MAX_DEPTH} deep", 0)
        isolated = not self._captures(operation, table)
        out += varint(len(plans) << 1 | isolated)
        nests = isolated and self._version >= LAZY_REGIONS
        inner = bytearray() if nests else out
        for plan in plans:
            own = plan.region.values
            known = numbers if own is table else [b""] * len(own.types)
            self._region(inner, plan, known, 0 if isolated else size, depth + 1)
        if nests:
            out += section(IR, len(inner)) + inner

    def _captures(self, operation: Operation, table: ValueTable) -> frozenset[int]:
        """The values of a table that an operation's regions use, but do not define."""
        found: set[int] = set()
        for region in operation.regions:
            if region.values is table:
                found |= self._free(region)
        return frozenset(found)

    def _free(self, region: Region) -> frozenset[int]:
        if id(region) not in self._captured:
            used: set[int] = set()
            defined: set[int] = set()
            for block in region.blocks:
                defined.update(block.arguments)
                for operation in block.operations:
                    used.update(operation.operands)
                    defined.update(operation.results)
                    used.update(value for _, values in operation.successors for value in values)
                    if operation.regions:
                        used |= self._captures(operation, region.values)
            self._captured[id(region)] = frozenset(used - defined)
        return self._captured[id(region)]

    def _region(self, out: bytearray, plan: RegionPlan, numbers: Numbers, first: int, depth: int) -> None:
        blocks = plan.region.blocks
        out += varint(len(blocks))
        if not blocks:
            return
        defined: list[int] = []
        for block in blocks:
            defined += block.arguments
            for operation in block.operations:
                defined += operation.results
        for value, number in zip(defined, varints(range(first, first + len(defined))), strict=True):
            numbers[value] = number
        out += varint(len(defined))
        size = first + len(defined)
        for inner in plan.blocks:
            self._block(out, inner, plan.region.values, numbers, size, depth)

    def _block(
        self, out: bytearray, plan: BlockPlan, table: ValueTable, numbers: Numbers, size: int, depth: int
    ) -> None:
        arguments = plan.arguments
        out += varint(len(plan.block.operations) << 1 | bool(arguments))
        if arguments:
            out += varint(len(arguments))
            for type_, location in arguments:
                out += self._argument(type_.number, type_.encoded, location.encoded)
            if self._version >= USE_LISTS:
                out += b"\0"
        self._operations(out, plan, table, numbers, size, depth)

    def _argument(self, number: int, type_: bytes, location: bytes) -> bytes:
        """A type and a location; from a version on, an unknown location is left out."""
        if self._version < COUNTED_NAMES:
            return type_ + location
        known = location != self._unknown
        return varint(number << 1 | known) + (location if known else b"")
