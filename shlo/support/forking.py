"""A command that goes on in a forked process, so that its abort ends in a message."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Final

_before: Final[list[Callable[[], None]]] = []


def call_before_fork(function: Callable[[], None]) -> None:
    """Has `can_fork` call a function that ends threads which do nothing but wait for work."""
    _before.append(function)


def can_fork() -> bool:
    """Returns whether the rest of a command may run in a forked process: on Linux, in a process of its own
    that has one thread and writes to the streams that it was started with. Ends threads that only wait.
    """
    is_own = sys.stdout is sys.__stdout__ and sys.stderr is sys.__stderr__
    is_able = sys.platform == "linux" and hasattr(os, "fork")
    if not (is_able and is_own) or "jax" in sys.modules:
        return False
    for function in _before:
        function()
    return threading.active_count() == 1


def fork_and_wait(begin: Callable[[], None] = lambda: None) -> int | None:
    """Forks. Returns None in the new process, which goes on with the command, and in the old one, once that
    has ended, its exit code: below zero the signal that ended it, as `subprocess` has it. `begin` is called
    in the new process before that has a second thread.

    Interrupts reach both; the old process leaves them to the new one, and hands SIGTERM on to it. The new
    one ends where the old one does.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        begin()
        from shlo.support.processes import leave_with  # loads subprocess

        leave_with(parent)
        return None
    interrupts = signal.signal(signal.SIGINT, signal.SIG_IGN)
    ends = signal.signal(signal.SIGTERM, lambda number, frame: os.kill(child, number))
    try:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        signal.signal(signal.SIGINT, interrupts)
        signal.signal(signal.SIGTERM, ends)


def usable_processors() -> int:
    """Returns how many processors this process may use: at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
