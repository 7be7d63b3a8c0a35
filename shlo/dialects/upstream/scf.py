"""Definitions of MLIR's scf dialect, those that programs run here use: structured control flow."""

from __future__ import annotations

from shlo.dialects.attr_constraints import I64_ARRAY_ATTR, UNIT_ATTR
from shlo.dialects.opdef import OpDef, dialect_of, may, operand, region, required, traits, variadic
from shlo.dialects.type_constraints import ANY_TYPE, INDEX_TYPE
from shlo.dialects.upstream import scf_rules as rules
from shlo.dialects.upstream.numbers import BOOLEAN_SCALAR, INTEGER_OR_INDEX_SCALAR

_VALUES = variadic("results", ANY_TYPE)
_INDEX = INTEGER_OR_INDEX_SCALAR

OP_DEFS = (
    OpDef(
        "scf.for",
        "Counts from one number up to another and runs its body for each.",
        operands=(
            operand("lowerBound", _INDEX),
            operand("upperBound", _INDEX),
            operand("step", _INDEX),
            variadic("initArgs", ANY_TYPE),
        ),
        attributes=(may("unsignedCmp", UNIT_ATTR),),
        regions=(region("region"),),
        results=(_VALUES,),
        format="custom(for)",
        constraints=rules.FOR,
        control_flow="count",
    ),
    OpDef(
        "scf.while",
        "Runs two regions in turn while the first one returns true.",
        operands=(variadic("inits", ANY_TYPE),),
        regions=(region("before"), region("after")),
        results=(_VALUES,),
        format="custom(scf_while)",
        constraints=rules.WHILE,
        control_flow="while",
    ),
    OpDef(
        "scf.if",
        "Runs one of two regions by a predicate.",
        operands=(operand("condition", BOOLEAN_SCALAR),),
        regions=(region("thenRegion"), region("elseRegion", blocks="any")),
        results=(_VALUES,),
        format="custom(scf_if)",
        constraints=rules.IF,
        control_flow="branch",
    ),
    OpDef(
        "scf.index_switch",
        "Runs the region of the case that an index is, or else the first one.",
        operands=(operand("arg", INDEX_TYPE),),
        attributes=(required("cases", I64_ARRAY_ATTR),),
        regions=(region("defaultRegion"), region("caseRegions", "variadic")),
        results=(_VALUES,),
        format="custom(index_switch)",
        constraints=rules.INDEX_SWITCH,
        control_flow="branch",
    ),
    OpDef(
        "scf.execute_region",
        "Runs its region once.",
        attributes=(may("no_inline", UNIT_ATTR),),
        regions=(region("region", blocks="any"),),
        results=(_VALUES,),
        format="custom(execute_region)",
        constraints=rules.EXECUTE_REGION,
        control_flow="branch",
    ),
    OpDef(
        "scf.condition",
        "Ends the condition of a loop with a truth value and the values for its body.",
        operands=(operand("condition", BOOLEAN_SCALAR), variadic("args", ANY_TYPE)),
        format="custom(condition)",
        traits=traits("terminator"),
        parents=("scf.while",),
    ),
    OpDef(
        "scf.yield",
        "Ends a region and returns its results.",
        operands=(_VALUES,),
        format="attr-dict [ $results `:` type(operands) ]?",
        traits=traits("terminator"),
        parents=("scf.for", "scf.if", "scf.while", "scf.execute_region", "scf.index_switch"),
    ),
)

DIALECT = dialect_of("scf", OP_DEFS, complete=False, region_end="scf.yield")
