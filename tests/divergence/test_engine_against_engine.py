"""`shlo diff` of runs: planted faults are found, with operation, iteration, process and element."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.cli import main
from shlo.divergence.diff import diff_run
from shlo.divergence.findings import RunDifference
from shlo.divergence.programs import diff_programs
from shlo.divergence.report import lines_of
from shlo.divergence.tolerances import TOLERANCES, Tolerances
from shlo.engines import ENGINES, engine_of
from shlo.interpreter import RunOptions
from tests.debugger.test_mesh_names import ON_MESH
from tests.oracle import UNOPTIMIZED

from .faults import FaultyEngine

ROOT = Path(__file__).parents[2]
STRAIGHT = """func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<f32>) {
  %0 = stablehlo.exponential %x : tensor<2x3xf32>
  %1 = stablehlo.add %0, %x : tensor<2x3xf32>
  %2 = stablehlo.sqrt %1 : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %2, %3 : tensor<2x3xf32>, tensor<f32>
}
"""
LOOP = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %start = stablehlo.constant dense<0.0> : tensor<f32>
  %r = call @repeat(%start, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @repeat(%i: tensor<f32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %limit = stablehlo.constant dense<30.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %r:2 = stablehlo.while(%a = %i, %y = %x) : tensor<f32>, tensor<4xf32>
  cond {
    %c = stablehlo.compare LT, %a, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %b = stablehlo.add %a, %one : tensor<f32>
    %w = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %z = stablehlo.maximum %y, %w : tensor<4xf32>
    stablehlo.return %b, %z : tensor<f32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
"""
GRID = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {replica_groups = dense<[[0]]> : tensor<1x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}
    : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.multiply %1, %0 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""
BRANCH = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  %1 = stablehlo.slice %0 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
  %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
  %limit = stablehlo.constant dense<-1.0005> : tensor<f32>
  %c = stablehlo.compare LT, %2, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r = "stablehlo.if"(%c) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    %n = stablehlo.abs %0 : tensor<2xf32>
    stablehlo.return %n : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
"""


def diff(
    text: str, engine: FaultyEngine, *inputs: object, tolerances: Tolerances | None = None
) -> RunDifference:
    return diff_run([shlo.parse(text, "p.mlir")], [list(inputs)], RunOptions(), engine, tolerances)


def test_a_fault_in_a_straight_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(ENGINES, "faulty", lambda _: FaultyEngine("stablehlo.add", (1, 2)))
    path = tmp_path / "p.mlir"
    path.write_text(STRAIGHT)
    call = ["diff", str(path), "--random", "0", "--engine", "faulty"]
    assert main(call) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[1] == f"  {path}:3:3: stablehlo.add"
    assert out[2].startswith("    1 of 6 elements differ, at most ")
    assert out[3].startswith("    [1, 2]: interpreter ")
    assert main([*call, "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    (alone,) = data["alone"]
    assert (alone["operation"], alone["place"], alone["worst"][0]["index"]) == (
        "stablehlo.add",
        f"{path}:3:3",
        [1, 2],
    )
    assert data["operations"] == 4
    assert main([*call, "--tolerance", "0.01"]) == 0
    assert main([*call, "--tolerance", "sqrt=0.01"]) == 1
    assert main([*call, "--ignore", "add"]) == 0
    assert main(["diff", str(path), "--random", "0", "--engine", "interpreter"]) == 0


def test_a_fault_in_an_iteration_of_a_loop_in_a_call() -> None:
    engine = FaultyEngine("stablehlo.maximum", (2,), lambda operands: operands[1][0] == 17)
    found = diff(LOOP, engine, np.ones(4, np.float32))
    (alone,) = found.alone
    assert (alone.operation, alone.place, alone.worst[0].index) == (
        "stablehlo.maximum",
        "p.mlir:16:5",
        (2,),
    )
    assert alone.path == (
        "call of @repeat at p.mlir:3:3",
        "iteration 17 of stablehlo.while at p.mlir:9:3",
    )
    assert found.together is not None
    assert (found.together.place, found.together.path) == (alone.place, alone.path)
    assert not found.results  # the whole program is right


def test_a_fault_in_each_iteration_is_one_finding() -> None:
    found = diff(LOOP, FaultyEngine("stablehlo.add", ()), np.ones(4, np.float32))
    (alone,) = found.alone
    assert "iteration 0 of stablehlo.while" in alone.path[1]
    assert found.occurrences[alone.operation, alone.place] == 30


def test_a_fault_in_one_process_of_a_grid() -> None:
    engine = FaultyEngine("stablehlo.multiply", (1,), lambda operands: operands[1][0] == -3)
    inputs = [[np.full(4, process, np.float32)] for process in range(8)]
    found = diff_run([shlo.parse(GRID, "p.mlir")], inputs, RunOptions(partitions=8), engine)
    (alone,) = found.alone
    assert (alone.process, alone.place, alone.worst[0].index) == (3, "p.mlir:9:3", (1,))
    assert "    process 3 of 8: 1 of 4 elements differ" in "\n".join(lines_of(found))


def test_a_fault_in_a_collective() -> None:
    engine = FaultyEngine("stablehlo.all_reduce", (2,), lambda operands: operands[0][0] == -1)
    inputs = [[np.full(4, process, np.float32)] for process in range(4)]
    found = diff_run([shlo.parse(GRID, "p.mlir")], inputs, RunOptions(partitions=4), engine)
    (alone,) = found.alone
    assert (alone.operation, alone.process, alone.place) == ("stablehlo.all_reduce", 1, "p.mlir:3:3")
    assert alone.worst[0].index == (2,)
    assert not found.not_compared
    sound = diff_run([shlo.parse(GRID)], inputs, RunOptions(partitions=4), FaultyEngine("none", ()))
    assert (sound.operations, bool(sound)) == (9, False)


def test_a_manual_computation_is_compared_in_each_process_of_its_mesh() -> None:
    x = -np.arange(1, 65, dtype=np.float32).reshape(8, 8)
    text = ON_MESH.replace("stablehlo.log", "stablehlo.abs")
    module = shlo.parse(text, "p.mlir")
    engine = FaultyEngine("stablehlo.abs", (1, 0), lambda operands: operands[0][0, 0] == -35)
    found = diff_run([module], [[x]], RunOptions(), engine)
    (alone,) = found.alone
    assert (alone.process, alone.place, alone.worst[0].index) == (5, "p.mlir:5:7", (1, 0))
    changed = shlo.parse(text.replace("stablehlo.abs", "stablehlo.negate"))
    assert not diff_programs(module, changed, [[x]], [[x]], RunOptions(), ("p", "changed"))
    x[7, 7] = 64
    parted = diff_programs(module, changed, [[x]], [[x]], RunOptions(), ("p", "changed"))
    assert parted.together is not None
    assert (parted.together.operation, parted.together.process) == ("stablehlo.negate", 7)
    assert [each.result for each in parted.results] == [0]


def test_numbers_of_processes_are_no_difference() -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %id = stablehlo.partition_id : tensor<ui32>
      %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
      %y = stablehlo.add %n, %x : tensor<f32>
      return %y : tensor<f32>
    }"""
    inputs = [[np.float32(process)] for process in range(4)]
    found = diff_run([shlo.parse(text)], inputs, RunOptions(partitions=4), FaultyEngine("none", ()))
    assert (found.operations, bool(found)) == (8, False)


