"""Attributes and types as entries of the file to be: each different one once.

What an attribute refers to becomes an entry before it; whatever waits for that waits on a stack of its own,
as locations nest deeper than Python may.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from typing import Any, cast

from msgspec import Struct

from shlo.dialects import find_attr_def, find_dialect
from shlo.dialects.vhlo.versions import Version, version_of
from shlo.ir.attributes import Attribute, DictionaryAttr, DistinctAttr, EnumAttr, OpaqueAttr
from shlo.ir.locations import Location, LocationAlias, resolve
from shlo.ir.types import FloatType, OpaqueType, Type, UnknownType
from shlo.syntax import attribute_text, type_text
from shlo_bytecode.container.errors import ItemError
from shlo_bytecode.container.output import EntryParts, OutputEntry, Part, varint, varints
from shlo_bytecode.tables.builtin import ATTRIBUTES, UNKNOWN_LOCATION, name_attribute
from shlo_bytecode.tables.builtin_types import LATER_FLOATS
from shlo_bytecode.tables.fields import Encoding, Item, ItemRow, Take
from shlo_bytecode.tables.vhlo import ATTRIBUTE_VERSIONS, ENCODINGS, TYPE_VERSIONS, VHLO

PRINTED_BY_MLIR = frozenset(("sparse_tensor",))
"""Dialects without definitions here whose attributes MLIR's tools print in a form of their own."""
SPACES = re.compile(r'("(?:[^"\\]|\\.)*")|\s+')
"""Strings, and the space between words."""

DICTIONARY_CODE = next(code for code, row in ATTRIBUTES.items() if row.cls is DictionaryAttr)


KEPT_DIALECTS = frozenset({"sdy", "chlo"})
"""Dialects whose operations, attributes and types stay what they are in an artifact."""


class Form(Struct, frozen=True):
    """How an item is written: whose it is, its code, its row, and the values of the row's fields."""

    dialect: str
    code: int
    row: ItemRow
    values: tuple[Any, ...]


class WrittenLocation(Struct, frozen=True):
    """A class of locations that are written as numbers: the code, how their values are taken from them, and
    how many of these, the first ones, are references.
    """

    code: bytes
    take: Take
    references: int


Rows = dict[type, list[tuple[str, int, ItemRow]]]


def _rows(encodings: dict[str, Encoding]) -> Rows:
    """Returns the rows that can be written with, by class."""
    rows: Rows = {}
    for dialect, encoding in encodings.items():
        for code, row in (*encoding.attributes.items(), *encoding.types.items(), *encoding.written):
            if row.cls is not None:
                rows.setdefault(row.cls, []).append((dialect, code, row))
    return rows


PLAIN_ROWS = _rows({name: encoding for name, encoding in ENCODINGS.items() if encoding is not VHLO})
VHLO_ROWS = _rows({"vhlo": VHLO})


def _form(rows: Rows, item: Item) -> Form | None:
    for dialect, code, row in rows.get(type(item), ()):
        assert row.take is not None
        values = row.take(item)
        if values is not None:
            return Form(dialect, code, row, values)
    return None


def _plain_locations() -> dict[type, WrittenLocation]:
    """By class; of several rows of a class the first."""
    locations: dict[type, WrittenLocation] = {}
    for code, row in ATTRIBUTES.items():
        is_plain = {field.write for field in row.fields} <= {EntryParts.varint, EntryParts.reference}
        if row.cls and row.take and is_plain and issubclass(row.cls, Location):
            references = [field for field in row.fields if field.refers_to]
            locations.setdefault(row.cls, WrittenLocation(varint(code), row.take, len(references)))
    return locations


