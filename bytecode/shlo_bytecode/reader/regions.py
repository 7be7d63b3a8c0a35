"""The section of operations: regions, blocks, operations and the values that they use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shlo.dialects import has_trait
from shlo.dialects.vhlo.versions import OPS
from shlo.ir.attributes import DenseArrayAttr, DictionaryAttr
from shlo.ir.collector import collector_paused
from shlo.ir.locations import Location, UnknownLocation
from shlo.ir.operations import NO_ATTRIBUTES, Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.recursion import MAX_DEPTH
from shlo.ir.types import UNKNOWN
from shlo.support.files import Data
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
    NATIVE_PROPERTIES,
    USE_LISTS,
    Container,
    open_container,
    read_section,
)
from shlo_bytecode.container.output import consecutive
from shlo_bytecode.container.resources import ResourceTexts, read_resources
from shlo_bytecode.container.stream import Stream, decoded
from shlo_bytecode.reader.entries import EntryTable
from shlo_bytecode.reader.properties import PropertyReader
from shlo_bytecode.reader.scopes import UNTYPED, Repeated, ScopeKey, ValueScope
from shlo_bytecode.reader.use_orders import read_use_orders
from shlo_bytecode.tables.properties import SEGMENTS, inherent_names, layout_of
from shlo_bytecode.vhlo.defaults import Attributes
from shlo_bytecode.vhlo.upgrade import CAST, stablehlo_form, unknown_operations

UNKNOWN_LOCATION = UnknownLocation()
BRANCHES = {"cf.br": 1, "cf.cond_br": 2}
"""Operations with a number of successors that is their own."""


class RegionContext(NamedTuple):
    """Where an operation is: its values, how many blocks the region has, and what is around it."""

    scope: ValueScope
    block_count: int
    depth: int
    in_function: bool


class RegionReader:
    """Reads the operations of one file. `has_use_lists` says afterwards whether it holds orders of uses."""

    def __init__(self, container: Container, entries: EntryTable) -> None:
        self._container = container
        self._entries = entries
        self._version = container.version
        self._properties = PropertyReader(container, entries)
        self._is_artifact = "vhlo" in container.dialects
        self._signatures: dict[ScopeKey, Signature] = {}
        self._isolated: dict[str, bool] = {}
        self._branches = {
            index: BRANCHES[name.name]
            for index, name in enumerate(container.operation_names)
            if name.name in BRANCHES
        }
        self._repeated = Repeated(entries)
        self.has_use_lists = False

    def root(self) -> tuple[Block, ValueTable]:
        """Returns the block of the outermost operations, which define no values, and their regions' table."""
        stream = self._container.stream(IR)
        scope = ValueScope(ValueTable(), [])
        block = self._block(stream, RegionContext(scope, 0, 0, False), iter(()))
        self._finish(scope, stream)
        return block, scope.table

    # -- regions ---------------------------------------------------------------------------------------------

    def _regions(self, stream: Stream, name: str, outer: RegionContext) -> tuple[Region, ...]:
        """Returns the regions of an operation, inline or in a section of their own."""
        number, isolated = stream.flagged("the number of regions")
        stream.checked_count(number, "regions", stream.pos)
        if outer.depth >= MAX_DEPTH:
            stream.fail(f"regions nest more than {MAX_DEPTH} deep")
        scope = self._inner_scope(name, outer.scope, isolated)
        inner = stream
        if isolated and self._version >= LAZY_REGIONS:
            _, section = read_section(stream, (IR,))
            inner = Stream(stream.data, section.start, section.end)
        in_function = name in ("func.func", "vhlo.func_v1")
        around = RegionContext(scope, 0, outer.depth + 1, in_function)
        regions = tuple([self._region(inner, around) for _ in range(number)])
        if scope is not outer.scope:
            self._finish(scope, inner)
        return regions

    def _inner_scope(self, name: str, outer: ValueScope, isolated: bool) -> ValueScope:
        """Returns the values inside an operation.

        A new scope counts from 0; a new table holds what an operation is by its nature isolated with.
        """
        if self._is_isolated(name):
            return ValueScope(ValueTable(), [], 0 if isolated else outer.size)
        return ValueScope(outer.table, outer.types) if isolated else outer

    def _is_isolated(self, name: str) -> bool:
        if name not in self._isolated:
            self._isolated[name] = name == "vhlo.func_v1" or has_trait(name, "isolated")
        return self._isolated[name]

    def _region(self, stream: Stream, outer: RegionContext) -> Region:
        count = stream.count("blocks")
        if count == 0:
            return Region((), outer.scope.table)
        scope = outer.scope
        first = scope.size
        size = stream.count("values of a region")
        scope.size += size
        inner = outer._replace(block_count=count)
        numbers = consecutive(first, scope.size)
        blocks = tuple([self._block(stream, inner, numbers) for _ in range(count)])
        undefined = list(numbers)
        if scope.forward and any(number in scope.forward for number in undefined):
            stream.fail(f"a region states {size} values and uses them, but defines {size - len(undefined)}")
        scope.leave(size, len(undefined))
        return Region(blocks, scope.table)

    def _block(self, stream: Stream, outer: RegionContext, numbers: Iterator[bytes]) -> Block:
        start = stream.pos
        count, has_arguments = stream.flagged("the number of operations")
        arguments: list[int] = []
        locations: list[Location] = []
        if has_arguments:
            for _ in range(stream.count("arguments of a block")):
                type_, location = self._argument(stream)
                number = outer.scope.take(stream, numbers, 1)
                arguments += self._define(stream, outer.scope, number, (type_,))
                locations.append(location)
            if self._version >= USE_LISTS and stream.byte("whether a block has use lists"):
                self._use_orders(stream, arguments, outer.scope.table)
        stream.checked_count(count, "operations", start, 3)
        read = [self._operation(stream, outer, numbers) for _ in range(count)]
        operations = [operation for operation in read if operation is not None]
        return Block(operations, tuple(arguments), argument_locations=tuple(locations))

    def _argument(self, stream: Stream) -> tuple[int, Location]:
        """Returns the number of an argument's type, and its location; an unknown one may be left out."""
        number, has_location = stream.varint("the type of an argument"), True
        if self._version >= COUNTED_NAMES:
            number, has_location = number >> 1, bool(number & 1)
        return number, self._location(stream) if has_location else UNKNOWN_LOCATION

    def _location(self, stream: Stream) -> Location:
        return self._entries.location(stream.varint("a location"), stream)

    # -- values ----------------------------------------------------------------------------------------------

    def _define(
        self, stream: Stream, scope: ValueScope, numbers: Sequence[bytes], types: Sequence[int]
    ) -> tuple[int, ...]:
        """New values with these numbers and types."""
        return scope.define(numbers, [self._entries.type(type_, stream) for type_ in types], types)

    def _operands(self, stream: Stream, scope: ValueScope) -> tuple[int, ...]:
        count = stream.count("operands")
        return tuple([scope.use(stream, stream.varint("an operand")) for _ in range(count)])

    def _finish(self, scope: ValueScope, stream: Stream) -> None:
        """Gives operations that used values early their signatures."""
        if scope.forward:
            number = decoded(next(iter(scope.forward)))
            stream.fail(f"value number {number} is used, but never defined")
        for operation, key in scope.unfinished:
            types = tuple([scope.types[value] for value in operation.operands])
            operation.signature = self._signature(stream, key._replace(operands=types))

    # -- operations ------------------------------------------------------------------------------------------

    def _operation(self, stream: Stream, outer: RegionContext, numbers: Iterator[bytes]) -> Operation | None:
        """Returns the next operation, whose results get the next `numbers`; None for one that an artifact
        only has because VHLO's types are not StableHLO's.
        """
        repeated = self._repeated.read(stream, outer.scope, outer.in_function, numbers)
        return self._new_operation(stream, outer, numbers) if repeated is None else repeated

    def _new_operation(
        self, stream: Stream, outer: RegionContext, numbers: Iterator[bytes]
    ) -> Operation | None:
        """Returns the parts of an operation, in their order in the file."""
        # Complex because each part that the mask announces is a branch, in the order of the file.
        start, scope = stream.pos, outer.scope
        name = stream.index(len(self._container.operation_names), "the name of an operation")
        mask = stream.byte("what an operation has")
        if self._version < USE_LISTS:
            mask &= ~HAS_USE_LISTS
        if mask & HAS_PROPERTIES and self._version < NATIVE_PROPERTIES:
            stream.fail(f"an operation of a file of version {self._version} has properties")
        location = self._location(stream)
        attributes = stream.varint("the attributes of an operation") if mask & HAS_ATTRIBUTES else -1
        properties = stream.varint("the properties of an operation") if mask & HAS_PROPERTIES else -1
        what = "types of results"
        result_types = tuple(stream.varints(stream.count(what), what)) if mask & HAS_RESULTS else ()
        operands = self._operands(stream, scope) if mask & HAS_OPERANDS else ()
        reserved = scope.take(stream, numbers, len(result_types))
        is_plain = not mask & (HAS_SUCCESSORS | HAS_REGIONS)
        if is_plain and self._is_idle_cast(stream, name, scope, reserved, operands, result_types):
            scope.values.update(zip(reserved, operands))
            if mask & HAS_USE_LISTS:
                self._use_orders(stream, operands, ValueTable())
            return None
        results = self._define(stream, scope, reserved, result_types)
        successors = self._successors(stream, outer) if mask & HAS_SUCCESSORS else ()
        if len(successors) != self._branches.get(name, len(successors)):
            stream.fail(f"a branch has {len(successors)} successors")
        if mask & HAS_USE_LISTS:
            self._use_orders(stream, results, scope.table)
        types = tuple([scope.types[value] for value in operands])
        key = ScopeKey(name, attributes, properties, outer.in_function, result_types, types)
        signature = self._signatures.get(key) or self._signature(stream, key)
        regions = ()
        if mask & HAS_REGIONS:
            regions = self._regions(stream, self._container.operation_names[name].name, outer)
        operation = Operation(signature, operands, results, regions, successors, location)
        if UNTYPED in types:
            scope.unfinished.append((operation, key))
        else:
            self._repeated.learn(stream, start, mask, key, signature)
        return operation

    def _use_orders(self, stream: Stream, values: Sequence[int], table: ValueTable) -> None:
        """Reads in which orders values are used into their table."""
        self.has_use_lists = True
        read_use_orders(stream, values, table)

    def _is_idle_cast(
        self,
        stream: Stream,
        name: int,
        scope: ValueScope,
        numbers: Sequence[bytes],
        operands: tuple[int, ...],
        result_types: tuple[int, ...],
    ) -> bool:
        """Returns whether an operation casts VHLO's types to the same ones of StableHLO, or back: it is
        in artifacts around operations of other dialects. `numbers` are those of its results.
        """
        if not self._is_artifact or self._container.operation_names[name].name != CAST:
            return False
        if len(operands) != len(result_types) or any(number in scope.forward for number in numbers):
            return False
        types = [self._entries.type(type_, stream) for type_ in result_types]
        return types == [scope.table.types[value] for value in operands]

    def _successors(self, stream: Stream, outer: RegionContext) -> tuple[tuple[int, tuple[int, ...]], ...]:
        count = stream.count("successors")
        return tuple([(stream.index(outer.block_count, "a successor"), ()) for _ in range(count)])

    def _signature(self, stream: Stream, key: ScopeKey) -> Signature:
        if key in self._signatures:
            return self._signatures[key]
        name, properties, attributes = self._named_attributes(stream, key)
        if layout_of(name) is not None:  # else it is an attribute like others
            _check_segments(stream, properties, key)
        inputs = tuple(
            [UNKNOWN if type_ < 0 else self._entries.type(type_, stream) for type_ in key.operands]
        )
        results = tuple([self._entries.type(type_, stream) for type_ in key.results])
        if name in OPS:
            try:
                name, properties = stablehlo_form(name, properties, inputs, results, key.in_function)
            except ValueError as error:
                stream.fail(f"{name}: {error}")
        signature = Signature(name, inputs, results, properties or NO_ATTRIBUTES, attributes or NO_ATTRIBUTES)
        self._signatures[key] = signature
        return signature

    def _named_attributes(self, stream: Stream, key: ScopeKey) -> tuple[str, Attributes, Attributes]:
        """Returns an operation's name, its inherent and its discardable attributes."""
        name = self._container.operation_names[key.name].name
        attributes: Attributes = {}
        if key.attributes >= 0:
            what = "an operation's attributes"
            entry = self._entries.attribute(key.attributes, DictionaryAttr, stream, what)
            attributes = entry.as_dict()
        if self._version >= NATIVE_PROPERTIES:
            properties = (
                self._properties.values(stream, key.name, key.properties) if key.properties >= 0 else {}
            )
            return name, properties, attributes
        inherent = inherent_names(name)
        properties = {key: value for key, value in attributes.items() if key in inherent}
        return name, properties, {key: value for key, value in attributes.items() if key not in inherent}


