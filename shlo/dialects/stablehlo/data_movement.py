"""Cards of the operations that move elements and leave them as they are."""

from __future__ import annotations

from shlo.dialects.card import Card, operand, required, variadic
from shlo.dialects.stablehlo.parts import ANY_OR_PER_AXIS, ANY_OR_QUANTIZED, FUNCTIONAL

CARDS = (
    Card(
        "stablehlo.bitcast_convert",
        "The same bits as elements of another type.",
        operands=(operand("operand", ANY_OR_PER_AXIS),),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format=FUNCTIONAL,
        section="bitcast_convert",
    ),
    Card(
        "stablehlo.broadcast",
        "Repeats a tensor along new leading dimensions.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(required("broadcast_sizes", "i64_array"),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand `,` `sizes` `=` $broadcast_sizes attr-dict `:` type(function)",
        section="broadcast",
    ),
    Card(
        "stablehlo.broadcast_in_dim",
        "Repeats a tensor along new dimensions and those of size one.",
        operands=(operand("operand", ANY_OR_PER_AXIS),),
        attributes=(required("broadcast_dimensions", "i64_array"),),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$operand `,` `dims` `=` $broadcast_dimensions attr-dict `:` type(function)",
        section="broadcast_in_dim",
    ),
    Card(
        "stablehlo.concatenate",
        "Joins tensors along one dimension.",
        operands=(variadic("inputs", ANY_OR_PER_AXIS),),
        attributes=(required("dimension", "i64"),),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="[ $inputs `,` ]? `dim` `=` $dimension attr-dict `:` type(function)",
        section="concatenate",
    ),
    Card(
        "stablehlo.pad",
        "Puts padding around a tensor and between its elements, or cuts its edges.",
        operands=(operand("operand", ANY_OR_QUANTIZED), operand("padding_value", "0-dimensional tensor")),
        attributes=(
            required("edge_padding_low", "i64_array"),
            required("edge_padding_high", "i64_array"),
            required("interior_padding", "i64_array"),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand `,` $padding_value `,` `low` `=` $edge_padding_low `,` "
        "`high` `=` $edge_padding_high `,` `interior` `=` $interior_padding attr-dict `:` type(function)",
        section="pad",
    ),
    Card(
        "stablehlo.reshape",
        "The same elements in the same order in another shape.",
        operands=(operand("operand", ANY_OR_PER_AXIS),),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format=FUNCTIONAL,
        section="reshape",
    ),
    Card(
        "stablehlo.reverse",
        "Turns the order of elements around along some dimensions.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(required("dimensions", "i64_array"),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand `,` `dims` `=` $dimensions attr-dict `:` type(same)",
        section="reverse",
    ),
    Card(
        "stablehlo.transpose",
        "Puts the dimensions in another order.",
        operands=(operand("operand", ANY_OR_PER_AXIS),),
        attributes=(required("permutation", "i64_array"),),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$operand `,` `dims` `=` $permutation attr-dict `:` type(function)",
        section="transpose",
    ),
)
