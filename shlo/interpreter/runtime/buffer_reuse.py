"""Buffer reuse: an operation may write into the memory of an operand that nothing else refers to.

The reference count of an array that a list's slot or a function's local variable alone holds is measured
at import, since it differs between versions of Python. Where one more holder does not raise that count by
one, or threads run without a lock, nothing is ever free: Python 3.14 lends what a caller holds to what it
calls without counting it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from sys import getrefcount
from typing import Any, Final, cast

import numpy as np

from shlo.interpreter.kernel_api import Value
from shlo.ir.dtypes import Array

REUSE_FROM = 4096
"""Bytes from which on overwriting an operand is worth the question whether it is allowed."""

OVERWRITE_FROM = 1 << 20
"""Bytes from which on an elementwise operation overwrites its operand: memory fresh from the system costs
page faults.
"""


NEVER: Final = -1
"""No array's reference count."""


def _is_free_threaded() -> bool:
    if sys.version_info < (3, 13):
        return False
    from sysconfig import get_config_var  # loads the variables of a whole Makefile

    return bool(get_config_var("Py_GIL_DISABLED"))


def _counts_in_list() -> tuple[int, int]:
    slots = [np.empty(1)]
    alone = getrefcount(slots[0])
    slots.append(slots[0])
    return alone, getrefcount(slots[0])


def _counts_of_base() -> tuple[int, int]:
    slots = [np.empty(2)[1:]]
    alone = getrefcount(slots[0].base)
    slots.append(cast("Array", slots[0].base))
    return alone, getrefcount(slots[0].base)


def _counts_in_local() -> tuple[int, int]:
    local = np.empty(1)
    return getrefcount(local), _count_of_parameter(local)


def _count_of_parameter(parameter: Any) -> int:
    return getrefcount(parameter)


def calibrated(alone: int, shared: int) -> int:
    """The count to look for: that of an array with one holder, or NEVER where a second one does not show."""
    return alone if shared == alone + 1 and not _is_free_threaded() else NEVER


COUNT_IN_LIST = calibrated(*_counts_in_list())
COUNT_OF_BASE = calibrated(*_counts_of_base())
COUNT_IN_LOCAL = calibrated(*_counts_in_local())


class LentMemory(np.ndarray[Any, Any]):
    """Memory that is lent to one array, whose `base` it is: `give_back` is called when nothing refers to the
    array, or a view of it, any more."""

    give_back: Callable[[], None] | None = None

    def __del__(self) -> None:
        if self.give_back is not None:
            self.give_back()


def has_own_memory(array: Array) -> bool:
    """Returns whether the memory of an array is its own, or lent to it: it is no view of another array."""
    return array.flags.owndata or type(array.base) is LentMemory


def is_donatable(array: Any) -> bool:
    """Returns whether an array holds memory of its own, row by row, that may be written to: in another order
    results would lie in that."""
    flags = array.flags
    is_own = flags.owndata or type(array.base) is LentMemory
    return is_own and flags.writeable and flags.c_contiguous


def is_free(items: Sequence[Value], index: int) -> bool:
    """Returns whether an item is an array that owns its memory and that only this list or tuple refers to."""
    return (
        type(items[index]) is np.ndarray
        and getrefcount(items[index]) == COUNT_IN_LIST
        and is_donatable(items[index])
    )


def is_free_view(items: Sequence[Value], index: int) -> bool:
    """Returns whether an item is a view of another array, and nothing else refers to either of them."""
    return (
        type(items[index]) is np.ndarray
        and type(items[index].base) is np.ndarray
        and getrefcount(items[index]) == COUNT_IN_LIST
        and getrefcount(items[index].base) == COUNT_OF_BASE
        and items[index].flags.writeable
        and is_donatable(items[index].base)
    )
