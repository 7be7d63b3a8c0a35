"""Attributes to text, as MLIR prints them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shlo.ir.attributes import (
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseResourceAttr,
    DictionaryAttr,
    DistinctAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from shlo.ir.dense import DenseElementsAttr, DenseStringElementsAttr, SparseElementsAttr
from shlo.ir.locations import Location
from shlo.ir.types import F64, I1, I64, FloatType
from shlo.syntax.attributes.print_locations import location_text
from shlo.syntax.dense.print import dense_text, elements_text
from shlo.syntax.dialects.attributes import dialect_attribute_text, enum_text
from shlo.syntax.lexer.strings import key_text, quoted, symbol_text
from shlo.syntax.numbers.print import float_text, integer_text
from shlo.syntax.types.print import type_text
from shlo.syntax.types.recursion import recursion


def attribute_text(attribute: Attribute, elide_type: bool = False) -> str:
    """Returns the attribute as MLIR prints it; where types are elided, as in arrays, i64 and f64 are left
    unsaid, but not behind a float's bits."""
    if elide_type and isinstance(attribute, (IntegerAttr, FloatAttr)) and attribute.type in (I64, F64):
        text = _number(attribute)
        if not text.startswith("0x"):
            return text
    write = PRINTERS.get(type(attribute))
    if write is not None:
        return write(attribute)
    return location_text(attribute) if isinstance(attribute, Location) else dialect_attribute_text(attribute)


def attribute_dict_text(attributes: Mapping[str, Attribute]) -> str:
    """`{name = value, ...}` in the order of the mapping; a unit attribute is its name alone."""
    return f"{{{', '.join([entry_text(name, value) for name, value in attributes.items()])}}}"


def entry_text(name: str, value: Attribute) -> str:
    """`name = value`."""
    return key_text(name) if isinstance(value, UnitAttr) else f"{key_text(name)} = {attribute_text(value)}"


def _number(attribute: IntegerAttr | FloatAttr) -> str:
    if isinstance(attribute, IntegerAttr):
        return str(attribute.value)
    assert isinstance(attribute.type, FloatType)
    return float_text(attribute.bits, attribute.type)


def _integer(attribute: IntegerAttr) -> str:
    if attribute.type == I1:
        return integer_text(attribute.value, attribute.type)
    return f"{attribute.value} : {type_text(attribute.type)}"


def _string(attribute: StringAttr) -> str:
    type_ = f" : {type_text(attribute.type)}" if attribute.type is not None else ""
    return quoted(attribute.value) + type_


def _dense_array(attribute: DenseArrayAttr) -> str:
    type_ = attribute.element_type
    if isinstance(type_, FloatType):
        values = [float_text(bits, type_) for bits in attribute.values]
    else:
        values = [integer_text(value, type_) for value in attribute.values]
    return f"array<{type_text(type_)}{': ' if values else ''}{', '.join(values)}>"


def _sparse(attribute: SparseElementsAttr) -> str:
    body = ""
    if attribute.indices.array.size:
        body = f"{elements_text(attribute.indices)}, {elements_text(attribute.values)}"
    return f"sparse<{body}> : {type_text(attribute.type)}"


def _distinct(attribute: DistinctAttr) -> str:
    value = "" if isinstance(attribute.value, UnitAttr) else attribute_text(attribute.value)
    return f"distinct[{attribute.number}]<{value}>"


def _opaque(attribute: OpaqueAttr) -> str:
    type_ = f" : {type_text(attribute.type)}" if attribute.type is not None else ""
    return f"#{attribute.dialect}{attribute.body}{type_}"


PRINTERS: dict[type[Attribute], Callable[[Any], str]] = {
    IntegerAttr: _integer,
    FloatAttr: lambda attribute: f"{_number(attribute)} : {type_text(attribute.type)}",
    StringAttr: _string,
    UnitAttr: lambda attribute: "unit",
    TypeAttr: lambda attribute: type_text(attribute.value),
    ArrayAttr: lambda attribute: (
        f"[{', '.join([attribute_text(value, elide_type=True) for value in attribute.values])}]"
    ),
    DictionaryAttr: lambda attribute: attribute_dict_text(attribute.as_dict()),
    SymbolRefAttr: lambda attribute: "::".join(map(symbol_text, (attribute.root, *attribute.nested))),
    DenseArrayAttr: _dense_array,
    DenseElementsAttr: dense_text,
    DenseStringElementsAttr: dense_text,
    DenseResourceAttr: lambda attribute: (
        f"dense_resource<{key_text(attribute.key)}> : {type_text(attribute.type)}"
    ),
    SparseElementsAttr: _sparse,
    EnumAttr: enum_text,
    AffineMapAttr: lambda attribute: f"{attribute.keyword}<{attribute.body}>",
    StridedLayoutAttr: lambda attribute: f"strided<{attribute.body}>",
    DistinctAttr: _distinct,
    OpaqueAttr: _opaque,
}
"""How each class of attribute is written; those with fields are in `dialect_attributes`."""

recursion.attribute_text = attribute_text
