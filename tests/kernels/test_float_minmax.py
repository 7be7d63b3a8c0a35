"""maximum and minimum of floats: +0 is above -0 and NaN wins, in whatever way they are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import shlo
from shlo.ir.dtypes import element_type_for
from shlo.ir.types import RankedTensorType

from .values import BYTE_FLOATS, WIDE_FLOATS, Array, dtype_named

pytestmark = pytest.mark.slow

FLOATS = (*WIDE_FLOATS, *BYTE_FLOATS)
NAMES = ("maximum", "minimum")
SIZES = (1, 7, 64, 5000, 70_001)
"""Sizes for which NumPy's loops, checks of results and blocks take different ways."""


def ieee(name: str, x: Any, y: Any) -> Any:
    """IEEE 754-2019, 9.6, element by element."""
    wide = [np.asarray(value).astype(np.float64) for value in (x, y)]
    first = (np.greater if name == "maximum" else np.less)(*wide)
    signs = [np.signbit(value) for value in wide]
    first |= (wide[0] == wide[1]) & (signs[1] if name == "maximum" else signs[0])
    chosen = np.where(first, *wide)
    return np.where(np.isnan(wide[0]) | np.isnan(wide[1]), np.nan, chosen)


def drawn(dtype: Any, size: int, seed: int) -> Array:
    """Zeros of both signs, some other numbers, and a few NaN."""
    values = np.array([0.0, -0.0, 0.0, -0.0, 1.0, -1.0])[np.random.default_rng(seed).integers(0, 6, size)]
    x = values.astype(dtype)
    x[3::37] = np.array(np.nan).astype(dtype)
    x[5::41] = np.array(-np.nan).astype(dtype)
    return x


def assert_same(result: Any, expected: Any) -> None:
    """Equal, zeros with their signs; NaN has none."""
    wide = np.asarray(result).astype(np.float64)
    np.testing.assert_array_equal(wide, expected)
    is_number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(wide)[is_number], np.signbit(expected)[is_number])


def type_of(*arrays: Any) -> list[str]:
    return [str(RankedTensorType(np.shape(x), element_type_for(np.asarray(x).dtype))) for x in arrays]


