"""Which attributes the kinds on the definitions take.

Specification: "Constants", "Attributes".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from shlo.dialects import find_attr_def, find_dialect
from shlo.dialects.attribute_forms import attribute_text
from shlo.dialects.opdef import AttributeDef, OpDef, Problem
from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseResourceAttr,
    DictionaryAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from shlo.ir.dense import DenseElementsAttr, DenseStringElementsAttr, SparseElementsAttr
from shlo.ir.types import F32, F64, I1, I32, I64, INDEX, IntegerType, RankedTensorType, Type

Fits = Callable[[Attribute, str, str], bool]
"""Whether an attribute is of a kind: the attribute, what stands behind the kind's colon, the dialect."""

ELEMENTS = (DenseElementsAttr, DenseResourceAttr, DenseStringElementsAttr, SparseElementsAttr)


def kind_problem(op_def: OpDef, spec: AttributeDef, attribute: Attribute) -> Problem | None:
    """What is wrong with an attribute of an operation as such; None where it is one of its kind."""
    if not is_of_kind(attribute, spec.kind, op_def.dialect):
        problem = f"{spec.name} must be {kind_words(spec.kind)}, but is {attribute}"
    elif spec.kind in ("array", "elements") and spec.items != "any":
        problem = _items_problem(spec, attribute, op_def.dialect)
    else:
        problem = None
    return Problem(problem, f"write {attribute_text(op_def, spec)}, for instance") if problem else None


def nested_problem(attribute: Attribute) -> Problem | None:
    """What is wrong with an attribute that has fields, or with one inside a list or a dictionary."""
    if isinstance(attribute, ArrayAttr):
        inside: tuple[Attribute, ...] = attribute.values
    elif isinstance(attribute, DictionaryAttr):
        inside = tuple(value for _, value in attribute.entries)
    else:
        found = find_attr_def(type(attribute))
        return found[1].check(attribute) if found and found[1].check else None
    return next((problem for each in inside if (problem := nested_problem(each))), None)


def _items_problem(spec: AttributeDef, attribute: Attribute, dialect: str) -> str | None:
    if isinstance(attribute, ArrayAttr):
        for item in attribute:
            if not is_of_kind(item, spec.items, dialect):
                return f"{spec.name} must hold {kind_words(spec.items)} at each place, but holds {item}"
    elif spec.kind == "elements" and not _is_i64_elements(attribute):
        return f"{spec.name} must be 64-bit integers, but is of type {getattr(attribute, 'type', '?')}"
    return None


def is_of_kind(attribute: Attribute, kind: str, dialect: str) -> bool:
    """Whether an attribute is of a kind as definitions write it, whose enumerations and structs are a
    dialect's.
    """
    family, _, detail = kind.partition(":")
    fits = _FITS.get(family)
    return fits is None or fits(attribute, detail, dialect)


def kind_words(kind: str) -> str:
    """A kind in words."""
    family, _, detail = kind.partition(":")
    return _WORDS.get(family, "{detail}").format(detail=detail.replace("_", " "))


# --- the kinds ---


def _integer(type_: Type) -> Fits:
    return lambda attribute, _, __: isinstance(attribute, IntegerAttr) and attribute.type == type_


def _float(type_: Type) -> Fits:
    return lambda attribute, _, __: isinstance(attribute, FloatAttr) and attribute.type == type_


def _array(type_: Type) -> Fits:
    return lambda attribute, _, __: isinstance(attribute, DenseArrayAttr) and attribute.element_type == type_


def _instance(*classes: type[Attribute]) -> Fits:
    return lambda attribute, _, __: isinstance(attribute, classes)


def _is_symbol(attribute: Attribute, _: str, __: str) -> bool:
    return isinstance(attribute, SymbolRefAttr) and not attribute.nested


def _is_enum(attribute: Attribute, mnemonic: str, dialect: str) -> bool:
    if not isinstance(attribute, EnumAttr) or attribute.enum != mnemonic.rpartition(".")[2]:
        return False
    found = find_dialect(attribute.dialect)
    enum = found.enums.get(attribute.enum) if found else None
    return attribute.dialect in (dialect, mnemonic.rpartition(".")[0]) and (
        enum is None or attribute.value in enum.words
    )


