"""Code that is made while Python goes on: forks, ends of processes, interrupts, what is no longer needed."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime import background
from shlo.interpreter.runtime.tiers import COSTS, Policy, TierCost, use_policy
from shlo.support import llvm
from tests.interpreter.policies import eager

pytest.importorskip("llvmlite")

from shlo.interpreter.jit.native_loop import NativeLoop

LIMIT_S = 120.0
COUNTING = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<2000> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<f32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.sine %y : tensor<f32>
    stablehlo.return %j, %z : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
"""
IMPORTS = """
import os, signal, sys, threading, time
import numpy as np
import shlo
from shlo.interpreter.runtime import background
from shlo.interpreter.runtime.tiers import use_policy
from tests.interpreter.policies import eager
"""
AT_ONCE = f"""{IMPORTS}
from tests.interpreter.test_background import COUNTING
(at_once := use_policy(eager(in_background=True))).__enter__()
module = shlo.parse(COUNTING)
def run():
    return float(shlo.run(module, np.float32(1))[0])
first = run()
"""


def child(script: str) -> subprocess.CompletedProcess[str]:
    return python(AT_ONCE + script)


def python(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", script, *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S, check=False)


def machines_of(module: shlo.Module) -> list[Any]:
    loops = [value for value in program_of(module).namespace.values() if isinstance(value, NativeLoop)]
    return [loop.tier.code._machine for loop in loops if loop.tier.code is not None]


def test_code_is_optimized_while_calls_go_on() -> None:
    module = shlo.parse(COUNTING)
    with use_policy(eager(in_background=True)):
        results = [shlo.run(module, np.float32(1))[0].tobytes() for _ in range(3)]
        background.wait_for_work()
        results += [shlo.run(module, np.float32(1))[0].tobytes() for _ in range(3)]
    assert machines_of(module)
    assert not any(machine.is_simple for machine in machines_of(module))
    assert len(set(results)) == 1


def test_no_thread_is_left_when_all_is_made() -> None:
    with use_policy(eager(in_background=True)):
        shlo.run(shlo.parse(COUNTING), np.float32(1))
    background.wait_for_work()
    assert not any(thread.name == background.NAME for thread in threading.enumerate())


def test_code_that_nothing_refers_to_is_not_made() -> None:
    gate, machines = threading.Event(), list[weakref.ref[Any]]()
    background.begin(gate.wait)
    with use_policy(eager(in_background=True)):
        module = shlo.parse(COUNTING)
        shlo.run(module, np.float32(1))
        machines = [weakref.ref(machine) for machine in machines_of(module)]
        del module
        gc.collect()
    assert machines
    assert [machine() for machine in machines] == [None] * len(machines)
    gate.set()
    background.wait_for_work()


def test_a_process_ends_while_code_is_made() -> None:
    done = child("background.begin(lambda: [background.give_way() or time.sleep(0.01) for _ in range(9999)])")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_makes_code_of_its_own() -> None:
    done = child(
        """
pid = os.fork()
if pid == 0:
    module = shlo.parse(COUNTING)
    same = run() == first
    background.wait_for_work()
    os._exit(0 if same and run() == first else 1)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), run() == first)
"""
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["0", "True"], "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
def test_an_interrupt_ends_a_run_while_code_is_made() -> None:
    done = child(
        """
module = shlo.parse(COUNTING.replace("dense<2000>", "dense<2000000000>"))
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    run()
except KeyboardInterrupt:
    print("interrupted")
"""
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["interrupted"], "")


def test_where_no_thread_starts_code_is_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    background.wait_for_work()
    monkeypatch.setattr(threading.Thread, "start", refuse)
    module = shlo.parse(COUNTING)
    with use_policy(eager(in_background=True)):
        shlo.run(module, np.float32(1))
    assert machines_of(module)
    assert not any(machine.is_simple for machine in machines_of(module))


def test_threads_make_code_at_the_same_time() -> None:
    def results(number: int) -> list[bytes]:
        module = shlo.parse(COUNTING.replace("dense<2000>", f"dense<{2000 + number}>"))
        return [shlo.run(module, np.float32(1))[0].tobytes() for _ in range(3)]

    with use_policy(eager(in_background=True)), ThreadPoolExecutor(4) as threads:
        found = list(threads.map(results, range(24)))
    background.wait_for_work()
    assert [len(set(each)) for each in found] == [1] * 24


def test_llvmlite_declares_its_functions_as_they_are_called() -> None:
    assert llvm.is_declared_so()


def test_another_llvmlite_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm, "NEWEST", llvm.OLDEST)
    assert llvm.is_usable.__wrapped__()
    monkeypatch.setitem(llvm.FUNCTIONS, "ParseAssembly", "ppt")
    assert not llvm.is_usable.__wrapped__()


LOADS = """
class Finder:
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread().name == background.NAME:
            print(name)
sys.meta_path.insert(0, Finder())
from tests.interpreter.test_background import MADE
text, arguments = MADE[sys.argv[1]]
module = shlo.parse(text)
(late := use_policy(eager(["loop"], in_background=True))).__enter__()
for _ in range(4):
    shlo.run(module, *arguments)
background.wait_for_work()
print("made" if "shlo.interpreter.loops.machine" in sys.modules else "nothing is made", file=sys.stderr)
"""
SMALL, WIDE = np.ones(8, np.float32), np.ones(100_000, np.float32)
STEPS = "".join(f"%{n + 1} = stablehlo.add %{n}, %{n} : tensor<8xf32>\n" for n in range(20))
MADE: dict[str, tuple[str, list[Any]]] = {
    "sequence": (
        f"func.func @main(%0: tensor<8xf32>) -> tensor<8xf32> {{\n{STEPS}return %20 : tensor<8xf32> }}",
        [SMALL],
    ),
    "chain": (
        """func.func @main(%x: tensor<100000xf32>) -> tensor<100000xf32> {
      %0 = stablehlo.add %x, %x : tensor<100000xf32>
      %1 = stablehlo.multiply %0, %x : tensor<100000xf32>
      %2 = stablehlo.tanh %1 : tensor<100000xf32>
      return %2 : tensor<100000xf32> }""",
        [WIDE],
    ),
    "formula": (
        """func.func @main(%x: tensor<100000xf32>) -> tensor<100000xf32> {
      %0 = chlo.lgamma %x : tensor<100000xf32> -> tensor<100000xf32>
      return %0 : tensor<100000xf32> }""",
        [WIDE],
    ),
    "rows": (
        """func.func @main(%x: tensor<99x8xf32>, %i: tensor<600x1xi32>, %u: tensor<600x8xf32>) -> tensor<99x8xf32> {
      %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<99x8xf32>, tensor<600x1xi32>, tensor<600x8xf32>) -> tensor<99x8xf32>
      return %0 : tensor<99x8xf32> }""",
        [np.ones((99, 8), np.float32), np.zeros((600, 1), np.int32), np.ones((600, 8), np.float32)],
    ),
}


@pytest.mark.parametrize("form", MADE)
def test_the_thread_that_makes_code_loads_no_modules(form: str) -> None:
    """It would wait for Python's lock at each file: loops went on for a second without their machine code."""
    done = python(IMPORTS + LOADS, form)
    assert (done.stdout, done.stderr) == ("", "made\n")


def test_a_run_goes_on_where_what_makes_code_cannot_be_loaded() -> None:
    """Files cannot be opened, or a package is broken: nothing of that is the program's."""
    text, arguments = MADE["chain"]
    module = shlo.parse(text)
    missing = TierCost(0.0, modules=("shlo.no_such_module",))
    with use_policy(Policy(dict.fromkeys(COSTS, missing))):
        results = [shlo.run(module, *arguments)[0].tobytes() for _ in range(4)]
        background.wait_for_work()
    assert len(set(results)) == 1
