"""The first wrong operation of a program that an engine only runs as a whole: named, in few runs, wherever it
is.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.cli import main
from shlo.divergence.diff import diff_run
from shlo.divergence.findings import Bisection
from shlo.engines.engine import ANYWHERE, EngineFailure
from shlo.engines.interpreter import InterpreterEngine
from shlo.interpreter.options import RunOptions
from shlo.ir.operations import Module
from shlo.syntax import parse

EXAMPLES = Path(__file__).parents[2] / "examples"
BACKEND = shlex.join([sys.executable, str(Path(__file__).parents[1] / "engines" / "backend.py")])
MOST_RUNS = 12


class WholeProgramEngine(InterpreterEngine):
    """A compiler with a bug, that refuses programs of a single operation."""

    def __init__(self, wrong: str, instead: str) -> None:
        super().__init__(ANYWHERE)
        self.runs = 0
        self._bug = wrong, instead

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        if sum(1 for _ in module.walk()) <= 3:
            raise EngineFailure("refused", "expected a whole program")
        self.runs += 1
        with np.errstate(all="ignore"):
            return super().execute(self.compiled(module), arguments, options)

    def compiled(self, module: Module) -> Module:
        """Returns the program with the bug."""
        text, count = re.subn(*self._bug, module.to_text())
        assert count
        return parse(text)[0]


def bisected(module: Module, arguments: Sequence[Any], engine: WholeProgramEngine) -> Bisection:
    """Returns what bisecting a program finds, whose runs are those that the engine made."""
    options = RunOptions()
    found = diff_run([module], [arguments], options, engine, compares_operations=False, bisects=True)
    assert found.bisection is not None, found
    assert found.bisection.runs == engine.runs
    return found.bisection


def named(bisection: Bisection) -> tuple[str, ...]:
    """Returns the operation that a bisection names, behind the path to it, without places."""
    finding = bisection.finding
    assert finding is not None, bisection
    return (*(part.partition(" at ")[0] for part in finding.path), finding.operation)


@pytest.mark.parametrize(
    ("wrong", "instead", "operation", "line"),
    [
        ("stablehlo.rsqrt", "stablehlo.sqrt", "stablehlo.rsqrt", 27),
        (
            r"stablehlo.exponential (%\d+ : tensor<48x128)",
            "stablehlo.exponential_minus_one \\1",
            "stablehlo.exponential",
            102,
        ),
        ("chlo.erfc", "chlo.erf", "chlo.erfc", 99),
        ("stablehlo.log ", "stablehlo.log_plus_one ", "stablehlo.log", 529),
        (r"maximum across dimensions = \[2\]", "minimum across dimensions = [2]", "stablehlo.reduce", 49),
        ("GE,", "GT,", "stablehlo.compare", 503),
    ],
)
def test_a_bug_in_a_transformer_is_named_in_few_runs(
    wrong: str, instead: str, operation: str, line: int
) -> None:
    module = shlo.load(EXAMPLES / "transformer.mlir")
    with np.load(EXAMPLES / "transformer.npz") as archive:
        arguments = [archive[name] for name in archive]
    bisection = bisected(module, arguments, WholeProgramEngine(wrong, instead))
    assert bisection.runs <= MOST_RUNS
    assert bisection.finding is not None
    assert bisection.finding.operation == operation
    assert str(bisection.finding.place).split(":")[-2] == str(line)


LOOPS = """
func.func @main(%x: tensor<2xf32>, %flag: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = func.call @outer(%x, %flag) : (tensor<2xf32>, tensor<i1>) -> tensor<2xf32>
  %1 = stablehlo.tanh %0 : tensor<2xf32>
  return %1, %0 : tensor<2xf32>, tensor<2xf32>
}
func.func private @outer(%x: tensor<2xf32>, %flag: tensor<i1>) -> tensor<2xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<20> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%k = %i, %v = %x) : tensor<i32>, tensor<2xf32>
    cond {
      %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %k1 = stablehlo.add %k, %one : tensor<i32>
      %w = "stablehlo.if"(%flag) ({
        %r:2 = stablehlo.while(%j = %i, %u = %v) : tensor<i32>, tensor<2xf32>
          cond {
            %c = stablehlo.compare LT, %j, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          } do {
            %j1 = stablehlo.add %j, %one : tensor<i32>
            %f = func.call @inner(%u) : (tensor<2xf32>) -> tensor<2xf32>
            stablehlo.return %j1, %f : tensor<i32>, tensor<2xf32>
          }
        stablehlo.return %r#1 : tensor<2xf32>
      }, {
        %y = stablehlo.cosine %v : tensor<2xf32>
        stablehlo.return %y : tensor<2xf32>
      }) : (tensor<i1>) -> tensor<2xf32>
      stablehlo.return %k1, %w : tensor<i32>, tensor<2xf32>
    }
  return %0#1 : tensor<2xf32>
}
func.func private @inner(%x: tensor<2xf32>) -> tensor<2xf32> {
  %step = stablehlo.constant dense<0.25> : tensor<2xf32>
  %0 = stablehlo.subtract %x, %step : tensor<2xf32>
  %1 = stablehlo.abs %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
"""


def test_a_bug_inside_of_loops_branches_and_calls_is_named_with_the_iterations() -> None:
    engine = WholeProgramEngine(r"stablehlo.abs (%\w+) :", r"stablehlo.maximum \1, \1 :")
    bisection = bisected(shlo.parse(LOOPS), [np.array([2.0, 7.0], np.float32), True], engine)
    # the ninth subtraction makes the first element negative
    assert named(bisection) == (
        "call of @outer",
        "iteration 4 of stablehlo.while",
        "region 0 of stablehlo.if",
        "iteration 2 of stablehlo.while",
        "call of @inner",
        "stablehlo.abs",
    )
    assert bisection.runs < 20


class Shy(WholeProgramEngine):
    """A compiler whose bug is not there where a program has more results."""

    def compiled(self, module: Module) -> Module:
        is_watched = len(module.functions["main"].type.results) > 1
        return module if is_watched else super().compiled(module)


def test_a_fault_that_hides_is_told_with_what_is_left() -> None:
    lines = ["func.func @main(%v0: tensor<2xf32>) -> tensor<2xf32> {"]
    lines += [f"%v{at + 1} = stablehlo.sine %v{at} : tensor<2xf32>" for at in range(6)]
    module = shlo.parse("\n".join([*lines, "return %v6 : tensor<2xf32> }"]))
    engine = Shy("stablehlo.sine", "stablehlo.cosine")
    bisection = bisected(module, [np.array([0.5, 1.0], np.float32)], engine)
    assert bisection.finding is None
    assert bisection.between is not None
    assert bisection.between[2] == 6
    assert "right where values in between are results" in bisection.note


def test_diff_bisects_what_a_command_gets_wrong_and_says_in_how_many_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(
        """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
          %0 = stablehlo.negate %a : tensor<2xf32>
          %1 = stablehlo.sine %0 : tensor<2xf32>
          %2 = stablehlo.add %1, %a : tensor<2xf32>
          return %2 : tensor<2xf32>
        }"""
    )
    command = f"{BACKEND} cosine {{program}} {{arguments}} {{results}}"
    words = ["diff", str(path), "[0.5, 1.0]", "--engine-command", command]
    assert main(words) == 1
    assert "in 4 runs of the command" in capsys.readouterr().out
    assert main([*words, "--format", "json"]) == 1
    bisection = json.loads(capsys.readouterr().out)["bisection"]
    assert (bisection["runs"], bisection["finding"]["operation"]) == (4, "stablehlo.sine")
    assert bisection["finding"]["place"].endswith("p.mlir:3:11")


@pytest.mark.parametrize("mode", ["operation", "whole"])
def test_an_issue_has_a_reduced_program_and_a_command_that_shows_the_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: str
) -> None:
    path, issue = tmp_path / "p.mlir", tmp_path / "issue.md"
    lines = ["func.func @main(%v0: tensor<2xf32>) -> tensor<2xf32> {"]
    lines += [f"%v{at + 1} = stablehlo.negate %v{at} : tensor<2xf32>" for at in range(4)]
    lines += ["%s = stablehlo.sine %v4 : tensor<2xf32>", "%r = stablehlo.add %s, %v0 : tensor<2xf32>"]
    path.write_text("\n".join([*lines, "return %r : tensor<2xf32> }"]))
    words = ["diff", str(path), "[0.5, 1.0]", "--engine-command", f"{BACKEND} cosine"]
    assert main([*words, "--by", mode, "--issue", str(issue)]) == 1
    text = issue.read_text()
    names = [operation.name for operation, _ in shlo.load(tmp_path / "issue.mlir").walk()]
    assert names == ["func.func", "stablehlo.sine", "func.return"]
    for part in (
        "# Wrong results of stablehlo.sine",
        "stablehlo.sine %arg0",
        "argument 0:",
        "| expected | got |",
    ):
        assert part in text
    (command,) = re.findall(r"```sh\n(.*)\n```", text)
    capsys.readouterr()
    assert main(shlex.split(command)[1:]) == 1
    assert "stablehlo.sine" in capsys.readouterr().out
