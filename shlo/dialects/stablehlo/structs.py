"""How StableHLO's struct attributes are written: their classes and fields."""

from __future__ import annotations

from shlo.dialects.opdef import AttrDef, AttrParam
from shlo.dialects.stablehlo import attributes
from shlo.dialects.stablehlo.rules import structs as struct_rules

_NONE_OF_THEM: tuple[int, ...] = ()


def _dims(name: str) -> AttrParam:
    return AttrParam(name, "i64_array", _NONE_OF_THEM)


STRUCTS = (
    AttrDef(
        "gather",
        attributes.GatherDimensionNumbers,
        (
            _dims("offset_dims"),
            _dims("collapsed_slice_dims"),
            _dims("operand_batching_dims"),
            _dims("start_indices_batching_dims"),
            _dims("start_index_map"),
            AttrParam("index_vector_dim", "i64", 0),
        ),
    ),
    AttrDef(
        "scatter",
        attributes.ScatterDimensionNumbers,
        (
            _dims("update_window_dims"),
            _dims("inserted_window_dims"),
            _dims("input_batching_dims"),
            _dims("scatter_indices_batching_dims"),
            _dims("scatter_dims_to_operand_dims"),
            AttrParam("index_vector_dim", "i64", 0),
        ),
    ),
    AttrDef(
        "dot",
        attributes.DotDimensionNumbers,
        (
            _dims("lhs_batching_dimensions"),
            _dims("rhs_batching_dimensions"),
            _dims("lhs_contracting_dimensions"),
            _dims("rhs_contracting_dimensions"),
        ),
    ),
    AttrDef(
        "dot_algorithm",
        attributes.DotAlgorithm,
        (
            AttrParam("lhs_precision_type", "type"),
            AttrParam("rhs_precision_type", "type"),
            AttrParam("accumulation_type", "type"),
            AttrParam("lhs_component_count", "i64"),
            AttrParam("rhs_component_count", "i64"),
            AttrParam("num_primitive_operations", "i64"),
            AttrParam("allow_imprecise_accumulation", "bool"),
        ),
        ordered=True,
    ),
    AttrDef("conv", attributes.ConvDimensionNumbers, custom="convolution_dimensions"),
    AttrDef(
        "channel_handle", attributes.ChannelHandle, (AttrParam("handle", "i64"), AttrParam("type", "i64"))
    ),
    AttrDef(
        "output_operand_alias",
        attributes.OutputOperandAlias,
        (
            AttrParam("output_tuple_indices", "i64_array"),
            AttrParam("operand_index", "i64"),
            AttrParam("operand_tuple_indices", "i64_array"),
        ),
        ordered=True,
    ),
    AttrDef(
        "result_accuracy",
        attributes.ResultAccuracy,
        custom="result_accuracy",
        check=struct_rules.accuracy_problem,
    ),
    AttrDef("bounds", attributes.TypeExtensions, custom="bounds"),
    AttrDef("type_extensions", attributes.TypeExtensions, custom="type_extensions"),
    AttrDef("sub_axis_info", attributes.SubAxisInfo, custom="sub_axis_info"),
    AttrDef(
        "axis_ref",
        attributes.AxisRef,
        (AttrParam("name", "string"), AttrParam("sub_axis_info", "struct:sub_axis_info", optional=True)),
    ),
    AttrDef("mesh_axis", attributes.MeshAxis, (AttrParam("name", "string"), AttrParam("size", "i64"))),
    AttrDef("mesh", attributes.Mesh, custom="mesh"),
    AttrDef(
        "replica_group_mesh_axes",
        attributes.ReplicaGroupMeshAxes,
        (AttrParam("mesh", "any"), AttrParam("axes", "array")),
        check=struct_rules.mesh_axes_problem,
    ),
)
