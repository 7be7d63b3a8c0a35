"""Processes that are ended with all that they have started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a process, which heads a process group, and those that it started."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
