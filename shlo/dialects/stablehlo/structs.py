"""How StableHLO's struct attributes are written: their classes and fields."""

from __future__ import annotations

from shlo.dialects import struct_attributes as attributes
from shlo.dialects.attr_constraints import (
    ANY_ATTR,
    ARRAY_ATTR,
    BOOL_ATTR,
    I64_ARRAY_ATTR,
    I64_ATTR,
    STRING_ATTR,
    TYPE_ATTR,
    AttrDef,
    AttrParam,
    struct_of,
)
from shlo.dialects.stablehlo.rules import structs as struct_rules

_NONE_OF_THEM: tuple[int, ...] = ()


def _dims(name: str) -> AttrParam:
    return AttrParam(name, I64_ARRAY_ATTR, _NONE_OF_THEM)


GATHER = AttrDef(
    "stablehlo",
    "gather",
    attributes.GatherDimensionNumbers,
    (
        _dims("offset_dims"),
        _dims("collapsed_slice_dims"),
        _dims("operand_batching_dims"),
        _dims("start_indices_batching_dims"),
        _dims("start_index_map"),
        AttrParam("index_vector_dim", I64_ATTR, 0),
    ),
)
SCATTER = AttrDef(
    "stablehlo",
    "scatter",
    attributes.ScatterDimensionNumbers,
    (
        _dims("update_window_dims"),
        _dims("inserted_window_dims"),
        _dims("input_batching_dims"),
        _dims("scatter_indices_batching_dims"),
        _dims("scatter_dims_to_operand_dims"),
        AttrParam("index_vector_dim", I64_ATTR, 0),
    ),
)
DOT = AttrDef(
    "stablehlo",
    "dot",
    attributes.DotDimensionNumbers,
    (
        _dims("lhs_batching_dimensions"),
        _dims("rhs_batching_dimensions"),
        _dims("lhs_contracting_dimensions"),
        _dims("rhs_contracting_dimensions"),
    ),
)
DOT_ALGORITHM = AttrDef(
    "stablehlo",
    "dot_algorithm",
    attributes.DotAlgorithm,
    (
        AttrParam("lhs_precision_type", TYPE_ATTR),
        AttrParam("rhs_precision_type", TYPE_ATTR),
        AttrParam("accumulation_type", TYPE_ATTR),
        AttrParam("lhs_component_count", I64_ATTR),
        AttrParam("rhs_component_count", I64_ATTR),
        AttrParam("num_primitive_operations", I64_ATTR),
        AttrParam("allow_imprecise_accumulation", BOOL_ATTR),
    ),
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
    (AttrParam("handle", I64_ATTR), AttrParam("type", I64_ATTR)),
    snippet="<handle = «0», type = «0»>",
)
OUTPUT_OPERAND_ALIAS = AttrDef(
    "stablehlo",
    "output_operand_alias",
    attributes.OutputOperandAlias,
    (
        AttrParam("output_tuple_indices", I64_ARRAY_ATTR),
        AttrParam("operand_index", I64_ATTR),
        AttrParam("operand_tuple_indices", I64_ARRAY_ATTR),
    ),
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
MESH_AXIS = AttrDef(
    "stablehlo",
    "mesh_axis",
    attributes.MeshAxis,
    (AttrParam("name", STRING_ATTR), AttrParam("size", I64_ATTR)),
)
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
