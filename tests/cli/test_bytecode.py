"""Commands on files of bytecode."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

import shlo_bytecode
from shlo import parse
from shlo.ir.version import STABLEHLO_VERSION
from shlo.runner.capture import CaptureHeader, write_capture
from tests.cli.conftest import Shlo
from tests.oracle import Oracle

TEXT = """module {
  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


@pytest.fixture
def files(oracle: Oracle, tmp_path: Path) -> list[str]:
    """Returns the program as bytecode and as a portable artifact."""
    made = {"program.mlirbc": oracle.bytecode(TEXT), "artifact.mlirbc": oracle.artifact(TEXT, "1.0.0")}
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
    return [str(tmp_path / name) for name in made]


def test_bytecode_runs(shlo: Shlo, files: list[str]) -> None:
    for file in files:
        outcome = shlo("run", file, "[1.0, 2.0]")
        assert (outcome.code, outcome.out) == (0, "result 0: tensor<2xf32>\n[2., 4.]\n")


def test_bytecode_is_printed_as_text(shlo: Shlo, files: list[str]) -> None:
    for file in files:
        assert shlo("fmt", file).out == TEXT
        assert shlo("check", file).code == 0


def test_a_check_of_bytecode_takes_no_memory_for_weights(shlo: Shlo, tmp_path: Path) -> None:
    file, elements = tmp_path / "weights.mlirbc", 1 << 19
    text = f'stablehlo.constant dense<"0x{b"weight!!".hex() * (elements // 2)}"> : tensor<{elements}xf32>'
    file.write_bytes(shlo_bytecode.write(parse(f"func.func @main() {{ %0 = {text} return }}")))
    shlo("check", str(file))  # imports
    tracemalloc.start()
    try:
        assert shlo("check", str(file)).code == 0
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.5 * 4 * elements


@pytest.mark.parametrize("command", ["check", "convert", "inspect"])
def test_an_artifact_with_a_later_operation_names_its_version_and_both_remedies(
    shlo: Shlo, tmp_path: Path, command: str
) -> None:
    data = shlo_bytecode.write_artifact(parse(TEXT), "1.22.0")
    file = tmp_path / "later.mlirbc"
    file.write_bytes(data.replace(b"add_v1", b"add_v9").replace(b"v1.22.0", b"v1.23.0"))
    outcome = shlo(command, file)
    assert outcome.code == (1 if command == "check" else 0)
    assert "vhlo.add_v9: VHLO has no such operation" in outcome.err
    assert "the artifact is of version 1.23.0" in outcome.err
    assert f"export the program for version {STABLEHLO_VERSION} or earlier, or update shlo" in outcome.err


def test_bytecode_is_not_replaced_by_text(shlo: Shlo, files: list[str]) -> None:
    before = Path(files[0]).read_bytes()
    assert shlo("fmt", "--in-place", files[0]).code == 2
    assert Path(files[0]).read_bytes() == before


def test_the_place_of_damage_is_told(shlo: Shlo, files: list[str]) -> None:
    path = Path(files[0])
    path.write_bytes(path.read_bytes()[:-10])
    outcome = shlo("run", files[0], "[1.0, 2.0]")
    assert outcome.code == 2
    assert "program.mlirbc: byte " in outcome.err


CHECKED = """func.func @right() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %0, dense<1> : tensor<i32>
  return
}
func.func @wrong() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %0, dense<2> : tensor<i32>
  return
}
"""
INVALID = """func.func @main(%arg0: tensor<2xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.abs"(%arg0) : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""


def test_tests_in_bytecode_are_run(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "checks.mlirbc"
    path.write_bytes(shlo_bytecode.write(parse(CHECKED)))
    outcome = shlo("test", path)
    assert outcome.code == 1
    assert "1 passed, 1 failed" in outcome.out
    assert "checks.mlirbc::wrong" in outcome.out
    assert "checks.mlirbc:9:5" in outcome.out  # in the text that `shlo convert` prints
    assert [line.strip() for line in shlo("convert", path).out.splitlines()][8].startswith(
        "check.expect_eq_const"
    )


def test_findings_in_bytecode_have_places_in_its_printed_text(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "invalid.mlirbc"
    path.write_bytes(shlo_bytecode.write(parse(INVALID)))
    for command in (("check",), ("run", "--zeros")):
        outcome = shlo(command[0], path, *command[1:])
        assert outcome.code == 1
        assert outcome.err.startswith(f"{path}:3:")
        assert "abs" in outcome.err.splitlines()[1]


def test_bytecode_is_folded_and_refined(shlo: Shlo, files: list[str]) -> None:
    for file in files:
        assert shlo("fold", file).out == TEXT
        assert shlo("refine", file, "tensor<2xf32>").out == TEXT


def test_a_capture_is_named_as_one(shlo: Shlo, tmp_path: Path) -> None:
    path = str(tmp_path / "step_5.shlo")
    write_capture(path, "module {}", {}, CaptureHeader("shlo-capture", 1))
    outcome = shlo("inspect", path)
    assert (outcome.code, "hint: this is a capture: " in outcome.err) == (2, True)
