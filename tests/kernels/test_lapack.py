"""Custom calls of dense linear algebra: what JAX lowers against XLA, and the names of other platforms."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.kernel_api import KernelFn

from .custom_call_programs import call
from .helpers import compare, random_array
from .test_linear_algebra import positive_definite

pytestmark = pytest.mark.slow

jax = pytest.importorskip("jax")
lax, jnp = jax.lax, jax.numpy


LAPACK = ["f4", "f8", "c8", "c16"]
SQUARE: dict[str, Callable[[Any], Any]] = {
    "eig with left vectors": lambda a: lax.linalg.eig(a, compute_left_eigenvectors=True),
    "eig without vectors": lambda a: lax.linalg.eig(
        a, compute_left_eigenvectors=False, compute_right_eigenvectors=False
    )[0],
    "lu": lax.linalg.lu,
    "schur": lambda a: lax.linalg.schur(a),
    "schur without vectors": lambda a: lax.linalg.schur(a, compute_schur_vectors=False),
    "hessenberg": lax.linalg.hessenberg,
}


@pytest.mark.parametrize("dtype", LAPACK)
@pytest.mark.parametrize("name", SQUARE)
def test_lapack_square(name: str, dtype: str) -> None:
    compare(SQUARE[name], random_array(dtype, 3, 2, 4, 4))


HERMITIAN: dict[str, Callable[[Any], Any]] = {
    "cholesky": lax.linalg.cholesky,
    "eigh": lambda a: lax.linalg.eigh(a, symmetrize_input=False),
    "eigh of the upper triangle": lambda a: lax.linalg.eigh(a, lower=False, symmetrize_input=False),
    "tridiagonal": lax.linalg.tridiagonal,
    "tridiagonal of the upper triangle": lambda a: lax.linalg.tridiagonal(a, lower=False),
}


@pytest.mark.parametrize("dtype", LAPACK)
@pytest.mark.parametrize("name", HERMITIAN)
def test_lapack_hermitian(name: str, dtype: str) -> None:
    a = positive_definite(np.dtype(dtype), 2, 5, 5)
    marked = np.tril(a) if "upper" not in name else np.triu(a)
    compare(HERMITIAN[name], marked)


def _reflect(a: Any) -> Any:
    taus, c = jnp.full((*a.shape[:-2], a.shape[-1]), 0.3, a.dtype), jnp.ones((*a.shape[:-1], 4), a.dtype)
    left = lax.linalg.ormqr(a, taus, c, left=True, transpose=True)
    return left, lax.linalg.ormqr(a, taus, jnp.swapaxes(c, -1, -2), left=False, transpose=False)


RECTANGULAR: dict[str, Callable[[Any], Any]] = {
    "qr": lambda a: jnp.linalg.qr(a, mode="complete"),
    "qr with pivots": lambda a: lax.linalg.qr(a, pivoting=True, full_matrices=False),
    "ormqr": _reflect,
    "svd": lambda a: jnp.linalg.svd(a),
    "svd of the thin kind": lambda a: lax.linalg.svd(
        a, full_matrices=False, algorithm=lax.linalg.SvdAlgorithm.QR
    ),
    "svd without vectors": lambda a: jnp.linalg.svd(a, compute_uv=False),
    "lu": lambda a: lax.linalg.lu(a),
}


@pytest.mark.parametrize("dtype", LAPACK)
@pytest.mark.parametrize("name", RECTANGULAR)
@pytest.mark.parametrize("shape", [(2, 5, 3), (3, 5)])
def test_lapack_rectangular(name: str, dtype: str, shape: tuple[int, ...]) -> None:
    if name == "ormqr" and shape[-2] < shape[-1]:
        pytest.skip("more reflectors than rows")
    compare(RECTANGULAR[name], random_array(dtype, *shape))


@pytest.mark.parametrize("dtype", LAPACK)
@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("transpose", [(False, False), (True, False), (True, True)])
def test_lapack_triangular_solve(dtype: str, left: bool, transpose: tuple[bool, bool]) -> None:
    a = random_array(dtype, 2, 3, 3) + 3 * np.eye(3, dtype=dtype)
    b = random_array(dtype, *((2, 3, 4) if left else (2, 4, 3)), seed=1)
    options = {"left_side": left, "transpose_a": transpose[0], "conjugate_a": transpose[1]}
    for triangle in ({"lower": True, "unit_diagonal": False}, {"lower": False, "unit_diagonal": True}):
        compare(partial(lax.linalg.triangular_solve, **options, **triangle), a, b)


@pytest.mark.parametrize("dtype", LAPACK)
@pytest.mark.parametrize("size", [1, 2, 6])
@pytest.mark.parametrize("perturb", [False, True])
def test_lapack_tridiagonal_solve(dtype: str, size: int, perturb: bool) -> None:
    lower, diagonal, upper = (random_array(dtype, 2, size, seed=seed) for seed in range(3))
    lower[:, 0] = upper[:, -1] = 0
    b = random_array(dtype, 2, size, 3, seed=4)

    def solve(*bands: Any) -> Any:
        return lax.linalg.tridiagonal_solve(*bands, perturb_singular=perturb)

    compare(solve, lower, diagonal + 4, upper, b)


def test_lapack_failures_reach_the_program() -> None:
    """From the info result the program makes NaN."""
    singular, indefinite = np.zeros((3, 3), "f4"), np.diag([1, -1, 2]).astype("f4")
    both = np.stack([indefinite, np.eye(3, dtype="f4")])
    compare(jnp.linalg.cholesky, both)
    compare(lambda a: jnp.linalg.solve(a, jnp.ones(3)), np.full((3, 3), np.nan, "f4"))
    bands = np.zeros(3, "f4"), np.zeros(3, "f4"), np.zeros(3, "f4")
    compare(lambda *x: lax.linalg.tridiagonal_solve(*x), *bands, np.ones((3, 1), "f4"))
    compare(lax.linalg.lu, singular)


@pytest.mark.parametrize("shape", [(0, 3, 3), (2, 0, 0)])
def test_lapack_of_nothing(shape: tuple[int, ...]) -> None:
    a = np.zeros(shape, "f4")
    for function in (jnp.linalg.cholesky, jnp.linalg.eigh, lax.linalg.lu, jnp.linalg.eig, lax.linalg.schur):
        compare(function, a)


def test_lapack_row_major_operands_are_seen_transposed() -> None:
    """As XLA does: the routine reads the operand's memory column by column."""
    a = np.array([[4, 1], [0, 2]], "f4")
    matrix, vector = "dense<[1, 0]> : tensor<2xindex>", "dense<0> : tensor<1xindex>"
    scalar = "dense<> : tensor<0xindex>"
    layouts = f"operand_layouts = [{matrix}], result_layouts = [{matrix}, {vector}, {scalar}]"
    shapes = "(tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<i32>)"
    text = f"@lapack_sgetrf_ffi(%a0) {{{layouts}}} : {shapes}"
    factors, pivots, info = call(text, a)
    np.testing.assert_allclose(factors, [[4, 0.25], [0, 2]])
    assert (pivots.tolist(), info.tolist()) == ([1, 2], 0)


