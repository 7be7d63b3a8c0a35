"""Kernels of chlo's functions of one or two tensors, and its constants."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, UnaryFn
from shlo.interpreter.kernels.elementwise import complex_functions
from shlo.interpreter.kernels.elementwise.special_functions import (
    bessel_i1e,
    digamma,
    erf,
    erf_inv,
    erfc,
    lgamma,
    polygamma,
    zeta,
)
from shlo.interpreter.kernels.elementwise.table import FUNCTIONS, Functions, register
from shlo.interpreter.kernels.movement.creation import constant
from shlo.interpreter.kernels.numeric import InFloat64, bits_in, element_dtype, where, widened
from shlo.interpreter.registry import kernel
from shlo.ir.attributes import Attribute, FloatAttr, IntegerAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array

_LOG_HALF = np.float32(-0.6931472)


def _cosh(x: Any) -> Any:
    """Returns half of exp(x) + exp(-x); float32 halves the exponents, as XLA does, to overflow no earlier."""
    return np.cosh(x) if x.dtype != np.float32 else np.exp(x + _LOG_HALF) + np.exp(_LOG_HALF - x)


def _sinh(x: Any) -> Any:
    """Returns the same with exp(x) - exp(-x), but NumPy's near zero, where the halves cancel."""
    near_zero = np.sinh(x)
    if x.dtype != np.float32:
        return near_zero
    return where(np.abs(x) < 1, near_zero, np.exp(x + _LOG_HALF) - np.exp(_LOG_HALF - x))


def _is_neg_inf(x: Any) -> Any:
    return x == -np.inf


def _is_pos_inf(x: Any) -> Any:
    return x == np.inf


_FUNCTIONS: dict[str, Functions] = {
    "_asin_acos_kernel": Functions(complex=complex_functions.arc_kernel),
    "acos": Functions(float=np.arccos, complex=complex_functions.arc_cosine),
    "acosh": Functions(float=np.arccosh, complex=complex_functions.arc_cosine_hyperbolic),
    "asin": Functions(float=InFloat64(np.arcsin), complex=complex_functions.arc_sine),
    "asinh": Functions(float=np.arcsinh, complex=complex_functions.arc_sine_hyperbolic),
    "atan": Functions(float=np.arctan, complex=complex_functions.arc_tangent),
    "atanh": Functions(float=np.arctanh, complex=complex_functions.arc_tangent_hyperbolic),
    "bessel_i1e": Functions(float=bessel_i1e),
    "conj": Functions(float=np.conjugate, complex=np.conjugate),
    "cosh": Functions(float=_cosh, complex=complex_functions.cosine_hyperbolic),
    "digamma": Functions(float=digamma),
    "erf": Functions(float=erf),
    "erf_inv": Functions(float=erf_inv),
    "erfc": Functions(float=erfc),
    "is_inf": Functions(float=np.isinf),
    "is_neg_inf": Functions(float=_is_neg_inf),
    "is_pos_inf": Functions(float=_is_pos_inf),
    "lgamma": Functions(float=lgamma),
    "polygamma": Functions(float=polygamma),
    "sinh": Functions(float=_sinh, complex=complex_functions.sine_hyperbolic),
    "square": Functions(
        signed=np.square,
        unsigned=np.square,
        float=np.square,
        complex=complex_functions.square,
        float_source="{0} * {0}",
    ),
    "tan": FUNCTIONS["tan"],
    "zeta": Functions(float=zeta),
}

for _name, _functions in _FUNCTIONS.items():
    register(f"chlo.{_name}", _functions)


@kernel("chlo.next_after")
def next_after(op: OpView) -> KernelFn:
    """Returns the value of the type next to x in the direction of y; y if the two are equal."""
    return _next_after_half if element_dtype(op.operand_types[0]) == np.float16 else np.nextafter


def _next_after_half(x: Any, y: Any) -> Any:
    """Returns NumPy's result for float16, but y for equal operands, which may be the other zero."""
    return where(x == y, y, np.nextafter(x, y))


@kernel("chlo.mulhi")
def mulhi(op: OpView) -> KernelFn:
    """Returns the upper half of the bits of a product."""
    dtype = element_dtype(op.operand_types[0])
    bits = bits_in(dtype)
    return _upper_half_of_128 if bits == 64 else widened(partial(_upper_half, bits=bits), dtype)


def _upper_half(lhs: Array, rhs: Array, bits: int) -> Any:
    wide = np.int64 if lhs.dtype.kind == "i" else np.uint64
    return ((lhs.astype(wide) * rhs.astype(wide)) >> bits).astype(lhs.dtype)


def _upper_half_of_128(lhs: Array, rhs: Array) -> Any:
    """Sums the products of halves without overflow; a negative factor subtracts the other one again."""
    a, b = lhs.view(np.uint64), rhs.view(np.uint64)
    a_high, a_low, b_high, b_low = a >> 32, a & 0xFFFFFFFF, b >> 32, b & 0xFFFFFFFF
    middle = a_high * b_low + (a_low * b_low >> 32)
    other = a_low * b_high + (middle & 0xFFFFFFFF)
    upper = (a_high * b_high + (middle >> 32) + (other >> 32)).view(lhs.dtype)
    return upper if lhs.dtype.kind == "u" else upper - rhs * (lhs < 0) - lhs * (rhs < 0)


kernel("chlo.constant")(constant)


@kernel("chlo.constant_like")
def constant_like(op: OpView) -> UnaryFn:
    """Returns a tensor of the operand's shape filled with the attribute's value."""
    value = _scalar(op.require("value", Attribute), op.result_dtype())
    return lambda x: np.broadcast_to(value, np.shape(x))


def _scalar(value: Attribute, dtype: np.dtype[Any]) -> Array:
    if isinstance(value, (FloatAttr, IntegerAttr)):
        return np.array(value.value).astype(dtype)
    if isinstance(value, DenseElementsAttr) and value.array.size == 1:
        return value.array.reshape(()).astype(dtype)
    raise KernelError(f"cannot make a constant of {value}")
