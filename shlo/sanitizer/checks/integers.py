"""Integers that wrap, are divided by zero, or are shifted by no number of bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from shlo.interpreter.kernels.numeric import bits_in, is_narrow_integer, wide_dtype
from shlo.ir.dtypes import Array
from shlo.ir.types import IntegerType, Type, element_type_of
from shlo.sanitizer.objections import Objection, objection
from shlo.sanitizer.steps import OperationStep
from shlo.sanitizer.wide import wide_result


def wrapped(step: OperationStep) -> Objection | None:
    """Results of signed integers that are not those of arithmetic without limits."""
    if not _is_signed(step.operation.result_types[0]) or step.results[0].size == 0:
        return None
    result = _native(step.results[0])
    exact = _EXACT.get(step.operation.name)
    if exact is not None:
        operands = [_native(each) for each in step.operands]
        return objection(exact(*operands, result), {**_operands(step), "result": step.results[0]})
    return _wrapped_in_sum(step, result)


def _wrapped_in_sum(step: OperationStep, result: Array) -> Objection | None:
    """What wraps in sums and products of many numbers, or in powers: the result is a multiple of 2 to the
    power of the type's width away from that in float64, whose own error is far smaller.
    """
    width, name = bits_in(step.results[0].dtype), step.operation.name
    if name == "stablehlo.multiply":
        wide: Array | None = np.multiply(*[_native(each).astype(np.float64) for each in step.operands])
    elif name == "stablehlo.power":
        base, exponent = (_native(each).astype(np.float64) for each in step.operands)
        wide = np.where(exponent < 0, result, np.float_power(base, exponent))
    else:
        wide = _wide(step)
    if wide is None or wide.shape != result.shape:
        return None
    apart = np.abs(wide - result.astype(np.float64))
    values = {"exact": wide, "result": step.results[0]}
    if name in ELEMENTWISE:
        values = {**_operands(step), **values}
    return objection(apart >= 2.0 ** (width - 1), values, np.abs(wide))


def _wide(step: OperationStep) -> Array | None:
    view = step.view
    if not all(_is_integer(type_) for type_ in view.operand_types):
        return None
    return wide_result(view, step.operands[: len(view.operand_types)])


def divided(step: OperationStep) -> Objection | None:
    """Divisions of integers by zero, powers of zero with negative exponents among them."""
    if not _is_integer(step.operation.result_types[0]):
        return None
    left, right = (_native(each) for each in step.operands)
    is_wrong = (left == 0) & (right < 0) if step.operation.name == "stablehlo.power" else right == 0
    return objection(is_wrong, {**_operands(step), "result": step.results[0]})


def shifted(step: OperationStep) -> Objection | None:
    """Shifts by a negative number of bits, or by at least as many as an element has."""
    amount, width = _native(step.operands[1]), bits_in(step.operands[1].dtype)
    return objection((amount < 0) | (amount >= width), {**_operands(step), "result": step.results[0]})


ELEMENTWISE: Final = frozenset({"stablehlo.multiply", "stablehlo.power"})


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
    return isinstance(element, IntegerType) and not element.is_boolean


def _is_signed(type_: Type) -> bool:
    element = element_type_of(type_)
    return isinstance(element, IntegerType) and not element.is_boolean and not element.is_unsigned
