"""StableHLO's struct attributes. Names and meanings are those of the specification's ops that use them."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from shlo.ir.attributes import Attribute
from shlo.ir.types import Type

Int64s = tuple[int, ...]


class GatherDimensionNumbers(Attribute, Struct, frozen=True):
    """`#stablehlo.gather<...>`; specification: "gather"."""

    offset_dims: Int64s = ()
    collapsed_slice_dims: Int64s = ()
    operand_batching_dims: Int64s = ()
    start_indices_batching_dims: Int64s = ()
    start_index_map: Int64s = ()
    index_vector_dim: int = 0


class ScatterDimensionNumbers(Attribute, Struct, frozen=True):
    """`#stablehlo.scatter<...>`; specification: "scatter"."""

    update_window_dims: Int64s = ()
    inserted_window_dims: Int64s = ()
    input_batching_dims: Int64s = ()
    scatter_indices_batching_dims: Int64s = ()
    scatter_dims_to_operand_dims: Int64s = ()
    index_vector_dim: int = 0


class DotDimensionNumbers(Attribute, Struct, frozen=True):
    """`#stablehlo.dot<...>`; specification: "dot_general"."""

    lhs_batching_dimensions: Int64s = ()
    rhs_batching_dimensions: Int64s = ()
    lhs_contracting_dimensions: Int64s = ()
    rhs_contracting_dimensions: Int64s = ()


class DotAlgorithm(Attribute, Struct, frozen=True):
    """`#stablehlo.dot_algorithm<...>`; specification: "dot_general"."""

    lhs_precision_type: Type
    rhs_precision_type: Type
    accumulation_type: Type
    lhs_component_count: int = 1
    rhs_component_count: int = 1
    num_primitive_operations: int = 1
    allow_imprecise_accumulation: bool = False


class ConvDimensionNumbers(Attribute, Struct, frozen=True):
    """`#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>`; specification: "convolution"."""

    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: Int64s
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: Int64s
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: Int64s


class ChannelHandle(Attribute, Struct, frozen=True):
    """`#stablehlo.channel_handle<handle = 1, type = 0>`."""

    handle: int = 0
    type: int = 0


class OutputOperandAlias(Attribute, Struct, frozen=True):
    """`#stablehlo.output_operand_alias<...>`; specification: "custom_call"."""

    output_tuple_indices: Int64s = ()
    operand_index: int = 0
    operand_tuple_indices: Int64s = ()


class ResultAccuracy(Attribute, Struct, frozen=True):
    """`#stablehlo.result_accuracy<...>`: how far a result may be from the exact one."""

    atol: float = 0.0
    rtol: float = 0.0
    ulps: int = 0
    mode: Literal["DEFAULT", "HIGHEST", "TOLERANCE"] = "DEFAULT"


class TypeExtensions(Attribute, Struct, frozen=True):
    """`#stablehlo.bounds<?, 4>`: for each dimension the size that it never exceeds, or None."""

    bounds: tuple[int | None, ...] = ()


class SubAxisInfo(Attribute, Struct, frozen=True):
    """`(1)2`: part of a mesh axis: what is before it, and its size."""

    pre_size: int
    size: int


class AxisRef(Attribute, Struct, frozen=True):
    """`#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>`."""

    name: str
    sub_axis_info: SubAxisInfo | None = None


class MeshAxis(Attribute, Struct, frozen=True):
    """`<name = "x", size = 2>`: an axis of a mesh."""

    name: str
    size: int


class Mesh(Attribute, Struct, frozen=True):
    """`#stablehlo.mesh<axes = [...], device_ids = dense<...>>`."""

    axes: tuple[MeshAxis, ...]
    device_ids: Attribute | None = None


class ReplicaGroupMeshAxes(Attribute, Struct, frozen=True):
    """`#stablehlo.replica_group_mesh_axes<mesh = ..., axes = [...]>`; `mesh` is a symbol or a Mesh."""

    has_references: ClassVar[bool] = True

    mesh: Attribute
    axes: tuple[AxisRef, ...]
