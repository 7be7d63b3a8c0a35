"""LAPACK's routines, with the options and the results that JAX's custom calls give them.

An option that is a letter comes as its number (76 is "L"). Each routine gives its info result: from it the
program itself makes NaN. SciPy's LAPACK, which JAX uses too, does the work.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from shlo.interpreter.kernel import KernelError
from shlo.interpreter.kernels.matrices import OnMatrices, blas_routine
from shlo.ir.dtypes import Array

DType = np.dtype[Any]
Config = dict[str, Any]
Factory = Callable[[Config, DType], OnMatrices]
"""From a call's options and the element type to what is done with each matrix."""

_WORKSPACE_COLUMNS = 64
"""A workspace of so many columns is enough for LAPACK's block sizes."""


class Routine(NamedTuple):
    """A routine: what it does, and the ranks of its operands without batch dimensions."""

    make: Factory
    ranks: tuple[int, ...]


# --- options -----------------------------------------------------------------------------------------------


def _letter(config: Config, name: str, accepted: str) -> str:
    """An option that is one of a few letters, given as a number."""
    value = config.get(name)
    letter = chr(value) if isinstance(value, int) and 0 < value < 128 else ""
    if not letter or letter not in accepted:
        raise KernelError(f"the option {name} must be one of {', '.join(accepted)}, but is {value}")
    return letter


def _is_lower(config: Config) -> bool:
    return _letter(config, "uplo", "LU") == "L"


def _workspace(routine: str, dtype: DType, *sizes: int, **options: Any) -> int:
    return _queried_workspace(routine, dtype, sizes, tuple(options.items()))


@lru_cache(maxsize=256)
def _queried_workspace(
    routine: str, dtype: DType, sizes: tuple[int, ...], options: tuple[tuple[str, Any], ...]
) -> int:
    """The workspace with which LAPACK says it works best."""
    work = blas_routine(f"{routine}_lwork", dtype)(*sizes, **dict(options))[0]
    return max(1, int(work.real))


# --- factorisations ----------------------------------------------------------------------------------------


def _potrf(config: Config, dtype: DType) -> OnMatrices:
    return partial(blas_routine("potrf", dtype), lower=_is_lower(config), clean=False)


def _getrf(config: Config, dtype: DType) -> OnMatrices:
    getrf = blas_routine("getrf", dtype)

    def factor(a: Array) -> tuple[Any, ...]:
        if not a.size:
            return a, np.zeros(min(a.shape), np.int32), 0
        factors, pivots, info = getrf(a)
        return factors, pivots + 1, info

    return factor


def _geqrf(config: Config, dtype: DType) -> OnMatrices:
    geqrf = blas_routine("geqrf", dtype)

    def factor(a: Array) -> tuple[Any, ...]:
        if not a.size:
            return a, np.zeros(min(a.shape), dtype)
        factors, taus, *_ = geqrf(a, lwork=_WORKSPACE_COLUMNS * a.shape[1])
        return factors, taus

    return factor


def _geqp3(config: Config, dtype: DType) -> OnMatrices:
    geqp3 = blas_routine("geqp3", dtype)

    def factor(a: Array, pivots: Array) -> tuple[Any, ...]:
        if pivots.any():
            raise KernelError("columns that are to come first are not supported: the pivots must be zero")
        if not a.size:
            return a, list(range(1, pivots.size + 1)), np.zeros(min(a.shape), dtype)
        factors, order, taus, *_ = geqp3(a, lwork=_WORKSPACE_COLUMNS * (a.shape[1] + 1))
        return factors, order, taus

    return factor


def _orgqr(config: Config, dtype: DType) -> OnMatrices:
    orgqr = blas_routine(_orthogonal("gqr", dtype), dtype)

    def multiply_out(a: Array, taus: Array) -> tuple[Array]:
        rows, columns = a.shape
        if not len(taus) <= columns <= rows:
            raise KernelError(
                f"makes no more columns than rows, of no more reflectors, not {rows}x{columns} of {len(taus)}"
            )
        if not taus.size:
            return (np.eye(*a.shape, dtype=dtype),)
        return (orgqr(a, taus, lwork=_WORKSPACE_COLUMNS * a.shape[1])[0],)

    return multiply_out


def _ormqr(config: Config, dtype: DType) -> OnMatrices:
    ormqr = blas_routine(_orthogonal("mqr", dtype), dtype)
    side = "L" if config.get("left") else "R"
    transpose = "N" if not config.get("transpose") else "C" if dtype.kind == "c" else "T"

    def multiply(a: Array, taus: Array, c: Array) -> tuple[Array]:
        if not c.size or not taus.size:
            return (c,)
        return (ormqr(side, transpose, a, taus, c, _WORKSPACE_COLUMNS * max(c.shape))[0],)

    return multiply


