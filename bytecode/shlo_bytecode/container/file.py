"""Container: magic, version, producer, sections, strings, dialects, names. Format: `bytecode/README.md`."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, field

from shlo.ir.source import BYTECODE_MAGIC
from shlo.support.files import Data
from shlo_bytecode.container.errors import BytecodeError
from shlo_bytecode.container.stream import Stream, decode

NEWEST_VERSION = 6

STRINGS, DIALECTS, ENTRIES, ENTRY_SIZES, IR, RESOURCES, RESOURCE_SIZES, DIALECT_VERSION, PROPERTIES = range(9)
SECTION_NAMES = (
    "strings",
    "dialects",
    "attributes and types",
    "sizes of attributes and types",
    "operations",
    "resources",
    "sizes of resources",
    "dialect version",
    "properties",
)
REQUIRED = (STRINGS, DIALECTS, ENTRIES, ENTRY_SIZES, IR)

FLAGGED_DIALECTS = 1
LAZY_REGIONS = 2
USE_LISTS = 3
COUNTED_NAMES = 4
NATIVE_PROPERTIES = 5
NATIVE_SEGMENTS = 6
"""The versions of the format that first had these; see `bytecode/README.md`."""

(HAS_ATTRIBUTES, HAS_RESULTS, HAS_OPERANDS, HAS_SUCCESSORS, HAS_REGIONS, HAS_USE_LISTS, HAS_PROPERTIES) = (
    1 << bit for bit in range(7)
)
"""Which parts an operation has: bits of one byte."""


class Section(Struct, frozen=True):
    """Where the content of a section is, and its alignment (1 where none is stated)."""

    start: int
    end: int
    alignment: int = 1


class OperationName(NamedTuple):
    """A name of operations; `registered` says that its properties have the operation's own layout."""

    name: str
    registered: bool


class EntryPlace(NamedTuple):
    """Where the attribute or type is, whose it is, and whether it has a binary form (or is a text)."""

    dialect: str
    start: int
    end: int
    is_custom: bool


class Container(Struct):
    """A file taken apart as far as its sections and tables; nothing of its program has been decoded."""

    data: Data
    version: int = -1
    producer: str = ""
    sections: dict[int, Section] = field(default_factory=dict[int, Section])
    strings: list[str] = field(default_factory=list[str])
    dialects: list[str] = field(default_factory=list[str])
    dialect_versions: dict[str, Section] = field(default_factory=dict[str, Section])
    operation_names: list[OperationName] = field(default_factory=list[OperationName])
    attributes: list[EntryPlace] = field(default_factory=list[EntryPlace])
    types: list[EntryPlace] = field(default_factory=list[EntryPlace])

    def stream(self, section: int) -> Stream:
        """Returns the content of a section, which must be there."""
        extent = self.sections[section]
        return Stream(self.data, extent.start, extent.end)


def is_bytecode(data: Data) -> bool:
    """Returns whether the bytes start as MLIR bytecode does."""
    return data[: len(BYTECODE_MAGIC)] == BYTECODE_MAGIC


def open_container(data: Data) -> Container:
    """Takes a file apart; raises BytecodeError."""
    container, damage = open_partly(data)
    if damage is not None:
        raise damage
    return container


def open_partly(data: Data) -> tuple[Container, BytecodeError | None]:
    """Takes a file apart as far as it is valid; what is wrong where it is not."""
    container = Container(data)
    try:
        _open(container)
    except BytecodeError as error:
        return container, error
    return container, None


def _open(container: Container) -> None:
    stream = Stream(container.data)
    if not is_bytecode(container.data):
        stream.fail("this is no MLIR bytecode: it does not start with 4D 4C EF 52")
    stream.pos = len(BYTECODE_MAGIC)
    container.version = stream.varint("the version")
    if container.version > NEWEST_VERSION:
        stream.fail(
            f"the bytecode has version {container.version}, but {NEWEST_VERSION} is the newest known", 4
        )
    container.producer = stream.text("the producer")
    while stream.remaining:
        start = stream.pos
        number, section = read_section(stream)
        if number in container.sections:
            stream.fail(f"there are two sections of {SECTION_NAMES[number]}", start)
        container.sections[number] = section
    _check_sections(container, stream)
    container.strings = _strings(container.stream(STRINGS))
    _read_dialects(container)
    _read_entry_places(container)


