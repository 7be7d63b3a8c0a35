"""What attributes and words of enumerations mean, in a sentence each."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

ATTRIBUTES: Final = {
    "algorithm": "The number types in which products are computed and added up",
    "all_gather_dim": "The dimension along which the processes' operands are joined",
    "api_version": "How the target is called; 4 passes options as a dictionary",
    "base_dilations": "Elements of the operand are this far apart, with padding between them",
    "batch_group_count": "The batch is split into so many groups, each convolved with kernels of its own",
    "broadcast_dimensions": "The dimension of the result that each dimension of the operand becomes",
    "broadcast_sizes": "Sizes of the new dimensions before those of the operand",
    "call_target_name": "The function that is called, by name",
    "channel_handle": "The channel that tells this exchange between processes from others",
    "compare_type": "How numbers are compared: as floats, in total order, signed or unsigned",
    "comparison_direction": "Which comparison is made",
    "concat_dimension": "The dimension along which the parts that arrive are joined",
    "decomposition": "The function that computes the composite operation",
    "dimension": "The dimension that the operation works along",
    "dimension_numbers": "Which dimensions of the operands and the result are for what",
    "dimensions": "The dimensions that the operation works on",
    "dot_dimension_numbers": "Pairs of dimensions of lhs and rhs that stay (batching) or are summed over",
    "edge_padding_high": "Elements added behind the last one of each dimension; taken away where negative",
    "edge_padding_low": "Elements added before the first one of each dimension; taken away where negative",
    "epsilon": "Added to the variance before its root is taken",
    "feature_group_count": "The features are split into so many groups, each with kernels of its own",
    "feature_index": "The dimension of the features, each of which is normalized by itself",
    "fft_length": "Sizes of the last dimensions, which are transformed",
    "fft_type": "Forwards or backwards, and whether the input or output is real",
    "has_side_effect": "Whether the call does something beside its results, so that it may not be left out",
    "indices_are_sorted": "A promise that the indices are in order",
    "interior_padding": "Elements added between neighbours of each dimension",
    "iota_dimension": "The dimension along which numbers count up from 0",
    "is_stable": "Whether equal elements keep their order",
    "left_side": "Whether the triangular matrix is on the left of the unknown one",
    "lhs_dilation": "Elements of lhs are this far apart, with zeros between them",
    "limit_indices": "Where the slice ends in each dimension, exclusive",
    "lower": "Whether the lower triangle is meant; the upper one otherwise",
    "padding": "Elements added before and behind each dimension that windows move along",
    "permutation": "The dimension of the operand that each dimension of the result is",
    "precision_config": "How exactly products of lhs and rhs are computed",
    "replica_groups": "The processes that exchange data with one another, group by group",
    "result_accuracy": "How exact the result has to be",
    "rhs_dilation": "Elements of the kernel are this far apart, with zeros between them",
    "rng_algorithm": "The generator of random bits",
    "rng_distribution": "The distribution of the random numbers",
    "scatter_dimension": "The dimension along which the result is split over the processes",
    "slice_sizes": "The size of a slice in each dimension of the operand",
    "source_target_pairs": "Which process sends to which",
    "split_count": "How many parts the operand is split into",
    "split_dimension": "The dimension along which the operand is split",
    "start_indices": "Where the slice starts in each dimension",
    "strides": "The slice has every n-th element of each dimension",
    "transpose_a": "Whether the triangular matrix is transposed first",
    "unique_indices": "A promise that no index comes twice",
    "unit_diagonal": "Whether the diagonal is taken to be ones",
    "use_global_device_ids": "Whether groups name processes by one number; by replica or partition otherwise",
    "value": "The elements",
    "window_dilations": "Elements of a window are this far apart",
    "window_dimensions": "The size of a window in each dimension",
    "window_reversal": "Along which dimensions the kernel is reversed",
    "window_strides": "How far a window moves at a time in each dimension",
}
"""By names of attributes."""

FORM_WORDS: Final = {
    "batching_dims": "Pairs of dimensions of lhs and rhs that stay: one product for each of their indices",
    "contracting_dims": "Pairs of dimensions of lhs and rhs that products are summed over",
}
"""By words of a pretty form that are a part of an attribute."""

PARAMETERS: Final = {
    "collapsed_slice_dims": "Dimensions of the operand that slices of size 1 lose",
    "index_vector_dim": "The dimension of the indices that holds the numbers of one index",
    "inserted_window_dims": "Dimensions of the operand that updates lack, of size 1",
    "lhs_batching_dimensions": "Dimensions of lhs that stay, in the order of those of rhs",
    "lhs_contracting_dimensions": "Dimensions of lhs that products are summed over",
    "offset_dims": "Dimensions of the result that are dimensions of a slice",
    "operand_batching_dims": "Dimensions of the operand that go together with those of the indices",
    "rhs_batching_dimensions": "Dimensions of rhs that stay, in the order of those of lhs",
    "rhs_contracting_dimensions": "Dimensions of rhs that products are summed over",
    "scatter_dims_to_operand_dims": "The dimension of the operand that each number of an index is for",
    "start_index_map": "The dimension of the operand that each number of an index is for",
    "start_indices_batching_dims": "Dimensions of the indices that go together with those of the operand",
    "update_window_dims": "Dimensions of the updates that are dimensions of a window",
}
"""By names of parameters of struct attributes."""

WORDS: Final = {
    "EQ": "equal",
    "NE": "not equal",
    "GE": "greater or equal",
    "GT": "greater",
    "LE": "less or equal",
    "LT": "less",
    "FLOAT": "as floating-point numbers: NaN is unequal to all",
    "TOTALORDER": "as floating-point numbers in a total order: -NaN < -Inf < -0 < +0 < +Inf < +NaN",
    "SIGNED": "as signed integers",
    "UNSIGNED": "as unsigned integers",
    "NOTYPE": "as the element type says",
    "DEFAULT": "as the implementation finds best",
    "HIGH": "slower, more exact",
    "HIGHEST": "slowest, most exact",
    "FFT": "complex, forwards",
    "IFFT": "complex, backwards",
    "RFFT": "real to complex, forwards",
    "IRFFT": "complex to real, backwards",
    "UNIFORM": "between the operands a and b, all equally likely",
    "NORMAL": "around the mean a with the standard deviation b",
    "PHILOX": "Philox 4x32, counters through ten rounds",
    "THREE_FRY": "Threefry 2x32, as in JAX",
    "NO_TRANSPOSE": "as it is",
    "TRANSPOSE": "transposed",
    "ADJOINT": "transposed and conjugated",
}
"""By words of StableHLO's enumerations."""


