"""The notation in which the specification states constraints: read, evaluated, explained.

A formula is compiled once and evaluated on placeholders (types known, values not), on constants, and on the
shapes of a run. It gives True, False or UNKNOWN. Specification: "Notation".
"""

from shlo.dialects.formula.evaluation import FormulaFn, LocalScope, Scope, compiled
from shlo.dialects.formula.grammar import NotationError, parse_formula
from shlo.dialects.formula.values import UNKNOWN, Interval, Placeholder, Truth, Undefined, Word, as_truth

__all__ = [
    "UNKNOWN",
    "FormulaFn",
    "Interval",
    "LocalScope",
    "NotationError",
    "Placeholder",
    "Scope",
    "Truth",
    "Undefined",
    "Word",
    "as_truth",
    "compiled",
    "parse_formula",
]
