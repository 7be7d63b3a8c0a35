"""VHLO's attributes and types, one row each, as the StableHLO attributes and types that they represent.

VHLO's forms never change, so that what was written once can be read for ever; they are a dress for the same
values. Codes are VHLO's.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from shlo.dialects.struct_attributes import (
    AxisRef,
    Mesh,
    MeshAxis,
    OutputOperandAlias,
    ReplicaGroupMeshAxes,
    ResultAccuracy,
    SubAxisInfo,
    TypeExtensions,
)
from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
)
from shlo.ir.dense import DenseElementsAttr, raw_from_array
from shlo.ir.dtypes import dtype_of
from shlo.ir.types import (
    I1,
    I32,
    I64,
    ComplexType,
    FunctionType,
    FutureType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    OpaqueType,
    QuantizedType,
    RankedTensorType,
    Shape,
    Signedness,
    TokenType,
    TupleType,
    Type,
    UnrankedTensorType,
)
from shlo_bytecode.container.output import Bytes
from shlo_bytecode.tables import fields
from shlo_bytecode.tables.builtin import BUILTIN, dictionary, dictionary_parts, name_attribute
from shlo_bytecode.tables.builtin_types import (
    complex_,
    constant_row,
    encoded_tensor,
    float_row,
    tensor,
    tensor_parts,
    types_list,
    unranked_tensor,
)
from shlo_bytecode.tables.elements import bit_pattern, elements, elements_parts, float_, integer, number_parts
from shlo_bytecode.tables.fields import Encoding, ItemRow, record, signed, sizes, struct
from shlo_bytecode.tables.quant import (
    PER_AXIS,
    PER_TENSOR,
    QUANT,
    per_axis,
    per_axis_parts,
    per_tensor,
    per_tensor_parts,
)
from shlo_bytecode.tables.sdy import SDY
from shlo_bytecode.tables.stablehlo import (
    ACCURACY,
    CHLO,
    STABLEHLO,
    accuracy,
    accuracy_parts,
    enum_row,
    future,
    mesh,
    mesh_parts,
)

API_VERSIONS = 5


class ApiVersion(Attribute, Struct, frozen=True):
    """The version of a custom call's interface: a number in StableHLO, a word of its own in VHLO."""

    number: int


def _api_version(number: int) -> IntegerAttr:
    if number >= API_VERSIONS:
        raise ValueError(f"there is no API version {number}")
    return IntegerAttr(number, I32)


def _truth(value: bool) -> IntegerAttr:
    return IntegerAttr(int(value), I1)


def _truth_parts(number: IntegerAttr) -> tuple[int] | None:
    return (number.value,) if number.type == I1 else None


def _text_parts(text: StringAttr) -> tuple[str] | None:
    return (text.value,) if text.type is None else None


def _symbol_parts(symbol: SymbolRefAttr) -> tuple[str] | None:
    return None if symbol.nested else (symbol.root,)


def _array_parts(array: DenseArrayAttr) -> tuple[Type, Bytes] | None:
    """Returns an array as elements of one dimension."""
    if array.element_type not in (I64, I1):
        return None
    element = array.element_type
    numbers = np.array(array.values, dtype_of(element))
    return _tensor_parts(DenseElementsAttr(RankedTensorType((len(array.values),), element), numbers))


def _tensor_parts(value: DenseElementsAttr) -> tuple[Type, Bytes] | None:
    """As in the builtin dialect, but booleans of which there is one or none do not represent all."""
    if not isinstance(value.type, RankedTensorType):
        return None
    if value.type.element_type == I1 and value.array.size <= 1:
        return value.type, raw_from_array(value.array)
    return elements_parts(value)


def _axis_part(name: StringAttr, part: SubAxisInfo | None) -> AxisRef:
    return AxisRef(name.value, part)


def _axis_parts(axis: MeshAxis) -> tuple[StringAttr, int]:
    return name_attribute(axis.name), axis.size


def _axis(name: StringAttr, size: int) -> MeshAxis:
    return MeshAxis(name.value, size)


def _mesh_axes(where: Attribute, axes: ArrayAttr) -> ReplicaGroupMeshAxes:
    """Returns whether a mesh is given itself or by its name."""
    named = SymbolRefAttr(where.value) if isinstance(where, StringAttr) else where
    checked = [axis for axis in axes if isinstance(axis, AxisRef)]
    if len(checked) != len(axes):
        raise ValueError("one of its axes is none")
    return ReplicaGroupMeshAxes(named, tuple(checked))


_TYPE = fields.type_("the type")
_NAME = fields.attribute("the name", StringAttr)

_TENSOR_FIELDS = (_TYPE, fields.blob("the elements"))
_TEXT_FIELDS = (fields.string("the text"),)

