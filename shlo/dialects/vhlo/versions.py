"""The operations of VHLO: for each its version, the StableHLO versions that have it, and its attributes.

VHLO is the form of StableHLO that portable artifacts hold. An operation that changes becomes a new one,
`exponential_v2` beside `exponential_v1`, and the attributes of one are all there, none optional. To add a
StableHLO version: the operations that it changed get rows, and those that they follow an end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

Version = tuple[int, int, int]


class VhloOp(Struct, frozen=True):
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


def version_of(text: str) -> Version:
    """Returns the numbers of a version, such as `1.4.0`."""
    major, minor, patch = text.split(".")
    return int(major), int(minor), int(patch)


def version_text(version: Version) -> str:
    """Returns a version as it is written."""
    return ".".join(map(str, version))


_UNCHANGED = """
    abs add after_all and atan2 bitcast_convert case ceil clamp complex convert count_leading_zeros
    create_token divide dynamic_pad dynamic_reshape dynamic_update_slice floor if imag is_finite maximum
    minimum multiply negate not optimization_barrier or partition_id popcnt power real real_dynamic_slice
    remainder replica_id reshape return round_nearest_afz round_nearest_even select shift_left
    shift_right_arithmetic shift_right_logical sign subtract tuple uniform_dequantize uniform_quantize while
    xor