def _orthogonal(suffix: str, dtype: DType) -> str:
    return ("un" if dtype.kind == "c" else "or") + suffix


def _gehrd(config: Config, dtype: DType) -> OnMatrices:
    gehrd, low, high = blas_routine("gehrd", dtype), config.get("low"), config.get("high")
    if not isinstance(low, int) or not isinstance(high, int):
        raise KernelError("needs the options low and high")

    def reduce(a: Array) -> tuple[Any, ...]:
        size = a.shape[0]
        if not a.size:
            return a, np.zeros(0, dtype), 0
        workspace = _workspace("gehrd", dtype, size, lo=low - 1, hi=high - 1)
        return gehrd(a, lo=low - 1, hi=high - 1, lwork=workspace)

    return reduce


def _sytrd(config: Config, dtype: DType) -> OnMatrices:
    name, lower = _hermitian("trd", dtype), _is_lower(config)
    sytrd = blas_routine(name, dtype)

    def reduce(a: Array) -> tuple[Any, ...]:
        return sytrd(a, lower=lower, lwork=_workspace(name, dtype, a.shape[0], lower=lower))

    return reduce


def _hermitian(suffix: str, dtype: DType) -> str:
    return ("he" if dtype.kind == "c" else "sy") + suffix


# --- spectra -----------------------------------------------------------------------------------------------


def _svd(name: str, config: Config, dtype: DType) -> OnMatrices:
    mode = _letter(config, "mode", "ASN")
    options = {"compute_uv": mode != "N", "full_matrices": mode == "A"}
    routine, real = blas_routine(name, dtype), np.dtype(dtype.char.lower())

    def decompose(a: Array) -> tuple[Any, ...]:
        rows, columns = a.shape
        if not a.size:
            return a, np.zeros(0, real), np.eye(rows, dtype=dtype), np.eye(columns, dtype=dtype), 0
        workspace = _workspace(name, dtype, rows, columns, **options)
        u, s, vt, info = routine(a, **options, lwork=workspace)
        if mode == "N":  # the program declares vectors all the same
            u, vt = np.zeros((rows, rows), dtype), np.zeros((columns, columns), dtype)
        return a, s, u, vt, info

    return decompose


def _syevd(config: Config, dtype: DType) -> OnMatrices:
    with_vectors = _letter(config, "mode", "VN") == "V"
    syevd = blas_routine(_hermitian("evd", dtype), dtype)
    lower = _is_lower(config)

    def decompose(a: Array) -> tuple[Any, ...]:
        values, vectors, info = syevd(a, compute_v=with_vectors, lower=lower)
        return vectors if with_vectors else a, values, info

    return decompose


def _geev(config: Config, dtype: DType) -> OnMatrices:
    left, right = (_letter(config, f"compute_{side}", "VN") == "V" for side in ("left", "right"))
    options = {"compute_vl": left, "compute_vr": right}
    geev, pairs = blas_routine("geev", dtype), dtype.kind == "f"

    def decompose(a: Array) -> tuple[Any, ...]:
        if not a.size:
            return *[np.zeros(0, dtype)] * (1 + pairs), a, a, 0
        workspace = _workspace("geev", dtype, a.shape[0], **options)
        *values, left_vectors, right_vectors, info = geev(a, **options, lwork=workspace)
        vectors = [
            (_unpacked(values[1], v) if pairs else v) if wanted else np.zeros_like(a)
            for v, wanted in ((left_vectors, left), (right_vectors, right))
        ]
        return *values, *vectors, info

    return decompose


def _unpacked(imaginary: Array, vectors: Array) -> Array:
    """Complex eigenvectors from pairs of columns, which hold a conjugate pair's real and imaginary part."""
    result = vectors.astype(np.result_type(vectors.dtype, np.complex64))
    for j in np.flatnonzero(imaginary > 0):
        result[:, j] = vectors[:, j] + 1j * vectors[:, j + 1]
        result[:, j + 1] = np.conj(result[:, j])
    return result


def _gees(config: Config, dtype: DType) -> OnMatrices:
    with_vectors = _letter(config, "mode", "VN") == "V"
    _letter(config, "sort", "N")
    gees = blas_routine("gees", dtype)

    def decompose(a: Array) -> tuple[Any, ...]:
        if not a.size:
            return a, a, *[np.zeros(0, dtype)] * (2 if dtype.kind == "f" else 1), 0, 0
        lwork = _WORKSPACE_COLUMNS * a.shape[0]
        form, selected, *values, vectors, _, info = gees(_select_none, a, compute_v=with_vectors, lwork=lwork)
        return form, vectors if with_vectors else a, *values, selected, info

    return decompose


