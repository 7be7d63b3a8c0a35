"""`shlo run --distributed`: a grid that several processes of the operating system share."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shlo.cli import main
from tests.ports import free_port

EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = [
    pytest.mark.oracle,
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux", reason="processes are told how XLA ended them on Linux alone"
    ),
]

RING = """func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<ui32>) {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {
    replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
    use_global_device_ids
  } : (tensor<3xf32>) -> tensor<3xf32>
  %1 = stablehlo.partition_id : tensor<ui32>
  return %0, %1 : tensor<3xf32>, tensor<ui32>
}
"""
ENDLESS = """func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %end = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %more = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %0 = "stablehlo.all_reduce"(%i) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.maximum %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
    }) {
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
      use_global_device_ids
    } : (tensor<i32>) -> tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }
  return %end : tensor<i32>
}
"""
WAIT_S = 4
"""What --wait says."""


@contextmanager
def processes(count: int, *arguments: str, wait: int = 60) -> Iterator[list[subprocess.Popen[str]]]:
    """Starts the processes of a run, which meet on loopback, and ends those that are left."""
    port = free_port()
    command = [sys.executable, "-m", "shlo", "run", *arguments, "--engine", "xla"]
    command += ["--distributed", f"127.0.0.1:{port}", "--processes", str(count), "--wait", str(wait)]
    environment = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    started = [
        subprocess.Popen(
            [*command, "--process", str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
        )
        for number in range(count)
    ]
    try:
        yield started
    finally:
        for each in started:
            with suppress(ProcessLookupError):
                os.killpg(each.pid, signal.SIGKILL)
            each.communicate()


def answers(count: int, *arguments: str) -> list[dict[str, Any]]:
    """Returns what each process of a run prints as JSON."""
    with processes(count, *arguments, "--format", "json") as started:
        told = [each.communicate() for each in started]
        assert [(each.returncode, errors) for each, (_, errors) in zip(started, told)] == [(0, "")] * count
    return [json.loads(output) for output, _ in told]


def alone(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Returns what the interpreter prints of the same run."""
    assert main(["run", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("count", [2, 4])
def test_a_sharded_training_step_is_that_of_the_interpreter(
    count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with np.load(EXAMPLES / "data_parallel.npz") as file:
        arrays = dict(file)
    arrays["arg1"] = np.clip(arrays["arg1"], -1, 1)  # the wrong images make all weights NaN
    np.savez(tmp_path / "batch.npz", **arrays)
    call = [str(EXAMPLES / "data_parallel.mlir"), str(tmp_path / "batch.npz")]
    expected = alone(capsys, *call)["results"][0]["value"]
    assert np.isfinite(expected).all()
    for answer in answers(count, *call):
        np.testing.assert_allclose(answer["results"][0]["value"], expected, rtol=1e-5)


def test_each_process_loads_and_saves_what_is_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ring.mlir").write_text(RING)
    for number in range(4):
        np.save(tmp_path / f"x{number}.npy", np.arange(3, dtype=np.float32) + 10**number)
    call = [str(tmp_path / "ring.mlir"), str(tmp_path / "x{process}.npy"), "--grid", "1x4"]
    expected = alone(capsys, *call)["processes"]
    first, second = answers(2, *call, "--save", str(tmp_path / "y{process}.npz"))
    assert first["processes"] + second["processes"] == expected
    assert (len(first["processes"]), len(second["processes"])) == (2, 2)
    for number, each in enumerate(expected):
        with np.load(tmp_path / f"y{number}.npz") as saved:
            assert saved["result_0"].tolist() == each["results"][0]["value"]
    first, second = answers(2, *call, "--gather")
    assert (first["processes"], second["processes"]) == (expected, [])


@pytest.mark.parametrize("victim", [0, 1])
def test_a_process_that_dies_ends_the_others(tmp_path: Path, victim: int) -> None:
    (tmp_path / "endless.mlir").write_text(ENDLESS)
    with processes(2, str(tmp_path / "endless.mlir"), "1", "--grid", "1x2", wait=WAIT_S) as started:
        time.sleep(WAIT_S / 2)  # in the loop or on the way there: the outcome is the same
        os.killpg(started[victim].pid, signal.SIGKILL)
        output, errors = started[1 - victim].communicate(timeout=120)
    assert (started[1 - victim].returncode, output) == (1, "")
    assert "error: " in errors
    assert "Traceback" not in errors
    assert "stack trace" not in errors


def test_a_process_that_waits_in_vain_says_so(tmp_path: Path) -> None:
    (tmp_path / "ring.mlir").write_text(RING)
    command = [sys.executable, "-m", "shlo", "run", str(tmp_path / "ring.mlir"), "--zeros", "--grid", "1x2"]
    command += ["--engine", "xla", "--distributed", "127.0.0.1:1", "--processes", "2", "--process", "1"]
    done = subprocess.run([*command, "--wait", "2"], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (1, "")
    assert "error: the run has ended: the other processes have not come within 2 s" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--processes", "2"], "expected --distributed with --processes, got none"),
        (["--distributed", "host:1", "--engine", "xla"], "expected --processes N and --process I"),
        (
            ["--distributed", "host:1", "--processes", "2", "--process", "2", "--engine", "xla"],
            "from 0 to N - 1, got 2 and 2",
        ),
        (["--distributed", "host", "--engine", "xla"], "expected HOST:PORT behind --distributed, got host"),
        (["--distributed", "--process", "0", "--engine", "xla"], "expected HOST:PORT with --processes"),
        (
            ["--distributed", "host:1", "--processes", "2", "--process", "1"],
            "expected --engine xla with --distributed, got the interpreter",
        ),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(EXAMPLES / "mean.mlir"), "1", "--grid", "1x2", *arguments]) == 2
    assert message in capsys.readouterr().err
