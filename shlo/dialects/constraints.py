"""Judges the constraints of an operation: which hold, which do not and why, which only a run decides."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from msgspec import Struct

from shlo.dialects.formula import (
    UNKNOWN,
    FormulaFn,
    LocalScope,
    Scope,
    Truth,
    Undefined,
    as_truth,
    compiled,
    parse_formula,
)
from shlo.dialects.formula.nodes import Name
from shlo.dialects.op_bindings import Broken, OpBindings
from shlo.dialects.opdef import Constraint, OpDef
from shlo.text.expressions import Call, Node, walk

_OF_VALUES: Final = re.compile(r"\b(value|elements)\b")
"""The functions of formulas that look at an operand's elements."""


class Verdict(Struct, frozen=True):
    """A constraint and whether it holds; `broken` says why it does not. A constraint that makes no sense
    here, because another one fails, is undecided."""

    constraint: Constraint
    truth: Truth
    broken: Broken | None = None


def judge(constraint: Constraint, bindings: OpBindings) -> Verdict:
    """Returns whether a constraint holds of an operation."""
    if constraint.check:
        broken = constraint.check(bindings)
        return Verdict(constraint, broken is None, broken)
    truth = truth_of(constraint, bindings)
    return Verdict(constraint, truth, _explained(constraint, bindings) if truth is False else None)


def truth_of(constraint: Constraint, bindings: OpBindings) -> Truth:
    """Returns whether a constraint holds of an operation, without the reason, which takes longer to say."""
    if constraint.check:
        return constraint.check(bindings) is None
    scope: Scope = LocalScope({}, bindings)
    try:
        return as_truth(_evaluated(constraint.formula)(scope))
    except Undefined:
        return UNKNOWN


def first_broken(
    bindings: OpBindings, constraints: Iterable[Constraint] | None = None
) -> tuple[str, Broken] | None:
    """Returns the code of the first of some constraints (all of the definition) that does not hold, and why;
    None where none is broken. Left out are those that are not enforced, or need
    the context of the operation."""
    for constraint in bindings.op_def.constraints if constraints is None else constraints:
        if constraint.stops_runs:
            broken = judge(constraint, bindings).broken
            if broken is not None:
                return code_of(bindings.op_def, constraint), broken
    return None


def undecided(bindings: OpBindings) -> tuple[Constraint, ...]:
    """Returns the constraints that only a run decides."""
    return tuple(
        constraint
        for constraint in bindings.op_def.constraints
        if constraint.stops_runs and not constraint.check and truth_of(constraint, bindings) is UNKNOWN
    )


@cache
def operands_whose_values_count(op_def: OpDef) -> frozenset[str]:
    """Returns the names of the operands whose values constraints speak of (`value(output_shape)`)."""
    names = {spec.name for spec in op_def.operands}
    return frozenset(
        inner.name
        for constraint in op_def.constraints
        if constraint.check is None and _OF_VALUES.search(constraint.formula)
        for part in walk(formula_of(constraint))
        if isinstance(part, Call) and part.function in ("value", "elements")
        for inner in walk(part)
        if isinstance(inner, Name) and inner.name in names
    )


def short_name(name: str) -> str:
    """Returns an operation's name without its dialect where that is StableHLO, of which most are."""
    return name.removeprefix("stablehlo.")


def code_of(op_def: OpDef, constraint: Constraint) -> str:
    """Returns the code of a finding that says that an operation breaks a constraint (`add-C1`)."""
    return f"{short_name(op_def.name)}-{constraint.label}"


def formula_of(constraint: Constraint) -> Node:
    """Returns the parts of a constraint's formula."""
    return _parsed(constraint.formula)


@cache
def _parsed(formula: str) -> Node:
    """Returns the parts of a formula. Many definitions have the same; there are as many as they hold."""
    return parse_formula(formula)


@cache
def _evaluated(formula: str) -> FormulaFn:
    return compiled(_parsed(formula))


def _explained(constraint: Constraint, bindings: OpBindings) -> Broken:
    from shlo.dialects.formula.explanation import Explanation, explain

    formula = formula_of(constraint)
    try:
        explanation = explain(formula, LocalScope({}, bindings))
    except Undefined:  # a part of the formula that does not decide makes no sense here
        names = tuple(part.name for part in walk(formula) if isinstance(part, Name))
        explanation = Explanation(f"{constraint.formula} does not hold", names)
    named = [name for name in explanation.names if name in bindings.origins]
    at = [constraint.at] if constraint.at else []
    return Broken(explanation.text, tuple(at + named), explanation.suggestions)
