"""Progress of a run that takes long: how much is done, how fast, and how long the rest may take."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from shlo.text.numbers import plural

SHOWN_AFTER_S: Final = 1.0
"""After how many seconds a run shows its progress."""
INTERVAL_S: Final = 0.5


class RunProgress:
    """Is called by runs with how many of how many operations are done; tells `show` now and then."""

    def __init__(self, show: Callable[[str], None], now: Callable[[], float] = monotonic) -> None:
        self._show, self._now = show, now
        self._start = self._due = now()
        self._before = -1
        self._is_shown = False

    def __call__(self, done: int, total: int) -> None:
        """Takes how many of how many operations are done."""
        now = self._now()
        if done <= self._before or self._before < 0:  # another run began
            self._start, self._due = now, now + SHOWN_AFTER_S
        self._before = done
        if now < self._due:
            return
        self._due = now + INTERVAL_S
        self._is_shown = True
        self._show(progress_text(done, total, now - self._start))

    def close(self) -> None:
        """Takes away what is shown."""
        if self._is_shown:
            self._is_shown = False
            self._show("")


def progress_text(done: int, total: int, seconds: float) -> str:
    """Returns `120 of 400 operations (30%), 60 a second, about 5 s left`."""
    rate = done / seconds if seconds else 0.0
    left = f", about {(total - done) / rate:.0f} s left" if rate else ""
    share = f" ({100 * done // total}%)" if total else ""
    return f"{done:,} of {plural(total, 'operation')}{share}, {rate:,.3g} a second{left}"
