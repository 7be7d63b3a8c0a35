"""The section of operations: regions, blocks, operations and the values that they use."""

from __future__ import annotations

from typing import NamedTuple

from shlo.dialects import find_card
from shlo.ir.attributes import DenseArrayAttr, DictionaryAttr
from shlo.ir.locations import Location, UnknownLocation
from shlo.ir.operations import NO_ATTRIBUTES, Block, Operation, Region, Signature, ValueTable
from shlo.ir.types import UNKNOWN
from shlo_bytecode.container import (
    COUNTED_NAMES,
    IR,
    LAZY_REGIONS,
    NATIVE_PROPERTIES,
    USE_LISTS,
    Container,
    read_section,
)
from shlo_bytecode.entries import Entries
from shlo_bytecode.masks import (
    HAS_ATTRIBUTES,
    HAS_OPERANDS,
    HAS_PROPERTIES,
    HAS_REGIONS,
    HAS_RESULTS,
    HAS_SUCCESSORS,
    HAS_USE_LISTS,
)
from shlo_bytecode.properties import SEGMENTS, inherent_names
from shlo_bytecode.property_reader import PropertyReader
from shlo_bytecode.stream import Stream
from shlo_bytecode.vhlo_conversion import stablehlo_form
from shlo_bytecode.vhlo_defaults import Attributes

MAX_DEPTH = 100
"""How deep regions may nest."""
UNKNOWN_LOCATION = UnknownLocation()
BRANCHES = {"cf.br": 1, "cf.cond_br": 2}
"""Operations with a number of successors that is their own."""
CAST = "builtin.unrealized_conversion_cast"


class _Scope:
    """The values that are visible, by their numbers in the file; `table` holds them in the module.

    Entering a region reserves the numbers of its values; those below `floor` are of an operation around
    this one that is isolated from what surrounds it. `forward` are values that were used before they were
    defined, `unfinished` the operations that did so.
    """

    __slots__ = ("floor", "forward", "numbers", "size", "table", "types", "unfinished")

    def __init__(self, table: ValueTable, types: list[int], floor: int = 0) -> None:
        self.table = table
        self.types = types
        self.floor = floor
        self.size = floor
        self.numbers: dict[int, int] = {}
        self.forward: dict[int, int] = {}
        self.unfinished: list[tuple[Operation, Key]] = []


class Key(NamedTuple):
    """What operations of one signature have in common, as numbers of the file; of results and operands the
    numbers of their types."""

    name: int
    attributes: int
    properties: int
    in_function: bool
    results: tuple[int, ...]
    operands: tuple[int, ...]


class Place(NamedTuple):
    """Where an operation stands: its values, how many blocks the region has, and what is around it."""

    scope: _Scope
    block_count: int
    depth: int
    in_function: bool


