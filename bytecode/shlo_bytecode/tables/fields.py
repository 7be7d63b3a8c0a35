"""The kinds of fields that attributes and types consist of, and the rows that put them together.

A row is one attribute or type: its fields, how it is built from their values, and how these are taken from
it again; its code is in the dialect's table. Fields are read before what they refer to is decoded: a
reference is a number at first, and the item behind it when the row is built (`entries.py`), so nothing here
recurses. They are written when what they refer to has become an entry (`interning.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import force_setattr

from shlo.ir.attributes import Attribute
from shlo.ir.types import Type
from shlo_bytecode.container.output import EntryParts
from shlo_bytecode.container.resources import Resource
from shlo_bytecode.container.stream import INT64_MIN, Stream


class FieldPart:
    """A piece of attributes that is an entry in the file, but no attribute of ours."""

    __slots__ = ()


Item = Attribute | Type | FieldPart


class EntryStream(Stream):
    """The bytes of one attribute or type, with the tables that its fields refer to.

    References to attributes are numbered from 0, those to types behind them.
    """

    __slots__ = ("attribute_count", "distinct_numbers", "resources", "strings", "type_count")

    def __init__(
        self,
        stream: Stream,
        strings: list[str],
        counts: tuple[int, int],
        resources: tuple[Resource, ...],
        distinct_numbers: Iterator[int],
    ) -> None:
        super().__init__(stream.data, stream.pos, stream.end)
        self.distinct_numbers = distinct_numbers
        self.strings = strings
        self.attribute_count, self.type_count = counts
        self.resources = resources

    def string(self, what: str) -> str:
        """Reads a reference to a string."""
        return self.strings[self.index(len(self.strings), what)]

    def attribute(self, what: str) -> int:
        """Returns a reference to an attribute."""
        return self.index(self.attribute_count, what)

    def optional_attribute(self, what: str) -> int | None:
        """Returns a reference to an attribute, or none."""
        start = self.pos
        value = self.varint(what)
        if value == 0:
            return None
        if not value & 1 or value >> 1 >= self.attribute_count:
            self.fail(f"{what} is no reference to one of {self.attribute_count} attributes", start)
        return value >> 1

    def type(self, what: str) -> int:
        """Returns a reference to a type."""
        return self.attribute_count + self.index(self.type_count, what)


class Field(Struct, frozen=True):
    """A field: what errors call it, how it is read, how it is written.

    A reference must be to an item of class `refers_to`.
    """

    name: str
    read: Callable[[EntryStream, str], Any]
    write: Callable[[EntryParts, Any], None]
    refers_to: type[Item] | None = None


Take = Callable[[Any], tuple[Any, ...] | None]
"""The values of a row's fields, taken from an item of its class; None where the row is not the item's."""


class ItemRow(Struct, frozen=True):
    """An attribute or type: its name in errors, its fields, and how it is built from them (ValueError where
    they do not go together); the class of what is written with it, and how the fields' values are taken from
    it (by default, the first fields of a record). Rows without a class are read only.
    """

    name: str
    fields: tuple[Field, ...]
    build: Callable[..., Item]
    cls: type[Item] | None = None
    take: Take | None = None

    def __post_init__(self) -> None:
        if self.cls is not None and self.take is None:
            force_setattr(self, "take", _members(self.cls, len(self.fields)))


class Encoding(Struct, frozen=True):
    """What a dialect encodes in binary: its attributes and types by code; `written` are further rows, with
    their codes, of what is written as an attribute that has another row.
    """

    attributes: Mapping[int, ItemRow]
    types: Mapping[int, ItemRow]
    written: tuple[tuple[int, ItemRow], ...] = ()


varint = partial(Field, read=EntryStream.varint, write=EntryParts.varint)
"""An unsigned number."""
signed = partial(Field, read=EntryStream.signed, write=EntryParts.signed)
string = partial(Field, read=EntryStream.string, write=EntryParts.string)
double = partial(Field, read=EntryStream.double, write=EntryParts.double)
blob = partial(Field, read=EntryStream.blob, write=EntryParts.blob)
"""Bytes after their length."""
flag = partial(
    Field,
    read=lambda stream, what: stream.byte(what) != 0,
    write=lambda parts, value: parts.raw(bytes([value])),
)
"""A truth as one raw byte; as in MLIR's reader, any byte but 0 is true."""
truth = partial(Field, read=lambda stream, what: bool(stream.index(2, what)), write=EntryParts.varint)
"""A truth as a number."""
type_ = partial(Field, read=EntryStream.type, write=EntryParts.reference, refers_to=Type)


