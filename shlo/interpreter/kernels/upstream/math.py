"""MLIR's math dialect: functions of numbers, and of tensors of them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from shlo.interpreter.kernel_api import BinaryFn, KernelFn, OpView, UnaryFn, Value
from shlo.interpreter.kernels.elementwise.bitwise import popcnt
from shlo.interpreter.kernels.numeric import InFloat64, bits_in, element_dtype, widened
from shlo.interpreter.kernels.upstream.twins import (
    Twin,
    refuse_rounding,
    register_twins,
    signed,
    twin_evaluate,
)
from shlo.interpreter.registry import kernel

TWINS: Final = {
    "absf": signed("abs"),
    "absi": signed("abs"),
    "atan2": signed("atan2"),
    "cbrt": signed("cbrt"),
    "ceil": signed("ceil"),
    "clampf": Twin("stablehlo.clamp", order=(1, 0, 2)),
    "cos": signed("cosine"),
    "ctlz": signed("count_leading_zeros"),
    "ctpop": signed("popcnt"),
    "exp": signed("exponential"),
    "expm1": signed("exponential_minus_one"),
    "floor": signed("floor"),
    "ipowi": signed("power"),
    "isfinite": signed("is_finite"),
    "log": signed("log"),
    "log1p": signed("log_plus_one"),
    "powf": signed("power"),
    "round": signed("round_nearest_afz"),
    "roundeven": signed("round_nearest_even"),
    "rsqrt": signed("rsqrt"),
    "sin": signed("sine"),
    "sqrt": signed("sqrt"),
    "tan": signed("tan"),
    "tanh": signed("tanh"),
    **{
        name: Twin(f"chlo.{name}")
        for name in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "erf", "erfc", "sinh")
    },
}
register_twins("math", TWINS)

_FUNCTIONS: Final[dict[str, KernelFn]] = {
    "copysign": np.copysign,
    "exp2": InFloat64(np.exp2),
    "isinf": np.isinf,
    "isnan": np.isnan,
    "log10": InFloat64(np.log10),
    "log2": InFloat64(np.log2),
    "trunc": np.trunc,
}


def _specialized(op: OpView) -> KernelFn:
    return widened(_FUNCTIONS[op.name.removeprefix("math.")], element_dtype(op.operand_types[0]))


kernel(*[f"math.{name}" for name in _FUNCTIONS])(_specialized)


@kernel("math.isnormal")
def isnormal(op: OpView) -> UnaryFn:
    """Returns whether each number is finite, and neither zero nor denormal."""
    least = np.finfo(element_dtype(op.operand_types[0])).tiny
    return lambda x: np.isfinite(x) & (np.abs(x) >= least)


@kernel("math.cttz")
def cttz(op: OpView) -> UnaryFn:
    """Counts trailing zeros: the bits below the lowest set one are those of (x & -x) - 1."""
    bits = bits_in(element_dtype(op.operand_types[0]))
    return lambda x: popcnt((x & -x) - x.dtype.type(1), bits)


@kernel("math.fma")
def fma(op: OpView) -> KernelFn:
    """Returns a * b + c, rounded once: products of two numbers of 32 bits are exact in 64 bits."""
    refuse_rounding(op)
    dtype: Any = element_dtype(op.operand_types[0])
    wide = np.longdouble if dtype == np.float64 else np.float64

    def evaluate(a: Value, b: Value, c: Value) -> Value:
        return (a.astype(wide) * b.astype(wide) + c.astype(wide)).astype(dtype)

    return evaluate


@kernel("math.fpowi")
def fpowi(op: OpView) -> BinaryFn:
    """Returns floats to integer powers."""
    dtype: Any = element_dtype(op.operand_types[0])
    return lambda base, exponent: np.power(base.astype(np.float64), exponent).astype(dtype)


@kernel("math.sincos")
def sincos(op: OpView) -> UnaryFn:
    """Returns the sine and the cosine."""
    sine, cosine = twin_evaluate(op, signed("sine")), twin_evaluate(op, signed("cosine"))
    return lambda x: (sine(x), cosine(x))
