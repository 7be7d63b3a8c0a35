"""Decompositions and solvers of batches of matrices through LAPACK and BLAS; Fourier transforms by SciPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView
from shlo.interpreter.kernels.scipy_functions import fourier_transform, linear_algebra_routine
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

    def on_arrays(array: Array) -> Array:
        factors = over_batch(factor, (array.astype(working, copy=False),), (2,))
        return array if factors is None else factors[0].astype(dtype, copy=False)

    return on_arrays


# --- triangular_solve --------------------------------------------------------------------------------------

_TRANSPOSES = {"NO_TRANSPOSE": 0, "TRANSPOSE": 1, "ADJOINT": 2}
"""transpose_a as BLAS' trans_a."""


@kernel("stablehlo.triangular_solve")
def triangular_solve(op: OpView) -> KernelFn:
    """Solves triangular systems in O(n^2) per right-hand side; specification: "triangular_solve"."""
    dtype = op.result_dtype()
    working = blas_dtype(dtype)
    solve_one = triangular_solver(
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
        solutions = over_batch(solve, operands, (2, 2))
        return b if solutions is None else solutions[0].astype(dtype, copy=False)

    return on_arrays


SHARED_FROM: Final = 1 << 10
"""Elements of a right-hand side from which on OpenBLAS shares a triangular solve among its threads."""
SMALL_SOLVE: Final = 1 << 21
"""Multiplications up to which threads wait for each other longer than one takes alone."""


def triangular_solver(
    dtype: np.dtype[Any], *, is_right: bool, is_lower: bool, transpose: int, is_unit: bool
) -> Callable[..., Array]:
    """Returns the function that solves systems by BLAS' trsm: of a triangular matrix `[n, n]`, right sides
    (`[n, m]`; `[m, n]` if `is_right`) and a factor for these. `transpose` is trans_a of BLAS."""
    trsm = partial(
        blas_routine("trsm", dtype, "blas"), side=is_right, lower=is_lower, trans_a=transpose, diag=is_unit
    )

    def solve(a: Array, b: Array, factor: Any = 1.0) -> Array:
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

    return solve


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


def over_batch(
    function: OnMatrices, operands: tuple[Array, ...], ranks: tuple[int, ...]
) -> tuple[Any, ...] | None:
    """Applies a function to each element of a batch and stacks the results; None if the batch is empty.
    `ranks` are the numbers of each operand's last dimensions that are not batch dimensions."""
    batch = operands[0].shape[: operands[0].ndim - ranks[0]]
    if not batch:
        return function(*operands)
    count = math.prod(batch)
    flat = [array.reshape(count, *array.shape[len(batch) :]) for array in operands]
    results = [function(*(array[i] for array in flat)) for i in range(count)]
    if not results:
        return None
    return tuple(_stacked(column, batch) for column in zip(*results))


def _stacked(values: tuple[Any, ...], batch: tuple[int, ...]) -> Array:
    stack = np.stack(values)
    return stack.reshape(*batch, *stack.shape[1:])


def blas_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Returns the type in which BLAS and LAPACK compute for a float or complex type: its own, or float32."""
    return dtype if dtype.char in "fdFD" else np.dtype(np.float32)


def blas_routine(name: str, dtype: np.dtype[Any], library: str = "lapack") -> Callable[..., Any]:
    """Returns SciPy's wrapper of a routine of LAPACK (or `library` "blas") for a dtype of `blas_dtype`.
    Raises KernelError if there is none."""
    letter = {"f": "s", "d": "d", "F": "c", "D": "z"}[dtype.char]
    routine = linear_algebra_routine(letter + name, library)
    if routine is None:
        raise KernelError(f"there is no routine {letter}{name} in {library}")
    return routine