def read_section(stream: Stream, sections: tuple[int, ...] = ()) -> tuple[int, Section]:
    """Returns a section's header; its content is passed over."""
    start = stream.pos
    first = stream.byte("the number of a section")
    number, is_aligned = first & 0x7F, bool(first & 0x80)
    if number >= len(SECTION_NAMES) or (sections and number not in sections):
        stream.fail(f"there is no section number {number} here", start)
    what = f"the section of {SECTION_NAMES[number]}"
    length = stream.varint(f"the length of {what}")
    alignment = 1
    if is_aligned:
        alignment = stream.varint(f"the alignment of {what}")
        stream.align(alignment, what)
    stream.raw(length, what)
    return number, Section(stream.pos - length, stream.pos, alignment)


def _check_sections(container: Container, stream: Stream) -> None:
    required = (*REQUIRED, PROPERTIES) if container.version >= NATIVE_PROPERTIES else REQUIRED
    for number in required:
        if number not in container.sections:
            stream.fail(f"there is no section of {SECTION_NAMES[number]}")
    if (RESOURCES in container.sections) != (RESOURCE_SIZES in container.sections):
        stream.fail("of the two sections of resources, one is missing")


def _strings(stream: Stream) -> list[str]:
    """Lengths from the last to the first, each with its closing byte; then the strings.

    As in MLIR's reader, the closing byte is passed over, whatever it is.
    """
    count = stream.count("strings", 2)
    lengths = stream.varints(count, "the length of a string")
    strings: list[str] = []
    for length in reversed(lengths):
        data = bytes(stream.raw(length, "a string"))
        if not data:
            stream.fail("a string has no closing byte")
        strings.append(decode(data[:-1]))
    stream.finish("the strings")
    return strings


def _read_dialects(container: Container) -> None:
    stream, strings = container.stream(DIALECTS), container.strings
    for _ in range(stream.count("dialects")):
        number, has_version = (stream.varint("a dialect's name"), False)
        if container.version >= FLAGGED_DIALECTS:
            number, has_version = number >> 1, bool(number & 1)
        if number >= len(strings):
            stream.fail(f"a dialect's name is string number {number}, but there are only {len(strings)}")
        container.dialects.append(strings[number])
        if has_version:
            container.dialect_versions[strings[number]] = read_section(stream, (DIALECT_VERSION,))[1]
    if container.version >= COUNTED_NAMES:
        stream.varint("the number of operation names")
    while stream.remaining:
        _read_names(container, stream)


def _read_names(container: Container, stream: Stream) -> None:
    """The names of one dialect's operations, or of some of them."""
    dialect = container.dialects[stream.index(len(container.dialects), "the dialect of operation names")]
    for _ in range(stream.count("operation names")):
        start, registered = stream.pos, True
        number = stream.varint("an operation's name")
        if container.version >= NATIVE_PROPERTIES:
            number, registered = number >> 1, bool(number & 1)
        if number >= len(container.strings):
            stream.fail(f"an operation's name is string number {number}, which there is not", start)
        name = container.strings[number]
        if not (name or dialect) or "\0" in f"{dialect}{name}":
            stream.fail("an operation's name is empty or has a zero byte", start)
        container.operation_names.append(OperationName(f"{dialect}.{name}" if name else dialect, registered))


def _read_entry_places(container: Container) -> None:
    """Only sizes are stored: attributes first, then types, back to back."""
    stream, bodies = container.stream(ENTRY_SIZES), container.stream(ENTRIES)
    counts = stream.varint("the number of attributes"), stream.varint("the number of types")
    for places, count in zip((container.attributes, container.types), counts, strict=True):
        while len(places) < count:
            _read_group(container, stream, bodies, places)
        if len(places) > count:
            stream.fail(f"there are {len(places)} attributes or types, but the file states {count}")
    stream.finish("the sizes of attributes and types")


def _read_group(container: Container, stream: Stream, bodies: Stream, places: list[EntryPlace]) -> None:
    dialect = container.dialects[stream.index(len(container.dialects), "the dialect of an attribute or type")]
    count = stream.count("attributes or types of a dialect")
    if count == 0:
        stream.fail("a group of attributes or types is empty")
    start, limit = bodies.pos, bodies.end
    for size in stream.varints(count, "the size of an attribute or type"):
        end = start + (size >> 1)
        if end > limit:
            bodies.pos = start
            bodies.raw(size >> 1, "an attribute or type")
        places.append(EntryPlace(dialect, start, end, bool(size & 1)))
        start = end
    bodies.pos = start
