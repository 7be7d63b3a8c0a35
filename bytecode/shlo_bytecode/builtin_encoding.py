"""The builtin dialect's attributes and types, one row each. Codes are MLIR's."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.attributes import (
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    DenseResourceAttr,
    DictionaryAttr,
    DistinctAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from shlo.ir.dense import DenseElementsAttr, DenseStringElementsAttr, SparseElementsAttr
from shlo.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
    UnknownLocation,
)
from shlo.ir.types import (
    ComplexType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    RankedTensorType,
    Shape,
    Signedness,
    TupleType,
    Type,
    UnrankedTensorType,
    VectorType,
)
from shlo.syntax import parse_attribute
from shlo.syntax.affine import is_identity
from shlo_bytecode import fields
from shlo_bytecode.affine_maps import affine_map_text
from shlo_bytecode.elements import (
    dense_array,
    element_count,
    elements,
    elements_type,
    float_,
    integer,
)
from shlo_bytecode.fields import Encoding, EntryStream, Field, Row
from shlo_bytecode.resources import Resource

MAX_WIDTH = (1 << 24) - 1
MAX_LINE = (1 << 32) - 1
SIGNEDNESS: tuple[Signedness, ...] = ("signless", "signed", "unsigned")
NO_ELEMENTS = (RankedTensorType, UnrankedTensorType, FunctionType, TupleType, NoneType, MemRefType)


# -- attributes ----------------------------------------------------------------------------------------------


def dictionary(items: Sequence[Attribute]) -> DictionaryAttr:
    """Names (strings) and values by turns."""
    entries: dict[str, Attribute] = {}
    for name, value in zip(items[::2], items[1::2], strict=True):
        if not isinstance(name, StringAttr):
            raise ValueError("a name is no string")
        if name.value in entries:
            raise ValueError(f"the name {name.value!r} stands in it twice")
        entries[name.value] = value
    return DictionaryAttr.of(entries)


def _symbol(name: StringAttr) -> SymbolRefAttr:
    return SymbolRefAttr(name.value)


def _nested_symbol(root: StringAttr, nested: tuple[SymbolRefAttr, ...]) -> SymbolRefAttr:
    return SymbolRefAttr(root.value, tuple([symbol.root for symbol in nested]))


def _file(name: StringAttr, *places: int) -> FileLocation:
    """A place or a range: line, column, the end's line and column."""
    if any(place > MAX_LINE for place in places):
        raise ValueError("a line or column has more than 32 bits")
    return FileLocation(name.value, *places)


def _range(name: StringAttr, places: tuple[int, ...]) -> FileLocation:
    if len(places) > 4:
        raise ValueError(f"a range has {len(places)} numbers")
    line, column = (*places, 0, 0)[:2]
    if len(places) < 3:
        return _file(name, line, column)
    end_line = places[2] if len(places) == 4 else line
    return _file(name, line, column, end_line, places[-1])


def _fused(locations: tuple[Location, ...], metadata: Attribute | None = None) -> Location:
    """Locations as MLIR fuses them: each once, none unknown, fusions of the same kind taken apart. Equal
    ones are one entry of the table, so they are compared by identity."""
    kept: dict[int, Location] = {}
    for location in locations:
        parts = (location,)
        if isinstance(location, FusedLocation) and location.metadata is metadata:
            parts = location.locations
        kept.update({id(part): part for part in parts if not isinstance(part, UnknownLocation)})
    if metadata is None and len(kept) <= 1:
        return next(iter(kept.values()), UnknownLocation())
    return FusedLocation(tuple(kept.values()) or (UnknownLocation(),), metadata)


def _named(name: StringAttr, child: Location) -> NameLocation:
    return NameLocation(name.value, None if isinstance(child, UnknownLocation) else child)


def _resource(type_: Type, resource: Resource) -> DenseResourceAttr:
    value = resource.value
    return DenseResourceAttr(resource.key, type_, bytes(value) if isinstance(value, memoryview) else None)


