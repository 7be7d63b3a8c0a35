"""XLA in a process of its own: the same results and errors; its end is an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import shlo
from shlo.cli import main
from shlo.engines import EngineError, Placement, engine_of
from shlo.interpreter import RunOptions

pytestmark = [pytest.mark.slow, pytest.mark.oracle]

ROOT = Path(__file__).parents[2]
PROGRAM = """func.func @main(%x: tensor<2x3xbf16>, %y: tensor<i1>, %z: tensor<0x4xi8>)
    -> (tensor<2x3xbf16>, tensor<i1>, tensor<0x4xi8>) {
  %0 = stablehlo.add %x, %x : tensor<2x3xbf16>
  %1 = stablehlo.not %y : tensor<i1>
  return %0, %1, %z : tensor<2x3xbf16>, tensor<i1>, tensor<0x4xi8>
}
func.func @process() -> tensor<ui32> {
  %0 = stablehlo.replica_id : tensor<ui32>
  return %0 : tensor<ui32>
}
func.func @sized(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
ABORTING = """
import json, os, sys
job = json.loads(sys.argv[1])
sys.path[:] = job["path"]
from shlo.engines.xla import runtime
from shlo.engines.xla import separate
compiled = runtime.compile_program
runtime.compile_program = lambda text, *others: os.abort() if b"atan2" in text else compiled(text, *others)
separate.serve(job)
"""
"""What runs in a child process in which XLA cannot do `atan2`."""


def test_results_and_errors_are_those_of_xla_in_this_process() -> None:
    engine = engine_of("xla", Placement("cpu", 2, is_separate=True))
    module = shlo.parse(PROGRAM)
    inputs = [np.ones((2, 3), ml_dtypes.bfloat16), np.bool_(True), np.zeros((0, 4), np.int8)]
    for _ in range(2):
        results = engine.execute(module, inputs, RunOptions())
        assert [(each.dtype, each.shape) for each in results] == [
            (np.dtype(ml_dtypes.bfloat16), (2, 3)),
            (np.dtype(bool), ()),
            (np.dtype(np.int8), (0, 4)),
        ]
        assert (results[0] == 2).all()
        assert not results[1]
        results[0][0, 0] = 3
    options = RunOptions(entry="process", replicas=2)
    assert engine.execute_grid([module], [[]], options) == [(0,), (1,)]
    (sized,) = engine.execute(module, [np.ones(5, np.float32)], RunOptions(entry="sized"))
    assert sized.shape == (5,)
    with pytest.raises(EngineError, match="expected at least 4 devices"):
        engine.execute_grid([module], [[]], RunOptions(entry="process", replicas=4))
    with pytest.raises(EngineError, match="a limit of operations"):
        engine.execute(module, inputs, RunOptions(max_steps=3))
    with pytest.raises(shlo.ExecutionError, match="takes 3 arguments"):
        engine.execute(module, [], RunOptions())


def test_an_abort_is_an_error_and_later_programs_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shlo.engines.xla.separate._START", ABORTING)
    engine = engine_of("xla", Placement("cpu", is_separate=True))
    bad, good = (
        shlo.parse(
            "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
            f"  %0 = stablehlo.{name} %x, %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}}"
        )
        for name in ("atan2", "add")
    )
    one = np.ones(2, np.float32)
    assert (engine.execute(good, [one], RunOptions())[0] == 2).all()
    with pytest.raises(shlo.ExecutionError, match="XLA ended its process on the program: SIGABRT"):
        engine.execute(bad, [one], RunOptions())
    assert (engine.execute(good, [one], RunOptions())[0] == 2).all()


def test_xla_that_does_not_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XLA_FLAGS", "--xla_no_such_flag=1")
    engine = engine_of("xla", Placement("cpu", is_separate=True))
    with pytest.raises(EngineError, match=r"ended its process as it started: .*Unknown flag"):
        engine.start()


def test_a_program_on_which_xla_aborts_is_reduced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shlo.engines.xla.separate._START", ABORTING)
    program, small = tmp_path / "p.mlir", tmp_path / "small.mlir"
    names = ["sine", "cosine", "atan2 %x,", "tanh"]
    lines = "".join(
        f"  %{number + 1} = stablehlo.{name} %{number} : tensor<2xf32>\n" for number, name in enumerate(names)
    ).replace("%0 ", "%x ")
    program.write_text(
        f"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{\n{lines}  return %4 : tensor<2xf32>\n}}\n"
    )
    call = ["reduce", str(program), "--random", "0", "-o", str(small), "--error", "SIGABRT"]
    assert main([*call, "--engine", "xla"]) == 0
    operations = [each.name for each, _ in shlo.load(small).walk()]
    assert operations == ["func.func", "stablehlo.atan2", "func.return"]


@pytest.mark.skipif(sys.platform != "linux", reason="the command forks on Linux alone")
def test_an_abort_of_a_run_is_a_message_and_exit_code_1() -> None:
    code = """
import os, sys
from shlo.cli import main
from shlo.engines.xla import runtime
runtime.compile_program = lambda *others: os.abort()
sys.argv = ["shlo", "run", "--engine", "xla", "examples/distance.mlir", "--zeros"]
sys.exit(main())
"""
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert run.returncode == 1
    assert "error: xla ended the process on the program: SIGABRT" in run.stderr
    assert "Traceback" not in run.stderr
