"""Makes a Python lack what Windows lacks: what every Python of the environment of
test_simulated_system.py imports first.

What the standard library itself needs on this system is loaded before, and keeps what it has. Child processes
begin here, too, those that are isolated included.
"""

import asyncio  # noqa: F401
import builtins
import ctypes  # noqa: F401
import getpass  # noqa: F401
import io
import multiprocessing
import os
import platform
import signal
import ssl  # noqa: F401
import subprocess
import sys
import tempfile  # noqa: F401

OF_OS = (
    "fork",
    "forkpty",
    "getegid",
    "geteuid",
    "getgid",
    "getpgid",
    "getpgrp",
    "getuid",
    "killpg",
    "mkfifo",
)
OF_SIGNAL = ("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGSTOP", "SIGUSR1", "SIGUSR2")
MODULES = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "readline")
KILLED = int(signal.SIGKILL)

platform.uname()


def _kill(self):
    self.send_signal(KILLED)


def _without_proc(original):
    def opened(file, *arguments, **keywords):
        if isinstance(file, (str, os.PathLike)) and os.fspath(file).startswith("/proc/"):
            raise FileNotFoundError(2, "No such file or directory", os.fspath(file))
        return original(file, *arguments, **keywords)

    return opened


subprocess.Popen.kill = _kill
for _name in (*OF_OS, "setsid", "sysconf", "sched_getaffinity"):
    delattr(os, _name)
for _name in (*OF_SIGNAL, "alarm", "setitimer", "pthread_kill", "pthread_sigmask", "sigwait"):
    delattr(signal, _name)
for _name in MODULES:
    sys.modules[_name] = None  # pyright: ignore[reportArgumentType]
builtins.open = io.open = _without_proc(io.open)
multiprocessing.set_start_method("spawn", force=True)
