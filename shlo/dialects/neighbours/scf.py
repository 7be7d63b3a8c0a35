"""Cards of MLIR's scf dialect, those that StableHLO's programs use: structured control flow."""

from __future__ import annotations

from shlo.dialects.card import Card, dialect_of, may, operand, region, traits, variadic

CARDS = (
    Card(
        "scf.for",
        "Counts from one number up to another and runs its body for each.",
        operands=(
            operand("lowerBound", "integer or index"),
            operand("upperBound", "integer or index"),
            operand("step", "integer or index"),
            variadic("initArgs", "any type"),
        ),
        attributes=(may("unsignedCmp", "unit"),),
        regions=(region("region"),),
        results=(variadic("results", "any type"),),
        format="custom(for)",
        traits=traits("control_flow"),
    ),
    Card(
        "scf.yield",
        "Ends a region and gives its results.",
        operands=(variadic("results", "any type"),),
        format="attr-dict [ $results `:` type(operands) ]?",
        traits=traits("terminator"),
    ),
)

DIALECT = dialect_of("scf", CARDS, complete=False)
