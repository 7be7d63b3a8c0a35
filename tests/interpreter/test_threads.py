"""Threads that share an operation: interrupts, systems without threads, forks."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from types import FrameType

import numpy as np
import pytest

import shlo
from shlo.interpreter.program.code import FunctionCode, program_of
from shlo.interpreter.runtime.threads import in_parts
from shlo.interpreter.runtime.tiers import is_installed, use_policy
from shlo.ir.diagnostics import ExecutionError
from tests.interpreter.policies import eager

LIMIT_S = 60.0

IS_POSIX = pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals of POSIX")


def child(script: str) -> subprocess.CompletedProcess[str]:
    """Runs a script in a process of its own, which it may crash."""
    words = [sys.executable, "-c", script]
    return subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S, check=False)


class Stopped(BaseException):
    """Raised by a signal's handler."""


@IS_POSIX
def test_what_a_signal_raises_is_raised_when_no_thread_computes_any_more() -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped

    this, helped, ended = threading.current_thread(), threading.Event(), threading.Event()
    assert this.ident is not None

    def part(start: int, end: int) -> None:
        if threading.current_thread() is this:
            helped.wait(LIMIT_S)
            return
        helped.set()
        for _ in range(2):
            time.sleep(0.1)
            signal.pthread_kill(this.ident or 0, signal.SIGUSR1)
        time.sleep(0.1)
        ended.set()

    before = signal.signal(signal.SIGUSR1, stop)
    try:
        with pytest.raises(Stopped):
            in_parts(part, 2, 1, 2)
        assert ended.is_set()
    finally:
        signal.signal(signal.SIGUSR1, before)


LEFT_BEHIND = """
import numpy as np, shlo
from shlo.interpreter.jit import fused
from shlo.interpreter.runtime.tiers import use_policy
from tests.interpreter.policies import eager
(at_once := use_policy(eager())).__enter__()
module = shlo.parse('''func.func @main(%x: tensor<16777216xf32>) -> tensor<16777216xf32> {
  %a = stablehlo.add %x, %x : tensor<16777216xf32>
  %b = stablehlo.multiply %a, %x : tensor<16777216xf32>
  return %b : tensor<16777216xf32>
}''')
for _ in range(3):
    shlo.run(module, np.ones(1 << 24, np.float32), threads=2)
left = []
def in_parts(part, count, size, threads):
    left.append(part)
    raise KeyboardInterrupt
fused.in_parts = in_parts
try:
    shlo.run(module, np.ones(1 << 24, np.float32), threads=2)
except BaseException:
    pass
del module
left[0](0, 1 << 24)
"""


@pytest.mark.skipif(not is_installed(), reason="needs llvmlite")
def test_a_part_that_an_interrupt_leaves_behind_crashes_nothing() -> None:
    ended = child(LEFT_BEHIND)
    assert ended.returncode == 0, ended.stderr


def test_where_no_thread_starts_this_one_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    counts = np.zeros(1003, np.int32)

    def part(start: int, end: int) -> None:
        counts[start:end] += 1

    in_parts(part, len(counts), 1, 200)
    assert set(counts.tolist()) == {1}


@pytest.mark.skipif(sys.platform != "linux", reason="commands fork on Linux")
def test_a_command_may_fork_after_one_that_used_threads() -> None:
    ended = child("""
from shlo.interpreter.runtime.threads import in_parts
from shlo.support.forking import can_fork
for _ in range(2):
    done = []
    in_parts(lambda start, end: done.append(start), 100, 1, 4)
    print(len(done), can_fork())
""")
    assert ended.stdout == "100 True\n100 True\n"


@pytest.mark.parametrize("given", ["0", "-1", "many", "1" * 5000])
def test_a_number_of_threads_that_is_none_is_told(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHLO_NUM_THREADS", given)
    module = shlo.parse("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    with pytest.raises(ExecutionError, match="expected a number above 0 as SHLO_NUM_THREADS, got "):
        shlo.run(module, np.zeros(2, np.float32))
    shlo.run(module, np.zeros(2, np.float32), threads=1)


def test_a_number_of_threads_that_becomes_none_is_told_by_the_operation_that_needs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = shlo.parse("""func.func @main(%x: tensor<4194304xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4194304xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}""")
    x = np.ones(1 << 22, np.float32)
    assert shlo.run(module, x)[0] == 1 << 22
    monkeypatch.setenv("SHLO_NUM_THREADS", "many")
    with pytest.raises(ExecutionError, match="expected a number above 0 as SHLO_NUM_THREADS, got 'many'"):
        shlo.run(module, x)
    assert shlo.run(module, x, threads=1)[0] == 1 << 22


def test_a_function_runs_though_another_thread_generates_its_sequences_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = shlo.parse(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }",
    )
    with use_policy(eager(("sequence",))):
        runs = [shlo.run(module, np.float32(2)) for _ in range(3)]
    assert program_of(module).function("main").compiled is not None
    looks = iter([lambda: False])  # what it is at the first look; None at any later one
    monkeypatch.setattr(FunctionCode, "sequences_due", property(lambda _: next(looks, None)), raising=False)
    runs.append(shlo.run(module, np.float32(2)))
    assert [float(result) for (result,) in runs] == [2.0] * 4
