"""Contents of a file of bytecode, as far as it is not damaged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from msgspec import Struct, field

from shlo.ir.attributes import Attribute
from shlo.ir.collector import collector_paused
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.elision import without_large
from shlo.ir.operations import Operation, functions_of
from shlo.ir.types import Type
from shlo.support.files import Data
from shlo.syntax import attribute_text, type_text
from shlo.text.shortening import clipped
from shlo_bytecode.container.errors import BytecodeError
from shlo_bytecode.container.file import SECTION_NAMES, Container, EntryPlace, open_container, open_partly
from shlo_bytecode.container.resources import Resources, read_resources
from shlo_bytecode.container.stream import Stream
from shlo_bytecode.reader.entries import EntryTable
from shlo_bytecode.reader.regions import RegionContext, RegionReader, container_module
from shlo_bytecode.tables.fields import Item
from shlo_bytecode.vhlo.versions import artifact_version

CONSTANT_FROM = 64
"""How many bytes a constant has at least that is listed."""
SHOWN_AT_MOST = 160
"""Characters of an attribute or type that are shown."""
VERSION_BYTES = 64
"""How many bytes of a dialect's version are looked at."""


class SectionPlace(NamedTuple):
    """A section: its name, where its content starts, how many bytes that has, and its alignment."""

    name: str
    offset: int
    size: int
    alignment: int


class InspectedConstant(NamedTuple):
    """The elements of a constant, or a resource: its type or key, where its entry starts, its bytes."""

    what: str
    offset: int
    size: int


class TraceStep(NamedTuple):
    """Attribute or type that was read: its kind, number and dialect, its bytes, and what it is."""

    kind: str
    number: int
    dialect: str
    start: int
    end: int
    is_binary: bool
    what: str


class Piece(NamedTuple):
    """A stretch of bytes, and what it is."""

    start: int
    end: int
    what: str


class Inspection(Struct):
    """What is in a file.

    `operations` counts operations by name, `dialects` what they have: operations' names, attributes, types;
    `dialect_versions` are those that the file states. `texts` are attributes and types that are stored as
    text, by dialect. `damage` is what ended the reading; all else is what was read before.
    """

    size: int
    version: int
    producer: str
    artifact: str | None
    sections: list[SectionPlace]
    dialects: dict[str, tuple[int, int, int]]
    dialect_versions: dict[str, str]
    strings: int = 0
    operations: Counter[str] = field(default_factory=Counter[str])
    functions: list[str] = field(default_factory=list[str])
    constants: list[InspectedConstant] = field(default_factory=list[InspectedConstant])
    texts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    has_use_lists: bool = False
    damage: BytecodeError | None = None


class _Watched(EntryTable):
    """EntryTable that tell when they are decoded."""

    def __init__(
        self, container: Container, resources: Resources, watch: Callable[[int, Item], None]
    ) -> None:
        super().__init__(container, resources.of_dialects)
        self._watch = watch

    def item(self, number: int) -> Item:
        """Returns the attribute or type of that number, types counted behind attributes."""
        item = self.items[number]
        return self._decode(number) if item is None else item

    def _keep(self, number: int, item: Item, measures: tuple[int, int]) -> None:
        super()._keep(number, item, measures)
        self._watch(number, item)


class _Counting(RegionReader):
    """Counts operations while they are read, and notes where they are."""

    def __init__(self, container: Container, entries: EntryTable, pieces: list[Piece] | None) -> None:
        super().__init__(container, entries)
        self.counts: Counter[str] = Counter()
        self._names = [name.name for name in container.operation_names]
        self._pieces = pieces

    def _operation(self, stream: Stream, outer: RegionContext, numbers: Iterator[bytes]) -> Operation | None:
        start = stream.pos
        number = Stream(stream.data, start, stream.end).index(len(self._names), "the name of an operation")
        self.counts[self._names[number]] += 1
        operation = super()._operation(stream, outer, numbers)
        if self._pieces is not None:
            self._pieces.append(Piece(start, stream.pos, f"operation {self._names[number]}"))
        return operation


def inspect(data: Data, trace: Callable[[TraceStep], None] | None = None) -> Inspection:
    """Returns what is in a file; `trace` is called with each attribute and type as it is read."""
    container, damage = open_partly(data)
    inspection = _outline(container)
    inspection.damage = damage
    if damage is None:
        with collector_paused():
            _read_all(container, inspection, trace)
    return inspection


def _outline(container: Container) -> Inspection:
    sections = [
        SectionPlace(SECTION_NAMES[number], section.start, section.end - section.start, section.alignment)
        for number, section in container.sections.items()
    ]
    counts = {name: [0, 0, 0] for name in container.dialects}
    for operation in container.operation_names:
        counts.setdefault(operation.name.partition(".")[0], [0, 0, 0])[0] += 1
    for index, places in enumerate((container.attributes, container.types), 1):
        for section in places:
            counts[section.dialect][index] += 1
    return Inspection(
        len(container.data),
        container.version,
        container.producer,
        artifact_version(container.producer),
        sections,
        {name: (names, attributes, types) for name, (names, attributes, types) in counts.items()},
        dialect_versions(container),
        len(container.strings),
    )


def dialect_versions(container: Container) -> dict[str, str]:
    """Returns the versions of dialects that a file states, as far as they are numbers."""
    versions: dict[str, str] = {}
    for name, extent in container.dialect_versions.items():
        stream = Stream(container.data, extent.start, min(extent.end, extent.start + VERSION_BYTES))
        numbers: list[str] = []
        with suppress(BytecodeError):
            while stream.remaining:
                numbers.append(str(stream.varint("a number of a version")))
        if numbers:
            versions[name] = ".".join(numbers)
    return versions


