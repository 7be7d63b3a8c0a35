"""Quantized programs as integer arithmetic, as floats between conversions, and back: the same stored numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import shlo
from shlo.ir.diagnostics import PassError
from shlo.ir.operations import Module
from shlo.transforms import qdq_to_quantized, quantized_to_math, quantized_to_qdq
from tests.oracle import Oracle
from tests.transforms.programs import assert_same_values, names

ELEMENTWISE = """func.func @main(%x: tensor<64x!quant.uniform<i8:f32, 0.25:3>>, %y:
tensor<64x!quant.uniform<i8:f32, 0.5:-2>>) -> (tensor<64x!quant.uniform<i8:f32, 0.125:-7>>,
tensor<64x!quant.uniform<i8:f32, 0.25:3>>, tensor<64x!quant.uniform<i8:f32, 1.0:2>>,
tensor<64x!quant.uniform<i8:f32, 0.25:3>>) { %0 = "stablehlo.add"(%x, %y) : (tensor<64x!quant.uniform<i8:f32,
0.25:3>>, tensor<64x!quant.uniform<i8:f32, 0.5:-2>>) -> tensor<64x!quant.uniform<i8:f32, 0.125:-7>>
  %1 = stablehlo.abs %x : tensor<64x!quant.uniform<i8:f32, 0.25:3>>
  %2 = "stablehlo.multiply"(%x, %y) : (tensor<64x!quant.uniform<i8:f32, 0.25:3>>,
    tensor<64x!quant.uniform<i8:f32, 0.5:-2>>) -> tensor<64x!quant.uniform<i8:f32, 1.0:2>>
  %3 = stablehlo.maximum %x, %1 : tensor<64x!quant.uniform<i8:f32, 0.25:3>>
  return %0, %1, %2, %3 : tensor<64x!quant.uniform<i8:f32, 0.125:-7>>, tensor<64x!quant.uniform<i8:f32, 0.25:3>>,
    tensor<64x!quant.uniform<i8:f32, 1.0:2>>, tensor<64x!quant.uniform<i8:f32, 0.25:3>>
}"""
PER_AXIS = """func.func @main(%x: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %0 = stablehlo.uniform_quantize %x
    : (tensor<4x3xf32>) -> tensor<4x3x!quant.uniform<i8:f32:1, {0.5:0, 0.25:5, 2.0:-3}>>
  %1 = stablehlo.uniform_dequantize %0
    : (tensor<4x3x!quant.uniform<i8:f32:1, {0.5:0, 0.25:5, 2.0:-3}>>) -> tensor<4x3xf32>
  %2 = stablehlo.uniform_quantize %0 : (tensor<4x3x!quant.uniform<i8:f32:1, {0.5:0, 0.25:5, 2.0:-3}>>)
    -> tensor<4x3x!quant.uniform<i8:f32, 1.0:4>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<4x3x!quant.uniform<i8:f32, 1.0:4>>) -> tensor<4x3xf32>
  return %1, %3 : tensor<4x3xf32>, tensor<4x3xf32>
}"""
DOT = """func.func @main(%x: tensor<2x3x4x!quant.uniform<i8:f32, 2.0:3>>, %y:
tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i32:f32, 1.0:5>> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<2x3x4x!quant.uniform<i8:f32, 2.0:3>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>)
    -> tensor<2x3x5x!quant.uniform<i32:f32, 1.0:5>>
  return %0 : tensor<2x3x5x!quant.uniform<i32:f32, 1.0:5>>
}"""
CONVOLUTION = """func.func @main(%x: tensor<1x5x5x2x!quant.uniform<i8:f32, 2.0:4>>,
    %w: tensor<3x3x2x3x!quant.uniform<i8:f32, 3.0:0>>) -> tensor<1x5x6x3x!quant.uniform<i32:f32, 1.0:5>> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [2, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x5x5x2x!quant.uniform<i8:f32, 2.0:4>>, tensor<3x3x2x3x!quant.uniform<i8:f32, 3.0:0>>)
    -> tensor<1x5x6x3x!quant.uniform<i32:f32, 1.0:5>>
  return %0 : tensor<1x5x6x3x!quant.uniform<i32:f32, 1.0:5>>
}"""


def stored(*shape: int, low: int = -128, high: int = 127) -> np.ndarray:
    return np.random.default_rng(sum(shape)).integers(low, high + 1, shape).astype(np.int8)


@pytest.mark.parametrize("transform", [quantized_to_math, quantized_to_qdq])
def test_elementwise_operations(transform: Callable[[Module], Module], oracle: Oracle) -> None:
    assert_same_values(ELEMENTWISE, transform, [stored(64), stored(64)[::-1]], oracle)


def test_quantized_dimensions(oracle: Oracle) -> None:
    arguments = np.linspace(-60, 60, 12, dtype=np.float32).reshape(4, 3)
    made = assert_same_values(PER_AXIS, quantized_to_math, [arguments], oracle)
    assert "quant.uniform" not in made.to_text()


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (DOT, (stored(2, 3, 4), stored(2, 4, 5))),
        (CONVOLUTION, (stored(1, 5, 5, 2), stored(3, 3, 2, 3, low=-127))),
    ],
    ids=["dot_general", "convolution"],
)
def test_products(text: str, arguments: tuple[np.ndarray, ...], oracle: Oracle) -> None:
    assert_same_values(text, quantized_to_math, arguments, oracle)
    assert_same_values(text, quantized_to_qdq, arguments, oracle)


def test_operations_between_conversions_are_fused_again(oracle: Oracle) -> None:
    module = shlo.parse(ELEMENTWISE)
    made = assert_same_values(
        quantized_to_qdq(module).to_text(), qdq_to_quantized, [stored(64), stored(64)[::-1]], oracle
    )
    assert names(made) == names(module)


def test_an_operation_without_a_form_on_integers_is_refused_with_its_place() -> None:
    text = """func.func @main(%x: tensor<4x!quant.uniform<i8:f32, 1.0>>)
      -> tensor<4x!quant.uniform<i8:f32, 1.0>> {
      %0 = stablehlo.reverse %x, dims = [0] : tensor<4x!quant.uniform<i8:f32, 1.0>>
      return %0 : tensor<4x!quant.uniform<i8:f32, 1.0>>
    }"""
    with pytest.raises(PassError, match=r"stablehlo\.reverse") as error:
        quantized_to_math(shlo.parse(text))
    assert error.value.place == "<text>:3:7"
