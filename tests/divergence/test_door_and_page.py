"""What `shlo diff` says of a difference leads there: into the debugger, and onto a page."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from shlo.cli import main
from shlo.engines import ENGINES

from .faults import FaultyEngine
from .test_engine_against_engine import GRID, LOOP


def differences(capsys: pytest.CaptureFixture[str], *call: str) -> list[dict[str, str]]:
    """Returns the findings of operations alone."""
    assert main(["diff", *call, "--engine", "faulty", "--format", "json"]) == 1
    return json.loads(capsys.readouterr().out)["alone"]


def debugged(capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, *script: str) -> str:
    """Returns what the debugger answers to a script where a command line opens it."""
    path = tmp_path / "script.txt"
    path.write_text("\n".join(script))
    name, *words = shlex.split(command)
    assert name == "shlo"
    assert main([*words, "--script", str(path)]) == 0
    return capsys.readouterr().out


@pytest.fixture
def wrong_maximum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes an engine that is wrong in the iteration 17 of LOOP."""
    engine = FaultyEngine("stablehlo.maximum", (2,), lambda operands: operands[1][0] == 17)
    monkeypatch.setitem(ENGINES, "faulty", lambda _: engine)


@pytest.mark.usefixtures("wrong_maximum")
def test_the_debugger_stops_at_the_operation_in_its_iteration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, argument = tmp_path / "p.mlir", tmp_path / "x with blanks.npy"
    program.write_text(LOOP)
    np.save(argument, np.ones(4, np.float32))
    (found,) = differences(capsys, str(program), str(argument))
    out = debugged(capsys, tmp_path, found["debug"], "print iter", "print %w[0]", "list")
    assert out.count("17") >= 2
    (here,) = [line for line in out.splitlines() if line.startswith("->")]
    assert "stablehlo.maximum" in here


def test_the_debugger_stops_at_the_operation_in_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = FaultyEngine("stablehlo.negate", (1,), lambda operands: operands[0][0] == 30)
    monkeypatch.setitem(ENGINES, "faulty", lambda _: engine)
    program = tmp_path / "p.mlir"
    program.write_text(GRID)
    for process in range(8):
        np.save(tmp_path / f"x{process}.npy", np.full(4, 10.0 * process, np.float32))
    call = str(program), str(tmp_path / "x{process}.npy"), "--grid", "1x8"
    (found,) = differences(capsys, *call)
    assert found["process"] == 3
    out = debugged(capsys, tmp_path, found["debug"], "print %x", "list")
    assert "30" in out
    (here,) = [line for line in out.splitlines() if line.startswith("->")]
    assert "stablehlo.negate" in here


SORTS = """func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %t = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %r#1 : tensor<4xf32>
}
"""


def sections(page: Path) -> str:
    """Returns what a page says of its findings, without tags."""
    written, _, _ = page.read_text().partition("<summary>As text</summary>")
    return unescape(re.sub(r"<[^>]*>", "", written))


def test_a_page_has_all_that_the_text_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = FaultyEngine("stablehlo.maximum", (2,), lambda operands: operands[1][0] >= 17)
    monkeypatch.setitem(ENGINES, "faulty", lambda _: engine)
    program, page = tmp_path / "p.mlir", tmp_path / "page.html"
    program.write_text(LOOP)
    assert (
        main(
            ["diff", str(program), "[1, 1, 1, 1]", "--engine", "faulty", "--format", "html", "-o", str(page)]
        )
        == 1
    )
    assert "and 12 more times" in sections(page)


def test_a_page_of_two_programs_has_what_was_compared(tmp_path: Path) -> None:
    before, after, page = tmp_path / "a.mlir", tmp_path / "b.mlir", tmp_path / "page.html"
    before.write_text(SORTS)
    after.write_text(SORTS.replace("(%x, %y) <", "(%x, %x) <"))
    call = [
        "diff",
        str(before),
        str(after),
        "[4, 3, 2, 1]",
        "[5, 6, 7, 8]",
        "--format",
        "html",
        "-o",
        str(page),
    ]
    assert main(call) == 1
    said = sections(page)
    assert f"compared with {before}:2:3: stablehlo.sort" in said
    assert "result 1: 4 of 4 elements differ" in said


LOG_PLUS_ONE = """func.func @main(%x: tensor<2xf64>) -> tensor<2xf64> {
  %0 = stablehlo.log_plus_one %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}
"""


@pytest.mark.parametrize(
    ("name", "at", "is_known"), [("xla", 0, True), ("xla", 1, False), ("faulty", 0, False)]
)
def test_a_known_difference_of_xla_is_shown_with_its_reason(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    at: int,
    is_known: bool,
) -> None:
    engine = FaultyEngine("stablehlo.log_plus_one", (at,), part=2e-14)
    monkeypatch.setattr(engine, "name", name, raising=False)
    monkeypatch.setitem(ENGINES, "faulty", lambda _: engine)
    program, page = tmp_path / "p.mlir", tmp_path / "page.html"
    program.write_text(LOG_PLUS_ONE)
    call = ["diff", str(program), "[-0.4, 1.0]", "--engine", "faulty"]
    (found,) = differences(capsys, *call[1:3])
    reason = "XLA's log_plus_one of f64 loses up to 7 bits between 1 - sqrt(2) and -1/3"
    assert found["known"] == (reason if is_known else None)
    assert main(call) == 1
    assert (f"    known: {reason}\n" in capsys.readouterr().out) == is_known
    assert main([*call, "--format", "html", "-o", str(page)]) == 1
    assert (f"known: {reason}" in sections(page)) == is_known


@pytest.mark.usefixtures("wrong_maximum")
def test_a_page_has_the_text_and_needs_no_other_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, page = tmp_path / "p<b>.mlir", tmp_path / "page.html"
    program.write_text(LOOP)
    call = ["diff", str(program), "[1, 1, 1, 1]", "--engine", "faulty"]
    assert main(call) == 1
    text = capsys.readouterr().out
    assert "shlo debug" in text
    assert main([*call, "--format", "html", "-o", str(page)]) == 1
    written = page.read_text()
    assert "p<b>" not in written
    assert "src=" not in written
    assert "href=" not in written
    shown = unescape(written)
    for line in text.splitlines():
        assert line in shown
    assert "<h3>" in written
    assert "iteration 17" in written
