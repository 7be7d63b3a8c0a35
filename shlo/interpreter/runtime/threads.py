"""Threads that share the work of one operation, or of several fused ones: parts of arrays, in any order.

NumPy's loops and machine code hold no lock of Python's, so threads of one process compute at the same time. A
part's result never depends on which thread computes it, or on how many there are. Where no thread can be
started, the one that has the work does all of it.
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

from shlo.ir.diagnostics import ExecutionError
from shlo.support.forking import call_before_fork, usable_processors
from shlo.text.shortening import clipped

VARIABLE: Final = "SHLO_NUM_THREADS"
"""The environment variable with the number of threads."""

MOST_THREADS: Final = 256

MOST_DIGITS: Final = 9
"""Digits of a number of threads; Python reads no numbers of several thousand."""

ENDING_S: Final = 1.0
"""How long threads that wait for work may take to end."""

Part = Callable[[int, int], object]
"""Computes the elements, or rows, from a start up to an end. It holds the arrays that it reads and writes."""


def default_threads() -> int:
    """Returns how many threads a run uses that names no number: what the environment says, else the
    processors that this process may use. Raises ExecutionError where the environment says no number above 0.
    """
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return min(usable_processors(), MOST_THREADS)
    is_number = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    if not is_number or int(text) == 0:
        raise ExecutionError(f"expected a number above 0 as {VARIABLE}, got {clipped(text, 60)!r}")
    return min(int(text), MOST_THREADS)


def in_parts(function: Part, count: int, size: int, threads: int) -> None:
    """Calls `function` for parts of `size` of `count` elements, on several threads, this one among them.
    Returns, or raises the first error, when none runs any more; so does what a signal's handler raises.
    """
    pool, helpers = _pool, min(threads, -(-count // size)) - 1
    if helpers <= 0 or getattr(_local, "is_helper", False) or not (helpers := pool.started(helpers)):
        for start in range(0, count, size):
            function(start, min(start + size, count))
        return
    work = _Work(function, count, size, helpers)
    try:
        for number in range(helpers):
            pool.tasks.put(partial(copy_context().run, partial(work.help, number)))
        work.run()
    finally:
        work.wait()
    if work.errors:
        raise work.errors[0]


class _Work:
    """The parts that are left, for all threads that share them."""

    def __init__(self, function: Part, count: int, size: int, helpers: int) -> None:
        self.errors: list[BaseException] = []
        self._function: Part | None = function
        self._count = count
        self._size = size
        self._starts = deque(range(0, count, size))
        self._helpers = helpers
        self._has_begun: dict[int, bool] = {}
        self._ended: list[int] = []
        self._ends = SimpleQueue[None]()

    def run(self) -> None:
        """Computes parts while there are any."""
        starts, function, size, count = self._starts, self._function, self._size, self._count
        assert function is not None
        while True:
            try:
                start = starts.popleft()
            except IndexError:
                return
            function(start, min(start + size, count))

    def help(self, number: int) -> None:
        """Does the same on another thread, the helper of a number, unless it comes too late."""
        if not self._has_begun.setdefault(number, True):
            return
        try:
            self.run()
        except BaseException as error:  # raised by the thread that waits
            self.errors.append(error)
            self._starts.clear()
        finally:
            self._ended.append(number)
            self._ends.put(None)

    def wait(self) -> None:
        """Waits for the threads that began; those that a busy machine has not started yet need not. Raises
        what a signal's handler raised meanwhile when they have ended.
        """
        raised: BaseException | None = None
        while True:
            try:
                self._wait()
                break
            except BaseException as error:  # raised below
                raised = error if raised is None else raised
        if raised is not None:
            try:
                raise raised
            finally:
                del raised  # whose frames refer to it

    def _wait(self) -> None:
        """Waits; may be called again where it was left."""
        self._starts.clear()
        for number in range(self._helpers):
            self._has_begun.setdefault(number, False)
        begun = sum(self._has_begun.values())
        while len(self._ended) < begun:
            self._ends.get()
        self._function = None  # helpers that come too late refer to this object


class _Pool:
    """Threads that wait for tasks; None ends one."""

    def __init__(self) -> None:
        self.tasks = SimpleQueue[Callable[[], Any] | None]()
        self._threads: list[threading.Thread] = []
        self._lock = threading.RLock()

    def started(self, count: int) -> int:
        """Starts threads where there are fewer than `count`. Returns how many of so many there are: fewer
        where the system starts no more, has no threads, or the interpreter ends.
        """
        if len(self._threads) < count:
            with self._lock:
                while len(self._threads) < count:
                    thread = threading.Thread(target=_serve, args=(self.tasks,), name="shlo", daemon=True)
                    try:
                        thread.start()
                    except (RuntimeError, MemoryError):
                        break
                    self._threads.append(thread)
        return min(len(self._threads), count)

    def end(self) -> None:
        """Ends the threads, once they have done what they do."""
        for _ in self._threads:
            self.tasks.put(None)
        for thread in self._threads:
            thread.join(ENDING_S)


_local: Final = threading.local()
_pool = _Pool()


def _serve(tasks: SimpleQueue[Callable[[], Any] | None]) -> None:
    _local.is_helper = True
    while (task := tasks.get()) is not None:
        task()
        del task  # while this waits, nothing of it lives


def _forget() -> None:
    """A forked child has none of its parent's threads."""
    global _pool
    _pool = _Pool()


def _end_helpers() -> None:
    """Ends the threads that wait; work that comes later starts others."""
    global _pool
    pool, _pool = _pool, _Pool()
    pool.end()


call_before_fork(_end_helpers)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
