"""Cards of MLIR's builtin dialect."""

from __future__ import annotations

from shlo.dialects.card import Card, dialect_of, may, region, traits, variadic
from shlo.dialects.func_rules import VISIBILITY

CARDS = (
    Card(
        "builtin.module",
        "A program, or a part of one: functions and what belongs to them.",
        attributes=(may("sym_name", "symbol_name"), may("sym_visibility", "string")),
        regions=(region("body"),),
        format="custom(module)",
        traits=traits("isolated", "symbol", "graph_region", "no_terminator"),
        section="programs",
        default_dialect="builtin",
        constraints=VISIBILITY,
    ),
    Card(
        "builtin.unrealized_conversion_cast",
        "Stands between values of types that a conversion has not reconciled yet.",
        operands=(variadic("inputs", "any type"),),
        results=(variadic("outputs", "any type"),),
        format="[ $inputs `:` type(operands) ]? `to` type(results) attr-dict",
    ),
)

DIALECT = dialect_of("builtin", CARDS)
