"""The debugger on bytecode and artifacts: their source is the text that MLIR would print."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import shlo
import shlo_bytecode
from shlo.cli import main

LOOP = """module {
  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<2xf32>
    cond {
      %c_1 = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      %2 = func.call @twice(%iterArg_0) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<2xf32>
    }
    return %0#1 : tensor<2xf32>
  }
  func.func private @twice(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""
FORMS = {"bytecode": None, "the oldest": "0.9.0", "the newest": "1.20.0"}


@pytest.fixture(params=FORMS)
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Returns the loop as bytecode, and as artifacts of versions."""
    module, target = shlo.parse(LOOP), FORMS[request.param]
    path = tmp_path / "loop.mlirbc"
    path.write_bytes(
        shlo_bytecode.write(module) if target is None else shlo_bytecode.write_artifact(module, target)
    )
    return path


def line_of(text: str) -> int:
    """Returns the line of the printed program that begins with a text."""
    lines = [line.strip() for line in LOOP.splitlines()]
    return next(number for number, line in enumerate(lines, 1) if line.startswith(text))


def test_breakpoints_of_a_script_are_lines_of_the_printed_text(program: Path, tmp_path: Path, capsys) -> None:
    assert main(["convert", str(program)]) == 0
    assert capsys.readouterr().out == LOOP
    inside, after = line_of("%0 = stablehlo.add %arg0"), line_of("return %0#1")
    script = tmp_path / "commands.txt"
    script.write_text(
        f"break {inside}\ncontinue\ncontinue\nup\ndelete 1\nbreak {after}\ncontinue\nback\nlist\n"
    )
    assert main(["debug", str(program), "[1.0, 2.0]", "--script", str(script)]) == 0
    out = capsys.readouterr().out
    assert out.count("@twice, breakpoint 1") == 2
    assert "%arg0 = [2., 4.]" in out
    assert "@main, breakpoint 2" in out
    assert f"{after}     return %0#1 : tensor<2xf32>" in out


@pytest.mark.asyncio
async def test_the_screen_shows_the_printed_text_and_stops_at_its_lines(drive, program: Path) -> None:
    async with drive(program, "[1.0, 2.0]", size=(120, 40)) as debugger:
        assert "func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {" in debugger.text
        assert debugger.line == line_of("%c = stablehlo.constant")
        inside = line_of("%0 = stablehlo.add %arg0")
        await debugger.press("colon")
        await debugger.type(f"break {inside}")
        for _ in range(2):
            await debugger.press("c")
            assert debugger.line == inside
        assert "[2." in debugger.text
        await debugger.press("C")
        assert debugger.line == inside


def test_a_large_constant_does_not_fill_the_script_or_the_screen(tmp_path: Path, capsys) -> None:
    numbers = np.arange(1 << 18, dtype=np.float32).tobytes().hex().upper()
    type_ = f"tensor<{1 << 18}xf32>"
    text = (
        f'func.func @main() -> tensor<1xf32> {{\n  %c = stablehlo.constant dense<"0x{numbers}"> : {type_}\n'
        f"  %0 = stablehlo.slice %c [7:8] : ({type_}) -> tensor<1xf32>\n  return %0 : tensor<1xf32>\n}}\n"
    )
    path, script = tmp_path / "large.bc", tmp_path / "commands.txt"
    path.write_bytes(shlo_bytecode.write_artifact(shlo.parse(text), "1.0.0"))
    script.write_text("next\nnext\nlist\nprint %0\n")
    assert main(["debug", str(path), "--script", str(script)]) == 0
    out = capsys.readouterr().out
    assert "[7.]" in out
    assert len(out) < 5_000
