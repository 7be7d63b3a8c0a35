"""`shlo fmt`: what it writes, where, and that it leaves broken files alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Shlo

UNTIDY = "// why\nfunc.func   @main(%x:tensor<i32>)->tensor<i32>{return %x:tensor<i32>}  // end\n"
BROKEN = "func.func @main() { %0 = }\n"


@pytest.fixture
def untidy(tmp_path: Path) -> Path:
    path = tmp_path / "untidy.mlir"
    path.write_text(UNTIDY)
    return path


def test_output_keeps_names_and_comments(shlo: Shlo, untidy: Path) -> None:
    outcome = shlo("fmt", untidy)
    assert (outcome.code, untidy.read_text()) == (0, UNTIDY)
    assert "func.func @main(%x: tensor<i32>) -> tensor<i32> {" in outcome.out
    assert "// why" in outcome.out
    assert "// end" in outcome.out


def test_in_place_then_check(shlo: Shlo, untidy: Path) -> None:
    untidy.chmod(0o640)
    assert shlo("fmt", "--check", untidy) == (1, f"{untidy} is not formatted\n", "")
    assert shlo("fmt", "--in-place", untidy) == (0, "", "")
    assert shlo("fmt", "--check", untidy) == (0, "", "")
    assert untidy.stat().st_mode & 0o777 == 0o640


def test_canonical_and_generic_are_what_mlir_prints(shlo: Shlo, untidy: Path) -> None:
    canonical = (
        "module {\n  func.func @main(%arg0: tensor<i32>) -> tensor<i32> {\n    return %arg0 : tensor<i32>\n"
    )
    assert shlo("fmt", "--canonical", untidy).out.startswith(canonical)
    assert '"func.return"(%arg0) : (tensor<i32>) -> ()' in shlo("fmt", "--generic", untidy).out
    assert "loc(" in shlo("fmt", "--generic", "--debug-info", untidy).out


def test_broken_program_is_left_alone(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "broken.mlir"
    path.write_text(BROKEN)
    for options in ([], ["--in-place"], ["--check"], ["--canonical"]):
        outcome = shlo("fmt", path, *options)
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.err.startswith(f"{path}:1:")
    assert path.read_text() == BROKEN


def test_all_texts_of_a_folder_are_tidied_but_broken_ones(shlo: Shlo, tmp_path: Path) -> None:
    untidy, broken = (tmp_path / "inner" / "untidy.mlir", tmp_path / "broken.mlir")
    untidy.parent.mkdir()
    untidy.write_text(UNTIDY)
    broken.write_text(BROKEN)
    (tmp_path / "program.mlirbc").write_bytes(b"ML\xefR")
    checked = shlo("fmt", "--check", tmp_path)
    assert (checked.code, checked.out) == (1, f"{untidy} is not formatted\n")
    assert checked.err.startswith(f"{broken}:1:")
    assert shlo("fmt", "--in-place", tmp_path).code == 1
    assert shlo("fmt", "--check", untidy.parent).code == 0
    assert broken.read_text() == BROKEN


def test_bytes_that_are_no_utf8_survive(shlo: Shlo) -> None:
    text = b'module attributes {a.b = "\xff\\00"} {\n}\n'
    outcome = shlo("fmt", "-", stdin=text)
    assert (outcome.code, outcome.out.encode("utf-8", "surrogateescape")) == (0, text)


@pytest.mark.parametrize("options", [["--debug-info", "x"], ["-i", "-"], ["x", "y"], ["nowhere.mlir"]])
def test_requests_that_make_no_sense(shlo: Shlo, options: list[str]) -> None:
    outcome = shlo("fmt", *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
