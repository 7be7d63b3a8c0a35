"""OpDef of the convolution."""

from __future__ import annotations

from shlo.dialects.attr_constraints import (
    BOOL_ARRAY_ATTR,
    I64_ARRAY_ATTR,
    I64_ATTR,
    I64_ELEMENTS_ATTR,
    struct_of,
)
from shlo.dialects.opdef import OpDef, may, operand, required
from shlo.dialects.stablehlo import structs
from shlo.dialects.stablehlo.ops.parts import ANY_OR_PER_AXIS, ANY_OR_QUANTIZED, PRECISION_CONFIG
from shlo.dialects.stablehlo.rules.convolution import convolution_constraints

OP_DEFS = (
    OpDef(
        "stablehlo.convolution",
        "Products of windows of a tensor with a kernel, summed.",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_PER_AXIS)),
        attributes=(
            may("window_strides", I64_ARRAY_ATTR),
            may("padding", I64_ELEMENTS_ATTR),
            may("lhs_dilation", I64_ARRAY_ATTR),
            may("rhs_dilation", I64_ARRAY_ATTR),
            may("window_reversal", BOOL_ARRAY_ATTR),
            required("dimension_numbers", struct_of(structs.CONV)),
            required("feature_group_count", I64_ATTR),
            required("batch_group_count", I64_ATTR),
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
