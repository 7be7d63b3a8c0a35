"""Pooling: a large plane of a tensor as a picture in which NaN, infinities and extremes survive.

A cell of the picture covers a block of elements. Its number is the block's element farthest from the tensor's
mean, so that a single spike is seen, upwards or downwards; a mean or every n-th element would hide it. Its
mark says whether the block has a NaN or, where it has none, an infinity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from shlo.ir.dtypes import Array
from shlo.runner.statistics import Statistics, finite_or_nan, real_numbers
from shlo.runner.tensors.colormap import marks

ELEMENTS_AT_A_TIME: Final = 1 << 18
"""How many elements are widened at a time; a single block may have more."""
NARROW: Final = 16
"""How many columns are not parted, however many rows they have."""
FINE: Final = 384
"""How many rows and columns the picture has at most of which coarser ones are made."""
HIGH: Final = 4
"""From how many rows a block, on average, rows are reduced before columns are."""
ELEMENTS_SIDE_BY_SIDE: Final = 1 << 12
"""How many elements of a table's rows are reduced side by side."""


class Pooled(Struct, frozen=True):
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
        return Pooled(finite_or_nan(real_numbers(table)).astype(np.float64), marks(table))
    if abs(table.strides[0]) < abs(table.strides[1]):  # read in the order in which elements are in memory
        turned = pool(table.T, columns, rows, statistics)
        return Pooled(np.ascontiguousarray(turned.numbers.T), np.ascontiguousarray(turned.marks.T))
    center = (statistics and statistics.mean) or 0.0
    height, width = table.shape
    down, across = block_starts(height, rows), block_starts(width, columns)
    numbers, flags = np.empty((rows, columns)), np.empty((rows, columns), np.uint8)
    for top, bottom in _steps(rows, table.size):
        for left, right in _steps(columns, table.size * (bottom - top) // rows, NARROW * columns // width):
            starts = down[top:bottom], across[left:right]
            ends = (
                block_starts_of[end] if end < len(block_starts_of) else None
                for block_starts_of, end in ((down, bottom), (across, right))
            )
            part = table[tuple(slice(start[0], end) for start, end in zip(starts, ends))]
            inside = starts[0] - starts[0][0], starts[1] - starts[1][0]
            at = slice(top, bottom), slice(left, right)
            numbers[at], flags[at] = _pooled(part, *inside, center)
    return Pooled(numbers, flags)


def pool_again(cells: Pooled, rows: int, columns: int, statistics: Statistics | None) -> Pooled:
    """Returns the cells of a coarser picture, those that `pool` makes of the plane, where that was pooled to
    FINE by FINE at most, a multiple of `rows` and `columns`."""
    special = np.choose(cells.marks, (0.0, np.nan, np.inf, -np.inf))
    numbers = pool(cells.numbers, rows, columns, statistics).numbers
    return Pooled(numbers, pool(special, rows, columns, None).marks)


def block_starts(size: int, blocks: int) -> Array:
    """Returns where blocks begin whose lengths differ by one at most."""
    return np.arange(blocks) * size // blocks


def _steps(blocks: int, elements: int, least: int = 1) -> Iterator[tuple[int, int]]:
    """Yields first and end of the blocks that are pooled together: ELEMENTS_AT_A_TIME elements at most, or
    `least` blocks."""
    step = max(ELEMENTS_AT_A_TIME * blocks // elements, least, 1)
    yield from ((first, min(first + step, blocks)) for first in range(0, blocks, step))


def _pooled(part: Array, down: Array, across: Array, center: float) -> tuple[Array, Array]:
    """Returns the numbers and marks of blocks that begin at rows `down` and columns `across`."""
    numbers = real_numbers(part)
    least, most = _extremes(np.minimum, np.maximum, numbers, down, across)
    flags = np.maximum(marks(least), marks(most))
    if flags.any():
        least, most = _extremes(np.fmin, np.fmax, numbers, down, across)
        if np.isinf(least).any() or np.isinf(most).any():
            least, most = _extremes(np.fmin, np.fmax, finite_or_nan(numbers), down, across)
    least, most = least.astype(np.float64), most.astype(np.float64)
    with np.errstate(all="ignore"):
        return np.where(most / 2 - center / 2 >= center / 2 - least / 2, most, least), flags


def _extremes(low: np.ufunc, high: np.ufunc, *blocks: Array) -> tuple[Array, Array]:
    return _reduced(low, *blocks), _reduced(high, *blocks)


def _reduced(ufunc: np.ufunc, table: Array, down: Array, across: Array) -> Array:
    """Returns the blocks reduced: rows together first where blocks are high, which is many times faster."""
    if len(table) < HIGH * len(down):
        return ufunc.reduceat(ufunc.reduceat(table, across, axis=1), down, axis=0)
    ends = (*down[1:].tolist(), len(table))
    rows = [_rows_reduced(ufunc, table[start:end]) for start, end in zip(down.tolist(), ends)]
    return ufunc.reduceat(np.stack(rows), across, axis=1)


def _rows_reduced(ufunc: np.ufunc, table: Array) -> Array:
    """Returns the rows of a table as one; those of a narrow one are reduced many side by side."""
    height, width = table.shape
    together = min(max(ELEMENTS_SIDE_BY_SIDE // width, 1), height)
    if together == 1:
        return ufunc.reduce(table, axis=0)
    whole = height - height % together
    wide = ufunc.reduce(table[:whole].reshape(-1, together * width), axis=0).reshape(together, width)
    return ufunc.reduce(np.concatenate([wide, table[whole:]]), axis=0)