def _select_none(*eigenvalue: float) -> bool:
    return False


# --- solvers -----------------------------------------------------------------------------------------------


def _trsm(config: Config, dtype: DType) -> OnMatrices:
    options = {
        "side": _letter(config, "side", "LR") == "R",
        "lower": _is_lower(config),
        "trans_a": "NTC".index(_letter(config, "trans_x", "NTC")),
        "diag": _letter(config, "diag", "NU") == "U",
    }
    trsm = blas_routine("trsm", dtype, "blas")

    def solve(a: Array, b: Array) -> tuple[Array]:
        return (trsm(1.0, a, b, **options) if b.size else b,)

    return solve


def _gtsv(config: Config, dtype: DType) -> OnMatrices:
    """The first element of the lower diagonal and the last of the upper one are not used."""
    gtsv = blas_routine("gtsv", dtype)

    def solve(lower: Array, diagonal: Array, upper: Array, b: Array) -> tuple[Any, ...]:
        if diagonal.size < 2 or not b.size:
            return lower, diagonal, upper, b / diagonal[:, None], int((diagonal == 0).any())
        second, main, first, x, info = gtsv(lower[1:], diagonal, upper[:-1], b)
        return np.append(lower[:1], second), main, np.append(first, upper[-1:]), x, info

    return solve


def _gtsv_perturbed(config: Config, dtype: DType) -> OnMatrices:
    solve = _gtsv(config, dtype)

    def perturbed(*operands: Array) -> tuple[Array]:
        *_, x, info = solve(*operands)
        if info:
            raise KernelError("the tridiagonal matrix is singular, and how XLA perturbs it is not known")
        return (x,)

    return perturbed


def _lu_decomposition(config: Config, dtype: DType) -> OnMatrices:
    """As getrf, but pivots count from 0, and the permutation they amount to comes with them."""
    getrf = _getrf(config, dtype)

    def factor(a: Array) -> tuple[Any, ...]:
        factors, pivots, _ = getrf(a)
        return factors, pivots - 1, permutation_of(pivots - 1, a.shape[0])

    return factor


def permutation_of(pivots: Array, size: int) -> Array:
    """The order of rows that exchanging row i with row pivots[i], one after the other, leads to."""
    order = list(range(size))
    for i, pivot in enumerate(pivots.tolist()):
        order[i], order[pivot] = order[pivot], order[i]
    return np.array(order, np.int32)


def _eigh(config: Config, dtype: DType) -> OnMatrices:
    decompose = _syevd(config | {"mode": ord("V")}, dtype)

    def without_info(a: Array) -> tuple[Any, ...]:
        vectors, values, _ = decompose(a)
        return vectors, values

    return without_info


ROUTINES: dict[str, Routine] = {
    "gees": Routine(_gees, (2,)),
    "geev": Routine(_geev, (2,)),
    "gehrd": Routine(_gehrd, (2,)),
    "geqp3": Routine(_geqp3, (2, 1)),
    "geqrf": Routine(_geqrf, (2,)),
    "gesdd": Routine(partial(_svd, "gesdd"), (2,)),
    "gesvd": Routine(partial(_svd, "gesvd"), (2,)),
    "getrf": Routine(_getrf, (2,)),
    "gtsv": Routine(_gtsv, (1, 1, 1, 2)),
    "heevd": Routine(_syevd, (2,)),
    "hetrd": Routine(_sytrd, (2,)),
    "orgqr": Routine(_orgqr, (2, 1)),
    "ormqr": Routine(_ormqr, (2, 1, 2)),
    "potrf": Routine(_potrf, (2,)),
    "syevd": Routine(_syevd, (2,)),
    "sytrd": Routine(_sytrd, (2,)),
    "trsm": Routine(_trsm, (2, 2)),
    "ungqr": Routine(_orgqr, (2, 1)),
    "unmqr": Routine(_ormqr, (2, 1, 2)),
}
"""By LAPACK's names; what a routine is called for real and for complex numbers has an entry each."""

OF_REAL_NUMBERS = frozenset({"syevd", "sytrd", "orgqr", "ormqr"})
OF_COMPLEX_NUMBERS = frozenset({"heevd", "hetrd", "ungqr", "unmqr"})

ROUTINES_ELSEWHERE: dict[str, Routine] = {
    "tridiagonal_solve_perturbed_ffi": Routine(_gtsv_perturbed, (1, 1, 1, 2)),
    "Eigh": Routine(_eigh, (2,)),
    "LuDecomposition": Routine(_lu_decomposition, (2,)),
    "ProductOfElementaryHouseholderReflectors": Routine(_orgqr, (2, 1)),
    "Qr": Routine(_geqrf, (2,)),
}
"""Custom calls of the same under other names, for every element type: most are those of TPUs."""
