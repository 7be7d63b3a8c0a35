"""The operations of VHLO: for each its version, the StableHLO versions that have it, and its attributes.

VHLO is the form of StableHLO that portable artifacts hold. An operation that changes becomes a new one,
`exponential_v2` beside `exponential_v1`, and the attributes of one are all there, none optional. To add a
StableHLO version: the operations that it changed get rows, and those that they follow an end.
"""

from __future__ import annotations

from typing import NamedTuple

from shlo.ir.diagnostics import PassError
from shlo.ir.operations import Module
from shlo.ir.source import Span

Version = tuple[int, int, int]


class VhloOp(NamedTuple):
    """One version of an operation: from which to which StableHLO version (None: today's) it can be used, and
    its attributes, ordered by name."""

    base: str
    number: int
    first: Version
    last: Version | None
    attributes: tuple[str, ...]

    @property
    def name(self) -> str:
        """The full name, such as `vhlo.exponential_v2`."""
        return f"vhlo.{self.base}_v{self.number}"

    @property
    def stablehlo_name(self) -> str:
        """The full name of the operation that it is a version of."""
        return RENAMED.get(self.base, f"stablehlo.{self.base}")

    def exists_in(self, version: Version) -> bool:
        """Returns whether a version of StableHLO has it."""
        return self.first <= version and (self.last is None or version <= self.last)


RENAMED = {"func": "func.func", "call": "func.call", "return": "func.return"}
"""Operations of other dialects than StableHLO; outside of functions, a return is StableHLO's."""

ONE_OPERAND = frozenset(("all_gather_v1", "all_reduce_v1", "all_to_all_v1", "collective_broadcast_v1"))
"""Versions that take one operand, where later ones take any number."""


def _op(base: str, number: int, first: str, last: str | None, *attributes: str) -> VhloOp:
    return VhloOp(base, number, version_of(first), version_of(last) if last else None, attributes)


def version_of(text: str) -> Version:
    """Returns the numbers of a version, such as `1.4.0`."""
    major, minor, patch = text.split(".")
    return int(major), int(minor), int(patch)


def version_text(version: Version) -> str:
    """Returns a version as it is written."""
    return ".".join(map(str, version))


