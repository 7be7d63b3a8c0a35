"""Interrupts that always get through: SIGINT is repeated until the work that it is to end has ended.

Python raises KeyboardInterrupt wherever the main thread happens to be. In a finalizer, the callback of a weak
reference or a hook, or in C code that clears errors, the exception is dropped, and what was to be interrupted
would go on for ever.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

REPEATED_AFTER_S: Final = 0.5

Result = TypeVar("Result")


class _Repeater:
    """Raises KeyboardInterrupt for each SIGINT, and again every REPEATED_AFTER_S until it is removed.

    The handler may run between any two instructions of the main thread, also within `threading`: it takes no
    lock, and starts its thread by `_thread`.
    """

    def __init__(self) -> None:
        self._is_over = False
        self._is_repeating = False
        self._over, self._ended = _thread.allocate_lock(), _thread.allocate_lock()
        self._over.acquire()
        self._ended.acquire()
        self._handler_before = signal.getsignal(signal.SIGINT)
        self._hook_before = sys.unraisablehook

    def install(self) -> None:
        sys.unraisablehook = self._on_unraisable
        signal.signal(signal.SIGINT, self._on_interrupt)

    def remove(self) -> None:
        self._is_over = True
        if self._is_repeating:
            self._over.release()
            self._ended.acquire()
        signal.signal(signal.SIGINT, self._handler_before)
        sys.unraisablehook = self._hook_before

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        if not self._is_over:
            self._repeat()
            raise KeyboardInterrupt

    def _on_unraisable(self, dropped: UnraisableHookArgs) -> None:
        if isinstance(dropped.exc_value, KeyboardInterrupt):
            self._repeat()
        else:
            self._hook_before(dropped)

    def _repeat(self) -> None:
        if not self._is_repeating:
            self._is_repeating = True
            _thread.start_new_thread(self._interrupt_again, ())

    def _interrupt_again(self) -> None:
        while not self._over.acquire(timeout=REPEATED_AFTER_S):
            _thread.interrupt_main()
        self._ended.release()


def interruptible(work: Callable[[], Result]) -> Result:
    """Does work that an interrupt ends with KeyboardInterrupt, wherever it arrives.

    In other threads than the main one, and where SIGINT is ignored (as a shell does for what it starts in the
    background) or handled by the program that uses shlo, the work is merely done.
    """
    handlers = signal.default_int_handler, _hold
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) not in handlers:
        return work()
    repeater = _Repeater()
    try:
        repeater.install()
        if _held:
            raise KeyboardInterrupt
        return work()
    finally:
        try:
            repeater.remove()
        except KeyboardInterrupt:  # raised as `remove` began
            repeater.remove()
            raise


_held: list[int] = []
"""The interrupts that were held back."""


def _hold(number: int, frame: FrameType | None) -> None:
    _held.append(number)


def hold_interrupts() -> None:
    """Has interrupts end the next `interruptible` work, not what runs now. Main thread only."""
    signal.signal(signal.SIGINT, _hold)


def forget_interrupts() -> None:
    """Forgets interrupts that were held back: what they were to end has ended."""
    _held.clear()


@contextmanager
def plain_interrupts() -> Generator[None]:
    """Has an interrupt raise KeyboardInterrupt once, for code of a user, who may catch it and go on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