ATTRIBUTES = {
    1: struct(ArrayAttr, fields.items(fields.attribute("the elements"))),
    2: ItemRow("bool_v1", (fields.truth("the truth"),), _truth, IntegerAttr, _truth_parts),
    3: enum_row("comparison_direction"),
    4: enum_row("comparison_type"),
    5: ItemRow("api_version_v1", (fields.varint("the version"),), _api_version, ApiVersion),
    6: ItemRow("dict_v1", (fields.pairs("the entries"),), dictionary, DictionaryAttr, dictionary_parts),
    7: enum_row("fft_type"),
    8: ItemRow("float_v1", (_TYPE, fields.rest("the value", bit_pattern)), float_, FloatAttr, number_parts),
    9: ItemRow(
        "integer_v1", (_TYPE, fields.rest("the value", bit_pattern)), integer, IntegerAttr, number_parts
    ),
    10: record(OutputOperandAlias),
    11: enum_row("precision"),
    12: enum_row("rng_algorithm"),
    13: enum_row("rng_distribution", 1),
    14: ItemRow("string_v1", _TEXT_FIELDS, StringAttr, StringAttr, _text_parts),
    15: ItemRow("tensor_v1", _TENSOR_FIELDS, elements, DenseElementsAttr, _tensor_parts),
    16: enum_row("transpose"),
    17: struct(TypeAttr, _TYPE),
    18: struct(TypeExtensions, sizes("bounds")),
    19: enum_row("result_accuracy_mode"),
    20: ItemRow("result_accuracy_v1", ACCURACY, accuracy, ResultAccuracy, accuracy_parts),
    21: record(SubAxisInfo),
    22: ItemRow(
        "axis_ref_v1",
        (_NAME, fields.presence(fields.attribute("sub_axis_info", SubAxisInfo), fields.truth)),
        _axis_part,
        AxisRef,
        lambda axis: (name_attribute(axis.name), axis.sub_axis_info),
    ),
    23: ItemRow(
        "replica_group_mesh_axes_v1",
        (fields.attribute("the mesh"), fields.attribute("the axes", ArrayAttr)),
        _mesh_axes,
        ReplicaGroupMeshAxes,
        lambda value: (value.mesh, ArrayAttr(value.axes)),
    ),
    24: ItemRow("mesh_axis_v1", (_NAME, signed("size")), _axis, MeshAxis, _axis_parts),
    25: ItemRow(
        "mesh_v1",
        (fields.attribute("the axes", ArrayAttr), fields.optional_attribute("the devices")),
        mesh,
        Mesh,
        mesh_parts,
    ),
}

WRITTEN = (
    (14, ItemRow("string_v1", _TEXT_FIELDS, StringAttr, SymbolRefAttr, _symbol_parts)),
    (15, ItemRow("tensor_v1", _TENSOR_FIELDS, elements, DenseArrayAttr, _array_parts)),
)
"""Symbols and arrays, for which VHLO has no form of their own."""


def _bounded_tensor_parts(type_: RankedTensorType) -> tuple[Attribute, Shape, Type] | None:
    if not isinstance(type_.encoding, TypeExtensions):
        return None
    return type_.encoding, type_.shape, type_.element_type


def _buffer_parts(type_: MemRefType) -> tuple[Shape, Type] | None:
    """Returns the layout and the memory are left out, as by MLIR's tools."""
    return None if type_.shape is None else (type_.shape, type_.element_type)


_SHAPE = sizes("the shape")
_ELEMENT = fields.type_("the element type")

_FLOATS = {
    **dict(enumerate(("bf16", "f16", "f32", "f64", "f8E4M3FN", "f8E5M2"), 2)),
    **dict(enumerate(("f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ"), 27)),
    **dict(enumerate(("tf32", "f8E4M3", "f8E3M4", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E8M0FNU"), 34)),
}


def _integer_row(width: int, signedness: Signedness = "signless") -> ItemRow:
    return constant_row(IntegerType(width, signedness), "an integer type")


TYPES = {
    **{code: float_row(name) for code, name in _FLOATS.items()},
    **{10 + index: _integer_row(4 << index) for index in range(5)},
    **{15 + index: _integer_row(4 << index, "unsigned") for index in range(5)},
    0: _integer_row(1),
    1: ItemRow("complex_v1", (_ELEMENT,), complex_, ComplexType),
    8: struct(FunctionType, types_list("the inputs"), types_list("the results")),
    9: struct(IndexType),
    20: ItemRow("tensor_v1", (_SHAPE, _ELEMENT), tensor, RankedTensorType, tensor_parts),
    21: ItemRow(
        "tensor_v1",
        (fields.attribute("the encoding"), _SHAPE, _ELEMENT),
        encoded_tensor,
        RankedTensorType,
        _bounded_tensor_parts,
    ),
    22: struct(TokenType),
    23: struct(TupleType, types_list("the types")),
    24: ItemRow("quantized_v1", PER_TENSOR, per_tensor, QuantizedType, per_tensor_parts),
    25: ItemRow("unranked_tensor_v1", (_ELEMENT,), unranked_tensor, UnrankedTensorType),
    26: constant_row(OpaqueType("shape", "witness"), "witness_v1"),
    30: ItemRow("quantized_v1", PER_AXIS, per_axis, QuantizedType, per_axis_parts),
    31: _integer_row(2),
    32: _integer_row(2, "unsigned"),
    33: struct(NoneType),
    41: ItemRow("buffer_v1", (_SHAPE, _ELEMENT), MemRefType, MemRefType, _buffer_parts),
    42: ItemRow("future_v1", (types_list("the types"),), future, FutureType),
}

VHLO = Encoding(ATTRIBUTES, TYPES, WRITTEN)

ATTRIBUTE_VERSIONS = {**dict.fromkeys((19, 20), "1.9.0"), **dict.fromkeys((21, 22, 23, 24, 25), "1.16.0")}
TYPE_VERSIONS = {
    **dict.fromkeys((27, 28), "0.10.0"),
    29: "0.11.0",
    30: "0.18.0",
    **dict.fromkeys((31, 32), "1.2.0"),
    **dict.fromkeys((33, 34), "1.6.0"),
    **dict.fromkeys((35, 36), "1.7.0"),
    **dict.fromkeys((37, 38, 39, 40), "1.8.0"),
    41: "1.13.0",
    42: "1.15.0",
}
"""The version that first has an attribute or type, by code; 0.9.0 has all others."""


ENCODINGS: dict[str, Encoding] = {
    "builtin": BUILTIN,
    "quant": QUANT,
    "stablehlo": STABLEHLO,
    "chlo": CHLO,
    "vhlo": VHLO,
    "sdy": SDY,
}
