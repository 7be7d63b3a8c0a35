"""When loops and functions become generated code: once that pays, by the clock and by the rounds that are left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.interpreter.jit import hot
from shlo.interpreter.program.code import Instruction, Kind, program_of
from shlo.interpreter.runtime import buffer_reuse
from shlo.interpreter.runtime.tiers import COSTS, Policy, TierCost, use_policy
from shlo.ir.operations import Module

COUNTING = """
func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<f32>
  cond {
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.add %y, %y : tensor<f32>
    stablehlo.return %j, %z : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
"""
CONSTANT_END = COUNTING.replace(
    "%go = stablehlo.compare LT, %i, %n", "%end = stablehlo.constant dense<1000000> : tensor<i32>\n    "
    "%go = stablehlo.compare LT, %i, %end",
)  # fmt: skip
DOUBLING = COUNTING.replace("LT, %i, %n", "LT, %k, %n").replace(
    "cond {", "cond {\n    %k = stablehlo.multiply %i, %i : tensor<i32>"
)


def loop_of(module: Module) -> Instruction:
    (loop,) = (
        each for each in program_of(module).function("main").code.instructions if each.kind is Kind.WHILE
    )
    return loop


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each look at the clock is 100 us after the one before, and generating a loop costs 10 ms."""
    now = 0.0

    def work_seconds() -> float:
        nonlocal now
        now += 1e-4
        return now

    monkeypatch.setattr(hot, "work_seconds", work_seconds)
    with use_policy(Policy({**COSTS, "source": TierCost(0.0, 1e-2 / 6)})):
        yield


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("text", "rounds", "is_generated"),
    [(COUNTING, 60, False), (COUNTING, 150, True), (CONSTANT_END, 3, True), (DOUBLING, 60**2, False)],
)
def test_a_loop_is_generated_where_the_rounds_that_are_left_are_worth_it(
    text: str, rounds: int, is_generated: bool
) -> None:
    module = shlo.parse(text)
    iterations: list[int] = []
    generate = hot.hot_loop

    def noted(code: Any, index: int, iteration: int, *others: Any) -> Any:
        found = generate(code, index, iteration, *others)
        if found is not None:
            iterations.append(iteration)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shlo.interpreter.engine.fast_path.hot_loop", noted)
        shlo.run(module, np.int32(rounds), np.float32(0))
    assert (loop_of(module).compiled_loop is not None) is is_generated
    assert iterations == ([2] if is_generated else [])


@pytest.mark.usefixtures("clock")
def test_a_loop_whose_end_is_not_known_is_generated_once_it_has_taken_as_long() -> None:
    module = shlo.parse(DOUBLING)
    shlo.run(module, np.int32(150**2), np.float32(0))
    assert loop_of(module).compiled_loop is not None


@pytest.mark.usefixtures("clock")
def test_rounds_of_many_runs_of_a_loop_count_together() -> None:
    module = shlo.parse(
        COUNTING.replace("@main", "@loop")
        + """
func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %a = call @loop(%n, %x) : (tensor<i32>, tensor<f32>) -> tensor<f32>
  %b = call @loop(%n, %a) : (tensor<i32>, tensor<f32>) -> tensor<f32>
  return %b : tensor<f32>
}
"""
    )
    shlo.run(module, np.int32(60), np.float32(0))
    loop = program_of(module).function("loop").code.instructions[1]
    assert loop.compiled_loop is not None


def test_a_first_run_overwrites_only_large_arrays_that_nothing_needs() -> None:
    size = buffer_reuse.OVERWRITE_FROM // 4
    module = shlo.parse(
        f"""
func.func @main(%x: tensor<{size}xf32>) -> (tensor<{size}xf32>, tensor<{size}xf32>) {{
  %a = stablehlo.add %x, %x : tensor<{size}xf32>
  %b = stablehlo.multiply %a, %x : tensor<{size}xf32>
  %c = stablehlo.subtract %b, %a : tensor<{size}xf32>
  %d = stablehlo.negate %c : tensor<{size}xf32>
  return %d, %a : tensor<{size}xf32>, tensor<{size}xf32>
}}
"""
    )
    x = np.arange(size, dtype=np.float32)
    (d, a), kept = shlo.run(module, x), x.copy()
    kernels = [each.bound_kernel for each in program_of(module).function("main").code.instructions]
    assert [each.overwritten for each in kernels if each is not None] == [(0, 1)] * 3 + [(0,)]
    np.testing.assert_array_equal(x, kept)
    np.testing.assert_array_equal(a, x + x)
    np.testing.assert_array_equal(d, -((x + x) * x - (x + x)))
