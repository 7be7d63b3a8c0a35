"""Folders of programs, as JAX writes them with `JAX_DUMP_IR_TO`, as one thing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shlo.cli import main

PROGRAM = """func.func @main(%x: tensor<{size}xf32>) -> tensor<{size}xf32> {{
  %y = stablehlo.{op} %x : tensor<{size}xf32>
  return %y : tensor<{size}xf32>
}}
"""


def write(folder: Path, **programs: str) -> str:
    folder.mkdir()
    for name, text in programs.items():
        (folder / f"{name}.mlir").write_text(text)
    return str(folder)


@pytest.fixture
def dumps(tmp_path: Path) -> str:
    return write(
        tmp_path / "dumps",
        jax_ir0010_jit_step_compile=PROGRAM.format(op="sine", size=3),
        jax_ir0002_jit_step_compile=PROGRAM.format(op="cosine", size=2),
        jax_ir0003_jit_f_compile=PROGRAM.format(op="tanh", size=4),
    )


def test_programs_are_listed_in_the_order_of_their_numbers(
    dumps: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", dumps]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[1] for row in rows[:-1]] == ["step", "f", "step#2"]
    assert rows[0][3:] == ["(tensor<2xf32>)", "->", "tensor<2xf32>"]
    assert rows[-1] == ["3", "programs"]
    assert main(["list", dumps, "--format", "json"]) == 0
    assert {row["operations"] for row in json.loads(capsys.readouterr().out)["programs"]} == {3}


def test_lines_are_searched(dumps: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", dumps, "--search", r"stablehlo\.(sine|tanh)"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[2] for line in lines] == [
        "%y = stablehlo.tanh %x : tensor<4xf32>",
        "%y = stablehlo.sine %x : tensor<3xf32>",
    ]
    assert lines[0].startswith(f"{dumps}/jax_ir0003_jit_f_compile.mlir:2:")
    assert main(["list", dumps, "--search", "scatter"]) == 1


@pytest.mark.parametrize(
    ("name", "size"), [("step", 3), ("step#1", 2), ("step#2", 3), ("f", 4), ("jit_f", 4)]
)
def test_a_program_is_run_by_its_name(
    name: str, size: int, dumps: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", f"{dumps}:{name}", "--zeros"]) == 0
    assert f"tensor<{size}xf32>" in capsys.readouterr().out


def test_all_programs_are_checked(dumps: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", dumps]) == 0
    Path(dumps, "wrong.mlir").write_text(PROGRAM.format(op="nothing", size=1))
    assert main(["check", dumps]) == 1
    assert f"{dumps}/wrong.mlir:2:" in capsys.readouterr().err


def test_two_folders_are_compared_program_by_program(
    dumps: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", "--text", dumps, dumps]) == 0
    assert capsys.readouterr().out == "3 programs the same, 0 different, 0 in one folder alone\n"
    other = write(
        tmp_path / "other",
        jax_ir0000_jit_step_compile=PROGRAM.format(op="cosine", size=2),
        jax_ir0001_jit_step_compile=PROGRAM.format(op="tan", size=3),
        jax_ir0002_jit_g_compile=PROGRAM.format(op="abs", size=1),
    )
    assert main(["diff", "--text", dumps, other]) == 1
    shown = capsys.readouterr().out
    assert "stablehlo.tan %arg0" in shown
    assert f"f: only in {dumps}\n" in shown
    assert f"g: only in {other}\n" in shown
    assert shown.endswith("1 program the same, 1 different, 2 in one folder alone\n")
    assert main(["diff", "--text", dumps, other, "--format", "json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert {*answer["programs"], *answer["only_in"]} == {"step", "step#2", "f", "g"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "{}/.."], "has no programs"),
        (["check", "{}/../empty"], "expected files that end with one of .mlir"),
        (["run", "{}/.."], "has no programs"),
        (["run", "{}"], "name a program of it: "),
        (["list", "missing"], "error: cannot read missing: No such file or directory"),
        (["run", "{}:stop"], "has no program stop"),
        (["run", "{}:step#3"], "has no program step#3"),
        (["list", "{}", "--search", "("], "expected a regular expression, got '('"),
        (["diff", "--text", "{}", "{}", "--aligned"], "expected two programs for --aligned"),
    ],
)
def test_what_is_not_there_is_told(
    arguments: list[str], message: str, dumps: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (Path(dumps).parent / "empty").mkdir(exist_ok=True)
    assert main([each.format(dumps) for each in arguments]) == 2
    assert message in capsys.readouterr().err
