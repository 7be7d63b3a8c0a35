"""Copies of large arrays: on several threads, in an order that suits the processor's cache."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from shlo.interpreter.runtime.context import current_context
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


def copied_by_rows(x: Any) -> Array:
    """Returns a new C-contiguous array of the same elements.

    NumPy copies row by row. If the elements of a row lie in competing lines of the cache, each of them is
    fetched again for the next row; a few columns at a time stay in the cache.
    """
    size = getattr(x, "nbytes", 0)
    if size < LEAST_STRIPED:
        return np.array(x, order="C")
    threads = current_context().threads if size >= LEAST_SHARED else 1
    stripes = is_spread(x)
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
