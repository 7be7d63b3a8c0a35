"""Reductions by a ufunc. NumPy's own are slow on short rows, and sums are quicker as a product with ones."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from shlo.interpreter.kernel import Evaluate, Value
from shlo.interpreter.kernels.combining import Combiner
from shlo.interpreter.kernels.shapes import Sizes

LONGEST_PRODUCT = 1 << 16
"""Elements up to which BLAS adds accurately enough; NumPy adds in pairs, which stays accurate."""

LEAST_MATRIX = 64
"""Elements from which on one of many matrices is worth a call of BLAS."""

LONGEST_ROW = 64
"""Elements up to which a row is short: all rows are reduced column by column."""

LEAST_COLUMN = 1024
"""Elements from which on a column is worth a NumPy call."""


class Stretch(NamedTuple):
    """Reduced dimensions that stand side by side: the middle one of [before, size, behind]."""

    before: int
    size: int
    behind: int


def reduction_by(combiner: Combiner, shape: Sizes, dimensions: Sizes) -> Evaluate:
    """A function of an array of that shape and an initial value that reduces dimensions."""
    general = _by_numpy(combiner, dimensions)
    stretch = _stretch(shape, dimensions)
    result = tuple(size for axis, size in enumerate(shape) if axis not in dimensions)
    if stretch is None:
        return general
    if _suits_blas(combiner, stretch):
        return _by_product(combiner, stretch, result, general)
    if stretch.behind == 1 and stretch.size <= LONGEST_ROW and stretch.before >= LEAST_COLUMN:
        return _by_columns(combiner, stretch, result, general)
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


def _suits_blas(combiner: Combiner, stretch: Stretch) -> bool:
    if combiner.ufunc is not np.add or combiner.wide.char not in "fd":
        return False
    worthwhile = stretch.behind == 1 or stretch.before == 1 or stretch.size * stretch.behind >= LEAST_MATRIX
    return worthwhile and stretch.size <= LONGEST_PRODUCT


def _by_numpy(combiner: Combiner, dimensions: Sizes) -> Evaluate:
    reduced, wide, narrow = combiner.ufunc.reduce, combiner.wide, combiner.narrow
    axes = dimensions[0] if len(dimensions) == 1 else dimensions

    def evaluate(x: Value, initial: Value) -> Value:
        return reduced(x, axis=axes, dtype=wide, initial=initial)

    def evaluate_widened(x: Value, initial: Value) -> Value:
        return reduced(x.astype(wide), axis=axes, dtype=wide, initial=initial.astype(wide)).astype(narrow)

    return evaluate if wide == narrow else evaluate_widened


def _by_product(combiner: Combiner, stretch: Stretch, result: Sizes, general: Evaluate) -> Evaluate:
    wide, narrow = combiner.wide, combiner.narrow
    ones = np.ones(stretch.size, wide)
    rows = (stretch.before, stretch.size) if stretch.behind == 1 else tuple(stretch)
    multiply = np.ndarray.dot if stretch.behind == 1 else _ones_first

    def evaluate(x: Value, initial: Value) -> Value:
        if not x.flags.c_contiguous:
            return general(x, initial)
        total: Any = multiply(x.astype(wide, copy=False).reshape(rows), ones).reshape(result)
        if initial != 0:
            total = total + initial.astype(wide)
        return total.astype(narrow, copy=False)

    return evaluate


def _ones_first(x: Value, ones: Value) -> Value:
    return np.matmul(ones, x)


def _by_columns(combiner: Combiner, stretch: Stretch, result: Sizes, general: Evaluate) -> Evaluate:
    ufunc, wide, narrow = combiner.ufunc, combiner.wide, combiner.narrow
    rows = (stretch.before, stretch.size)

    def evaluate(x: Value, initial: Value) -> Value:
        if not x.flags.c_contiguous:
            return general(x, initial)
        columns = x.astype(wide, copy=False).reshape(rows).T
        total = ufunc(initial.astype(wide), columns[0])
        for column in columns[1:]:
            ufunc(total, column, out=total)
        return total.reshape(result).astype(narrow, copy=False)

    return evaluate
