"""Cancellation of long work: the thread that does it looks now and then whether the result is still wanted.

Work below the front ends calls `checkpoint`, or goes through its items with `checked`; only a front end that
runs it by `Cancellation.run` can cancel it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

Result = TypeVar("Result")
Item = TypeVar("Item")
EVERY = 256
"""Items between two looks; one takes a few microseconds."""


class Cancelled(Exception):
    """The result of the work is not wanted any more."""


class _OfThread(threading.local):
    cancellation: Cancellation | None = None


_of_thread = _OfThread()


class Cancellation:
    """Says whether some work is still wanted. Any thread may cancel it."""

    __slots__ = ("is_cancelled",)

    def __init__(self) -> None:
        self.is_cancelled = False

    def cancel(self) -> None:
        """Makes the work end at its next checkpoint."""
        self.is_cancelled = True

    def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Does work in this thread. Raises Cancelled at a checkpoint in it, once it is cancelled."""
        before, _of_thread.cancellation = _of_thread.cancellation, self
        try:
            checkpoint()
            return work(*arguments)
        finally:
            _of_thread.cancellation = before


def checkpoint() -> None:
    """Raises Cancelled where the work that this thread does is not wanted any more."""
    cancellation = _of_thread.cancellation
    if cancellation is not None and cancellation.is_cancelled:
        raise Cancelled


def checked(items: Iterable[Item]) -> Iterator[Item]:
    """Yields the items, with a checkpoint now and then."""
    for number, item in enumerate(items):
        if number % EVERY == 0:
            checkpoint()
        yield item