# -- Attributes that no definition of an operation names -----------------------------------------------------


class KnownAttribute(Struct, frozen=True):
    """What an attribute means, and a value to go on from, empty for one without a value."""

    meaning: str
    snippet: str = ""


SHARDING: Final = {
    "sdy.sharding": KnownAttribute(
        "How Shardy splits the value over the axes of a mesh", "#sdy.sharding<@«mesh», [{«»}]>"
    ),
    "mhlo.sharding": KnownAttribute(
        "How XLA splits the value over devices, in HLO's notation", '"{«replicated»}"'
    ),
}
ARGUMENT_ATTRIBUTES: Final = {
    **SHARDING,
    "jax.result_info": KnownAttribute(
        "What JAX calls the result: its path in what is returned", '"«result»"'
    ),
    "jax.arg_info": KnownAttribute("What JAX calls the argument: its path in the arguments", '"«argument»"'),
    "jax.buffer_donor": KnownAttribute("Whether results may reuse the argument's memory", "true"),
    "tf.aliasing_output": KnownAttribute(
        "The number of the result that reuses the argument's memory, as JAX's donate_argnums asks",
        "«0» : i32",
    ),
    "mhlo.layout_mode": KnownAttribute("The layout in memory: default, auto, or an order", '"«default»"'),
    "mhlo.memory_kind": KnownAttribute(
        "The memory that holds the value, such as device or pinned_host", '"«device»"'
    ),
    "jax.token": KnownAttribute("Whether the value only orders effects", "true"),
}
MODULE_ATTRIBUTES: Final = {
    "mhlo.num_partitions": KnownAttribute(
        "How many partitions of a replica run the program together", "«1» : i32"
    ),
    "mhlo.num_replicas": KnownAttribute(
        "How many replicas run the program, each on data of its own", "«1» : i32"
    ),
    "mhlo.cross_program_prefetches": KnownAttribute("Which arguments XLA loads before it starts", "[]"),
    "mhlo.is_dynamic": KnownAttribute("Whether the program has sizes known only when it runs", "true"),
    "mhlo.use_auto_spmd_partitioning": KnownAttribute("Whether XLA chooses shardings by itself", "true"),
    "jax.uses_shape_polymorphism": KnownAttribute(
        "Whether JAX exported the program for sizes that are not known", "true"
    ),
}
OPERATION_ATTRIBUTES: Final = {
    **SHARDING,
    "mhlo.frontend_attributes": KnownAttribute("Strings that the front end hands to XLA", "{«»}"),
    "mhlo.backend_config": KnownAttribute("Options of what is called, as a dictionary", "{«»}"),
}
ATTRIBUTES_OF: Final = {"builtin.module": MODULE_ATTRIBUTES}
"""Attributes of operations that have no definition, by the operation's name."""
KNOWN: Final = {**OPERATION_ATTRIBUTES, **MODULE_ATTRIBUTES, **ARGUMENT_ATTRIBUTES}
