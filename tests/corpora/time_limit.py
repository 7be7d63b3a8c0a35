"""A time limit for code that may hang: an exception at the next line of Python that runs."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TimeLimitReached(BaseException):
    """The time is up. No `except Exception` catches it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises TimeLimitReached in the main thread of this process after `seconds`. POSIX only."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeLimitReached(f"no answer within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
