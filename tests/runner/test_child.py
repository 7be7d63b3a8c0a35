"""Runs in child processes."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from shlo.runner.child.launch import Child, ChildLimits, Inputs, RunOutcome
from shlo.support import isolation
from tests.lsp.programs import FOREVER, HUGE, NUMBERS

pytestmark = pytest.mark.slow


def test_results_are_shown_with_their_types() -> None:
    outcome = Child(NUMBERS, "numbers").outcome()
    assert (outcome.status, outcome.message, outcome.place) == ("done", "", None)
    assert [(each.type, each.text, each.summary) for each in outcome.results] == [
        ("tensor<3xi32>", "[1, 4, 9]", None)
    ]


@pytest.mark.oracle
def test_another_engine_runs_within_the_same_limit_of_memory() -> None:
    outcome = Child(
        NUMBERS, "numbers", ChildLimits(seconds=120, bytes=1 << 30), inputs=Inputs(engine="xla")
    ).outcome()
    assert (outcome.status, outcome.message) == ("done", "")
    assert [each.text for each in outcome.results] == ["[1, 4, 9]"]


def test_large_results_are_elided() -> None:
    text = "func.func @f() -> tensor<1000xi32> {\n  %0 = stablehlo.iota dim = 0 : tensor<1000xi32>\n  return %0 : tensor<1000xi32>\n}"
    (shown,) = Child(text, "f").outcome().results
    assert (shown.text, shown.summary) == (
        "[  0,   1,   2, ..., 997, 998, 999]",
        "min 0, max 999, mean 499.5",
    )


@pytest.mark.parametrize(
    ("text", "function", "message", "place"),
    [
        (NUMBERS.replace("%0, %0", "%0, %z"), "numbers", "use of undeclared value '%z'", (3, 31)),
        (NUMBERS, "missing", "the program has no function @missing", None),
        (NUMBERS.replace("()", "(%a: tensor<f32>)"), "numbers", "argument 0 (%a)", None),
        (
            "func.func @f() {\n  stablehlo.custom_call @unknown() : () -> ()\n  return\n}",
            "f",
            "unknown",
            (2, 3),
        ),
    ],
)
def test_failures_have_their_place(
    text: str, function: str, message: str, place: tuple[int, int] | None
) -> None:
    outcome = Child(text, function).outcome()
    assert outcome.status == "failed"
    assert message in outcome.message
    assert outcome.place == place


def test_a_loop_without_end_is_ended_in_time() -> None:
    outcome = Child(FOREVER, "forever", ChildLimits(seconds=1.5)).outcome()
    assert outcome.status == "time limit"
    assert outcome.message == "it took more than 1.5 s"


def test_memory_is_limited() -> None:
    outcome = Child(HUGE, "huge", ChildLimits(bytes=1 << 30)).outcome()
    assert (outcome.status, outcome.place) == ("memory limit", (3, 3))


def test_a_run_can_be_stopped_from_another_thread_or_before_it_begins() -> None:
    child = Child(FOREVER, "forever", ChildLimits(seconds=60))
    threading.Timer(0.7, child.stop).start()
    assert child.outcome().status == "stopped"
    child = Child(NUMBERS, "numbers")
    child.stop()
    assert child.outcome().status == "stopped"


def test_a_crash_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shlo.runner.child.launch._START", "import os; os.write(2, b'ouch'); os.abort()")
    outcome = Child(NUMBERS, "numbers").outcome()
    assert outcome.status == "crashed"
    assert outcome.message.endswith(": ouch")


@pytest.mark.skipif(os.name == "nt", reason="looks for processes as Unix has them")
def test_processes_that_a_run_started_end_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started = tmp_path / "pid"
    monkeypatch.setattr(
        "shlo.runner.child.launch._START",
        "import subprocess, time; "
        f"child = subprocess.Popen(['sleep', '600']); open({str(started)!r}, 'w').write(str(child.pid)); "
        "time.sleep(600)",
    )
    assert Child(NUMBERS, "numbers", ChildLimits(seconds=1.5)).outcome().status == "time limit"
    for _ in range(50):
        if not _is_running(int(started.read_text())):
            return
        time.sleep(0.1)
    pytest.fail("it still runs")


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def test_modules_beside_a_program_are_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("numpy", "json", "random"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('loaded')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert str(tmp_path) not in isolation.trusted_path()
    outcome: RunOutcome = Child(NUMBERS, "numbers").outcome()
    assert outcome.status == "done"


def test_arguments_are_files_literals_and_made_up(tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", x=np.array([1, 2], np.int32))
    text = "func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {\n  return %x : tensor<2xi32>\n}"
    for inputs, shown in (
        (Inputs((str(tmp_path / "in.npz"), "dense<7>")), "[1, 2]"),
        (Inputs(("[3, 4]",), "zeros"), "[3, 4]"),
        (Inputs((), "zeros"), "[0, 0]"),
    ):
        outcome = Child(text, "f", inputs=inputs).outcome()
        assert (outcome.status, [each.text for each in outcome.results]) == ("done", [shown]), outcome
    ones, twos = (Child(text, "f", inputs=Inputs((), "random", seed)).outcome().results for seed in (1, 2))
    assert ones != twos
    missing = Child(text, "f", inputs=Inputs(("dense<7>",))).outcome()
    assert missing.status == "failed"
    assert "missing: argument 1 (%y)" in missing.message
    assert "--random" in missing.message


def test_a_program_for_a_grid_says_so() -> None:
    text = "module attributes {mhlo.num_partitions = 8 : i32} {\n  func.func @f() -> tensor<ui32> {\n    %0 = stablehlo.partition_id : tensor<ui32>\n    return %0 : tensor<ui32>\n  }\n}"
    assert Child(text, "f").outcome().grid == "1x8"
    assert Child(NUMBERS, "numbers").outcome().grid is None
