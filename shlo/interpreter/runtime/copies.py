"""Copies of large arrays: on several threads, in an order that suits the processor's cache."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import product
from struct import pack
from typing import Any, Final, NamedTuple

import numpy as np

from shlo.interpreter.runtime.context import current_context
from shlo.interpreter.runtime.machine_code import LateCode
from shlo.interpreter.runtime.threads import in_parts
from shlo.ir.dtypes import Array

LEAST_STRIPED: Final = 1 << 18
"""Bytes from which on an array is worth copying stripe by stripe."""

LEAST_SHARED: Final = 1 << 22
"""Bytes from which on several threads copy an array."""

CONFLICTING: Final = 1024
"""Bytes in whose multiples addresses compete for the same few lines of the processor's cache."""

STRIPE: Final = 64
"""Bytes of a result's row that a stripe has: a line of the processor's cache."""

PART: Final = 1 << 20
"""Bytes that a thread copies at a time, about."""

SIDES: Final = {1: 16, 2: 16, 4: 16, 8: 8}
"""Elements of a side of the tiles that machine code copies, by the bytes of an element: measured."""

ROWS, COLUMNS = 4096, 256
"""Rows and columns that a thread copies at a time by machine code."""


class Element(NamedTuple):
    """Asks for the machine code that copies tiles of elements of so many bytes."""

    bytes: int

    @property
    def side(self) -> int:
        """Elements of a tile's side."""
        return SIDES[self.bytes]


@cache
def _tiles(size: int) -> LateCode:
    return LateCode(Element(size))


def copied_by_rows(x: Any) -> Array:
    """Returns a new C-contiguous array of the same elements.

    NumPy copies row by row. If the elements of a row lie in competing lines of the cache, each of them is
    fetched again for the next row; a few columns at a time stay in the cache, and tiles do in machine code.
    """
    size = getattr(x, "nbytes", 0)
    if size < LEAST_STRIPED:
        return np.array(x, order="C")
    threads = current_context().threads if size >= LEAST_SHARED else 1
    axis = _column_axis(x)
    if axis is not None:
        tiles = _tiles(x.itemsize)
        if tiles.function is not None:
            return _copied_by_tiles(x, axis, tiles.function, threads)
        return tiles.in_python(_copied_by_numpy, x, threads)
    return _copied_by_numpy(x, threads)


def _column_axis(x: Array) -> int | None:
    """Returns the dimension along which elements are contiguous, if that is another than the last one and
    machine code may copy the matrices of both; None otherwise."""
    if x.itemsize not in SIDES or x.itemsize not in x.strides or not x.flags.aligned:
        return None
    axis = x.strides.index(x.itemsize)
    is_matrix = axis != x.ndim - 1 and x.strides[-1] != 0
    return axis if is_matrix and x.shape[axis] * x.shape[-1] * x.itemsize >= LEAST_STRIPED else None


def _copied_by_tiles(x: Array, axis: int, function: Callable[[bytes], int], threads: int) -> Array:
    """Returns a copy that machine code makes of each matrix of a dimension and the last one."""
    out = np.empty(x.shape, x.dtype)
    side = SIDES[x.itemsize]
    others = [range(1) if each in (axis, x.ndim - 1) else range(size) for each, size in enumerate(x.shape)]
    for index in product(*others):
        place = tuple(
            slice(None) if each in (axis, x.ndim - 1) else number for each, number in enumerate(index)
        )
        source, target = x[place], out[place]
        blocks = [
            (slice(row, row + ROWS), slice(column, column + COLUMNS))
            for column in range(0, source.shape[1], COLUMNS)
            for row in range(0, source.shape[0], ROWS)
        ]
        copy = partial(_copy_blocks, source, target, blocks, side, function)
        in_parts(copy, len(blocks), 1, threads)
    return out


def _copy_blocks(
    source: Array,
    target: Array,
    blocks: list[tuple[slice, slice]],
    side: int,
    function: Callable[[bytes], int],
    start: int,
    end: int,
) -> None:
    """Copies blocks of a matrix: whole tiles by machine code, what is left at two sides by NumPy."""
    for block in blocks[start:end]:
        here, there = source[block], target[block]
        rows, columns = (size - size % side for size in here.shape)
        if rows and columns:
            function(pack("=6q", *_addresses(here, there), rows, columns))
        there[rows:] = here[rows:]
        there[:rows, columns:] = here[:rows, columns:]


def _addresses(source: Array, target: Array) -> tuple[int, int, int, int]:
    """Returns the addresses of two matrices, and the steps to the first's next column and the second's next
    row."""
    return source.ctypes.data, target.ctypes.data, source.strides[1], target.strides[0]


def _copied_by_numpy(x: Array, threads: int) -> Array:
    """Returns a copy that NumPy makes, in parts."""
    size, stripes = x.nbytes, is_spread(x)
    if threads == 1 and not stripes:
        return np.array(x, order="C")
    out = np.empty(x.shape, x.dtype)
    if stripes:
        count, step = x.shape[-1], max(STRIPE // x.itemsize, 1)

        def columns(start: int, end: int) -> None:
            for column in range(start, end, step):
                place = slice(column, min(column + step, end))
                out[..., place] = x[..., place]

        in_parts(columns, count, _part(size, count, step), threads)
        return out
    source, target = (x.reshape(-1), out.reshape(-1)) if x.flags.c_contiguous else (x, out)

    def rows(start: int, end: int) -> None:
        target[start:end] = source[start:end]

    in_parts(rows, len(source), _part(size, len(source), 1), threads)
    return out


def is_spread(x: Array) -> bool:
    """Returns whether the elements of a row of a large array lie in competing lines of the cache."""
    return (
        x.nbytes >= LEAST_STRIPED
        and x.strides[-1] != 0
        and x.strides[-1] % CONFLICTING == 0
        and x.itemsize in x.strides
    )


def _part(size: int, count: int, step: int) -> int:
    """Returns how many of `count` slices of `size` bytes a thread copies at a time: a multiple of `step`."""
    return max(step, PART * count // size // step * step)
