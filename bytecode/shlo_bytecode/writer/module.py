"""Pieces of a module's file, and first versions that can hold it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import BinaryIO

from shlo.dialects.vhlo.versions import Version, version_text
from shlo.ir.collector import collector_paused
from shlo.ir.operations import Block, Module
from shlo.ir.source import BYTECODE_MAGIC
from shlo.ir.upper_layers import lowered
from shlo.ir.version import STABLEHLO_VERSION
from shlo_bytecode.container.errors import EncodingError
from shlo_bytecode.container.file import (
    DIALECTS,
    ENTRIES,
    ENTRY_SIZES,
    IR,
    NATIVE_PROPERTIES,
    NEWEST_VERSION,
    PROPERTIES,
    RESOURCE_SIZES,
    RESOURCES,
    STRINGS,
)
from shlo_bytecode.container.output import Bytes, OutputEntry, Part, ResourceKey, resolved, varint
from shlo_bytecode.tables.builtin import UNKNOWN_LOCATION
from shlo_bytecode.vhlo.versions import ARTIFACT_PRODUCER, Consumer, bytecode_version, opset_of
from shlo_bytecode.writer.casts import with_casts
from shlo_bytecode.writer.interning import Interner, PlainItems, VhloItems
from shlo_bytecode.writer.numbering import BlockPlan, OpLocations, Planner, Tables
from shlo_bytecode.writer.operation_forms import PlainForms, fits_dictionaries
from shlo_bytecode.writer.regions import RegionWriter
from shlo_bytecode.writer.sections import File, Strings, by_dialect, content, dialects, resources_of
from shlo_bytecode.writer.vhlo_forms import VhloForms, changing_versions

ANY_CONSUMER = Consumer()
CODED_SHARDINGS: Version = (1, 10, 4)
"""The StableHLO of the first jaxlib that reads Shardy's attributes by code, 0.6.0."""
PART = 1 << 22
"""The most bytes that are written at once."""


def bytecode_pieces(
    module: Module, version: int | None, producer: str, locations: bool, consumer: Consumer
) -> list[Bytes]:
    """Returns the pieces of a module in bytecode; see `shlo_bytecode.write`."""
    if version is None:
        version = min(consumer.bytecode, _readable_version(module))
    if not 0 <= version <= NEWEST_VERSION:
        raise ValueError(f"there is no bytecode version {version}; {NEWEST_VERSION} is the newest")
    coded_shardings = consumer.library is not None and consumer.library >= CODED_SHARDINGS
    interner = Interner(PlainItems(consumer.coded_floats, coded_shardings), {})
    forms = PlainForms(interner, version, consumer.library)
    return _pieces(module, version, producer, interner, forms, locations)


def _readable_version(module: Module) -> int:
    """Returns the version of bytecode that most tools read a program in.

    Properties of later versions have layouts that depend on the library's version; dictionaries have names.
    """
    signatures = {operation.signature for operation, _ in module.walk()}
    return NATIVE_PROPERTIES - 1 if all(map(fits_dictionaries, signatures)) else NEWEST_VERSION


def artifact_pieces(
    module: Module,
    target: str | None,
    locations: bool,
    consumer: Consumer = ANY_CONSUMER,
    *,
    keeps_chlo: bool = False,
) -> list[Bytes]:
    """Returns the pieces of a module as a portable artifact; see `shlo_bytecode.write_artifact`. Where it
    `keeps_chlo`, operations of CHLO stay, as in what `jax.export` writes.
    """
    if target is None:
        target = STABLEHLO_VERSION if consumer.library is None else version_text(consumer.library)
    module = module if keeps_chlo else lowered(module)
    opset = opset_of(target)
    version = bytecode_version(opset)
    entries: dict[Hashable, OutputEntry] = {}
    builtin = Interner(PlainItems(consumer.library is None or consumer.coded_floats), entries)
    vhlo = Interner(VhloItems(opset), entries, builtin)
    forms = VhloForms(opset, version, builtin, vhlo, consumer.library)
    module = with_casts(module, OpLocations(module, locations))
    return _pieces(module, version, f"{ARTIFACT_PRODUCER}{target}", builtin, forms, locations)


def first_version(module: Module) -> str | None:
    """Returns the first version of StableHLO whose artifacts can hold a program; None if none can."""
    for version in map(version_text, changing_versions()):
        try:
            artifact_pieces(module, version, False)
        except EncodingError:
            continue
        return version
    return None


