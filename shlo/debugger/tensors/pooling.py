"""Pooling: a large plane of a tensor as a picture in which NaN, infinities and extremes survive.

A cell of the picture covers a block of elements. Its number is the block's element farthest from the tensor's
mean, so that a single spike is seen, upwards or downwards; a mean or every n-th element would hide it. Its
mark says whether the block has a NaN or, where it has none, an infinity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from shlo.debugger.tensors.colormap import NAN, NUMBER, marks
from shlo.debugger.tensors.statistics import Statistics, real_numbers
from shlo.ir.dtypes import Array

ELEMENTS_AT_A_TIME: Final = 1 << 22
"""How many elements are widened at a time; a single row of blocks may have more."""


class Pooled(NamedTuple):
    """The cells of a picture: numbers as float64, NaN where a block has no finite one; marks as uint8, those
    of `colormap.marks`. Both are [rows, columns]."""

    numbers: Array
    marks: Array


def pool(table: Array, rows: int, columns: int, statistics: Statistics | None) -> Pooled:
    """Returns a plane, [m, n], pooled to at most `rows` by `columns` cells; `statistics` are the tensor's.

    Reads each element a few times; costs memory of the picture and ELEMENTS_AT_A_TIME.
    """
    rows, columns = min(rows, table.shape[0]), min(columns, table.shape[1])
    if not table.size:
        return Pooled(np.zeros((0, 0)), np.zeros((0, 0), np.uint8))
    if table.shape == (rows, columns):
        return Pooled(_finite(real_numbers(table)).astype(np.float64), marks(table))
    center = (statistics and statistics.mean) or 0.0
    parts = [_pooled(part, count, columns, center) for part, count in _parts(table, rows)]
    return Pooled(*map(np.concatenate, zip(*parts)))


def block_starts(size: int, blocks: int) -> Array:
    """Returns where blocks begin whose lengths differ by one at most."""
    return np.arange(blocks) * size // blocks


def _parts(table: Array, rows: int) -> Iterator[tuple[Array, int]]:
    """Cuts a plane between rows of blocks; yields each part with its number of such rows."""
    starts = [*block_starts(table.shape[0], rows).tolist(), table.shape[0]]
    step = max(ELEMENTS_AT_A_TIME * rows // table.size, 1)
    for first in range(0, rows, step):
        last = min(first + step, rows)
        yield table[starts[first] : starts[last]], last - first


def _pooled(part: Array, rows: int, columns: int, center: float) -> tuple[Array, Array]:
    numbers, flags = _finite(real_numbers(part)), marks(part)
    starts = block_starts(part.shape[0], rows), block_starts(part.shape[1], columns)
    low, high = (_reduced(ufunc, numbers, *starts).astype(np.float64) for ufunc in (np.fmin, np.fmax))
    with np.errstate(all="ignore"):
        farthest = np.where(high / 2 - center / 2 >= center / 2 - low / 2, high, low)
    if not flags.any():
        return farthest, np.full((rows, columns), NUMBER, np.uint8)
    has_nan = _reduced(np.logical_or, flags == NAN, *starts)
    return farthest, np.where(has_nan, np.uint8(NAN), _reduced(np.maximum, flags, *starts))


def _finite(numbers: Array) -> Array:
    """Returns numbers with NaN in place of infinities."""
    return np.where(np.isfinite(numbers), numbers, np.nan) if numbers.dtype.kind == "f" else numbers


def _reduced(ufunc: np.ufunc, table: Array, down: Array, across: Array) -> Array:
    return ufunc.reduceat(ufunc.reduceat(table, across, axis=1), down, axis=0)
