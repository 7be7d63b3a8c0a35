"""Processes that are ended with all that they have started, and how processes ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from typing import Final

PARENT_LOOKED_FOR_EVERY_S: Final = 2.0


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a process, which heads a process group, and those that it started."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


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


def leave_with(parent: int) -> None:
    """Has this process end, some seconds after its parent has."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_LOOKED_FOR_EVERY_S)
    os._exit(1)
