"""Sections, strings and the tables of dialects and names, as bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from shlo.ir.operations import Module
from shlo_bytecode.container.file import COUNTED_NAMES, FLAGGED_DIALECTS, NATIVE_PROPERTIES
from shlo_bytecode.container.output import Bytes, varint
from shlo_bytecode.container.resources import BLOB, Resource, ResourceTexts
from shlo_bytecode.container.stream import PADDING
from shlo_bytecode.writer.numbering import Ordered, Tables

ALIGNED = 0x80


def section(number: int, length: int) -> bytes:
    """Returns the header of a section without alignment."""
    return bytes((number,)) + varint(length)


class Strings:
    """The table of strings: each once, in the order in which they are first used."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, text: str) -> bytes:
        """Returns the number of a string, as it is written."""
        return varint(self._numbers.setdefault(text, len(self._numbers)))

    def number(self, text: str) -> int:
        """Returns the number of a string, a new one at first use."""
        return self._numbers.setdefault(text, len(self._numbers))

    def content(self) -> list[Bytes]:
        """Returns the section: lengths from the last to the first, with the closing zero; the strings."""
        texts = [text.encode("utf-8", "surrogateescape") + b"\0" for text in self._numbers]
        lengths = [varint(len(text)) for text in reversed(texts)]
        return [varint(len(texts)), *lengths, *texts]


def dialects(tables: Tables, strings: Strings, version: int) -> list[Bytes]:
    """Returns the section of dialects and the names of operations. Dialects have no versions."""
    flags = int(version >= FLAGGED_DIALECTS)
    pieces: list[Bytes] = [varint(len(tables.dialects))]
    pieces += [varint(strings.number(dialect) << flags) for dialect in tables.dialects]
    if version >= COUNTED_NAMES:
        pieces.append(varint(len(tables.names)))
    for dialect, group in by_dialect(tables.names):
        pieces += varint(tables.dialects[dialect]), varint(len(group))
        for name in group:
            number = strings.number(name.name)
            native = version >= NATIVE_PROPERTIES
            pieces.append(varint(number << 1 | name.registered if native else number))
    return pieces


def by_dialect(table: Sequence[Ordered]) -> list[tuple[str, list[Ordered]]]:
    """Neighbours of one dialect, with its name."""
    return [(dialect, list(group)) for dialect, group in groupby(table, key=lambda entry: entry.dialect)]


class File:
    """The pieces of a file, and how long they are together."""

    def __init__(self) -> None:
        self.pieces: list[Bytes] = []
        self.size = 0

    def add(self, *pieces: Bytes) -> None:
        """Appends pieces."""
        self.pieces += pieces
        self.size += sum(map(len, pieces))

    def section(self, number: int, content: Sequence[Bytes], alignment: int = 1) -> None:
        """Adds a section; where its content must be aligned and would not be, the header says so."""
        length = sum(map(len, content))
        header = section(number, length)
        if (self.size + len(header)) % alignment:
            header = bytes((number | ALIGNED,)) + header[1:] + varint(alignment)
            header += bytes((PADDING,)) * (-(self.size + len(header)) % alignment)
        self.add(header, *content)


# --- resources ----------------------------------------------------------------------------------------------


DIALECT_SECTION, GROUP = "dialect_resources", "builtin"
ALIGNMENT_DIGITS = 8
MOST_ALIGNMENT = 16
"""JAX's tools read no section with a larger alignment."""


class Content(NamedTuple):
    """The two sections, and the alignment that the second one needs."""

    sizes: list[Bytes]
    values: list[Bytes]
    alignment: int


def resources_of(module: Module, keys: Iterable[str]) -> dict[str, Resource | None]:
    """Returns the builtin resources of these keys; None where the module has no such."""
    return {key: _resource(module.resources, key) for key in keys}


def _resource(resources: Mapping[tuple[str, ...], str | bytes], key: str) -> Resource | None:
    path = (DIALECT_SECTION, GROUP, key)
    if isinstance(resources, ResourceTexts):
        return resources.resource(path)
    value = resources.get(path)
    if value is None:
        return None
    if isinstance(value, bytes):
        return Resource(DIALECT_SECTION, GROUP, key, memoryview(value))
    data = bytes.fromhex(value[2 + ALIGNMENT_DIGITS :])
    alignment = int.from_bytes(bytes.fromhex(value[2 : 2 + ALIGNMENT_DIGITS]), "little")
    return Resource(DIALECT_SECTION, GROUP, key, memoryview(data), alignment)


def content(resources: Mapping[str, Resource | None], dialect: int, strings: Strings) -> Content:
    """Returns the sections; `dialect` is the number of the builtin dialect.

    Resources without content come last.
    """
    values: list[Bytes] = []
    entries: list[bytes] = []
    size, alignment = 0, 1
    ordered = sorted(resources.items(), key=lambda item: item[1] is None or item[1].value is None)
    for key, resource in ordered:
        pieces: list[Bytes] = []
        if resource is not None and isinstance(resource.value, memoryview):
            pieces = _blob(resource.value, resource.alignment, size)
            alignment = max(alignment, min(resource.alignment, MOST_ALIGNMENT))
        length = sum(map(len, pieces))
        entries.append(strings(key) + varint(length) + bytes((BLOB,)))
        values += pieces
        size += length
    sizes = [varint(0)]
    if entries:
        sizes += varint(dialect), varint(len(entries)), *entries
    return Content(list(sizes), values, alignment)


def _blob(data: memoryview, alignment: int, offset: int) -> list[Bytes]:
    """Alignment, length, padding and content of a blob that starts at an offset of its section."""
    alignment = max(min(alignment, MOST_ALIGNMENT), 1)
    header = varint(alignment) + varint(len(data))
    return [header + bytes((PADDING,)) * (-(offset + len(header)) % alignment), data]
