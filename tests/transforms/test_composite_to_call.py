"""Composites as calls, but for those that are kept."""

from __future__ import annotations

import numpy as np

import shlo
from shlo.transforms import composite_to_call
from tests.oracle import Oracle
from tests.transforms.programs import assert_same_values, names

PROGRAM = """func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.composite "my.twice" %x {decomposition = @twice, version = 1 : i32} : (tensor<3xf32>) ->
  tensor<3xf32> %1 = stablehlo.composite "my.square" %0 {decomposition = @square} : (tensor<3xf32>) ->
  tensor<3xf32> return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
func.func private @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func private @square(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""


def test_composites_become_calls(oracle: Oracle) -> None:
    made = assert_same_values(PROGRAM, composite_to_call, [np.array([1, 2, 3], np.float32)], oracle)
    assert "stablehlo.composite" not in names(made)
    assert made.to_text().count(" call @") == 2


def test_some_composites_are_kept_and_other_functions_are_the_same_objects() -> None:
    module = shlo.parse(PROGRAM)
    made = composite_to_call(module, keep=("my.square",))
    assert names(made).count("stablehlo.composite") == 1
    assert made.functions["twice"].operation is module.functions["twice"].operation