def _check_segments(stream: Stream, properties: Attributes, key: ScopeKey) -> None:
    """Sizes of segments must add up to the operands or results that there are."""
    for name, numbers in zip(SEGMENTS, (key.operands, key.results), strict=True):
        sizes = properties.get(name)
        if sizes is None:
            continue
        if not isinstance(sizes, DenseArrayAttr) or min(sizes.values, default=0) < 0:
            stream.fail(f"{name} are no sizes")
        if sum(sizes.values) != len(numbers):
            stream.fail(f"{name} add up to {sum(sizes.values)}, but there are {len(numbers)}")


def read_module(data: Data) -> Module:
    """Returns the program in a file's bytes; see `shlo_bytecode.read`."""
    with collector_paused():
        return _module(data)


def _module(data: Data) -> Module:
    container = open_container(data)
    resources = read_resources(container)
    entries = EntryTable(container, resources.of_dialects)
    operation = container_module(*RegionReader(container, entries).root())
    texts = ResourceTexts((*resources.external, *resources.of_dialects))
    names = dict.fromkeys(name.name for name in container.operation_names)
    return Module(operation, None, unknown_operations(names, container.producer), texts)


def container_module(block: Block, table: ValueTable) -> Operation:
    """Returns the only outermost operation if it is a module, or else a module around all of them."""
    operations = block.operations
    if len(operations) == 1 and operations[0].name == "builtin.module" and operations[0].regions:
        return operations[0]
    location = operations[0].location if operations else UnknownLocation()
    return Operation(Signature("builtin.module"), regions=(Region((block,), table),), location=location)
