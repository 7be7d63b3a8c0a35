"""Sums and products of narrow floats: every combination is rounded, in XLA's order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shlo
from shlo.ir.dtypes import element_type_for
from tests.oracle import Oracle

from .values import Array, dtype_named

NARROW = ("bfloat16", "float16", "float8_e4m3fn", "float8_e5m2")


def reduced(x: Array, dimensions: list[int], name: str = "add", initial: str = "0.0") -> str:
    """Returns a program that reduces a tensor like x."""
    kept = [size for axis, size in enumerate(x.shape) if axis not in dimensions]
    operand, result, scalar = (typed(shape, x.dtype) for shape in (x.shape, kept, ()))
    return f"""func.func @main(%x: {operand}) -> {result} {{
      %init = stablehlo.constant dense<{initial}> : {scalar}
      %r = stablehlo.reduce(%x init: %init) applies stablehlo.{name} across dimensions = {dimensions}
        : ({operand}, {scalar}) -> {result}
      return %r : {result}
    }}"""


def over_windows(
    x: Array, result: Any, sizes: list[int], padding: list[list[int]], strides: list[int], name: str = "add"
) -> str:
    """Returns a program that reduces windows of a tensor like x."""
    operand, results, scalar = (typed(shape, x.dtype) for shape in (x.shape, result, ()))
    lists = [f"array<i64: {', '.join(map(str, values))}>" for values in (sizes, strides)]
    return f"""func.func @main(%x: {operand}) -> {results} {{
      %init = stablehlo.constant dense<{"0.0" if name == "add" else "1.0"}> : {scalar}
      %r = "stablehlo.reduce_window"(%x, %init) ({{
        ^bb0(%a: {scalar}, %b: {scalar}):
          %c = stablehlo.{name} %a, %b : {scalar}
          stablehlo.return %c : {scalar}
      }}) {{window_dimensions = {lists[0]}, window_strides = {lists[1]},
            padding = dense<{padding}> : tensor<{len(sizes)}x2xi64>}} : ({operand}, {scalar}) -> {results}
      return %r : {results}
    }}"""


def typed(shape: Any, dtype: Any) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element_type_for(np.dtype(dtype))}>"


def run(text: str, x: Array) -> Array:
    return shlo.run(shlo.parse(text), x)[0]


def drawn(dtype: str, shape: Any, near: float = 0.0) -> Array:
    x = np.random.default_rng(len(shape)).standard_normal(shape) * 0.3 + near
    return x.astype(dtype_named(dtype))


@pytest.mark.parametrize("dtype", NARROW)
def test_a_term_below_half_a_unit_in_the_last_place_is_lost(dtype: str) -> None:
    unit = {"bfloat16": 2**-7, "float16": 2**-10, "float8_e4m3fn": 2**-3, "float8_e5m2": 2**-2}[dtype]
    x = np.array([1, unit / 2, unit / 4]).astype(dtype_named(dtype))
    assert float(run(reduced(x, [0]), x)) == 1


@pytest.mark.parametrize("dtype", NARROW)
def test_reduce_is_what_xla_computes(oracle: Oracle, dtype: str) -> None:
    cases: list[tuple[list[int], list[int], str, str]] = [
        ([7], [0], "add", "0.0"),
        ([33], [0], "add", "0.0"),
        ([5000], [0], "add", "0.0"),
        ([700, 100], [1], "add", "0.0"),
        ([100, 700], [0], "add", "0.0"),
        ([10, 64, 5], [0, 1], "add", "0.0"),
        ([5, 20, 7], [0, 2], "multiply", "1.0"),
    ]
    for shape, dimensions, name, initial in cases:
        x = drawn(dtype, shape, near=1.0 if name == "multiply" else 0.0)
        text = reduced(x, dimensions, name, initial)
        np.testing.assert_array_equal(run(text, x), oracle.run(text, [x])[0], str((shape, dimensions)))


@pytest.mark.parametrize("dtype", NARROW)
def test_windows_are_what_xla_computes(oracle: Oracle, dtype: str) -> None:
    x = drawn(dtype, [2, 40, 40, 3])
    text = over_windows(x, (2, 20, 20, 3), [1, 3, 3, 1], [[0, 0], [1, 1], [1, 1], [0, 0]], [1, 2, 2, 1])
    np.testing.assert_array_equal(run(text, x), oracle.run(text, [x])[0])
    x = drawn(dtype, [50], near=1.0)
    text = over_windows(x, (46,), [5], [[0, 0]], [1], "multiply")
    np.testing.assert_array_equal(run(text, x), oracle.run(text, [x])[0])


@pytest.mark.parametrize("is_reverse", [False, True])
@pytest.mark.parametrize("dtype", NARROW)
def test_cumulative_sums_are_what_xla_computes(oracle: Oracle, dtype: str, is_reverse: bool) -> None:
    for size in (5, 17, 300):
        x = drawn(dtype, [size, 2])
        reach = [0, size - 1] if is_reverse else [size - 1, 0]
        text = over_windows(x, x.shape, [size, 1], [reach, [0, 0]], [1, 1])
        np.testing.assert_array_equal(run(text, x), oracle.run(text, [x])[0], str(size))


def test_sums_that_leave_the_range_overflow_where_they_do() -> None:
    for size in (40, 40_000):
        x = np.zeros((4, size), np.float16)
        x[:3] = [[60_000], [60_000], [-60_000]]
        assert np.isposinf(run(reduced(x, [0]), x)).all()
        x = x.astype(dtype_named("float8_e4m3fn"))
        x[:3] = [[448], [448], [-448]]
        assert np.isnan(run(reduced(x, [0]), x).astype(np.float32)).all()


def test_subnormal_products_are_rounded() -> None:
    x = np.full((2, 1000), 2**-12, np.float16)
    x[1] = 1.5 * 2**-12
    expected = np.full(1000, 2**-23, np.float16)
    np.testing.assert_array_equal(run(reduced(x, [0], "multiply", "1.0"), x), expected)
