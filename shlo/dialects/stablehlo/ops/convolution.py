"""OpDef of the convolution."""

from __future__ import annotations

from shlo.dialects.opdef import OpDef, may, operand, required
from shlo.dialects.stablehlo.ops.parts import ANY_OR_PER_AXIS, ANY_OR_QUANTIZED, PRECISION_CONFIG
from shlo.dialects.stablehlo.rules.convolution import convolution_constraints

OP_DEFS = (
    OpDef(
        "stablehlo.convolution",
        "Products of windows of a tensor with a kernel, summed.",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_PER_AXIS)),
        attributes=(
            may("window_strides", "i64_array"),
            may("padding", "elements", "i64"),
            may("lhs_dilation", "i64_array"),
            may("rhs_dilation", "i64_array"),
            may("window_reversal", "bool_array"),
            required("dimension_numbers", "struct:conv"),
            required("feature_group_count", "i64"),
            required("batch_group_count", "i64"),
            PRECISION_CONFIG,
        ),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="`(` operands `)` `dim_numbers` `=` custom(convolution_dimensions) `,` `window` `=` `{` "
        "custom(window_attributes) `}` attr-dict `:` type(function)",
        section="convolution",
        inputs=(
            *("lhs", "rhs", "window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"),
            *("input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"),
            *("kernel_input_feature_dimension", "kernel_output_feature_dimension"),
            *("kernel_spatial_dimensions", "output_batch_dimension", "output_feature_dimension"),
            *("output_spatial_dimensions", "feature_group_count", "batch_group_count", "precision_config"),
        ),
        constraints=convolution_constraints("padding"),
        quantized="dequantize",
    ),
)