ROWS = (
    _op("abs", 1, "0.9.0", None),
    _op("add", 1, "0.9.0", None),
    _op("after_all", 1, "0.9.0", None),
    _op(
        *("all_gather", 1, "0.9.0", "1.4.0"),
        *("all_gather_dim", "channel_id", "replica_groups", "use_global_device_ids"),
    ),
    _op(
        *("all_gather", 2, "1.5.0", None),
        *("all_gather_dim", "channel_id", "replica_groups", "use_global_device_ids"),
    ),
    _op("all_reduce", 1, "0.9.0", "1.4.0", "channel_id", "replica_groups", "use_global_device_ids"),
    _op("all_reduce", 2, "1.5.0", None, "channel_id", "replica_groups", "use_global_device_ids"),
    _op(
        *("all_to_all", 1, "0.9.0", "1.4.0"),
        *("channel_id", "concat_dimension", "replica_groups", "split_count", "split_dimension"),
    ),
    _op(
        *("all_to_all", 2, "1.5.0", None),
        *("channel_id", "concat_dimension", "replica_groups", "split_count", "split_dimension"),
    ),
    _op("and", 1, "0.9.0", None),
    _op("async_done", 1, "1.15.0", None),
    _op("async_start", 1, "1.15.0", None),
    _op("atan2", 1, "0.9.0", None),
    _op("batch_norm_grad", 1, "0.9.0", None, "epsilon", "feature_index"),
    _op("batch_norm_inference", 1, "0.9.0", None, "epsilon", "feature_index"),
    _op("batch_norm_training", 1, "0.9.0", None, "epsilon", "feature_index"),
    _op("bitcast_convert", 1, "0.9.0", None),
    _op("broadcast", 1, "0.9.0", None, "broadcast_sizes"),
    _op("broadcast_in_dim", 1, "0.9.0", None, "broadcast_dimensions"),
    _op("call", 1, "0.9.0", None, "callee"),
    _op("case", 1, "0.9.0", None),
    _op("cbrt", 1, "0.9.0", "1.9.0"),
    _op("cbrt", 2, "1.10.0", None, "result_accuracy"),
    _op("ceil", 1, "0.9.0", None),
    _op("cholesky", 1, "0.9.0", None, "lower"),
    _op("clamp", 1, "0.9.0", None),
    _op("collective_broadcast", 1, "0.16.0", "1.19.0", "channel_id", "replica_groups"),
    _op("collective_broadcast", 2, "1.20.0", None, "channel_id", "has_dynamic_root", "replica_groups"),
    _op("collective_permute", 1, "0.9.0", None, "channel_id", "source_target_pairs"),
    _op(
        *("collective_reduce", 1, "1.19.0", None),
        *("channel_id", "has_dynamic_root", "replica_groups", "use_global_device_ids"),
    ),
    _op("compare", 1, "0.9.0", None, "compare_type", "comparison_direction"),
    _op("complex", 1, "0.9.0", None),
    _op("composite", 1, "0.19.0", "1.13.0", "composite_attributes", "decomposition", "name", "version"),
    _op("composite", 2, "1.14.0", None, "composite_attributes", "decomposition", "name", "version"),
    _op("concatenate", 1, "0.9.0", None, "dimension"),
    _op("constant", 1, "0.9.0", None, "value"),
    _op("convert", 1, "0.9.0", None),
    _op(
        *("convolution", 1, "0.9.0", None),
        *("batch_group_count", "feature_group_count", "input_batch_dimension", "input_feature_dimension"),
        *("input_spatial_dimensions", "kernel_input_feature_dimension"),
        *("kernel_output_feature_dimension", "kernel_spatial_dimensions", "lhs_dilation"),
        *("output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions", "padding"),
        *("precision_config", "rhs_dilation", "window_reversal", "window_strides"),
    ),
    _op("cosine", 1, "0.9.0", "1.9.0"),
    _op("cosine", 2, "1.10.0", None, "result_accuracy"),
    _op("count_leading_zeros", 1, "0.9.0", None),
    _op("create_token", 1, "0.9.0", None),
    _op("cross-replica-sum", 1, "0.9.0", None, "replica_groups"),
    _op(
        *("custom_call", 1, "0.9.0", "1.17.0"),
        *("api_version", "backend_config", "call_target_name", "called_computations", "has_side_effect"),
        *("operand_layouts", "output_operand_aliases", "result_layouts"),
    ),
    _op(
        *("custom_call", 2, "1.18.0", None),
        *("api_version", "backend_config", "call_target_name", "called_computations", "has_side_effect"),
        *("operand_layouts", "output_operand_aliases", "result_layouts", "result_tilings"),
    ),
    _op("divide", 1, "0.9.0", None),
    _op("dot", 1, "0.9.0", None, "precision_config"),
    _op(
        *("dot_general", 1, "0.9.0", "1.5.0"),
        *("lhs_batching_dimensions", "lhs_contracting_dimensions", "precision_config"),
        *("rhs_batching_dimensions", "rhs_contracting_dimensions"),
    ),
    _op(
        *("dot_general", 2, "1.6.0", None),
        *("accumulation_type", "allow_imprecise_accumulation", "lhs_batching_dimensions"),
        *("lhs_component_count", "lhs_contracting_dimensions", "lhs_precision_type"),
        *("num_primitive_operations", "precision_config", "rhs_batching_dimensions"),
        *("rhs_component_count", "rhs_contracting_dimensions", "rhs_precision_type"),
    ),
    _op(
        *("dynamic_broadcast_in_dim", 1, "0.9.0", None),
        *("broadcast_dimensions", "known_expanding_dimensions", "known_nonexpanding_dimensions"),
    ),
    _op(
        *("dynamic_conv", 1, "0.9.0", "0.19.0"),
        *("batch_group_count", "feature_group_count", "input_batch_dimension", "input_feature_dimension"),
        *("input_spatial_dimensions", "kernel_input_feature_dimension"),
        *("kernel_output_feature_dimension", "kernel_spatial_dimensions", "lhs_dilation"),
        *("output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions", "padding"),
        *("precision_config", "rhs_dilation", "window_reversal", "window_strides"),
    ),
    _op(
        *("dynamic_conv", 2, "0.20.0", None),
        *("batch_group_count", "feature_group_count", "input_batch_dimension", "input_feature_dimension"),
        *("input_spatial_dimensions", "kernel_input_feature_dimension"),
        *("kernel_output_feature_dimension", "kernel_spatial_dimensions", "lhs_dilation"),
        *("output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"),
        *("precision_config", "rhs_dilation", "window_reversal", "window_strides"),
    ),
    _op(
        *("dynamic_gather", 1, "0.9.0", "1.0.0"),
        *("collapsed_slice_dims", "index_vector_dim", "indices_are_sorted", "offset_dims"),
        *("start_index_map",),
    ),
    _op(
        *("dynamic_gather", 2, "1.1.0", None),
        *("collapsed_slice_dims", "index_vector_dim", "indices_are_sorted", "offset_dims"),
        *("operand_batching_dims", "start_index_map", "start_indices_batching_dims"),
    ),
    _op("dynamic_iota", 1, "0.9.0", None, "iota_dimension"),
    _op("dynamic_pad", 1, "0.9.0", None),
    _op("dynamic_reshape", 1, "0.9.0", None),
    _op("dynamic_slice", 1, "0.9.0", None, "slice_sizes"),
    _op("dynamic_update_slice", 1, "0.9.0", None),
    _op("einsum", 1, "0.9.0", None, "einsum_config"),
    _op("exponential", 1, "0.9.0", "1.8.0"),
    _op("exponential", 2, "1.9.0", None, "result_accuracy"),
    _op("exponential_minus_one", 1, "0.9.0", "1.9.0"),
    _op("exponential_minus_one", 2, "1.10.0", None, "result_accuracy"),
    _op("fft", 1, "0.9.0", None, "fft_length", "fft_type"),
    _op("floor", 1, "0.9.0", None),
    _op("func", 1, "0.9.0", None, "arg_attrs", "function_type", "res_attrs", "sym_name", "sym_visibility"),
    _op(
        *("gather", 1, "0.9.0", "1.0.0"),
        *("collapsed_slice_dims", "index_vector_dim", "indices_are_sorted", "offset_dims", "slice_sizes"),
        *("start_index_map",),
    ),
    _op(
        *("gather", 2, "1.1.0", None),
        *("collapsed_slice_dims", "index_vector_dim", "indices_are_sorted", "offset_dims"),
        *("operand_batching_dims", "slice_sizes", "start_index_map", "start_indices_batching_dims"),
    ),
    _op("get_dimension_size", 1, "0.9.0", None, "dimension"),
    _op("get_tuple_element", 1, "0.9.0", None, "index"),
    _op("if", 1, "0.9.0", None),
    _op("imag", 1, "0.9.0", None),
    _op("infeed", 1, "0.9.0", None, "infeed_config", "layout"),
    _op("iota", 1, "0.9.0", None, "iota_dimension"),
    _op("is_finite", 1, "0.9.0", None),
    _op("log", 1, "0.9.0", "1.9.0"),
    _op("log", 2, "1.10.0", None, "result_accuracy"),
    _op("log_plus_one", 1, "0.9.0", "1.9.0"),
    _op("log_plus_one", 2, "1.10.0", None, "result_accuracy"),
    _op("logistic", 1, "0.9.0", "1.9.0"),
    _op("logistic", 2, "1.10.0", None, "result_accuracy"),
    _op("map", 1, "0.9.0", None, "dimensions"),
    _op("maximum", 1, "0.9.0", None),
    _op("minimum", 1, "0.9.0", None),
    _op("multiply", 1, "0.9.0", None),
    _op("negate", 1, "0.9.0", None),
    _op("not", 1, "0.9.0", None),
    _op("optimization_barrier", 1, "0.9.0", None),
    _op("or", 1, "0.9.0", None),
    _op("outfeed", 1, "0.9.0", None, "outfeed_config"),
    _op("pad", 1, "0.9.0", None, "edge_padding_high", "edge_padding_low", "interior_padding"),
    _op("partition_id", 1, "0.9.0", None),
    _op("popcnt", 1, "0.9.0", None),
    _op("power", 1, "0.9.0", None),
    _op("real", 1, "0.9.0", None),
    _op("real_dynamic_slice", 1, "0.9.0", None),
    _op("recv", 1, "0.9.0", "1.11.0", "channel_id", "channel_type", "is_host_transfer"),
    _op("recv", 2, "1.12.0", None, "channel_id", "channel_type", "is_host_transfer", "source_target_pairs"),
    _op("reduce", 1, "0.9.0", None, "dimensions"),
    _op("reduce_precision", 1, "0.9.0", None, "exponent_bits", "mantissa_bits"),
    _op(
        *("reduce_scatter", 1, "0.9.0", None),
        *("channel_id", "replica_groups", "scatter_dimension", "use_global_device_ids"),
    ),
    _op(
        *("reduce_window", 1, "0.9.0", None),
        *("base_dilations", "padding", "window_dilations", "window_dimensions", "window_strides"),
    ),
    _op("remainder", 1, "0.9.0", None),
    _op("replica_id", 1, "0.9.0", None),
    _op("reshape", 1, "0.9.0", None),
    _op("return", 1, "0.9.0", None),
    _op("reverse", 1, "0.9.0", None, "dimensions"),
    _op("rng", 1, "0.9.0", None, "rng_distribution"),
    _op("rng_bit_generator", 1, "0.9.0", None, "rng_algorithm"),
    _op("round_nearest_afz", 1, "0.9.0", None),
    _op("round_nearest_even", 1, "0.9.0", None),
    _op("rsqrt", 1, "0.9.0", "1.9.0"),
    _op("rsqrt", 2, "1.10.0", None, "result_accuracy"),
    _op(
        *("scatter", 1, "0.9.0", "1.0.0"),
        *("index_vector_dim", "indices_are_sorted", "inserted_window_dims"),
        *("scatter_dims_to_operand_dims", "unique_indices", "update_window_dims"),
    ),
    _op(
        *("scatter", 2, "1.1.0", None),
        *("index_vector_dim", "indices_are_sorted", "input_batching_dims", "inserted_window_dims"),
        *("scatter_dims_to_operand_dims", "scatter_indices_batching_dims", "unique_indices"),
        *("update_window_dims",),
    ),
    _op("select", 1, "0.9.0", None),
    _op("select_and_scatter", 1, "0.9.0", None, "padding", "window_dimensions", "window_strides"),
    _op("send", 1, "0.9.0", "1.11.0", "channel_id", "channel_type", "is_host_transfer"),
    _op("send", 2, "1.12.0", None, "channel_id", "channel_type", "is_host_transfer", "source_target_pairs"),
    _op("set_dimension_size", 1, "0.9.0", None, "dimension"),
    _op("shift_left", 1, "0.9.0", None),
    _op("shift_right_arithmetic", 1, "0.9.0", None),
    _op("shift_right_logical", 1, "0.9.0", None),
    _op("sign", 1, "0.9.0", None),
    _op("sine", 1, "0.9.0", "1.9.0"),
    _op("sine", 2, "1.10.0", None, "result_accuracy"),
    _op("slice", 1, "0.9.0", None, "limit_indices", "start_indices", "strides"),
    _op("sort", 1, "0.9.0", None, "dimension", "is_stable"),
    _op("sqrt", 1, "0.9.0", "1.9.0"),
    _op("sqrt", 2, "1.10.0", None, "result_accuracy"),
    _op("subtract", 1, "0.9.0", None),
    _op("tan", 1, "1.4.0", "1.9.0"),
    _op("tan", 2, "1.10.0", None, "result_accuracy"),
    _op("tanh", 1, "0.9.0", "1.9.0"),
    _op("tanh", 2, "1.10.0", None, "result_accuracy"),
    _op("torch_index_select", 1, "0.9.0", None, "batch_dims", "dim"),
    _op("transpose", 1, "0.9.0", None, "permutation"),
    _op("triangular_solve", 1, "0.9.0", None, "left_side", "lower", "transpose_a", "unit_diagonal"),
    _op("tuple", 1, "0.9.0", None),
    _op("unary_einsum", 1, "0.9.0", None, "einsum_config"),
    _op("uniform_dequantize", 1, "0.9.0", None),
    _op("uniform_quantize", 1, "0.9.0", None),
    _op("while", 1, "0.9.0", None),
    _op("xor", 1, "0.9.0", None),
)

OPS = {op.name: op for op in ROWS}
"""Every version of every operation, by its full name."""


class VhloError(PassError):
    """An operation of VHLO without a form in StableHLO; `span` is its place in the text."""

    def __init__(self, name: str, reason: str, place: str | None, span: Span) -> None:
        super().__init__(f"{name} has no form in StableHLO: {reason}", place)
        self.span = span


def has_vhlo(module: Module) -> bool:
    """Returns whether there are operations of VHLO in a module. Only texts hold any: what is read from
    bytecode is StableHLO."""
    if module.source is not None and "vhlo" not in module.source.text:
        return False
    return any(operation.name.startswith("vhlo.") for operation, _ in module.walk())
