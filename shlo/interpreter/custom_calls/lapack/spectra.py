"""Singular values, eigenvalues and Schur forms."""

from __future__ import annotations

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
    workspace,
)
from shlo.interpreter.kernels.routine_calls import blas_routine
from shlo.ir.dtypes import Array


def _of_finite_numbers(computation: Computation) -> Computation:
    """Returns a computation that returns NaN and reports failure for matrices with infinity or NaN: for
    those, LAPACK's iterations need not end."""

    def apply(a: Array) -> tuple[Any, ...]:
        if np.isfinite(a).all():
            return computation.apply(a)
        names = computation.results.split()
        like = (np.asarray(value) for value in computation.apply(np.zeros_like(a)))
        return tuple(
            np.full(value.shape, np.nan if value.dtype.kind in "fc" else name == "info", value.dtype)
            for name, value in zip(names, like)
        )

    return Computation(computation.results, apply)


def svd(name: str, config: Config, dtype: DType) -> Computation:
    """Computes singular values and, unless the mode is "N", vectors, by the routine `name`."""
    mode = letter(config, "mode", "ASN")
    options = {"compute_uv": mode != "N", "full_matrices": mode == "A"}
    routine, real = blas_routine(name, dtype), np.dtype(dtype.char.lower())

    def decompose(a: Array) -> tuple[Any, ...]:
        rows, columns = a.shape
        if not a.size:
            full = mode == "A"
            return (
                a,
                np.zeros(0, real),
                0,
                np.eye(rows, rows * full, dtype=dtype),
                np.eye(columns * full, columns, dtype=dtype),
            )
        lwork = workspace(name, dtype, rows, columns, **options)
        u, s, vt, info = routine(a, **options, lwork=lwork)
        return a, s, info, u, vt

    def without_vectors(a: Array) -> tuple[Any, ...]:
        return decompose(a)[:3]

    if mode == "N":
        return _of_finite_numbers(Computation("a s info", without_vectors))
    return _of_finite_numbers(Computation("a s info u vt", decompose))


def svd_with_columns(config: Config, dtype: DType) -> Computation:
    """Computes gesvd with right vectors as columns instead of rows."""
    results, decompose, _ = svd("gesvd", config, dtype)
    if "vt" not in results:
        return Computation(results, decompose)

    def with_columns(a: Array) -> tuple[Any, ...]:
        *others, vt = decompose(a)
        return *others, np.conj(vt.T)

    return Computation(results.replace("vt", "v"), with_columns)


def syevd(config: Config, dtype: DType) -> Computation:
    """Computes eigenvalues of symmetric matrices and, in mode "V", vectors in place of the matrix."""
    with_vectors = letter(config, "mode", "VN") == "V"
    routine = blas_routine(hermitian("evd", dtype), dtype)
    lower = is_lower(config)

    def decompose(a: Array) -> tuple[Any, ...]:
        values, vectors, info = routine(a, compute_v=with_vectors, lower=lower)
        return vectors if with_vectors else a, values, info

    return Computation("a w info", decompose)


def geev(config: Config, dtype: DType) -> Computation:
    """Computes eigenvalues, of real matrices as real and imaginary parts, and complex eigenvectors."""
    left, right = (letter(config, f"compute_{side}", "VN") == "V" for side in ("left", "right"))
    options = {"compute_vl": left, "compute_vr": right}
    routine, pairs = blas_routine("geev", dtype), dtype.kind == "f"

    def decompose(a: Array) -> tuple[Any, ...]:
        if not a.size:
            return *[np.zeros(0, dtype)] * (1 + pairs), a, a, 0
        lwork = workspace("geev", dtype, a.shape[0], **options)
        *values, left_vectors, right_vectors, info = routine(a, **options, lwork=lwork)
        vectors = [
            (_unpacked(values[1], v) if pairs else v) if wanted else np.zeros_like(a)
            for v, wanted in ((left_vectors, left), (right_vectors, right))
        ]
        return *values, *vectors, info

    results = "wr wi vl vr info" if pairs else "w vl vr info"
    return _of_finite_numbers(Computation(results, decompose))


def packed_geev(config: Config, dtype: DType) -> Computation:
    """Computes geev with complex eigenvalues and, of real matrices, vectors as the pairs of columns that
    LAPACK returns: real and imaginary part of each conjugate pair."""
    left, right = (letter(config, f"compute_{side}", "VN") == "V" for side in ("left", "right"))
    routine, pairs = blas_routine("geev", dtype), dtype.kind == "f"

    def decompose(a: Array) -> tuple[Any, ...]:
        if not a.size:
            return a, np.zeros(0, np.result_type(dtype, np.complex64)), a, a, 0
        lwork = workspace("geev", dtype, a.shape[0], compute_vl=left, compute_vr=right)
        *values, vl, vr, info = routine(a, compute_vl=left, compute_vr=right, lwork=lwork)
        w = values[0] + 1j * values[1] if pairs else values[0]
        return a, w, vl if left else np.zeros_like(a), vr if right else np.zeros_like(a), info

    return _of_finite_numbers(Computation("a w vl vr info", decompose))


def _unpacked(imaginary: Array, vectors: Array) -> Array:
    """Returns complex eigenvectors from pairs of columns: real and imaginary parts of conjugate pairs."""
    result = vectors.astype(np.result_type(vectors.dtype, np.complex64))
    for j in np.flatnonzero(imaginary > 0):
        result[:, j] = vectors[:, j] + 1j * vectors[:, j + 1]
        result[:, j + 1] = np.conj(result[:, j])
    return result


def gees(config: Config, dtype: DType) -> Computation:
    """Computes the Schur form and, in mode "V", its vectors."""
    with_vectors = letter(config, "mode", "VN") == "V"
    letter(config, "sort", "N")
    routine, pairs = blas_routine("gees", dtype), dtype.kind == "f"

    def decompose(a: Array) -> tuple[Any, ...]:
        if not a.size:
            return a, a, *[np.zeros(0, dtype)] * (1 + pairs), 0, 0
        lwork = WORKSPACE_COLUMNS * a.shape[0]
        form, selected, *values, vectors, _, info = routine(
            _select_none, a, compute_v=with_vectors, lwork=lwork
        )
        return form, vectors if with_vectors else a, *values, selected, info

    results = "a vs wr wi selected info" if pairs else "a vs w selected info"
    return _of_finite_numbers(Computation(results, decompose))


def _select_none(*eigenvalue: float) -> bool:
    return False
