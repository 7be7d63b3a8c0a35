"""Commands on files of bytecode."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Shlo
from tests.oracle import Oracle

TEXT = """module {
  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


@pytest.fixture
def files(oracle: Oracle, tmp_path: Path) -> list[str]:
    """The program as bytecode and as a portable artifact."""
    made = {"program.mlirbc": oracle.bytecode(TEXT), "artifact.mlirbc": oracle.artifact(TEXT, "1.0.0")}
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
    return [str(tmp_path / name) for name in made]


def test_bytecode_runs(shlo: Shlo, files: list[str]) -> None:
    for file in files:
        outcome = shlo("run", file, "[1.0, 2.0]")
        assert (outcome.code, outcome.out) == (0, "result 0: tensor<2xf32>\n[2., 4.]\n")


def test_bytecode_is_printed_as_text(shlo: Shlo, files: list[str]) -> None:
    for file in files:
        assert shlo("fmt", file).out == TEXT
        assert shlo("check", file).code == 0


def test_bytecode_is_not_replaced_by_text(shlo: Shlo, files: list[str]) -> None:
    before = Path(files[0]).read_bytes()
    assert shlo("fmt", "--in-place", files[0]).code == 2
    assert Path(files[0]).read_bytes() == before


def test_the_place_of_damage_is_told(shlo: Shlo, files: list[str]) -> None:
    path = Path(files[0])
    path.write_bytes(path.read_bytes()[:-10])
    outcome = shlo("run", files[0], "[1.0, 2.0]")
    assert outcome.code == 2
    assert "program.mlirbc: byte " in outcome.err
