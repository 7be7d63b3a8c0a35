"""Decompositions and solvers of batches of matrices through LAPACK and BLAS; Fourier transforms by SciPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView
from shlo.interpreter.kernels.routine_calls import (
    INTEGER,
    LEAST,
    RoutineCalls,
    blas_routine,
    in_columns,
    in_rows,
    integers,
    letters,
    routine_calls,
)
from shlo.interpreter.kernels.scipy_functions import fourier_transform
from shlo.interpreter.registry import kernel
from shlo.ir.dtypes import Array, dtype_of

DType = np.dtype[Any]


# --- cholesky ----------------------------------------------------------------------------------------------


@kernel("stablehlo.cholesky")
def cholesky(op: OpView) -> KernelFn:
    """Factorizes matrices `[batch, n, n]`; specification: "cholesky". The other triangle is zero; all is NaN
    if a matrix is not positive definite, as in XLA. Cost: O(n^3) per matrix."""
    operand = op.tensor_type(0)
    dtype = dtype_of(operand.element_type)
    working = blas_dtype(dtype)
    potrf, lower = blas_routine("potrf", working), op.flag("lower")

    def factor(matrix: Array) -> tuple[Array]:
        if not matrix.size:
            return (matrix,)
        result, failed = potrf(matrix, lower=lower, clean=True)
        if failed:
            result[...] = np.nan
        return (result,)

    at_once = cholesky_at_once(working, is_lower=lower)

    def factor_all(matrices: Array) -> tuple[Array] | None:
        found = at_once.apply(matrices)
        if found is None:
            return None
        factors, failures = found
        cleaned = (np.tril if lower else np.triu)(factors)
        cleaned[failures != 0] = np.nan
        return (cleaned,)

    batched = AtOnce(at_once.calls, factor_all)

    def on_arrays(array: Array) -> Array:
        factors = over_batch(factor, (array.astype(working, copy=False),), (2,), batched)
        return array if factors is None else factors[0].astype(dtype, copy=False)

    return on_arrays


def cholesky_at_once(dtype: DType, *, is_lower: bool) -> AtOnce:
    """Returns the function from matrices `[count, n, n]` to Cholesky factors, beside which the other triangle
    is unchanged, and what LAPACK says of each."""
    calls = routine_calls("potrf", dtype, "lapack", 5)
    options = letters("L" if is_lower else "U")

    def factor_all(matrices: Array) -> tuple[Array, Array] | None:
        count, size, _ = matrices.shape
        if not size:
            return None
        factors, info = in_columns(matrices), np.empty(count, INTEGER)
        numbers = integers(size)
        step = factors.strides[0]
        calls.run(count, size**3, *options, *numbers, (factors, step), *numbers, (info, info.itemsize))
        return in_rows(factors), info

    return AtOnce(calls, factor_all)


# --- triangular_solve --------------------------------------------------------------------------------------

_TRANSPOSES = {"NO_TRANSPOSE": 0, "TRANSPOSE": 1, "ADJOINT": 2}
"""transpose_a as BLAS' trans_a."""


@kernel("stablehlo.triangular_solve")
def triangular_solve(op: OpView) -> KernelFn:
    """Solves triangular systems in O(n^2) per right-hand side; specification: "triangular_solve"."""
    dtype = op.result_dtype()
    working = blas_dtype(dtype)
    solve_one, at_once = triangular_solver(
        working,
        is_right=not op.flag("left_side"),
        is_lower=op.flag("lower"),
        transpose=_TRANSPOSES[op.word("transpose_a", "NO_TRANSPOSE")],
        is_unit=op.flag("unit_diagonal"),
    )

    def solve(a: Array, b: Array) -> tuple[Array]:
        return (solve_one(a, b),)

    def on_arrays(a: Array, b: Array) -> Array:
        operands = a.astype(working, copy=False), b.astype(working, copy=False)
        solutions = over_batch(solve, operands, (2, 2), at_once)
        return b if solutions is None else solutions[0].astype(dtype, copy=False)

    return on_arrays


SHARED_FROM: Final = 1 << 10
"""Elements of a right-hand side from which on OpenBLAS shares a triangular solve among its threads."""
SMALL_SOLVE: Final = 1 << 21
"""Multiplications up to which threads wait for each other longer than one takes alone."""


