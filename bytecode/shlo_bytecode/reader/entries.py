"""The table of attributes and types: each is decoded once, when it is first used.

EntryTable refer to one another in any direction and to any depth, so an entry whose references are not
decoded yet waits on a stack of its own, not on Python's.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar, cast

from msgspec import Struct

from shlo.ir.diagnostics import ParseError
from shlo.ir.locations import Location
from shlo.ir.recursion import MAX_DEPTH
from shlo.ir.types import MemRefType, QuantizedType, Type
from shlo.syntax import parse_attribute, parse_type, type_text
from shlo_bytecode.container.errors import BytecodeError
from shlo_bytecode.container.file import Container, EntryPlace
from shlo_bytecode.container.output import varint
from shlo_bytecode.container.resources import Resource
from shlo_bytecode.container.stream import Stream
from shlo_bytecode.tables.builtin import ATTRIBUTES
from shlo_bytecode.tables.fields import EntryStream, Field, Item, ItemRow
from shlo_bytecode.tables.vhlo import ENCODINGS

MAX_PARTS = 1 << 20
"""How many parts an attribute or type may have, counted as often as it shows them: entries can be shared."""
MOST_PARTS = 1 << 40
"""Parts are counted up to here."""

WITH_RULES = (MemRefType, QuantizedType)
"""Types whose parameters have rules, which the parser of their text holds."""

Kind = TypeVar("Kind", bound=Item)


class PendingEntry(Struct, frozen=True):
    """An entry whose fields have been read, and the numbers of the entries that they refer to."""

    row: ItemRow
    values: list[Any]
    references: list[int]
    stream: EntryStream


class ReadLocation(Struct, frozen=True):
    """A location that is written as numbers: how many, the classes of those that are references, which come
    first, and how it is built.
    """

    size: int
    classes: tuple[type[Item], ...]
    build: Callable[..., Item]


def _plain_locations() -> dict[int, ReadLocation]:
    """By the byte of their code."""
    locations: dict[int, ReadLocation] = {}
    for code, row in ATTRIBUTES.items():
        reads = {field.read for field in row.fields}
        if row.cls and issubclass(row.cls, Location) and reads <= {EntryStream.varint, EntryStream.attribute}:
            classes = [field.refers_to for field in row.fields if field.refers_to]
            locations[varint(code)[0]] = ReadLocation(len(row.fields), tuple(classes), row.build)
    return locations


PLAIN_LOCATIONS = _plain_locations()


class EntryTable:
    """Attributes have the numbers from 0, types those behind them."""

    def __init__(self, container: Container, resources: tuple[Resource, ...]) -> None:
        self._container = container
        self._resources = resources
        self._distinct_numbers = count()
        self._places = container.attributes + container.types
        self._waiting: dict[int, PendingEntry] = {}
        self._measures: dict[int, tuple[int, int]] = {}
        self.attribute_count = len(container.attributes)
        self.items: list[Item | None] = [None] * len(self._places)

    def attribute(self, number: int, cls: type[Kind], stream: Stream, what: str) -> Kind:
        """Returns the attribute of that number, which must be of a class; `stream` asks for it."""
        if number >= self.attribute_count:
            stream.fail(f"{what} is attribute number {number}, but there are only {self.attribute_count}")
        item = self.items[number]
        if item is None:
            item = self._decode(number)
        if not isinstance(item, cls):
            stream.fail(f"{what} is of the wrong kind: {_shown(item)}")
        return item

    def location(self, number: int, stream: Stream) -> Location:
        """Returns the location of that number."""
        item = None
        if number < self.attribute_count:
            item = self.items[number] or self._decode(number)
        return item if isinstance(item, Location) else self.attribute(number, Location, stream, "a location")

    def type(self, number: int, stream: Stream) -> Type:
        """Returns the type of that number, counted from 0."""
        number += self.attribute_count
        if number >= len(self.items):
            stream.fail(f"there is no type number {number - self.attribute_count}")
        item = self.items[number]
        if item is None:
            item = self._decode(number)
        assert isinstance(item, Type)
        return item

    def fields(self, stream: Stream) -> EntryStream:
        """Returns the same stretch of bytes with this table's references."""
        counts = (self.attribute_count, len(self.items) - self.attribute_count)
        return EntryStream(stream, self._container.strings, counts, self._resources, self._distinct_numbers)

    # -- decoding --------------------------------------------------------------------------------------------

    def _decode(self, number: int) -> Item:
        item = self._plain_location(number)
        if item is not None:
            return item
        waiting = self._open(number)
        if None not in [self.items[reference] for reference in waiting.references]:
            return self._close(number, waiting)
        return self._decode_deep(number)

    def _plain_location(self, number: int) -> Item | None:
        """Decodes a location that refers to what has been decoded, as a large program has one for each of its
        operations. None for all else, also where something is wrong with it.
        """
        dialect, start, end, is_custom = self._places[number]
        data = self._container.data
        plain = PLAIN_LOCATIONS.get(data[start]) if is_custom and start < end else None
        if plain is None or dialect != "builtin" or number >= self.attribute_count:
            return None
        stream = Stream(data, start + 1, end)
        try:
            numbers = stream.varints(plain.size, "a location")
            references = numbers[: len(plain.classes)]
            items = [
                self.items[reference] if reference < self.attribute_count else None
                for reference in references
            ]
            if stream.pos != end or not all(map(isinstance, items, plain.classes)):
                return None
            item = plain.build(*items, *numbers[len(items) :])
        except (BytecodeError, ValueError):
            return None
        self._keep(number, item, self._measured(references, True, stream))
        return item

    def _keep(self, number: int, item: Item, measures: tuple[int, int]) -> None:
        """Takes note of an item, how deep it nests, and how many parts it has."""
        self.items[number] = item
        self._measures[number] = measures

    def _decode_deep(self, number: int) -> Item:
        """Decodes an entry behind those that it refers to."""
        stack = [number]
        while stack:
            current = stack[-1]
            if self.items[current] is not None:
                stack.pop()
                continue
            waiting = self._waiting.get(current)
            if waiting is None:
                waiting = self._open(current)
                missing = [reference for reference in waiting.references if self.items[reference] is None]
                if missing:
                    self._waiting[current] = waiting
                    if any(reference in self._waiting for reference in missing):
                        waiting.stream.fail("an attribute or type contains itself")
                    stack += missing
                    continue
            self._waiting.pop(current, None)
            stack.pop()
            self._close(current, waiting)
        item = self.items[number]
        assert item is not None
        return item

    def _open(self, number: int) -> PendingEntry:
        """Reads an entry's fields; an entry that is text is read as a whole."""
        entry = self._places[number]
        stream = self.fields(Stream(self._container.data, entry.start, entry.end))
        is_type = number >= self.attribute_count
        if not entry.is_custom:
            item = _from_text(entry, stream, is_type)
            return PendingEntry(ItemRow("a text", (), lambda: item), [], [], stream)
        row = _row(entry, stream, is_type)
        values: list[Any] = []
        references: list[int] = []
        for field in row.fields:
            value = field.read(stream, f"{field.name} of {row.name}")
            values.append(value)
            if field.refers_to is not None and value is not None:
                references += value if isinstance(value, tuple) else [value]
        return PendingEntry(row, values, references, stream)

    def _close(self, number: int, waiting: PendingEntry) -> Item:
        row, stream = waiting.row, waiting.stream
        values = [
            self._resolved(field, value, row, stream)
            for field, value in zip(row.fields, waiting.values, strict=True)
        ]
        try:
            item = row.build(*values)
            if isinstance(item, WITH_RULES):
                parse_type(type_text(item))
        except ParseError as error:
            stream.fail(f"{row.name}: {error.diagnostics[0].message}", self._places[number].start)
        except ValueError as error:
            stream.fail(f"{row.name}: {error}", self._places[number].start)
        stream.finish(row.name)
        self._keep(number, item, self._measured(waiting.references, isinstance(item, Location), stream))
        return item

    def _resolved(self, field: Field, value: Any, row: ItemRow, stream: EntryStream) -> Any:
        """Returns a field's value with items in the place of their numbers."""
        if field.refers_to is None or value is None:
            return value
        if isinstance(value, tuple):
            numbers = cast("tuple[int, ...]", value)
            return tuple([self._checked(field, number, row, stream) for number in numbers])
        return self._checked(field, value, row, stream)

    def _checked(self, field: Field, number: int, row: ItemRow, stream: EntryStream) -> Item:
        item = self.items[number]
        assert field.refers_to is not None
        if not isinstance(item, field.refers_to):
            stream.fail(f"{field.name} of {row.name} is of the wrong kind: {_shown(item)}")
        return item

    def _measured(self, references: list[int], is_location: bool, stream: Stream) -> tuple[int, int]:
        """Returns how deep an item nests and how many parts it has.

        Refuses what could not be printed: nesting too deep, or entries that show one another too often.
        """
        depth = parts = 1
        for reference in references:
            inner_depth, inner_parts = self._measures[reference]
            depth = max(depth, inner_depth + 1)
            parts = min(parts + inner_parts, MOST_PARTS)
        if not is_location and depth > MAX_DEPTH:
            stream.fail(f"attributes and types nest more than {MAX_DEPTH} deep")
        if not is_location and parts > MAX_PARTS:
            stream.fail(f"an attribute or type has more than {MAX_PARTS} parts")
        return depth, parts


def _row(entry: EntryPlace, stream: EntryStream, is_type: bool) -> ItemRow:
    """Returns the row of an entry's code."""
    kind = "type" if is_type else "attribute"
    encoding = ENCODINGS.get(entry.dialect)
    if encoding is None:
        stream.fail(f"no binary form is known for a {kind} of the dialect '{entry.dialect}'")
    code = stream.varint(f"the code of a {kind}")
    row = (encoding.types if is_type else encoding.attributes).get(code)
    if row is None:
        stream.fail(f"the dialect '{entry.dialect}' has no {kind} with code {code}", entry.start)
    return row


def _from_text(entry: EntryPlace, stream: EntryStream, is_type: bool) -> Item:
    text = stream.text("the text of an attribute or type")
    try:
        return parse_type(text) if is_type else parse_attribute(text)
    except ParseError as error:
        raise BytecodeError(
            f"the text of an attribute or type: {error.diagnostics[0].message}", entry.start
        ) from None


def _shown(item: Item | None) -> str:
    """Returns a few words on an item, for messages: its class (its text may be long)."""
    return f"a{'n' if type(item).__name__[0] in 'AEIOU' else ''} {type(item).__name__}"
