"""Cards of the operations that read or write parts of a tensor."""

from __future__ import annotations

from shlo.dialects.card import Card, defaulted, operand, region, required, variadic
from shlo.dialects.stablehlo.parts import ANY, ANY_OR_QUANTIZED, FUNCTIONAL, INTEGER, INTEGER_SCALAR

CARDS = (
    Card(
        "stablehlo.slice",
        "A part of a tensor, between fixed indices and with fixed steps.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(
            required("start_indices", "i64_array"),
            required("limit_indices", "i64_array"),
            required("strides", "i64_array"),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand custom(slice_ranges) attr-dict `:` type(function)",
        section="slice",
    ),
    Card(
        "stablehlo.dynamic_slice",
        "A part of fixed size of a tensor, from indices known at run time.",
        operands=(operand("operand", ANY_OR_QUANTIZED), variadic("start_indices", INTEGER_SCALAR)),
        attributes=(required("slice_sizes", "i64_array"),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand `,` [ $start_indices `,` ]? `sizes` `=` $slice_sizes attr-dict `:` type(function)",
        section="dynamic_slice",
    ),
    Card(
        "stablehlo.dynamic_update_slice",
        "A tensor with a part, from indices known at run time, replaced.",
        operands=(
            operand("operand", ANY_OR_QUANTIZED),
            operand("update", ANY_OR_QUANTIZED),
            variadic("start_indices", INTEGER_SCALAR),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format=FUNCTIONAL,
        section="dynamic_update_slice",
    ),
    Card(
        "stablehlo.gather",
        "Slices of a tensor from places given by a tensor of indices.",
        operands=(operand("operand", ANY_OR_QUANTIZED), operand("start_indices", INTEGER)),
        attributes=(
            required("dimension_numbers", "struct:gather"),
            required("slice_sizes", "i64_array"),
            defaulted("indices_are_sorted", "bool", "false"),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        section="gather",
    ),
    Card(
        "stablehlo.scatter",
        "Tensors with slices at places given by a tensor of indices combined with updates.",
        operands=(
            variadic("inputs", ANY_OR_QUANTIZED),
            operand("scatter_indices", INTEGER),
            variadic("updates", ANY_OR_QUANTIZED),
        ),
        attributes=(
            required("scatter_dimension_numbers", "struct:scatter"),
            defaulted("indices_are_sorted", "bool", "false"),
            defaulted("unique_indices", "bool", "false"),
        ),
        regions=(region("update_computation"),),
        results=(variadic("results", ANY_OR_QUANTIZED),),
        section="scatter",
    ),
    Card(
        "stablehlo.torch_index_select",
        "Slices along one dimension, chosen by indices (not in the specification).",
        operands=(operand("operand", ANY), operand("index", INTEGER)),
        attributes=(required("dim", "i64"), required("batch_dims", "i64")),
        results=(operand("result", ANY),),
    ),
)
