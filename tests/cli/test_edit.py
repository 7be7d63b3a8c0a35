"""`shlo edit`: the text of bytecode in an editor, and what becomes of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

import shlo as library
import shlo_bytecode

from .conftest import Shlo

PROGRAM = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<2xf32>
  %0 = stablehlo.add %x, %c : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


@pytest.fixture
def artifact(tmp_path: Path) -> Path:
    """Returns the file of an artifact of an earlier version."""
    path = tmp_path / "model.bc"
    path.write_bytes(shlo_bytecode.write_artifact(library.parse(PROGRAM), "1.4.0"))
    return path


def test_an_edited_artifact_stays_one_of_its_version(
    shlo: Shlo, artifact: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "sed -i s/2.000/3.000/")
    assert shlo("edit", artifact) == (0, "", f"{artifact}: written\n")
    expected = library.parse(PROGRAM.replace("2.0", "3.0"))
    assert artifact.read_bytes() == shlo_bytecode.write_artifact(expected, "1.4.0")
    assert shlo("edit", artifact).err == f"{artifact}: the same program, nothing is written\n"


def test_a_text_with_mistakes_is_kept_and_taken_once_it_is_mended(
    shlo: Shlo, artifact: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = artifact.read_bytes()
    monkeypatch.setenv("VISUAL", "sed -i s/%cst/%none/2")
    monkeypatch.setenv("EDITOR", "sed -i s/%arg0,.*:/%none,%arg0:/")
    outcome = shlo("edit", artifact)
    assert (outcome.code, outcome.out, artifact.read_bytes()) == (0, "", before)
    monkeypatch.delenv("VISUAL")
    outcome = shlo("edit", artifact)
    assert (outcome.code, outcome.out, artifact.read_bytes()) == (1, "", before)
    assert "use of undeclared value '%none'" in outcome.err
    kept = Path(outcome.err.split(" --text ")[1].split()[0])
    kept.write_text(kept.read_text().replace("%none,%arg0", "%arg0, %arg0 "))
    assert shlo("edit", artifact, "--text", kept).code == 0
    assert "add %arg0, %arg0" in shlo_bytecode.load(artifact).to_text()


@pytest.mark.parametrize(
    ("editor", "message"),
    [
        ("", "expected the command of an editor in VISUAL or EDITOR, got none"),
        ("false", "the editor false ended with 1; nothing is written"),
        ("/no/such/editor", "cannot start the editor /no/such/editor: No such file or directory"),
    ],
)
def test_an_editor_that_fails_changes_nothing(
    shlo: Shlo, artifact: Path, monkeypatch: pytest.MonkeyPatch, editor: str, message: str
) -> None:
    before = artifact.read_bytes()
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    outcome = shlo("edit", artifact)
    assert (outcome.code, outcome.err.splitlines()[0]) == (2, f"error: {message}")
    assert artifact.read_bytes() == before


def test_a_file_whose_text_shows_no_program_is_refused(shlo: Shlo, artifact: Path) -> None:
    artifact.write_bytes(artifact.read_bytes()[:-8])
    outcome = shlo("edit", artifact)
    assert outcome.code == 2
    assert "cannot be edited: its text does not show its program" in outcome.err
