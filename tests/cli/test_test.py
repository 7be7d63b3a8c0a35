"""`shlo test`: which programs it finds, what becomes of each, and what it leaves behind."""

from __future__ import annotations

import json
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
def test_an_editor_gets_the_tests_and_their_outcomes_in_lines_of_json(shlo: Shlo) -> None:
    listed = list(map(json.loads, shlo("test", "tests", "--list", "--format", "json").out.splitlines()))
    good = str(Path("tests/good.mlir"))
    assert {
        "version": 1,
        "name": f"{good}::good",
        "file": good,
        "function": "good",
        "line": 1,
        "column": 1,
        "checks": True,
    } in listed
    assert sorted(test["function"] for test in listed) == ["good", "good"]
    outcome = shlo("test", "tests", "--format", "json")
    verdicts = {line["name"]: line for line in map(json.loads, outcome.out.splitlines())}
    assert outcome.code == 1
    assert verdicts[f"{good}::good"]["verdict"] == "passed"
    failed = verdicts[str(Path("tests/deep/bad.mlir")) + "::good"]
    assert failed["verdict"] == "failed"
    assert failed["place"].endswith("bad.mlir:3:3")
    assert verdicts[str(Path("tests/broken.mlir"))]["verdict"] == "error"


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


def test_a_filter_that_matches_no_test_is_told_from_a_file_without_tests(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "two.mlir"
    path.write_text("func.func @one() { return }\nfunc.func @two() { return }\n")
    for words in ([], ["--list"], ["--format", "json"]):
        outcome = shlo("test", path, "-k", "three", *words)
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err == "error: the filter -k three matches none of 2 tests in 1 file\n"
    allowed = shlo("test", path, "-k", "three", "--allow-none")
    assert (allowed.code, "matches none of 2 tests" in allowed.err) == (0, True)


COVERED = """func.func @covered() {
  %x = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %y = call @helper(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = "stablehlo.reduce"(%y, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %both = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %both : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %chosen = "stablehlo.if"(%yes) ({
    stablehlo.return %sum : tensor<f32>
  }, {
    %no = stablehlo.negate %sum : tensor<f32>
    stablehlo.return %no : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  check.expect_eq_const %chosen, dense<56.0> : tensor<f32>
  %after = stablehlo.negate %chosen : tensor<f32>
  return
}
func.func private @helper(%x: tensor<2xf32>) -> tensor<2xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%k = %i, %v = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %c = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %k, %one : tensor<i32>
    %w = stablehlo.add %v, %v : tensor<2xf32>
    stablehlo.return %n, %w : tensor<i32>, tensor<2xf32>
  }
  return %r#1 : tensor<2xf32>
}
func.func private @never(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""


def covered(shlo: Shlo, path: Path) -> dict[int, int]:
    """Returns how often the operation that begins on each line was executed."""
    *_, line = shlo("test", "--coverage", "--format=json", path).out.splitlines()
    return {line: times for line, _, times in json.loads(line)["coverage"]}


def test_coverage_counts_operations_of_calls_loops_branches_and_regions(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "covered.mlir"
    path.write_text(COVERED)
    times = covered(shlo, path)
    assert [line for line, count in times.items() if not count] == [14, 37]
    assert (times[27], times[30], times[31], times[7]) == (4, 3, 3, 1)
    assert (
        f"{path}: 16 of 18 operations executed (89%); not executed: line 14, 37"
        in shlo("test", "--coverage", path).out
    )


def test_coverage_ends_at_the_check_that_fails(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "covered.mlir"
    path.write_text(COVERED.replace("56.0", "55.0"))
    times = covered(shlo, path)
    assert [line for line, count in times.items() if not count] == [14, 18, 37]


def test_coverage_has_the_lines_of_the_file_for_each_of_its_programs(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "two.mlir"
    path.write_text(f"{GOOD}// -----\n{GOOD}")
    assert covered(shlo, path) == {2: 1, 3: 1, 10: 1, 11: 1}