"""
"""Operations without attributes that are as they were in StableHLO 0.9.0."""

_TABLE = """
    all_gather 1: 0.9.0-1.4.0 all_gather_dim channel_id replica_groups use_global_device_ids
    all_gather 2: 1.5.0- all_gather_dim channel_id replica_groups use_global_device_ids
    all_reduce 1: 0.9.0-1.4.0 channel_id replica_groups use_global_device_ids
    all_reduce 2: 1.5.0- channel_id replica_groups use_global_device_ids
    all_to_all 1: 0.9.0-1.4.0 channel_id concat_dimension replica_groups split_count split_dimension
    all_to_all 2: 1.5.0- channel_id concat_dimension replica_groups split_count split_dimension
    async_done 1: 1.15.0-
    async_start 1: 1.15.0-
    batch_norm_grad 1: 0.9.0- epsilon feature_index
    batch_norm_inference 1: 0.9.0- epsilon feature_index
    batch_norm_training 1: 0.9.0- epsilon feature_index
    broadcast 1: 0.9.0- broadcast_sizes
    broadcast_in_dim 1: 0.9.0- broadcast_dimensions
    call 1: 0.9.0- callee
    cbrt 1: 0.9.0-1.9.0
    cbrt 2: 1.10.0- result_accuracy
    cholesky 1: 0.9.0- lower
    collective_broadcast 1: 0.16.0-1.19.0 channel_id replica_groups
    collective_broadcast 2: 1.20.0- channel_id has_dynamic_root replica_groups
    collective_permute 1: 0.9.0- channel_id source_target_pairs
    collective_reduce 1: 1.19.0- channel_id has_dynamic_root replica_groups use_global_device_ids
    compare 1: 0.9.0- compare_type comparison_direction
    composite 1: 0.19.0-1.13.0 composite_attributes decomposition name version
    composite 2: 1.14.0- composite_attributes decomposition name version
    concatenate 1: 0.9.0- dimension
    constant 1: 0.9.0- value
    convolution 1: 0.9.0- batch_group_count feature_group_count input_batch_dimension input_feature_dimension
        input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension
        kernel_spatial_dimensions lhs_dilation output_batch_dimension output_feature_dimension
        output_spatial_dimensions padding precision_config rhs_dilation window_reversal window_strides
    cosine 1: 0.9.0-1.9.0
    cosine 2: 1.10.0- result_accuracy
    cross-replica-sum 1: 0.9.0- replica_groups
    custom_call 1: 0.9.0-1.17.0 api_version backend_config call_target_name called_computations
        has_side_effect operand_layouts output_operand_aliases result_layouts
    custom_call 2: 1.18.0- api_version backend_config call_target_name called_computations has_side_effect
        operand_layouts output_operand_aliases result_layouts result_tilings
    dot 1: 0.9.0- precision_config
    dot_general 1: 0.9.0-1.5.0 lhs_batching_dimensions lhs_contracting_dimensions precision_config
        rhs_batching_dimensions rhs_contracting_dimensions
    dot_general 2: 1.6.0- accumulation_type allow_imprecise_accumulation lhs_batching_dimensions
        lhs_component_count lhs_contracting_dimensions lhs_precision_type num_primitive_operations
        precision_config rhs_batching_dimensions rhs_component_count rhs_contracting_dimensions
        rhs_precision_type
    dynamic_broadcast_in_dim 1: 0.9.0- broadcast_dimensions known_expanding_dimensions
        known_nonexpanding_dimensions
    dynamic_conv 1: 0.9.0-0.19.0 batch_group_count feature_group_count input_batch_dimension
        input_feature_dimension input_spatial_dimensions kernel_input_feature_dimension
        kernel_output_feature_dimension kernel_spatial_dimensions lhs_dilation output_batch_dimension
        output_feature_dimension output_spatial_dimensions padding precision_config rhs_dilation
        window_reversal window_strides
    dynamic_conv 2: 0.20.0- batch_group_count feature_group_count input_batch_dimension
        input_feature_dimension input_spatial_dimensions kernel_input_feature_dimension
        kernel_output_feature_dimension kernel_spatial_dimensions lhs_dilation output_batch_dimension
        output_feature_dimension output_spatial_dimensions precision_config rhs_dilation window_reversal
        window_strides
    dynamic_gather 1: 0.9.0-1.0.0 collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims
        start_index_map
    dynamic_gather 2: 1.1.0- collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims
        operand_batching_dims start_index_map start_indices_batching_dims
    dynamic_iota 1: 0.9.0- iota_dimension
    dynamic_slice 1: 0.9.0- slice_sizes
    einsum 1: 0.9.0- einsum_config
    exponential 1: 0.9.0-1.8.0
    exponential 2: 1.9.0- result_accuracy
    exponential_minus_one 1: 0.9.0-1.9.0
    exponential_minus_one 2: 1.10.0- result_accuracy
    fft 1: 0.9.0- fft_length fft_type
    func 1: 0.9.0- arg_attrs function_type res_attrs sym_name sym_visibility
    gather 1: 0.9.0-1.0.0 collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims slice_sizes
        start_index_map
    gather 2: 1.1.0- collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims
        operand_batching_dims slice_sizes start_index_map start_indices_batching_dims
    get_dimension_size 1: 0.9.0- dimension
    get_tuple_element 1: 0.9.0- index
    infeed 1: 0.9.0- infeed_config layout
    iota 1: 0.9.0- iota_dimension
    log 1: 0.9.0-1.9.0
    log 2: 1.10.0- result_accuracy
    log_plus_one 1: 0.9.0-1.9.0
    log_plus_one 2: 1.10.0- result_accuracy
    logistic 1: 0.9.0-1.9.0
    logistic 2: 1.10.0- result_accuracy
    map 1: 0.9.0- dimensions
    outfeed 1: 0.9.0- outfeed_config
    pad 1: 0.9.0- edge_padding_high edge_padding_low interior_padding
    recv 1: 0.9.0-1.11.0 channel_id channel_type is_host_transfer
    recv 2: 1.12.0- channel_id channel_type is_host_transfer source_target_pairs
    reduce 1: 0.9.0- dimensions
    reduce_precision 1: 0.9.0- exponent_bits mantissa_bits
    reduce_scatter 1: 0.9.0- channel_id replica_groups scatter_dimension use_global_device_ids
    reduce_window 1: 0.9.0- base_dilations padding window_dilations window_dimensions window_strides
    reverse 1: 0.9.0- dimensions
    rng 1: 0.9.0- rng_distribution
    rng_bit_generator 1: 0.9.0- rng_algorithm
    rsqrt 1: 0.9.0-1.9.0
    rsqrt 2: 1.10.0- result_accuracy
    scatter 1: 0.9.0-1.0.0 index_vector_dim indices_are_sorted inserted_window_dims
        scatter_dims_to_operand_dims unique_indices update_window_dims
    scatter 2: 1.1.0- index_vector_dim indices_are_sorted input_batching_dims inserted_window_dims
        scatter_dims_to_operand_dims scatter_indices_batching_dims unique_indices update_window_dims
    select_and_scatter 1: 0.9.0- padding window_dimensions window_strides
    send 1: 0.9.0-1.11.0 channel_id channel_type is_host_transfer
    send 2: 1.12.0- channel_id channel_type is_host_transfer source_target_pairs
    set_dimension_size 1: 0.9.0- dimension
    sine 1: 0.9.0-1.9.0
    sine 2: 1.10.0- result_accuracy
    slice 1: 0.9.0- limit_indices start_indices strides
    sort 1: 0.9.0- dimension is_stable
    sqrt 1: 0.9.0-1.9.0
    sqrt 2: 1.10.0- result_accuracy
    tan 1: 1.4.0-1.9.0
    tan 2: 1.10.0- result_accuracy
    tanh 1: 0.9.0-1.9.0
    tanh 2: 1.10.0- result_accuracy
    torch_index_select 1: 0.9.0- batch_dims dim
    transpose 1: 0.9.0- permutation
    triangular_solve 1: 0.9.0- left_side lower transpose_a unit_diagonal
    unary_einsum 1: 0.9.0- einsum_config
"""
"""All others: name, number, first and last StableHLO version (none: today's), attributes."""

_ROW = re.compile(r"^    (\S+) (\d+): ([\d.]+)-([\d.]*)(.*(?:\n     .*)*)", re.MULTILINE)


def _rows() -> Iterator[VhloOp]:
    yield from (VhloOp(name, 1, (0, 9, 0), None, ()) for name in _UNCHANGED.split())
    for name, number, first, last, attributes in _ROW.findall(_TABLE):
        until = version_of(last) if last else None
        yield VhloOp(name, int(number), version_of(first), until, tuple(attributes.split()))


ROWS = tuple(sorted(_rows(), key=lambda row: (row.base, row.number)))

OPS = {op.name: op for op in ROWS}
"""Every version of every operation, by its full name."""
