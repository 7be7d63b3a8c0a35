"""Section of operations: regions, blocks, operations and the values that they use."""

from __future__ import annotations

from collections.abc import Callable

from shlo.ir.operations import Operation, Region, ValueTable
from shlo.ir.recursion import MAX_DEPTH
from shlo_bytecode.container.errors import BytecodeError
from shlo_bytecode.container.file import (
    COUNTED_NAMES,
    HAS_ATTRIBUTES,
    HAS_OPERANDS,
    HAS_PROPERTIES,
    HAS_REGIONS,
    HAS_RESULTS,
    HAS_SUCCESSORS,
    HAS_USE_LISTS,
    IR,
    LAZY_REGIONS,
    USE_LISTS,
)
from shlo_bytecode.container.output import Part, consecutive, varint, varints
from shlo_bytecode.writer.numbering import BlockPlan, RegionPlan
from shlo_bytecode.writer.operation_forms import OperationForm
from shlo_bytecode.writer.sections import section
from shlo_bytecode.writer.use_orders import UseOrders

Numbers = list[bytes]
"""The number of each value of a table, as it is written."""

Text = tuple[dict[int, bytes], bytes]
"""What operations of a form have in common: their name and which parts they have, by those of `FURTHER_PARTS`
that an operation has, and the parts between location and operands."""

FURTHER_PARTS = [
    operands | regions | successors
    for operands in (0, HAS_OPERANDS)
    for regions in (0, HAS_REGIONS)
    for successors in (0, HAS_SUCCESSORS)
]
"""Which parts an operation may have that its form does not say."""


class RegionWriter:
    """Writes the operations of one file, whose tables are in order.

    `properties` gives the number of an entry of the properties section.
    """

    def __init__(self, version: int, unknown: bytes, properties: Callable[[tuple[Part, ...]], int]) -> None:
        self._version = version
        self._unknown = unknown
        self._properties = properties
        self._counts = varints(range(256))
        self._texts: dict[OperationForm, Text] = {}
        self._captured: dict[int, frozenset[int]] = {}
        self._orders: dict[ValueTable, UseOrders] = {}

    def root(self, plan: BlockPlan) -> bytearray:
        """Returns the content of the section: a block of one operation."""
        out = bytearray(varint(len(plan.block.operations) << 1))
        self._operations(out, plan, ValueTable(), [], 0, 0)
        return out

    def _operations(
        self, out: bytearray, plan: BlockPlan, table: ValueTable, numbers: Numbers, size: int, depth: int
    ) -> None:
        """The operations of a block, whose values have `numbers`, `size` of them so far."""
        texts, nested, counts, join = self._texts, plan.nested, self._counts, b"".join
        orders = self._orders.get(table)
        for index, (operation, form, location) in enumerate(
            zip(plan.block.operations, plan.forms, plan.locations, strict=True)
        ):
            starts, middle = texts.get(form) or self._text(form)
            operands, more = operation.operands, 0
            listed = orders.encoded(operation.results) if orders else b""
            if listed:
                starts = {
                    key: start[:-1] + bytes((start[-1] | HAS_USE_LISTS,)) for key, start in starts.items()
                }
            if operation.regions or operation.successors:
                operands += tuple([value for _, values in operation.successors for value in values])
                more = HAS_REGIONS * bool(operation.regions) | HAS_SUCCESSORS * bool(operation.successors)
            if operands:
                count = counts[len(operands)] if len(operands) < 256 else varint(len(operands))
                used = [numbers[value] for value in operands]
                out += join((starts[more | HAS_OPERANDS], location.encoded, middle, count, *used))
            else:
                out += starts[more] + location.encoded + middle
            if operation.successors:
                targets = [block for block, _ in operation.successors]
                out += join([varint(len(targets)), *varints(targets)])
            out += listed
            if operation.regions:
                self._regions(out, operation, nested[index], table, numbers, size, depth)

    def _text(self, form: OperationForm) -> Text:
        """Returns what operations of a form have in common."""
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
        name = varint(form.name.number)
        starts = {more: name + bytes((mask | more,)) for more in FURTHER_PARTS}
        text = self._texts[form] = starts, middle
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
            values = plan.region.values
            inner_numbers = numbers if values is table else [b""] * len(values.types)
            self._region(inner, plan, inner_numbers, 0 if isolated else size, depth + 1)
        if nests:
            out += section(IR, len(inner)) + inner

    def _captures(self, operation: Operation, table: ValueTable) -> frozenset[int]:
        """Returns the values of a table that an operation's regions use, but do not define."""
        captured: set[int] = set()
        for region in operation.regions:
            if region.values is table:
                captured |= self._free(region)
        return frozenset(captured)

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
        blocks, table = plan.region.blocks, plan.region.values
        if table.use_orders and table not in self._orders and self._version >= USE_LISTS:
            self._orders[table] = UseOrders(plan.region)
        out += varint(len(blocks))
        if not blocks:
            return
        defined: list[int] = []
        for block in blocks:
            defined += block.arguments
            for operation in block.operations:
                defined += operation.results
        size = first + len(defined)
        for value, number in zip(defined, consecutive(first, size), strict=True):
            numbers[value] = number
        out += varint(len(defined))
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
                is_known = location.encoded != self._unknown
                if self._version < COUNTED_NAMES:
                    out += type_.encoded + location.encoded
                else:  # an unknown location is left out
                    out += varint(type_.number << 1 | is_known) + (location.encoded if is_known else b"")
            if self._version >= USE_LISTS:
                orders = self._orders.get(table)
                listed = orders.encoded(plan.block.arguments) if orders else b""
                out += bytes((HAS_USE_LISTS,)) + listed if listed else b"\0"
        self._operations(out, plan, table, numbers, size, depth)
