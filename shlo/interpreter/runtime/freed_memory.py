"""Memory of large arrays that are freed: kept for the next ones instead of going back to the system.

Memory fresh from the system costs a page fault for each page, which takes longer than most kernels take to
write it. glibc gives large blocks back at once until it sees that a program frees blocks of such a size
again and again; then it keeps up to twice the largest one. So one large block, never written to and freed at
once, tells it what a program of large arrays would tell it sooner or later. No option of the process's is
set, and any other allocator takes it as what it is.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Final

import numpy as np

LARGE: Final = 1 << 20
"""Bytes of a result from which on page faults matter."""

_MOST_BYTES: Final = (32 << 20) - (16 << 10)
"""What glibc learns from at most, on systems of 64 bits, less what it adds to a block."""


@cache
def keep_freed_memory() -> None:
    """Lets glibc keep up to 64 MiB of freed memory at the end of its heap, from now on; not in a process that
    may not have so much.
    """
    with suppress(MemoryError):
        np.empty(_MOST_BYTES, np.uint8)
