"""Processes and memory, on this system and as on Windows."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

import pytest

from shlo.support import processes
from shlo.support.memory import machine_memory
from shlo.support.processes import end_group, ending, start_group

PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
child.wait()
"""
SECONDS = 60


def sleeping() -> subprocess.Popen[bytes]:
    return start_group([sys.executable, "-c", "import time; time.sleep(600)"])


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as stat:
        return stat.read().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_group_ends_with_what_it_has_started() -> None:
    process = start_group([sys.executable, "-c", PARENT], stdout=subprocess.PIPE)
    assert process.stdout
    with process.stdout as printed:
        child = int(printed.readline())
    end_group(process)
    process.wait(SECONDS)
    end = time.monotonic() + SECONDS
    while is_running(child) and time.monotonic() < end:
        time.sleep(0.01)
    assert not is_running(child)


def test_a_group_that_has_ended_is_ended_again() -> None:
    process = start_group([sys.executable, "-c", ""])
    process.wait(SECONDS)
    end_group(process)


def test_a_process_ends_where_there_are_no_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[Any] = []
    process = sleeping()
    monkeypatch.delattr(os, "killpg", raising=False)
    monkeypatch.setattr(subprocess, "run", lambda words, **_: called.append(words))
    end_group(process)
    assert called == [["taskkill", "/F", "/T", "/PID", str(process.pid)]]
    assert process.wait(SECONDS) != 0


def test_a_process_heads_a_group_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    class Popen:
        def __class_getitem__(cls, item: object) -> type[Popen]:
            return cls

        def __init__(self, words: object, **options: object) -> None:
            given.update(options)

    monkeypatch.delattr(os, "setsid", raising=False)
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 512, raising=False)
    monkeypatch.setattr(subprocess, "Popen", Popen)
    start_group(["x"])
    assert given == {"creationflags": 512}


def test_a_process_of_windows_waits_for_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Any, ...]] = []

    def open_process(*arguments: Any) -> int:
        calls.append(arguments)
        return 77

    kernel32 = SimpleNamespace(
        OpenProcess=open_process, WaitForSingleObject=lambda handle, time: calls.append((handle.value, time))
    )
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel32), raising=False)
    monkeypatch.setattr(os, "_exit", lambda code: calls.append((code,)))
    processes._watch(1234)
    assert calls == [(0x00100000, False, 1234), (77, 0xFFFFFFFF), (1,)]


def test_the_memory_of_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    here = machine_memory()
    assert here is None or here > 1 << 28

    def tell(kilobytes: Any) -> bool:
        kilobytes._obj.value = 1 << 20
        return True

    kernel32 = SimpleNamespace(GetPhysicallyInstalledSystemMemory=tell)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel32), raising=False)
    assert machine_memory() == 1 << 30
    kernel32.GetPhysicallyInstalledSystemMemory = lambda _: False
    assert machine_memory() is None


@pytest.mark.parametrize(
    ("code", "text"), [(0, "exit code 0"), (3, "exit code 3"), (-9, "SIGKILL"), (-63, "signal 63")]
)
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_how_a_process_ended(code: int, text: str) -> None:
    assert ending(code) == text
