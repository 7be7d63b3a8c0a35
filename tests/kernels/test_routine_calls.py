"""Batches of matrices by machine code: the same bits as by a call from Python for each matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shlo
from shlo.interpreter.kernels import linalg, routine_calls
from shlo.interpreter.runtime.tiers import is_installed, use_policy
from tests.interpreter.policies import eager

from .custom_call_programs import call
from .helpers import random_array

pytestmark = pytest.mark.skipif(not is_installed(), reason="needs llvmlite")

LU = "@lapack_{}getrf_ffi(%a0) {{api_version = 4 : i32}} : (tensor<{}>) -> (tensor<{}>, tensor<4x{}xi32>, tensor<4xi32>)"
CHOLESKY = "func.func @main(%a: tensor<{0}>) -> tensor<{0}> {{ %r = stablehlo.cholesky %a, lower = {1} : tensor<{0}>\n return %r : tensor<{0}> }}"
SOLVE = """func.func @main(%a: tensor<{0}>, %b: tensor<{1}>) -> tensor<{1}> {{
  %r = "stablehlo.triangular_solve"(%a, %b) {{left_side = {2}, lower = {3}, unit_diagonal = {4},
    transpose_a = #stablehlo<transpose {5}>}} : (tensor<{0}>, tensor<{1}>) -> tensor<{1}>
  return %r : tensor<{1}> }}"""

TYPES = {"f4": ("s", "f32"), "f8": ("d", "f64"), "c8": ("c", "complex<f32>"), "c16": ("z", "complex<f64>")}


def both_ways(monkeypatch: pytest.MonkeyPatch, run: Any, name: str, dtype: str, library: str) -> None:
    """Runs by calls from Python and by machine code, which it makes; compares bits and layouts."""
    with monkeypatch.context() as patch:
        patch.setattr(linalg, "LEAST", 1 << 30)
        expected = run()
    calls = routine_calls.routine_calls(
        name, np.dtype(dtype), library, {"potrf": 5, "getrf": 6, "trsm": 11}[name]
    )
    with use_policy(eager()):
        assert calls.is_ready()
        for one, other in zip(expected, run(), strict=True):
            assert (one.dtype, one.shape, one.strides) == (other.dtype, other.shape, other.strides)
            assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(4, 1, 1), (4, 5, 3), (4, 3, 5), (4, 33, 33), (4, 0, 3)])
def test_lu_of_a_batch_has_the_bits_of_each_matrix(
    monkeypatch: pytest.MonkeyPatch, dtype: str, shape: tuple[int, ...]
) -> None:
    a = random_array(dtype, *shape)
    a[1] = 0
    a[2, :1, :1] = np.nan
    letter, element = TYPES[dtype]
    kind = "x".join(map(str, shape)) + f"x{element}"
    text = LU.format(letter, kind, kind, min(shape[1:]))
    both_ways(monkeypatch, lambda: call(text, a), "getrf", dtype, "lapack")


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("lower", ["true", "false"])
def test_cholesky_of_a_batch_has_the_bits_of_each_matrix(
    monkeypatch: pytest.MonkeyPatch, dtype: str, lower: str
) -> None:
    a = random_array(dtype, 4, 6, 6)
    a = a @ a.conj().transpose(0, 2, 1) + np.eye(6, dtype=dtype)
    a[1] *= -1
    module = shlo.parse(CHOLESKY.format(f"4x6x6x{TYPES[dtype][1]}", lower))
    both_ways(monkeypatch, lambda: shlo.run(module, a), "potrf", dtype, "lapack")
    assert np.isnan(shlo.run(module, a)[0][1]).all()


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("left", ["true", "false"])
@pytest.mark.parametrize("options", ["true false NO_TRANSPOSE", "false true ADJOINT", "true true TRANSPOSE"])
def test_solves_of_a_batch_have_the_bits_of_each_matrix(
    monkeypatch: pytest.MonkeyPatch, dtype: str, left: str, options: str
) -> None:
    a = random_array(dtype, 4, 5, 5)
    a[1] = 0
    b = random_array(dtype, *((4, 5, 2) if left == "true" else (4, 2, 5)), seed=1)
    element = TYPES[dtype][1]
    shape = "x".join(map(str, b.shape))
    module = shlo.parse(SOLVE.format(f"4x5x5x{element}", f"{shape}x{element}", left, *options.split()))
    both_ways(monkeypatch, lambda: shlo.run(module, a, b), "trsm", dtype, "blas")
