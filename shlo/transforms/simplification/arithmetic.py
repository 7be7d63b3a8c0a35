"""Simplifications of elementwise operations.

Adding zero is nothing, also to floats, where it would make a plus of a minus zero: the pass of StableHLO does
so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from shlo.ir.attributes import EnumAttr
from shlo.ir.operations import Operation
from shlo.ir.types import I1, RankedTensorType
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter, Rule
from shlo.transforms.rewriting.matching import (
    all_ones,
    constant,
    created,
    first_of,
    is_integer,
    is_number,
    is_static,
    source_of,
    splat_number,
    value_instead,
)

MIRRORED: Final = {"EQ": "EQ", "NE": "NE", "GE": "LE", "GT": "LT", "LE": "GE", "LT": "GT"}
"""The directions of comparisons with the operands exchanged."""


def _constant_to_the_right(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    lhs, rhs = rewriter.refs(operation.operands)
    if constant(rewriter, lhs) is None or constant(rewriter, rhs) is not None:
        return None
    return created(rewriter, operation, operation.name.removeprefix("stablehlo."), (rhs, lhs))


def _neutral(test: Callable[[Any], bool], only_integers: bool = False) -> Rule:
    """`x op c` is x for a constant that passes a test."""
    return _operand_instead(0, test, only_integers)


def _absorbing(test: Callable[[Any], bool]) -> Rule:
    """`x op c` is c for an integer constant that passes a test."""
    return _operand_instead(1, test, True)


def _operand_instead(index: int, test: Callable[[Any], bool], only_integers: bool) -> Rule:
    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        operands = rewriter.refs(operation.operands)
        if (only_integers and not is_integer(operands[1])) or not is_number(rewriter, operands[1], test):
            return None
        return value_instead(rewriter, operation, operands[index])

    return rule


def _same_operands_are_zero(only_integers: bool) -> Rule:
    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        lhs, rhs = rewriter.refs(operation.operands)
        if lhs != rhs or not is_static(lhs.type) or (only_integers and not is_integer(lhs)):
            return None
        return [rewriter.splat(lhs.tensor, 0)]

    return rule


def _is_zero(number: Any) -> bool:
    return bool(number == 0)


def _is_one(number: Any) -> bool:
    return bool(number == 1)


def _convert(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    return value_instead(rewriter, operation, rewriter.ref(operation.operands[0]))


def _part(index: int) -> Rule:
    """Returns the real or imaginary part of a complex number that was made of parts."""

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        source = source_of(rewriter, rewriter.ref(operation.operands[0]), "complex")
        return None if source is None else [rewriter.ref(source.operands[index])]

    return rule


def _complex(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the complex number whose parts are put together again."""
    re, im = rewriter.refs(operation.operands)
    real, imag = source_of(rewriter, re, "real"), source_of(rewriter, im, "imag")
    if real is None or imag is None or real.operands != imag.operands:
        return None
    return value_instead(rewriter, operation, rewriter.ref(real.operands[0]))


# --- compare and select -------------------------------------------------------------------------------------


def _direction(operation: Operation) -> str:
    direction = operation.attribute("comparison_direction")
    return direction.value if isinstance(direction, EnumAttr) else ""


def _compare(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    lhs, rhs = rewriter.refs(operation.operands)
    direction, kind = _direction(operation), operation.attribute("compare_type")
    number = splat_number(rewriter, rhs) if lhs.element_type == I1 else None
    if number is not None and (direction, bool(number)) in (("NE", False), ("EQ", True)):
        return value_instead(rewriter, operation, lhs)
    if not isinstance(kind, EnumAttr) or kind.value not in ("SIGNED", "UNSIGNED"):
        return None
    (type_,) = operation.result_types
    if lhs == rhs and isinstance(type_, RankedTensorType) and type_.is_static:
        return [rewriter.splat(type_, direction in ("EQ", "GE", "LE"))]
    if constant(rewriter, lhs) is None or constant(rewriter, rhs) is not None:
        return None
    mirrored = EnumAttr("stablehlo", "comparison_direction", MIRRORED[direction])
    properties = {**operation.signature.properties, "comparison_direction": mirrored}
    return created(rewriter, operation, "compare", (rhs, lhs), properties)


def _select(limit: int) -> Rule:
    """Returns a select whose branches are the same, whose condition is known or negated."""

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        condition, yes, no = rewriter.refs(operation.operands)
        if yes == no:
            return [yes]
        negation = source_of(rewriter, condition, "not")
        if negation is not None:
            inner = rewriter.ref(negation.operands[0])
            return created(rewriter, operation, "select", (inner, no, yes))
        truth = constant(rewriter, condition)
        if truth is None:
            return None
        if truth.is_splat:
            return [yes if truth.array.ravel()[0] else no]
        values = constant(rewriter, yes), constant(rewriter, no)
        if truth.array.size > limit or values[0] is None or values[1] is None:
            return None
        chosen = np.where(truth.array, values[0].array, values[1].array)
        return [rewriter.array(chosen, yes.element_type)]

    return rule


def _negated_broadcast_condition(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a select whose condition is the broadcast of a negation."""
    condition, yes, no = rewriter.refs(operation.operands)
    broadcast = source_of(rewriter, condition, "broadcast_in_dim")
    negation = broadcast and source_of(rewriter, rewriter.ref(broadcast.operands[0]), "not")
    if broadcast is None or negation is None or not rewriter.has_one_use(condition):
        return None
    inner = rewriter.ref(negation.operands[0])
    properties = broadcast.signature.properties
    spread = rewriter.one("stablehlo.broadcast_in_dim", (inner,), condition.type, properties)
    return created(rewriter, operation, "select", (spread, no, yes))


def rules(limit: int) -> dict[str, Rule]:
    """Returns the rules; constants of more than `limit` elements are not computed."""
    swap = _constant_to_the_right
    return {
        "stablehlo.add": first_of(swap, _neutral(_is_zero)),
        "stablehlo.and": first_of(swap, _absorbing(_is_zero), _neutral(all_ones, True)),
        "stablehlo.compare": _compare,
        "stablehlo.complex": _complex,
        "stablehlo.convert": _convert,
        "stablehlo.imag": _part(1),
        "stablehlo.maximum": swap,
        "stablehlo.minimum": swap,
        "stablehlo.multiply": first_of(swap, _absorbing(_is_zero), _neutral(_is_one)),
        "stablehlo.or": first_of(swap, _absorbing(all_ones), _neutral(_is_zero, True)),
        "stablehlo.real": _part(0),
        "stablehlo.select": first_of(_select(limit), _negated_broadcast_condition),
        "stablehlo.subtract": first_of(_same_operands_are_zero(True), _neutral(_is_zero)),
        "stablehlo.xor": first_of(swap, _same_operands_are_zero(False), _neutral(_is_zero, True)),
    }