class PlainItems:
    """Forms of attributes and types as their own dialects encode them; `locations` need no form."""

    locations: Mapping[type, WrittenLocation] = _plain_locations()

    def __init__(self, coded_floats: bool = True, coded_shardings: bool = True) -> None:
        self._coded_floats = coded_floats
        self._coded_shardings = coded_shardings

    def find(self, item: Item) -> Form | None:
        """Returns the form of an item, None for one that is written as text; raises ItemError.

        Every tool reads narrow floating-point types and Shardy's attributes as text, newer ones by code.
        """
        if not self._coded_shardings and dialect_of(item) == "sdy":
            return None
        if not self._coded_floats and isinstance(item, FloatType) and item.name in LATER_FLOATS:
            return None
        return _form(PLAIN_ROWS, item)


class VhloItems(PlainItems):
    """Attributes and types in VHLO as a version of StableHLO has it; raises ItemError where it lacks one.

    Those of dialects that are kept have no form.
    """

    locations: Mapping[type, WrittenLocation] = {}

    def __init__(self, target: Version) -> None:
        super().__init__()
        self._target = target

    def find(self, item: Item) -> Form | None:
        """Returns the form of an item in VHLO's table; raises ItemError."""
        form = _form(VHLO_ROWS, item)
        if form is None:
            if dialect_of(item) in KEPT_DIALECTS:
                return None
            raise ItemError(item)
        versions = TYPE_VERSIONS if isinstance(item, Type) else ATTRIBUTE_VERSIONS
        first = versions.get(form.code)
        if first is not None and version_of(first) > self._target:
            raise ItemError(item, first)
        return form


class Interner:
    """Gives items their entries.

    `entries` holds those of a file by what they consist of; several interners may share it. `known` are those
    of the items that have been seen, by their identity. What has no form gets its entry from `others`, and
    without these is a text.
    """

    def __init__(
        self, forms: PlainItems, entries: dict[Hashable, OutputEntry], others: Interner | None = None
    ) -> None:
        self._forms = forms
        self._others = others
        self._entries = entries
        self.known: dict[int, OutputEntry] = {}
        self._kept: list[Item | Form | None] = []

    def entry(self, item: Item) -> OutputEntry:
        """Returns the entry of an attribute or type; raises ItemError."""
        return self.known.get(id(item)) or self._plain_location(item) or self._build(item)

    def dictionary(self, names: Interner, attributes: dict[str, Attribute]) -> OutputEntry:
        """Returns a dictionary of the builtin dialect, whose names are entries of another interner."""
        references: list[OutputEntry] = []
        for name, value in sorted(attributes.items()):
            references += names.entry(name_attribute(name)), self.entry(value)
        head = varint(DICTIONARY_CODE) + varint(len(attributes))
        return self._shared("builtin", False, (head, *references), tuple(references))

    def _plain_location(self, item: Item) -> OutputEntry | None:
        """Returns the entry of a location whose parts have theirs (there are many), None of all else."""
        plain = self._forms.locations.get(type(item))
        values = plain and plain.take(item)
        if not plain or not values:
            return None
        references: list[OutputEntry] = []
        for value in values[: plain.references]:
            entry = self.known.get(id(value))
            if entry is None:
                return None
            references.append(entry)
        numbers = b"".join(varints(values[plain.references :]))
        parts = (plain.code, *references, numbers) if numbers else (plain.code, *references)
        entry = self.known[id(item)] = self._shared("builtin", False, parts, tuple(references))
        self._kept.append(item)
        return entry

    def _build(self, item: Item) -> OutputEntry:
        form = self._forms.find(_solid(item))
        return self._closed(item, form) or self._build_deep(item, form)

    def _build_deep(self, item: Item, form: Form | None) -> OutputEntry:
        """Returns the entry of an item, when those of all that it refers to have been made.

        Their forms wait, as the parts of an item may exist in its form alone.
        """
        waiting: dict[int, Form | None] = {id(item): form}
        stack: list[Item] = [item]
        while stack:
            current = stack[-1]
            if id(current) not in waiting:
                waiting[id(current)] = self._forms.find(_solid(current))
            form = waiting[id(current)]
            if id(current) in self.known or self._closed(current, form) is not None:
                stack.pop()
            else:
                stack += [child for child in _children(form) if id(child) not in self.known]
        return self.known[id(item)]

    def _closed(self, item: Item, form: Form | None) -> OutputEntry | None:
        """Returns the entry of an item, None where one that it refers to has none yet.

        What has an entry is kept, as it is known by its identity.
        """
        if form is not None:
            entry = self._written(item, form)
        elif self._others is not None:
            entry = self._others.entry(_solid(item))
        else:
            entry = self._as_text(_solid(item))
        if entry is not None:
            self.known[id(item)] = entry
            self._kept += item, form
        return entry

    def _written(self, item: Item, form: Form) -> OutputEntry | None:
        entries_by_id = self.known
        parts, references = EntryParts(), list[OutputEntry | None]()
        parts.varint(form.code)
        try:
            for field, value in zip(form.row.fields, form.values, strict=True):
                if field.refers_to is None or value is None:
                    field.write(parts, value)
                    continue
                several = type(value) is tuple
                entries = [
                    entries_by_id.get(id(child))
                    for child in cast("tuple[Item, ...]", value if several else (value,))
                ]
                if None in entries:
                    return None
                references += entries
                field.write(parts, entries if several else entries[0])
        except ValueError:
            raise ItemError(item) from None
        identity = item.number if isinstance(item, DistinctAttr) else None
        referred = cast("tuple[OutputEntry, ...]", tuple(references))
        return self._shared(form.dialect, isinstance(item, Type), parts.finish(), referred, identity)

    def _shared(
        self,
        dialect: str,
        is_type: bool,
        parts: tuple[Part, ...],
        references: tuple[OutputEntry, ...],
        identity: int | None = None,
    ) -> OutputEntry:
        is_common = dialect == "builtin" and not is_type and identity is None
        key = parts if is_common else (dialect, is_type, parts, identity)
        entry = self._entries.get(key)
        if entry is None:
            entry = self._entries[key] = OutputEntry(dialect, is_type, parts, None, references)
        return entry

    def _as_text(self, item: Item) -> OutputEntry:
        text = type_text(item) if isinstance(item, Type) else attribute_text(cast("Attribute", item))
        data = (text if _is_foreign(item) else _on_one_line(text)).encode("utf-8", "surrogateescape") + b"\0"
        key = (dialect_of(item), isinstance(item, Type), data)
        if key not in self._entries:
            self._entries[key] = OutputEntry(key[0], key[1], (), data)
        return self._entries[key]


