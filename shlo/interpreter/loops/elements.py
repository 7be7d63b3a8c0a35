"""`element(op, operands)`: what elementwise operations do to elements, as expressions that give the kernels'
bits.

Sums, products, quotients, roots, roundings and comparisons are the machine's own, which IEEE 754 defines to
the bit. Any other function of floats is NumPy's own loop for it, called by its address
(`function_of_floats`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.kernels.elementwise import arithmetic, bitwise, comparison, float_minmax
from shlo.interpreter.kernels.elementwise.comparison import is_total_order
from shlo.interpreter.kernels.elementwise.formula import Formula
from shlo.interpreter.kernels.numeric import Kind, element_dtype
from shlo.interpreter.loops.expressions import ConstantExpr, Expr, is_unsigned
from shlo.interpreter.loops.numbers import FLOAT64, Number, number_of, same_size_integer
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.row_order import without_order
from shlo.interpreter.runtime.tiers import Unsupported

Element = Callable[..., Expr]
"""Returns an element of a result from those of the operands."""
Ufunc = np.ufunc | Formula


def _divide_signed(x: Expr, y: Expr) -> Expr:
    is_zero, is_minus_one = y.equals(0), y.equals(-1)
    quotient = x / (is_zero | is_minus_one).choose(_one(y), y)
    return is_zero.choose(_one(x, -1), is_minus_one.choose(-x, quotient))


def _remainder_signed(x: Expr, y: Expr) -> Expr:
    is_zero, is_minus_one = y.equals(0), y.equals(-1)
    rest = x % (is_zero | is_minus_one).choose(_one(y), y)
    return is_zero.choose(x, is_minus_one.choose(_one(x, 0), rest))


def _one(like: Expr, value: int = 1) -> Expr:
    return ConstantExpr(like.number, value)


def _divide_unsigned(x: Expr, y: Expr) -> Expr:
    return y.equals(0).choose(_one(x, -1), x / y.equals(0).choose(_one(y), y))


def _remainder_unsigned(x: Expr, y: Expr) -> Expr:
    return y.equals(0).choose(x, x % y.equals(0).choose(_one(y), y))


def _shift(name: str) -> Element:
    """Returns a shift that gives 0 (an arithmetic one the sign) for the width or more."""

    def shift(x: Expr, amount: Expr) -> Expr:
        bits, is_arithmetic = x.number.bits, name == "ashr"
        fits = _as_unsigned(amount) < bits
        shifted = x.call(name, fits.choose(amount, bits - 1 if is_arithmetic else 0))
        return shifted if is_arithmetic else fits.choose(shifted, 0)

    return shift


def _as_unsigned(x: Expr) -> Expr:
    return x.convert(Number(np.dtype(f"u{x.number.size}"), Kind.UNSIGNED))


def _sign_float(x: Expr) -> Expr:
    return (x > 0).choose(_one(x), (x < 0).choose(_one(x, -1), x))


def _round_away(x: Expr) -> Expr:
    half = ConstantExpr(x.number, np.nextafter(x.number.dtype.type(0.5), x.number.dtype.type(0)))
    return (x + half.call("copysign", x)).call("trunc")


def _clamp(low: Expr, x: Expr, high: Expr) -> Expr:
    return low.maximum(x).minimum(high)


def of_one(compute: Callable[[Expr], Expr]) -> Element:
    """Returns an operation on one element."""
    return compute


def called(name: str) -> Element:
    """Returns an operation on one element by its name."""
    return of_one(lambda x: x.call(name))


def _by_sign(signed: Element, unsigned: Element) -> Element:
    """Returns an operation on integers that differs by whether they are signed."""

    def compute(x: Expr, *others: Expr) -> Expr:
        return (unsigned if is_unsigned(x.number) else signed)(x, *others)

    return compute


_ELEMENTS: Final[dict[Any, Element]] = {
    np.absolute: _by_sign(called("abs"), of_one(lambda x: x)),
    np.add: Expr.__add__,
    np.bitwise_and: Expr.__and__,
    np.bitwise_or: Expr.__or__,
    np.bitwise_xor: Expr.__xor__,
    np.ceil: called("ceil"),
    np.divide: Expr.__truediv__,
    np.equal: Expr.equals,
    np.floor: called("floor"),
    np.greater: Expr.__gt__,
    np.greater_equal: Expr.__ge__,
    np.invert: of_one(lambda x: x ^ (1 if x.number.bits == 1 else -1)),
    np.isfinite: of_one(lambda x: x.call("abs") < np.inf),
    np.left_shift: _shift("shl"),
    np.less: Expr.__lt__,
    np.less_equal: Expr.__le__,
    np.logical_and: Expr.__and__,
    np.logical_or: Expr.__or__,
    np.maximum: Expr.maximum,
    np.minimum: Expr.minimum,
    np.multiply: Expr.__mul__,
    np.negative: Expr.__neg__,
    np.not_equal: Expr.differs,
    np.right_shift: _by_sign(_shift("ashr"), _shift("lshr")),
    np.rint: called("rint"),
    np.sign: _by_sign(of_one(lambda x: x.maximum(-1).minimum(1)), of_one(lambda x: x.minimum(1))),
    np.sqrt: called("sqrt"),
    np.subtract: Expr.__sub__,
    arithmetic.clamp: _clamp,
    arithmetic.divide_signed: _divide_signed,
    arithmetic.divide_unsigned: _divide_unsigned,
    arithmetic.remainder_integer: _by_sign(_remainder_signed, _remainder_unsigned),
    arithmetic.round_away_from_zero: _round_away,
    arithmetic.rsqrt: of_one(lambda x: _one(x) / x.call("sqrt")),
    arithmetic.sign_float: _sign_float,
    bitwise.count_leading_zeros: called("ctlz"),
    bitwise.popcnt: called("ctpop"),
    bitwise.shift_left: _shift("shl"),
    bitwise.shift_right_arithmetic: _shift("ashr"),
    bitwise.shift_right_logical: _shift("lshr"),
    float_minmax.clamp: _clamp,
    float_minmax.maximum: Expr.maximum,
    float_minmax.minimum: Expr.minimum,
}
"""What the functions of kernels do."""
_OF_INTEGERS: Final = frozenset((np.maximum, np.minimum, np.sign))
"""Functions that do something else to floats."""


def element_of(op: OpView, evaluate: Any, operand: Number, result: Number) -> Element | None:
    """Returns what a kernel's function does to elements of a type that gives another type; None where only
    NumPy's loop does the same. The predicate of a select is its first operand.
    """
    name, evaluate = op.name.removeprefix("stablehlo."), without_order(evaluate)
    if name == "select":
        return Expr.choose
    if name == "compare" and is_total_order(op):
        compare = _ELEMENTS[comparison.UFUNCS[op.word("comparison_direction")]]

        def compare_keys(x: Expr, y: Expr) -> Expr:
            return compare(total_order_key(x), total_order_key(y))

        return compare_keys
    if name == "convert":
        return of_one(lambda x: x.convert(result))
    if name == "bitcast_convert" and operand.bits == result.bits > 1:
        return of_one(lambda x: x.bitcast(result))
    function = evaluate.func if isinstance(evaluate, partial) else evaluate
    return None if operand.is_float and function in _OF_INTEGERS else _ELEMENTS.get(function)


def total_order_key(x: Expr) -> Expr:
    """Returns a float as the integer that `comparison.total_order_key` makes of it."""
    bits = x.bitcast(same_size_integer(x.number))
    return (bits.call("ashr", x.number.bits - 1) & (1 << (x.number.bits - 1)) - 1) ^ bits


def function_of_floats(op: OpView, evaluate: Any) -> tuple[Ufunc, bool] | None:
    """Returns the ufunc or formula that a kernel is for its first operand's type, and whether it takes and
    gives float64 whatever its operands are; None for a kernel that is neither.
    """
    evaluate = without_order(evaluate)
    if isinstance(evaluate, np.ufunc) and evaluate.nout == 1:
        return evaluate, False
    formula = getattr(evaluate, "formula_in_float32", None)
    if formula is not None:
        return (formula, False) if element_dtype(op.operand_types[0]) == np.float32 else None
    ufunc = getattr(evaluate, "ufunc_in_float64", None)
    return None if ufunc is None else (ufunc, True)


class FloatCall:
    """A function of floats as NumPy's loop, on operands converted and perhaps changed first, whose result is
    converted.

    The logistic function is 1 / (1 + exp(-x)) in float64, as the kernel computes it.
    """

    def __init__(self, bound: BoundKernel, operands: Sequence[Number], result: Number) -> None:
        op = bound.op_view
        self._is_logistic = without_order(bound.evaluate) is arithmetic.logistic
        function = (np.exp, True) if self._is_logistic else function_of_floats(op, bound.evaluate)
        if function is None or not result.is_float or any(number != result for number in operands):
            raise Unsupported(op.name)
        self.ufunc, in_float64 = function
        self.number = FLOAT64 if in_float64 else result
        self._result = result
        self.is_plain = self.number == result and not self._is_logistic
        """Whether operands and result are the loop's own."""

    def before(self, x: Expr) -> Expr:
        """Returns what the loop takes of an operand."""
        x = x.convert(self.number)
        return -x if self._is_logistic else x

    def after(self, y: Expr) -> Expr:
        """Returns the result of what the loop gives."""
        if self._is_logistic:
            y = _one(y) / (y + 1)
        return y.convert(self._result)


def can_write(bound: BoundKernel) -> bool:
    """Returns whether an elementwise operation has expressions, or a loop of NumPy's."""
    op = bound.op_view
    try:
        operands = [number_of(type_) for type_ in op.operand_types]
        result = number_of(op.result_types[0])
        if (
            op.name == "stablehlo.broadcast_in_dim"
            or element_of(op, bound.evaluate, operands[0], result) is not None
        ):
            return True
        FloatCall(bound, operands[:1], result)
    except Unsupported:
        return False
    return True
