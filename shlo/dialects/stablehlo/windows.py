"""Cards of the operations that slide a window over a tensor."""

from __future__ import annotations

from shlo.dialects.card import Card, may, operand, region, required, variadic
from shlo.dialects.stablehlo.parts import ANY_OR_QUANTIZED

CARDS = (
    Card(
        "stablehlo.reduce_window",
        "Combines the elements in each window with a region.",
        operands=(variadic("inputs", ANY_OR_QUANTIZED), variadic("init_values", "0-dimensional tensor")),
        attributes=(
            required("window_dimensions", "i64_array"),
            may("window_strides", "i64_array"),
            may("base_dilations", "i64_array"),
            may("window_dilations", "i64_array"),
            may("padding", "elements"),
        ),
        regions=(region("body"),),
        results=(variadic("results", ANY_OR_QUANTIZED),),
        section="reduce_window",
    ),
    Card(
        "stablehlo.select_and_scatter",
        "Selects an element in each window and combines the source's element into that place.",
        operands=(
            operand("operand", ANY_OR_QUANTIZED),
            operand("source", ANY_OR_QUANTIZED),
            operand("init_value", "0-dimensional tensor"),
        ),
        attributes=(
            may("window_dimensions", "i64_array"),
            may("window_strides", "i64_array"),
            may("padding", "elements"),
        ),
        regions=(region("select"), region("scatter")),
        results=(operand("result", ANY_OR_QUANTIZED),),
        section="select_and_scatter",
    ),
)
