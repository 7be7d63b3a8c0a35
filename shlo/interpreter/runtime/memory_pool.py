"""Pool of memory for results that are too large for the C library to keep their memory when they are freed.

A block is lent to one array until nothing refers to that any more. What the pool lends and keeps together is
never more than what it lent at once lately. The system may take back the pages of a block that is kept
whenever it needs memory (MADV_FREE), though they count as the process's until then; where it cannot do that,
nothing is kept.
"""

from __future__ import annotations

import atexit
import mmap
from collections import deque
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Final

import numpy as np

from shlo.interpreter.runtime.buffer_reuse import LentMemory

HUGE_PAGE: Final = 2 << 20
"""Bytes of a huge page, of which blocks are multiples: a fault of one takes much less than those of the 512
small pages in its place."""

MEMORABLE: Final = 64
"""Arrays that are lent until what was lent at once before them no longer counts."""


class MemoryPool:
    """Blocks of memory that all threads share.

    No thread waits for another one here, nor for itself where Python's garbage collection ends an array in
    the middle of a line: while one uses the pool, the others get no memory from it, and what they put back
    waits for the next one.
    """

    def __init__(self) -> None:
        self._kept: list[mmap.mmap] = []
        self._returned = deque[mmap.mmap]()
        self._lock = Lock()
        self._lent_bytes = 0
        self._arrays = 0
        self._most_bytes = self._most_bytes_before = 0
        self._is_closed = not hasattr(mmap, "MADV_FREE")

    @property
    def bytes(self) -> int:
        """What is lent and what is kept."""
        return self._lent_bytes + sum(map(len, self._kept))

    def lend(self, size: int) -> LentMemory | None:
        """Returns memory of at least `size` bytes for an array; None where the pool has none to lend."""
        if self._is_closed or not self._lock.acquire(blocking=False):
            return None
        try:
            self._take_back()
            size += -size % HUGE_PAGE
            numbers = [number for number, block in enumerate(self._kept) if len(block) == size]
            block = self._kept.pop(numbers[-1]) if numbers else None
            self._count(size)
            self._trim()
            if block is None:
                block = _new_block(size)
            memory = LentMemory(size, np.uint8, block)
            memory.give_back = partial(self._put_back, block)
            return memory
        except (OSError, OverflowError):
            self._lent_bytes -= size
            self._kept.clear()
            return None
        finally:
            self._lock.release()

    def close(self) -> None:
        """Lends and keeps nothing from now on."""
        self._is_closed = True
        self._kept.clear()

    def _put_back(self, block: mmap.mmap) -> None:
        if self._is_closed:
            return
        self._returned.append(block)
        if self._lock.acquire(blocking=False):
            try:
                self._take_back()
            finally:
                self._lock.release()

    def _count(self, size: int) -> None:
        self._lent_bytes += size
        if self._arrays == MEMORABLE:
            self._most_bytes_before, self._most_bytes, self._arrays = self._most_bytes, 0, 0
        self._arrays += 1
        self._most_bytes = max(self._most_bytes, self._lent_bytes)

    def _take_back(self) -> None:
        while self._returned:
            block = self._returned.popleft()
            self._lent_bytes -= len(block)
            with suppress(OSError):  # then the system cannot take back its pages
                block.madvise(mmap.MADV_FREE)
                self._kept.append(block)
        self._trim()

    def _trim(self) -> None:
        """Frees the blocks that were put back first until there are no more bytes than lately."""
        while self._kept and self.bytes > max(self._most_bytes, self._most_bytes_before):
            del self._kept[0]


def _new_block(size: int) -> mmap.mmap:
    block = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            block.madvise(mmap.MADV_HUGEPAGE)
    return block


POOL: Final = MemoryPool()
"""The pool of this process."""
atexit.register(POOL.close)  # arrays may outlive what puts back their memory
