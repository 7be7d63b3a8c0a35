"""Systems of equations with a triangular or tridiagonal matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.interpreter.custom_calls.lapack.options import Computation, Config, DType, is_lower, letter
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.kernels.linalg.batching import blas_routine
from shlo.ir.dtypes import Array


def trsm(config: Config, dtype: DType) -> Computation:
    """Solves with a triangular matrix, after b is scaled by the option `alpha`."""
    options = {
        "side": letter(config, "side", "LR") == "R",
        "lower": is_lower(config),
        "trans_a": "NTC".index(letter(config, "trans_x", "NTC")),
        "diag": letter(config, "diag", "NU") == "U",
    }
    routine, alpha = blas_routine("trsm", dtype, "blas"), config.get("alpha", 1.0)

    def solve(a: Array, b: Array) -> tuple[Array]:
        size = b.shape[1 if options["side"] else 0]
        if len(a) != size:
            raise KernelError(f"expected a triangular matrix of size {size}, got one of size {len(a)}")
        return (routine(alpha, a, b, **options) if b.size else b,)

    return Computation("x", solve)


def gtsv(config: Config, dtype: DType) -> Computation:
    """Solves with a tridiagonal matrix.

    The first element of the lower diagonal and the last of the upper one are not used.
    """
    routine = blas_routine("gtsv", dtype)

    def solve(lower: Array, diagonal: Array, upper: Array, b: Array) -> tuple[Any, ...]:
        if diagonal.size < 2 or not b.size:
            return lower, diagonal, upper, b / diagonal[:, None], int((diagonal == 0).any())
        second, main, first, x, info = routine(lower[1:], diagonal, upper[:-1], b)
        return np.append(lower[:1], second), main, np.append(first, upper[-1:]), x, info

    return Computation("dl d du x info", solve)


def perturbed_gtsv(config: Config, dtype: DType) -> Computation:
    """Solves like gtsv; raises KernelError for a singular matrix, which XLA perturbs."""
    solve = gtsv(config, dtype).apply

    def perturbed(*operands: Array) -> tuple[Array]:
        *_, x, info = solve(*operands)
        if info:
            raise KernelError("the tridiagonal matrix is singular, and how XLA perturbs it is not known")
        return (x,)

    return Computation("x", perturbed)