def resource(name: str) -> Field:
    """Returns a resource by its number."""
    return Field(
        name,
        lambda stream, what: stream.resources[stream.index(len(stream.resources), what)],
        EntryParts.resource,
    )


def rest(name: str, write: Callable[[EntryParts, Any], None]) -> Field:
    """Returns the rest of the entry, whose meaning depends on what the fields before it refer to."""
    return Field(name, lambda stream, _: stream, write)


def word(name: str, words: tuple[str, ...], first: int = 0) -> Field:
    """Returns a word of an enumeration whose first number is `first`."""

    def read(stream: EntryStream, what: str) -> str:
        number = stream.index(len(words) + first, what)
        if number < first:
            stream.fail(f"{what} is no number of its enumeration")
        return words[number - first]

    return Field(name, read, lambda parts, value: parts.varint(words.index(value) + first))


def attribute(name: str, refers_to: type[Item] = Attribute) -> Field:
    """Returns an attribute, of class `refers_to`."""
    return Field(name, EntryStream.attribute, EntryParts.reference, refers_to)


def optional_attribute(name: str, refers_to: type[Item] = Attribute) -> Field:
    """Returns an attribute of class `refers_to` that may be absent."""
    return Field(name, EntryStream.optional_attribute, EntryParts.optional, refers_to)


def items(field: Field, size: int = 1) -> Field:
    """Returns a list of such fields, each of at least `size` bytes."""

    def read(stream: EntryStream, what: str) -> tuple[Any, ...]:
        return tuple([field.read(stream, what) for _ in range(stream.count(what, size))])

    def write(parts: EntryParts, values: tuple[Any, ...]) -> None:
        parts.varint(len(values))
        for value in values:
            field.write(parts, value)

    return Field(field.name, read, write, field.refers_to)


def pairs(name: str) -> Field:
    """Returns a list of pairs of attributes, as one list of twice the length."""

    def read(stream: EntryStream, what: str) -> tuple[int, ...]:
        return tuple([stream.attribute(what) for _ in range(2 * stream.count(what, 2))])

    def write(parts: EntryParts, values: tuple[Any, ...]) -> None:
        parts.varint(len(values) // 2)
        for value in values:
            parts.reference(value)

    return Field(name, read, write, Attribute)


def presence(field: Field, of: Callable[[str], Field]) -> Field:
    """Returns a field behind a truth (of this kind) that says whether it is there."""
    is_there = of(field.name)

    def read(stream: EntryStream, what: str) -> Any:
        return field.read(stream, what) if is_there.read(stream, what) else None

    def write(parts: EntryParts, value: Any) -> None:
        is_there.write(parts, value is not None)
        if value is not None:
            field.write(parts, value)

    return Field(field.name, read, write, field.refers_to)


def sizes(name: str) -> Field:
    """Returns the sizes of a shape; the smallest number represents an unknown one."""
    return items(Field(name, _size, lambda parts, size: parts.signed(INT64_MIN if size is None else size)))


def numbers(name: str) -> Field:
    """Returns a list of signed numbers."""
    return items(signed(name))


def struct(cls: type[Item], *fields: Field) -> ItemRow:
    """Returns a row whose fields are the parameters of a record, in their order."""
    return ItemRow(cls.__name__, fields, cls, cls)


BY_ANNOTATION = {"int": signed, "Int64s": numbers, "bool": flag, "str": string, "Type": type_}


def record(cls: type[Item]) -> ItemRow:
    """Returns the row of a record whose annotations say how its fields are written."""
    return struct(cls, *[BY_ANNOTATION[kind](name) for name, kind in cls.__annotations__.items()])


def _members(cls: type[Item], count: int) -> Take:
    """Takes the first `count` fields of a record."""
    names = cast("tuple[str, ...]", getattr(cls, "__match_args__", ()))[:count]
    if not names:
        return lambda _: ()
    if len(names) == 1:
        name = names[0]
        return lambda item: (getattr(item, name),)
    return attrgetter(*names)


def _size(stream: EntryStream, what: str) -> int | None:
    start = stream.pos
    size = stream.signed(what)
    if size == INT64_MIN:
        return None
    if size < 0:
        stream.fail(f"{what} holds the size {size}", start)
    return size