def written(data: Data) -> Iterator[TraceStep]:
    """Yields the attributes and types of a file in the order of writing; raises BytecodeError."""
    container = open_container(data)
    entries = _Watched(container, read_resources(container), lambda number, item: None)
    for number, entry in enumerate(container.attributes + container.types):
        yield step_of(container, number, entry, entries.item(number))


def _read_all(
    container: Container, inspection: Inspection, trace: Callable[[TraceStep], None] | None
) -> None:
    """Reads the program and fills in what it holds."""
    places = container.attributes + container.types

    def watch(number: int, item: Item) -> None:
        if trace is not None:
            trace(step_of(container, number, places[number], item))

    try:
        resources = read_resources(container)
        entries = _Watched(container, resources, watch)
        reader = _Counting(container, entries, None)
        inspection.operations = reader.counts
        operation = container_module(*reader.root())
        inspection.has_use_lists = reader.has_use_lists
        inspection.functions = [
            function.name for region in operation.regions for function in functions_of(region)
        ]
        inspection.constants = _constants(container, entries, resources)
    except BytecodeError as error:
        inspection.damage = error
    inspection.texts = Counter(
        [(entry.dialect, _stored_text(container, entry)) for entry in places if not entry.is_custom]
    )


def step_of(container: Container, number: int, entry: EntryPlace, item: Item) -> TraceStep:
    """Returns what is to be said of an attribute or type; `number` counts types behind attributes."""
    is_type = number >= len(container.attributes)
    kind = "type" if is_type else "attribute"
    number_of_kind = number - len(container.attributes) if is_type else number
    return TraceStep(
        kind, number_of_kind, entry.dialect, entry.start, entry.end, entry.is_custom, in_words(item)
    )


def in_words(item: Item) -> str:
    """Returns a few words on an attribute or type: its text, of elements the type alone."""
    if isinstance(item, DenseElementsAttr):
        return f"elements of {type_text(item.type)}"
    if isinstance(item, Attribute):
        item = without_large(item, SHOWN_AT_MOST)
    try:
        text = _text(item)
    except (KeyError, RecursionError):  # a part of others has no text, one that nests too deep none here
        text = type(item).__name__
    return clipped(text, SHOWN_AT_MOST)


def _text(item: Item) -> str:
    if isinstance(item, Type):
        return type_text(item)
    return attribute_text(item) if isinstance(item, Attribute) else repr(item)


def _constants(container: Container, entries: EntryTable, resources: Resources) -> list[InspectedConstant]:
    """Returns elements and resources, the largest first."""
    constants = [
        InspectedConstant(f"resource {resource.key}", _offset(container, resource.value), len(resource.value))
        for resource in resources.of_dialects
        if isinstance(resource.value, memoryview)
    ]
    for number, entry in enumerate(container.attributes):
        item = entries.items[number]
        if entry.end - entry.start >= CONSTANT_FROM and isinstance(item, DenseElementsAttr):
            constants.append(InspectedConstant(type_text(item.type), entry.start, entry.end - entry.start))
    return sorted(constants, key=lambda constant: -constant.size)


def _offset(container: Container, value: memoryview) -> int:
    """Returns where a view into a file starts."""
    import numpy as np

    whole = np.frombuffer(container.data, np.uint8)
    part = np.frombuffer(value, np.uint8) if len(value) else whole[:0]
    return part.__array_interface__["data"][0] - whole.__array_interface__["data"][0]


def _stored_text(container: Container, entry: EntryPlace) -> str:
    end = min(entry.end, entry.start + 4 * (SHOWN_AT_MOST + 1))  # a character has four bytes at most
    text = bytes(container.data[entry.start : end]).rstrip(b"\0").decode("utf-8", "replace")
    return clipped(text, SHOWN_AT_MOST)


def pieces(data: Data) -> tuple[list[Piece], BytecodeError | None]:
    """Returns the file in pieces, in order and without gaps; what is damaged is the last one."""
    container, damage = open_partly(data)
    shown = [
        Piece(section.start, section.end, f"section of {SECTION_NAMES[number]}")
        for number, section in container.sections.items()
    ]
    operations: list[Piece] = []
    entries: list[Piece] = []
    places = container.attributes + container.types

    def watch(number: int, item: Item) -> None:
        step = step_of(container, number, places[number], item)
        entries.append(Piece(step.start, step.end, f"{step.kind} {step.number}: {step.what}"))

    if damage is None:
        try:
            reader = _Counting(container, _Watched(container, read_resources(container), watch), operations)
            reader.root()
        except BytecodeError as error:
            damage = error
    return _without_gaps(container, shown, sorted(entries + operations)), damage


def _without_gaps(container: Container, sections: list[Piece], details: list[Piece]) -> list[Piece]:
    """Returns all of the file: sections split where their details are, and headers between them."""
    without_gaps: list[Piece] = []
    at = 0
    for section in sorted(sections):
        if at < section.start:
            without_gaps.append(Piece(at, section.start, "header" if at == 0 else "header of a section"))
        at = section.start
        inside = [piece for piece in details if section.start <= piece.start < section.end]
        ends = [piece.start for piece in inside[1:]] + [section.end]
        for piece, end in zip(inside, ends):
            if at < piece.start:
                without_gaps.append(Piece(at, piece.start, section.what))
            at = min(piece.end, end)
            without_gaps.append(piece._replace(end=at))
        if at < section.end:
            without_gaps.append(Piece(at, section.end, section.what))
        at = section.end
    if at < len(container.data):
        without_gaps.append(Piece(at, len(container.data), "not read"))
    return without_gaps
