"""Simplification: fewer operations with the same values, for programs that JAX made, too."""

from __future__ import annotations

import numpy as np
import pytest

import shlo
from shlo.transforms import aggressive_fold, simplify
from tests.jax_programs import RUNNABLE, Program
from tests.oracle import Oracle
from tests.transforms.programs import assert_same_values, names

ARITHMETIC = """func.func @main(%x: tensor<4xi32>, %y: tensor<4xf32>, %p: tensor<4xi1>)
    -> (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = stablehlo.add %zero, %x : tensor<4xi32>
  %1 = stablehlo.multiply %one, %y : tensor<4xf32>
  %2 = stablehlo.not %p : tensor<4xi1>
  %3 = stablehlo.select %2, %1, %y : tensor<4xi1>, tensor<4xf32>
  %4 = stablehlo.compare LE, %x, %x, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %5 = stablehlo.xor %x, %x : tensor<4xi32>
  return %0, %1, %3, %4, %5 : tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi32>
}"""
MOVEMENT = """func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %i: tensor<i32>)
    -> (tensor<2x3xf32>, tensor<4x2x3xf32>, tensor<1x3xf32>, tensor<2x2xf32>, tensor<2x3xi32>, tensor<2x3xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %4 = stablehlo.reshape %y : (tensor<3xf32>) -> tensor<1x3xf32>
  %5 = stablehlo.concatenate %x, %4, dim = 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  %6 = stablehlo.slice %5 [2:3, 0:3] : (tensor<3x3xf32>) -> tensor<1x3xf32>
  %one = stablehlo.constant dense<7> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %7 = stablehlo.dynamic_slice %x, %zero, %one, sizes = [2, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  %8 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %9 = stablehlo.dynamic_update_slice %x, %1, %zero, %zero
    : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %1, %3, %6, %7, %8, %9
    : tensor<2x3xf32>, tensor<4x2x3xf32>, tensor<1x3xf32>, tensor<2x2xf32>, tensor<2x3xi32>, tensor<2x3xf32>
}"""
STRUCTURED = """func.func @main(%x: tensor<5xf32>, %n: tensor<5xi32>, %k: tensor<i32>) -> (tensor<f32>, tensor<5xf32>, tensor<f32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %c), (%n init: %d) across dimensions = [0]
    : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%e: tensor<i32>, %f: tensor<i32>) {
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.maximum %e, %f : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  %3:2 = "stablehlo.sort"(%x, %n) <{dimension = -1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %e: tensor<i32>, %f: tensor<i32>):
    %4 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  }) : (tensor<5xf32>, tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>)
  %one = stablehlo.constant dense<1> : tensor<i32>
  %5:3 = stablehlo.while(%i = %d, %s = %c, %w = %0#0) : tensor<i32>, tensor<f32>, tensor<f32>
  cond {
    %6 = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  } do {
    %7 = stablehlo.add %i, %one : tensor<i32>
    %8 = stablehlo.add %s, %w : tensor<f32>
    stablehlo.return %7, %8, %w : tensor<i32>, tensor<f32>, tensor<f32>
  }
  return %0#0, %3#0, %5#1 : tensor<f32>, tensor<5xf32>, tensor<f32>
}"""


def test_arithmetic(oracle: Oracle) -> None:
    arguments = [
        np.array([1, -2, 3, 4], np.int32), np.array([1, 2, -3, 4], np.float32), np.array([1, 0, 1, 0], bool),
    ]  # fmt: skip
    made = assert_same_values(ARITHMETIC, simplify, arguments, oracle)
    assert sorted(names(made)) == ["stablehlo.constant", "stablehlo.constant"]


def test_movement_of_elements(oracle: Oracle) -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    made = assert_same_values(MOVEMENT, simplify, [x, x[1], np.array(1, np.int32)], oracle)
    assert sorted(name.removeprefix("stablehlo.") for name in names(made)) == [
        "broadcast_in_dim", "broadcast_in_dim", "iota", "reshape", "slice",
    ]  # fmt: skip


def test_reductions_sorts_and_loops_lose_what_is_not_used(oracle: Oracle) -> None:
    x = np.array([3, 1, 2, 5, 4], np.float32)
    made = assert_same_values(STRUCTURED, simplify, [x, x.astype(np.int32), np.array(3, np.int32)], oracle)
    counts = {each.name: len(each.results) for each, _ in made.walk()}
    assert (counts["stablehlo.reduce"], counts["stablehlo.sort"], counts["stablehlo.while"]) == (1, 1, 2)


def test_a_loop_loses_what_it_carries_without_elements() -> None:
    made = simplify(
        shlo.parse("""func.func @main(%x: tensor<75x0xf32>) -> (tensor<i32>, tensor<75x0xf32>) {
          %c = stablehlo.constant dense<3> : tensor<i32>
          %0:2 = stablehlo.while(%i = %c, %y = %x) : tensor<i32>, tensor<75x0xf32>
          cond {
            %1 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %1 : tensor<i1>
          } do {
            %1 = stablehlo.add %i, %c : tensor<i32>
            stablehlo.return %1, %y : tensor<i32>, tensor<75x0xf32>
          }
          return %0#0, %0#1 : tensor<i32>, tensor<75x0xf32>
        }""")
    )
    assert [len(op.results) for op, _ in made.walk() if op.name == "stablehlo.while"] == [1]


@pytest.mark.parametrize("program", RUNNABLE[::25], ids=lambda program: program.name)
def test_programs_of_jax(program: Program) -> None:
    module = shlo.parse(program.text())
    arguments = program.arguments
    made = simplify(module)
    assert len(names(made)) <= len(names(module)) + 8
    for expected, actual in zip(shlo.run(module, *arguments), shlo.run(made, *arguments), strict=True):
        np.testing.assert_array_equal(actual, expected)


def test_what_is_simple_is_the_same_object_and_quantized_zeros_stay() -> None:
    text = """func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 1.0:5>>) -> tensor<2x!quant.uniform<i8:f32, 1.0:5>> {
      %0 = stablehlo.constant() <{value = dense<0> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 1.0:5>>
      %1 = stablehlo.add %x, %0 : tensor<2x!quant.uniform<i8:f32, 1.0:5>>
      return %1 : tensor<2x!quant.uniform<i8:f32, 1.0:5>>
    }"""
    module = shlo.parse(text)
    assert simplify(module) is module


FOLDED = """func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<5xi32>, tensor<2xf32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.case"(%one) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    %3 = stablehlo.add %x, %x : tensor<2xf32>
    stablehlo.return %3 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  %1 = stablehlo.iota dim = 0 : tensor<5xi32>
  %2 = stablehlo.while(%a = %x) : tensor<2xf32> cond {
    stablehlo.return %false : tensor<i1>
  } do {
    %4 = stablehlo.multiply %a, %a : tensor<2xf32>
    stablehlo.return %4 : tensor<2xf32>
  }
  %sum = stablehlo.add %one, %one : tensor<i32>
  return %0, %1, %2, %sum : tensor<2xf32>, tensor<5xi32>, tensor<2xf32>, tensor<i32>
}"""


def test_constants_decide_values_and_branches(oracle: Oracle) -> None:
    made = assert_same_values(FOLDED, aggressive_fold, [np.array([1, 2], np.float32)], oracle)
    assert sorted(names(made)) == ["stablehlo.add", "stablehlo.constant", "stablehlo.constant"]
    assert "stablehlo.iota" in names(aggressive_fold(shlo.parse(FOLDED), fold_limit=4))
