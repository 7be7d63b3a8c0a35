"""Decompositions and solvers of batches of matrices through LAPACK and BLAS; Fourier transforms by SciPy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView
from shlo.interpreter.kernels.routine_calls import (
    ALIGNED,
    INTEGER,
    LEAST,
    ByRoutine,
    RoutineCalls,
    RoutinePlan,
    Storage,
    blas_routine,
    by_rows_if_small,
    integers,
    letters,
    routine_calls,
)
from shlo.interpreter.kernels.scipy_functions import fourier_transform
from shlo.interpreter.kernels.shapes import Sizes
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

    at_once = cholesky_at_once(working, is_lower=lower, is_cleaned=True)

    def on_arrays(array: Array) -> Array:
        factors = over_batch(factor, (array.astype(working, copy=False),), (2,), at_once)
        return array if factors is None else factors[0].astype(dtype, copy=False)

    return ByRoutine(on_arrays, partial(_plan_of, op, at_once, working))


def _plan_of(op: OpView, at_once: AtOnce, dtype: DType) -> RoutinePlan | None:
    """Returns the plan for the types of an operation on matrices, which computes in a dtype."""
    types = [op.tensor_type(index) for index in range(len(op.operand_types))]
    if op.result_dtype() != dtype or not all(type_.is_static for type_ in types):
        return None
    return at_once.plan([type_.static_shape[-2:] for type_ in types])


def cholesky_at_once(dtype: DType, *, is_lower: bool, is_cleaned: bool) -> AtOnce:
    """Returns how a matrix `[n, n]` becomes its Cholesky factor, and what LAPACK says of it. The other
    triangle is unchanged; where it `is_cleaned`, the other triangle is 0, a failure NaN, and there is the
    factor alone."""
    calls, triangle = routine_calls("potrf", dtype, "lapack", 5), "L" if is_lower else "U"

    def plan(rows: int, columns: int) -> RoutinePlan | None:
        if not rows or rows != columns:
            return None
        storages = Storage(dtype, (rows, rows), 0), Storage(INTEGER, ())
        size = integers(rows)
        arguments = (*letters(triangle), *size, (0, 0), *size, (1, 0))
        results, kept_triangle = ((0,), triangle) if is_cleaned else ((0, 1), "")
        return RoutinePlan(calls, storages, (arguments,), rows**3, results, kept_triangle)

    return AtOnce(calls, plan)


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

    return ByRoutine(on_arrays, partial(_plan_of, op, at_once, working))


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
        size = len(a)
        count = b.size // size
        step = _part(size, count)
        if step is None or step == count:
            return trsm(factor, a, b)
        a, solved = np.asfortranarray(a), np.empty(b.shape, dtype, order="F")
        for start in range(0, count, step):
            part = np.s_[start : start + step] if is_right else np.s_[:, start : start + step]
            solved[part] = trsm(factor, a, b[part])
        return solved

    calls = routine_calls("trsm", dtype, "blas", 11)
    options = letters(
        ("R" if is_right else "L") + ("L" if is_lower else "U") + "NTC"[transpose] + "NU"[is_unit]
    )

    def plan(a_rows: int, a_columns: int, rows: int, columns: int) -> RoutinePlan | None:
        size, count = (columns, rows) if is_right else (rows, columns)
        is_plain = type(factor) is float and (a_rows, a_columns) == (size, size)
        step = _part(size, count) if is_plain and rows * columns else None
        if step is None or (step != count and (is_right or step * rows * dtype.itemsize % ALIGNED)):
            return None
        storages = Storage(dtype, (size, size), 0), Storage(dtype, (rows, columns), 1)
        scale, leading = np.array([factor], dtype), integers(size, rows)
        arguments: list[tuple[Any, ...]] = []
        for start in range(0, count, step):
            part = integers(rows, columns if step == count else min(step, count - start))
            arguments.append((*options, *part, scale, (0, 0), leading[0], (1, start), leading[1]))
        return RoutinePlan(calls, storages, tuple(arguments), size * size * step, (1,))

    return solve, AtOnce(calls, plan)


def _part(size: int, count: int) -> int | None:
    """Returns how many right sides a call of trsm takes, so that OpenBLAS shares none among its threads; None
    where it may.

    Args:
        size: how many rows the triangular matrix has.
        count: how many right sides there are.
    """
    if size * count < SHARED_FROM:
        return count
    most = (SHARED_FROM - 1) // size
    if most == 0 or size * size * count > SMALL_SOLVE:
        return None
    return -(-count // -(-count // most))  # parts of about one size


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


class AtOnce:
    """Function of all matrices of a batch, by machine code for the calls of its routine: it has the same
    results as the one of each.

    Args:
        calls: the calls of the routine.
        plan_of: returns the plan for sizes of the operands without batch dimensions, all behind each other;
            None where there is none.
    """

    def __init__(self, calls: RoutineCalls, plan_of: Callable[..., RoutinePlan | None]) -> None:
        self.calls = calls
        self._plan_of = lru_cache(maxsize=16)(plan_of)

    def plan(self, shapes: Sequence[Sizes]) -> RoutinePlan | None:
        """Returns the plan for operands of some shapes without batch dimensions; None where there is none."""
        return self._plan_of(*[size for shape in shapes for size in shape])


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
        return tuple([by_rows_if_small(result) for result in function(*operands)])
    count = math.prod(batch)
    flat = [array.reshape(count, *array.shape[len(batch) :]) for array in operands]
    if at_once is None or count < LEAST:
        columns = _of_each(function, flat, count)
    else:
        plan = at_once.plan([array.shape[1:] for array in flat]) if at_once.calls.is_ready() else None
        in_python = partial(at_once.calls.in_python, lambda: _of_each(function, flat, count))
        columns = in_python() if plan is None else plan.run(flat)
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
