"""Cards of the operations whose shapes are known only at run time."""

from __future__ import annotations

from shlo.dialects.card import Card, defaulted, may, operand, required
from shlo.dialects.stablehlo.parts import (
    ANY,
    ANY_OR_PER_AXIS,
    ANY_OR_QUANTIZED,
    FUNCTIONAL,
    INTEGER,
    INTEGER_VECTOR,
    NUMERIC,
    PRECISION_CONFIG,
)

CARDS = (
    Card(
        "stablehlo.dynamic_broadcast_in_dim",
        "broadcast_in_dim to a shape known at run time.",
        operands=(operand("operand", ANY_OR_PER_AXIS), operand("output_dimensions", INTEGER_VECTOR)),
        attributes=(
            required("broadcast_dimensions", "i64_array"),
            may("known_expanding_dimensions", "i64_array"),
            may("known_nonexpanding_dimensions", "i64_array"),
        ),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions "
        "attr-dict `:` type(function)",
        section="dynamic_broadcast_in_dim",
    ),
    Card(
        "stablehlo.dynamic_conv",
        "convolution with padding known at run time.",
        operands=(
            operand("lhs", ANY_OR_QUANTIZED),
            operand("rhs", ANY_OR_QUANTIZED),
            operand("padding", "2-dimensional tensor of integer type"),
        ),
        attributes=(
            may("window_strides", "i64_array"),
            may("lhs_dilation", "i64_array"),
            may("rhs_dilation", "i64_array"),
            may("window_reversal", "bool_array"),
            required("dimension_numbers", "struct:conv"),
            required("feature_group_count", "i64"),
            required("batch_group_count", "i64"),
            PRECISION_CONFIG,
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        section="dynamic_conv",
    ),
    Card(
        "stablehlo.dynamic_gather",
        "gather with slice sizes known at run time.",
        operands=(
            operand("operand", ANY_OR_QUANTIZED),
            operand("start_indices", INTEGER),
            operand("slice_sizes", INTEGER_VECTOR),
        ),
        attributes=(
            required("dimension_numbers", "struct:gather"),
            defaulted("indices_are_sorted", "bool", "false"),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        section="dynamic_gather",
    ),
    Card(
        "stablehlo.dynamic_iota",
        "iota of a shape known at run time.",
        operands=(operand("output_shape", INTEGER_VECTOR),),
        attributes=(required("iota_dimension", "i64"),),
        results=(operand("result", NUMERIC),),
        format="$output_shape `,` `dim` `=` $iota_dimension attr-dict `:` type(function)",
        section="dynamic_iota",
    ),
    Card(
        "stablehlo.dynamic_pad",
        "pad by amounts known at run time.",
        operands=(
            operand("operand", ANY_OR_QUANTIZED),
            operand("padding_value", "0-dimensional tensor"),
            operand("edge_padding_low", INTEGER_VECTOR),
            operand("edge_padding_high", INTEGER_VECTOR),
            operand("interior_padding", INTEGER_VECTOR),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format=FUNCTIONAL,
        section="dynamic_pad",
    ),
    Card(
        "stablehlo.dynamic_reshape",
        "reshape to a shape known at run time.",
        operands=(operand("operand", ANY_OR_PER_AXIS), operand("output_shape", INTEGER_VECTOR)),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format=FUNCTIONAL,
        section="dynamic_reshape",
    ),
    Card(
        "stablehlo.real_dynamic_slice",
        "slice between indices known at run time.",
        operands=(
            operand("operand", ANY),
            operand("start_indices", INTEGER_VECTOR),
            operand("limit_indices", INTEGER_VECTOR),
            operand("strides", INTEGER_VECTOR),
        ),
        results=(operand("result", ANY),),
        format=FUNCTIONAL,
        section="real_dynamic_slice",
    ),
    Card(
        "stablehlo.get_dimension_size",
        "The size of a dimension.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(required("dimension", "i64"),),
        results=(operand("result", "0-dimensional tensor of type si32"),),
        format="$operand `,` `dim` `=` $dimension attr-dict `:` type(function)",
        section="get_dimension_size",
    ),
    Card(
        "stablehlo.set_dimension_size",
        "A tensor whose dimension has another size within its bound (not in the specification).",
        operands=(operand("operand", ANY), operand("size", "0-dimensional tensor of type si32")),
        attributes=(required("dimension", "i64"),),
        results=(operand("result", ANY),),
        format="$operand `,` $size `,` `dim` `=` $dimension attr-dict `:` type(function)",
    ),
)
