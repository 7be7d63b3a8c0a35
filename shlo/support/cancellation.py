"""Cancellation of long work: the thread that does it looks now and then whether the result is still wanted,
and whether something urgent is to be done first.

Work below the front ends calls `checkpoint`, or goes through its items with `checked`; only a front end that
runs it by `Cancellation.run` can cancel it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")
Item = TypeVar("Item")
EVERY = 32
"""Items between two looks; one takes a few microseconds."""
PAUSE = 0.05
"""Seconds that work pauses for what is urgent, beside its share of the time."""
SHARE = 0.75
"""Which part of its time work may pause: a person asks for far less, and what asks without end leaves the
rest."""


class Cancelled(Exception):
    """The result of the work is not wanted any more."""


class Urgent:
    """What is urgent and under way. Python runs one thread at a time, so quick work beside long work waits
    for its turn again and again; at its checkpoints long work pauses for it."""

    def __init__(self) -> None:
        self.count = 0
        self._none = threading.Event()
        self._none.set()
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Takes note that something urgent begins."""
        with self._lock:
            self.count += 1
            self._none.clear()

    def end(self) -> None:
        """Takes note that something urgent ends."""
        with self._lock:
            self.count -= 1
            if not self.count:
                self._none.set()

    @contextmanager
    def work(self) -> Generator[None]:
        """Does what is inside as urgent work."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def wait(self, seconds: float) -> None:
        """Waits until nothing urgent is under way, but no longer than so many seconds."""
        self._none.wait(seconds)


class Cancellation:
    """Says whether some work is still wanted. Any thread may cancel it. At its checkpoints the work pauses
    for what is `urgent`, in all at most `SHARE` of its time, and `PAUSE`."""

    __slots__ = ("_began", "_outer", "_paused", "_urgent", "is_cancelled")

    def __init__(self, urgent: Urgent | None = None) -> None:
        self.is_cancelled = False
        self._urgent = urgent
        self._outer: Cancellation | None = None
        self._began = self._paused = 0.0

    def cancel(self) -> None:
        """Makes the work end at its next checkpoint."""
        self.is_cancelled = True

    def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Does work in this thread. Raises Cancelled at a checkpoint in it, once it is cancelled."""
        with self.active():
            checkpoint()
            return work(*arguments)

    @contextmanager
    def active(self) -> Generator[None]:
        """Makes it that of this thread; work inside is also cancelled by that of the work around it."""
        before = _of_thread.cancellation
        if before is not self:
            self._outer = before
        self._began = time.perf_counter()
        _of_thread.cancellation = self
        try:
            yield
        finally:
            _of_thread.cancellation = before

    def look(self) -> None:
        """Pauses where something is urgent; raises Cancelled where the work is not wanted any more."""
        if self._outer is not None:
            self._outer.look()
        if self._urgent is not None and self._urgent.count:
            now = time.perf_counter()
            left = PAUSE + SHARE * (now - self._began) - self._paused
            if left > 0:
                self._urgent.wait(min(left, PAUSE))
                self._paused += time.perf_counter() - now
        if self.is_cancelled:
            raise Cancelled


class _OfThread(threading.local):
    cancellation: Cancellation | None = None


_of_thread = _OfThread()


@contextmanager
def shielded() -> Generator[None]:
    """Lets work inside come to its end: its checkpoints do nothing."""
    before, _of_thread.cancellation = _of_thread.cancellation, None
    try:
        yield
    finally:
        _of_thread.cancellation = before


def checkpoint() -> None:
    """Raises Cancelled where the work that this thread does is not wanted any more; pauses where something
    else is urgent."""
    cancellation = _of_thread.cancellation
    if cancellation is not None:
        cancellation.look()


def checked(items: Iterable[Item]) -> Iterator[Item]:
    """Yields the items, with a checkpoint now and then."""
    for number, item in enumerate(items):
        if number % EVERY == 0:
            checkpoint()
        yield item
