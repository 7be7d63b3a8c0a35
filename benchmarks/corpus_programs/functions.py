"""Linear algebra on small matrices, special functions, random numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.programs.registry import jax, jnp, normal, rng

from .table import add


def _square() -> Any:
    return normal(32, 32, seed=5) / 6 + np.eye(32, dtype=np.float32)


def _definite() -> Any:
    a = normal(32, 32, seed=6)
    return a @ a.T / 32 + np.eye(32, dtype=np.float32)


# name -> function of a square matrix and right-hand sides, and its NumPy twin
_MATRIX: dict[str, tuple[Callable[..., Any], Callable[..., Any] | None]] = {
    "lu": (lambda a, b: jax.scipy.linalg.lu(a), None),
    "solve": (lambda a, b: jnp.linalg.solve(a, b), np.linalg.solve),
    "det": (lambda a, b: jnp.linalg.det(a), lambda a, b: np.linalg.det(a)),
    "slogdet": (lambda a, b: jnp.linalg.slogdet(a), lambda a, b: np.linalg.slogdet(a)),
    "inv": (lambda a, b: jnp.linalg.inv(a), lambda a, b: np.linalg.inv(a)),
    "expm": (lambda a, b: jax.scipy.linalg.expm(a), None),
    "qr": (lambda a, b: jnp.linalg.qr(a), lambda a, b: np.linalg.qr(a)),
    "svd": (lambda a, b: jnp.linalg.svd(a), lambda a, b: np.linalg.svd(a)),
    "lstsq": (lambda a, b: jnp.linalg.lstsq(a[:, :8], b)[0], None),
    "matrix_power": (lambda a, b: jnp.linalg.matrix_power(a, 5), None),
}
for _name, (_function, _numpy) in _MATRIX.items():
    add(
        "linear algebra",
        f"linalg_{_name}",
        _function,
        _square,
        lambda: normal(32, 3, seed=1),
        numpy=_numpy,
        rtol=1e-2,
        atol=1e-2,
    )
add(
    "linear algebra",
    "linalg_cholesky_solve",
    lambda h, b: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(h), True), b),
    _definite,
    lambda: normal(32, 3, seed=1),
    rtol=1e-2,
    atol=1e-2,
)
add("linear algebra", "linalg_eigh", lambda h: jnp.linalg.eigvalsh(h), _definite, rtol=1e-2)
add(
    "linear algebra",
    "linalg_batched_solve",
    lambda a, b: jnp.linalg.solve(a, b),
    lambda: normal(64, 5, 5) + 4 * np.eye(5, dtype=np.float32),
    lambda: normal(64, 5, 1),
    rtol=1e-2,
    atol=1e-2,
)
add(
    "linear algebra",
    "gaussian_log_density_gradient",
    lambda h, x: jax.grad(lambda h: jnp.linalg.slogdet(h)[1] + x @ jnp.linalg.solve(h, x))(h),
    _definite,
    lambda: normal(32),
    rtol=1e-2,
    atol=1e-2,
)


# --- special functions of 100,000 numbers -------------------------------------------------------------------


def _positive(seed: int = 0) -> Any:
    return lambda: rng(seed).uniform(0.2, 9, 100_000).astype(np.float32)


_SPECIAL: dict[str, Callable[..., Any]] = {
    "lgamma": lambda x: jax.scipy.special.gammaln(x),
    "digamma": lambda x: jax.scipy.special.digamma(x),
    "gamma": lambda x: jax.scipy.special.gamma(x),
    "erf": lambda x: jax.scipy.special.erf(x),
    "erfc": lambda x: jax.scipy.special.erfc(x),
    "erfinv": lambda x: jax.scipy.special.erfinv(x / 10),
    "bessel_i0e": lambda x: jax.scipy.special.i0e(x),
    "bessel_i1e": lambda x: jax.scipy.special.i1e(x),
    "zeta": lambda x: jax.scipy.special.zeta(x + 1, 2.0),
    "polygamma": lambda x: jax.scipy.special.polygamma(2, x),
}
for _name, _function in _SPECIAL.items():
    add("special functions", f"special_{_name}", _function, _positive(), rtol=1e-3, atol=1e-4)
add(
    "special functions",
    "special_betainc",
    lambda a, b: jax.scipy.special.betainc(a, b, 0.3),
    lambda: _positive()()[:10_000],
    lambda: _positive(1)()[:10_000],
    rtol=1e-2,
    atol=1e-3,
)
add(
    "special functions",
    "special_gammainc",
    lambda a, x: jax.scipy.special.gammainc(a, x),
    lambda: _positive()()[:10_000],
    lambda: _positive(1)()[:10_000],
    rtol=1e-2,
    atol=1e-3,
)


# --- random numbers ----------------------------------------------------------------------------------------

_RANDOM: dict[str, Callable[[Any], Any]] = {
    "bits": lambda key: jax.random.bits(key, (100_000,)),
    "uniform": lambda key: jax.random.uniform(key, (100_000,)),
    "normal": lambda key: jax.random.normal(key, (100_000,)),
    "permutation": lambda key: jax.random.permutation(key, 10_000),
    "categorical": lambda key: jax.random.categorical(key, jnp.zeros((500, 100))),
    "split": lambda key: jax.random.split(key, 10),
}
for _name, _draw in _RANDOM.items():
    add(
        "random numbers", f"random_{_name}", _draw, lambda: np.array([0, 42], np.uint32), rtol=1e-3, atol=1e-4
    )
