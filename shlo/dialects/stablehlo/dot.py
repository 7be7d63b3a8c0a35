"""Cards of the operations that sum products over common dimensions."""

from __future__ import annotations

from shlo.dialects.card import Card, may, operand, required
from shlo.dialects.stablehlo.parts import ANY, ANY_OR_PER_AXIS, ANY_OR_QUANTIZED, PRECISION_CONFIG

CARDS = (
    Card(
        "stablehlo.dot_general",
        "Products of two tensors summed over contracting dimensions, for each index of the batching ones.",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_PER_AXIS)),
        attributes=(
            required("dot_dimension_numbers", "struct:dot"),
            PRECISION_CONFIG,
            may("algorithm", "struct:dot_algorithm"),
        ),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$lhs `,` $rhs `,` custom(dot_dimension_numbers) custom(precision_config_and_algorithm) "
        "attr-dict `:` type(function)",
        section="dot_general",
    ),
    Card(
        "stablehlo.dot",
        "The product of two matrices or vectors (not in the specification).",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_PER_AXIS)),
        attributes=(PRECISION_CONFIG,),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$lhs `,` $rhs custom(precision_config) attr-dict `:` type(function)",
    ),
    Card(
        "stablehlo.einsum",
        "Products of two tensors summed as an equation says (not in the specification).",
        operands=(operand("lhs", ANY), operand("rhs", ANY)),
        attributes=(required("einsum_config", "string"),),
        results=(operand("result", ANY),),
        format="$lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict `:` type(function)",
    ),
    Card(
        "stablehlo.unary_einsum",
        "A tensor's dimensions summed and put in order as an equation says (not in the specification).",
        operands=(operand("operand", ANY),),
        attributes=(required("einsum_config", "string"),),
        results=(operand("result", ANY),),
        format="$operand `,` `config` `=` $einsum_config attr-dict `:` type(function)",
    ),
)
