"""The order in memory of what elementwise operations give: row by row, whatever their operands' order is.

NumPy gives results the order of the operands: column by column for those of a transposed view. Fused
chains give rows. The order decides how BLAS adds, so it may not depend on which operations are fused, or
overwrite an operand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.dialects import has_trait
from shlo.interpreter.kernel_api import KernelFn, OpView, UfuncLike, Value
from shlo.interpreter.runtime.copies import copied_by_rows
from shlo.ir.dtypes import Array
from shlo.ir.types import RankedTensorType


class ByRows:
    """A function whose result is stored row by row."""

    __slots__ = ("function",)

    def __init__(self, function: KernelFn) -> None:
        self.function = function

    def __call__(self, *operands: Value) -> Value:
        """Returns the result of the function."""
        result = self.function(*operands)
        return result if result.flags.c_contiguous else copied_by_rows(result)


class UfuncByRows(ByRows, UfuncLike):
    """A ufunc of NumPy, or what is like one, whose result is stored row by row."""

    __slots__ = ()

    def __call__(self, *operands: Value, out: Array | None = None) -> Value:
        """Returns the result; `out` is C-contiguous memory that may hold it."""
        if out is not None:
            return self.function(*operands, out=out)
        result = self.function(*operands)
        return result if result.flags.c_contiguous else copied_by_rows(result)


def by_rows(op_view: OpView, function: KernelFn) -> KernelFn:
    """Returns an operation's function; for an elementwise operation one that stores its result row by row."""
    if not has_trait(op_view.name, "elementwise") or len(op_view.result_types) != 1:
        return function
    is_ufunc = isinstance(function, np.ufunc)
    if _is_line(op_view, 1 if is_ufunc else 0):
        return function
    return (UfuncByRows if is_ufunc or _is_like_ufunc(function) else ByRows)(function)


def without_order(function: Any) -> Any:
    """Returns the function itself of one whose result is stored row by row."""
    return function.function if isinstance(function, ByRows) else function


def _is_like_ufunc(function: Any) -> bool:
    return isinstance(function, UfuncLike)


def _is_line(op_view: OpView, most: int) -> bool:
    """Returns whether a result has several elements along at most so many dimensions."""
    type_ = op_view.result_types[0]
    if not isinstance(type_, RankedTensorType):
        return False
    return sum(size != 1 for size in type_.shape) <= most
