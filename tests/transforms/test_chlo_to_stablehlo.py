"""chlo's operations as StableHLO's: the same values, nothing of chlo left."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import shlo
from shlo.transforms import chlo_to_stablehlo
from tests.oracle import Oracle
from tests.transforms.programs import assert_same_values, names

REAL = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "conj", "cosh", "digamma", "erf", "erf_inv",
    "erfc", "lgamma", "sinh", "square", "tan",
)  # fmt: skip
COMPLEX = ("acos", "acosh", "asin", "asinh", "atan", "atanh", "conj", "cosh", "sinh", "square", "tan")
TOLERANCES = {
    "f64": 2e-12,
    "f32": 2e-5,
    "bf16": 2e-2,
    "f16": 4e-3,
    "complex<f32>": 2e-5,
    "complex<f64>": 1e-12,
}
DTYPES = {"f64": "f8", "f32": "f4", "f16": "f2", "complex<f32>": "c8", "complex<f64>": "c16"}
UNARY = """func.func @main(%x: tensor<{n}x{type}>) -> tensor<{n}x{type}> {{
  %0 = chlo.{name} %x : tensor<{n}x{type}> -> tensor<{n}x{type}>
  return %0 : tensor<{n}x{type}>
}}"""


def real_arguments(name: str) -> Any:
    if name in ("asin", "acos", "atanh", "erf_inv"):
        return np.linspace(-0.98, 0.98, 23)
    return np.linspace(1.05, 20, 23) if name in ("acosh", "lgamma", "digamma") else np.linspace(-4.9, 5.3, 23)


@pytest.mark.parametrize("type_", ["f64", "f32", "bf16", "f16"])
@pytest.mark.parametrize("name", REAL)
def test_functions_of_floats(name: str, type_: str, oracle: Oracle) -> None:
    dtype = ml_dtypes.bfloat16 if type_ == "bf16" else DTYPES[type_]
    arguments = real_arguments(name).astype(dtype)
    text = UNARY.format(n=23, name=name, type=type_)
    tolerance = TOLERANCES[type_]
    made = assert_same_values(text, chlo_to_stablehlo, [arguments], oracle, tolerance, tolerance)
    assert not any(each.startswith("chlo.") for each in names(made))


@pytest.mark.parametrize("type_", ["complex<f32>", "complex<f64>"])
@pytest.mark.parametrize("name", COMPLEX)
def test_functions_of_complex_numbers(name: str, type_: str, oracle: Oracle) -> None:
    axis = np.array([-3.2, -1.0, -0.3, 0.0, 1e-3, 0.9, 2.5])
    arguments = (axis[:, None] + 1j * np.array([-2.0, -1e-3, 0.7, 1.9])).ravel().astype(DTYPES[type_])
    text = UNARY.format(n=28, name=name, type=type_)
    tolerance = 4 * TOLERANCES[type_]
    assert_same_values(text, chlo_to_stablehlo, [arguments], oracle, tolerance, tolerance)


@pytest.mark.parametrize("name", ["polygamma", "zeta", "next_after"])
def test_functions_of_two_floats(name: str, oracle: Oracle) -> None:
    first = np.array([1, 2, 3, 4, 2.5, -0.0], np.float32)
    second = np.array([0.5, 1.5, 2, 7, 3, 1], np.float32)
    text = """func.func @main(%x: tensor<6xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
      %0 = chlo.NAME %x, %y : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
      return %0 : tensor<6xf32>
    }""".replace("NAME", name)
    tolerance = 0 if name == "next_after" else 2e-5
    assert_same_values(text, chlo_to_stablehlo, [first, second], oracle, tolerance)


def test_broadcasts_along_given_unknown_and_bounded_dimensions(oracle: Oracle) -> None:
    text = """func.func @main(%x: tensor<2xf32>, %y: tensor<?x2xf32>, %z: tensor<1x?xf32>, %w: tensor<2x3xf32>)
        -> (tensor<?x2xf32>, tensor<?x?xf32>, tensor<2x3xi1>, tensor<2x2xf32>) {
      %0 = chlo.broadcast_add %x, %y : (tensor<2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
      %1 = chlo.broadcast_subtract %z, %y : (tensor<1x?xf32>, tensor<?x2xf32>) -> tensor<?x?xf32>
      %2 = chlo.broadcast_compare %x, %w {
        broadcast_dimensions = array<i64: 0>, comparison_direction = #chlo<comparison_direction LT>
      } : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
      %3 = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<2x1xf32>
      %4 = chlo.broadcast_power %x, %3 : (tensor<2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
      return %0, %1, %2, %4 : tensor<?x2xf32>, tensor<?x?xf32>, tensor<2x3xi1>, tensor<2x2xf32>
    }"""
    rows = np.arange(6, dtype=np.float32).reshape(3, 2)
    arguments = [np.array([1, 2], np.float32), rows, rows[:1], np.ones((2, 3), np.float32)]
    made = assert_same_values(text, chlo_to_stablehlo, arguments, oracle)
    assert {each.partition(".")[0] for each in names(made)} == {"stablehlo"}


def test_sorting_scanning_and_products_of_groups(oracle: Oracle) -> None:
    text = """func.func @main(%x: tensor<3x5xf32>, %n: tensor<5xi32>, %i: tensor<i32>, %l: tensor<2x5x3xf32>,
        %r: tensor<3x2x3x4xf32>, %s: tensor<3xi64>)
        -> (tensor<3x2xf32>, tensor<3x2xi32>, tensor<5xi32>, tensor<i32>, tensor<2x5x4xf32>) {
      %0:2 = chlo.top_k(%x, k = 2) : tensor<3x5xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
      %1:2 = chlo.scan(%n) inits(%i) dimension=0 attributes {is_reverse = true} {
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %c = stablehlo.multiply %b, %a : tensor<i32>
        %d = stablehlo.add %c, %a : tensor<i32>
        stablehlo.return %d, %c : tensor<i32>, tensor<i32>
      } : (tensor<5xi32>, tensor<i32>) -> (tensor<5xi32>, tensor<i32>)
      %2 = "chlo.ragged_dot"(%l, %r, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<
        lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2],
        rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}>
        : (tensor<2x5x3xf32>, tensor<3x2x3x4xf32>, tensor<3xi64>) -> tensor<2x5x4xf32>
      return %0#0, %0#1, %1#0, %1#1, %2
        : tensor<3x2xf32>, tensor<3x2xi32>, tensor<5xi32>, tensor<i32>, tensor<2x5x4xf32>
    }"""
    random = np.random.default_rng(7)
    arguments = [
        random.standard_normal((3, 5), np.float32),
        np.array([2, 1, 3, 1, 2], np.int32),
        np.array(1, np.int32),
        random.integers(-4, 5, (2, 5, 3)).astype(np.float32),
        random.integers(-4, 5, (3, 2, 3, 4)).astype(np.float32),
        np.array([2, 0, 3], np.int64),
    ]
    made = assert_same_values(text, chlo_to_stablehlo, arguments, oracle)
    assert not any(each.startswith("chlo.") for each in names(made))


@pytest.mark.parametrize("dimension", ["-64", "1"])
def test_a_scan_along_no_dimension_is_kept(dimension: str) -> None:
    text = f"""func.func @main(%n: tensor<5xi32>, %i: tensor<i32>) {{
      %0:2 = chlo.scan(%n) inits(%i) dimension={dimension} {{
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        stablehlo.return %a, %b : tensor<i32>, tensor<i32>
      }} : (tensor<5xi32>, tensor<i32>) -> (tensor<5xi32>, tensor<i32>)
      return
    }}"""
    assert "chlo.scan" in names(chlo_to_stablehlo(shlo.parse(text)))


@pytest.mark.parametrize("type_", ["i8", "ui16", "i64", "ui64"])
def test_the_upper_half_of_a_product(type_: str, oracle: Oracle) -> None:
    dtype = np.dtype({"i8": "i1", "ui16": "u2", "i64": "i8", "ui64": "u8"}[type_])
    limits = np.iinfo(dtype)
    one = np.array([limits.max, limits.min, 3, limits.max // 3], dtype)
    other = np.array([limits.max, limits.max, limits.max // 2, limits.max // 5], dtype)
    text = """func.func @main(%x: tensor<4xT>, %y: tensor<4xT>) -> tensor<4xT> {
      %0 = chlo.mulhi %x, %y : tensor<4xT>, tensor<4xT> -> tensor<4xT>
      return %0 : tensor<4xT>
    }""".replace("T", type_)
    made = assert_same_values(text, chlo_to_stablehlo, [one, other], oracle)
    expected = [int(a) * int(b) >> 8 * dtype.itemsize for a, b in zip(one, other)]
    assert shlo.run(made, one, other)[0].tolist() == expected


def test_a_program_without_chlo_is_the_same_object() -> None:
    module = shlo.parse("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    assert chlo_to_stablehlo(module) is module
