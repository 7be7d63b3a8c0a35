"""`shlo conform`: honest engines pass, planted bugs are found and named, and what was not compared is told."""

from __future__ import annotations

import json
import re
import shlex
import sys
import threading
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec import convert

from shlo.cli import main
from shlo.conformance.cases import make_cases, operation_names
from shlo.conformance.edges import leaves_open
from shlo.conformance.judge import JudgedCase, Scorecard, judge_cases, right_results
from shlo.conformance.reducing import reduce_failures
from shlo.conformance.waivers import Waiver, read_waivers, shipped_names
from shlo.engines import engine_of
from shlo.engines.command.tensor_files import read_folder, read_npz
from shlo.engines.engine import ANYWHERE
from shlo.engines.interpreter import InterpreterEngine
from shlo.interpreter.options import RunOptions
from shlo.ir.operations import Module
from shlo.ir.types import F32, I1, I32
from shlo.reference import evaluate_grid
from shlo.syntax import parse
from tests.conform.faults import BUGS, STRUCTURAL, Bug, WrongEngine

BACKEND = shlex.join([sys.executable, str(Path(__file__).parents[1] / "engines" / "backend.py")])


@pytest.mark.parametrize("part", range(4))
def test_the_interpreter_passes_every_case(part: int) -> None:
    scorecard, names = Scorecard("interpreter"), operation_names([])[part::4]
    judge_cases(make_cases(names, "smoke", 0), engine_of("interpreter"), scorecard)
    assert [judged.case.name for judged in scorecard.judged if judged.verdict != "pass"] == []
    assert len({judged.case.subject for judged in scorecard.judged}) > 20
    assert scorecard.conclusion.looked_at == len(scorecard.judged)


@pytest.mark.parametrize("what", [*BUGS, *STRUCTURAL])
def test_a_planted_bug_is_found_and_named_in_an_engine_of_few_types(what: str) -> None:
    operation, bug = {**BUGS, **STRUCTURAL}[what]
    scorecard = Scorecard("wrong")
    names = [f"stablehlo.{operation}", "stablehlo.popcnt"]
    cases = make_cases(names, "full", 0, ["f32", "i32", "i1"])
    judge_cases(cases, WrongEngine(operation, bug, (F32, I32, I1)), scorecard)
    wrong = {judged.case.subject for judged in scorecard.judged if judged.verdict == "wrong"}
    assert wrong == {names[0]}


def test_an_honest_engine_of_few_types_passes_and_refuses_the_rest() -> None:
    scorecard = Scorecard("honest")
    every = sorted({operation for operation, _ in (*BUGS.values(), *STRUCTURAL.values())})
    names = operation_names(every[::3])
    honest = WrongEngine(names[0].partition(".")[2], Bug(), (F32, I32, I1))
    judge_cases(make_cases(names, "smoke", 0), honest, scorecard)
    assert scorecard.counts.keys() == {"pass", "refused"}
    passed = {judged.case.subject for judged in scorecard.judged if judged.verdict == "pass"}
    assert passed == {*names}


def test_cases_of_a_type_are_the_same_whatever_other_types_are_asked_for() -> None:
    every, some = (list(make_cases(["stablehlo.pad"], "smoke", 0, types)) for types in ([], ["i32"]))
    texts = {case.name: case.case.module.to_text() for case in every if case.type == "i32"}
    assert {case.name: case.case.module.to_text() for case in some} == texts


@pytest.mark.parametrize("what", ["reciprocal", "initial value", "order of elements"])
def test_a_failing_program_is_reduced_to_one_that_fails(what: str) -> None:
    operation, bug = BUGS[what]
    scorecard, engine = Scorecard("wrong"), WrongEngine(operation, bug)
    judge_cases(make_cases([f"stablehlo.{operation}"], "smoke", 0), engine, scorecard)
    reduce_failures(scorecard, engine)
    assert scorecard.failures
    for judged in scorecard.failures:
        assert judged.reduced is not None
        small = judged.reduced.case
        before, after = (sum(1 for _ in case.case.module.walk()) for case in (judged.case, small))
        assert after <= before
        assert sum(array.size for array in small.case.inputs[0]) <= 4
        again = Scorecard("wrong")
        judge_cases([small], engine, again)
        assert [each.verdict for each in again.judged] == ["wrong"]


