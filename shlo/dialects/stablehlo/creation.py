"""Cards of the operations that make tensors out of nothing."""

from __future__ import annotations

from shlo.dialects.card import Card, operand, required, traits
from shlo.dialects.stablehlo.parts import ANY_OR_PER_AXIS, NUMERIC

CARDS = (
    Card(
        "stablehlo.constant",
        "A tensor that stands in the program.",
        attributes=(required("value", "elements"),),
        results=(operand("output", ANY_OR_PER_AXIS),),
        format="custom(constant)",
        traits=traits("constant"),
        section="constant",
    ),
    Card(
        "stablehlo.iota",
        "A tensor that counts from zero along one dimension.",
        attributes=(required("iota_dimension", "i64"),),
        results=(operand("output", NUMERIC),),
        format="`dim` `=` $iota_dimension attr-dict `:` type(results)",
        section="iota",
    ),
)
