"""How StableHLO's struct attributes are written: their classes and fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from msgspec import Struct

from shlo.dialects import struct_attributes as attributes
from shlo.dialects.attr_constraints import (
    ANY_ATTR,
    ARRAY_ATTR,
    BOOL_ATTR,
    I64_ARRAY_ATTR,
    I64_ATTR,
    STRING_ATTR,
    TYPE_ATTR,
    AttrConstraint,
    AttrDef,
    AttrParam,
    struct_of,
)
from shlo.dialects.stablehlo.rules import structs as struct_rules
from shlo.ir.attributes import Attribute

BY_ANNOTATION: Final[dict[str, AttrConstraint]] = {
    "bool": BOOL_ATTR,
    "int": I64_ATTR,
    "Int64s": I64_ARRAY_ATTR,
    "str": STRING_ATTR,
    "Type": TYPE_ATTR,
}


def params_of(cls: type[Struct], has_defaults: bool = False) -> tuple[AttrParam, ...]:
    """Returns the parameters that the fields of a class are written as, by their annotations; where it
    `has_defaults`, the text leaves these out.
    """
    defaults = cls.__struct_defaults__ if has_defaults else (None,) * len(cls.__struct_fields__)
    return tuple(
        AttrParam(name, BY_ANNOTATION[cls.__annotations__[name]], default)
        for name, default in zip(cls.__struct_fields__, defaults, strict=True)
    )


def _numbers(name: str, cls: Callable[..., Attribute]) -> AttrDef:
    return AttrDef("stablehlo", name, cls, params_of(cast("type[Struct]", cls), has_defaults=True))


GATHER = _numbers("gather", attributes.GatherDimensionNumbers)
SCATTER = _numbers("scatter", attributes.ScatterDimensionNumbers)
DOT = _numbers("dot", attributes.DotDimensionNumbers)
DOT_ALGORITHM = AttrDef(
    "stablehlo",
    "dot_algorithm",
    attributes.DotAlgorithm,
    params_of(attributes.DotAlgorithm),
    ordered=True,
)
CONV = AttrDef(
    "stablehlo",
    "conv",
    attributes.ConvDimensionNumbers,
    custom="convolution_dimensions",
    snippet="<«[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]»>",
)
CHANNEL_HANDLE = AttrDef(
    "stablehlo",
    "channel_handle",
    attributes.ChannelHandle,
    params_of(attributes.ChannelHandle),
    snippet="<handle = «0», type = «0»>",
)
OUTPUT_OPERAND_ALIAS = AttrDef(
    "stablehlo",
    "output_operand_alias",
    attributes.OutputOperandAlias,
    params_of(attributes.OutputOperandAlias),
    ordered=True,
)
RESULT_ACCURACY = AttrDef(
    "stablehlo",
    "result_accuracy",
    attributes.ResultAccuracy,
    custom="result_accuracy",
    check=struct_rules.accuracy_problem,
)
BOUNDS = AttrDef("stablehlo", "bounds", attributes.TypeExtensions, custom="bounds")
TYPE_EXTENSIONS = AttrDef("stablehlo", "type_extensions", attributes.TypeExtensions, custom="type_extensions")
SUB_AXIS_INFO = AttrDef("stablehlo", "sub_axis_info", attributes.SubAxisInfo, custom="sub_axis_info")
AXIS_REF = AttrDef(
    "stablehlo",
    "axis_ref",
    attributes.AxisRef,
    (AttrParam("name", STRING_ATTR), AttrParam("sub_axis_info", struct_of(SUB_AXIS_INFO), optional=True)),
)
MESH_AXIS = AttrDef("stablehlo", "mesh_axis", attributes.MeshAxis, params_of(attributes.MeshAxis))
MESH = AttrDef("stablehlo", "mesh", attributes.Mesh, custom="mesh")
REPLICA_GROUP_MESH_AXES = AttrDef(
    "stablehlo",
    "replica_group_mesh_axes",
    attributes.ReplicaGroupMeshAxes,
    (AttrParam("mesh", ANY_ATTR), AttrParam("axes", ARRAY_ATTR)),
    check=struct_rules.mesh_axes_problem,
)

STRUCTS = (
    GATHER,
    SCATTER,
    DOT,
    DOT_ALGORITHM,
    CONV,
    CHANNEL_HANDLE,
    OUTPUT_OPERAND_ALIAS,
    RESULT_ACCURACY,
    BOUNDS,
    TYPE_EXTENSIONS,
    SUB_AXIS_INFO,
    AXIS_REF,
    MESH_AXIS,
    MESH,
    REPLICA_GROUP_MESH_AXES,
)