def test_a_program_of_a_grid_is_not_reduced() -> None:
    (case, *_) = make_cases(["stablehlo.all_gather"], "smoke", 0)
    scorecard = Scorecard("wrong", [JudgedCase(case, "wrong", "other values")])
    reduce_failures(scorecard, engine_of("interpreter"))
    assert "grid" in scorecard.judged[0].not_reduced


def test_the_same_seed_makes_the_same_cases() -> None:
    first, second = (
        [case.case.module.to_text() for case in make_cases(["stablehlo.gather"], "full", 3)] for _ in "12"
    )
    assert first == second
    assert len(set(first)) > 1


def test_kinds_of_special_values_are_arguments_of_one_program_that_one_engine_gets_in_a_row() -> None:
    cases = list(make_cases(["stablehlo.divide"], "smoke", 0, ["f32"]))
    kinds = [case for case in cases if case.name.split("-")[2] in ("values", "nonfinite", "subnormals")]
    assert len(kinds) == 3
    assert len({id(case.case.module) for case in kinds}) == 1
    threads: list[tuple[int, int]] = []

    class Watched(InterpreterEngine):
        def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:  # type: ignore[override]
            threads.append((id(module), threading.get_ident()))
            return InterpreterEngine.execute(module, arguments, options)

    judge_cases(cases, Watched(ANYWHERE), Scorecard("watched"), jobs=3)
    assert len([pair for pair in threads if pair[0] == id(kinds[0].case.module)]) == 3
    assert len({pair[1] for pair in threads if pair[0] == id(kinds[0].case.module)}) == 1


def test_no_case_converts_numbers_that_the_integer_type_cannot_hold() -> None:
    cases = list(make_cases(["stablehlo.convert"], "full", 0))
    assert len({case.type for case in cases}) > 20
    assert [case.name for case in cases if leaves_open(case.subject, case.case)] == []


@pytest.mark.parametrize("name", ["log", "rsqrt"])
def test_no_case_of_complex_numbers_has_infinite_results(name: str) -> None:
    """Both have some at zero, which no two libraries agree on."""
    cases = list(make_cases([f"stablehlo.{name}"], "full", 0, ["complex<f32>", "complex<f64>"]))
    _, results = zip(*(right_results(case) for case in cases))
    assert all(np.isfinite(result).all() for ((result,),) in results)


def test_cases_of_operations_that_two_dialects_have_have_different_names() -> None:
    names = [case.name for case in make_cases(operation_names(["tan"]), "smoke", 0, ["f32"])]
    assert {"tan-f32-values-0", "chlo.tan-f32-values-0"} <= {*names}
    assert len(names) == len({*names})


def test_operations_on_whole_arrays_have_telling_cases_of_two_and_of_three_dimensions_at_smoke() -> None:
    shapes = [case.case.inputs[0][0].ndim for case in make_cases(["stablehlo.pad"], "smoke", 0, ["f32"])]
    assert {*shapes} == {2, 3}


def test_cases_of_chosen_types_are_of_these_types() -> None:
    cases = list(make_cases(["stablehlo.add"], "smoke", 0, ["f32", "i8"]))
    assert {case.type for case in cases} == {"f32", "i8"}
    assert list(make_cases(["stablehlo.gather"], "smoke", 0, ["f8E3M4"]))


def test_a_report_has_a_page_json_and_junit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "conform",
        "--ops",
        "sine",
        "--engine-command",
        f"{BACKEND} cosine",
        "--reduce",
        "-o",
        str(tmp_path / "report"),
    ]
    assert main(words) == 1
    printed = capsys.readouterr().out
    assert "wrong: sine-" in printed
    assert "  argument 0: dense<" in printed
    report = json.loads((tmp_path / "report/report.json").read_text())
    assert report["version"] == 1
    wrong = [case for case in report["cases"] if case["verdict"] == "wrong"]
    assert {case["name"].split("-")[2] for case in wrong} >= {"values", "subnormals"}
    assert all("stablehlo.sine" in case["reduced"]["program"] for case in wrong)
    suite = ElementTree.parse(tmp_path / "report/junit.xml").getroot()
    assert suite.get("failures") == str(len(wrong))
    assert float(suite.get("time", "0")) > 0.1
    page = (tmp_path / "report/index.html").read_text()
    assert "<h3>Reduced</h3>" in page
    cell = re.search(
        r'<td class="wrong" title="\d of \d cases wrong"><a href="#(.+?)">X \d/\d</a></td>', page
    )
    assert cell is not None
    assert re.search(f'<section id="{cell[1]}"><details id="sine-', page)
    assert '<span class="wrong">X wrong</span>' in page


