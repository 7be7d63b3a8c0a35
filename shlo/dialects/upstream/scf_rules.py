"""Constraints of structured control flow: what its regions take and give, as MLIR checks it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from shlo.dialects.func.rules import compared, own
from shlo.dialects.op_bindings import Broken, OpBindings
from shlo.dialects.opdef import Constraint
from shlo.dialects.operand_groups import operand_groups
from shlo.ir.attributes import DenseArrayAttr
from shlo.ir.suggestions import advise
from shlo.ir.types import I1, FunctionType, Type


def _given(bindings: OpBindings, name: str) -> Sequence[Type]:
    """Returns the types of the operands of a name."""
    signature = bindings.signature
    numbers = operand_groups(bindings.op_def, len(signature.operand_types), signature.properties)[name]
    return [signature.operand_types[number] for number in numbers]


def _regions(bindings: OpBindings, *names: str) -> list[FunctionType]:
    """Returns the types of regions, as far as they can be read; of a variadic one, of all of its regions."""
    collected: list[FunctionType] = []
    for name in names:
        region: Any = bindings[name]
        types = cast("tuple[Any, ...]", region if isinstance(region, tuple) else (region,))
        collected += [type_ for type_ in types if isinstance(type_, FunctionType)]
    return collected


def _fits(name: str, what: str, actual: Sequence[Type], of: str, wanted: Sequence[Type]) -> Broken | None:
    wrong = compared(what, of, actual, wanted)
    return wrong.broken(name) if wrong else None


def _if_results(bindings: OpBindings) -> Broken | None:
    results = bindings.signature.result_types
    for type_ in _regions(bindings, "thenRegion", "elseRegion"):
        if type_.inputs:
            words = "the branches of scf.if take no arguments"
            return Broken(words, ("thenRegion",), advise("use the values around scf.if"))
        if broken := _fits("thenRegion", "value of a branch", type_.results, "scf.if", results):
            return broken
    return None


def _if_else(bindings: OpBindings) -> Broken | None:
    is_known = bool(_regions(bindings, "thenRegion"))
    if not is_known or not bindings.signature.result_types or _regions(bindings, "elseRegion"):
        return None
    return Broken("scf.if has results, but no else", ("elseRegion",), advise("add else { scf.yield ... }"))


def _while_before(bindings: OpBindings) -> Broken | None:
    inits = _given(bindings, "inits")
    for type_ in _regions(bindings, "before"):
        if broken := _fits("before", "argument of 'before'", type_.inputs, "the loop", inits):
            return broken
        if type_.results[:1] != (I1,):
            words = "end it in scf.condition(%condition) %value, ... : T, ..."
            return Broken("'before' must end in scf.condition", ("before",), advise(words))
        results = bindings.signature.result_types
        return _fits("before", "value of scf.condition", type_.results[1:], "the loop", results)
    return None


def _while_after(bindings: OpBindings) -> Broken | None:
    results, inits = bindings.signature.result_types, _given(bindings, "inits")
    for type_ in _regions(bindings, "after"):
        if broken := _fits("after", "argument of 'after'", type_.inputs, "scf.condition", results):
            return broken
        return _fits("after", "value of scf.yield", type_.results, "the loop", inits)
    return None


def _for_types(bindings: OpBindings) -> Broken | None:
    bounds = bindings.signature.operand_types[:3]
    if len(set(bounds)) == 1:
        return None
    return Broken("bounds and step must be of one type", ("lowerBound",), advise("convert them to index"))


def _for_body(bindings: OpBindings) -> Broken | None:
    inits = _given(bindings, "initArgs")
    for type_ in _regions(bindings, "region"):
        wanted = [bindings.signature.operand_types[0], *inits]
        if broken := _fits("region", "argument of the body", type_.inputs, "the loop", wanted):
            return broken
        if broken := _fits("region", "value of scf.yield", type_.results, "the loop", inits):
            return broken
    return _fits("results", "result", bindings.signature.result_types, "the loop", inits)


def _switch_cases(bindings: OpBindings) -> Broken | None:
    cases = bindings.signature.properties.get("cases")
    if not isinstance(cases, DenseArrayAttr) or not _regions(bindings, "defaultRegion"):
        return None
    count = bindings.origins["caseRegions"].count
    if len(cases) != count:
        message = f"there are {len(cases)} cases, but {count} regions for them"
        return Broken(message, ("cases",), advise("give each case a region"))
    if len(set(cases)) < len(cases):
        return Broken("a case occurs twice", ("cases",), advise("leave one of them out"))
    return None


def _switch_results(bindings: OpBindings) -> Broken | None:
    results = bindings.signature.result_types
    for type_ in _regions(bindings, "defaultRegion", "caseRegions"):
        if broken := _fits("caseRegions", "value of a case", type_.results, "scf.index_switch", results):
            return broken
    return None


def _executed(bindings: OpBindings) -> Broken | None:
    results = bindings.signature.result_types
    for type_ in _regions(bindings, "region"):
        return _fits("region", "value of the region", type_.results, "scf.execute_region", results)
    return None


IF: tuple[Constraint, ...] = (
    own("A1", "output_types(thenRegion) = output_types(elseRegion) = type(results...)", _if_results),
    own("A2", "size(results) = 0 or elseRegion is given", _if_else),
)
WHILE: tuple[Constraint, ...] = (
    own("A1", "before takes the initial values and ends in scf.condition", _while_before),
    own("A2", "after takes what scf.condition gives, and gives new values of the loop", _while_after),
)
FOR: tuple[Constraint, ...] = (
    own("A1", "type(lowerBound) = type(upperBound) = type(step)", _for_types),
    own("A2", "the body takes the counter and the loop's values, and gives new ones", _for_body),
)
INDEX_SWITCH: tuple[Constraint, ...] = (
    own("A1", "each of the cases has a region", _switch_cases),
    own("A2", "each region gives the results", _switch_results),
)
EXECUTE_REGION: tuple[Constraint, ...] = (own("A1", "the region gives the results", _executed),)
