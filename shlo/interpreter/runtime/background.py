"""A thread that makes code while Python goes on. It ends where there is nothing left to make.

LLVM must not be interrupted: a fork waits until the work at hand is done, and so does the end of the process.
What takes long calls `give_way` between its steps.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from shlo.support.forking import call_before_fork

NAME: Final = "shlo-code"
"""The name of the thread."""
LONGEST_S: Final = 20.0
"""How long a fork, or the end of the process, waits at most."""

Work = Callable[[], object]


class Ending(Exception):
    """The process ends, and work with it."""


class Background:
    """Work that waits, and the thread that does it."""

    def __init__(self) -> None:
        self._waiting = deque[Work]()
        self._lock = threading.Lock()
        self._at_work = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_paused = False
        self._is_ending = False

    def begin(self, work: Work) -> bool:
        """Has work done behind the work that waits; False where no thread can be started."""
        with self._lock:
            if self._is_ending:
                return False
            self._waiting.append(work)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=NAME, daemon=True)
                try:
                    self._thread.start()
                except (RuntimeError, MemoryError):
                    self._thread = None
                    self._waiting.clear()
                    return False
        return True

    def _serve(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                work = self._waiting.popleft()
            with self._at_work, suppress(Ending):
                work()
            del work  # what it holds may go

    def give_way(self) -> None:
        """Raises Ending in the thread once the process ends."""
        if self._is_ending and threading.current_thread() is self._thread:
            raise Ending

    def wait(self) -> None:
        """Waits until all is done."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def end(self) -> None:
        """Ends the thread; nothing begins any more."""
        with self._lock:
            self._is_ending = True
            self._waiting.clear()
            thread = self._thread
        if thread is not None:
            thread.join(LONGEST_S)

    def pause(self) -> None:
        """Waits until the work at hand is done, and lets none begin."""
        self._is_paused = self._at_work.acquire(timeout=LONGEST_S)

    def resume(self) -> None:
        """Lets work begin again."""
        if self._is_paused:
            self._is_paused = False
            self._at_work.release()


_background = Background()


def begin(work: Work) -> bool:
    """Has work done by the thread; False where there is none. The work needs no lock that is held here."""
    return _background.begin(work)


def give_way() -> None:
    """Raises Ending where code is made in the background and the process ends."""
    _background.give_way()


def wait_for_work() -> None:
    """Waits until all work that has begun is done."""
    _background.wait()


def _end() -> None:
    """Ends the thread; work that comes later starts another one."""
    global _background
    background, _background = _background, Background()
    background.end()


def _forget() -> None:
    """A forked child has none of its parent's threads."""
    global _background
    _background = Background()


def _end_with_process() -> None:
    while True:
        try:
            return _background.end()
        except KeyboardInterrupt:  # a second one does not end the process either while LLVM is at work
            continue


call_before_fork(_end)
atexit.register(_end_with_process)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=lambda: _background.pause(),
        after_in_parent=lambda: _background.resume(),
        after_in_child=_forget,
    )