def test_an_interrupted_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    right: list[str] = []

    def execute(*arguments: Any) -> Any:
        calls.append("")
        if len(calls) == 5:
            raise KeyboardInterrupt
        return plain(*arguments)

    def evaluate(*arguments: Any) -> Any:
        right.append("")
        return evaluate_grid(*arguments)

    plain = InterpreterEngine.execute
    monkeypatch.setattr("shlo.reference.evaluate_grid", evaluate)
    monkeypatch.setattr(InterpreterEngine, "execute", staticmethod(execute))
    words = ["conform", "--ops", "sine", "--ops", "abs", "-o", str(tmp_path / "report")]
    assert main(words) == 2
    assert main(words) == 0
    said = capsys.readouterr().err
    assert "going on after" in said
    assert "--level full has all types" in said
    cases = json.loads((tmp_path / "report/report.json").read_text())["cases"]
    assert all(case["allowed"] and case["judge"] for case in cases)
    names = [case["name"] for case in cases]
    assert len(right) <= len(names) + 1  # that of the case in which the run was interrupted
    judged = len(calls)
    assert main(words) == 0
    assert "going on" not in capsys.readouterr().err
    assert len(calls) - judged == len(names) == len(set(names))


@pytest.mark.parametrize("name", shipped_names())
def test_waivers_that_come_with_shlo_say_why(name: str) -> None:
    for waiver in read_waivers(name):
        assert waiver.reason
        assert waiver.link
        assert operation_names([waiver.op])


@pytest.mark.parametrize("command", [f"{shlex.quote(sys.executable)} missing.py", f"{BACKEND} crash"])
def test_an_engine_that_ends_at_once_is_one_error_before_any_case(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conform", "--ops", "sine", "--engine-command", command]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "expected an engine that runs programs: the command ended" in printed.err


def test_what_an_engine_refuses_is_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--ops", "sine", "--engine-command", f"{BACKEND} refuse"]) == 2
    assert "sine is not supported" in capsys.readouterr().out


def test_a_type_that_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--types", "bf61"]) == 2
    assert "no element type is called 'bf61'" in (told := capsys.readouterr().err)
    assert "did you mean bf16?" in told


def test_a_command_that_is_not_there_is_one_error_before_any_case(capsys: pytest.CaptureFixture[str]) -> None:
    for command, place in (("no-such-backend", "PATH"), ("./no/backend", "/no/backend")):
        assert (
            main(["conform", "--ops", "sine", "--engine-command", f"{command} {{program}} {{results}}"]) == 2
        )
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("error: ")) == ("", 1)
        assert f"cannot start {command}: there is no such command" in printed.err
        assert place in printed.err


def test_waived_and_known_failures_are_named_and_do_not_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shlo.conformance.report.FEW", 2)
    words = ["conform", "--ops", "sine", "--engine-command", f"{BACKEND} cosine"]
    waivers = tmp_path / "waivers.json"
    waivers.write_text('[{"op": "sine", "type": "*", "reason": "the table of sines is being rewritten"}]')
    assert main([*words, "--waivers", str(waivers)]) == 0
    assert "waived (the table of sines is being rewritten): sine-f32-values" in capsys.readouterr().out
    assert main([*words, "-o", str(tmp_path / "before")]) == 1
    capsys.readouterr()
    assert main([*words, "--baseline", str(tmp_path / "before/report.json")]) == 0
    printed = capsys.readouterr().out
    assert "failed in the baseline, too: sine-f32-" in printed
    assert "and 1 more" in printed
    assert "wrong:" not in printed
    refusing = ["conform", "--ops", "sine", "--engine-command", f"{BACKEND} refuse"]
    assert main([*refusing, "--baseline", str(tmp_path / "before/report.json")]) == 2
    right = [
        "conform",
        "--ops",
        "sine",
        "--engine-command",
        f"{BACKEND} right",
        "-o",
        str(tmp_path / "right"),
    ]
    assert main(right) == 0
    half = ["conform", "--ops", "sine", "--engine-command", f"{BACKEND} refuse-f32"]
    assert main([*half, "--baseline", str(tmp_path / "right/report.json")]) == 2
    waivers.write_text('[{"op": "sine", "case": "nothing", "reason": "no case is called so"}]')
    assert main([*words, "--waivers", str(waivers)]) == 1
    waivers.write_text('[{"op": "sine"}]')
    assert main([*words, "--waivers", str(waivers)]) == 2


