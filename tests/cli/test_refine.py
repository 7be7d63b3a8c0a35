"""`shlo refine`: how arguments are written, what comes out, and how errors look."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Shlo

PROGRAM = b"""func.func @main(%n: tensor<i64>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = stablehlo.add %x, %y : tensor<?xf32>
  %1 = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
  %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
  return %0, %2 : tensor<?xf32>, tensor<?xf32>
}
"""


@pytest.mark.parametrize("arguments", [("4", "3xf32", "tensor<3xf32>"), ("dense<4>", "3xf32", "_")])
def test_types_values_and_blanks_to_output_or_a_file(
    shlo: Shlo, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    outcome = shlo("refine", "-", *arguments, stdin=PROGRAM)
    assert (outcome.code, outcome.err) == (0, "")
    assert "-> (tensor<3xf32>, tensor<4xf32>)" in outcome.out
    assert "stablehlo.iota dim = 0 : tensor<4xf32>" in outcome.out
    path = tmp_path / "static.mlir"
    assert shlo("refine", "-", *arguments, "-o", path, stdin=PROGRAM) == (0, "", "")
    assert path.read_text() == outcome.out


def test_what_does_not_hold_is_shown_in_the_source(shlo: Shlo) -> None:
    outcome = shlo("refine", "-", "4", "3xf32", "5xf32", stdin=PROGRAM)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("<stdin>:2:3: error: stablehlo.add: ")
    assert "[add-C1]" in outcome.err
    assert "\n  %0 = stablehlo.add %x, %y : tensor<?xf32>\n  ^" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("4", "3xf32"), "expected 3 arguments of @main, got 2"),
        (("4", "3xf32", "3xi32"), "argument 2 is tensor<?xf32>, which tensor<3xi32> does not fit"),
        (
            ("4", "3xf32", "nonsense"),
            "argument 2 (%y): nonsense is no value of type tensor<?xf32>\nhint: give a type",
        ),
        (("_", "_", "dense<1.0> : tensor<2xf32>"), "a value is given for few integers only"),
    ],
)
def test_requests_that_cannot_be_carried_out(shlo: Shlo, arguments: tuple[str, ...], message: str) -> None:
    outcome = shlo("refine", "-", *arguments, stdin=PROGRAM)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
