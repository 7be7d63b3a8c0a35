"""Memory of large arrays that are freed: kept for the next ones instead of going back to the system.

Memory fresh from the system costs a page fault for each page, which takes longer than most kernels take to
write it. glibc gives large blocks back at once until it sees that a program frees blocks of such a size
again and again; then it keeps up to twice the largest one. So one large block, never written to and freed at
once, tells it what a program of large arrays would tell it sooner or later. No option of the process's is
set, and any other allocator takes it as what it is.

glibc learns from blocks of up to 32 MiB only. Larger results of our own code lie in memory of `memory_pool`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final

import numpy as np

from shlo.ir.dtypes import Array

LARGE: Final = 1 << 17
"""Bytes of a result from which on page faults matter."""

POOLED: Final = (32 << 20) - (16 << 10)
"""Bytes of a result from which on the pool lends its memory: what glibc learns from at most, on systems of 64
bits, less what it adds to a block."""


@cache
def keep_freed_memory() -> None:
    """Lets glibc keep up to 64 MiB of freed memory at the end of its heap, from now on; not in a process that
    may not have so much.
    """
    with suppress(MemoryError):
        np.empty(POOLED, np.uint8)


def empty(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """Returns a new array as `np.empty` does, stored row by row; the memory of a large one is the pool's."""
    size = math.prod(shape) * dtype.itemsize
    if size >= POOLED:
        from shlo.interpreter.runtime.memory_pool import POOL  # loads mmap

        memory = POOL.lend(size)
        if memory is not None:
            return np.ndarray(shape, dtype, memory)
    return np.empty(shape, dtype)
