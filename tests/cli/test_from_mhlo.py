"""`shlo convert --from-mhlo`: MHLO's operations, attributes and types as StableHLO's."""

from __future__ import annotations

import pytest

from .conftest import Shlo

PROGRAM = """
#less = #mhlo<comparison_direction LT>
func.func @main(%x: tensor<4xf32>, %token: !mhlo.token) -> tensor<4xf32> attributes {mhlo.frontend_attributes = {a = "b"}} {
  %zero = mhlo.constant dense<0.0> : tensor<f32>
  %sum = mhlo.reduce(%x init: %zero) applies mhlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %max = "mhlo.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = mhlo.divide %a, %b : tensor<f32>
    mhlo.return %0 : tensor<f32>
  }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %all = "mhlo.broadcast_in_dim"(%sum) {broadcast_dimensions = dense<> : tensor<0xi64>, mhlo.sharding = "{replicated}"} : (tensor<f32>) -> tensor<4xf32>
  %erf = mhlo.erf %all : tensor<4xf32>
  %which = "mhlo.compare"(%erf, %x) {comparison_direction = #less} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %top:2 = mhlo.topk(%x, k = 2, largest = true) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %shape = mhlo.constant dense<4> : tensor<1xi64>
  %random = "mhlo.rng"(%zero, %zero, %shape) {rng_distribution = #mhlo.rng_distribution<UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %call = "mhlo.custom_call"(%x) {call_target_name = "f", custom_call_schedule = #mhlo<custom_call_schedule NONE>} : (tensor<4xf32>) -> tensor<4xf32>
  %one = mhlo.select %which, %erf, %x : tensor<4xi1>, tensor<4xf32>
  return %one : tensor<4xf32>
}
"""

CONVERTED = """module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: !stablehlo.token) -> tensor<4xf32> attributes {mhlo.frontend_attributes = {a = "b"}} {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
      %8 = stablehlo.divide %arg2, %arg3 : tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }
    %2 = stablehlo.broadcast_in_dim %0, dims = [] {mhlo.sharding = "{replicated}"} : (tensor<f32>) -> tensor<4xf32>
    %3 = chlo.erf %2 : tensor<4xf32> -> tensor<4xf32>
    %4 = stablehlo.compare LT, %3, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
    %c = stablehlo.constant dense<4> : tensor<1xi64>
    %5 = stablehlo.rng %cst, %cst, %c, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    %6 = stablehlo.custom_call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %7 = stablehlo.select %4, %3, %arg0 : tensor<4xi1>, tensor<4xf32>
    return %7 : tensor<4xf32>
  }
}
"""


def test_program_becomes_stablehlo_s(shlo: Shlo) -> None:
    outcome = shlo("convert", "--from-mhlo", "-", stdin=PROGRAM.encode())
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == CONVERTED
    assert shlo("check", "-", stdin=outcome.out.encode()).code == 0


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("%0 = mhlo.copy %x : tensor<4xf32>", "'mhlo.copy'"),
        ('%0 = "mhlo.bitcast"(%x) : (tensor<4xf32>) -> tensor<4xf32>', "'mhlo.bitcast'"),
        (
            "%0:2 = mhlo.topk(%x, k = 2, largest = false) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)",
            "'largest = false'",
        ),
    ],
)
def test_what_has_no_counterpart_is_named_with_its_place(shlo: Shlo, line: str, named: str) -> None:
    program = f"func.func @main(%x: tensor<4xf32>) {{\n  {line}\n  return\n}}\n"
    outcome = shlo("convert", "--from-mhlo", "-", stdin=program.encode())
    assert outcome.code == 1
    assert "<stdin>:2:" in outcome.err
    assert f"error: {named} has no counterpart in StableHLO" in outcome.err
