"""Factorizations in a fixed number of steps, and systems with a triangular or tridiagonal matrix."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from shlo.interpreter.custom_calls.lapack.options import (
    WORKSPACE_COLUMNS,
    Computation,
    Config,
    DType,
    hermitian,
    is_lower,
    letter,
    orthogonal,
    workspace,
)
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.kernels.linalg import AtOnce, cholesky_at_once, triangular_solver
from shlo.interpreter.kernels.routine_calls import (
    INTEGER,
    RoutinePlan,
    Storage,
    blas_routine,
    integers,
    routine_calls,
)
from shlo.ir.dtypes import Array


def potrf(config: Config, dtype: DType) -> Computation:
    """Computes the Cholesky factor in the triangle that is referenced; the other one is unchanged."""
    factor = partial(blas_routine("potrf", dtype), lower=is_lower(config), clean=False)
    at_once = cholesky_at_once(dtype, is_lower=is_lower(config), is_cleaned=False)
    return Computation("a info", factor, at_once)


def getrf(config: Config, dtype: DType) -> Computation:
    """Computes LU with row exchanges; pivots count from 1."""
    routine = blas_routine("getrf", dtype)

    def factor(a: Array) -> tuple[Any, ...]:
        if not a.size:
            return a, np.zeros(min(a.shape), np.int32), 0
        factors, pivots, info = routine(a)
        return factors, pivots + 1, info

    return Computation("a pivots info", factor, _lu_at_once(dtype))


def _lu_at_once(dtype: DType) -> AtOnce:
    calls = routine_calls("getrf", dtype, "lapack", 6)

    def plan(rows: int, columns: int) -> RoutinePlan | None:
        least = min(rows, columns)
        if not least:
            return None
        storages = Storage(dtype, (rows, columns), 0), Storage(INTEGER, (least,)), Storage(INTEGER, ())
        sizes = integers(rows, columns)
        arguments = (*sizes, (0, 0), sizes[0], (1, 0), (2, 0))
        return RoutinePlan(calls, storages, (arguments,), rows * columns * least, (0, 1, 2))

    return AtOnce(calls, plan)


def lu_decomposition(config: Config, dtype: DType) -> Computation:
    """Computes getrf with pivots that count from 0, and the permutation that they are equivalent to."""
    factor = getrf(config, dtype).apply

    def factor_and_permute(a: Array) -> tuple[Any, ...]:
        factors, pivots, _ = factor(a)
        return factors, pivots - 1, permutation_of(pivots - 1, a.shape[0])

    return Computation("a pivots order", factor_and_permute)


def permutation_of(pivots: Array, size: int) -> Array:
    """Returns the order of `size` rows after exchanging row i with row pivots[i], for each i in turn. An
    exchange with a row that does not exist is skipped, as in JAX's kernels."""
    order = list(range(size))
    for i, pivot in enumerate(pivots.tolist()[:size]):
        if 0 <= pivot < size:
            order[i], order[pivot] = order[pivot], order[i]
    return np.array(order, np.int32)


def geqrf(config: Config, dtype: DType) -> Computation:
    """Computes QR, with reflectors below the diagonal of R."""
    routine = blas_routine("geqrf", dtype)

    def factor(a: Array) -> tuple[Any, ...]:
        if not a.size:
            return a, np.zeros(min(a.shape), dtype)
        factors, taus, *_ = routine(a, lwork=WORKSPACE_COLUMNS * a.shape[1])
        return factors, taus

    return Computation("a taus", factor)


def geqp3(config: Config, dtype: DType) -> Computation:
    """Computes QR with column exchanges; column numbers count from 1."""
    routine = blas_routine("geqp3", dtype)

    def factor(a: Array, pivots: Array) -> tuple[Any, ...]:
        if pivots.any():
            raise KernelError("columns that are to come first are not supported: the pivots must be zero")
        if not a.size:
            return a, list(range(1, pivots.size + 1)), np.zeros(min(a.shape), dtype)
        factors, order, taus, *_ = routine(a, lwork=WORKSPACE_COLUMNS * (a.shape[1] + 1))
        return factors, order, taus

    return Computation("a order taus", factor)


