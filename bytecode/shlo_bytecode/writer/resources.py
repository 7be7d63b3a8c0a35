"""Sections of resources: those that attributes refer to, and those of tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from shlo.ir.operations import Module
from shlo_bytecode.container.output import Bytes, varint
from shlo_bytecode.container.resources import BLOB, Resource, ResourceTexts
from shlo_bytecode.container.stream import PADDING
from shlo_bytecode.writer.sections import Strings

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
