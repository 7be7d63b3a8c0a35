"""Custom calls of XLA's and JAX's libraries."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import shlo
from tests.oracle import Oracle

from .custom_call_programs import call
from .helpers import compare, random_array

pytestmark = pytest.mark.slow

jax = pytest.importorskip("jax")

ROWS = np.array([[3, 1, np.nan, 2, 3, -0.0, 0.0, np.inf], [1, 1, 1, 1, 2, 2, 2, 2]], "f4")


@pytest.mark.parametrize("name", ["TopK", "mhlo.topk"])
def test_top_k(oracle: Oracle, name: str) -> None:
    program = f"""func.func @main(%a0: tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {{
      %r:2 = stablehlo.custom_call @{name}(%a0) {{mhlo.attributes = {{k = 3 : i64, largest = true}}}}
        : (tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
      return %r#0, %r#1 : tensor<2x3xf32>, tensor<2x3xi32> }}"""
    for ours, theirs in zip(shlo.run(shlo.parse(program), ROWS), oracle.run(program, [ROWS])):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("function", ["approx_max_k", "approx_min_k"])
@pytest.mark.parametrize("options", [{}, {"reduction_dimension": 0}, {"aggregate_to_topk": False}])
def test_approx_top_k(function: str, options: dict[str, Any]) -> None:
    a = random_array("f4", 6, 5)
    compare(lambda x: getattr(jax.lax, function)(x, 3, **options), a)
    compare(lambda x: getattr(jax.lax, function)(x, 2), np.array([2, 1, 2, 1, 3], "f4"))


def exported(function: Any, shape: str, dtype: Any = np.float32) -> Any:
    """Returns the program of a function of an array some of whose sizes are symbols."""
    symbolic = jax.ShapeDtypeStruct(jax.export.symbolic_shape(shape), dtype)
    return shlo.parse(jax.export.export(jax.jit(function))(symbolic).mlir_module())


def test_random_bits_of_a_shape_known_at_run_time() -> None:
    def bits(x: Any) -> Any:
        return jax.random.bits(jax.random.key(3, impl="rbg"), (x.shape[0], 3))

    program = exported(bits, "n")
    for size in (1, 5):
        x = np.zeros(size, "f4")
        np.testing.assert_array_equal(shlo.run(program, x)[0], bits(x))


@pytest.mark.parametrize("function", [jax.lax.top_k, jax.lax.approx_max_k, jax.lax.approx_min_k])
def test_top_k_of_a_count_known_at_run_time(function: Any) -> None:
    def half(x: Any) -> Any:
        return function(jax.numpy.concatenate([x, 2 * x]), x.shape[0])

    program = exported(half, "n")
    for size in (4, 7):
        x = random_array("f4", size)
        for ours, theirs in zip(shlo.run(program, x), half(x)):
            np.testing.assert_array_equal(ours, theirs)


def test_approx_top_k_refuses_a_comparator_it_does_not_know() -> None:
    shapes = "(tensor<4xf32>, tensor<f32>) -> tensor<2xf32>"
    options = "{called_computations = [@f], mhlo.backend_config = {reduction_dim = 0}}"
    with pytest.raises(shlo.ExecutionError, match="needs a comparator named top_k_gt_"):
        call(f"@ApproxTopK(%a0, %a1) {options} : {shapes}", np.zeros(4, "f4"), np.float32(0))


@pytest.mark.parametrize("name", ["acos", "asin", "asinh", "atanh", "cosh", "erf", "sinh", "tan"])
def test_elementwise_operations_of_portable_files(oracle: Oracle, name: str) -> None:
    x = np.linspace(-0.9, 0.9, 7, dtype="f4")
    options = "{mhlo.attributes = {}, mhlo.version = 1 : i64}"
    text = f"@mhlo.{name}(%a0) {options} : (tensor<7xf32>) -> tensor<7xf32>"
    program = f"func.func @main(%a0: tensor<7xf32>) -> tensor<7xf32> {{ %r = stablehlo.custom_call {text} "
    expected = oracle.run(program + "return %r : tensor<7xf32> }", [x])[0]
    np.testing.assert_allclose(call(text, x)[0], expected, 1e-5)


def test_block_scaled_dot() -> None:
    """Each block of 32 elements in a row has a scale."""
    lhs = random_array(ml_dtypes.float8_e4m3fn, 2, 5, 64)
    rhs = random_array(ml_dtypes.float8_e4m3fn, 2, 3, 64, seed=1)
    scales = [
        np.exp2(random_array("f4", 2, rows, 2).round()).astype(ml_dtypes.float8_e8m0fnu) for rows in (5, 3)
    ]
    types = (
        "tensor<2x5x64xf8E4M3FN>, tensor<2x3x64xf8E4M3FN>, tensor<2x5x2xf8E8M0FNU>, tensor<2x3x2xf8E8M0FNU>"
    )
    text = f"@__op$block_scaled_dot(%a0, %a1, %a2, %a3) : ({types}) -> tensor<2x5x3xf32>"
    wide = [np.repeat(s.astype("f8"), 32, -1) * x.astype("f8") for x, s in zip((lhs, rhs), scales)]
    np.testing.assert_allclose(call(text, lhs, rhs, *scales)[0], wide[0] @ np.swapaxes(wide[1], 1, 2), 1e-5)
    with pytest.raises(shlo.ExecutionError, match="do not divide shape"):
        call(
            text.replace("2x3x2xf8E8", "2x3x7xf8E8"),
            lhs,
            rhs,
            scales[0],
            np.ones((2, 3, 7), "f4").astype(scales[0].dtype),
        )


@pytest.mark.parametrize("is_reverse", [False, True])
def test_windows_of_a_size_known_at_run_time(is_reverse: bool) -> None:
    def windows(x: Any) -> Any:
        sizes = x.shape[0], 1
        shifted = jax.lax.reduce_window(x, 0.0, jax.lax.add, sizes, (1, 2), "SAME")
        return jax.lax.cumsum(x, 0, reverse=is_reverse), shifted

    program = exported(windows, "n, 4")
    assert "stablehlo.dynamic_reduce_window" in str(program)
    for size in (1, 5):
        x = random_array("f4", size, 4)
        for ours, theirs in zip(shlo.run(program, x), windows(x)):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5)


@pytest.mark.parametrize("target", ["eq", "expect_eq", "expect_almost_eq", "expect_close"])
def test_checks_give_what_they_declare(target: str) -> None:
    program = f"""func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<i1> {{
      stablehlo.custom_call @check.{target}(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> ()
      %r = stablehlo.custom_call @check.{target}(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
      return %r : tensor<i1> }}"""
    module, x = shlo.parse(program), np.array([1.5, 2], "f4")
    assert shlo.run(module, x, x) == (True,)
    with pytest.raises(shlo.ExecutionError, match="differ"):
        shlo.run(module, x, x + 1)


TOP_K = "@stablehlo.dynamic_top_k(%a0, %a1)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{TOP_K} : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)", "[chlo.top_k-A1]"),
        (
            f"{TOP_K} : (tensor<4xcomplex<f32>>, tensor<i32>) -> (tensor<?xcomplex<f32>>, tensor<?xi32>)",
            "or floats",
        ),
        (
            f"{TOP_K} : (tensor<4xf32>, tensor<2xi32>) -> (tensor<?xf32>, tensor<?xi32>)",
            "a count, to be a scalar",
        ),
        (f"{TOP_K} : (tensor<4xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<?xi32>)", "got tensor<f32>"),
        (
            "@ApproxTopK(%a0, %a1, %a2, %a3) {called_computations = [@top_k_gt_x], mhlo.backend_config = "
            "{reduction_dim = 0 : i64}} : (tensor<4xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> "
            "(tensor<2xf32>, tensor<2xi32>)",
            "expected operands of one shape, got [4], [3]",
        ),
    ],
)
def test_top_k_refuses_operands_that_are_no_rows_or_counts(text: str, message: str) -> None:
    operands = []
    for type_ in text.rpartition(" : (")[2].partition(") -> ")[0].split(", "):
        shape = [int(size) for size in re.findall(r"(\d+)x", type_)]
        operands.append(np.ones(shape, "i4" if "i32" in type_ else "c8" if "complex" in type_ else "f4"))
    with pytest.raises(shlo.ExecutionError, match=re.escape(message)):
        call(text, *operands)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@shape_assertion(%x) : (tensor<2x3xf32>) -> ()", "shape_assertion takes a tensor<i1> and sizes"),
        ("@shape_assertion(%b, %x) : (tensor<i1>, tensor<2x3xf32>) -> ()", "sizes that are scalars"),
        ("@check.expect_eq(%x) : (tensor<2x3xf32>) -> ()", "check.expect_eq takes 2 operands, not 1"),
        ("@mhlo.erf(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()", "mhlo.erf takes 1 operand, not 2"),
        ("@cu_lu_pivots_to_permutation(%b) : (tensor<i1>) -> tensor<2xi32>", "makes vectors of vectors"),
        ("@lapack_sorgqr_ffi(%x, %y) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>", "not 2x3 of 3"),
    ],
)
def test_calls_with_operands_that_a_target_does_not_take(text: str, message: str) -> None:
    result = "%r = " if text.endswith(">") else ""
    module = shlo.parse(f"""func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %b: tensor<i1>) {{
      {result}stablehlo.custom_call {text}
      return
    }}""")
    with pytest.raises(shlo.ExecutionError, match=re.escape(message)):
        shlo.run(module, np.ones((2, 3), np.float32), np.ones(3, np.float32), True)
