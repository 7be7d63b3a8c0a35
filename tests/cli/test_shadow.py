"""`--shadow` of `shlo run`."""

from __future__ import annotations

import json

import pytest

from .conftest import Shlo

VARIANCE = ("examples/variance.mlir", "[1000.1, 1000.4, 999.7, 1000.2]")


def test_json_has_what_digits_are_lost_beside_the_results(shlo: Shlo) -> None:
    outcome = shlo("run", *VARIANCE, "--shadow", "f64", "--format", "json")
    data = json.loads(outcome.out)
    assert outcome.code == 0
    assert data["results"][0]["value"] == 0.125
    (loss,) = data["shadow"]["operations"]
    assert (loss["operation"], loss["cause"]) == ("stablehlo.subtract", "cancellation")
    assert [each["name"] for each in loss["operands"]] == ["mean_of_squares", "square_of_mean"]
    assert data["shadow"]["results"][0]["total"] == loss["total"]


def test_json_has_sizes_of_terms_that_are_not_finite_as_it_has_other_numbers(shlo: Shlo) -> None:
    program = """func.func @main(%x: tensor<f32>, %k: tensor<f64>) -> tensor<f64> {
      %a = stablehlo.multiply %x, %x : tensor<f32>
      %b = stablehlo.convert %a : (tensor<f32>) -> tensor<f64>
      %c = stablehlo.multiply %b, %k : tensor<f64>
      %n = stablehlo.negate %k : tensor<f64>
      %d = stablehlo.add %c, %n : tensor<f64>
      return %d : tensor<f64>
    }"""
    outcome = shlo(
        "run", "-", "1.0001", "1.2e308", "--shadow", "f64", "--format", "json", stdin=program.encode()
    )
    data = json.loads(outcome.out, parse_constant=pytest.fail)
    assert "Infinity" in [each["terms"] for each in data["shadow"]["operations"]]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--grid", "1x2"), "expected one process with a shadow, got a grid of them"),
        (("--sanitize",), "expected --sanitize or --shadow, got both"),
        (("--time",), "expected --shadow or --time, got both"),
        (("--engine", "xla"), "expected the interpreter for --shadow, got --engine xla"),
    ],
)
def test_what_a_shadow_does_not_go_with_is_refused(shlo: Shlo, option: tuple[str, ...], message: str) -> None:
    outcome = shlo("run", *VARIANCE, "--shadow", "f64", *option)
    assert outcome.code == 2
    assert message in outcome.err
