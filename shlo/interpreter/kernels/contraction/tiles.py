"""Products of matrices in tiles, each so small that BLAS computes it on the thread that asks for it.

OpenBLAS shares a larger product among threads of its own. They wait for each other, and for the next product,
in a loop that keeps a processor busy; where another process wants it, a product of 25 us takes milliseconds.
Tiles are chosen by sizes alone, so that bits depend neither on the number of threads, OpenBLAS's included,
nor on the way in which a program runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct

from shlo.interpreter.runtime.context import current_context
from shlo.interpreter.runtime.threads import in_parts
from shlo.ir.dtypes import Array

MOST_TILED: Final = 1 << 24
"""Multiplications up to which a product is tiled: OpenBLAS's threads hardly wait for each other in larger
ones, and read each operand less often."""

MOST_IN_TILE: Final = 1 << 18
"""Multiplications up to which OpenBLAS computes a product on one thread, on any processor. Larger ones are
tiled."""

SIDE: Final = 32
"""Columns of a tile, where they are not more terms than fit."""

NARROW: Final = 16
"""Fewest columns of a tile of more columns, a vector of any processor."""

FEW_TERMS: Final = 64
"""Terms below which a tile has as many rows as it may, as it has too little work else."""

LEAST_SHARED: Final = 1 << 23
"""Multiplications from which on threads share the tiles."""

PART: Final = 1 << 22
"""Multiplications that a thread does at a time, about."""


class Tile(Struct, frozen=True):
    """Rows and columns of all tiles but the last ones."""

    rows: int
    columns: int


def tile_for(rows: int, terms: int, columns: int) -> Tile | None:
    """Returns the tile of a product of `[rows, terms]` and `[terms, columns]`; None if it has none."""
    work = rows * terms * columns
    if not MOST_IN_TILE < work <= MOST_TILED or min(rows, columns) < 2:
        return None
    area = MOST_IN_TILE // terms
    if area < NARROW * NARROW:
        return None
    if terms >= FEW_TERMS:
        area = min(area, SIDE * SIDE)
    across = min(columns, SIDE if area >= SIDE * SIDE else NARROW)
    down = min(rows, 1 << (area // across).bit_length() - 1)
    if down == rows:
        across = min(columns, max(NARROW, area // down // NARROW * NARROW))
    sizes = _without_vectors(rows, down), _without_vectors(columns, across)
    return Tile(*sizes) if min(sizes) > 1 else None


def _without_vectors(count: int, size: int) -> int:
    """Returns the largest size of parts, up to `size`, of which none is 1; 1 if there is none. Products with
    vectors are other routines, which OpenBLAS shares sooner."""
    return next((divisor for divisor in range(size, 1, -1) if count % divisor != 1), 1)


def tiled_product(tile: Tile) -> Callable[[Array, Array], Array]:
    """Returns the product of two matrices, or stacks of them, of one float type, in tiles."""

    def multiply(lhs: Array, rhs: Array) -> Array:
        stack = np.broadcast_shapes(lhs.shape[:-2], rhs.shape[:-2])
        rows, terms, columns = *lhs.shape[-2:], rhs.shape[-1]
        out = np.empty((*stack, rows, columns), lhs.dtype)
        work = out.size * terms
        threads = current_context().threads if work >= LEAST_SHARED else 1
        by_rows = rows * tile.columns >= columns * tile.rows
        size, count = (tile.rows, rows) if by_rows else (tile.columns, columns)

        def part(start: int, end: int) -> None:
            if by_rows:
                _multiply(lhs[..., start:end, :], rhs, out[..., start:end, :], tile)
            else:
                _multiply(lhs, rhs[..., start:end], out[..., start:end], tile)

        if threads == 1:
            part(0, count)
        else:
            in_parts(part, count, max(1, PART * count // work // size) * size, threads)
        return out

    return multiply


def _multiply(lhs: Array, rhs: Array, out: Array, tile: Tile) -> None:
    """Multiplies tile by tile: those of one size by one call."""
    across = [
        (rows_at, _by_columns(rhs[..., rows_at], size))
        for rows_at, size in _parts(rhs.shape[-1], tile.columns)
    ]
    for rows_at, rows in _parts(lhs.shape[-2], tile.rows):
        left = _by_rows(lhs[..., rows_at, :], rows)[..., np.newaxis, :, :]
        band = _by_rows(out[..., rows_at, :], rows)
        for columns, right in across:
            np.matmul(
                left, right[..., np.newaxis, :, :, :], out=_by_columns(band[..., columns], right.shape[-1])
            )


def _parts(count: int, size: int) -> list[tuple[slice, int]]:
    """Returns what all parts but the last one take, and their size; and what the last one takes."""
    rest = count % size
    parts = [(slice(0, count - rest), size)] if count > rest else []
    return [*parts, (slice(count - rest, count), rest)] if rest else parts


def _by_rows(matrices: Array, size: int) -> Array:
    """Returns a view of matrices as `[..., parts, size, columns]`."""
    *stack, rows, columns = matrices.shape
    return matrices.reshape(*stack, rows // size, size, columns)


def _by_columns(matrices: Array, size: int) -> Array:
    """Returns a view of matrices as `[..., parts, rows, size]`."""
    *stack, rows, columns = matrices.shape
    return matrices.reshape(*stack, rows, columns // size, size).swapaxes(-3, -2)