def triangular_solver(
    dtype: np.dtype[Any], *, is_right: bool, is_lower: bool, transpose: int, is_unit: bool, factor: Any = 1.0
) -> tuple[Callable[[Array, Array], Array], AtOnce]:
    """Returns the function that solves systems by BLAS' trsm, of a triangular matrix `[n, n]` and right sides
    (`[n, m]`; `[m, n]` if `is_right`), which it multiplies by a factor; and the function for a batch.
    `transpose` is trans_a of BLAS."""
    trsm = partial(
        blas_routine("trsm", dtype, "blas"), side=is_right, lower=is_lower, trans_a=transpose, diag=is_unit
    )

    def solve(a: Array, b: Array) -> Array:
        if not b.size:
            return b
        size, most = len(a), (SHARED_FROM - 1) // len(a)
        if b.size < SHARED_FROM or most == 0 or size * b.size > SMALL_SOLVE:
            return trsm(factor, a, b)
        count = b.size // size
        step = -(-count // -(-count // most))  # parts of about one size
        a, solved = np.asfortranarray(a), np.empty(b.shape, dtype, order="F")
        for start in range(0, count, step):
            part = np.s_[start : start + step] if is_right else np.s_[:, start : start + step]
            solved[part] = trsm(factor, a, b[part])
        return solved

    calls = routine_calls("trsm", dtype, "blas", 11)
    options = letters(
        ("R" if is_right else "L") + ("L" if is_lower else "U") + "NTC"[transpose] + "NU"[is_unit]
    )

    def solve_all(a: Array, b: Array) -> tuple[Array] | None:
        count, rows, columns = b.shape
        size = columns if is_right else rows
        is_plain = type(factor) is float and a.shape[1:] == (size, size)
        if not is_plain or not 0 < rows * columns < SHARED_FROM:
            return None
        scale, factors, solved = np.array([factor], dtype), in_columns(a), in_columns(b)
        places = (factors, factors.strides[0]), *integers(size), (solved, solved.strides[0]), *integers(rows)
        calls.run(count, size * rows * columns, *options, *integers(rows, columns), (scale, 0), *places)
        return (in_rows(solved),)

    return solve, AtOnce(calls, solve_all)


# --- fft ---------------------------------------------------------------------------------------------------


@kernel("stablehlo.fft")
def fft(op: OpView) -> KernelFn:
    """Computes Fourier transforms in the operand's precision, in O(n log n); specification: "fft"."""
    kind, lengths = op.word("fft_type"), op.integers("fft_length")
    transform, dtype = fourier_transform(kind, lengths), op.result_dtype()

    def on_arrays(array: Array) -> Array:
        sizes = _transformed_shape(kind, lengths, array.shape)
        if not array.size or 0 in sizes:
            return np.zeros(sizes, dtype)
        return transform(array)

    return on_arrays


def _transformed_shape(kind: str, lengths: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the result's shape; raises KernelError if the operand does not have the sizes of fft_length."""
    half = (*lengths[:-1], lengths[-1] // 2 + 1 if lengths[-1] else 0)
    before, after = {"RFFT": (lengths, half), "IRFFT": (half, lengths)}.get(kind, (lengths, lengths))
    if shape[-len(lengths) :] != before:
        raise KernelError(f"expected sizes {list(before)} for {kind} of {list(lengths)}, got {list(shape)}")
    return (*shape[: -len(lengths)], *after)


OnMatrices = Callable[..., tuple[Any, ...]]
"""From matrices, vectors or scalars to a tuple of such, as LAPACK's routines are."""


class AtOnce(NamedTuple):
    """Function of all matrices of a batch, by machine code for the calls of its routine: it has the same
    results as the one of each, and gives None where it does not take the sizes."""

    calls: RoutineCalls
    apply: Callable[..., tuple[Array, ...] | None]


def over_batch(
    function: OnMatrices,
    operands: tuple[Array, ...],
    ranks: tuple[int, ...],
    at_once: AtOnce | None = None,
) -> tuple[Any, ...] | None:
    """Applies a function to each element of a batch and stacks the results; None if the batch is empty.

    Args:
        function: takes the matrices or vectors of one element.
        operands: arrays whose batch dimensions are equal.
        ranks: the numbers of each operand's last dimensions that are not batch dimensions.
        at_once: what computes the same of the whole batch, if there is such a function.
    """
    batch = operands[0].shape[: operands[0].ndim - ranks[0]]
    if not batch:
        return function(*operands)
    count = math.prod(batch)
    flat = [array.reshape(count, *array.shape[len(batch) :]) for array in operands]
    if at_once is None or count < LEAST:
        columns = _of_each(function, flat, count)
    else:
        found = at_once.apply(*flat) if at_once.calls.is_ready() else None
        columns = at_once.calls.in_python(lambda: _of_each(function, flat, count)) if found is None else found
    return tuple(column.reshape(*batch, *column.shape[1:]) for column in columns) if columns else None


def _of_each(function: OnMatrices, flat: list[Array], count: int) -> list[Array]:
    """Returns the results of each element, stacked row by row as those of a whole batch are."""
    results = [function(*elements) for elements in zip(*flat)] if count else []
    return [_stacked(column) for column in zip(*results)]


def _stacked(values: tuple[Any, ...]) -> Array:
    first = np.asarray(values[0])
    return np.stack(values, out=np.empty((len(values), *first.shape), first.dtype))


def blas_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Returns the type in which BLAS and LAPACK compute for a float or complex type: its own, or float32."""
    return dtype if dtype.char in "fdFD" else np.dtype(np.float32)
