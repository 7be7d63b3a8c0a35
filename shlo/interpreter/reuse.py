"""When may an operation write into the memory of its operand: when nobody else can see it.

The reference count of an array that a list's slot or a function's local variable alone holds is measured
at import, since it differs between versions of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from sys import getrefcount
from typing import Any

import numpy as np

from shlo.interpreter.kernel import Value

REUSE_FROM = 4096
"""Bytes from which on overwriting an operand is worth the question whether it is allowed."""

OVERWRITE_FROM = 1 << 20
"""Bytes from which on an elementwise operation overwrites its operand: memory fresh from the system costs
page faults.
"""


def _count_in_list() -> int:
    slots = [np.empty(1)]
    return getrefcount(slots[0])


def _count_in_local() -> int:
    local = np.empty(1)
    return getrefcount(local)


def _count_of_base() -> int:
    slots = [np.empty(2)[1:]]
    return getrefcount(slots[0].base)


COUNT_IN_LIST = _count_in_list()
COUNT_OF_BASE = _count_of_base()
COUNT_IN_LOCAL = _count_in_local()


def owns_memory(array: Any) -> bool:
    """Whether an array holds memory of its own that may be written to."""
    flags = array.flags
    return flags.owndata and flags.writeable


def is_free(items: Sequence[Value], index: int) -> bool:
    """Whether an item is an array that owns its memory and that only this list or tuple refers to."""
    return (
        type(items[index]) is np.ndarray
        and getrefcount(items[index]) == COUNT_IN_LIST
        and owns_memory(items[index])
    )


def is_free_view(items: Sequence[Value], index: int) -> bool:
    """Whether an item is an array that looks at another's memory, and nobody else refers to either of
    them.
    """
    return (
        type(items[index]) is np.ndarray
        and type(items[index].base) is np.ndarray
        and getrefcount(items[index]) == COUNT_IN_LIST
        and getrefcount(items[index].base) == COUNT_OF_BASE
        and items[index].flags.writeable
        and owns_memory(items[index].base)
    )
