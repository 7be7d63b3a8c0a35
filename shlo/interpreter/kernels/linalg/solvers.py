"""Decompositions and solvers through LAPACK and BLAS, Fourier transforms through SciPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, kernel
from shlo.interpreter.kernels.contraction.products import check_like, check_shape
from shlo.interpreter.kernels.linalg.batching import blas_dtype, blas_routine, check_square, over_batch
from shlo.interpreter.kernels.numeric import Kind, kind_of
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import RankedTensorType

DType = np.dtype[Any]


# --- cholesky ----------------------------------------------------------------------------------------------


@kernel("stablehlo.cholesky")
def cholesky(op: OpView) -> KernelFn:
    """A factor whose other triangle is zero; where a matrix is not positive definite, NaN, as XLA gives."""
    operand = op.tensor_type(0)
    check_square(operand.shape, "the operand")
    check_like(op.result_type(), operand, "the result")
    dtype = _inexact(operand)
    working = blas_dtype(dtype)
    factor = _factor_function(working, op.flag("lower"))

    def on_arrays(array: Array) -> Array:
        factors = over_batch(factor, (array.astype(working, copy=False),), (2,))
        return array if factors is None else factors[0].astype(dtype, copy=False)

    return on_arrays


def _factor_function(dtype: DType, lower: bool) -> Callable[[Array], tuple[Array]]:
    potrf = blas_routine("potrf", dtype)

    def factor(matrix: Array) -> tuple[Array]:
        if not matrix.size:
            return (matrix,)
        result, failed = potrf(matrix, lower=lower, clean=True)
        if failed:
            result[...] = np.nan
        return (result,)

    return factor


def _inexact(type_: RankedTensorType) -> DType:
    if kind_of(type_) not in (Kind.FLOAT, Kind.COMPLEX):
        raise KernelError(f"takes floating-point or complex elements, not {type_.element_type}")
    return dtype_of(type_.element_type)


# --- triangular_solve --------------------------------------------------------------------------------------

_TRANSPOSES = {"NO_TRANSPOSE": 0, "TRANSPOSE": 1, "ADJOINT": 2}
"""transpose_a as BLAS' trans_a."""


@kernel("stablehlo.triangular_solve")
def triangular_solve(op: OpView) -> KernelFn:
    a, b, left = op.tensor_type(0), op.tensor_type(1), op.flag("left_side")
    check_square(a.shape, "a")
    check_like(op.result_type(), b, "the result")
    if a.rank != b.rank:
        raise KernelError(f"a has rank {a.rank}, but b has rank {b.rank}")
    dtype = _inexact(b)
    if _inexact(a) != dtype:
        raise KernelError(f"a has elements of type {a.element_type}, but b of {b.element_type}")
    working = blas_dtype(dtype)
    solve = _solve_function(op, working, left)

    def on_arrays(left_array: Array, right_array: Array) -> Array:
        _check_system(left_array.shape, right_array.shape, left)
        operands = left_array.astype(working, copy=False), right_array.astype(working, copy=False)
        solutions = over_batch(solve, operands, (2, 2))
        return right_array if solutions is None else solutions[0].astype(dtype, copy=False)

    return on_arrays


def _solve_function(op: OpView, dtype: DType, left: bool) -> Callable[[Array, Array], tuple[Array]]:
    transpose = op.word("transpose_a", "NO_TRANSPOSE")
    if transpose not in _TRANSPOSES:
        raise KernelError(f"transpose_a cannot be {transpose}")
    trsm = partial(
        blas_routine("trsm", dtype, "blas"),
        1.0,
        side=not left,
        lower=op.flag("lower"),
        trans_a=_TRANSPOSES[transpose],
        diag=op.flag("unit_diagonal"),
    )
    return lambda a, b: (trsm(a, b) if b.size else b,)


def _check_system(a: tuple[int, ...], b: tuple[int, ...], left: bool) -> None:
    check_square(a, "a")
    if a[:-2] != b[:-2] or a[-1] != b[-2 if left else -1]:
        side = "rows" if left else "columns"
        raise KernelError(
            f"a has shape {list(a)}, which fits neither the batch nor the {side} of b, {list(b)}"
        )


# --- fft ---------------------------------------------------------------------------------------------------

_TRANSFORMS = {  # the kinds of operand and result, and SciPy's functions of one and of several dimensions
    "FFT": (Kind.COMPLEX, Kind.COMPLEX, "fft", "fftn"),
    "IFFT": (Kind.COMPLEX, Kind.COMPLEX, "ifft", "ifftn"),
    "RFFT": (Kind.FLOAT, Kind.COMPLEX, "rfft", "rfftn"),
    "IRFFT": (Kind.COMPLEX, Kind.FLOAT, "irfft", "irfftn"),
}


@kernel("stablehlo.fft")
def fft(op: OpView) -> KernelFn:
    """Computed in the precision of the operand."""
    kind, lengths = op.word("fft_type"), op.integers("fft_length")
    operand, result = op.tensor_type(0), op.result_type()
    if kind not in _TRANSFORMS:
        raise KernelError(f"there is no Fourier transform {kind}")
    _check_transform(kind, lengths, operand, result)
    transform = _transform_function(kind, lengths)
    dtype = dtype_of(result.element_type)

    def on_arrays(array: Array) -> Array:
        sizes = _transformed_shape(kind, lengths, array.shape)
        check_shape(sizes, result.shape)
        if not array.size or 0 in sizes:
            return np.zeros(sizes, dtype)
        return transform(array)

    return on_arrays


def _check_transform(
    kind: str, lengths: tuple[int, ...], operand: RankedTensorType, result: RankedTensorType
) -> None:
    if not 1 <= len(lengths) <= min(3, operand.rank):
        raise KernelError(f"fft_length has {len(lengths)} entries, for an operand of rank {operand.rank}")
    if (kind_of(operand), kind_of(result)) != _TRANSFORMS[kind][:2]:
        raise KernelError(f"{kind} does not take {operand.element_type} to {result.element_type}")
    if operand.element_type != result.element_type and _precision(operand) != _precision(result):
        raise KernelError(f"{kind} does not take {operand.element_type} to {result.element_type}")


def _precision(type_: RankedTensorType) -> str:
    return {"f": "single", "F": "single", "d": "double", "D": "double"}.get(
        dtype_of(type_.element_type).char, ""
    )


def _transformed_shape(kind: str, lengths: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The result's shape; raises KernelError where the operand does not have the sizes of fft_length."""
    half = (*lengths[:-1], lengths[-1] // 2 + 1 if lengths[-1] else 0)
    before, after = {"RFFT": (lengths, half), "IRFFT": (half, lengths)}.get(kind, (lengths, lengths))
    if shape[-len(lengths) :] != before:
        raise KernelError(f"{kind} of length {list(lengths)} takes sizes {list(before)}, not {list(shape)}")
    return (*shape[: -len(lengths)], *after)


def _transform_function(kind: str, lengths: tuple[int, ...]) -> Callable[[Array], Array]:
    transforms = import_module("scipy.fft")
    one, several = _TRANSFORMS[kind][2:]
    if len(lengths) == 1:
        return partial(getattr(transforms, one), n=lengths[0])
    return partial(getattr(transforms, several), s=lengths, axes=range(-len(lengths), 0))
