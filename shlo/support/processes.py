"""Processes that are ended with all that they have started, and how processes ended."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any, Final

PARENT_LOOKED_FOR_EVERY_S: Final = 2.0
_SYNCHRONIZE: Final = 0x00100000
"""The right to wait for a process of Windows."""
_FOREVER: Final = 0xFFFFFFFF


def start_group(words: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Starts a process that heads a group of its own: an interrupt on the terminal does not reach it, and
    `end_group` ends it with what it has started. `options` are those of `subprocess.Popen`, which raises
    OSError, and ValueError for words that no process can be given.
    """
    group: dict[str, Any] = {"start_new_session": True}
    if not hasattr(os, "setsid"):
        group = {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    return subprocess.Popen[bytes](words, **group, **options)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a process that `start_group` started, and those that it started, where the system has no groups as
    far as their parents live.
    """
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        return
    with suppress(OSError):
        command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    with suppress(OSError):  # it has ended since
        process.kill()


def last_words(file: IO[bytes], size: int) -> str:
    """Returns the last bytes that a process wrote to a file, as text."""
    file.seek(max(file.seek(0, os.SEEK_END) - size, 0))
    return file.read().decode("utf-8", "replace").strip()


def ending(code: int) -> str:
    """Returns how a process ended: the name of the signal that ended it, or its exit code, as `subprocess`
    has it.
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:  # a signal without a name, such as a real-time one
        return f"signal {-code}"


def leave_with(parent: int | None = None) -> None:
    """Has this process end, some seconds after its parent has: the process of a number, which was its parent
    as that started it, or the one that is its parent now.
    """
    expected = os.getppid() if parent is None else parent
    threading.Thread(target=_watch, args=(expected,), daemon=True).start()


def _watch(parent: int) -> None:
    kernel32 = getattr(getattr(ctypes, "windll", None), "kernel32", None)
    if kernel32 is not None:
        _wait_for_windows(kernel32, parent)
    else:
        while os.getppid() == parent:
            time.sleep(PARENT_LOOKED_FOR_EVERY_S)
    os._exit(1)


def _wait_for_windows(kernel32: Any, process: int) -> None:
    """Returns when a process of Windows has ended: there, `getppid` does not change."""
    kernel32.OpenProcess.restype = ctypes.c_void_p
    handle = kernel32.OpenProcess(_SYNCHRONIZE, False, process)
    if handle:  # else it has ended already
        kernel32.WaitForSingleObject(ctypes.c_void_p(handle), _FOREVER)
