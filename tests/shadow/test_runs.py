"""Runs with a shadow: which operation loses digits, where errors grow, and what follows the real run."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import shlo
from shlo.interpreter import RunOptions, execute
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module
from shlo.runner.errors import RequestError
from shlo.runner.python_source import PythonSources
from shlo.shadow.losses import Losses
from shlo.shadow.measures import overall_error
from shlo.shadow.report import lines_of
from shlo.shadow.run import ShadowRun
from tests.jax_programs import RUNNABLE, Program, program_id

CORPUS = [
    each
    for each in RUNNABLE
    if each.name in {"transformer_gradient", "lstm", "sort_kinds", "linalg_qr", "random_normal", "fft"}
]


def losses_of(program: str | Module, *arguments: object) -> Losses:
    """Returns what digits a run loses."""
    run = ShadowRun()
    module = shlo.parse(program) if isinstance(program, str) else program
    run.execute(module, arguments, RunOptions())
    return run.losses


def loop(carried: str, body: str, returned: str, count: int = 40) -> str:
    """Returns a program that carries `%v` of f32 through a loop."""
    return f"""func.func @main(%x: tensor<f32>) -> tensor<f32> {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %count = stablehlo.constant dense<{count}> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %unit = stablehlo.constant dense<1.0> : tensor<f32>
      %none = stablehlo.constant dense<0.0> : tensor<f32>
      %four = stablehlo.constant dense<4.0> : tensor<f32>
      %r:3 = stablehlo.while(%i = %zero, %v = {carried}, %e = %none) : tensor<i32>, tensor<f32>, tensor<f32>
      cond {{
        %c = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        %j = stablehlo.add %i, %one : tensor<i32>
        {body}
        stablehlo.return %j, {returned} : tensor<i32>, tensor<f32>, tensor<f32>
      }}
      return %r#1 : tensor<f32>
    }}"""


def test_cancellation_is_named_where_it_happens_not_where_operands_were_rounded() -> None:
    program = shlo.load("examples/variance.mlir")
    losses = losses_of(program, np.array([1000.1, 1000.4, 999.7, 1000.2], np.float32))
    (found,) = losses
    assert found.operation.name == "stablehlo.subtract"
    assert found.worst.cause == "cancellation"
    assert [each.name for each in found.worst.operands] == ["mean_of_squares", "square_of_mean"]
    exact = np.array([1000.1, 1000.4, 999.7, 1000.2], np.float32).astype(np.float64).var()
    assert found.worst.element.shadow == pytest.approx(exact, rel=1e-9)
    (result,) = losses.results
    assert result.total == found.worst.total > 5


def test_a_sum_with_compensation_keeps_the_digits_that_a_plain_one_loses() -> None:
    add = "%w = stablehlo.add %v, %x : tensor<f32>"
    plain = losses_of(loop("%none", add, "%w, %e", 700), np.float32(0.1))
    kahan = """%y = stablehlo.subtract %x, %e : tensor<f32>
        %w = stablehlo.add %v, %y : tensor<f32>
        %d = stablehlo.subtract %w, %v : tensor<f32>
        %f = stablehlo.subtract %d, %y : tensor<f32>"""
    compensated = losses_of(loop("%none", kahan, "%w, %f", 700), np.float32(0.1))
    assert plain.results[0].total > 2
    assert compensated.results[0].total == 0
    assert plain.growing_loops[0].growing[0].name == "v"


def test_a_loop_tells_from_which_iteration_on_its_error_has_grown() -> None:
    body = """%w = stablehlo.subtract %unit, %v : tensor<f32>
        %p = stablehlo.multiply %v, %w : tensor<f32>
        %q = stablehlo.multiply %p, %four : tensor<f32>"""
    losses = losses_of(loop("%x", body, "%q, %e"), np.float32(0.3))
    (found,) = losses.growing_loops
    (carried,) = found.growing
    narrow, wide, lost = np.float32(0.3), np.float64(np.float32(0.3)), []
    for _ in range(40):
        lost.append(abs(narrow - wide) / wide * 2**24)
        narrow, wide = narrow * (1 - narrow) * np.float32(4), wide * (1 - wide) * 4
    assert carried.name == "v"
    assert carried.passed == next(index for index, each in enumerate(lost) if each >= 10)


def test_a_loop_that_is_begun_with_worse_values_each_time_does_not_make_errors_grow() -> None:
    inner = """%s:2 = stablehlo.while(%k = %zero, %u = %v) : tensor<i32>, tensor<f32>
        cond {
          %d = stablehlo.compare LT, %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %d : tensor<i1>
        } do {
          %l = stablehlo.add %k, %one : tensor<i32>
          %t = stablehlo.negate %u : tensor<f32>
          stablehlo.return %l, %t : tensor<i32>, tensor<f32>
        }
        %b = stablehlo.abs %s#1 : tensor<f32>
        %w = stablehlo.add %b, %x : tensor<f32>"""
    losses = losses_of(loop("%none", inner, "%w, %e", 400), np.float32(0.1))
    assert [each.carried[1].name for each in losses.growing_loops] == ["v"]


def test_a_growing_loop_is_found_whose_condition_has_no_operation() -> None:
    body = """%w = stablehlo.subtract %unit, %v : tensor<f32>
        %p = stablehlo.multiply %v, %w : tensor<f32>
        %q = stablehlo.multiply %p, %four : tensor<f32>"""
    text = loop("%x", body, "%q, %e")
    (expected,) = losses_of(text, np.float32(0.3)).growing_loops[0].growing
    compare = "stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>"
    without = text.replace(f"%c = {compare}", "").replace("return %c :", "return %g :")
    without = without.replace("%e = %none)", "%e = %none, %g = %go)").replace(
        "%r:3", "%go = stablehlo.constant dense<true> : tensor<i1>\n%r:4"
    )
    without = without.replace(
        "tensor<f32>, tensor<f32>\n      cond", "tensor<f32>, tensor<f32>, tensor<i1>\n      cond"
    )
    without = without.replace(
        "stablehlo.return %j, %q, %e :",
        f"%h = {compare.replace('%i', '%j')}\nstablehlo.return %j, %q, %e, %h :",
    )
    without = without.replace(
        "tensor<i32>, tensor<f32>, tensor<f32>\n      }\n      return",
        "tensor<i32>, tensor<f32>, tensor<f32>, tensor<i1>\n      }\n      return",
    )
    (found,) = losses_of(without, np.float32(0.3)).growing_loops[0].growing
    assert (found.name, found.first, found.passed) == (expected.name, expected.first, expected.passed)


def test_a_tensor_that_overflows_is_told_first_and_what_is_infinite_in_f64_too_is_no_overflow() -> None:
    program = """func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %d = stablehlo.add %x, %z : tensor<4xf32>
      %e = stablehlo.subtract %d, %z : tensor<4xf32>
      %m = stablehlo.multiply %y, %y : tensor<4xf32>
      %r = stablehlo.divide %x, %y : tensor<4xf32>
      %q = stablehlo.divide %r, %y : tensor<4xf32>
      %l = stablehlo.log %q : tensor<4xf32>
      return %e, %m, %l : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    }"""
    overflow, *others = losses_of(program, *(np.full(4, each, np.float32) for each in (1.1, 1e30, 1e7)))
    assert (overflow.operation.name, overflow.worst.cause) == ("stablehlo.multiply", "overflow")
    assert overflow.worst.overall == overflow.worst.here == overflow.worst.digits
    causes = {each.operation.name: each.worst.cause for each in others}
    assert causes == {"stablehlo.subtract": "cancellation", "stablehlo.log": "amplification"}


def test_squares_of_large_numbers_are_in_range_where_a_tensor_is_measured_as_a_whole() -> None:
    shadow = np.array([3e200, 4e200])
    assert overall_error(shadow * (1 + 1e-3), shadow, shadow) == pytest.approx(1e-3)


@pytest.mark.parametrize(("narrow", "factor"), [("bf16", 1.1), ("f16", 1e-4)])
def test_digits_that_a_narrower_type_lacks_are_not_lost_by_the_conversion_and_it_is_named(
    narrow: str, factor: float
) -> None:
    program = f"""func.func @main(%x: tensor<2x{narrow}>) -> tensor<2xf32> {{
      %a = stablehlo.multiply %x, %x : tensor<2x{narrow}>
      %b = stablehlo.convert %a : (tensor<2x{narrow}>) -> tensor<2xf32>
      return %b : tensor<2xf32>
    }}"""
    dtype = ml_dtypes.bfloat16 if narrow == "bf16" else np.float16
    losses = losses_of(program, np.array([1.2 * factor, 1.3 * factor]).astype(dtype))
    assert len(losses) == 0
    (widened,) = losses.widened.values()
    assert (widened.narrow, widened.place) == (narrow, "<text>:3:7")
    assert losses.results[0].total == widened.total > 3
    said = [
        line
        for line in lines_of(losses, PythonSources([]))
        if line.startswith(f"digits are those of {narrow}, ")
    ]
    assert len(said) == 1
    assert "before <text>:3:7: stablehlo.convert: " in said[0]


def test_a_softmax_of_bf16_is_compared_with_one_in_f64() -> None:
    program = """func.func @main(%x: tensor<8xbf16>) -> tensor<8xbf16> {
      %low = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %zero = stablehlo.constant dense<0.0> : tensor<bf16>
      %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0]
        : (tensor<8xbf16>, tensor<bf16>) -> tensor<bf16>
      %b = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<bf16>) -> tensor<8xbf16>
      %d = stablehlo.subtract %x, %b : tensor<8xbf16>
      %e = stablehlo.exponential %d : tensor<8xbf16>
      %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<8xbf16>, tensor<bf16>) -> tensor<bf16>
      %t = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<bf16>) -> tensor<8xbf16>
      %y = stablehlo.divide %e, %t : tensor<8xbf16>
      return %y : tensor<8xbf16>
    }"""
    x = np.linspace(-3, 3, 8).astype(ml_dtypes.bfloat16)
    (result,) = losses_of(program, x).results
    exact = np.exp(x.astype(np.float64))
    exact /= exact.sum()
    assert result.element.shadow == pytest.approx(exact[result.index], rel=1e-12)
    assert result.digits == pytest.approx(2.4, abs=0.1)
    assert 0 < result.total < 1


def test_orders_indices_and_integers_are_those_of_the_real_run() -> None:
    program = """func.func @main(%x: tensor<64xf32>, %t: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
      %s = stablehlo.sine %x : tensor<64xf32>
      %k = stablehlo.reduce_precision %s, format = e8m3 : tensor<64xf32>
      %n = stablehlo.iota dim = 0 : tensor<64xi32>
      %r:2 = "stablehlo.sort"(%k, %n) <{dimension = 0 : i64, is_stable = true}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
          %l = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %l : tensor<i1>
      }) : (tensor<64xf32>, tensor<64xi32>) -> (tensor<64xf32>, tensor<64xi32>)
      %i = stablehlo.reshape %r#1 : (tensor<64xi32>) -> tensor<64x1xi32>
      %g = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
        start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
        : (tensor<64xf32>, tensor<64x1xi32>) -> tensor<64xf32>
      return %r#0, %g : tensor<64xf32>, tensor<64xf32>
    }"""
    rng = np.random.default_rng(5)
    x, table = (rng.standard_normal(64).astype(np.float32) for _ in range(2))
    values, gathered = losses_of(program, x, table).results
    assert values.total == pytest.approx(np.log10(2**20), abs=0.2)  # the real order: what rounding took alone
    assert gathered.total == 0


@pytest.mark.parametrize("program", CORPUS, ids=program_id)
def test_values_have_the_same_bits_with_and_without_a_shadow(program: Program) -> None:
    module = shlo.parse(program.text())
    plain = execute(module, program.arguments, RunOptions())
    shadowed = ShadowRun().execute(module, program.arguments, RunOptions())
    assert [np.asarray(each).tobytes() for each in shadowed] == [np.asarray(each).tobytes() for each in plain]


def test_shadows_of_values_that_the_run_has_dropped_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    from shlo.shadow.values import FEW, ShadowValues

    largest = 0
    put = ShadowValues.put

    def counting(self: ShadowValues, value: object, shadow: object) -> None:
        nonlocal largest
        put(self, value, shadow)
        largest = max(largest, len(self))

    monkeypatch.setattr(ShadowValues, "put", counting)
    losses_of(loop("%none", "%w = stablehlo.add %v, %x : tensor<f32>", "%w, %e", 2000), np.float32(0.1))
    assert largest <= FEW + 2


def test_what_takes_the_state_of_the_run_or_bits_is_said_to_have_no_shadow() -> None:
    program = """func.func @main(%x: tensor<4xi32>) -> tensor<4xf32> {
      %y = stablehlo.bitcast_convert %x : (tensor<4xi32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }"""
    losses = losses_of(program, np.arange(4, dtype=np.int32))
    assert losses.without_shadow == {"<text>:2:7: stablehlo.bitcast_convert": 1}
    assert losses.results[0].total == 0


def test_what_a_run_that_fails_has_lost_is_a_note_of_its_error() -> None:
    program = """func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
      %s = stablehlo.add %x, %y : tensor<f32>
      %d = stablehlo.subtract %s, %x : tensor<f32>
      %e = stablehlo.custom_call @none(%d) : (tensor<f32>) -> tensor<f32>
      return %e : tensor<f32>
    }"""
    with pytest.raises(ExecutionError) as caught:
        shlo.run(shlo.parse(program), np.float32(1e7), np.float32(1.3), shadow="f64")
    assert any("digits, catastrophic cancellation, at <text>:3:7" in each for each in caught.value.__notes__)


def test_python_gets_the_results_with_the_losses() -> None:
    found = shlo.run("examples/variance.mlir", np.array([1, 2, 3, 4], np.float32), shadow="f64")
    assert np.ravel(found.results).tolist() == [1.25]
    assert str(found).splitlines()[-1] == "shadow f64: 9 operations looked at, none lose digits"
    with pytest.raises(RequestError, match="expected a shadow in f64, got f128"):
        shlo.run("examples/variance.mlir", np.zeros(4, np.float32), shadow="f128")