def run(text: str, *arrays: Any) -> Array:
    """Returns the program's result when it runs as generated code, which a second run is."""
    module = shlo.parse(text)
    shlo.run(module, *arrays)
    return shlo.run(module, *arrays)[0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", FLOATS)
def test_of_two_tensors(name: str, dtype: str) -> None:
    for size in SIZES:
        x, y = drawn(dtype_named(dtype), size, 1), drawn(dtype_named(dtype), size, 2)
        (type_,) = type_of(x)
        text = f"""func.func @main(%x: {type_}, %y: {type_}) -> {type_} {{
          %r = stablehlo.{name} %x, %y : {type_}
          return %r : {type_}
        }}"""
        assert_same(run(text, x, y), ieee(name, x, y))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bound", ["0.0", "-0.0", "1.0"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_with_a_constant_bound_in_the_memory_of_the_operand(name: str, bound: str, dtype: str) -> None:
    for size in SIZES:
        x = drawn(dtype_named(dtype), size, 3)
        (type_,) = type_of(x)
        text = f"""func.func @main(%x: {type_}) -> {type_} {{
          %bound = stablehlo.constant dense<{bound}> : {type_}
          %same = stablehlo.negate %x : {type_}
          %r = stablehlo.{name} %same, %bound : {type_}
          return %r : {type_}
        }}"""
        assert_same(run(text, x), ieee(name, -x, float(bound)))


def test_clamp_by_zeros() -> None:
    for dtype in FLOATS:
        for size in (1, 5000):
            x = drawn(dtype_named(dtype), size, 4)
            type_, scalar = type_of(x, x[0])
            for least in ("0.0", "-0.0"):
                for greatest in ("0.0", "-0.0", "1.0"):
                    text = f"""func.func @main(%x: {type_}) -> {type_} {{
                      %least = stablehlo.constant dense<{least}> : {scalar}
                      %greatest = stablehlo.constant dense<{greatest}> : {scalar}
                      %r = stablehlo.clamp %least, %x, %greatest : ({scalar}, {type_}, {scalar}) -> {type_}
                      return %r : {type_}
                    }}"""
                    held = ieee("minimum", ieee("maximum", x, float(least)), float(greatest))
                    assert_same(run(text, x), held.astype(x.dtype).astype(np.float64))


@pytest.mark.parametrize("name", NAMES)
def test_of_scalars_in_a_loop(name: str) -> None:
    text = f"""func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %last = stablehlo.constant dense<50> : tensor<i32>
      %r:2 = stablehlo.while(%i = %zero, %z = %x) : tensor<i32>, tensor<f32> cond {{
        %go = stablehlo.compare LT, %i, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      }} do {{
        %next = stablehlo.add %i, %one : tensor<i32>
        %w = stablehlo.{name} %x, %y : tensor<f32>
        stablehlo.return %next, %w : tensor<i32>, tensor<f32>
      }}
      return %r#1 : tensor<f32>
    }}"""
    module, values = shlo.parse(text), [np.float32(v) for v in (0.0, -0.0, 1.0, -2.0, np.nan)]
    for x in values:
        for y in values:
            assert_same(shlo.run(module, x, y)[0], ieee(name, x, y))


def rows(name: str, shape: tuple[int, int], dimension: int, seed: int) -> tuple[Array, Array]:
    """Rows without a number beyond zero, so that zeros decide, and what they reduce to."""
    x = np.random.default_rng(seed).choice([0.0, -0.0, -0.0, -0.0, -1.0], shape)
    x = x if name == "maximum" else -x
    start = np.full(np.delete(shape, dimension), -np.inf if name == "maximum" else np.inf)
    expected = start
    for part in np.moveaxis(x, dimension, 0):
        expected = ieee(name, expected, part)
    return x, expected


REDUCERS: dict[str, Callable[[str, str, str], str]] = {
    "reduce": lambda name, type_, scalar: (
        f"stablehlo.reduce(%x init: %start) applies stablehlo.{name} across dimensions = [DIM] : "
        f"({type_}, {scalar}) -> RESULT"
    ),
    "any body": lambda name, type_, scalar: (
        f"stablehlo.reduce(%x init: %start) across dimensions = [DIM] : ({type_}, {scalar}) -> RESULT "
        f"reducer(%a: {scalar}, %b: {scalar}) {{ %c = stablehlo.{name} %a, %b : {scalar} "
        f"%d = stablehlo.{name} %c, %a : {scalar} stablehlo.return %d : {scalar} }}"
    ),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", REDUCERS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "float8_e5m2"])
def test_reduced(name: str, way: str, dtype: str) -> None:
    for shape, dimension in (((3, 5), 0), ((3, 5), 1), ((2000, 9), 1), ((70, 70), 0)):
        x, expected = rows(name, shape, dimension, 5)
        x = x.astype(dtype_named(dtype))
        type_, scalar, result = type_of(x, x[0, 0], expected.astype(x.dtype))
        start = "0xFF800000" if name == "maximum" else "0x7F800000"
        line = REDUCERS[way](name, type_, scalar).replace("DIM", str(dimension)).replace("RESULT", result)
        text = f"""func.func @main(%x: {type_}) -> {result} {{
          %wide = stablehlo.constant dense<{start}> : tensor<f32>
          %start = stablehlo.convert %wide : (tensor<f32>) -> {scalar}
          %r = {line}
          return %r : {result}
        }}"""
        assert_same(run(text, x), expected)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_over_windows_and_as_a_scan(name: str, dtype: str) -> None:
    x, _ = rows(name, (1, 300), 0, 6)
    x = x[0].astype(dtype_named(dtype))
    start = -1.0 if name == "maximum" else 1.0
    type_, scalar = type_of(x, x[0])
    for size in (2, 300):
        text = f"""func.func @main(%x: {type_}) -> {type_} {{
          %start = stablehlo.constant dense<{start}> : {scalar}
          %r = "stablehlo.reduce_window"(%x, %start) ({{
            ^bb0(%a: {scalar}, %b: {scalar}):
              %c = stablehlo.{name} %a, %b : {scalar}
              stablehlo.return %c : {scalar}
          }}) {{window_dimensions = array<i64: {size}>, padding = dense<[[{size - 1}, 0]]> : tensor<1x2xi64>}}
            : ({type_}, {scalar}) -> {type_}
          return %r : {type_}
        }}"""
        padded = np.concatenate([np.full(size - 1, start), x.astype(np.float64)])
        expected = padded[: x.size]
        for at in range(1, size):
            expected = ieee(name, expected, padded[at : at + x.size])
        assert_same(run(text, x), expected)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", ["float32", "float16", "float8_e4m3fn"])
def test_scattered(name: str, dtype: str) -> None:
    table = drawn(dtype_named(dtype), 4, 7)[:3]
    updates = drawn(dtype_named(dtype), 30, 8)
    updates[np.isnan(updates.astype(np.float32))] = 0
    places = np.random.default_rng(9).integers(0, 3, (30, 1))
    types = type_of(table, places, updates, table[0])
    text = f"""func.func @main(%x: {types[0]}, %i: {types[1]}, %u: {types[2]}) -> {types[0]} {{
      %r = "stablehlo.scatter"(%x, %i, %u) ({{
        ^bb0(%a: {types[3]}, %b: {types[3]}):
          %c = stablehlo.{name} %a, %b : {types[3]}
          stablehlo.return %c : {types[3]}
      }}) {{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
            scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : ({", ".join(types[:3])}) -> {types[0]}
      return %r : {types[0]}
    }}"""
    expected = table.astype(np.float64)
    for (place,), update in zip(places, updates.astype(np.float64)):
        expected[place] = ieee(name, expected[place], update)
    assert_same(run(text, table, places, updates), expected)


def test_of_the_processes_of_a_grid() -> None:
    for dtype in (np.float32, ml_dtypes.bfloat16):
        parts = [np.array([0.0, -0.0], dtype), np.array([-0.0, 0.0], dtype)]
        type_, scalar = type_of(parts[0], parts[0][0])
        text = f"""func.func @main(%x: {type_}) -> {type_} {{
          %r = "stablehlo.all_reduce"(%x) ({{
            ^bb0(%a: {scalar}, %b: {scalar}):
              %c = stablehlo.maximum %a, %b : {scalar}
              stablehlo.return %c : {scalar}
          }}) {{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : ({type_}) -> {type_}
          return %r : {type_}
        }}"""
        for (result,) in shlo.run_grid(shlo.parse(text), [[part] for part in parts], replicas=2):
            assert_same(result, np.array([0.0, 0.0]))
