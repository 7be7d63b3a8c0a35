"""Copies of large arrays: on several threads, in an order that suits the processor's cache."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from struct import pack
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct

from shlo.interpreter.runtime.context import current_context
from shlo.interpreter.runtime.freed_memory import POOLED, empty
from shlo.interpreter.runtime.machine_code import LateCode
from shlo.interpreter.runtime.threads import in_parts
from shlo.interpreter.runtime.values import is_row_major
from shlo.ir.dtypes import Array

LEAST_STRIPED: Final = 1 << 18
"""Bytes from which on an array is worth copying stripe by stripe."""

LEAST_SHARED: Final = 1 << 22
"""Bytes from which on several threads copy an array."""

CONFLICTING: Final = 1024
"""Bytes in whose multiples addresses compete for the same few lines of the processor's cache."""

PART: Final = 1 << 20
"""Bytes that a thread copies at a time, about."""

SIDES: Final = {1: 16, 2: 16, 4: 16, 8: 8}
"""Elements of a side of the tiles that machine code copies, by the bytes of an element: measured."""

LINE: Final = 64
"""Bytes of a line of the processor's cache."""

LEAST_UNCACHED: Final = 1 << 25
"""Bytes from which on the cache hardly holds a result, so that machine code stores it past the cache."""

STRIP: Final = 512
"""Bytes of a row that are stored past the cache at a time."""

STRIP_ROWS: Final = 128
"""Rows that are stored past the cache at a time: several lines of a column of the source."""

ROWS, COLUMNS = 4096, 256
"""Rows and columns that a thread copies at a time by machine code."""

Function = Callable[[bytes, bool], int]
"""Copies tiles or a strip of a matrix: what its frame says (`loops.tiles`)."""


class Element(Struct, frozen=True):
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


def by_rows(value: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Returns an array as machine code reads it, row by row: the value itself where it lies so, else a copy.
    Raises ValueError for a value of another shape.
    """
    if is_row_major(value, shape, dtype):
        return value
    return copied_by_rows(np.broadcast_to(np.asarray(value, dtype), shape))


def _column_axis(x: Array) -> int | None:
    """Returns the dimension along which elements are contiguous, if that is another than the last one and
    machine code may copy the matrices of both; None otherwise."""
    if x.itemsize not in SIDES or x.itemsize not in x.strides or not x.flags.aligned:
        return None
    axis = x.strides.index(x.itemsize)
    is_matrix = axis != x.ndim - 1 and x.strides[-1] != 0
    return axis if is_matrix and x.shape[axis] * x.shape[-1] * x.itemsize >= LEAST_STRIPED else None


def _copied_by_tiles(x: Array, axis: int, function: Function, threads: int) -> Array:
    """Returns a copy that machine code makes of each matrix of a dimension and the last one."""
    out = empty(x.shape, x.dtype)
    others = [range(1) if axis_ in (axis, x.ndim - 1) else range(size) for axis_, size in enumerate(x.shape)]
    for index in product(*others):
        place = tuple(
            slice(None) if axis_ in (axis, x.ndim - 1) else number for axis_, number in enumerate(index)
        )
        matrices = Matrices(x[place], out[place], function)
        left = matrices.copy_strips(threads) if out.nbytes >= LEAST_UNCACHED else [matrices.whole]
        matrices.copy_areas(left, threads)
    return out


class Area(NamedTuple):
    """The rows and columns of a part of a matrix, each from a start up to an end."""

    top: int
    bottom: int
    left: int
    right: int

    def parts(self, rows: int, columns: int) -> list[Area]:
        """Returns parts of so many rows and columns, fewer at the ends: those of a column, then the next."""
        return [
            Area(top, min(top + rows, self.bottom), left, min(left + columns, self.right))
            for left in range(self.left, self.right, columns)
            for top in range(self.top, self.bottom, rows)
        ]


class Matrices:
    """A matrix whose columns are contiguous, and one whose rows are, which gets the same elements."""

    def __init__(self, source: Array, target: Array, function: Function) -> None:
        self._source, self._target = source, target
        self._function = function
        self._size = source.itemsize
        self._addresses = source.ctypes.data, target.ctypes.data
        self._steps = source.strides[1], target.strides[0]
        self.whole = Area(0, source.shape[0], 0, source.shape[1])

    def copy_areas(self, areas: list[Area], threads: int) -> None:
        """Copies parts: whole tiles by machine code, what is left at two sides by NumPy."""
        parts = [part for area in areas for part in area.parts(ROWS, COLUMNS)]

        def copy(start: int, end: int) -> None:
            for top, bottom, left, right in parts[start:end]:
                rows, columns = (size - size % SIDES[self._size] for size in (bottom - top, right - left))
                if rows and columns:
                    self._call(top, rows, left, columns, False)
                here, there = self._source[top:bottom, left:right], self._target[top:bottom, left:right]
                there[rows:] = here[rows:]
                there[:rows, columns:] = here[:rows, columns:]

        in_parts(copy, len(parts), 1, threads)

    def copy_strips(self, threads: int) -> list[Area]:
        """Copies strips from whole lines of the source to whole lines of the target, past the cache; returns
        the parts that are left.
        """
        (source, target), (source_step, target_step) = self._addresses, self._steps
        count, width = LINE // self._size, STRIP // self._size
        top = (0 if source_step % LINE else -source % LINE) // self._size
        more = count if target % LINE or target_step % LINE else 0
        _, rows, _, columns = self.whole
        bottom, right = rows - (rows - top) % count, (columns - more) // width * width
        if bottom < top + STRIP_ROWS or right <= 0:
            return [self.whole]
        strips = Area(top, bottom, 0, right).parts(ROWS, width)

        def copy(start: int, end: int) -> None:
            for strip in strips[start:end]:
                first = min(strip.top, strip.bottom - STRIP_ROWS)
                self._call(first, strip.bottom - first, strip.left, width + more, True)

        in_parts(copy, len(strips), 1, threads)
        side = SIDES[self._size]  # whole tiles; what they copy again is the same
        low, high = bottom - (bottom - rows) % side, right - (right - columns) % side
        return [
            Area(0, top + -top % side, 0, columns),
            Area(low, rows, 0, columns),
            Area(top, bottom, 0, more),
            Area(top, bottom, high, columns),
        ]

    def _call(self, top: int, rows: int, left: int, columns: int, is_strip: bool) -> None:
        (source, target), (source_step, target_step) = self._addresses, self._steps
        source += top * self._size + left * source_step
        target += top * target_step + left * self._size
        self._function(pack("=6q", source, target, source_step, target_step, rows, columns), is_strip)


def _copied_by_numpy(x: Array, threads: int) -> Array:
    """Returns a copy that NumPy makes, in parts."""
    size, stripes = x.nbytes, is_spread(x)
    if threads == 1 and not stripes and size < POOLED:
        return np.array(x, order="C")
    out = empty(x.shape, x.dtype)
    if stripes:
        count, step = x.shape[-1], max(LINE // x.itemsize, 1)

        def columns(start: int, end: int) -> None:
            for column in range(start, end, step):
                window = slice(column, min(column + step, end))
                out[..., window] = x[..., window]

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
