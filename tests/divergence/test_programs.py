"""`shlo diff` of program against program, and against values in files: the first operation that parts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import shlo
from shlo.cli import main
from shlo.divergence.findings import RunDifference
from shlo.divergence.programs import diff_programs
from shlo.interpreter import RunOptions
from shlo.ir.dtypes import Array
from shlo.transforms import simplify
from tests.jax_programs import PROGRAMS

from .test_engine_against_engine import GRID, LOOP, STRAIGHT


def diff(before: str, after: str, *inputs: Array) -> RunDifference:
    modules = shlo.parse(before, "a.mlir"), shlo.parse(after, "b.mlir")
    return diff_programs(*modules, [inputs], [inputs], RunOptions(), ("a.mlir", "b.mlir"))


def test_a_changed_operand_in_a_loop_in_a_called_function() -> None:
    wrong = LOOP.replace("@repeat", "@other").replace(
        "%z = stablehlo.maximum %y, %w",
        "%v = stablehlo.negate %w : tensor<4xf32>\n    %z = stablehlo.maximum %y, %v",
    )
    assert not diff(LOOP, LOOP.replace("@repeat", "@other").replace("%w", "%k"), np.ones(4, np.float32))
    found = diff(LOOP, wrong, np.ones(4, np.float32))
    assert found.together is not None
    assert (found.together.operation, found.together.place) == ("stablehlo.maximum", "b.mlir:17:5")
    assert found.together.counterpart == "a.mlir:16:5: stablehlo.maximum"
    assert found.together.path == (
        "call of @other at b.mlir:3:3",
        "iteration 2 of stablehlo.while at b.mlir:9:3",
    )
    assert [each.result for each in found.results] == [0]
    assert list(found.not_alone) == ["b.mlir:16:5: stablehlo.negate"]


def test_operations_that_others_replace_are_compared_by_their_place() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    other = STRAIGHT.replace("stablehlo.add %0, %x", "stablehlo.subtract %0, %x")
    other = other.replace("stablehlo.exponential", "stablehlo.exponential_minus_one")
    found = diff(STRAIGHT, other, x)
    assert found.together is not None
    assert found.together.operation == "stablehlo.exponential_minus_one"
    assert found.together.counterpart.endswith(": stablehlo.exponential")
    assert found.not_alone == {}
    same = STRAIGHT.replace("stablehlo.add %0, %x", "stablehlo.maximum %0, %x").replace(
        "stablehlo.sqrt", "stablehlo.cbrt"
    )
    found = diff(STRAIGHT.replace("stablehlo.sqrt", "stablehlo.abs"), same, x)
    assert found.together is not None
    assert found.together.operation == "stablehlo.maximum"


def test_order_names_and_rounding_are_no_difference() -> None:
    lines = STRAIGHT.splitlines()
    lines.insert(2, lines.pop(4))  # the constant first
    text = "\n".join(lines).replace("%1", "%sum")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert not diff(STRAIGHT, text, x)
    assert not diff(STRAIGHT, text.replace("%0, %x", "%x, %0"), x)


def test_a_program_before_and_after_a_pass() -> None:
    program = PROGRAMS["mlp"]
    module = shlo.parse(program.text())
    inputs = [program.arguments]
    found = diff_programs(module, simplify(module), inputs, inputs, RunOptions(), ("before", "after"))
    assert not found
    assert found.operations > 10


def test_processes_of_a_grid() -> None:
    wrong = GRID.replace("multiply %1, %0", "multiply %0, %0")
    modules = shlo.parse(GRID, "a.mlir"), shlo.parse(wrong, "b.mlir")
    inputs = [[np.full(4, process + 1, np.float32)] for process in range(2)]
    found = diff_programs(*modules, inputs, inputs, RunOptions(partitions=2), ("a", "b"))
    assert found.together is not None
    assert (found.together.operation, found.together.process) == ("stablehlo.multiply", 1)
    assert [each.process for each in found.results] == [0, 1]


def test_a_second_program_that_fails_parts_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = tmp_path / "a.mlir", tmp_path / "b.mlir"
    before.write_text(STRAIGHT)
    after.write_text(
        STRAIGHT.replace(
            "%2 = stablehlo.sqrt %1 :",
            "%k = stablehlo.custom_call @nothing(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>\n  %2 = stablehlo.sqrt %k :",
        )
    )
    call = ["diff", str(before), str(after), "--random", "0"]
    assert main([*call, "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["reference"], data["engine"]) == (str(before), str(after))
    assert "expected a handler" in data["parted"]
    assert main([*call[:1], str(after), str(before), "--random", "0"]) == 2
    assert "expected a handler" in capsys.readouterr().err
    assert main(["diff", str(before), str(before), "--random", "0"]) == 0
    assert "5 operations and 2 results compared" in capsys.readouterr().out


def test_a_folder_of_values_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, folder = tmp_path / "p.mlir", tmp_path / "probes"
    program.write_text(LOOP)
    folder.mkdir()
    x = np.ones(4, np.float32)
    np.save(tmp_path / "x.npy", x)
    np.save(folder / "z.3.npy", np.full(4, 3, np.float64))  # as floating-point numbers of another type
    np.save(folder / "repeat.z.4.npy", np.full(4, 4, np.float32))
    call = ["diff", str(program), str(folder), str(tmp_path / "x.npy")]
    assert main(call) == 0
    assert "2 operations compared" in capsys.readouterr().out
    np.save(folder / "w.17.npy", np.array([17, 17, 99, 17], np.float32))
    np.save(folder / "q.npy", x)
    assert main(call) == 1
    out = capsys.readouterr().out
    assert f"{program}:15:5: stablehlo.broadcast_in_dim" in out
    assert "iteration 17 of stablehlo.while" in out
    assert f"[2]: {folder} 99, interpreter 17" in out
    assert "not compared: q.npy" in out


def test_a_folder_that_probe_operations_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = STRAIGHT.replace(
        "%2 = stablehlo.sqrt %1 :",
        '%k = interpreter.probe %1, probe_id = "one" : tensor<2x3xf32>\n  %2 = stablehlo.sqrt %k :',
    )
    program, folder = tmp_path / "p.mlir", tmp_path / "probes"
    program.write_text(text)
    folder.mkdir()
    x = np.ones((2, 3), np.float32)
    shlo.run(shlo.parse(text), x, probe_folder=str(folder))
    np.save(tmp_path / "x.npy", x)
    call = ["diff", str(program), str(folder), str(tmp_path / "x.npy")]
    assert main(call) == 0
    np.save(tmp_path / "x.npy", 2 * x)
    assert main(call) == 1
    assert f"{program}:4:3: interpreter.probe" in capsys.readouterr().out


def test_folders_that_are_no_probes_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, folder = tmp_path / "p.mlir", tmp_path / "probes"
    program.write_text(STRAIGHT)
    folder.mkdir()
    call = ["diff", str(program), str(folder), "--random", "0"]
    assert main(call) == 2
    assert "expected .npy files" in capsys.readouterr().err
    (folder / "1.npy").write_bytes(b"nothing")
    assert main(call) == 2
    assert "cannot read" in capsys.readouterr().err
    assert main([*call, "--grid", "1x2"]) == 2


def test_a_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, wrong, record = tmp_path / "p.mlir", tmp_path / "q.mlir", str(tmp_path / "r.shlorec")
    program.write_text(LOOP)
    run = ["run", str(program), "--random", "1", "--record", record]
    assert main([*run, "--record-values", "all"]) == 0
    capsys.readouterr()
    assert main(["diff", str(program), record]) == 0
    assert "none differs" in capsys.readouterr().out
    wrong.write_text(LOOP.replace("maximum %y, %w", "maximum %y, %y"))
    capsys.readouterr()
    assert main(["diff", str(wrong), record]) == 1
    out = capsys.readouterr().out
    assert f"{wrong}:16:5: stablehlo.maximum" in out
    assert " of stablehlo.while at " in out
    assert main(["diff", str(wrong), record, "1"]) == 2
    record = str(tmp_path / "without.shlorec")
    assert main([*run[:-1], record]) == 0
    assert main(["diff", str(program), record]) == 2
    assert "--record-values all" in capsys.readouterr().err
    Path(record).write_bytes(b"nothing")
    assert main(["diff", str(program), record]) == 2
    assert main(["diff", str(program), str(tmp_path / "none.shlorec")]) == 2
