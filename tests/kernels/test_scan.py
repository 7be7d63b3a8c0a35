"""chlo.scan: what is handed on from slice to slice, and how outputs are stacked."""

from __future__ import annotations

import numpy as np
import pytest

import shlo

SCAN = """
func.func @main(%x: tensor<2x3xf32>, %start: tensor<2xf32>) ->
    (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>) {
  %0:3 = "chlo.scan"(%x, %start) <{dimension = 1 : i64, is_reverse = REVERSE,
    operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%slice: tensor<2xf32>, %carried: tensor<2xf32>):
    %1 = stablehlo.add %slice, %carried : tensor<2xf32>
    %2 = stablehlo.negate %slice : tensor<2xf32>
    stablehlo.return %1, %2, %1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }) : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>
}
"""


@pytest.mark.parametrize("is_reverse", [False, True])
def test_scan(is_reverse: bool) -> None:
    x, start = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([10, 20], np.float32)
    module = shlo.parse(SCAN.replace("REVERSE", str(is_reverse).lower()))
    sums, negated, last = shlo.run(module, x, start)
    order = slice(None, None, -1 if is_reverse else 1)
    expected = (x[:, order].cumsum(1) + start[:, None])[:, order]
    np.testing.assert_array_equal(sums, expected)
    np.testing.assert_array_equal(negated, -x)
    np.testing.assert_array_equal(last, x.sum(1) + start)
