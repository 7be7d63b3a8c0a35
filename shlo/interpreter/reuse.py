"""When may an operation write into the memory of its operand: when nobody else can see it.

The reference count of an array that a list's slot or a function's local variable alone holds is measured
at import, since it differs between versions of Python.
"""

from __future__ import annotations

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


COUNT_IN_LIST = _count_in_list()
COUNT_IN_LOCAL = _count_in_local()


def owns_memory(array: Any) -> bool:
    """Whether an array holds memory of its own that may be written to."""
    flags = array.flags
    return flags.owndata and flags.writeable


def slot_is_free(slots: list[Value], slot: int) -> bool:
    """Whether a slot holds an array that owns its memory and that only this slot refers to."""
    return (
        type(slots[slot]) is np.ndarray
        and getrefcount(slots[slot]) == COUNT_IN_LIST
        and owns_memory(slots[slot])
    )