@pytest.mark.parametrize(
    ("what", "fitting", "other"),
    [
        ("quotient downwards", {"elements": ["-*", "*, -*"]}, {"elements": ["*, 0: *"]}),
        ("indices from the end", {"aspects": ["start_indices: be*"]}, {"aspects": ["start_indices: rank 7"]}),
    ],
)
def test_a_waiver_covers_the_faults_that_it_describes_alone(
    what: str, fitting: dict[str, list[str]], other: dict[str, list[str]]
) -> None:
    operation, bug = {**BUGS, **STRUCTURAL}[what]
    verdicts: list[set[str]] = []
    for words in (fitting, other):
        waivers = [convert({"op": operation, "reason": "known", **words}, Waiver)]
        scorecard = Scorecard("wrong")
        cases = make_cases([f"stablehlo.{operation}"], "full", 0, ["i32"])
        judge_cases(cases, WrongEngine(operation, bug), scorecard, waivers)
        verdicts.append({judged.verdict for judged in scorecard.judged})
    assert verdicts == [{"pass", "waived"}, {"pass", "wrong"}]


@pytest.mark.parametrize(("flag", "name"), [("--baseline", "manifest.json"), ("--cases", ".")])
def test_json_that_is_nested_too_deep_is_told(
    flag: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifest.json").write_text('{"other": ' + "[" * 100_000)
    assert main(["conform", "--ops", "sine", flag, str(tmp_path / name)]) == 2
    assert "cannot read" in capsys.readouterr().err


def test_a_wrong_case_of_a_narrow_type_is_judged_without_a_warning() -> None:
    operation, bug = BUGS["padding value"]
    scorecard = Scorecard("wrong")
    with warnings.catch_warnings(action="error"):
        judge_cases(
            make_cases([f"stablehlo.{operation}"], "full", 0, ["f16"]), WrongEngine(operation, bug), scorecard
        )
    assert "wrong" in scorecard.counts


def test_an_exported_suite_has_programs_arguments_and_results(tmp_path: Path) -> None:
    assert main(["conform", "--ops", "transpose", "--export", str(tmp_path / "suite")]) == 0
    manifest = json.loads((tmp_path / "suite/manifest.json").read_text())
    assert manifest["cases"]
    for case in manifest["cases"]:
        folder = tmp_path / "suite" / case["name"]
        module = parse((folder / "program.mlir").read_text())[0]
        results = engine_of("interpreter").execute(module, read_npz(folder / "arguments.npz"), RunOptions())
        for result, raw in zip(results, read_folder(folder / "expected", ()), strict=True):
            assert result.tobytes() == raw.tobytes()


def test_cases_of_a_folder_are_judged_by_the_results_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite, programs = str(tmp_path / "suite"), str(tmp_path / "programs")
    chosen = ["--ops", "sine", "--ops", "add", "--types", "f32"]
    assert main(["conform", *chosen, "--export", suite]) == 0
    assert main(["fuzz", "--count", "2", "--export", programs]) == 0
    both = ["conform", "--cases", suite, "--cases", programs]
    assert main(both) == 0
    capsys.readouterr()
    report = tmp_path / "report"
    assert main([*both, "--engine-command", f"{BACKEND} cosine", "-j", "1", "-o", str(report)]) == 1
    cases = json.loads((report / "report.json").read_text())["cases"]
    assert {case["op"] for case in cases if case["verdict"] == "wrong"} == {"stablehlo.sine"}
    assert {"suite", "programs"} == {case["name"].partition("/")[0] for case in cases}
    (tmp_path / "suite/manifest.json").write_text(
        '{"version": 1, "cases": [{"name": "../x", "op": "", "type": ""}]}'
    )
    assert main(both) == 2
    assert "expected the name of a folder in it" in capsys.readouterr().err
