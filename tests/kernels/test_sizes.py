"""Programs that compute with sizes in MLIR's own dialects, and values whose sizes have bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shlo

F32 = np.float32


def run(body: str, *arrays: Any) -> Any:
    """Returns the results of a function `main` whose text is given."""
    return shlo.run(shlo.parse(f"func.func @main{body}"), *arrays)


BROADCAST = """(%x: tensor<?x4xf32>, %y: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<1xi32>) {
  %s = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  %t = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %s, %t : tensor<2xindex>, tensor<1xindex>
  %b = shape.broadcast %s, %t : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
  %n = shape.num_elements %b : tensor<2xindex> -> index
  %c = arith.constant 1 : index
  %d = tensor.dim %x, %c : tensor<?x4xf32>
  %m = arith.addi %n, %d : index
  %i = arith.index_cast %m : index to i32
  %e = tensor.from_elements %i : tensor<1xi32>
  %r = stablehlo.dynamic_broadcast_in_dim %y, %b, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  return %r, %e : tensor<?x4xf32>, tensor<1xi32>
}"""


def test_sizes_are_computed_in_the_dialects_for_them() -> None:
    y = np.arange(4, dtype=F32)
    result, counted = run(BROADCAST, np.zeros((3, 4), F32), y)
    np.testing.assert_array_equal(result, np.tile(y, (3, 1)))
    assert counted.tolist() == [16]
    with pytest.raises(shlo.ExecutionError, match=r"cannot broadcast \[3, 4\] and \[5\]"):
        run(BROADCAST, np.zeros((3, 4), F32), np.zeros(5, F32))


def test_tensors_are_taken_apart_and_put_together() -> None:
    body = """(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %a = tensor.extract %x[%zero, %one] : tensor<?x?xi32>
      %b = arith.constant 10 : i32
      %less = arith.cmpi ult, %a, %b : i32
      %c = arith.select %less, %b, %a : i32
      %r = tensor.insert %c into %x[%one, %zero] : tensor<?x?xi32>
      %k = tensor.cast %r : tensor<?x?xi32> to tensor<2x?xi32>
      %s = tensor.cast %k : tensor<2x?xi32> to tensor<?x?xi32>
      return %s : tensor<?x?xi32>
    }"""
    assert run(body, [[1, 2], [3, 4]])[0].tolist() == [[1, 2], [10, 4]]
    assert run(body, [[1, -2], [3, 4]])[0].tolist() == [[1, -2], [-2, 4]]
    with pytest.raises(shlo.ExecutionError, match=r"index \[1, 0\] is outside a tensor of shape \[1, 2\]"):
        run(body, [[1, 2]])
    with pytest.raises(shlo.ExecutionError, match=r"tensor<3x1xi32>|\[0, 1\] is outside"):
        run(body, [[1], [2], [3]])


@pytest.mark.parametrize(
    ("operation", "operands", "expected"),
    [
        ("divsi", ([-7, 7, -8], [2, -2, 4]), [-3, -3, -2]),
        ("subi", ([-128, 0, 1], [1, 1, 1]), [127, -1, 0]),
        ("muli", ([64, -3, 5], [2, 3, 5]), [-128, -9, 25]),
    ],
)
def test_integers_wrap_and_are_divided_towards_zero(operation: str, operands: Any, expected: Any) -> None:
    body = f"""(%a: tensor<3xi8>, %b: tensor<3xi8>) -> tensor<3xi8> {{
      %r = arith.{operation} %a, %b : tensor<3xi8>
      return %r : tensor<3xi8>
    }}"""
    assert run(body, *operands)[0].tolist() == expected


def test_integers_of_one_bit_are_numbers_modulo_two() -> None:
    body = """(%a: tensor<2xi1>, %b: tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi1>) {
      %s = arith.addi %a, %b : tensor<2xi1>
      %p = arith.muli %a, %b : tensor<2xi1>
      return %s, %p : tensor<2xi1>, tensor<2xi1>
    }"""
    sums, products = run(body, [True, True], [True, False])
    assert (sums.tolist(), products.tolist()) == ([False, True], [True, False])


BOUNDED = """(%x: tensor<?x2xf32, #stablehlo.bounds<4, ?>>, %n: tensor<i32>) -> (tensor<?x2xf32, #stablehlo.bounds<4, ?>>, tensor<i32>) {
  %y = stablehlo.add %x, %x : tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  %z = stablehlo.set_dimension_size %y, %n, dim = 0 : (tensor<?x2xf32, #stablehlo.bounds<4, ?>>, tensor<i32>) -> tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  %k = stablehlo.get_dimension_size %z, dim = 0 : (tensor<?x2xf32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
  return %z, %k : tensor<?x2xf32, #stablehlo.bounds<4, ?>>, tensor<i32>
}"""


def test_bounded_sizes_are_what_they_are_set_to() -> None:
    x = np.arange(6, dtype=F32).reshape(3, 2)
    result, size = run(BOUNDED, x, np.int32(2))
    np.testing.assert_array_equal(result, 2 * x[:2])
    assert size == 2
    with pytest.raises(shlo.ExecutionError, match=r"tensor<5x2xf32>, but must be .*bounds<4, \?>"):
        run(BOUNDED, np.zeros((5, 2), F32), np.int32(2))


def test_a_result_beyond_its_bound_is_refused() -> None:
    bounded = "tensor<?x2xf32, #stablehlo.bounds<4, ?>>"
    body = f"""(%x: tensor<?x2xf32>) -> {bounded} {{
      %y = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x2xf32>, tensor<?x2xf32>) -> {bounded}
      return %y : {bounded}
    }}"""
    assert run(body, np.zeros((2, 2), F32))[0].shape == (4, 2)
    with pytest.raises(shlo.ExecutionError, match=r"tensor<6x2xf32>, but the program declares"):
        run(body, np.zeros((3, 2), F32))
