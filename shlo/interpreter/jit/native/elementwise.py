"""Elementwise operations on numbers as instructions that give the bits that the kernels give.

Sums, products, quotients, roots, roundings and comparisons are the machine's own, which IEEE 754 defines to
the bit. Any other function of floats is NumPy's own loop for it, called by its address.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from shlo.interpreter.jit.chain import is_broadcast
from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.numbers import Number, number_of
from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.kernels.elementwise.comparison import is_total_order
from shlo.interpreter.kernels.elementwise.conversion import integer_limits
from shlo.interpreter.kernels.numeric import Kind, element_dtype
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.row_order import without_order
from shlo.interpreter.runtime.tiers import Unsupported

Emit = Callable[[Lines, Number, Sequence[str]], str]
"""Writes the instructions of an operation on operands of a type; returns the result."""


def _plain(instruction: str) -> Emit:
    def emit(lines: Lines, number: Number, operands: Sequence[str]) -> str:
        return lines.value(f"{instruction} {number.llvm} {', '.join(operands)}")

    return emit


def intrinsic(lines: Lines, name: str, number: Number, operands: Sequence[str], more: str = "") -> str:
    """Writes the call of an intrinsic of LLVM's; `more` are further arguments."""
    typed = ", ".join(f"{number.llvm} {operand}" for operand in operands)
    return lines.value(f"call {number.llvm} @llvm.{name}.{number.suffix}({typed}{more})")


def _calling(name: str, more: str = "") -> Emit:
    return lambda lines, number, operands: intrinsic(lines, name, number, operands, more)


def _choose(lines: Lines, number: Number, condition: str, then: str, otherwise: str) -> str:
    return lines.value(f"select i1 {condition}, {number.llvm} {then}, {number.llvm} {otherwise}")


def _clamp(least: str, most: str) -> Emit:
    def emit(lines: Lines, number: Number, operands: Sequence[str]) -> str:
        low, x, high = operands
        return intrinsic(lines, most, number, [intrinsic(lines, least, number, [low, x]), high])

    return emit


def _divide_signed(lines: Lines, number: Number, operands: Sequence[str]) -> str:
    lhs, rhs = operands
    is_zero, is_minus_one, safe = _divisor(lines, number, rhs)
    quotient = lines.value(f"sdiv {number.llvm} {lhs}, {safe}")
    opposite = lines.value(f"sub {number.llvm} 0, {lhs}")
    return _choose(lines, number, is_zero, "-1", _choose(lines, number, is_minus_one, opposite, quotient))


def _remainder_signed(lines: Lines, number: Number, operands: Sequence[str]) -> str:
    lhs, rhs = operands
    is_zero, is_minus_one, safe = _divisor(lines, number, rhs)
    rest = lines.value(f"srem {number.llvm} {lhs}, {safe}")
    return _choose(lines, number, is_zero, lhs, _choose(lines, number, is_minus_one, "0", rest))


def _divisor(lines: Lines, number: Number, rhs: str) -> tuple[str, str, str]:
    """Returns whether a divisor is 0, whether it is -1, and one that is neither."""
    is_zero = lines.value(f"icmp eq {number.llvm} {rhs}, 0")
    is_minus_one = lines.value(f"icmp eq {number.llvm} {rhs}, -1")
    either = lines.value(f"or i1 {is_zero}, {is_minus_one}")
    return is_zero, is_minus_one, _choose(lines, number, either, "1", rhs)


def _by_unsigned(instruction: str, of_zero: str | None) -> Emit:
    """Returns a division of unsigned numbers that by 0 gives `of_zero`, None for the dividend."""

    def emit(lines: Lines, number: Number, operands: Sequence[str]) -> str:
        lhs, rhs = operands
        is_zero = lines.value(f"icmp eq {number.llvm} {rhs}, 0")
        safe = _choose(lines, number, is_zero, "1", rhs)
        result = lines.value(f"{instruction} {number.llvm} {lhs}, {safe}")
        return _choose(lines, number, is_zero, lhs if of_zero is None else of_zero, result)

    return emit


def _shift(instruction: str) -> Emit:
    """Returns a shift that gives 0 (an arithmetic one the sign) for the width or more."""

    def emit(lines: Lines, number: Number, operands: Sequence[str]) -> str:
        x, amount = operands
        fits = lines.value(f"icmp ult {number.llvm} {amount}, {number.bits}")
        most = str(number.bits - 1) if instruction == "ashr" else "0"
        safe = _choose(lines, number, fits, amount, most)
        shifted = lines.value(f"{instruction} {number.llvm} {x}, {safe}")
        return shifted if instruction == "ashr" else _choose(lines, number, fits, shifted, "0")

    return emit


