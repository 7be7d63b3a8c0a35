"""The builtin dialect's attributes, one row each. Codes are MLIR's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseResourceAttr,
    DictionaryAttr,
    DistinctAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from shlo.ir.dense import (
    DenseElementsAttr,
    DenseStringElementsAttr,
    SparseElementsAttr,
    lie_in_shape,
    static_shape,
)
from shlo.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
    UnknownLocation,
)
from shlo.ir.types import I64, Type
from shlo.syntax import parse_attribute
from shlo_bytecode.container.output import EntryParts
from shlo_bytecode.container.resources import Resource
from shlo_bytecode.tables import fields
from shlo_bytecode.tables.builtin_types import TYPES, affine_map_text, integer_set_text, strided_layout_text
from shlo_bytecode.tables.elements import (
    array_parts,
    bit_pattern,
    dense_array,
    element_count,
    elements,
    elements_parts,
    elements_type,
    float_,
    integer,
    number_parts,
)
from shlo_bytecode.tables.fields import Encoding, EntryStream, ItemRow

MAX_LINE = (1 << 32) - 1


name_attribute = lru_cache(1 << 12)(StringAttr)
"""A name as the attribute that refers to a string; the same name is the same attribute."""


def dictionary(items: Sequence[Attribute]) -> DictionaryAttr:
    """Returns names (strings) and values by turns."""
    entries: dict[str, Attribute] = {}
    for name, value in zip(items[::2], items[1::2], strict=True):
        if not isinstance(name, StringAttr):
            raise ValueError("a name is no string")
        if name.value in entries:
            raise ValueError(f"the name {name.value!r} is in it twice")
        entries[name.value] = value
    return DictionaryAttr.of(entries)


def dictionary_parts(value: DictionaryAttr) -> tuple[tuple[Attribute, ...]]:
    """Returns names and values by turns."""
    return (tuple([part for name, value in value.entries for part in (name_attribute(name), value)]),)


def _symbol(root: StringAttr, nested: tuple[SymbolRefAttr, ...] = ()) -> SymbolRefAttr:
    return SymbolRefAttr(root.value, tuple([symbol.root for symbol in nested]))


def _symbol_parts(symbol: SymbolRefAttr) -> tuple[StringAttr] | None:
    return None if symbol.nested else (name_attribute(symbol.root),)


def _file(name: StringAttr, *places: int) -> FileLocation:
    """Returns a place or a range: line, column, the end's line and column."""
    if max(places) > MAX_LINE:
        raise ValueError("a line or column has more than 32 bits")
    return FileLocation(name.value, *places)


def _range(name: StringAttr, places: tuple[int, ...]) -> FileLocation:
    if len(places) > 4:
        raise ValueError(f"a range has {len(places)} numbers")
    line, column = (*places, 0, 0)[:2]
    if len(places) < 3:
        return _file(name, line, column, *([line] if len(places) == 1 else []))
    end_line = places[2] if len(places) == 4 else line
    return _file(name, line, column, end_line, places[-1])


def _file_parts(location: FileLocation) -> tuple[StringAttr, int, int] | None:
    line, column = location.line, location.column
    if location.end_line is not None and (location.end_line, location.end_column) != (line, column):
        return None
    return name_attribute(location.file), line, column


def _range_parts(location: FileLocation) -> tuple[StringAttr, tuple[int, ...]]:
    """As few numbers as MLIR's tools need; of a range within a line from column 0 the line."""
    line, column = location.line, location.column
    end_line, end_column = location.end_line or 0, location.end_column or 0
    if line == end_line and column == 0:
        places: tuple[int, ...] = (line,)
    elif line == end_line:
        places = line, column, end_column
    else:
        places = line, column, end_line, end_column
    return name_attribute(location.file), places


def _fused(locations: tuple[Location, ...], metadata: Attribute | None = None) -> Location:
    """Returns locations as MLIR fuses them: each once, none unknown, fusions of the same kind taken apart.

    Equal ones are one entry of the table, so they are compared by identity.
    """
    locations_by_id: dict[int, Location] = {}
    for location in locations:
        parts = (location,)
        if isinstance(location, FusedLocation) and location.metadata is metadata:
            parts = location.locations
        locations_by_id.update({id(part): part for part in parts if not isinstance(part, UnknownLocation)})
    if metadata is None and len(locations_by_id) <= 1:
        return next(iter(locations_by_id.values()), UnknownLocation())
    return FusedLocation(tuple(locations_by_id.values()) or (UnknownLocation(),), metadata)


def _plain_fused_parts(location: FusedLocation) -> tuple[tuple[Location, ...]] | None:
    return (location.locations,) if location.metadata is None else None


def _named(name: StringAttr, child: Location) -> NameLocation:
    return NameLocation(name.value, None if isinstance(child, UnknownLocation) else child)


def _resource(type_: Type, resource: Resource) -> DenseResourceAttr:
    value = resource.value
    return DenseResourceAttr(resource.key, type_, value if isinstance(value, memoryview) else None)


def _strings(type_: Type, stream: EntryStream) -> DenseStringElementsAttr:
    """Returns one string for all elements, or as many as there are."""
    shaped = elements_type(type_)
    is_splat = stream.index(2, "whether all elements are one")
    start = stream.pos
    count = 1 if is_splat else element_count(shaped)
    stream.checked_count(count, "strings", start)
    return DenseStringElementsAttr(shaped, tuple([stream.string("an element") for _ in range(count)]))


def _write_strings(parts: EntryParts, values: tuple[str, ...]) -> None:
    parts.varint(len(values) == 1)
    for value in values:
        parts.string(value)


