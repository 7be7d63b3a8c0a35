"""The section of properties: the inherent attributes of operations, from version 5 on."""

from __future__ import annotations

from shlo.ir.attributes import Attribute, DenseArrayAttr, DictionaryAttr
from shlo.ir.types import I32
from shlo_bytecode.container.errors import BytecodeError
from shlo_bytecode.container.file import NATIVE_PROPERTIES, NATIVE_SEGMENTS, PROPERTIES, Container
from shlo_bytecode.container.stream import Stream
from shlo_bytecode.reader.entries import EntryTable
from shlo_bytecode.tables.properties import PropertyLayout, layouts_of
from shlo_bytecode.vhlo.defaults import Attributes
from shlo_bytecode.vhlo.upgrade import is_vhlo


class PropertyReader:
    """Decodes entries of the section; each is decoded once for a name of operations."""

    def __init__(self, container: Container, entries: EntryTable) -> None:
        self._container = container
        self._entries = entries
        self._version = container.version
        self._places = _property_places(container) if self._version >= NATIVE_PROPERTIES else []
        self._known: dict[tuple[int, int], Attributes] = {}

    def values(self, stream: Stream, name: int, number: int) -> Attributes:
        """Returns the attributes in entry `number` of operations with name number `name`, for `stream`."""
        if number >= len(self._places):
            stream.fail(f"there are no properties number {number}")
        key = (name, number)
        if key not in self._known:
            self._known[key] = self._decoded(self._places[number], *self._container.operation_names[name])
        return self._known[key]

    def _decoded(self, extent: tuple[int, int], name: str, registered: bool) -> Attributes:
        stream = Stream(self._container.data, *extent)
        if not registered:
            # MLIR keeps these as one attribute, and passes over what follows its number.
            number = stream.varint("the properties")
            return self._entries.attribute(number, DictionaryAttr, stream, "the properties").as_dict()
        layouts = layouts_of(name)
        if not layouts:
            if is_vhlo(name):
                return self._nameless(stream, name)
            stream.fail(f"{name}: its properties are not known")
        for layout in layouts[:-1]:
            try:
                return self._laid_out(Stream(stream.data, *extent), name, layout)
            except BytecodeError:
                continue
        return self._laid_out(stream, name, layouts[-1])

    def _nameless(self, stream: Stream, name: str) -> Attributes:
        """Returns the attributes of a later VHLO operation, all of which are there, by their numbers."""
        attributes: Attributes = {}
        fields = self._entries.fields(stream)
        while fields.remaining:
            what = f"attribute {len(attributes)} of {name}"
            attributes[f"attribute_{len(attributes)}"] = self._entries.attribute(
                fields.attribute(what), Attribute, fields, what
            )
        return attributes

    def _laid_out(self, stream: Stream, name: str, layout: PropertyLayout) -> Attributes:
        """Returns the attributes of an entry in the order of a layout."""
        attributes: Attributes = {}
        fields = self._entries.fields(stream)
        slots = layout.slots
        if self._version < NATIVE_SEGMENTS:
            slots = tuple(sorted((*slots, *[(segments, False) for segments in layout.segments])))
        for slot, optional in slots:
            what = f"{slot} of {name}"
            number = fields.optional_attribute(what) if optional else fields.attribute(what)
            if number is not None:
                attributes[slot] = self._entries.attribute(number, Attribute, fields, what)
        if self._version >= NATIVE_SEGMENTS:
            for segments, size in layout.segments.items():
                attributes[segments] = DenseArrayAttr(
                    I32, _sparse_numbers(fields, size, f"{segments} of {name}")
                )
        fields.finish(f"the properties of {name}")
        return attributes


def _property_places(container: Container) -> list[tuple[int, int]]:
    """Returns where each entry of the properties section starts and ends."""
    stream = container.stream(PROPERTIES)
    places: list[tuple[int, int]] = []
    for _ in range(stream.count("properties")):
        data = stream.blob("properties")
        places.append((stream.pos - len(data), stream.pos))
    stream.finish("the properties")
    return places


def _sparse_numbers(stream: Stream, size: int, what: str) -> tuple[int, ...]:
    """Sizes of segments: all of them, or those that are not 0 with their places."""
    start = stream.pos
    count, sparse = stream.flagged(what)
    if count > size or (count < size and not sparse):
        stream.fail(f"{what} are {count} numbers, not {size}", start)
    if not sparse:
        return tuple([stream.varint(what) for _ in range(count)])
    numbers = [0] * size
    bits = stream.index(64, what) if count else 0
    for _ in range(count):
        number = stream.varint(what)
        index = number & ((1 << bits) - 1)
        if index >= size:
            stream.fail(f"{what} have no place {index}")
        numbers[index] = number >> bits
    return tuple(numbers)
