"""`shlo diff` and `shlo git`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import shlo as library
import shlo_bytecode
from tests.cli.conftest import Shlo

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  %1 = stablehlo.add %0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
CHANGED = PROGRAM.replace("stablehlo.add %0, %0", "stablehlo.add %0, %x")


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Returns two programs that differ in an operand; the second is bytecode."""
    before, after = tmp_path / "before.mlir", tmp_path / "after.mlirbc"
    before.write_text(PROGRAM)
    after.write_bytes(shlo_bytecode.write(library.parse(CHANGED)))
    return before, after


def test_programs_that_differ_end_with_1_and_equal_ones_with_0(shlo: Shlo, pair: tuple[Path, Path]) -> None:
    before, after = pair
    assert shlo("diff", "--text", *pair) == (
        1,
        "@main  1 changed, of 3 operations\n"
        "  - %1 = stablehlo.add %0, %0 : tensor<4xf32>\n"
        "  + %1 = stablehlo.add %0, %arg0 : tensor<4xf32>\n"
        "      operand 1: %0 -> %arg0\n"
        "1 function differs; 4 operations compared\n",
        "",
    )
    same = shlo("diff", "--text", after, after)
    assert (same.code, same.out) == (0, "no differences in 4 operations\n")
    missing = shlo("diff", "--text", before, before.with_name("nowhere.mlir"))
    assert missing.code == 2
    broken = shlo("diff", "--text", before, "-", stdin=b"func.func @main( {")
    assert broken.code == 1
    assert broken.err.startswith("<stdin>:1:")


def test_arrays_of_two_files_are_compared_by_name(shlo: Shlo, tmp_path: Path) -> None:
    one, other = tmp_path / "one.npz", tmp_path / "other.npz"
    np.savez(one, x=np.ones(3), half=np.ones(2, ml_dtypes.bfloat16), texts=np.array(["a"]))
    np.savez(other, x=np.array([1, 1, 4.0]), half=np.zeros(2, ml_dtypes.bfloat16), texts=np.array(["a"]))
    outcome = shlo("diff", one, other)
    assert (outcome.code, outcome.out.splitlines()) == (
        1,
        [
            "2 of 3 leaves differ, 3 of 5 elements, at most 1.626e+04 apart; 1 leaf without numbers, by equality",
            "  half: 2 of 2 differ, at most 1.626e+04 apart; at [0] 16256 and 0",
            "  x: 1 of 3 differ, at most 3 apart; at [2] 1 and 4",
        ],
    )
    assert "compared by their bits: half" in outcome.err
    assert shlo("diff", one, one).code == 0
    np.savez(one, x=np.ones(3), wide=np.zeros(2, "V8"))
    assert "compared by their bits: half\n" in shlo("diff", one, other).err
    assert "by their bits" not in shlo("diff", one, one).err
    assert "<table>" in shlo("diff", one, other, "--format", "html").out
    np.save(tmp_path / "empty.npy", np.ones(0))
    assert shlo("diff", tmp_path / "empty.npy", tmp_path / "empty.npy").code == 2
    np.save(tmp_path / "objects.npy", np.array([object()]), allow_pickle=True)
    refused = shlo("diff", tmp_path / "objects.npy", one)
    assert (refused.code, refused.out) == (2, "")
    assert shlo("diff", one, other, "--tolerance", "1e-3").err.startswith(
        "error: expected programs with --tol"
    )


def test_json_and_html_say_the_same(shlo: Shlo, pair: tuple[Path, Path], tmp_path: Path) -> None:
    data = json.loads(shlo("diff", "--text", *pair, "--format", "json").out)
    assert data["functions"][0]["differences"][0]["details"] == ["operand 1: %0 -> %arg0"]
    page = tmp_path / "page.html"
    assert shlo("diff", "--text", *pair, "--format", "html", "-o", page).code == 1
    assert "operand 1: %0 -&gt; %arg0" in page.read_text()


def test_empty_programs_are_nothing_to_compare(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "empty.mlir"
    path.write_text("")
    assert shlo("diff", "--text", path, path)[:2] == (
        2,
        "0 operations; nothing was compared, so nothing is known\n",
    )
    assert json.loads(shlo("diff", "--text", path, path, "--format", "json").out)["compared"] is False
    assert not library.diff(path, path).compared


def git(folder: Path, *arguments: str) -> str:
    options = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "core.pager=cat"]
    done = subprocess.run(
        ["git", *options, *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout


def test_git_alone_asks_for_the_action_only(shlo: Shlo) -> None:
    assert shlo("git").err.splitlines()[0].endswith("required: action")


def test_git_compares_by_structure_once_the_driver_is_installed(
    shlo: Shlo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-config"))
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git(folder, "init", "-q")
    text, binary, broken = folder / "a.mlir", folder / "a.mlirbc", folder / "broken.mlir"
    text.write_text(PROGRAM)
    binary.write_bytes(shlo_bytecode.write(library.parse(PROGRAM)))
    broken.write_text("func.func @main(")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    assert shlo("git", "install").code == 0
    assert shlo("git", "install").code == 0  # a second time changes nothing
    text.write_text(CHANGED.replace("%0", "%renamed"))
    binary.write_bytes(shlo_bytecode.write(library.parse(CHANGED)))
    broken.write_text("func.func @other(")
    (folder / "shlo.py").write_text("print('code of the repository')")
    shown = git(folder, "diff")
    assert shown.count("operand 1: %0 -> %arg0") == 2
    assert "diff --shlo a/a.mlirbc b/a.mlirbc" in shown
    assert "code of the repository" not in shown
    assert "-func.func @main(" in shown  # by lines, since it is no program
    assert "-    %1 = stablehlo.add %0, %0" in git(folder, "diff", "--no-ext-diff", "a.mlirbc")
    assert shlo("git", "uninstall").code == 0
    assert "diff --git" in git(folder, "diff")
    assert (folder / ".git" / "info" / "attributes").read_text() == ""
