"""Memory of the machine and of this process, as far as the system tells and limits it."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any


def machine_memory() -> int | None:
    """Returns the bytes of memory that the machine has; None where the system does not tell."""
    kernel32 = getattr(getattr(ctypes, "windll", None), "kernel32", None)
    if kernel32 is not None:
        return _windows_memory(kernel32)
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _windows_memory(kernel32: Any) -> int | None:
    kilobytes = ctypes.c_ulonglong()
    if not kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes)):
        return None
    return kilobytes.value * 1024


def limit_memory(size: int) -> bool:
    """Lets this process take that many bytes more than it has, and says whether that can be had: the system
    is Linux.
    """
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except (ImportError, OSError):
        return False
    limit = pages * resource.getpagesize() + size
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    return True


def give_memory_back() -> None:
    """Gives memory that was freed back to the system, where its C library can."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            ctypes.CDLL(None).malloc_trim(0)
