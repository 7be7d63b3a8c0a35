"""`shlo fuzz`: planted faults are found, reduced and written; a run ends with a report."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.cli import main
from shlo.cli.runs import fuzz, reduce
from shlo.command_line.options import OptionParser
from shlo.divergence.tolerances import Tolerances
from shlo.engines import ENGINES
from shlo.fuzzing.comparing import Difference
from shlo.fuzzing.reducing import reduced
from shlo.fuzzing.round_trips import ROUND_TRIPS
from shlo.interpreter import RunOptions
from shlo.ir.operations import Module
from shlo_mcp import command as mcp
from tests.reduction.planted import Miscompiling, any_of_them, fed_by


def fuzzed(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, Any]]:
    """Returns the exit code of a run, and what it prints as JSON."""
    code = main(["fuzz", "--seed", "1", "--format", "json", *options])
    return code, json.loads(capsys.readouterr().out)


def test_engines_that_agree(capsys: pytest.CaptureFixture[str]) -> None:
    code, data = fuzzed(capsys, "--engine", "interpreter", "--count", "40")
    assert (code, data["programs"], data["differences"]) == (0, 40, [])
    assert len(data["counts"]) > 60
    assert data["compared"] is True
    assert data["refused"] == {}


def test_a_fault_of_one_operation_is_reduced_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = Miscompiling("stablehlo.cosine", any_of_them)
    monkeypatch.setitem(ENGINES, "faulty", lambda _: wrong)
    options = ("--engine", "faulty", "--count", "9", "--ops", "cosine", "-o", str(tmp_path))
    code, data = fuzzed(capsys, *options)
    assert code == 1
    keys = [each["key"] for each in data["differences"]]
    assert keys
    assert all(key.startswith("stablehlo.cosine of ") for key in keys)
    first = data["differences"][0]
    small = Path(first["path"])
    names = [each.name for each, _ in shlo.load(small).walk()]
    assert [name for name in names if not name.startswith("func.")] == ["stablehlo.cosine"]
    again = ["diff", str(small), str(small.with_suffix(".npz")), "--engine", "faulty"]
    assert main(again) == 1
    assert "cosine" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["polygamma", "zeta"])
def test_a_fault_of_an_operation_with_known_differences_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = Miscompiling(f"chlo.{name}", any_of_them)
    monkeypatch.setitem(ENGINES, "faulty", lambda _: wrong)
    _, data = fuzzed(capsys, "--engine", "faulty", "--count", "12", "--ops", name)
    assert any(each["key"].startswith(f"chlo.{name} of ") for each in data["differences"])


def test_the_command_of_a_written_program_writes_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(ENGINES, "miscompiling", lambda _: Miscompiling("stablehlo.cosine", any_of_them))
    options = ("--engine", "miscompiling", "--ops", "cosi*", "--ops", "abs", "--size", "3", "--no-reduce")
    fuzzed(capsys, *options, "--count", "24", "-o", str(tmp_path / "first"))
    path, *_ = (tmp_path / "first").glob("*.mlir")
    said, *_, program = path.read_text().split("\n", 4)
    name, *words = shlex.split(said.removeprefix("// from: "))
    assert name == "shlo"
    assert main([*words, "--no-reduce", "-o", str(tmp_path / "again")]) == 1
    assert program in [each.read_text().split("\n", 4)[-1] for each in (tmp_path / "again").glob("*.mlir")]


def test_a_fault_that_only_whole_programs_show_is_reduced() -> None:
    text = """func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = stablehlo.add %x, %y : tensor<4xi32>
  %1 = stablehlo.abs %0 : tensor<4xi32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<4xi32>
  %3 = stablehlo.convert %2 : (tensor<4xi32>) -> tensor<4xf32>
  %4 = stablehlo.tanh %3 : tensor<4xf32>
  %5 = stablehlo.reverse %4, dims = [0] : tensor<4xf32>
  %6 = stablehlo.convert %5 : (tensor<4xf32>) -> tensor<4xi32>
  return %2, %6 : tensor<4xi32>, tensor<4xi32>
}
"""
    arrays = [np.arange(4, dtype=np.int32), np.ones(4, np.int32)]
    engine = Miscompiling("stablehlo.tanh", fed_by("convert"))
    difference = Difference("results", 0, "results", "", shlo.parse(text), [arrays])
    wrong = reduced(difference, engine, Tolerances())
    names = [each.name for each, _ in wrong.module.walk()]
    assert "stablehlo.tanh" in names
    assert wrong.operation_count <= 3


def test_where_xla_departs_is_no_difference_of_an_engine_that_follows_the_specification() -> None:
    text = """func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %0 = stablehlo.power %x, %y : tensor<4xi32>
  %1 = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xf32>
  %2 = stablehlo.tanh %1 : tensor<4xf32>
  return %0, %2 : tensor<4xi32>, tensor<4xf32>
}
"""
    arrays = [np.full(4, 3, np.int32), np.full(4, 65, np.int32)]
    engine = Miscompiling("stablehlo.tanh", fed_by("convert"))
    difference = Difference("results", 0, "results", "", shlo.parse(text), [arrays])
    names = [each.name for each, _ in reduced(difference, engine, Tolerances()).module.walk()]
    assert "stablehlo.tanh" in names
    assert "stablehlo.power" not in names


def test_a_program_that_an_engine_refuses_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(
        ENGINES, "faulty", lambda _: Miscompiling("stablehlo.sine", any_of_them, "RET_CHECK failure 17")
    )
    code, data = fuzzed(capsys, "--engine", "faulty", "--count", "9", "--ops", "sine")
    refused = sum(data["refused"].values())
    assert 0 < refused < 9
    assert (code, data["compared"], data["programs"]) == (2, False, 9 - refused)
    assert all(key.startswith("stablehlo.sine of ") for key in data["refused"])
    assert all(key.endswith("RET_CHECK failure N") for key in data["refused"])


def test_an_engine_that_runs_nothing_has_not_been_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = Miscompiling("func.func", any_of_them, "no device")
    monkeypatch.setitem(ENGINES, "faulty", lambda _: wrong)
    assert main(["fuzz", "--engine", "faulty", "--count", "4"]) == 2
    out = capsys.readouterr().out
    assert "0 programs with 0 operations" in out
    assert "4 programs not run" in out
    assert "nothing was compared" in out
    assert "0 differences" not in out


def test_a_result_that_an_engine_lacks_is_a_difference(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Shorter(Miscompiling):
        def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
            return super().execute(module, arguments, options)[:-1]

    monkeypatch.setitem(ENGINES, "faulty", lambda _: Shorter("stablehlo.none", any_of_them))
    code, data = fuzzed(capsys, "--engine", "faulty", "--count", "3")
    assert (code, data["programs"], data["refused"]) == (1, 3, {})
    assert [each["key"] for each in data["differences"]] == ["results: how many"]


def test_a_platform_means_nothing_to_the_interpreter(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--engine", "interpreter", "--platform", "tpu", "--count", "1"]) == 2
    assert "--platform" in capsys.readouterr().err


def test_a_fault_of_a_round_trip_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def loses_floor(module: Module) -> Module:
        return shlo.parse(module.to_text().replace("stablehlo.floor", "stablehlo.ceil"))

    monkeypatch.setitem(ROUND_TRIPS, "text", loses_floor)
    code, data = fuzzed(capsys, "--engine", "interpreter", "--count", "9", "--ops", "floor")
    assert code == 1
    assert {each["what"] for each in data["differences"]} == {"round trip"}
    assert "stablehlo.floor" in data["differences"][0]["text"]
    assert "stablehlo.ceil" in data["differences"][0]["text"]


class Interrupted(Miscompiling):
    """An engine during whose second program the user presses Ctrl-C."""

    def __init__(self) -> None:
        super().__init__("stablehlo.none", any_of_them)
        self._runs = 0

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Runs one program."""
        self._runs += 1
        if self._runs == 2:
            raise KeyboardInterrupt
        return super().execute(module, arguments, options)


def test_an_interrupt_ends_the_run_with_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(ENGINES, "faulty", lambda _: Interrupted())
    assert main(["fuzz", "--engine", "faulty", "--count", "100"]) == 2
    assert "32 programs" in capsys.readouterr().out


def test_a_pattern_that_names_no_operation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--ops", "cosin"]) == 2
    assert "cosine" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["nan", "-1", "inf", "1e300", "soon"])
@pytest.mark.parametrize(
    ("command", "option"),
    [(fuzz, "--time"), (reduce, "--seconds"), (reduce, "--check-seconds"), (mcp, "--seconds")],
)
def test_a_time_that_no_run_can_take_is_refused(
    command: ModuleType, option: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = OptionParser("shlo")
    command.configure(parser)
    with pytest.raises(SystemExit) as ended:
        parser.parse_args([f"{option}={text}"])
    assert ended.value.code == 2
    assert f"{option}: expected seconds, from 0 to 1,000,000, got '{text}'" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("count", ["16", "64"])
def test_xla_agrees_but_for_known_differences(capsys: pytest.CaptureFixture[str], count: str) -> None:
    code, data = fuzzed(capsys, "--count", count)
    assert (code, data["differences"]) == (0, [])
