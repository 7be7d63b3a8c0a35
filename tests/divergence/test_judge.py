"""`shlo diff --judge`: which side is nearer to the exact value, and where there is none to agree on."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import shlo
from shlo.cli import main
from shlo.divergence.diff import diff_run
from shlo.divergence.findings import RunDifference
from shlo.divergence.judge import Judge
from shlo.engines.engine import ANYWHERE
from shlo.engines.interpreter import InterpreterEngine
from shlo.interpreter.options import RunOptions
from shlo.ir.operations import Module
from shlo.syntax import parse


class OtherEngine(InterpreterEngine):
    """The interpreter, with some text of a program replaced."""

    name = "other"

    def __init__(self, old: str, new: str) -> None:
        super().__init__(ANYWHERE)
        self._change = old, new

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        return super().execute(parse(re.sub(*self._change, module.to_text()))[0], arguments, options)


def judged(
    lines: Sequence[str], old: str, new: str, *arguments: float, by: Literal["f64", "reference"] = "f64"
) -> RunDifference:
    """Returns what a judge says of a program of numbers whose result is `%r`."""
    takes = ", ".join(f"%a{at}: tensor<f32>" for at in range(len(arguments)))
    body = "\n".join(lines)
    module = shlo.parse(f"func.func @main({takes}) -> tensor<f32> {{\n{body}\nreturn %r : tensor<f32> }}")
    inputs = [[np.float32(argument) for argument in arguments]]
    judge = Judge(by, ("interpreter", "other"))
    return diff_run([module], inputs, RunOptions(), OtherEngine(old, new), judge=judge)


@pytest.mark.parametrize("by", ["f64", "reference"])
def test_the_nearer_side_is_told(by: Literal["f64", "reference"]) -> None:
    found = judged(["%r = stablehlo.sine %a0 : tensor<f32>"], "sine", "tanh", 0.5, by=by)
    for finding in (found.alone[0], found.results[0]):
        assert finding.judgement is not None
        assert finding.judgement.nearer == "interpreter"
        assert finding.judgement.exact[0].real == pytest.approx(np.sin(0.5), abs=1e-15)
        assert not finding.judgement.note


def test_the_engine_may_be_the_nearer_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(
        """func.func @main(%x: tensor<f32>) -> tensor<f32> {
          %c = stablehlo.constant dense<1.0> : tensor<f32>
          %0 = stablehlo.add %x, %c : tensor<f32>
          %1 = stablehlo.subtract %0, %c : tensor<f32>
          return %1 : tensor<f32>
        }"""
    )
    assert main(["diff", str(path), "1e-9", "--judge", "f64", "--format", "json"]) == 1
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["judgement"]["nearer"] == "xla"


def test_what_cancels_is_told_to_be_zero_in_exact_arithmetic() -> None:
    lines = [
        "%0 = stablehlo.add %a0, %a1 : tensor<f32>",
        "%1 = stablehlo.subtract %0, %a0 : tensor<f32>",
        "%r = stablehlo.subtract %1, %a1 : tensor<f32>",
    ]
    (finding,) = judged(lines, "subtract %1, %arg1", "add %1, %arg1", 1.25e8, 1.1).results
    assert finding.judgement is not None
    assert "zero in exact arithmetic, as terms cancel" in finding.judgement.note
    (finding,) = judged(["%r = stablehlo.subtract %a0, %a0 : tensor<f32>"], "subtract", "add", 1.0).results
    assert finding.judgement is not None
    assert not finding.judgement.note  # one side is zero, the other has a bug


def loop(factor: str) -> list[str]:
    """Returns the lines of `x = factor * x * (1 - x)`, forty times."""
    return f"""
      %i = stablehlo.constant dense<0> : tensor<i32>
      %n = stablehlo.constant dense<40> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %f = stablehlo.constant dense<{factor}> : tensor<f32>
      %unit = stablehlo.constant dense<1.0> : tensor<f32>
      %l:2 = stablehlo.while(%k = %i, %x = %a0) : tensor<i32>, tensor<f32>
        cond {{
          %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }} do {{
          %k1 = stablehlo.add %k, %one : tensor<i32>
          %d = stablehlo.subtract %unit, %x : tensor<f32>
          %p = stablehlo.multiply %x, %d : tensor<f32>
          %y = stablehlo.multiply %f, %p : tensor<f32>
          stablehlo.return %k1, %y : tensor<i32>, tensor<f32>
        }}
      %r = stablehlo.sine %l#1 : tensor<f32>""".splitlines()


def test_a_loop_in_which_the_last_bit_grows_is_told_with_its_growth() -> None:
    (chaotic,) = judged(loop("4.0"), "sine", "cosine", 0.37).chaotic
    assert "stablehlo.while" in chaotic.title
    assert chaotic.first < 1e-6 < 1e-2 < chaotic.last
    assert 1.3 < chaotic.growth < 2.5
    assert judged(loop("2.5"), "sine", "cosine", 0.37).chaotic == []
