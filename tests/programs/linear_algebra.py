"""Dense linear algebra: on CPU JAX lowers it to LAPACK custom calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .registry import add, jax, jnp, lax, normal, program


def _square(dtype: Any = np.float32) -> Any:
    a = normal(2, 5, 5) + (1j * normal(2, 5, 5, seed=1) if np.issubdtype(dtype, np.complexfloating) else 0)
    return a.astype(dtype)


def _hermitian(a: Any) -> Any:
    return a @ np.conj(np.swapaxes(a, -1, -2)) + 2 * np.eye(a.shape[-1], dtype=a.dtype)


# name -> function of (a square stack, the positive definite stack made of it, right-hand sides)
FACTORISATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "cholesky": lambda a, h, b: jnp.linalg.cholesky(h),
    "cholesky_solve": lambda a, h, b: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(h[0]), True), b[0]),
    "det": lambda a, h, b: (jnp.linalg.det(a), jnp.linalg.slogdet(a)),
    "eig": lambda a, h, b: jnp.linalg.eig(a),
    "eigh": lambda a, h, b: jnp.linalg.eigh(h),
    "eigvalsh": lambda a, h, b: jnp.linalg.eigvalsh(h),
    "expm": lambda a, h, b: jax.scipy.linalg.expm(a[0]),
    "hessenberg": lambda a, h, b: jax.scipy.linalg.hessenberg(a[0], calc_q=True),
    "inv": lambda a, h, b: jnp.linalg.inv(a),
    "lstsq": lambda a, h, b: jnp.linalg.lstsq(a[0][:, :3], b[0])[0],
    "lu": lambda a, h, b: (lax.linalg.lu(a), jax.scipy.linalg.lu(a[0])),
    "matrix_power": lambda a, h, b: jnp.linalg.matrix_power(a, 3),
    "pinv": lambda a, h, b: jnp.linalg.pinv(a[0][:, :3]),
    "qr": lambda a, h, b: (jnp.linalg.qr(a), jnp.linalg.qr(a[:, :, :3], mode="complete")),
    "schur": lambda a, h, b: jax.scipy.linalg.schur(a[0]),
    "solve": lambda a, h, b: jnp.linalg.solve(a, b),
    "svd": lambda a, h, b: (jnp.linalg.svd(a, full_matrices=False), jnp.linalg.svd(a[:, :, :3])),
    "svdvals": lambda a, h, b: jnp.linalg.svd(a, compute_uv=False),
    "tridiagonal": lambda a, h, b: lax.linalg.tridiagonal(h[0]),
    "triangular_solve": lambda a, h, b: (
        lax.linalg.triangular_solve(h, b, left_side=True, lower=True),
        lax.linalg.triangular_solve(h, b, left_side=True, lower=False, transpose_a=True, unit_diagonal=True),
        lax.linalg.triangular_solve(h, jnp.swapaxes(b, 1, 2), lower=True, conjugate_a=True, transpose_a=True),
    ),
}


def _factorisation(function: Callable[[Any, Any, Any], Any], dtype: Any) -> Callable[[], Any]:
    def build() -> Any:
        a = _square(dtype)
        return function, (a, _hermitian(a).astype(dtype), normal(2, 5, 2, seed=2).astype(dtype))

    return build


for _name, _function in FACTORISATIONS.items():
    add(f"linalg_{_name}", _factorisation(_function, np.float32), rtol=1e-3, atol=1e-4)
for _name in ("cholesky", "eig", "eigh", "lu", "qr", "schur", "solve", "svd", "triangular_solve"):
    add(f"linalg_{_name}_complex", _factorisation(FACTORISATIONS[_name], np.complex64), rtol=1e-3, atol=1e-4)
for _name in ("cholesky", "eig", "eigh", "inv", "qr", "svd"):
    add(f"linalg_{_name}_x64", _factorisation(FACTORISATIONS[_name], np.float64), x64=True)


@program(rtol=1e-3, atol=1e-4)
def linalg_tridiagonal_solve():
    bands = normal(6, scale=0.3), normal(6, seed=1) + 4, normal(6, seed=2, scale=0.3)
    bands[0][0], bands[2][-1] = 0, 0
    return lax.linalg.tridiagonal_solve, (*bands, normal(6, 2, seed=3))


@program(rtol=1e-3, atol=1e-3)
def linalg_gradients():
    def f(h):
        return jnp.linalg.slogdet(h)[1] + jnp.sum(jnp.linalg.cholesky(h)) + jnp.trace(jnp.linalg.inv(h))

    return (lambda h: (jax.grad(f)(h), jax.grad(lambda h: jnp.sum(jnp.linalg.eigh(h)[0] ** 2))(h))), (
        _hermitian(_square()[0]),
    )


@program()
def linalg_not_positive_definite():
    """A factorisation that fails: JAX asks the info result and fills with NaN."""
    return jnp.linalg.cholesky, (-np.eye(3, dtype=np.float32),)