def _strings(type_: Type, stream: EntryStream) -> DenseStringElementsAttr:
    """One string for all elements, or as many as there are."""
    shaped = elements_type(type_)
    is_splat = stream.index(2, "whether all elements are one")
    start = stream.pos
    count = 1 if is_splat else element_count(shaped)
    stream.checked_count(count, "strings", start)
    return DenseStringElementsAttr(shaped, tuple([stream.string("an element") for _ in range(count)]))


def _sparse(
    type_: Type, indices: DenseElementsAttr, values: DenseElementsAttr | DenseStringElementsAttr
) -> SparseElementsAttr:
    if not isinstance(values, (DenseElementsAttr, DenseStringElementsAttr)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError("the values are no elements")
    return SparseElementsAttr(elements_type(type_), indices, values)


def _distinct(value: Attribute, stream: EntryStream) -> DistinctAttr:
    """What sets a distinct attribute apart is that it is an entry of its own; they are numbered as they are
    met."""
    return DistinctAttr(next(stream.distinct_numbers), value)


def _affine_map(stream: EntryStream) -> Attribute:
    return parse_attribute(f"affine_map<{affine_map_text(stream)}>")


_NAME = fields.attribute("the name", StringAttr)
_LOCATIONS = fields.items(fields.attribute("the locations", Location))
_TYPE = fields.type_("the type")
_PLACES = fields.items(fields.varint("lines and columns"))

ATTRIBUTES = {
    0: fields.struct(ArrayAttr, fields.items(fields.attribute("the elements"))),
    1: Row("a dictionary", (fields.pairs("the entries"),), dictionary),
    2: fields.struct(StringAttr, fields.string("the text")),
    3: fields.struct(StringAttr, fields.string("the text"), _TYPE),
    4: Row("a symbol", (_NAME,), _symbol),
    5: Row(
        "a nested symbol",
        (_NAME, fields.items(fields.attribute("the nested symbols", SymbolRefAttr))),
        _nested_symbol,
    ),
    6: fields.struct(TypeAttr, _TYPE),
    7: fields.struct(UnitAttr),
    8: Row("an integer", (_TYPE, fields.rest("the value")), integer),
    9: Row("a float", (_TYPE, fields.rest("the value")), float_),
    10: fields.struct(
        CallSiteLocation,
        fields.attribute("the callee", Location),
        fields.attribute("the caller", Location),
    ),
    11: Row("a place in a file", (_NAME, fields.varint("the line"), fields.varint("the column")), _file),
    12: Row("a fused location", (_LOCATIONS,), _fused),
    13: Row("a fused location", (_LOCATIONS, fields.attribute("the metadata")), _fused),
    14: Row("a named location", (_NAME, fields.attribute("the location", Location)), _named),
    15: fields.struct(UnknownLocation),
    16: Row("a resource's elements", (_TYPE, fields.resource("the resource")), _resource),
    17: Row("an array", (_TYPE, fields.varint("the count"), fields.blob("the elements")), dense_array),
    18: Row("dense elements", (_TYPE, fields.blob("the elements")), elements),
    19: Row("dense strings", (_TYPE, fields.rest("the elements")), _strings),
    20: Row(
        "sparse elements",
        (_TYPE, fields.attribute("the indices", DenseElementsAttr), fields.attribute("the values")),
        _sparse,
    ),
    21: Row("a distinct attribute", (fields.attribute("the value"), fields.rest("the number")), _distinct),
    22: Row("a range in a file", (_NAME, _PLACES), _range),
    23: Row("an affine map", (fields.rest("the map"),), _affine_map),
}


# -- types ---------------------------------------------------------------------------------------------------


def _integer_type(number: int) -> IntegerType:
    width, sign = number >> 2, number & 3
    if width > MAX_WIDTH or sign == 3:
        raise ValueError(f"there is no integer type of {width} bits and signedness {sign}")
    return IntegerType(width, SIGNEDNESS[sign])


def complex_(element: Type) -> ComplexType:
    if not isinstance(element, (IntegerType, FloatType)):
        raise ValueError(f"complex numbers have no parts of type {element}")
    return ComplexType(element)


def tensor(shape: Shape, element: Type, encoding: Attribute | None = None) -> RankedTensorType:
    return RankedTensorType(shape, tensor_element(element), encoding)


def encoded_tensor(encoding: Attribute, shape: Shape, element: Type) -> RankedTensorType:
    return tensor(shape, element, encoding)


def unranked_tensor(element: Type) -> UnrankedTensorType:
    return UnrankedTensorType(tensor_element(element))


def tensor_element(element: Type) -> Type:
    """The type, which a tensor may have elements of."""
    if isinstance(element, NO_ELEMENTS):
        raise ValueError(f"a tensor has no elements of type {element}")
    return element


def _memref(shape: Shape, element: Type, layout: Attribute, space: Attribute | None = None) -> Type:
    is_plain = isinstance(layout, AffineMapAttr) and is_identity(layout)
    return MemRefType(shape, element, None if is_plain else layout, space)


def _memref_in(space: Attribute, shape: Shape, element: Type, layout: Attribute) -> Type:
    return _memref(shape, element, layout, space)


def _unranked_memref(element: Type) -> Type:
    return MemRefType(None, element)


def _unranked_memref_in(space: Attribute, element: Type) -> Type:
    return MemRefType(None, element, None, space)


def _vector(shape: Shape, element: Type, scalable: tuple[bool, ...] = ()) -> VectorType:
    if not isinstance(element, (IntegerType, FloatType, IndexType)):
        raise ValueError(f"a vector has no elements of type {element}")
    if None in shape or (scalable and len(scalable) != len(shape)):
        raise ValueError("a vector's shape is incomplete")
    known = tuple([size for size in shape if size is not None])
    return VectorType(known, element, scalable if any(scalable) else ())


def _scalable_vector(scalable: tuple[bool, ...], shape: Shape, element: Type) -> VectorType:
    return _vector(shape, element, scalable)


_SHAPE = fields.sizes("the shape")
_ELEMENT = fields.type_("the element type")
_SPACE = fields.attribute("the memory space")
_LAYOUT = fields.attribute("the layout")
_SCALABLE = fields.items(fields.flag("the scalable dimensions"))

FLOATS = {
    **dict(enumerate(("bf16", "f16", "f32", "f64", "f80", "f128"), 3)),
    **dict(
        enumerate(
            (
                *("tf32", "f8E5M2", "f8E4M3", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ"),
                *("f8E3M4", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E8M0FNU"),
            ),
            21,
        )
    ),
}


def types_list(name: str) -> Field:
    return fields.items(fields.type_(name))


def float_row(name: str) -> Row:
    return Row(name, (), lambda: FloatType(name))


TYPES = {
    **{code: float_row(name) for code, name in FLOATS.items()},
    0: Row("an integer type", (fields.varint("width and signedness"),), _integer_type),
    1: fields.struct(IndexType),
    2: fields.struct(FunctionType, types_list("the inputs"), types_list("the results")),
    9: Row("a complex type", (_ELEMENT,), complex_),
    10: Row("a memref", (_SHAPE, _ELEMENT, _LAYOUT), _memref),
    11: Row(
        "a memref",
        (_SPACE, _SHAPE, _ELEMENT, _LAYOUT),
        _memref_in,
    ),
    12: fields.struct(NoneType),
    13: Row("a tensor type", (_SHAPE, _ELEMENT), tensor),
    14: Row(
        "a tensor type",
        (fields.attribute("the encoding"), _SHAPE, _ELEMENT),
        encoded_tensor,
    ),
    15: fields.struct(TupleType, types_list("the types")),
    16: Row("an unranked memref", (_ELEMENT,), _unranked_memref),
    17: Row("an unranked memref", (_SPACE, _ELEMENT), _unranked_memref_in),
    18: Row("an unranked tensor type", (_ELEMENT,), unranked_tensor),
    19: Row("a vector type", (_SHAPE, _ELEMENT), _vector),
    20: Row(
        "a vector type",
        (_SCALABLE, _SHAPE, _ELEMENT),
        _scalable_vector,
    ),
}

BUILTIN = Encoding(ATTRIBUTES, TYPES)
