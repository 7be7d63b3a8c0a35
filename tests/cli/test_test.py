"""`shlo test`: which programs it finds, what becomes of each, and what it leaves behind."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from .conftest import Shlo

pytestmark = pytest.mark.slow

GOOD = """func.func @good() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi32>
  return
}
func.func @takes_arguments(%x: tensor<f32>) { return }
func.func private @helper() { return }
"""
BAD = GOOD.replace("dense<[1, 2]> : tensor<2xi32>\n  return", "dense<[1, 3]> : tensor<2xi32>\n  return")
ENDLESS = """func.func @endless() {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%again = %true) : tensor<i1>
  cond { stablehlo.return %again : tensor<i1> } do { stablehlo.return %again : tensor<i1> }
  return
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("tests/deep").mkdir(parents=True)
    Path("tests/good.mlir").write_text(GOOD)
    Path("tests/deep/bad.mlir").write_text(BAD)
    Path("tests/broken.mlir").write_text("func.func @broken(")
    Path("tests/notes.txt").write_text("no program")
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_each_public_function_without_arguments_is_a_test(shlo: Shlo, workers: str) -> None:
    outcome = shlo("test", "tests", "-j", workers, "--junit", "report.xml")
    assert outcome.code == 1
    assert outcome.out.splitlines()[-1].startswith("1 passed, 2 failed")
    assert f"FAILED {Path('tests/deep/bad.mlir')}::good\n" in outcome.out
    assert "bad.mlir:3:3: check.expect_eq_const:" in outcome.out
    suite = ElementTree.parse("report.xml").getroot()
    assert [suite.get(key) for key in ("tests", "failures", "errors")] == ["3", "1", "1"]


@pytest.mark.usefixtures("folder")
def test_tests_are_chosen_by_a_word_of_their_names(shlo: Shlo) -> None:
    outcome = shlo("test", "tests", "-k", "good.mlir::GOOD", "-v")
    assert f"{Path('tests/good.mlir')}::good PASSED\n" in outcome.out
    assert "bad.mlir" not in outcome.out


def test_programs_of_a_split_file_stand_alone(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "two.mlir"
    path.write_text(f"{GOOD}\n// -----\n{BAD}")
    outcome = shlo("test", path)
    assert f"FAILED {path}#1::good\n  {path}:12:3: " in outcome.out


def test_endless_test_stops_at_the_budget(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "endless.mlir"
    path.write_text(ENDLESS)
    outcome = shlo("test", path, "--max-steps", "100")
    assert (outcome.code, "budget of 100 steps" in outcome.out) == (1, True)


@pytest.mark.parametrize(("text", "target"), [(None, "nowhere.mlir"), ("", "empty.mlir")])
def test_nothing_to_test_is_an_error(shlo: Shlo, tmp_path: Path, text: str | None, target: str) -> None:
    if text is not None:
        (tmp_path / target).write_text(text)
    outcome = shlo("test", tmp_path / target)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: there ")
