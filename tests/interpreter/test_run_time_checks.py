"""What types leave undecided is judged with the sizes and values of a run; what they decide costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.debugger import Session
from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.program import shape_checks as run_time_checks
from shlo.ir.operations import Signature
from shlo.syntax import parse_type

RESHAPE = """func.func @main(%x: tensor<?xf32>, %shape: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}"""
SIX = np.ones(6, np.float32)
WRONG = "stablehlo.dynamic_reshape: size(operand) is 6, but size(result) is 8 [dynamic_reshape-C2]"


def test_values_of_operands_decide() -> None:
    module = shlo.parse(RESHAPE)
    assert shlo.run(module, SIX, [2, 3])[0].shape == (2, 3)
    with pytest.raises(shlo.ExecutionError) as error:
        shlo.run(module, SIX, [2, 4])
    assert (error.value.message, error.value.place) == (WRONG, "<text>:2:3")
    assert shlo.run(module, SIX, [6, 1])[0].shape == (6, 1)


def test_the_debugger_says_the_same() -> None:
    error = Session(shlo.parse(RESHAPE), [SIX, np.array([2, 4], np.int32)]).resume().error
    assert error is not None
    assert WRONG in error


def test_regions_and_lists_of_operands_are_judged() -> None:
    text = """func.func @main(%x: tensor<?xf32>, %y: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
      %0:2 = "stablehlo.sort"(%x, %y) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
        %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      }) {dimension = 0 : i64} : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
      return %0#0, %0#1 : tensor<?xf32>, tensor<?xi32>
    }"""
    module = shlo.parse(text)
    assert len(shlo.run(module, SIX, np.arange(6, dtype=np.int32))) == 2
    with pytest.raises(shlo.ExecutionError, match=r"\[6\].*\[5\].*\[sort-C\d\]"):
        shlo.run(module, SIX, np.arange(5, dtype=np.int32))


@pytest.mark.parametrize(("size", "is_checked"), [("2", False), ("?", True)])
def test_known_sizes_cost_nothing(size: str, is_checked: bool) -> None:
    type_ = parse_type(f"tensor<{size}xf32>")
    evaluate: Callable[..., Any] = np.add
    operation = OpView(Signature("stablehlo.add", (type_, type_), (type_,)))
    assert (run_time_checks.checked(operation, evaluate, False) is not evaluate) == is_checked


def test_shapes_that_fit_are_forgotten_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_time_checks, "KEPT_SHAPES", 2)
    module = shlo.parse(RESHAPE)
    for rows in (1, 2, 3, 6, 1):
        assert shlo.run(module, SIX, [rows, 6 // rows])[0].shape == (rows, 6 // rows)


IOTA = """func.func @main(%n: tensor<1xi64>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
  %1 = stablehlo.add %0, %0 : tensor<?xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}"""


def test_a_result_that_is_too_large_is_not_begun() -> None:
    with pytest.raises(shlo.ExecutionError, match=r"dynamic_iota: the result would take \d+ TiB"):
        shlo.run(shlo.parse(IOTA), [1 << 60])
    with pytest.raises(shlo.ExecutionError, match=r"dynamic_iota: the result would take 3\.9 KiB, more than"):
        shlo.run(shlo.parse(IOTA), [1000], max_bytes=3000)


def test_results_of_unknown_sizes_count_together() -> None:
    module = shlo.parse(IOTA)
    assert shlo.run(module, [1000], max_bytes=12_000)[0].shape == (1000,)
    with pytest.raises(
        shlo.ExecutionError, match=r"multiply: values would take 11\.7 KiB, more than the 10\.7"
    ):
        shlo.run(module, [1000], max_bytes=11_000)
    with pytest.raises(shlo.ExecutionError, match="multiply: values would take"):
        shlo.run_grid(module, [[[1000]]], max_bytes=11_000)
