"""`shlo fold`: what it writes, and how far it goes."""

from __future__ import annotations

from pathlib import Path

from .conftest import Shlo

PROGRAM = b"""func.func @main() -> tensor<4xi32> {
  %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = stablehlo.add %c, %c : tensor<4xi32>
  return %0 : tensor<4xi32>
}
"""


def test_folded_program_goes_to_output_or_a_file(shlo: Shlo, tmp_path: Path) -> None:
    outcome = shlo("fold", "-", stdin=PROGRAM)
    assert (outcome.code, outcome.err) == (0, "")
    assert "dense<[2, 4, 6, 8]>" in outcome.out
    assert "add" not in outcome.out
    path = tmp_path / "folded.mlir"
    assert shlo("fold", "-", "-o", path, stdin=PROGRAM) == (0, "", "")
    assert path.read_text() == outcome.out


def test_limit_and_broken_programs(shlo: Shlo) -> None:
    assert "stablehlo.add" in shlo("fold", "-", "--max-elements", "3", stdin=PROGRAM).out
    assert shlo("fold", "-", "--max-steps", "-1", stdin=PROGRAM).code == 2
    broken = shlo("fold", "-", stdin=PROGRAM[:-2])
    assert (broken.code, broken.out) == (1, "")
