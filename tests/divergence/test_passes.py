"""`shlo diff --bisect-passes`: the pass of XLA that makes the results of a program wrong is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import shlo
from shlo.cli import main
from shlo.divergence.diff import diff_run
from shlo.divergence.passes import bisect_passes
from shlo.divergence.tolerances import Tolerances
from shlo.engines.engine import Placement
from shlo.engines.xla.separate import SeparateXlaEngine
from shlo.interpreter.options import RunOptions

PLUS_ONE_MINUS_ONE = (
    "%c = constant dense<1.0> : T",
    "%0 = add %a0, %c : T",
    "%r = subtract %0, %c : T",
)


@pytest.fixture(scope="module")
def xla() -> Iterator[SeparateXlaEngine]:
    """XLA in a child process, which optimises as it does for users."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("XLA_FLAGS", raising=False)
        yield SeparateXlaEngine(Placement(is_separate=True))


def program(lines: tuple[str, ...], arguments: int) -> str:
    """Returns a program of numbers whose result is `%r`, of lines without the dialect."""
    takes = ", ".join(f"%a{at}: tensor<f32>" for at in range(arguments))
    body = "\n".join(line.replace(" = ", " = stablehlo.").replace(": T", ": tensor<f32>") for line in lines)
    return f"func.func @main({takes}) -> tensor<f32> {{\n{body}\nreturn %r : tensor<f32> }}"


@pytest.mark.parametrize(
    ("expected", "arguments", "lines"),
    [
        ("algsimp", [1e-9], PLUS_ONE_MINUS_ONE),
        (
            "algsimp",
            [1.25],
            ("%c = constant dense<1.0e8> : T", "%0 = subtract %a0, %c : T", "%r = add %0, %c : T"),
        ),
        (
            "algsimp",
            [1e20],
            (
                "%c = constant dense<1.0e30> : T",
                "%d = constant dense<1.0e-30> : T",
                "%0 = multiply %a0, %c : T",
                "%r = multiply %0, %d : T",
            ),
        ),
        ("algsimp", [100], ("%0 = exponential %a0 : T", "%r = log %0 : T")),
        (
            "algsimp",
            [100, 99],
            ("%0 = exponential %a0 : T", "%1 = exponential %a1 : T", "%r = divide %0, %1 : T"),
        ),
        ("algsimp", [1e30, 1e20, 1e20], ("%0 = divide %a1, %a2 : T", "%r = divide %a0, %0 : T")),
        (
            "fusion",
            [1e30, 1e20, -1e20],
            ("%0 = multiply %a0, %a1 : T", "%1 = multiply %a0, %a2 : T", "%r = add %0, %1 : T"),
        ),
    ],
    ids=["(x+1)-1", "(x-c)+c", "x*c*d", "log(exp)", "exp/exp", "a/(b/c)", "ab+ac"],
)
def test_the_pass_that_makes_a_result_wrong_is_named(
    xla: SeparateXlaEngine, expected: str, arguments: list[float], lines: tuple[str, ...]
) -> None:
    module = shlo.parse(program(lines, len(arguments)))
    inputs = [[np.float32(argument) for argument in arguments]]
    assert diff_run([module], inputs, RunOptions(), xla, compares_operations=False).results
    found = bisect_passes([module], inputs, RunOptions(), xla, Tolerances())
    assert found.passes == [expected], found
    assert expected in found.candidates
    assert xla.compiler_options == ()


def test_diff_names_the_pass_and_refuses_where_there_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(program(PLUS_ONE_MINUS_ONE, 1))
    assert main(["diff", str(path), "1e-9", "--bisect-passes"]) == 1
    assert "XLA's pass that makes them wrong: algsimp" in capsys.readouterr().out
    assert main(["diff", str(path), "1e-9", "--bisect-passes", "--engine", "reference"]) == 2
    assert "expected --engine xla or pjrt:NAME with --bisect-passes" in capsys.readouterr().err
