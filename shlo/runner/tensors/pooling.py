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
from shlo.runner.statistics import Statistics, real_numbers
from shlo.runner.tensors.colormap import NAN, NUMBER, marks

ELEMENTS_AT_A_TIME: Final = 1 << 18
"""How many elements are widened at a time; a single block may have more."""


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
        return Pooled(_finite(real_numbers(table)).astype(np.float64), marks(table))
    center = (statistics and statistics.mean) or 0.0
    is_finite = statistics is not None and not statistics.nans and not statistics.infinities
    down, across = block_starts(table.shape[0], rows), block_starts(table.shape[1], columns)
    numbers, flags = np.empty((rows, columns)), np.full((rows, columns), NUMBER, np.uint8)
    for top, bottom in _steps(rows, table.size):
        for left, right in _steps(columns, table.size * (bottom - top) // rows):
            starts = down[top:bottom], across[left:right]
            ends = (
                block_starts_of[end] if end < len(block_starts_of) else None
                for block_starts_of, end in ((down, bottom), (across, right))
            )
            part = table[tuple(slice(start[0], end) for start, end in zip(starts, ends))]
            inside = starts[0] - starts[0][0], starts[1] - starts[1][0]
            at = slice(top, bottom), slice(left, right)
            numbers[at], flags[at] = _pooled(part, *inside, center, is_finite)
    return Pooled(numbers, flags)


def block_starts(size: int, blocks: int) -> Array:
    """Returns where blocks begin whose lengths differ by one at most."""
    return np.arange(blocks) * size // blocks


def _steps(blocks: int, elements: int) -> Iterator[tuple[int, int]]:
    """Yields first and end of the blocks that are pooled together: ELEMENTS_AT_A_TIME elements at most, or
    one block."""
    step = max(ELEMENTS_AT_A_TIME * blocks // elements, 1)
    yield from ((first, min(first + step, blocks)) for first in range(0, blocks, step))


def _pooled(
    part: Array, down: Array, across: Array, center: float, is_finite: bool
) -> tuple[Array, Array | int]:
    """Returns the numbers and marks of blocks that begin at rows `down` and columns `across`."""
    numbers = real_numbers(part)
    flags = None if is_finite else marks(part)
    has_marks = flags is not None and bool(flags.any())
    low, high = np.minimum, np.maximum
    if has_marks:
        numbers, low, high = _finite(numbers), np.fmin, np.fmax
    least, most = (_reduced(ufunc, numbers, down, across).astype(np.float64) for ufunc in (low, high))
    with np.errstate(all="ignore"):
        farthest = np.where(most / 2 - center / 2 >= center / 2 - least / 2, most, least)
    if flags is None or not has_marks:
        return farthest, NUMBER
    has_nan = _reduced(np.logical_or, flags == NAN, down, across)
    return farthest, np.where(has_nan, np.uint8(NAN), _reduced(np.maximum, flags, down, across))


def _finite(numbers: Array) -> Array:
    """Returns numbers with NaN in place of infinities."""
    return np.where(np.isfinite(numbers), numbers, np.nan) if numbers.dtype.kind == "f" else numbers


def _reduced(ufunc: np.ufunc, table: Array, down: Array, across: Array) -> Array:
    return ufunc.reduceat(ufunc.reduceat(table, across, axis=1), down, axis=0)
