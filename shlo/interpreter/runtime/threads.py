"""Threads that share the work of one operation, or of several fused ones: parts of arrays, in any order.

NumPy's loops and machine code hold no lock of Python's, so threads of one process compute at the same time. A
part's result never depends on which thread computes it, or on how many there are.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any, Final

from shlo.support.processes import usable_processors

VARIABLE: Final = "SHLO_NUM_THREADS"
"""The environment variable with the number of threads."""

MOST_THREADS: Final = 256

Part = Callable[[int, int], object]
"""Computes the elements, or rows, from a start up to an end."""


def default_threads() -> int:
    """Returns how many threads a run uses that names no number: what the environment says, else the
    processors that this process may use.
    """
    given = os.environ.get(VARIABLE, "")
    if given.isascii() and given.isdigit() and int(given) > 0:
        return min(int(given), MOST_THREADS)
    return min(usable_processors(), MOST_THREADS)


def in_parts(function: Part, count: int, size: int, threads: int) -> None:
    """Calls `function` for parts of `size` of `count` elements, on several threads, this one among them.
    Returns, or raises the first error, when none runs any more.
    """
    helpers = min(threads, -(-count // size)) - 1
    if helpers <= 0 or getattr(_local, "is_helper", False):
        for start in range(0, count, size):
            function(start, min(start + size, count))
        return
    work = _Work(function, count, size, helpers)
    tasks = _helpers(helpers)
    for _ in range(helpers):
        tasks.put(partial(copy_context().run, work.help))
    try:
        work.run()
    finally:
        work.wait()
    if work.errors:
        raise work.errors[0]


class _Work:
    """The parts that are left, for all threads that share them."""

    def __init__(self, function: Part, count: int, size: int, helpers: int) -> None:
        self.errors: list[BaseException] = []
        self._function = function
        self._count = count
        self._size = size
        self._starts = deque(range(0, count, size))
        self._helpers = helpers
        self._invitations = deque(range(helpers))
        self._ended = SimpleQueue[None]()

    def run(self) -> None:
        """Computes parts while there are any."""
        starts, function, size, count = self._starts, self._function, self._size, self._count
        while True:
            try:
                start = starts.popleft()
            except IndexError:
                return
            function(start, min(start + size, count))

    def help(self) -> None:
        """Does the same on another thread, unless it comes too late."""
        try:
            self._invitations.popleft()
        except IndexError:
            return
        try:
            self.run()
        except BaseException as error:  # raised by the thread that waits
            self.errors.append(error)
            self._starts.clear()
        finally:
            self._ended.put(None)

    def wait(self) -> None:
        """Waits for the threads that began; those that a busy machine has not started yet need not."""
        self._starts.clear()
        begun = self._helpers
        while True:
            try:
                self._invitations.popleft()
            except IndexError:
                break
            begun -= 1
        for _ in range(begun):
            self._ended.get()


_local: Final = threading.local()
_lock = threading.Lock()
_tasks = SimpleQueue[Callable[[], Any]]()
_started = 0


def _helpers(count: int) -> SimpleQueue[Callable[[], Any]]:
    """Returns the queue of tasks, on which at least `count` threads wait."""
    global _started
    if _started < count:
        with _lock:
            while _started < count:
                threading.Thread(target=_serve, args=(_tasks,), name="shlo", daemon=True).start()
                _started += 1
    return _tasks


def _serve(tasks: SimpleQueue[Callable[[], Any]]) -> None:
    _local.is_helper = True
    while True:
        tasks.get()()


def _forget() -> None:
    """A forked child has none of its parent's threads."""
    global _started, _lock, _tasks
    _started, _lock, _tasks = 0, threading.Lock(), SimpleQueue[Callable[[], Any]]()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