def test_qr_of_other_platforms() -> None:
    a = random_array("f4", 2, 5, 3)
    shapes = "(tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>)"
    factors, taus = call(f'@Qr(%a0) {{backend_config = ""}} : {shapes}', a)
    shapes = "(tensor<2x5x3xf32>, tensor<2x3xf32>) -> tensor<2x5x3xf32>"
    (q,) = call(f"@ProductOfElementaryHouseholderReflectors(%a0, %a1) : {shapes}", factors, taus)
    np.testing.assert_allclose(q @ np.triu(factors[:, :3]), a, 1e-4, 1e-5)


def test_eigh_of_other_platforms() -> None:
    a = positive_definite(np.dtype("f4"), 3, 3)
    shapes = "(tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>)"
    for lower, given in ((1, np.tril(a)), (0, np.triu(a))):
        vectors, values = call(f'@Eigh(%a0) {{backend_config = "{lower},1,100,1e-6"}} : {shapes}', given)
        np.testing.assert_allclose(vectors @ np.diag(values) @ vectors.T, a, 1e-4, 1e-4)


def test_lu_of_other_platforms() -> None:
    a = random_array("f4", 4, 3)
    shapes = "(tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xi32>, tensor<4xi32>)"
    factors, pivots, order = call(f"@LuDecomposition(%a0) : {shapes}", a)
    lower, upper = np.tril(factors, -1) + np.eye(4, 3), np.triu(factors[:3])
    np.testing.assert_allclose(lower @ upper, a[order], 1e-4, 1e-5)
    shapes = "(tensor<3xi32>) -> tensor<4xi32>"
    assert np.array_equal(call(f"@cu_lu_pivots_to_permutation(%a0) : {shapes}", pivots)[0], order)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "@lapack_spotrf_ffi(%a0) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)",
            "the option uplo must be",
        ),
        (
            "@lapack_dgetrf_ffi(%a0) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>)",
            "does not take elements",
        ),
        (
            "@lapack_sgetrf_ffi(%a0) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi32>)",
            "takes 2-dimensional",
        ),
        ("@lapack_sorgqr_ffi(%a0) : (tensor<2x2xf32>) -> tensor<2x2xf32>", "and 1-dimensional operands"),
    ],
)
def test_lapack_refuses(text: str, message: str) -> None:
    shape = (2,) if "(tensor<2xf32>)" in text else (2, 2)
    with pytest.raises(shlo.ExecutionError, match=message):
        call(text, np.eye(2, dtype="f4").reshape(2, 2)[tuple([0] * (2 - len(shape)))])


def test_a_handler_replaces_lapack_in_a_program_that_has_run_with_it() -> None:
    text = """func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}}
        : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
      return %0#0 : tensor<2x2xf32> }"""
    module, a = shlo.parse(text), np.eye(2, dtype="f4") * 4

    def handler(call: CustomCall) -> KernelFn:
        return lambda a: (a, np.int32(0))

    for _ in range(3):
        np.testing.assert_array_equal(shlo.run(module, a)[0], np.eye(2) * 2)
        replaced = shlo.run(module, a, handlers={"lapack_spotrf_ffi": handler})
        np.testing.assert_array_equal(replaced[0], a)
