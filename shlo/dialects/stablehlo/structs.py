"""How StableHLO's struct attributes are written: their classes and fields."""

from __future__ import annotations

from shlo.dialects.opdef import FieldSpec, StructCard
from shlo.dialects.stablehlo import attributes
from shlo.dialects.stablehlo.rules import structs as struct_rules

_NONE_OF_THEM: tuple[int, ...] = ()


def _dims(name: str) -> FieldSpec:
    return FieldSpec(name, "i64_array", _NONE_OF_THEM)


STRUCTS = (
    StructCard(
        "gather",
        attributes.GatherDimensionNumbers,
        (
            _dims("offset_dims"),
            _dims("collapsed_slice_dims"),
            _dims("operand_batching_dims"),
            _dims("start_indices_batching_dims"),
            _dims("start_index_map"),
            FieldSpec("index_vector_dim", "i64", 0),
        ),
    ),
    StructCard(
        "scatter",
        attributes.ScatterDimensionNumbers,
        (
            _dims("update_window_dims"),
            _dims("inserted_window_dims"),
            _dims("input_batching_dims"),
            _dims("scatter_indices_batching_dims"),
            _dims("scatter_dims_to_operand_dims"),
            FieldSpec("index_vector_dim", "i64", 0),
        ),
    ),
    StructCard(
        "dot",
        attributes.DotDimensionNumbers,
        (
            _dims("lhs_batching_dimensions"),
            _dims("rhs_batching_dimensions"),
            _dims("lhs_contracting_dimensions"),
            _dims("rhs_contracting_dimensions"),
        ),
    ),
    StructCard(
        "dot_algorithm",
        attributes.DotAlgorithm,
        (
            FieldSpec("lhs_precision_type", "type"),
            FieldSpec("rhs_precision_type", "type"),
            FieldSpec("accumulation_type", "type"),
            FieldSpec("lhs_component_count", "i64"),
            FieldSpec("rhs_component_count", "i64"),
            FieldSpec("num_primitive_operations", "i64"),
            FieldSpec("allow_imprecise_accumulation", "bool"),
        ),
        ordered=True,
    ),
    StructCard("conv", attributes.ConvDimensionNumbers, custom="convolution_dimensions"),
    StructCard(
        "channel_handle", attributes.ChannelHandle, (FieldSpec("handle", "i64"), FieldSpec("type", "i64"))
    ),
    StructCard(
        "output_operand_alias",
        attributes.OutputOperandAlias,
        (
            FieldSpec("output_tuple_indices", "i64_array"),
            FieldSpec("operand_index", "i64"),
            FieldSpec("operand_tuple_indices", "i64_array"),
        ),
        ordered=True,
    ),
    StructCard(
        "result_accuracy",
        attributes.ResultAccuracy,
        custom="result_accuracy",
        check=struct_rules.accuracy_problem,
    ),
    StructCard("bounds", attributes.TypeExtensions, custom="bounds"),
    StructCard("type_extensions", attributes.TypeExtensions, custom="type_extensions"),
    StructCard("sub_axis_info", attributes.SubAxisInfo, custom="sub_axis_info"),
    StructCard(
        "axis_ref",
        attributes.AxisRef,
        (FieldSpec("name", "string"), FieldSpec("sub_axis_info", "struct:sub_axis_info", optional=True)),
    ),
    StructCard("mesh_axis", attributes.MeshAxis, (FieldSpec("name", "string"), FieldSpec("size", "i64"))),
    StructCard("mesh", attributes.Mesh, custom="mesh"),
    StructCard(
        "replica_group_mesh_axes",
        attributes.ReplicaGroupMeshAxes,
        (FieldSpec("mesh", "any"), FieldSpec("axes", "array")),
        check=struct_rules.mesh_axes_problem,
    ),
)
