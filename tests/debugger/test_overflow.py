"""Breakpoints on conversions that were given numbers out of the range of their result's type."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import shlo
from shlo.debugger.session import Session

ONE = """func.func @main(%x: tensor<2x{source}>) -> tensor<2x{target}> {{
  %0 = stablehlo.convert %x : (tensor<2x{source}>) -> tensor<2x{target}>
  return %0 : tensor<2x{target}>
}}
"""


def stops(text: str, *arguments: Any) -> bool:
    """Returns whether a program is stopped by an overflow."""
    session = Session(shlo.parse(text), arguments)
    session.breakpoints.on_nonfinite("overflow")
    return session.resume().reason == "breakpoint"


@pytest.mark.parametrize(
    ("source", "dtype", "target", "greatest", "beyond"),
    [
        ("f32", np.float32, "f16", 65519, 65520),  # the first is rounded to the greatest number
        ("f64", np.float64, "f32", 3.4e38, -3.5e38),
        ("f32", np.float32, "f8E4M3FN", 464, 465),  # without infinities: a NaN
        ("f32", np.float32, "i8", 127.9, 128),
        ("f32", np.float32, "ui8", -0.9, -1),
        ("f32", np.float32, "i32", -(2.0**31), 2.0**31),
        ("f64", np.float64, "i64", 2.0**63 - 1024, 2.0**63),
        ("bf16", ml_dtypes.bfloat16, "i8", -128, np.inf),
        ("i32", np.int32, "i8", -128, 128),
        ("i32", np.int32, "i4", 7, -9),
        ("i32", np.int32, "f16", 65519, 65520),
        ("i64", np.int64, "ui64", 0, -1),
        ("ui64", np.uint64, "i64", 2**63 - 1, 2**63),
        ("complex<f64>", np.complex128, "complex<f32>", 1j, 1e39j),
    ],
)
def test_a_conversion_overflows_behind_the_greatest_number(
    source: str, dtype: type, target: str, greatest: complex, beyond: complex
) -> None:
    text = ONE.format(source=source, target=target)
    assert not stops(text, np.array([0, greatest], dtype))
    assert stops(text, np.array([0, beyond], dtype))


@pytest.mark.parametrize(
    ("source", "target", "values"),
    [
        ("f32", "f64", [np.inf, 1e38]),
        ("f32", "f16", [np.inf, np.nan]),  # not finite before
        ("f32", "i8", [np.nan, 0]),
        ("f32", "i1", [1e38, -1]),
        ("f32", "bf16", [3e38, 0]),
    ],
)
def test_what_a_type_holds_or_no_number_is_not_an_overflow(
    source: str, target: str, values: list[float]
) -> None:
    assert not stops(ONE.format(source=source, target=target), np.array(values, np.float32))


def test_reduced_precision_overflows() -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.reduce_precision %x, format = e5m10 : tensor<f32>
      return %0 : tensor<f32>
    }"""
    assert not stops(text, np.float32(65519))
    assert stops(text, np.float32(65520))


LOOP = """func.func @main(%n: tensor<i32>) -> tensor<i8> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %byte = stablehlo.constant dense<0> : tensor<i8>
  %r:2 = stablehlo.while(%i = %zero, %b = %byte) : tensor<i32>, tensor<i8>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %narrow = stablehlo.convert %i : (tensor<i32>) -> tensor<i8>
    stablehlo.return %next, %narrow : tensor<i32>, tensor<i8>
  }
  return %r#1 : tensor<i8>
}
"""


def test_the_first_overflow_of_a_long_loop_is_found_from_both_sides() -> None:
    session = Session(shlo.parse(LOOP), [np.int32(5000)])
    session.breakpoints.on_nonfinite("overflow")
    snapshot = session.resume()
    assert snapshot.last_step is not None
    assert snapshot.last_step.finding == ("overflow",)
    assert (int(session.inspector.value("i")), int(session.inspector.value("narrow"))) == (128, -128)
    first = session.position
    session.resume()
    assert session.reverse().position == first
    assert session.reverse().position == 0


NARROW = """func.func @main(%x: tensor<2x2xf16>, %y: tensor<2x2x{type}>) -> (tensor<2x2xf16>, tensor<2x2x{type}>) {{
  %half = stablehlo.divide %x, %x : tensor<2x2xf16>
  %dot = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
  %sum = stablehlo.add %y, %y : tensor<2x2x{type}>
  return %dot, %sum : tensor<2x2xf16>, tensor<2x2x{type}>
}}
"""


@pytest.mark.parametrize(("type_", "dtype"), [("bf16", ml_dtypes.bfloat16), ("f32", np.float32)])
def test_any_operation_overflows_that_makes_a_narrow_infinity_but_at_poles(type_: str, dtype: type) -> None:
    text = NARROW.format(type=type_)
    small, large = np.full((2, 2), 3e38, dtype), np.array([[0, 1], [1, 300]], np.float16)
    session = Session(shlo.parse(text), [large, small])
    session.breakpoints.on_nonfinite("overflow")
    stopped: list[str] = []
    while (snapshot := session.resume()).reason == "breakpoint":
        assert snapshot.last_step
        stopped.append(snapshot.last_step.op)
    assert stopped == ["stablehlo.dot_general", *(["stablehlo.add"] if type_ == "bf16" else [])]
    poles = text.replace("stablehlo.divide %x, %x", "stablehlo.log %x")
    assert not stops(poles, np.zeros((2, 2), np.float16), np.zeros((2, 2), dtype))