def orgqr(config: Config, dtype: DType) -> Computation:
    """Computes the orthogonal matrix that is the product of reflectors."""
    routine = blas_routine(orthogonal("gqr", dtype), dtype)

    def multiply_out(a: Array, taus: Array) -> tuple[Array]:
        rows, columns = a.shape
        if not len(taus) <= columns <= rows:
            raise KernelError(
                f"makes no more columns than rows, of no more reflectors, not {rows}x{columns} of {len(taus)}"
            )
        if not taus.size:
            return (np.eye(*a.shape, dtype=dtype),)
        return (routine(a, taus, lwork=WORKSPACE_COLUMNS * a.shape[1])[0],)

    return Computation("a", multiply_out)


def ormqr(config: Config, dtype: DType) -> Computation:
    """Computes the product of the orthogonal matrix of reflectors and another matrix."""
    routine = blas_routine(orthogonal("mqr", dtype), dtype)
    side = "L" if config.get("left") else "R"
    transpose = "N" if not config.get("transpose") else "C" if dtype.kind == "c" else "T"

    def multiply(a: Array, taus: Array, c: Array) -> tuple[Array]:
        size = c.shape[0 if side == "L" else 1]
        if not a.shape[1] <= a.shape[0] == size:
            raise KernelError(
                f"expected no more than {size} reflectors of that size, got {a.shape[1]} of {a.shape[0]}"
            )
        if not c.size or not taus.size:
            return (c,)
        return (routine(side, transpose, a, taus, c, WORKSPACE_COLUMNS * max(c.shape))[0],)

    return Computation("c", multiply)


def gehrd(config: Config, dtype: DType) -> Computation:
    """Computes the Hessenberg form of rows and columns `low` to `high`, which count from 1."""
    routine, low, high = blas_routine("gehrd", dtype), config.get("low"), config.get("high")
    if not isinstance(low, int) or not isinstance(high, int):
        raise KernelError("needs the options low and high")

    def reduce(a: Array) -> tuple[Any, ...]:
        size = a.shape[0]
        if not a.size:
            return a, np.zeros(0, dtype), 0
        if not 1 <= low <= high <= size:
            raise KernelError(f"expected 1 <= low <= high <= {size}, got low {low} and high {high}")
        lwork = workspace("gehrd", dtype, size, lo=low - 1, hi=high - 1)
        return routine(a, lo=low - 1, hi=high - 1, lwork=lwork)

    return Computation("a taus info", reduce)


def sytrd(config: Config, dtype: DType) -> Computation:
    """Computes the tridiagonal form of a symmetric matrix."""
    name, lower = hermitian("trd", dtype), is_lower(config)
    routine = blas_routine(name, dtype)

    def reduce(a: Array) -> tuple[Any, ...]:
        if not a.size:
            return a, *[np.zeros(0, dtype)] * 3, 0
        return routine(a, lower=lower, lwork=workspace(name, dtype, a.shape[0], lower=lower))

    return Computation("a d e taus info", reduce)


def trsm(config: Config, dtype: DType) -> Computation:
    """Solves with a triangular matrix, after b is scaled by the option `alpha`."""
    is_right = letter(config, "side", "LR") == "R"
    solver, at_once = triangular_solver(
        dtype,
        is_right=is_right,
        is_lower=is_lower(config),
        transpose="NTC".index(letter(config, "trans_x", "NTC")),
        is_unit=letter(config, "diag", "NU") == "U",
        factor=config.get("alpha", 1.0),
    )

    def solve(a: Array, b: Array) -> tuple[Array]:
        size = b.shape[1 if is_right else 0]
        if len(a) != size:
            raise KernelError(f"expected a triangular matrix of size {size}, got one of size {len(a)}")
        return (solver(a, b),)

    return Computation("x", solve, at_once)


def gtsv(config: Config, dtype: DType) -> Computation:
    """Solves a tridiagonal system; the first element of `lower` and the last of `upper` are not used."""
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
