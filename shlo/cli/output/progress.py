"""A progress bar on standard error for runs that take long, where that is a terminal."""

from __future__ import annotations

import threading
from time import monotonic
from types import TracebackType

from shlo.command_line.console import Console

SHOWN_AFTER = 2.0
"""Seconds after which a run counts as long."""
INTERVAL = 0.2
_BAR_WIDTH = 30


class ProgressBar:
    """Shows how far a run is, painted by a thread of its own; within `with`, call it with steps done and all.

    `is_visible` is False where the stream is no terminal: then nothing is called or painted.
    """

    def __init__(self, console: Console, what: str = "operations", wanted: bool = True) -> None:
        self.is_visible = wanted and console.is_terminal(console.stderr)
        self._stream = console.stderr
        self._done, self._total, self._what = 0, 0, what
        self._stopped = threading.Event()
        self._painted = False
        self._thread = threading.Thread(target=self._paint_until_stopped, daemon=True)

    def __call__(self, done: int, total: int) -> None:
        """Takes how many of how many steps are done."""
        self._done, self._total = done, total

    def __enter__(self) -> ProgressBar:
        self._start = monotonic()
        if self.is_visible:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        if self.is_visible:
            self._thread.join()
        if self._painted:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _paint_until_stopped(self) -> None:
        if self._stopped.wait(SHOWN_AFTER):
            return
        while not self._stopped.wait(INTERVAL):
            self._painted = True
            text = bar_text(self._done, self._total, monotonic() - self._start, self._what)
            self._stream.write(f"\r{text}\x1b[K")
            self._stream.flush()


def bar_text(done: int, total: int, seconds: float, what: str = "operations") -> str:
    """`[#####.....] 12/34 operations, 5 s`; without a total `12 operations, 5 s`."""
    if not total:
        return f"{done} {what}, {seconds:.0f} s"
    filled = _BAR_WIDTH * done // total
    bar = "#" * filled + "." * (_BAR_WIDTH - filled)
    return f"[{bar}] {done}/{total} {what}, {seconds:.0f} s"