def _not(lines: Lines, number: Number, operands: Sequence[str]) -> str:
    return lines.value(f"xor {number.llvm} {operands[0]}, {number.literal(1) if number.bits == 1 else -1}")


def _opposite(lines: Lines, number: Number, operands: Sequence[str]) -> str:
    return lines.value(f"sub {number.llvm} 0, {operands[0]}")


def _sign_integer(lines: Lines, number: Number, operands: Sequence[str]) -> str:
    low = intrinsic(lines, "smax", number, [operands[0], "-1"])
    return intrinsic(lines, "smin", number, [low, "1"])


def _sign_float(lines: Lines, number: Number, operands: Sequence[str]) -> str:
    (x,), zero, one, minus_one = operands, *(number.literal(value) for value in (0, 1, -1))
    above = lines.value(f"fcmp ogt {number.llvm} {x}, {zero}")
    below = lines.value(f"fcmp olt {number.llvm} {x}, {zero}")
    return _choose(lines, number, above, one, _choose(lines, number, below, minus_one, x))


def _rsqrt(lines: Lines, number: Number, operands: Sequence[str]) -> str:
    root = intrinsic(lines, "sqrt", number, operands)
    return lines.value(f"fdiv {number.llvm} {number.literal(1)}, {root}")


def _round_away(lines: Lines, number: Number, operands: Sequence[str]) -> str:
    half = number.literal(np.nextafter(number.dtype.type(0.5), number.dtype.type(0)))
    signed = intrinsic(lines, "copysign", number, [half, operands[0]])
    return intrinsic(lines, "trunc", number, [lines.value(f"fadd {number.llvm} {operands[0]}, {signed}")])


def _is_finite(lines: Lines, number: Number, operands: Sequence[str]) -> str:
    magnitude = intrinsic(lines, "fabs", number, operands)
    return lines.value(f"fcmp one {number.llvm} {magnitude}, {number.literal(np.inf)}")


_BITS: dict[str, Emit] = {"and": _plain("and"), "or": _plain("or"), "xor": _plain("xor"), "not": _not}
_INTEGERS: dict[str, Emit] = {
    **_BITS,
    "add": _plain("add"),
    "count_leading_zeros": _calling("ctlz", ", i1 false"),
    "multiply": _plain("mul"),
    "popcnt": _calling("ctpop"),
    "shift_left": _shift("shl"),
    "shift_right_arithmetic": _shift("ashr"),
    "shift_right_logical": _shift("lshr"),
    "subtract": _plain("sub"),
}
_TABLES: Final[dict[Kind, dict[str, Emit]]] = {
    Kind.BOOLEAN: {
        **_BITS,
        "add": _plain("or"),
        "maximum": _plain("or"),
        "minimum": _plain("and"),
        "multiply": _plain("and"),
    },
    Kind.SIGNED: {
        **_INTEGERS,
        "abs": _calling("abs", ", i1 false"),
        "clamp": _clamp("smax", "smin"),
        "divide": _divide_signed,
        "maximum": _calling("smax"),
        "minimum": _calling("smin"),
        "negate": _opposite,
        "remainder": _remainder_signed,
        "sign": _sign_integer,
    },
    Kind.UNSIGNED: {
        **_INTEGERS,
        "clamp": _clamp("umax", "umin"),
        "divide": _by_unsigned("udiv", "-1"),
        "maximum": _calling("umax"),
        "minimum": _calling("umin"),
        "remainder": _by_unsigned("urem", None),
    },
    Kind.FLOAT: {
        "abs": _calling("fabs"),
        "add": _plain("fadd"),
        "ceil": _calling("ceil"),
        "clamp": _clamp("maximum", "minimum"),
        "divide": _plain("fdiv"),
        "floor": _calling("floor"),
        "is_finite": _is_finite,
        "maximum": _calling("maximum"),
        "minimum": _calling("minimum"),
        "multiply": _plain("fmul"),
        "negate": _plain("fneg"),
        "round_nearest_afz": _round_away,
        "round_nearest_even": _calling("rint"),
        "rsqrt": _rsqrt,
        "sign": _sign_float,
        "sqrt": _calling("sqrt"),
        "subtract": _plain("fsub"),
    },
}
_ORDER = {"EQ": "eq", "NE": "ne", "GE": "ge", "GT": "gt", "LE": "le", "LT": "lt"}


