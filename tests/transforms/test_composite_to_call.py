"""Composites as calls, but for those that are kept."""

from __future__ import annotations

from functools import partial

import numpy as np

import shlo
from shlo.transforms import composite_to_call, wrap_in_composite
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


WRAPPED = """func.func @main(%x: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.reduce(%x init: %c) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %3 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  return %0, %2 : tensor<2xf32>, tensor<2xf32>
}
"""


def test_operations_become_composites_with_decompositions(oracle: Oracle) -> None:
    wrap = partial(wrap_in_composite, names=("stablehlo.reduce", "stablehlo.add"), version=2)
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    made = assert_same_values(WRAPPED, wrap, [x], oracle)
    assert list(made.functions) == [
        "main", "stablehlo.add.impl", "stablehlo.reduce.impl_0", "stablehlo.reduce.impl",
    ]  # fmt: skip
    assert_same_values(made.to_text(), composite_to_call, [x], oracle)


def test_an_operation_that_uses_more_than_its_operands_is_not_wrapped() -> None:
    module = shlo.parse("""func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
      %0 = "stablehlo.if"(%p) ({ stablehlo.return %x : tensor<f32> }, { stablehlo.return %x : tensor<f32> })
        : (tensor<i1>) -> tensor<f32>
      return %0 : tensor<f32>
    }""")
    assert wrap_in_composite(module, names=("stablehlo.if",)) is module
