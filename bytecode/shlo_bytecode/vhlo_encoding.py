"""VHLO's attributes and types, one row each, as the StableHLO attributes and types that they stand for.

VHLO's forms never change, so that what was written once can be read for ever; they are a dress for the same
values. Codes are VHLO's.
"""

from __future__ import annotations

from shlo.dialects.stablehlo.attributes import (
    AxisRef,
    MeshAxis,
    OutputOperandAlias,
    ReplicaGroupMeshAxes,
    SubAxisInfo,
    TypeExtensions,
)
from shlo.ir.attributes import ArrayAttr, Attribute, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr
from shlo.ir.types import (
    I1,
    I32,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    OpaqueType,
    Signedness,
    TokenType,
    TupleType,
)
from shlo_bytecode import fields
from shlo_bytecode.builtin_encoding import (
    complex_,
    dictionary,
    encoded_tensor,
    float_row,
    tensor,
    types_list,
    unranked_tensor,
)
from shlo_bytecode.elements import elements, float_, integer
from shlo_bytecode.fields import Encoding, Row, signed, sizes, struct
from shlo_bytecode.quant_encoding import PER_AXIS, PER_TENSOR, per_axis, per_tensor
from shlo_bytecode.stablehlo_encoding import ACCURACY, ALIAS, accuracy, enum_row, future, mesh

API_VERSIONS = 5


def _api_version(number: int) -> IntegerAttr:
    if number >= API_VERSIONS:
        raise ValueError(f"there is no API version {number}")
    return IntegerAttr(number, I32)


def _truth(value: bool) -> IntegerAttr:
    return IntegerAttr(int(value), I1)


def _axis_part(name: StringAttr, part: SubAxisInfo | None) -> AxisRef:
    return AxisRef(name.value, part)


def _axis(name: StringAttr, size: int) -> MeshAxis:
    return MeshAxis(name.value, size)


def _mesh_axes(where: Attribute, axes: ArrayAttr) -> ReplicaGroupMeshAxes:
    """The mesh stands there itself, or by its name."""
    named = SymbolRefAttr(where.value) if isinstance(where, StringAttr) else where
    checked = [axis for axis in axes if isinstance(axis, AxisRef)]
    if len(checked) != len(axes):
        raise ValueError("one of its axes is none")
    return ReplicaGroupMeshAxes(named, tuple(checked))


_TYPE = fields.type_("the type")
_NAME = fields.attribute("the name", StringAttr)

ATTRIBUTES = {
    1: struct(ArrayAttr, fields.items(fields.attribute("the elements"))),
    2: Row("bool_v1", (fields.truth("the truth"),), _truth),
    3: enum_row("comparison_direction"),
    4: enum_row("comparison_type"),
    5: Row("api_version_v1", (fields.varint("the version"),), _api_version),
    6: Row("dict_v1", (fields.pairs("the entries"),), dictionary),
    7: enum_row("fft_type"),
    8: Row("float_v1", (_TYPE, fields.rest("the value")), float_),
    9: Row("integer_v1", (_TYPE, fields.rest("the value")), integer),
    10: struct(OutputOperandAlias, *ALIAS),
    11: enum_row("precision"),
    12: enum_row("rng_algorithm"),
    13: enum_row("rng_distribution", 1),
    14: struct(StringAttr, fields.string("the text")),
    15: Row("tensor_v1", (_TYPE, fields.blob("the elements")), elements),
    16: enum_row("transpose"),
    17: struct(TypeAttr, _TYPE),
    18: struct(TypeExtensions, sizes("bounds")),
    19: enum_row("result_accuracy_mode"),
    20: Row("result_accuracy_v1", ACCURACY, accuracy),
    21: struct(SubAxisInfo, signed("pre_size"), signed("size")),
    22: Row(
        "axis_ref_v1",
        (_NAME, fields.presence(fields.attribute("sub_axis_info", SubAxisInfo), fields.truth)),
        _axis_part,
    ),
    23: Row(
        "replica_group_mesh_axes_v1",
        (fields.attribute("the mesh"), fields.attribute("the axes", ArrayAttr)),
        _mesh_axes,
    ),
    24: Row("mesh_axis_v1", (_NAME, signed("size")), _axis),
    25: Row(
        "mesh_v1",
        (fields.attribute("the axes", ArrayAttr), fields.optional_attribute("the devices")),
        mesh,
    ),
}


def _witness() -> OpaqueType:
    return OpaqueType("shape", "witness")


_SHAPE = sizes("the shape")
_ELEMENT = fields.type_("the element type")

_FLOATS = {
    **dict(enumerate(("bf16", "f16", "f32", "f64", "f8E4M3FN", "f8E5M2"), 2)),
    **dict(enumerate(("f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ"), 27)),
    **dict(enumerate(("tf32", "f8E4M3", "f8E3M4", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E8M0FNU"), 34)),
}


def _integer_row(width: int, signedness: Signedness = "signless") -> Row:
    return Row("an integer type", (), lambda: IntegerType(width, signedness))


TYPES = {
    **{code: float_row(name) for code, name in _FLOATS.items()},
    **{10 + index: _integer_row(4 << index) for index in range(5)},
    **{15 + index: _integer_row(4 << index, "unsigned") for index in range(5)},
    0: _integer_row(1),
    1: Row("complex_v1", (_ELEMENT,), complex_),
    8: struct(FunctionType, types_list("the inputs"), types_list("the results")),
    9: struct(IndexType),
    20: Row("tensor_v1", (_SHAPE, _ELEMENT), tensor),
    21: Row(
        "tensor_v1",
        (fields.attribute("the encoding"), _SHAPE, _ELEMENT),
        encoded_tensor,
    ),
    22: struct(TokenType),
    23: struct(TupleType, types_list("the types")),
    24: Row("quantized_v1", PER_TENSOR, per_tensor),
    25: Row("unranked_tensor_v1", (_ELEMENT,), unranked_tensor),
    26: Row("witness_v1", (), _witness),
    30: Row("quantized_v1", PER_AXIS, per_axis),
    31: _integer_row(2),
    32: _integer_row(2, "unsigned"),
    33: struct(NoneType),
    41: Row("buffer_v1", (_SHAPE, _ELEMENT), MemRefType),
    42: Row("future_v1", (types_list("the types"),), future),
}

VHLO = Encoding(ATTRIBUTES, TYPES)
