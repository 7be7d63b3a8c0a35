"""Dot algorithms against loops over their terms at the stated precisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import shlo

from .values import Array

Rounding = Callable[[Any], Any]


def to_tf32(x: Any) -> Array:
    """To the nearest number of eleven significant bits, ties to even."""
    fraction, exponent = np.frexp(np.asarray(x, np.float64))
    return np.ldexp(np.rint(fraction * 2**11), exponent - 11)


def to(dtype: Any) -> Rounding:
    return lambda x: np.asarray(x, np.float32).astype(dtype).astype(np.float64)


ROUNDINGS: dict[str, Rounding] = {
    "tf32": to_tf32,
    "bf16": to(ml_dtypes.bfloat16),
    "f16": to(np.float16),
    "f32": to(np.float32),
    "f64": lambda x: np.asarray(x, np.float64),
    "f8E5M2": to(ml_dtypes.float8_e5m2),
}
PAIRS = {
    1: [(0, 0)],
    3: [(0, 0), (0, 1), (1, 0)],
    6: [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0)],
    9: [(i, j) for i in range(3) for j in range(3)],
}


def program(precision: str, accumulation: str, count: int, element: str, result: str) -> str:
    return f"""func.func @main(%a: tensor<2x5x37x{element}>, %b: tensor<2x37x4x{element}>) -> tensor<2x5x4x{result}> {{
      %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1],
        precision = [DEFAULT, DEFAULT],
        algorithm = <lhs_precision_type = {precision}, rhs_precision_type = {precision},
          accumulation_type = {accumulation}, lhs_component_count = 1, rhs_component_count = 1,
          num_primitive_operations = {count}, allow_imprecise_accumulation = false>
        : (tensor<2x5x37x{element}>, tensor<2x37x4x{element}>) -> tensor<2x5x4x{result}>
      return %r : tensor<2x5x4x{result}>
    }}"""


def components(x: Array, rounding: Rounding) -> list[Array]:
    parts: list[Array] = []
    rest = x.astype(np.float64)
    for _ in range(3):
        parts.append(rounding(rest))
        rest = rest - parts[-1]
    return parts


def drawn(element: str) -> tuple[Array, Array]:
    dtype = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f64": np.float64}[element]
    draw = np.random.default_rng(1)
    return draw.standard_normal((2, 5, 37)).astype(dtype), draw.standard_normal((2, 37, 4)).astype(dtype)


@pytest.mark.parametrize(
    ("precision", "accumulation", "count", "element", "result"),
    [
        ("tf32", "f32", 1, "f32", "f32"),
        ("tf32", "f32", 3, "f32", "f32"),
        ("bf16", "f32", 1, "f32", "f32"),
        ("bf16", "f32", 3, "f32", "f32"),
        ("bf16", "f32", 6, "f32", "f32"),
        ("bf16", "f32", 9, "f32", "f32"),
        ("f16", "f32", 1, "f32", "f32"),
        ("f8E5M2", "f32", 1, "bf16", "f32"),
        ("f32", "f32", 1, "f64", "f64"),
        ("f64", "f64", 1, "f32", "f64"),
    ],
)
def test_components_are_multiplied(
    precision: str, accumulation: str, count: int, element: str, result: str
) -> None:
    a, b = drawn(element)
    module = shlo.parse(program(precision, accumulation, count, element, result))
    left, right = (components(x, ROUNDINGS[precision]) for x in (a, b))
    terms = [np.matmul(left[i], right[j]) for i, j in PAIRS[count]]
    bound = np.matmul(np.abs(left[0]), np.abs(right[0])) * 37 * 2.0 ** (-52 if accumulation == "f64" else -23)
    (found,) = shlo.run(module, a, b)
    assert (np.abs(found - sum(terms)) <= bound).all()


@pytest.mark.parametrize(("precision", "element"), [("bf16", "f32"), ("bf16", "bf16"), ("f16", "f16")])
def test_narrow_accumulation_rounds_after_each_term(precision: str, element: str) -> None:
    a, b = drawn(element)
    rounding = ROUNDINGS[precision]
    left, right = (rounding(x) for x in (a, b))
    total = np.zeros((2, 5, 4))
    for term in range(37):
        total = rounding(total + left[:, :, term, None] * right[:, term, None, :])
    (found,) = shlo.run(shlo.parse(program(precision, precision, 1, element, element)), a, b)
    np.testing.assert_array_equal(found.astype(np.float64), total)


def test_infinite_operands_stay_infinite_in_split_products() -> None:
    a, b = drawn("f32")
    a[0, 0, 0], b[:, 0] = np.inf, 1
    (found,) = shlo.run(shlo.parse(program("bf16", "f32", 6, "f32", "f32")), a, b)
    assert np.isposinf(found[0, 0]).all()
    assert np.isfinite(found[0, 1:]).all()


def test_products_of_integers_are_exact_whatever_the_algorithm() -> None:
    a, b = (np.arange(size).reshape(shape) + 2**40 for size, shape in ((370, (2, 5, 37)), (296, (2, 37, 4))))
    (found,) = shlo.run(shlo.parse(program("tf32", "f32", 1, "i64", "i64")), a, b)
    np.testing.assert_array_equal(found, np.matmul(a, b))