def elementwise(op: OpView, operand: Number, result: Number) -> Emit | None:
    """Returns what writes an operation on a number of one type that gives one of another; None where only
    NumPy's loop does the same. The predicate of a select is its first operand.
    """
    name = op.name.removeprefix("stablehlo.")
    if name == "compare":
        return _comparison(op)
    if name == "convert":
        return lambda lines, number, operands: convert(lines, number, result, operands[0])
    if name == "bitcast_convert" and operand.bits == result.bits > 1:
        return lambda lines, number, operands: lines.value(
            f"bitcast {number.llvm} {operands[0]} to {result.llvm}"
        )
    return _TABLES[operand.kind].get(name)


def _comparison(op: OpView) -> Emit:
    direction, by_total_order = op.word("comparison_direction"), is_total_order(op)

    def emit(lines: Lines, number: Number, operands: Sequence[str]) -> str:
        if by_total_order:
            keys = ", ".join(total_order_key(lines, number, x) for x in operands)
            sign = "" if direction in ("EQ", "NE") else "s"
            return lines.value(f"icmp {sign}{_ORDER[direction]} i{number.bits} {keys}")
        if number.kind is Kind.FLOAT:
            instruction = f"fcmp {'une' if direction == 'NE' else 'o' + _ORDER[direction]}"
        else:
            sign = "" if direction in ("EQ", "NE") else "s" if number.kind is Kind.SIGNED else "u"
            instruction = f"icmp {sign}{_ORDER[direction]}"
        return lines.value(f"{instruction} {number.llvm} {', '.join(operands)}")

    return emit


def total_order_key(lines: Lines, number: Number, x: str) -> str:
    """Writes a float as the integer that `comparison.total_order_key` makes of it."""
    type_ = f"i{number.bits}"
    bits = lines.value(f"bitcast {number.llvm} {x} to {type_}")
    sign = lines.value(f"ashr {type_} {bits}, {number.bits - 1}")
    below = lines.value(f"and {type_} {sign}, {(1 << (number.bits - 1)) - 1}")
    return lines.value(f"xor {type_} {below}, {bits}")


def convert(lines: Lines, source: Number, target: Number, x: str) -> str:
    """Writes the conversion of a number to another type."""
    if source.dtype == target.dtype:
        return x
    if target.kind is Kind.BOOLEAN:
        compare = "fcmp une" if source.kind is Kind.FLOAT else "icmp ne"
        return lines.value(f"{compare} {source.llvm} {x}, {source.literal(0)}")
    if source.kind is Kind.FLOAT and target.kind is not Kind.FLOAT:
        return _saturated(lines, source, target, x)
    is_signed = source.kind is Kind.SIGNED
    if source.kind is Kind.FLOAT:
        instruction = "fpext" if target.bits > source.bits else "fptrunc"
    elif target.kind is Kind.FLOAT:
        instruction = "sitofp" if is_signed else "uitofp"
    elif target.bits == source.bits:
        return x
    else:
        instruction = "trunc" if target.bits < source.bits else "sext" if is_signed else "zext"
    return lines.value(f"{instruction} {source.llvm} {x} to {target.llvm}")


def _saturated(lines: Lines, source: Number, target: Number, x: str) -> str:
    sign = "s" if integer_limits(target.dtype)[0] < 0 else "u"
    return lines.value(
        f"call {target.llvm} @llvm.fpto{sign}i.sat.{target.suffix}.{source.suffix}({source.llvm} {x})"
    )


def function_of_floats(op: OpView, evaluate: Any) -> tuple[Any, bool] | None:
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


def can_write(bound: BoundKernel) -> bool:
    """Returns whether an elementwise operation can be written as a step of a chain."""
    op_view = bound.op_view
    try:
        operands = [number_of(type_) for type_ in op_view.operand_types]
        result = number_of(op_view.result_types[0])
    except Unsupported:
        return False
    if is_broadcast(bound) or op_view.name in ("stablehlo.select", "stablehlo.logistic"):
        return True
    if elementwise(op_view, operands[0], result) is not None:
        return True
    found = function_of_floats(op_view, bound.evaluate)
    return found is not None and result.kind is Kind.FLOAT and operands[0] == result
