"""The server's memory: Python's collector away from large modules, and memory given back to the system.

A module has no reference cycles, and walking a large one takes the collector longer than any answer takes. So
what is there once the findings are published is frozen: no later collection looks at it, and it is freed as
soon as nothing refers to it. Garbage in cycles that was frozen is found by a collection of everything, which
is done when a document is closed and once in many edits. Between two of these times the collector hardly ever
looks at what is new: the lists of an edition alone take it longer than an answer about a screen may take.
"""

from __future__ import annotations

import asyncio
import gc

from shlo.support.memory import give_memory_back

LARGE = 200_000
"""Characters of a text whose module is kept from the collector."""
FULL_EVERY = 1_000
"""Editions of large texts between two collections of everything."""


QUIET = 1.0
"""Seconds without an edition before the collector looks at what they left: no thread runs meanwhile."""
MAX_WAITING = 50
"""Editions that the collector waits for, at most."""
MAX_NEW = 200_000
"""New objects at which the collector does not wait any longer."""


class CollectorSchedule:
    """When the collector looks at what."""

    def __init__(self) -> None:
        self._editions = self._waiting = 0
        self._later: asyncio.TimerHandle | None = None

    def settle(self, size: int, is_new: bool) -> None:
        """Keeps the objects that are there from the collector: those of a text of so many characters that has
        just been opened now, those of an edition of it once there has been no edit for a while."""
        if size < LARGE:
            return
        if is_new:
            gc.freeze()
            gc.set_threshold(MAX_NEW, *gc.get_threshold()[1:])
        self._waiting += 1
        if self._later is not None:
            self._later.cancel()
        if self._waiting >= MAX_WAITING:
            self._settle()
        else:
            self._later = asyncio.get_running_loop().call_later(QUIET, self._settle)

    def _settle(self) -> None:
        self._editions, self._waiting, self._later = self._editions + self._waiting, 0, None
        if self._editions >= FULL_EVERY:
            self._editions = 0
            gc.unfreeze()
        gc.collect()
        gc.freeze()

    def release(self) -> None:
        """Gives memory that is not used back to the system, after a document has been closed."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        give_memory_back()