def _is_foreign(item: Item) -> bool:
    """Returns whether an item is of a dialect that MLIR's tools do not know either: they keep its text."""
    if not isinstance(item, (OpaqueAttr, OpaqueType)):
        return False
    return item.dialect not in PRINTED_BY_MLIR and find_dialect(item.dialect) is None


def _on_one_line(text: str) -> str:
    """Returns a text that was kept as it was written, without its line breaks."""
    if "\n" not in text:
        return text
    return SPACES.sub(lambda match: match[1] or " ", text)


def _solid(item: Item) -> Item:
    """Returns the target of a location alias, or the replacement of an unfinished item."""
    kind = type(item)
    if kind is LocationAlias:
        return resolve(cast("LocationAlias", item)) or UNKNOWN_LOCATION
    if kind is UnknownType:
        raise ItemError(item)
    return item


def _children(form: Form | None) -> list[Item]:
    """Returns the items that a form's fields refer to."""
    if form is None:
        return []
    children: list[Item] = []
    for field, value in zip(form.row.fields, form.values, strict=True):
        if field.refers_to is not None and value is not None:
            children += value if isinstance(value, tuple) else [value]
    return children


def dialect_of(item: Item) -> str:
    """Returns the dialect that an attribute or type is of."""
    if isinstance(item, (OpaqueAttr, OpaqueType, EnumAttr)):
        return item.dialect
    attr_def = find_attr_def(type(item))
    return attr_def.dialect if attr_def else "builtin"
