"""`shlo split`: each unit runs alone and gives what it gave in the program; what is left out is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.cli import main
from shlo.engines.command.tensor_files import read_folder, read_npz
from tests.conform.test_conform import BACKEND

PROGRAM = """
func.func @main(%x: tensor<4xf32>, %flag: tensor<i1>) -> (tensor<4xf32>, tensor<f32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.while(%k = %i, %v = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %k1 = stablehlo.add %k, %one : tensor<i32>
      %w = func.call @twice(%v) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %k1, %w : tensor<i32>, tensor<4xf32>
    }
  %1 = "stablehlo.if"(%flag) ({
    %y = stablehlo.sine %0#1 : tensor<4xf32>
    stablehlo.return %y : tensor<4xf32>
  }, {
    %y = stablehlo.cosine %0#1 : tensor<4xf32>
    stablehlo.return %y : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %2 = func.call @again(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.add %2, %x : tensor<4xf32> loc("jit(f)/tail/add"("f.py":1:1))
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc("jit(f)/tail/sum"("f.py":2:1))
  return %3, %4 : tensor<4xf32>, tensor<f32>
}
func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @again(%b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %b, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def split(folder: Path, *words: str) -> tuple[Path, dict[str, Any]]:
    """Returns the folder of the units of the program, and their manifest."""
    path, units = folder / "p.mlir", folder / "units"
    path.write_text(PROGRAM)
    assert main(["split", str(path), "[1.0, 2.0, -1.0, 0.5]", "true", "-o", str(units), *words]) == 0
    return units, json.loads((units / "manifest.json").read_text())


@pytest.mark.parametrize("by", ["operation", "call", "scope"])
def test_each_unit_runs_alone_and_gives_what_it_gave_in_the_program(tmp_path: Path, by: str) -> None:
    units, manifest = split(tmp_path, "--by", by)
    assert manifest["cases"]
    for case in manifest["cases"]:
        folder = units / case["name"]
        arguments, expected = (read_npz(folder / f"{name}.npz") for name in ("arguments", "expected"))
        assert [array.tolist() for array in read_folder(folder / "expected", ())] == [
            array.tolist() for array in expected
        ]
        results = shlo.run(shlo.load(folder / "program.mlir"), *arguments)
        assert [array.tolist() for array in results] == [array.tolist() for array in expected]


def test_operations_that_are_alike_are_one_unit_with_the_values_of_the_first_execution(
    tmp_path: Path,
) -> None:
    units, manifest = split(tmp_path)
    cases = {case["name"]: case for case in manifest["cases"]}
    assert {name: (case["count"], case["executions"]) for name, case in cases.items()} == {
        "compare-i32-0": (1, 4),
        "add-i32-0": (1, 3),
        "add-f32-0": (3, 5),
        "sine-f32-0": (1, 1),
        "reduce-f32-0": (1, 1),
    }
    arguments = read_npz(units / "add-f32-0" / "arguments.npz")
    assert [array.tolist() for array in arguments] == [[1, 2, -1, 0.5]] * 2
    assert cases["add-f32-0"]["path"][0].startswith("iteration 0 of stablehlo.while")
    assert cases["add-f32-0"]["path"][1].startswith("call of @twice")


def test_what_is_in_no_unit_is_told_with_its_reason(tmp_path: Path) -> None:
    _, manifest = split(tmp_path)
    left_out = {(entry["subject"], entry["count"]): entry["reason"] for entry in manifest["left_out"]}
    assert left_out == {
        ("stablehlo.constant", 4): "the programs hold its value",
        ("stablehlo.cosine", 1): "this run does not reach it",
        ("stablehlo.while", 1): "the operations that it runs are units",
        ("stablehlo.if", 1): "the operations that it runs are units",
        ("func.call", 2): "the operations that it runs are units",
    }


def test_called_functions_and_scopes_are_units(tmp_path: Path) -> None:
    _, calls = split(tmp_path, "--by", "call")
    assert [(case["op"], case["count"]) for case in calls["cases"]] == [("twice", 2)]
    (tmp_path / "units").rename(tmp_path / "calls")
    units, scopes = split(tmp_path, "--by", "scope")
    (tail,) = [case for case in scopes["cases"] if case["op"] == "jit(f)/tail"]
    module = shlo.load(units / tail["name"] / "program.mlir")
    body = module.functions["main"].body
    assert body is not None
    assert sorted(operation.name for operation in body.blocks[0].operations) == [
        "func.return",
        "stablehlo.add",
        "stablehlo.constant",
        "stablehlo.reduce",
    ]


def test_a_folder_with_something_in_it_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "units").mkdir()
    (tmp_path / "units" / "mine.txt").write_text("mine")
    path = tmp_path / "p.mlir"
    path.write_text(PROGRAM)
    words = ["split", str(path), "[1.0, 2.0, -1.0, 0.5]", "true", "-o", str(tmp_path / "units")]
    assert main(words) == 2
    assert "expected -o to name an empty folder" in capsys.readouterr().err
    assert np.array([entry.name for entry in (tmp_path / "units").iterdir()]).tolist() == ["mine.txt"]


@pytest.mark.parametrize("by", ["operation", "scope"])
def test_units_of_a_program_are_cases(by: str, tmp_path: Path) -> None:
    program, units = tmp_path / "wave.mlir", str(tmp_path / "units")
    program.write_text("""
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.sine %x : tensor<4xf32>
        %1 = stablehlo.tanh %0 : tensor<4xf32>
        return %1 : tensor<4xf32>
      }""")
    assert main(["split", str(program), "[1, 2, 3, 4]", "-o", units, "--by", by]) == 0
    assert main(["conform", "--cases", units]) == 0
    assert main(["conform", "--cases", units, "--engine-command", f"{BACKEND} cosine", "--reduce"]) == 1
    assert main(["conform", "--cases", units, "--ops", "gather"]) == 2
