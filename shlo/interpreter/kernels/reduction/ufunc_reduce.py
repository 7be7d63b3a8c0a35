"""Reductions by a ufunc. NumPy's own are slow on short rows, and for sums slower than its einsum.

A product with ones would be faster still; but BLAS runs it on several threads, and waiting for those on a
busy machine takes a hundred times as long.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, Value
from shlo.interpreter.kernels.reduction.combiner import Combiner
from shlo.interpreter.kernels.shapes import Sizes

LEAST_ELEMENTS = 2048
"""Elements up to which a single NumPy call is fastest, whatever it does."""

LONGEST_EINSUM = 1 << 22
"""Elements up to which einsum, which has 64 running sums, is accurate enough; NumPy's sum adds in pairs."""

WIDEST_EINSUM = 128
"""Sizes of the dimensions behind up to which einsum is quicker than NumPy's sum."""

LONGEST_ROW = 64
"""Elements up to which a row is short: all rows are reduced column by column."""

LEAST_COLUMN = 1024
"""Elements from which on a column is worth a NumPy call."""


class Stretch(NamedTuple):
    """Adjacent reduced dimensions: the middle one of [before, size, behind]."""

    before: int
    size: int
    behind: int


def reduction_by(combiner: Combiner, shape: Sizes, dimensions: Sizes) -> KernelFn:
    """Returns a function of an array of that shape and an initial value that reduces dimensions."""
    general = _by_numpy(combiner, dimensions)
    merged = _stretch(shape, dimensions)
    result = tuple(size for axis, size in enumerate(shape) if axis not in dimensions)
    if merged is None or math.prod(merged) < LEAST_ELEMENTS:
        return general
    if _suits_einsum(combiner, merged):
        return _by_einsum(combiner, merged, result, general)
    if merged.behind == 1 and merged.size <= LONGEST_ROW and merged.before >= LEAST_COLUMN:
        return _by_columns(combiner, merged, result, general)
    return general


def _stretch(shape: Sizes, dimensions: Sizes) -> Stretch | None:
    axes = sorted(axis for axis in dimensions if shape[axis] != 1)
    if (
        not axes
        or 0 in shape
        or any(shape[axis] != 1 and axis not in axes for axis in range(axes[0], axes[-1]))
    ):
        return None
    size = math.prod(shape[axis] for axis in axes)
    return Stretch(math.prod(shape[: axes[0]]), size, math.prod(shape[axes[-1] + 1 :]))


def _suits_einsum(combiner: Combiner, merged: Stretch) -> bool:
    if combiner.ufunc is not np.add or combiner.wide.char not in "fd":
        return False
    return merged.behind <= WIDEST_EINSUM and merged.size <= LONGEST_EINSUM


def _by_numpy(combiner: Combiner, dimensions: Sizes) -> KernelFn:
    reduced, wide, narrow = combiner.ufunc.reduce, combiner.wide, combiner.narrow
    axes = dimensions[0] if len(dimensions) == 1 else dimensions

    def evaluate(x: Value, initial: Value) -> Value:
        return reduced(x, axis=axes, dtype=wide, initial=initial)

    def evaluate_widened(x: Value, initial: Value) -> Value:
        return reduced(x.astype(wide), axis=axes, dtype=wide, initial=initial.astype(wide)).astype(narrow)

    return evaluate if wide == narrow else evaluate_widened


def _by_einsum(combiner: Combiner, merged: Stretch, result: Sizes, general: KernelFn) -> KernelFn:
    wide, narrow = combiner.wide, combiner.narrow

    def evaluate(x: Value, initial: Value) -> Value:
        if not x.flags.c_contiguous:
            return general(x, initial)
        total: Any = np.einsum("abc->ac", x.astype(wide, copy=False).reshape(merged)).reshape(result)
        if initial != 0:
            total = total + initial.astype(wide)
        return total.astype(narrow, copy=False)

    return evaluate


def _by_columns(combiner: Combiner, merged: Stretch, result: Sizes, general: KernelFn) -> KernelFn:
    ufunc, wide, narrow = combiner.ufunc, combiner.wide, combiner.narrow
    rows = (merged.before, merged.size)

    def evaluate(x: Value, initial: Value) -> Value:
        if not x.flags.c_contiguous:
            return general(x, initial)
        columns = x.astype(wide, copy=False).reshape(rows).T
        total = ufunc(initial.astype(wide), columns[0])
        for column in columns[1:]:
            ufunc(total, column, out=total)
        return total.reshape(result).astype(narrow, copy=False)

    return evaluate
