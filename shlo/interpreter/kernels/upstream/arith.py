"""MLIR's arith dialect: arithmetic on plain numbers and indices, and on tensors of them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from shlo.interpreter.kernel_api import BinaryFn, KernelFn, OpView, UnaryFn, Value
from shlo.interpreter.kernels.elementwise.arithmetic import divide_signed, divide_unsigned
from shlo.interpreter.kernels.elementwise.comparison import select_one
from shlo.interpreter.kernels.numeric import bits_in, element_dtype, unsigned_of, where, widened
from shlo.interpreter.kernels.shapes import constant_function
from shlo.interpreter.kernels.upstream.twins import (
    Twin,
    refuse_rounding,
    register_twins,
    signed,
    twin_evaluate,
    unsigned,
)
from shlo.interpreter.registry import kernel
from shlo.ir.attributes import FloatAttr, IntegerAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.types import I1, element_type_of

TWINS: Final = {
    "andi": signed("and"),
    "bitcast": signed("bitcast_convert"),
    "divui": unsigned("divide"),
    "extf": signed("convert"),
    "convertf": signed("convert"),
    "fptosi": signed("convert"),
    "fptoui": Twin("stablehlo.convert", False, True),
    "maximumf": signed("maximum"),
    "maxsi": signed("maximum"),
    "maxui": unsigned("maximum"),
    "minimumf": signed("minimum"),
    "minsi": signed("minimum"),
    "minui": unsigned("minimum"),
    "negf": signed("negate"),
    "ori": signed("or"),
    "remf": signed("remainder"),
    "remsi": signed("remainder"),
    "remui": unsigned("remainder"),
    "shli": signed("shift_left"),
    "shrsi": signed("shift_right_arithmetic"),
    "shrui": signed("shift_right_logical"),
    "truncf": signed("convert"),
    "uitofp": Twin("stablehlo.convert", True, False),
    "xori": signed("xor"),
}
register_twins("arith", TWINS)


def _number_if_any(function: np.ufunc, prefers_negative: bool) -> KernelFn:
    """Returns `np.fmax` or `np.fmin` with zeros in the order of their signs."""

    def evaluate(one: Array, other: Array) -> Array:
        first = np.signbit(one) == prefers_negative
        return np.where(one == other, np.where(first, one, other), function(one, other))

    return evaluate


_FUNCTIONS: dict[str, KernelFn] = {
    "addf": np.add,
    "addi": np.add,
    "divf": np.divide,
    "divsi": divide_signed,
    "maximumnumf": _number_if_any(np.fmax, False),
    "maxnumf": np.fmax,
    "minimumnumf": _number_if_any(np.fmin, True),
    "minnumf": np.fmin,
    "mulf": np.multiply,
    "muli": np.multiply,
    "subf": np.subtract,
    "subi": np.subtract,
}
_OF_BITS: dict[str, KernelFn] = {"addi": np.bitwise_xor, "muli": np.bitwise_and, "subi": np.bitwise_xor}
"""Functions of integers of one bit, which are numbers modulo 2 here."""

_ORDERINGS = (np.less, np.less_equal, np.greater, np.greater_equal)
_PREDICATES: tuple[tuple[np.ufunc, bool], ...] = (
    *((function, False) for function in (np.equal, np.not_equal, *_ORDERINGS)),
    *((function, True) for function in _ORDERINGS),
)
"""Comparisons by number, and whether they read integers as unsigned."""

_FLOAT_PREDICATES: tuple[np.ufunc | None, ...] = (
    *(None, np.equal, np.greater, np.greater_equal, np.less, np.less_equal, np.not_equal, None),
)
"""Comparisons of floats: `false` and the ordered ones; eight further are the unordered ones, which hold if
one is NaN."""


@kernel("arith.constant")
def constant(op: OpView) -> KernelFn:
    """Returns the value of its attribute."""
    value: DenseElementsAttr | IntegerAttr | FloatAttr
    value = op.require("value", DenseElementsAttr, IntegerAttr, FloatAttr)
    if isinstance(value, DenseElementsAttr):
        return constant_function(value.array)
    return constant_function(np.array(value.value).astype(element_dtype(op.result_types[0])))


def _specialized(op: OpView) -> KernelFn:
    refuse_rounding(op)
    name, dtype = op.name.removeprefix("arith."), element_dtype(op.operand_types[0])
    return _OF_BITS[name] if dtype == np.bool_ and name in _OF_BITS else widened(_FUNCTIONS[name], dtype)


kernel(*[f"arith.{name}" for name in _FUNCTIONS])(_specialized)


@kernel("arith.cmpi")
def cmpi(op: OpView) -> BinaryFn:
    """Compares integers; `predicate` tells how, and whether they are unsigned."""
    function, is_unsigned = _PREDICATES[op.integer("predicate")]
    dtype = element_dtype(op.operand_types[0])
    if dtype == np.bool_ or not is_unsigned:
        return widened(function, dtype)
    unsigned = unsigned_of(dtype)
    return lambda lhs, rhs: function(lhs.view(unsigned), rhs.view(unsigned))


@kernel("arith.cmpf")
def cmpf(op: OpView) -> KernelFn:
    """Compares floats; with NaN an ordered predicate is false, an unordered one true."""
    number = op.integer("predicate")
    function, is_unordered = _FLOAT_PREDICATES[number % 8], number >= 8

    def evaluate(lhs: Value, rhs: Value) -> Value:
        has_nan = np.isnan(lhs) | np.isnan(rhs)
        if function is None:  # false, ord, uno and true
            return {0: has_nan & False, 7: ~has_nan, 8: has_nan, 15: has_nan | True}[number]
        result = function(lhs, rhs)
        return result | has_nan if is_unordered else result & ~has_nan

    return evaluate


@kernel("arith.select")
def select(op: OpView) -> KernelFn:
    """Selects by a condition, element by element if it is a tensor."""
    return select_one


@kernel("arith.index_cast", "arith.trunci")
def index_cast(op: OpView) -> UnaryFn:
    """Converts integers or indices to another width; a single bit is their lowest one."""
    dtype = element_dtype(op.result_types[0])
    return lambda x: (x & 1 if dtype == np.bool_ else x).astype(dtype)


@kernel("arith.extui", "arith.index_castui")
def extui(op: OpView) -> UnaryFn:
    """Extends integers, read as unsigned."""
    source, dtype = element_dtype(op.operand_types[0]), element_dtype(op.result_types[0])
    if source == np.bool_ or element_type_of(op.result_types[0]) == I1:
        return index_cast(op)
    if bits_in(source) < 8:
        return twin_evaluate(op, Twin("stablehlo.convert", True, True))
    return lambda x: x.view(unsigned_of(source)).astype(dtype)


@kernel("arith.extsi", "arith.sitofp")
def extsi(op: OpView) -> UnaryFn:
    """Converts signed integers to another type; a single bit that is set is -1."""
    convert = twin_evaluate(op, signed("convert"))
    if element_dtype(op.operand_types[0]) != np.bool_:
        return convert
    return lambda x: np.negative(convert(x))


def _up(lhs: Array, rhs: Array, quotient: Any) -> Any:
    return quotient + ((lhs - quotient * rhs != 0) & ((lhs < 0) == (rhs < 0)))


@kernel("arith.ceildivsi", "arith.ceildivui", "arith.floordivsi")
def rounded_division(op: OpView) -> BinaryFn:
    """Divides integers, rounded up (ceildiv) or down (floordiv)."""
    dtype, name = element_dtype(op.operand_types[0]), op.name.removeprefix("arith.")
    if name == "ceildivui":
        unsigned = unsigned_of(dtype)

        def evaluate(lhs: Value, rhs: Value) -> Value:
            lhs, rhs = lhs.view(unsigned), rhs.view(unsigned)
            return _up(lhs, rhs, divide_unsigned(lhs, rhs)).astype(unsigned).view(dtype)

        return evaluate
    if name == "floordivsi":
        return np.floor_divide
    return lambda lhs, rhs: _up(lhs, rhs, divide_signed(lhs, rhs)).astype(dtype)


@kernel("arith.addui_extended", "arith.subui_extended")
def with_carry(op: OpView) -> KernelFn:
    """Returns sums or differences, and whether each has a carry or borrow."""
    unsigned, is_sum = unsigned_of(element_dtype(op.operand_types[0])), op.name.endswith("addui_extended")

    def evaluate(lhs: Value, rhs: Value) -> Value:
        x, y = lhs.view(unsigned), rhs.view(unsigned)
        if is_sum:
            return lhs + rhs, (x + y) < x
        return lhs - rhs, x < y

    return evaluate


@kernel("arith.mulsi_extended", "arith.mului_extended")
def extended_product(op: OpView) -> KernelFn:
    """Returns the low and the high half of each product."""
    dtype, is_signed = element_dtype(op.operand_types[0]), op.name.endswith("mulsi_extended")
    bits, source = bits_in(dtype), dtype if is_signed else unsigned_of(dtype)

    def evaluate(lhs: Value, rhs: Value) -> Value:
        exact = np.multiply(lhs.view(source).astype(object), rhs.view(source).astype(object))
        high = np.asarray(np.floor_divide(exact, 1 << bits))
        return lhs * rhs, high.astype(source).view(dtype)

    return evaluate


@kernel("arith.flush_denormals")
def flush_denormals(op: OpView) -> UnaryFn:
    """Replaces denormal numbers by zeros of the same sign."""
    dtype = element_dtype(op.operand_types[0])
    least = np.finfo(dtype).tiny
    return lambda x: where(np.abs(x) < least, np.copysign(dtype.type(0), x), x)
