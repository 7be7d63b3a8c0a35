"""`shlo show`: a recording as a page that steps through it."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from shlo.cli import main

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = stablehlo.while(%i = %one, %y = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %more = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %z = stablehlo.divide %zero, %y : tensor<4xf32>
      stablehlo.return %next, %z : tensor<i32>, tensor<4xf32>
    }
  return %r#1 : tensor<4xf32>
}
"""


@pytest.fixture
def recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    program, path = tmp_path / "p.mlir", tmp_path / "run.shlorec"
    program.write_text(PROGRAM, encoding="utf-8")
    assert main(["run", str(program), "dense<[1.0, 2.0, 3.0, 0.0]>", "--record", str(path)]) == 0
    capsys.readouterr()
    return path


def replay_in(page: str) -> dict[str, Any]:
    """Returns what a page steps through."""
    packed = re.search(r'<shlo-replay-view>.*?application/json">([^<]*)<', page, re.DOTALL)
    assert packed
    return json.loads(zlib.decompress(b64decode(packed[1])))


def test_the_page_has_every_step_with_its_values(recording: Path, tmp_path: Path) -> None:
    page = tmp_path / "run.html"
    assert main(["show", str(recording), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert len(text) < 2 << 20
    replay = replay_in(text)
    assert (replay["first"], replay["isDone"]) == (0, True)
    assert len(replay["steps"]) == replay["last"] + 1
    (nan,) = (step for step in replay["steps"] if step["is_nonfinite"])
    assert [value["name"] for value in nan["values"]] == ["%z"]
    assert "1 NaN" in replay["tensors"][nan["values"][0]["tensor"]]["statistics"]["line"]


def test_without_a_page_it_says_where_the_recording_stopped(
    recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(recording)]) == 0
    assert "stablehlo.divide made" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"no recording", None])
def test_what_is_no_recording_is_an_error_in_one_line(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.shlorec"
    if content is not None:
        path.write_bytes(content)
    assert main(["show", str(path), "-o", str(tmp_path / "page.html")]) == 2
    assert capsys.readouterr().err.startswith(f"error: {path}")
    assert not (tmp_path / "page.html").exists()


def test_the_page_of_a_recording_from_elsewhere_has_the_python_that_it_came_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    python, program = tmp_path / "f.py", tmp_path / "p.mlir"
    python.write_text("def f(x):\n    return -x  # </script><b>\n", encoding="utf-8")
    program.write_text(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
        f'  %y = stablehlo.negate %x : tensor<f32> loc("f"("{python}":2:4))\n'
        "  return %y : tensor<f32>\n}\n",
        encoding="utf-8",
    )
    assert main(["run", str(program), "1.0", "--record", "run.shlorec"]) == 0
    python.unlink()
    assert main(["show", "run.shlorec", "-o", "run.html"]) == 0
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    replay = replay_in(page)
    assert replay["python"] == [{"name": "f.py", "lines": ["def f(x):", "    return -x  # </script><b>"]}]
    assert replay["steps"][0]["python"] == [0, 2]
    assert "<b>" not in page