class RegionReader:
    """Reads the operations of one file. `has_use_lists` says afterwards whether it holds orders of uses."""

    def __init__(self, container: Container, entries: Entries) -> None:
        self._container = container
        self._entries = entries
        self._version = container.version
        self._properties = PropertyReader(container, entries)
        self._is_artifact = "vhlo" in container.dialects
        self._signatures: dict[Key, Signature] = {}
        self._isolated: dict[str, bool] = {}
        self._branches = {
            index: BRANCHES[name.name]
            for index, name in enumerate(container.operation_names)
            if name.name in BRANCHES
        }
        self.has_use_lists = False

    def root(self) -> tuple[Operation, ValueTable]:
        """The file's one operation outside of all others, and the table of what it uses and defines."""
        stream = self._container.stream(IR)
        if stream.varint("the number of outermost operations") != 1 << 1:
            stream.fail("there is not one outermost operation")
        scope = _Scope(ValueTable(), [])
        operation = self._operation(stream, Place(scope, 0, 0, False), [0])
        assert operation is not None
        self._finish(scope, stream)
        stream.finish("the operations")
        return operation, scope.table

    # -- regions ---------------------------------------------------------------------------------------------

    def _regions(self, stream: Stream, name: str, place: Place) -> tuple[Region, ...]:
        """The regions of an operation, inline or in a section of their own."""
        number, isolated = stream.flagged("the number of regions")
        stream.checked_count(number, "regions", stream.pos)
        if place.depth >= MAX_DEPTH:
            stream.fail(f"regions nest more than {MAX_DEPTH} deep")
        scope = self._inner_scope(name, place.scope, isolated)
        inner = stream
        if isolated and self._version >= LAZY_REGIONS:
            _, section = read_section(stream, (IR,))
            inner = Stream(stream.data, section.start, section.end)
        in_function = name in ("func.func", "vhlo.func_v1")
        around = Place(scope, 0, place.depth + 1, in_function)
        regions = tuple([self._region(inner, around) for _ in range(number)])
        if scope is not place.scope:
            self._finish(scope, inner)
        if inner is not stream:
            inner.finish("the regions of an operation")
        return regions

    def _inner_scope(self, name: str, outer: _Scope, isolated: bool) -> _Scope:
        """The values inside an operation. A new scope counts from 0; a new table holds what an operation is
        by its nature isolated with."""
        if self._is_isolated(name):
            return _Scope(ValueTable(), [], 0 if isolated else outer.size)
        return _Scope(outer.table, outer.types) if isolated else outer

    def _is_isolated(self, name: str) -> bool:
        if name not in self._isolated:
            card = find_card(name)
            self._isolated[name] = name == "vhlo.func_v1" or (card is not None and card.has("isolated"))
        return self._isolated[name]

    def _region(self, stream: Stream, place: Place) -> Region:
        count = stream.count("blocks")
        if count == 0:
            return Region((), place.scope.table)
        scope = place.scope
        first = scope.size
        scope.size += stream.varint("the number of values")
        inner = place._replace(block_count=count)
        next_number = [first]
        blocks = tuple([self._block(stream, inner, next_number) for _ in range(count)])
        if next_number[0] != scope.size:
            stream.fail(f"a region states {scope.size - first} values, but defines {next_number[0] - first}")
        for number in range(first, scope.size):
            del scope.numbers[number]
        scope.size = first
        return Region(blocks, scope.table)

    def _block(self, stream: Stream, place: Place, next_number: list[int]) -> Block:
        start = stream.pos
        count, has_arguments = stream.flagged("the number of operations")
        arguments: list[int] = []
        locations: list[Location] = []
        if has_arguments:
            for _ in range(stream.count("arguments of a block")):
                type_, location = self._argument(stream)
                arguments.append(self._define(stream, place.scope, next_number, type_))
                locations.append(location)
            if self._version >= USE_LISTS and stream.byte("whether a block has use lists"):
                self._skip_use_lists(stream, len(arguments))
        stream.checked_count(count, "operations", start, 3)
        read = [self._operation(stream, place, next_number) for _ in range(count)]
        operations = [operation for operation in read if operation is not None]
        return Block(operations, tuple(arguments), argument_locations=tuple(locations))

    def _argument(self, stream: Stream) -> tuple[int, Location]:
        """The number of an argument's type, and its location; an unknown one may be left out."""
        number, has_location = stream.varint("the type of an argument"), True
        if self._version >= COUNTED_NAMES:
            number, has_location = number >> 1, bool(number & 1)
        return number, self._location(stream) if has_location else UNKNOWN_LOCATION

    def _location(self, stream: Stream) -> Location:
        return self._entries.attribute(stream.varint("a location"), Location, stream, "a location")

    # -- values ----------------------------------------------------------------------------------------------

    def _define(self, stream: Stream, scope: _Scope, next_number: list[int], type_: int) -> int:
        """A new value with the next number of its region."""
        number = next_number[0]
        if number >= scope.size:
            stream.fail("a region defines more values than it states")
        next_number[0] = number + 1
        found = self._entries.type(type_, stream)
        if number in scope.forward:
            value = scope.forward.pop(number)
            scope.table.types[value], scope.types[value] = found, type_
        else:
            value = scope.table.define(found)
            scope.types.append(type_)
        scope.numbers[number] = value
        return value

    def _operands(self, stream: Stream, scope: _Scope) -> tuple[int, ...]:
        numbers = scope.numbers
        operands: list[int] = []
        for _ in range(stream.count("operands")):
            number = stream.varint("an operand")
            value = numbers.get(number)
            operands.append(self._use_early(stream, scope, number) if value is None else value)
        return tuple(operands)

    def _use_early(self, stream: Stream, scope: _Scope, number: int) -> int:
        """A value that is used before it is defined."""
        if not scope.floor <= number < scope.size:
            stream.fail(f"value number {number} is not visible here")
        if number not in scope.forward:
            scope.forward[number] = scope.table.define(UNKNOWN)
            scope.types.append(-1)
        return scope.forward[number]

    def _finish(self, scope: _Scope, stream: Stream) -> None:
        """Gives operations that used values early their signatures."""
        if scope.forward:
            stream.fail(f"value number {next(iter(scope.forward))} is used, but never defined")
        for operation, key in scope.unfinished:
            types = tuple([scope.types[value] for value in operation.operands])
            operation.signature = self._signature(stream, key._replace(operands=types))

    # -- operations ------------------------------------------------------------------------------------------

    def _operation(self, stream: Stream, place: Place, next_number: list[int]) -> Operation | None:
        """The parts of an operation, in their order in the file; None for one that an artifact only has
        because VHLO's types are not StableHLO's."""
        name = stream.index(len(self._container.operation_names), "the name of an operation")
        mask = stream.byte("what an operation has")
        if mask >> 7 or (mask & HAS_USE_LISTS and self._version < USE_LISTS):
            stream.fail(f"an operation has parts that are not known: {mask:#x}")
        location = self._location(stream)
        attributes = stream.varint("the attributes of an operation") if mask & HAS_ATTRIBUTES else -1
        properties = stream.varint("the properties of an operation") if mask & HAS_PROPERTIES else -1
        result_types = _numbers(stream, "types of results") if mask & HAS_RESULTS else ()
        operands = self._operands(stream, place.scope) if mask & HAS_OPERANDS else ()
        is_plain = not mask & (HAS_SUCCESSORS | HAS_REGIONS)
        if is_plain and self._is_idle_cast(stream, name, place.scope, next_number[0], operands, result_types):
            _stand_for(place.scope, next_number, operands)
            if mask & HAS_USE_LISTS:
                self._skip_use_lists(stream, len(operands))
            return None
        results = tuple([self._define(stream, place.scope, next_number, type_) for type_ in result_types])
        successors = self._successors(stream, place) if mask & HAS_SUCCESSORS else ()
        if len(successors) != self._branches.get(name, len(successors)):
            stream.fail(f"a branch has {len(successors)} successors")
        if mask & HAS_USE_LISTS:
            self._skip_use_lists(stream, len(results))
        types = tuple([place.scope.types[value] for value in operands])
        key = Key(name, attributes, properties, place.in_function, result_types, types)
        signature = self._signatures.get(key) or self._signature(stream, key)
        regions = ()
        if mask & HAS_REGIONS:
            regions = self._regions(stream, self._container.operation_names[name].name, place)
        operation = Operation(signature, operands, results, regions, successors, location)
        if -1 in types:
            place.scope.unfinished.append((operation, key))
        return operation

    def _skip_use_lists(self, stream: Stream, count: int) -> None:
        """Passes over the orders of the uses of some values, which mean nothing to us."""
        self.has_use_lists = True
        what = "use lists"
        for _ in range(1 if count == 1 else stream.count(what)):
            if count != 1:
                stream.varint(what)
            start = stream.pos
            number, _ = stream.flagged(what)
            for _ in range(stream.checked_count(number, what, start)):
                stream.varint(what)

    def _is_idle_cast(
        self,
        stream: Stream,
        name: int,
        scope: _Scope,
        number: int,
        operands: tuple[int, ...],
        result_types: tuple[int, ...],
    ) -> bool:
        """Whether an operation casts VHLO's types to the same ones of StableHLO, or back: it stands in
        artifacts around operations of other dialects. `number` is that of its first result."""
        if not self._is_artifact or self._container.operation_names[name].name != CAST:
            return False
        if len(operands) != len(result_types) or number + len(operands) > scope.size:
            return False
        if any(number + index in scope.forward for index in range(len(operands))):
            return False
        types = [self._entries.type(type_, stream) for type_ in result_types]
        return types == [scope.table.types[value] for value in operands]

    def _successors(self, stream: Stream, place: Place) -> tuple[tuple[int, tuple[int, ...]], ...]:
        count = stream.count("successors")
        return tuple([(stream.index(place.block_count, "a successor"), ()) for _ in range(count)])

    def _signature(self, stream: Stream, key: Key) -> Signature:
        if key in self._signatures:
            return self._signatures[key]
        name, properties, attributes = self._named_attributes(stream, key)
        _check_segments(stream, properties, key)
        inputs = tuple(
            [UNKNOWN if type_ < 0 else self._entries.type(type_, stream) for type_ in key.operands]
        )
        results = tuple([self._entries.type(type_, stream) for type_ in key.results])
        if name.startswith("vhlo."):
            try:
                name, properties = stablehlo_form(name, properties, inputs, results, key.in_function)
            except ValueError as error:
                stream.fail(f"{name}: {error}")
        signature = Signature(name, inputs, results, properties or NO_ATTRIBUTES, attributes or NO_ATTRIBUTES)
        self._signatures[key] = signature
        return signature

    def _named_attributes(self, stream: Stream, key: Key) -> tuple[str, Attributes, Attributes]:
        """An operation's name, its inherent and its discardable attributes."""
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


def _check_segments(stream: Stream, properties: Attributes, key: Key) -> None:
    """Sizes of segments must add up to the operands or results that there are."""
    for name, numbers in zip(SEGMENTS, (key.operands, key.results), strict=True):
        sizes = properties.get(name)
        if sizes is None:
            continue
        if not isinstance(sizes, DenseArrayAttr) or min(sizes.values, default=0) < 0:
            stream.fail(f"{name} are no sizes")
        if sum(sizes.values) != len(numbers):
            stream.fail(f"{name} add up to {sum(sizes.values)}, but there are {len(numbers)}")


def _stand_for(scope: _Scope, next_number: list[int], values: tuple[int, ...]) -> None:
    """Gives values that are known the next numbers of a region too."""
    for value in values:
        scope.numbers[next_number[0]] = value
        next_number[0] += 1


def _numbers(stream: Stream, what: str) -> tuple[int, ...]:
    return tuple([stream.varint(what) for _ in range(stream.count(what))])
