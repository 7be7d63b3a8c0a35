"""Interrupts that arrive while Python runs code whose exceptions it drops."""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

DELAY_S = 0.001


@contextmanager
def interrupts_kept() -> Generator[None, None, None]:
    """Interrupts the main thread again where a KeyboardInterrupt was dropped.

    Python raises it wherever the main thread happens to be. In a finalizer or the callback of a weak
    reference (the cache of prepared programs has one) the exception is reported and ignored, and what was to
    be interrupted would go on for ever. The second interrupt comes from a thread of its own: raised in the
    hook itself it would be dropped, too.
    """
    before = sys.unraisablehook

    def hook(dropped: UnraisableHookArgs) -> None:
        if isinstance(dropped.exc_value, KeyboardInterrupt):
            threading.Timer(DELAY_S, _thread.interrupt_main).start()
        else:
            before(dropped)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before
