"""Common part of the operations of one signature: name, attributes, properties, result types."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.dialects.vhlo.versions import Version, version_text
from shlo.ir.attributes import Attribute, DenseArrayAttr, DictionaryAttr
from shlo.ir.operations import Operation, Signature
from shlo.ir.types import Type
from shlo_bytecode.container.errors import ObstacleError
from shlo_bytecode.container.file import NATIVE_PROPERTIES, NATIVE_SEGMENTS
from shlo_bytecode.container.output import EntryParts, OutputEntry, Part, Present, varint
from shlo_bytecode.tables.properties import (
    FIRST_VERSIONS,
    LATER_ATTRIBUTES,
    NEWEST,
    inherent_names,
    layout_of,
)
from shlo_bytecode.writer.interning import Interner

Attributes = Mapping[str, Attribute]

UNREGISTERED = ("check", "ml_program")
"""Dialects with definitions that not every MLIR tool knows: their properties are written as a dictionary,
which all understand."""


class WrittenName(Struct, eq=False):
    """A name of operations; `registered` says that its properties have a layout of their own."""

    dialect: str
    name: str
    registered: bool
    count: int = 0
    number: int = -1


class OperationForm(Struct, eq=False):
    """Operations of one signature in the file: their name, the dictionary of attributes and the parts of the
    properties (None where there are none), the types of results; everything that these refer to, in MLIR's
    order. `uses` counts the operations.
    """

    name: WrittenName
    dictionary: OutputEntry | None
    properties: tuple[Part, ...] | None
    results: tuple[OutputEntry, ...]
    references: tuple[OutputEntry, ...]
    uses: int = 0


class PlainForms:
    """Gives operations their forms as they are, in bytecode of a version.

    `names` are those of the file; `known` are the forms that all operations of a signature have, as far as
    they have been made. `library` is the version of StableHLO that must read them, None for any; `layouts`
    the one whose layouts of properties they have.
    """

    def __init__(
        self, interner: Interner, version: int, library: Version | None, layouts: Version = NEWEST
    ) -> None:
        self.names: dict[str, WrittenName] = {}
        self._interner = interner
        self._version = version
        self._library = library
        self._layouts = layouts if library is None else library
        self.known: dict[Signature, OperationForm] = {}

    def form(self, operation: Operation) -> OperationForm:
        """Returns the form of an operation; raises ObstacleError."""
        operation_form = self.known.get(operation.signature)
        if operation_form is None:
            operation_form = self._build(operation)
            if operation.name != "stablehlo.composite":  # whether VHLO has one depends on its regions
                self.known[operation.signature] = operation_form
        return operation_form

    def type(self, type_: Type, parent: Operation) -> OutputEntry:
        """Returns the entry of the type of a block's argument, in a region of `parent`."""
        return self._interner.entry(type_)

    def _build(self, operation: Operation) -> OperationForm:
        signature = operation.signature
        entry = self._interner.entry
        name = named(self.names, signature.name, is_registered(signature.name))
        results = tuple([entry(type_) for type_ in signature.result_types])
        parts, discardable = None, dict(signature.attributes)
        properties = _known_properties(signature, self._library)
        if self._version < NATIVE_PROPERTIES:
            discardable |= properties
        elif name.registered:
            parts, others = self._laid_out(signature.name, properties)
            discardable |= others
        elif properties:
            parts = (entry(DictionaryAttr.of(properties)),)
        dictionary = entry(DictionaryAttr.of(discardable)) if discardable else None
        return finished(name, dictionary, parts, results)

    def _laid_out(self, name: str, properties: Attributes) -> tuple[tuple[Part, ...] | None, Attributes]:
        """Returns the properties in the operation's own layout, and the attributes without a place there."""
        layout = layout_of(name, self._layouts)
        if layout is None or not (layout.slots or layout.segments):
            return None, properties
        slots = list(layout.slots)
        parts = EntryParts()
        if self._version < NATIVE_SEGMENTS:
            slots = sorted([*slots, *[(segments, False) for segments in layout.segments]])
        for slot, optional in slots:
            value = properties.get(slot)
            _add(parts, slot, None if value is None else self._interner.entry(value), optional)
        if self._version >= NATIVE_SEGMENTS:
            for segments in layout.segments:
                parts.raw(_sparse_numbers(properties.get(segments)))
        places = {slot for slot, _ in slots} | layout.segments.keys()
        return parts.finish(), {key: value for key, value in properties.items() if key not in places}


def finished(
    name: WrittenName,
    dictionary: OutputEntry | None,
    parts: tuple[Part, ...] | None,
    results: tuple[OutputEntry, ...],
) -> OperationForm:
    """Returns a form with all that it refers to: types of results, attributes, properties."""
    references = [*results, *([dictionary] if dictionary else [])]
    for part in parts or ():
        if isinstance(part, Present):
            references.append(part.entry)
        elif isinstance(part, OutputEntry):
            references.append(part)
    return OperationForm(name, dictionary, parts, results, tuple(references))


def named(names: dict[str, WrittenName], full_name: str, registered: bool) -> WrittenName:
    """Returns the one WrittenName of operations that are called so."""
    if full_name not in names:
        dialect, _, name = full_name.partition(".")
        names[full_name] = WrittenName(dialect, name, registered)
    return names[full_name]


def is_registered(name: str) -> bool:
    """Returns whether an operation's properties are written in a layout of its own."""
    if name.partition(".")[0] in UNREGISTERED:
        return False
    return layout_of(name) is not None or find_op_def(name) is not None


def fits_dictionaries(signature: Signature) -> bool:
    """Returns whether one dictionary tells inherent attributes from others, as before version 5."""
    inherent = inherent_names(signature.name)
    return inherent.issuperset(signature.properties) and inherent.isdisjoint(signature.attributes)


def _known_properties(signature: Signature, library: Version | None) -> Attributes:
    """Returns the inherent attributes that a version of the library has; others must be at their defaults.

    Raises ObstacleError.
    """
    if library is None:
        return signature.properties
    name = signature.name
    if FIRST_VERSIONS.get(name, library) > library:
        raise ObstacleError("the version has no such operation", version_text(FIRST_VERSIONS[name]))
    later = {key: first for key, first in LATER_ATTRIBUTES.get(name, {}).items() if first > library}
    op_def = find_op_def(name)
    for key in later.keys() & signature.properties.keys():
        spec = op_def.attribute(key) if op_def is not None else None
        if spec is None or str(signature.properties[key]) != spec.default:
            raise ObstacleError(f"the version has no {key}", version_text(later[key]))
    return {key: value for key, value in signature.properties.items() if key not in later}


def _add(parts: EntryParts, slot: str, entry: OutputEntry | None, optional: bool) -> None:
    if optional:
        parts.optional(entry)
    elif entry is not None:
        parts.reference(entry)
    else:
        raise ObstacleError(f"it lacks the attribute {slot}")


def _sparse_numbers(sizes: Attribute | None) -> bytes:
    """Sizes of segments: all of them, or those that are not 0 with their places."""
    if not isinstance(sizes, DenseArrayAttr):
        raise ObstacleError("it lacks the sizes of its segments")
    places = [index for index, size in enumerate(sizes.values) if size]
    if len(places) > len(sizes) // 2:
        return varint(len(sizes) << 1) + b"".join(map(varint, sizes))
    width = places[-1].bit_length() if places else 0
    numbers = [width, *[sizes.values[index] << width | index for index in places]] if places else []
    return varint(len(places) << 1 | 1) + b"".join(map(varint, numbers))
