"""Decompositions, solvers and Fourier transforms against NumPy in double precision, and XLA on CPU."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.interpreter.kernel_api import KernelError
from shlo.ir.dtypes import element_type_for
from shlo.ir.types import F32, Type
from tests.oracle import Oracle

from .helpers import evaluate, random_array, specialize, tensor

INEXACT = ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"]


def dtype_named(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, name, name))


def wide(array: Any) -> Any:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def tolerance(dtype: np.dtype[Any]) -> float:
    return {"bfloat16": 3e-2, "float16": 4e-3, "float32": 1e-4, "complex64": 1e-4}.get(dtype.name, 1e-10)


def positive_definite(dtype: np.dtype[Any], *shape: int) -> Any:
    a = wide(random_array(dtype, *shape))
    return (a @ np.conj(np.swapaxes(a, -1, -2)) + 2 * np.eye(shape[-1])).astype(dtype)


@pytest.mark.parametrize("name", INEXACT)
@pytest.mark.parametrize("lower", [True, False])
def test_cholesky(name: str, lower: bool) -> None:
    a = positive_definite(dtype_named(name), 2, 3, 4, 4)
    factor = evaluate("cholesky", a, lower=lower)
    assert factor.dtype == a.dtype
    expected = np.linalg.cholesky(wide(a), upper=not lower)
    np.testing.assert_allclose(wide(factor), expected, tolerance(a.dtype), tolerance(a.dtype))


def test_cholesky_reads_one_triangle_and_zeroes_the_other() -> None:
    a = positive_definite(np.dtype("f4"), 3, 3)
    marked = a + np.triu(np.full((3, 3), 9, "f4"), 1)
    np.testing.assert_allclose(evaluate("cholesky", marked, lower=True), np.linalg.cholesky(a), 1e-5)


def test_cholesky_of_a_matrix_that_is_not_positive_definite(oracle: Oracle) -> None:
    a = np.stack([positive_definite(np.dtype("f4"), 3, 3), np.diag([1, -1, 1]).astype("f4")])
    text = """func.func @main(%a: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
      %0 = stablehlo.cholesky %a, lower = true : tensor<2x3x3xf32>
      return %0 : tensor<2x3x3xf32> }"""
    actual, expected = evaluate("cholesky", a, lower=True), oracle.run(text, [a])[0]
    np.testing.assert_allclose(actual[0], expected[0], 1e-5)
    lower = np.tril_indices(3)
    assert np.isnan(actual[1][lower]).all()
    assert np.isnan(expected[1][lower]).any()


@pytest.mark.parametrize("shape", [(0, 0), (0, 3, 3), (2, 0, 0)])
def test_cholesky_of_nothing(shape: tuple[int, ...]) -> None:
    assert evaluate("cholesky", np.zeros(shape, "f4")).shape == shape


@pytest.mark.parametrize("transpose", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize("name", ["float32", "complex128"])
def test_triangular_solve_options(transpose: str, left: bool, lower: bool, unit: bool, name: str) -> None:
    a = random_array(name, 2, 4, 4) / 4 + 2 * np.eye(4, dtype=name)
    b = random_array(name, *((2, 4, 3) if left else (2, 3, 4)), seed=1)
    options = {"left_side": left, "lower": lower, "unit_diagonal": unit, "transpose_a": transpose}
    x = evaluate(
        "triangular_solve",
        a.astype(name),
        b,
        result_types=[tensor(element_type_for(b.dtype), *b.shape)],
        **options,
    )
    triangle = np.tril(a) if lower else np.triu(a)
    if unit:
        triangle = triangle - np.eye(4) * triangle + np.eye(4)
    if transpose != "NO_TRANSPOSE":
        triangle = np.swapaxes(triangle, 1, 2)
    if transpose == "ADJOINT":
        triangle = np.conj(triangle)
    np.testing.assert_allclose(triangle @ x if left else x @ triangle, b, 1e-3, 1e-4)


@pytest.mark.parametrize("left", [True, False])
def test_triangular_solve_with_many_right_hand_sides(left: bool) -> None:
    a = np.tril(random_array("float32", 40, 40) / 40 + 2 * np.eye(40, dtype="f4"))
    b = random_array("float32", *((40, 71) if left else (71, 40)), seed=1)
    options = {"left_side": left, "lower": True, "unit_diagonal": False, "transpose_a": "NO_TRANSPOSE"}
    x = evaluate("triangular_solve", a, b, result_types=[tensor(F32, *b.shape)], **options)
    np.testing.assert_allclose(a @ x if left else x @ a, b, 1e-3, 1e-4)


@pytest.mark.parametrize("name", INEXACT)
def test_triangular_solve_element_types(name: str) -> None:
    dtype = dtype_named(name)
    a, b = (np.eye(3) * 2 + np.tri(3)).astype(dtype), random_array(dtype, 3, 2)
    options = {"left_side": True, "lower": True, "unit_diagonal": False, "transpose_a": "NO_TRANSPOSE"}
    x = evaluate("triangular_solve", a, b, result_types=[tensor(element_type_for(dtype), 3, 2)], **options)
    assert x.dtype == dtype
    expected = np.linalg.solve(wide(a), wide(b))
    np.testing.assert_allclose(wide(x), expected, tolerance(dtype), tolerance(dtype))


@pytest.mark.parametrize("shapes", [((0, 0), (0, 2)), ((3, 3), (3, 0)), ((0, 3, 3), (0, 3, 2))])
def test_triangular_solve_of_nothing(shapes: Any) -> None:
    a, b = (np.ones(shape, "f4") for shape in shapes)
    options = {"left_side": True, "lower": True, "unit_diagonal": False, "transpose_a": "NO_TRANSPOSE"}
    x = evaluate("triangular_solve", a, b, result_types=[tensor(F32, *b.shape)], **options)
    assert x.shape == b.shape


FFT_CASES = [  # type, length, operand shape, result shape
    ("FFT", (8,), (3, 8), (3, 8)),
    ("FFT", (4, 6), (2, 4, 6), (2, 4, 6)),
    ("FFT", (3, 4, 5), (3, 4, 5), (3, 4, 5)),
    ("IFFT", (7,), (2, 2, 7), (2, 2, 7)),
    ("IFFT", (4, 6), (4, 6), (4, 6)),
    ("RFFT", (8,), (2, 8), (2, 5)),
    ("RFFT", (5, 7), (2, 5, 7), (2, 5, 4)),
    ("IRFFT", (8,), (2, 5), (2, 8)),
    ("IRFFT", (7,), (2, 4), (2, 7)),
    ("IRFFT", (3, 4, 5), (3, 4, 3), (3, 4, 5)),
    ("FFT", (0,), (2, 0), (2, 0)),
    ("RFFT", (0,), (2, 0), (2, 0)),
    ("RFFT", (4,), (0, 4), (0, 3)),
]


@pytest.mark.parametrize(("kind", "length", "before", "after"), FFT_CASES)
@pytest.mark.parametrize("double", [False, True])
def test_fft(kind: str, length: Any, before: Any, after: Any, double: bool) -> None:
    real, complex_ = ("f8", "c16") if double else ("f4", "c8")
    operand = random_array(real if kind == "RFFT" else complex_, *before)
    element: Type = element_type_for(np.dtype(real if kind == "IRFFT" else complex_))
    actual = evaluate(
        "fft", operand, result_types=[tensor(element, *after)], fft_type=kind, fft_length=length
    )
    assert actual.shape == after
    assert actual.dtype == (real if kind == "IRFFT" else complex_)
    if actual.size:
        axes = range(-len(length), 0)
        expected = getattr(np.fft, f"{kind.lower()}n")(wide(operand), length, axes)
        np.testing.assert_allclose(actual, expected, 0, 1e-12 if double else 1e-5)


def test_fft_takes_unknown_sizes_from_the_array() -> None:
    types = [tensor(element_type_for(np.dtype("c8")), None, 4)]  # type: ignore[arg-type]
    run = specialize("fft", types, types, {"fft_type": "FFT", "fft_length": [4]})
    assert run(np.ones((3, 4), "c8"))[2, 0] == 4


def test_fft_of_another_length_is_an_error() -> None:
    operand = np.zeros((2, 4), "c8")
    with pytest.raises(KernelError, match=r"expected sizes \[8\] for FFT of \[8\], got \[2, 4\]"):
        evaluate("fft", operand, fft_type="FFT", fft_length=[8])
