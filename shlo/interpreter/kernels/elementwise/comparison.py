"""Kernels of compare and select."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import BinaryFn, KernelFn, OpView
from shlo.interpreter.kernels.numeric import (
    FAST_DTYPES,
    Kind,
    contiguous,
    element_dtype,
    kind_of,
    where,
    widened,
)
from shlo.interpreter.registry import kernel
from shlo.ir.dtypes import Array, bit_width
from shlo.ir.types import element_type_of

UFUNCS: dict[str, np.ufunc] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "GE": np.greater_equal,
    "GT": np.greater,
    "LE": np.less_equal,
    "LT": np.less,
}
_SYMBOLS = {"EQ": "==", "NE": "!=", "GE": ">=", "GT": ">", "LE": "<=", "LT": "<"}
_BOOLEAN_SOURCES = {
    "EQ": "{0} ^ {1} ^ true",
    "NE": "{0} ^ {1}",
    "GE": "{0} | ({1} ^ true)",
    "GT": "{0} & ({1} ^ true)",
    "LE": "({0} ^ true) | {1}",
    "LT": "({0} ^ true) & {1}",
}


def _compare_source(op: OpView) -> str | None:
    if element_dtype(op.operand_types[0]).char not in FAST_DTYPES or is_total_order(op):
        return None
    direction = op.word("comparison_direction")
    if kind_of(op.operand_types[0]) is Kind.BOOLEAN:
        return _BOOLEAN_SOURCES[direction]
    return f"{{0}} {_SYMBOLS[direction]} {{1}}"


@kernel("stablehlo.compare", expression=_compare_source)
def compare(op: OpView) -> BinaryFn:
    """Compares elements, complex ones by their real, then their imaginary parts; specification: "compare"."""
    direction = op.word("comparison_direction")
    function, dtype = UFUNCS[direction], element_dtype(op.operand_types[0])
    if dtype.kind == "c" and direction not in ("EQ", "NE"):
        return lambda lhs, rhs: function(*_deciding_parts(lhs, rhs))
    if not is_total_order(op):
        return widened(function, dtype)
    element = element_type_of(op.operand_types[0])
    width, has_minus_zero = bit_width(element), not str(dtype).endswith("fnuz")
    return lambda lhs, rhs: function(*[total_order_key(x, width, has_minus_zero) for x in (lhs, rhs)])


def _deciding_parts(lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """Returns the parts of complex numbers that say which is less: the imaginary ones where the real ones are
    equal. NumPy's order differs where the other part is NaN."""
    is_equal = np.real(lhs) == np.real(rhs)
    pairs = ((np.imag(each), np.real(each)) for each in (lhs, rhs))
    one, other = (np.where(is_equal, imaginary, real) for imaginary, real in pairs)
    return one, other


def is_total_order(op: OpView) -> bool:
    """Returns whether a compare is of floats in IEEE 754's total order."""
    types = (op.get("compare_type") and op.word("compare_type"), kind_of(op.operand_types[0]))
    return types == ("TOTALORDER", Kind.FLOAT)


def total_order_key(x: Array, width: int, has_minus_zero: bool = True) -> Array:
    """Returns floats of `width` bits as integers in the order -NaN < -Inf < ... < -0 < +0 < ... < Inf < NaN.
    In a format without -0 its pattern is the only NaN, and the least."""
    spare = 8 * x.dtype.itemsize - width
    bits = contiguous(x).view(f"i{x.dtype.itemsize}")
    bits = np.left_shift(bits, spare) if spare else bits
    limits = np.iinfo(bits.dtype)
    key = np.right_shift(bits, width + spare - 1, out=np.empty_like(bits))
    np.bitwise_and(key, limits.max, out=key)
    np.bitwise_xor(key, bits, out=key)
    return key if has_minus_zero else where(bits == limits.min, limits.min, key + (bits < 0))


def _select_source(op: OpView) -> str | None:
    return "({1} if {0} else {2})"


@kernel("stablehlo.select", expression=_select_source)
def select(op: OpView) -> KernelFn:
    """Selects elements by a predicate, for a scalar one an operand itself; specification: "select"."""
    if op.tensor_type(1).shape == ():
        return np.where  # a body may be evaluated on whole arrays in place of operands of rank 0
    return select_one if op.tensor_type(0).shape == () else select_elements


def select_one(predicate: Any, on_true: Any, on_false: Any) -> Any:
    """Selects one of two values by a scalar, and their elements by a tensor."""
    if np.ndim(predicate):  # in a region that is evaluated on whole arrays
        return where(predicate, on_true, on_false)
    return on_true if predicate else on_false


_FEW = 4096


def select_elements(predicate: Array, on_true: Array, on_false: Array) -> Any:
    """Returns `np.where` of arrays of one dtype and shape. Many elements are selected by their bits: that has
    no branches, which cost ten times as much if the predicate has no pattern."""
    size = on_true.dtype.itemsize
    if predicate.size < _FEW or size > 8:
        return np.where(predicate, on_true, on_false)
    mask = np.negative(predicate.view(np.int8)).astype(f"i{size}")
    chosen, other = on_true.view(mask.dtype), on_false.view(mask.dtype)
    result = np.bitwise_xor(chosen, other)
    np.bitwise_and(result, mask, out=result)
    np.bitwise_xor(result, other, out=result)
    return result.view(on_true.dtype)
