"""`shlo retype`: how types are written, what comes out, and how errors look."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Shlo

PROGRAM = b"""func.func @main(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"""
LISTED = b"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.add %x, %c : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def test_the_program_goes_to_output_or_a_file_or_is_a_difference(shlo: Shlo, tmp_path: Path) -> None:
    expected = PROGRAM.decode().replace("8x4", "12x4")
    assert shlo("retype", "-", "12x4xf32", "_", stdin=PROGRAM) == (0, expected, "")
    path = tmp_path / "other.mlir"
    assert shlo("retype", "-", "tensor<12x4xf32>", "_", "-o", path, stdin=PROGRAM) == (0, "", "")
    assert path.read_text() == expected
    outcome = shlo("retype", "-", "12x4xf32", "_", "--diff", stdin=PROGRAM)
    assert (outcome.code, outcome.err) == (0, "")
    assert "\n+  return %0 : tensor<12x4xf32>\n" in outcome.out


def test_what_cannot_follow_is_reported_in_the_new_text(shlo: Shlo) -> None:
    outcome = shlo("retype", "-", "3xf32", stdin=LISTED)
    assert outcome.code == 1
    assert "dense<[1.0, 2.0]> : tensor<3xf32>" in outcome.out
    assert outcome.err.startswith("<stdin>:2:3: error: its 2 elements are listed: decide what those of 3 are")


@pytest.mark.parametrize(
    ("types", "message"),
    [
        (("12x4xf32",), "expected 2 types for @main, got 1"),
        (("12x4xf32", "9x4xf32"), "expected 12, which follows from another type, got 9"),
        (("12xf32", "_"), "expected a type of the rank of tensor<8x4xf32>, got tensor<12xf32>"),
        (("12x4xq32", "_"), "expected a type, got 12x4xq32"),
    ],
)
def test_types_that_do_not_fit_are_refused(shlo: Shlo, types: tuple[str, ...], message: str) -> None:
    outcome = shlo("retype", "-", *types, stdin=PROGRAM)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
