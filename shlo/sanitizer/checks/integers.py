"""Integers that wrap, are divided by zero, or are shifted by no number of bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from shlo.interpreter.kernels.numeric import bits_in, is_narrow_integer, wide_dtype
from shlo.ir.dtypes import Array
from shlo.ir.types import I1, IntegerType, Type, element_type_of
from shlo.sanitizer.exact import MOST_EXACT, exact_sums, extent_of_sum, is_sum
from shlo.sanitizer.objections import Objection, objection
from shlo.sanitizer.steps import OperationStep
from shlo.sanitizer.wide import wide_result

EPSILON: Final = 2.0**-52
"""How far float64 may be off, relative to a sum's terms, each time that it rounds."""

MOST_TOLD: Final = 2.0**128
"""From where on a number is told in float64 instead of with all its digits."""


def wrapped(step: OperationStep) -> Objection | None:
    """Results of signed integers that are not those of arithmetic without limits."""
    if not _is_signed(step.operation.result_types[0]) or step.results[0].size == 0:
        return None
    result = _native(step.results[0])
    exact = _EXACT.get(step.operation.name)
    if exact is not None:
        operands = [_native(operand) for operand in step.operands]
        return objection(exact(*operands, result), {**_operands(step), "result": step.results[0]})
    if step.operation.name in ("stablehlo.multiply", "stablehlo.power"):
        return _wrapped_in_product(step, result)
    return _wrapped_in_many(step, result)


def _wrapped_in_product(step: OperationStep, result: Array) -> Objection | None:
    """What wraps in products of two numbers and in powers. Where the exact one fits, that in float64 is off
    by far less than half of the type's range.
    """
    is_power = step.operation.name == "stablehlo.power"
    lhs, rhs = (_native(operand) for operand in step.operands)
    wide = (np.float_power if is_power else np.multiply)(lhs.astype(np.float64), rhs.astype(np.float64))
    if is_power:
        wide = np.where(rhs < 0, result, wide)

    def values(at: tuple[int, ...]) -> Mapping[str, Any]:
        exact = None
        if abs(wide[at]) < MOST_TOLD:
            one, other = int(lhs[at]), int(rhs[at])
            exact = one**other if is_power else one * other
        operands = {name: value[at] for name, value in _operands(step).items()}
        return {**operands, **_told(wide[at], exact), "result": step.results[0][at]}

    return objection(_is_apart(wide, result, step), values, np.abs(wide))


def _wrapped_in_many(step: OperationStep, result: Array) -> Objection | None:
    """What wraps in sums and products of many numbers. The operation's own kernel makes those without limits
    on float64; sums are made of digits where its error may matter. Products that fit are near enough.
    """
    view = step.view
    if not all(_is_integer(type_) for type_ in view.operand_types):
        return None
    operands = [_native(operand) for operand in step.operands[: len(view.operand_types)]]
    wide = wide_result(view, operands)
    if wide is None or wide.shape != result.shape:
        return None
    mask, sums = _is_apart(wide, result, step), None
    if is_sum(view):
        terms, largest = extent_of_sum(view, operands)
        error = (terms + 4) * largest * EPSILON
        if largest > MOST_EXACT and (error >= _half_range(step) / 2 or mask.any()):
            sums = exact_sums(view, operands, terms)
            mask = sums.differ_from(result)

    def values(at: tuple[int, ...]) -> Mapping[str, Any]:
        number = wide[at]
        whole = int(number) if abs(number) <= MOST_EXACT else None
        return {**_told(number, whole if sums is None else sums.at(at)), "result": step.results[0][at]}

    return objection(mask, values, np.abs(wide))


def _half_range(step: OperationStep) -> float:
    """Returns how many numbers from zero on the result's type has."""
    return 2.0 ** (bits_in(step.results[0].dtype) - 1)


def _is_apart(wide: Array, result: Array, step: OperationStep) -> Array:
    """Returns which results are half of their type's range away: those that wrapped are a multiple of the
    whole range away.
    """
    return np.abs(wide - result.astype(np.float64)) >= _half_range(step)


def _told(wide: Any, exact: int | None) -> dict[str, Any]:
    """Returns what a result would be without limits, as it is told: not at all beyond float64."""
    if exact is not None:
        return {"exact": exact}
    return {"about": wide} if np.isfinite(wide) else {}


def divided(step: OperationStep) -> Objection | None:
    """Divisions of integers by zero, powers of zero with negative exponents among them."""
    if not _is_integer(step.operation.result_types[0]):
        return None
    left, right = (_native(operand) for operand in step.operands)
    is_wrong = (left == 0) & (right < 0) if step.operation.name == "stablehlo.power" else right == 0
    return objection(is_wrong, {**_operands(step), "result": step.results[0]})


def shifted(step: OperationStep) -> Objection | None:
    """Shifts by a negative number of bits, or by at least as many as an element has."""
    amount, width = _native(step.operands[1]), bits_in(step.operands[1].dtype)
    return objection((amount < 0) | (amount >= width), {**_operands(step), "result": step.results[0]})


def _sum(left: Array, right: Array, result: Array) -> Array:
    return ((left ^ result) & (right ^ result)) < 0


def _difference(left: Array, right: Array, result: Array) -> Array:
    return ((left ^ right) & (left ^ result)) < 0


def _negation(operand: Array, result: Array) -> Array:
    return (operand < 0) & (result < 0)


def _magnitude(operand: Array, result: Array) -> Array:
    return result < 0


def _quotient(left: Array, right: Array, result: Array) -> Array:
    return (left < 0) & (right == -1) & (result < 0)


_EXACT: Final[dict[str, Callable[..., Array]]] = {
    "stablehlo.add": _sum,
    "stablehlo.subtract": _difference,
    "stablehlo.negate": _negation,
    "stablehlo.abs": _magnitude,
    "stablehlo.divide": _quotient,
}
"""Whether the result of two's complement differs from that of arithmetic without limits."""

_NAMES: Final = {1: ("operand",), 2: ("lhs", "rhs")}


def _operands(step: OperationStep) -> dict[str, Any]:
    return dict(zip(_NAMES[len(step.operands)], step.operands))


def _native(value: Any) -> Array:
    """Returns integers of a type that NumPy computes with."""
    array = np.asarray(value)
    return array.astype(wide_dtype(array.dtype)) if is_narrow_integer(array.dtype) else array


def _is_integer(type_: Type) -> bool:
    element = element_type_of(type_)
    return isinstance(element, IntegerType) and element != I1


def _is_signed(type_: Type) -> bool:
    element = element_type_of(type_)
    return isinstance(element, IntegerType) and element != I1 and not element.is_unsigned
