"""Timelines: a track for each process, slices of operations inside those of their scopes, and waits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shlo.cli import main
from shlo.interpreter.runtime.profile import ProfiledRun
from shlo.ir.name_stack import MOST_PARTS
from shlo.runner.profile import RunProfile, TraceEvents

ROOT = Path(__file__).parents[2]


def traced(path: Path, *arguments: str) -> list[dict[str, Any]]:
    assert main(["run", *arguments, "--trace", str(path)]) == 0
    return json.loads(path.read_text("utf-8"))["traceEvents"]


def test_operations_are_inside_the_slices_of_their_scopes(tmp_path: Path) -> None:
    events = traced(tmp_path / "t.json", str(ROOT / "examples" / "diverging.mlir"))
    slices = [event for event in events if event["ph"] == "X"]
    scopes = [event for event in slices if event["cat"] == "scope"]
    dots = [event for event in slices if event["name"] == "stablehlo.dot_general"]
    assert len(dots) == 120
    for dot in dots:
        around = {
            each["name"]
            for each in scopes
            if each["ts"] <= dot["ts"] and dot["ts"] + dot["dur"] <= each["ts"] + each["dur"] + 0.01
        }
        assert {"jit(anneal)", "while", "body"} <= around
    assert dots[0]["args"]["python"].startswith("examples/lower_diverging.py:")
    assert [event["ts"] for event in slices] == sorted(event["ts"] for event in slices)


def test_a_grid_has_a_track_for_each_process_with_its_waits(tmp_path: Path) -> None:
    program = str(ROOT / "examples" / "mean.mlir")
    events = traced(tmp_path / "t.json", program, "--grid", "2x1", "[1, 2, 3, 6]", "--split", "0")
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert sorted(names) == [0, 1]
    waits = [event for event in events if event.get("cat") == "wait"]
    assert [event["name"] for event in waits] == ["wait: stablehlo.all_reduce"]
    (wait,) = waits
    assert any(
        event["ph"] == "X" and event["tid"] != wait["tid"] and event["ts"] > wait["ts"] for event in events
    )


def test_waits_take_no_time_of_a_profile() -> None:
    import shlo

    module = shlo.load(ROOT / "examples" / "distance.mlir")
    (operation, *_), trace = module.functions["main"].body.blocks[0].operations, TraceEvents()
    profile = RunProfile(trace)
    profile.record(ProfiledRun("a", 2.0, 1.0, (operation,), 0, ""))
    profile.record(ProfiledRun("a", 5.0, 3.0, (operation,), 0, "", is_wait=True))
    assert profile.seconds == 2.0
    assert [(cost.name, cost.count) for cost in profile.costs] == [("a", 1)]


def test_time_is_added_up_by_scope_and_line() -> None:
    import shlo
    from shlo.interpreter import RunOptions, execute

    profile = RunProfile()
    execute(shlo.load(ROOT / "examples" / "diverging.mlir"), [], RunOptions(profile=profile))
    whole = dict(profile.scopes)["jit(anneal)",]
    inner = sum(cost.seconds for path, cost in profile.scopes if len(path) == 2)
    assert 0 < inner <= whole.seconds * 1.0001
    assert sum(cost.count for cost in profile.lines) <= whole.count
    assert "examples/lower_diverging.py:" in profile.table(1.0)


def test_name_stacks_of_thousands_of_parts_are_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, trace = tmp_path / "deep.mlir", tmp_path / "t.json"
    program.write_text(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
        f'  %0 = stablehlo.negate %x : tensor<f32> loc("{"/".join(["a"] * 3000)}/neg")\n'
        "  return %0 : tensor<f32>\n}\n",
        encoding="utf-8",
    )
    events = traced(trace, str(program), "1.0", "--time")
    assert "name scope" in capsys.readouterr().err
    assert sum(event.get("cat") == "scope" for event in events) == MOST_PARTS