def test_an_error_that_sends_control_flow_another_way() -> None:
    x = np.array([1.0, 1.0], np.float32)
    found = diff(BRANCH, FaultyEngine("stablehlo.negate", (1,)), x)
    assert [each.operation for each in found.alone] == ["stablehlo.negate"]
    assert found.parted is not None
    assert found.parted.startswith("stablehlo.abs at p.mlir:10")


def test_results_are_judged_by_operation_and_type() -> None:
    tolerances = Tolerances()
    for dtype, epsilon in ((np.float32, 2**-23), (np.float64, 2**-52)):
        ones = np.ones(4, dtype)
        assert tolerances.allowed("stablehlo.add", ones, [ones, ones]).max() < 1e-30
        assert tolerances.allowed("stablehlo.exponential", ones, [ones]).max() == pytest.approx(
            32 * epsilon, rel=0.01
        )
    wide = np.ones((1, 10_000), np.float32)
    one = np.array(1.0, np.float32)
    assert tolerances.allowed("stablehlo.dot_general", one, [wide, wide.T]) > 16 * 2**-23
    assert all(row.reason for row in TOLERANCES)


def test_a_nan_on_one_side_alone_is_a_difference() -> None:
    class WithNan(FaultyEngine):
        def execute(
            self, module: shlo.Module, arguments: Sequence[Any], options: RunOptions
        ) -> tuple[Any, ...]:
            results = super().execute(module, arguments, options)
            if results[0].shape == (2, 3):
                results[0][0, 1] = np.nan
            return results

    found = diff(
        STRAIGHT, WithNan("none", ()), np.ones((2, 3), np.float32), tolerances=Tolerances((("*", 1e9),))
    )
    assert [each.worst[0].index for each in found.alone] == [(0, 1)] * 3


CANCELLING = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.tanh %x : tensor<4xf32>
  %2 = stablehlo.subtract %0, %0 : tensor<4xf32>
  %3 = stablehlo.add %0, %1 : tensor<4xf32>
  %4 = stablehlo.subtract %3, %0 : tensor<4xf32>
  %5 = stablehlo.subtract %4, %1 : tensor<4xf32>
  return %5 : tensor<4xf32>
}
"""


def test_small_errors_of_sums_that_cancel_are_no_difference() -> None:
    class Small(FaultyEngine):
        def execute(
            self, module: shlo.Module, arguments: Sequence[Any], options: RunOptions
        ) -> tuple[Any, ...]:
            results = super().execute(module, arguments, options)
            if "exponential" in module.to_text():
                results[0][...] *= np.float32(1 + 5e-7)
            return results

    x = np.array([0.1, 1, 5, 9], np.float32)
    assert not diff(CANCELLING, Small("none", ()), x)
    found = diff(CANCELLING, FaultyEngine("stablehlo.exponential", (1,)), x)
    assert [each.operation for each in found.alone] == ["stablehlo.exponential"]


def test_what_an_engine_cannot_run_is_said() -> None:
    text = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
    engine = engine_of("interpreter")

    class Refusing(FaultyEngine):
        def execute(
            self, module: shlo.Module, arguments: Sequence[Any], options: RunOptions
        ) -> tuple[Any, ...]:
            raise shlo.ExecutionError("no device")

    found = diff(text, Refusing("", ()), np.ones(2, np.float32))
    assert found.not_compared == {"stablehlo.negate": "no device", "the whole program": "no device"}
    assert not found
    assert not diff_run([shlo.parse(text)], [[np.ones(2, np.float32)]], RunOptions(), engine)


@pytest.mark.slow
@pytest.mark.oracle
def test_nothing_is_reported_of_programs_without_a_fault() -> None:
    names = ["mlp", "lstm", "linalg_qr", "fft_x64", "mlp_bfloat16_mixed"]
    run = subprocess.run(
        [sys.executable, "-m", "tests.divergence.long", *names],
        cwd=ROOT,
        env={"XLA_FLAGS": UNOPTIMIZED} | os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr[-2000:]
