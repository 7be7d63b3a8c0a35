"""Card of the sort."""

from __future__ import annotations

from shlo.dialects.card import Card, defaulted, region, variadic
from shlo.dialects.stablehlo.parts import ANY_OR_QUANTIZED

CARDS = (
    Card(
        "stablehlo.sort",
        "Sorts tensors together along one dimension, by a region that compares.",
        operands=(variadic("inputs", ANY_OR_QUANTIZED),),
        attributes=(defaulted("dimension", "i64", "-1 : i64"), defaulted("is_stable", "bool", "false")),
        regions=(region("comparator"),),
        results=(variadic("results", ANY_OR_QUANTIZED),),
        section="sort",
    ),
)