def _is_enum_number(type_: Type) -> Fits:
    def fits(attribute: Attribute, mnemonic: str, dialect: str) -> bool:
        found = find_dialect(dialect)
        enum = found.enums.get(mnemonic) if found else None
        return (
            isinstance(attribute, IntegerAttr)
            and attribute.type == type_
            and (enum is None or 0 <= attribute.value < len(enum.words))
        )

    return fits


def _is_struct(attribute: Attribute, mnemonic: str, dialect: str) -> bool:
    owner, _, name = mnemonic.rpartition(".")
    found = find_dialect(owner or dialect)
    struct = found.structs.get(name) if found else None
    cls: Any = struct.cls if struct else Attribute
    return isinstance(attribute, cls)


def _is_i64_elements(attribute: Attribute) -> bool:
    return isinstance(attribute, (DenseElementsAttr, DenseResourceAttr)) and _elements_type(attribute) == I64


def _elements_type(attribute: DenseElementsAttr | DenseResourceAttr) -> Type | None:
    return attribute.type.element_type if isinstance(attribute.type, RankedTensorType) else None


def _is_replica_groups(attribute: Attribute, _: str, __: str) -> bool:
    return _is_i64_elements(attribute) or _is_struct(attribute, "replica_group_mesh_axes", "stablehlo")


def _is_layout(attribute: Attribute, _: str, __: str) -> bool:
    return (
        isinstance(attribute, DenseElementsAttr)
        and _elements_type(attribute) == INDEX
        and len(attribute.type.shape) == 1
    )


def _is_symbols(attribute: Attribute, _: str, __: str) -> bool:
    return isinstance(attribute, ArrayAttr) and all(_is_symbol(item, "", "") for item in attribute)


_FITS: Final[Mapping[str, Fits]] = {
    "i64": _integer(I64),
    "i32": _integer(I32),
    "ui64": _integer(IntegerType(64, "unsigned")),
    "ui32": _integer(IntegerType(32, "unsigned")),
    "bool": _integer(I1),
    "float": _float(F32),
    "f64": _float(F64),
    "string": _instance(StringAttr),
    "symbol_name": _instance(StringAttr),
    "type": _instance(TypeAttr),
    "elements": _instance(*ELEMENTS),
    "i64_array": _array(I64),
    "i32_array": _array(I32),
    "bool_array": _array(I1),
    "array": _instance(ArrayAttr),
    "dict": _instance(DictionaryAttr),
    "unit": _instance(UnitAttr),
    "symbol": _is_symbol,
    "symbols": _is_symbols,
    "enum": _is_enum,
    "enum_i32": _is_enum_number(I32),
    "enum_i64": _is_enum_number(I64),
    "struct": _is_struct,
    "struct_body": _is_struct,
    "replica_groups": _is_replica_groups,
    "layout": _is_layout,
}

_WORDS: Final[Mapping[str, str]] = {
    "i64": "a 64-bit integer (`1 : i64`)",
    "i32": "a 32-bit integer (`1 : i32`)",
    "ui64": "an unsigned 64-bit integer (`1 : ui64`)",
    "ui32": "an unsigned 32-bit integer (`1 : ui32`)",
    "bool": "true or false",
    "float": "a 32-bit float (`1.0 : f32`)",
    "f64": "a 64-bit float (`1.0 : f64`)",
    "string": "a string",
    "symbol_name": "a string",
    "type": "a type",
    "elements": "elements (`dense<...> : tensor<...>`)",
    "i64_array": "an array of 64-bit integers (`array<i64: 1, 2>`)",
    "i32_array": "an array of 32-bit integers (`array<i32: 1, 2>`)",
    "bool_array": "an array of truths (`array<i1: true, false>`)",
    "array": "an array (`[...]`)",
    "dict": "a dictionary (`{{...}}`)",
    "unit": "present without a value",
    "symbol": "a symbol (`@name`)",
    "symbols": "an array of symbols (`[@name]`)",
    "enum": "a word of the enumeration {detail}",
    "enum_i32": "the 32-bit number of a word of the enumeration {detail}",
    "enum_i64": "the 64-bit number of a word of the enumeration {detail}",
    "struct": "a {detail} attribute",
    "struct_body": "a {detail} attribute",
    "replica_groups": "64-bit integers (`dense<...> : tensor<...xi64>`) or the axes of a mesh",
    "layout": "a list of indices (`dense<...> : tensor<...xindex>`)",
}
