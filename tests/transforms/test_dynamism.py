"""Computations of shapes as StableHLO's, and static operations in place of dynamic ones."""

from __future__ import annotations

import numpy as np
import pytest

import shlo
import shlo_bytecode
from shlo.ir.diagnostics import PassError
from shlo.transforms import (
    canonicalize_dynamism,
    check_shape_assertions,
    chlo_to_stablehlo,
    refine_shapes,
    replace_deprecated,
    shape_to_stablehlo,
)
from tests.oracle import Oracle
from tests.transforms.programs import assert_same_values, names

SHAPES = """func.func @main(%x: tensor<?x3xf32>, %y: tensor<3xf32>) -> (tensor<?x3xf32>, tensor<?xf32>) {
  %0 = shape.shape_of %x : tensor<?x3xf32> -> tensor<2xindex>
  %1 = shape.shape_of %y : tensor<3xf32> -> tensor<1xindex>
  %2 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
  %3 = stablehlo.dynamic_broadcast_in_dim %y, %2, dims = [1] : (tensor<3xf32>, tensor<2xindex>) -> tensor<?x3xf32>
  %4 = shape.num_elements %0 : tensor<2xindex> -> index
  %5 = tensor.from_elements %4 : tensor<1xindex>
  %6 = stablehlo.dynamic_reshape %x, %5 : (tensor<?x3xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %3, %6 : tensor<?x3xf32>, tensor<?xf32>
}"""
DYNAMIC = """func.func @main(%x: tensor<4xf32>, %i: tensor<1xi64>, %p: tensor<f32>)
    -> (tensor<3x4xf32>, tensor<2x2xf32>, tensor<4xi32>, tensor<8xf32>, tensor<2xf32>, tensor<2xf32>) {
  %shape = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %two = stablehlo.constant dense<2> : tensor<1xi64>
  %one = stablehlo.constant dense<1> : tensor<1xi64>
  %zero = stablehlo.constant dense<0> : tensor<1xi64>
  %square = stablehlo.constant dense<2> : tensor<2xi64>
  %four = stablehlo.constant dense<4> : tensor<1xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [1] : (tensor<4xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  %1 = stablehlo.dynamic_reshape %x, %square : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  %2 = stablehlo.dynamic_iota %four, dim = 0 : (tensor<1xi64>) -> tensor<4xi32>
  %3 = stablehlo.dynamic_pad %x, %p, %zero, %one, %one
    : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8xf32>
  %end = stablehlo.add %i, %two : tensor<1xi64>
  %4 = stablehlo.real_dynamic_slice %x, %i, %end, %one
    : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  %5 = stablehlo.real_dynamic_slice %x, %zero, %four, %two
    : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4, %5
    : tensor<3x4xf32>, tensor<2x2xf32>, tensor<4xi32>, tensor<8xf32>, tensor<2xf32>, tensor<2xf32>
}"""
DEPRECATED = """func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>)
    -> (tensor<2x2xf32>, tensor<2x2x3xf32>, tensor<2xf32>) {
  %0 = stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.broadcast %x, sizes = [2] : (tensor<2x3xf32>) -> tensor<2x2x3xf32>
  %2 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ab->a"}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2x2x3xf32>, tensor<2xf32>
}"""


def floats(*shape: int) -> np.ndarray:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def test_shapes_are_computed_by_stablehlo(oracle: Oracle) -> None:
    made = shape_to_stablehlo(shlo.parse(SHAPES))
    assert oracle.accepts(made.to_text()).accepted
    assert {name.partition(".")[0] for name in names(made)} == {"stablehlo"}
    broadcast, flat = shlo.run(made, floats(5, 3), floats(3))
    assert np.array_equal(broadcast, np.broadcast_to(floats(3), (5, 3)))
    assert np.array_equal(flat, floats(15))


def test_constants_like_tensors_of_unknown_sizes_fit_into_artifacts() -> None:
    module = shlo.parse("""func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = chlo.asinh %x : tensor<?xf32> -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }""")
    made = shape_to_stablehlo(chlo_to_stablehlo(module))
    assert shlo_bytecode.write_artifact(made, "1.0.0")
    np.testing.assert_allclose(shlo.run(made, floats(4))[0], np.arcsinh(floats(4)), rtol=1e-6)


def test_constant_sizes_make_operations_static(oracle: Oracle) -> None:
    arguments = [floats(4), np.array([1]), np.array(9, np.float32)]
    made = assert_same_values(DYNAMIC, canonicalize_dynamism, arguments, oracle)
    assert not any("dynamic_" in name for name in names(made) if name != "stablehlo.dynamic_slice")


def test_deprecated_operations_are_replaced(oracle: Oracle) -> None:
    made = assert_same_values(DEPRECATED, replace_deprecated, [floats(2, 3), floats(3, 2)], oracle)
    assert {"stablehlo.dot", "stablehlo.broadcast", "stablehlo.unary_einsum"}.isdisjoint(names(made))


@pytest.mark.parametrize(
    ("transform", "line"),
    [
        (shape_to_stablehlo, "%0 = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>"),
        (canonicalize_dynamism, "stablehlo.custom_call @f(%x) {indices_of_shape_operands = dense<0> : tensor<1xi64>}"
         " : (tensor<*xf32>) -> ()"),
        (replace_deprecated, '%0 = "stablehlo.map"(%x) <{dimensions = array<i64>}> ({\n^bb0(%a: tensor<f32>):\n'
         "stablehlo.return %a : tensor<f32>\n}) : (tensor<*xf32>) -> tensor<*xf32>"),
    ],
)  # fmt: skip
def test_what_has_no_replacement_is_refused_with_its_place(transform: object, line: str) -> None:
    assert callable(transform)
    module = shlo.syntax.parse(f"func.func @main(%x: tensor<*xf32>) {{\n  {line}\n  return\n}}")[0]
    with pytest.raises(PassError, match="expected") as error:
        transform(module)
    assert error.value.place == "<text>:2:3"


ASSERTION = """func.func @main() {
  %0 = stablehlo.constant dense<HOLDS> : tensor<i1>
  %1 = stablehlo.constant dense<7> : tensor<i32>
  stablehlo.custom_call @shape_assertion(%0, %1) {error_message = "expected 3, got {0}", has_side_effect = true}
    : (tensor<i1>, tensor<i32>) -> ()
  return
}"""


def test_shape_assertions_hold_or_are_errors() -> None:
    held = check_shape_assertions(shlo.parse(ASSERTION.replace("HOLDS", "true")))
    assert "stablehlo.custom_call" not in names(held)
    broken = shlo.parse(ASSERTION.replace("HOLDS", "false"))
    with pytest.raises(PassError, match="expected 3, got 7") as error:
        check_shape_assertions(broken)
    assert error.value.place == "<text>:4:3"
    assert "stablehlo.custom_call" not in names(check_shape_assertions(broken, enable_errors=False))


def test_sizes_follow_from_the_types_of_the_only_function() -> None:
    text = """func.func @f(%x: tensor<4xf32>) -> tensor<?xf32> {
      %0 = stablehlo.abs %x : (tensor<4xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }"""
    assert "?" not in refine_shapes(shlo.parse(text)).to_text()
    with pytest.raises(PassError, match="one function"):
        refine_shapes(shlo.parse(text + text.replace("@f", "@g")))