def add_to(file: BinaryIO, pieces: Sequence[Bytes]) -> None:
    """Writes pieces into a file, long ones in parts: that is twice as quick where they are mapped."""
    for piece in pieces:
        if len(piece) <= PART:
            file.write(piece)
            continue
        view = memoryview(piece)
        for start in range(0, len(piece), PART):
            file.write(view[start : start + PART])


@collector_paused()  # what is made on the way is gone before the collector looks for it
def _pieces(
    module: Module, version: int, producer: str, interner: Interner, forms: PlainForms, locations: bool
) -> list[Bytes]:
    planner = Planner(forms, interner, OpLocations(module, locations))
    plan = planner.plan(Block([module.operation]))
    if planner.obstacles:
        raise EncodingError(planner.obstacles)
    unknown = interner.entry(UNKNOWN_LOCATION).encoded
    return FileWriter(module, version, producer, planner.tables).pieces(plan, unknown)


class FileWriter:
    """Writes a file whose tables are in order, its sections in MLIR's order."""

    def __init__(self, module: Module, version: int, producer: str, tables: Tables) -> None:
        self._module = module
        self._version = version
        self._producer = producer
        self._tables = tables
        self._strings = Strings()
        self._resources = _resource_keys(tables)
        self._properties: dict[bytes, int] = {}

    def pieces(self, plan: BlockPlan, unknown: bytes) -> list[Bytes]:
        """Returns the whole file; `unknown` is the number of the unknown location."""
        producer = self._producer.encode("utf-8", "surrogateescape").replace(b"\0", b"") + b"\0"
        file = File()
        file.add(BYTECODE_MAGIC, varint(self._version), producer)
        file.section(DIALECTS, dialects(self._tables, self._strings, self._version))
        sizes, bodies = self._entries()
        file.section(ENTRY_SIZES, sizes)
        file.section(ENTRIES, bodies)
        writer = RegionWriter(self._version, unknown, self._property)
        file.section(IR, [writer.root(plan)])
        self._add_resources(file)
        file.section(STRINGS, self._strings.content())
        if self._version >= NATIVE_PROPERTIES:
            file.section(PROPERTIES, self._property_content())
        return file.pieces

    def _entries(self) -> tuple[list[Bytes], list[Bytes]]:
        """Returns the sections of sizes and of the attributes and types themselves."""
        tables = self._tables
        sizes: list[Bytes] = [varint(len(tables.attributes)), varint(len(tables.types))]
        bodies: list[Bytes] = []
        for table in (tables.attributes, tables.types):
            for dialect, group in by_dialect(table):
                sizes += varint(tables.dialects[dialect]), varint(len(group))
                for entry in group:
                    body = self._body(entry)
                    sizes.append(varint(sum(map(len, body)) << 1 | (entry.text is None)))
                    bodies += body
        return sizes, bodies

    def _body(self, entry: OutputEntry) -> list[Bytes]:
        if entry.text is not None:
            return [entry.text]
        return resolved(entry.parts, self._strings, self._resource)

    def _resource(self, key: str) -> bytes:
        return varint(self._resources[key])

    def _property(self, parts: tuple[Part, ...]) -> int:
        """Returns the number of an entry of the properties section; equal ones are one."""
        data = b"".join(resolved(parts, self._strings, self._resource))
        return self._properties.setdefault(data, len(self._properties))

    def _property_content(self) -> list[Bytes]:
        pieces: list[Bytes] = [varint(len(self._properties))]
        for data in self._properties:
            pieces += varint(len(data)), data
        return pieces

    def _add_resources(self, file: File) -> None:
        resources = resources_of(self._module, self._resources)
        sizes, values, alignment = content(resources, self._tables.dialects.get("builtin", 0), self._strings)
        file.section(RESOURCE_SIZES, sizes)
        file.section(RESOURCES, values, alignment)


def _resource_keys(tables: Tables) -> dict[str, int]:
    """Returns the keys of resources that attributes refer to, numbered in the order in which they are met."""
    keys = [part.key for entry in tables.attributes for part in entry.parts if isinstance(part, ResourceKey)]
    return {key: number for number, key in enumerate(dict.fromkeys(keys))}