def _sparse(
    type_: Type, indices: DenseElementsAttr, values: DenseElementsAttr | DenseStringElementsAttr
) -> SparseElementsAttr:
    if not isinstance(values, (DenseElementsAttr, DenseStringElementsAttr)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError("the values are no elements")
    elements = elements_type(type_)
    shape, places = static_shape(elements), indices.array.shape
    has_rows = len(places) == 2 and places[1] == len(shape)
    suit = has_rows or len(places) == len(shape) == 1
    element_types = indices.type.element_type, values.type.element_type
    if not suit or values.type.shape != places[:1] or element_types != (I64, elements.element_type):
        raise ValueError(
            f"{list(places)} indices and {list(values.type.shape)} values do not suit {elements}"
        )
    if not lie_in_shape(indices.array, shape):
        raise ValueError(f"an index lies outside of the shape {list(shape)}")
    return SparseElementsAttr(elements, indices, values)


def _distinct(value: Attribute, stream: EntryStream) -> DistinctAttr:
    """Returns a distinct attribute, which is one as its entry is; they are numbered as they are met."""
    return DistinctAttr(next(stream.distinct_numbers), value)


def _affine_map(stream: EntryStream) -> Attribute:
    return parse_attribute(f"affine_map<{affine_map_text(stream)}>")


def _integer_set(stream: EntryStream) -> Attribute:
    return parse_attribute(f"affine_set<{integer_set_text(stream)}>")


def _strided_layout(stream: EntryStream) -> Attribute:
    return parse_attribute(f"strided<{strided_layout_text(stream)}>")


def _nothing(parts: EntryParts, value: object) -> None:
    """Writes nothing."""


UNKNOWN_LOCATION = UnknownLocation()
_NAME = fields.attribute("the name", StringAttr)
_LOCATIONS = fields.items(fields.attribute("the locations", Location))
_TYPE = fields.type_("the type")
_PLACES = fields.items(fields.varint("lines and columns"))

ATTRIBUTES = {
    0: fields.struct(ArrayAttr, fields.items(fields.attribute("the elements"))),
    1: ItemRow("a dictionary", (fields.pairs("the entries"),), dictionary, DictionaryAttr, dictionary_parts),
    2: ItemRow(
        "a string",
        (fields.string("the text"),),
        StringAttr,
        StringAttr,
        lambda text: (text.value,) if text.type is None else None,
    ),
    3: fields.struct(StringAttr, fields.string("the text"), _TYPE),
    4: ItemRow("a symbol", (_NAME,), _symbol, SymbolRefAttr, _symbol_parts),
    5: ItemRow(
        "a nested symbol",
        (_NAME, fields.items(fields.attribute("the nested symbols", SymbolRefAttr))),
        _symbol,
        SymbolRefAttr,
        lambda symbol: (name_attribute(symbol.root), tuple(map(SymbolRefAttr, symbol.nested))),
    ),
    6: fields.struct(TypeAttr, _TYPE),
    7: fields.struct(UnitAttr),
    8: ItemRow(
        "an integer", (_TYPE, fields.rest("the value", bit_pattern)), integer, IntegerAttr, number_parts
    ),
    9: ItemRow("a float", (_TYPE, fields.rest("the value", bit_pattern)), float_, FloatAttr, number_parts),
    10: fields.struct(
        CallSiteLocation, fields.attribute("the callee", Location), fields.attribute("the caller", Location)
    ),
    11: ItemRow(
        "a place in a file",
        (_NAME, fields.varint("the line"), fields.varint("the column")),
        _file,
        FileLocation,
        _file_parts,
    ),
    12: ItemRow("a fused location", (_LOCATIONS,), _fused, FusedLocation, _plain_fused_parts),
    13: ItemRow("a fused location", (_LOCATIONS, fields.attribute("the metadata")), _fused, FusedLocation),
    14: ItemRow(
        "a named location",
        (_NAME, fields.attribute("the location", Location)),
        _named,
        NameLocation,
        lambda location: (name_attribute(location.name), location.child or UNKNOWN_LOCATION),
    ),
    15: fields.struct(UnknownLocation),
    16: ItemRow(
        "a resource's elements",
        (_TYPE, fields.resource("the resource")),
        _resource,
        DenseResourceAttr,
        lambda attribute: (attribute.type, attribute.key),
    ),
    17: ItemRow(
        "an array",
        (_TYPE, fields.varint("the count"), fields.blob("the elements")),
        dense_array,
        DenseArrayAttr,
        array_parts,
    ),
    18: ItemRow(
        "dense elements", (_TYPE, fields.blob("the elements")), elements, DenseElementsAttr, elements_parts
    ),
    19: ItemRow(
        "dense strings",
        (_TYPE, fields.rest("the elements", _write_strings)),
        _strings,
        DenseStringElementsAttr,
        lambda strings: (strings.type, strings.values),
    ),
    20: ItemRow(
        "sparse elements",
        (_TYPE, fields.attribute("the indices", DenseElementsAttr), fields.attribute("the values")),
        _sparse,
        SparseElementsAttr,
        lambda sparse: (sparse.type, sparse.indices, sparse.values),
    ),
    21: ItemRow(
        "a distinct attribute",
        (fields.attribute("the value"), fields.rest("the number", _nothing)),
        _distinct,
        DistinctAttr,
        lambda attribute: (attribute.value, None),
    ),
    22: ItemRow("a range in a file", (_NAME, _PLACES), _range, FileLocation, _range_parts),
    23: ItemRow("an affine map", (fields.rest("the map", _nothing),), _affine_map),
    24: ItemRow("an integer set", (fields.rest("the set", _nothing),), _integer_set),
    25: ItemRow("a strided layout", (fields.rest("the layout", _nothing),), _strided_layout),
}

BUILTIN = Encoding(ATTRIBUTES, TYPES)
