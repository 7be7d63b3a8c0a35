"""Recursion over nested programs: how deep they may nest, and stack space for that depth.

The parser and the bytecode reader refuse what nests deeper than MAX_DEPTH, so every recursive walk over a
module is bounded. Python's recursion limit bounds the whole stack instead, that of the caller included: an
entry point that recurses is marked `@recursive`, and can recurse MAX_DEPTH levels whatever the caller's stack
holds.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

MAX_DEPTH = 100
"""How many levels deep regions, types, attributes and affine expressions may nest."""

FRAMES = 50 * MAX_DEPTH
"""How many calls an entry point may need: the parser takes 15 for a level of regions."""

_lock = threading.Lock()
_holders = 0
_limit_before = 0
_limit_set = 0


@contextmanager
def stack_space() -> Generator[None, None, None]:
    """Raises Python's recursion limit where less than FRAMES more calls fit on this thread's stack.

    The limit is one for all threads: it is as it was when the last of all concurrent holders has left, unless
    another party has changed it meanwhile. Calls from Python to Python take no space on the C stack.
    """
    global _holders, _limit_before, _limit_set
    is_holder = False
    try:  # first, as an interrupt may come before each of the next lines
        with _lock:
            if _holders == 0:
                _limit_before = _limit_set = sys.getrecursionlimit()
            _holders, is_holder = _holders + 1, True
            needed = _stack_depth() + FRAMES
            if needed > sys.getrecursionlimit():
                _limit_set = needed
                sys.setrecursionlimit(needed)
        yield
    finally:
        with _lock:
            _holders -= is_holder
            if _holders == 0 and _limit_set != _limit_before and sys.getrecursionlimit() == _limit_set:
                sys.setrecursionlimit(_limit_before)


def recursive(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Marks an entry point that recurses over a nested program: it runs with `stack_space`."""

    @wraps(function)
    def with_space(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        with stack_space():
            return function(*args, **kwargs)

    return with_space


def _stack_depth() -> int:
    """Returns how many frames are on this thread's stack."""
    frame, depth = sys._getframe(), 0  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    return depth
