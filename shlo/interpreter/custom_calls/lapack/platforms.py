"""Calls of linear algebra by platform: JAX's of CPUs and GPUs, those of XLA's own passes and of TPUs.

On CPUs `lapack_<letter><routine>_ffi` has a dictionary of options, the older `lapack_<letter><routine>` has
options and sizes as operands in front. Those of CUDA and ROCm are the mathematics of LAPACK under other
names: calls that end in `_ffi` have a dictionary of options, older ones the bytes of a structure.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.lapack.factorizations import permutation_of
from shlo.interpreter.custom_calls.lapack.layouts import row_major
from shlo.interpreter.custom_calls.lapack.options import (
    STRUCTURES,
    DType,
    described_options,
    hermitian,
    orthogonal,
)
from shlo.interpreter.custom_calls.lapack.routines import ROUTINES
from shlo.interpreter.custom_calls.lapack.targets import Options, Target, attributes, bind_routine
from shlo.interpreter.custom_calls.registry import custom_call_handler, register_custom_call
from shlo.interpreter.kernel_api import KernelError, KernelFn
from shlo.interpreter.kernels.linalg import over_batch
from shlo.ir.dtypes import Array
from shlo.ir.types import IntegerType

DTYPES = {"s": "f4", "d": "f8", "c": "c8", "z": "c16"}

ROUTINES_OF_CPUS = (
    *("geqp3", "geqrf", "orgqr", "ormqr", "getrf", "potrf", "gehrd", "sytrd"),
    *("gees", "geev", "gesdd", "gesvd", "syevd", "gtsv", "trsm"),
)

NUMBERS_IN_FRONT: dict[str, str] = {
    "gees": "batch n mode sort",
    "geev": "batch n compute_left compute_right",
    "gehrd": "n low high lda batch lwork",
    "geqrf": "batch m n lwork",
    "gesdd": "full_matrices compute_uv batch m n lwork",
    "getrf": "batch m n",
    "orgqr": "batch m n k lwork",
    "potrf": "lower batch n",
    "syevd": "lower batch n",
    "sytrd": "n lower lda batch lwork",
    "trsm": "left_side lower transposition unit_diagonal m n batch alpha",
}
"""The operands in front of the matrices in calls that have no dictionary of options."""


def lapack_name(routine: str, dtype: DType) -> str:
    """Returns LAPACK's name of a routine for real or complex numbers: complex syevd is heevd."""
    if routine.startswith("sy"):
        return hermitian(routine[2:], dtype)
    return orthogonal(routine[2:], dtype) if routine in ("orgqr", "ormqr") else routine


def _register_cpus() -> None:
    for routine in ROUTINES_OF_CPUS:
        for letter, name in DTYPES.items():
            dtype = np.dtype(name)
            suffix = f"_{letter}{lapack_name(routine, dtype)}"
            target = Target(ROUTINES[routine], dtype)
            register_custom_call(f"lapack{suffix}_ffi", partial(bind_routine, target))
            if routine in NUMBERS_IN_FRONT:
                numbers = tuple(NUMBERS_IN_FRONT[routine].split())
                defaults = WITH_VECTORS if routine == "syevd" else None
                older = Target(ROUTINES[routine], dtype, numbers=numbers, defaults=defaults)
                library = "blas" if routine == "trsm" else "lapack"
                register_custom_call(f"{library}{suffix}", partial(bind_routine, older))
    for letter, name in DTYPES.items():
        scaled = Target(ROUTINES["trsm"], np.dtype(name), numbers_behind=("alpha",))
        register_custom_call(f"blas_{letter}trsm_ffi", partial(bind_routine, scaled))


SOLVERS = ("cusolver", "hipsolver", "rocsolver")
BLAS = ("cublas", "hipblas", "rocblas")
SPARSE = ("cusparse", "hipsparse")
HYBRID = ("cuhybrid", "hiphybrid")
DEVICES = ("cu", "hip")

FFI_ROUTINES: dict[str, str] = {
    "geev": "packed_geev",
    "geqrf": "geqrf",
    "gesdd": "gesdd",
    "gesvdj": "gesvdj",
    "gesvdp": "gesvdj",
    "getrf": "getrf",
    "orgqr": "orgqr",
    "ormqr": "ormqr",
    "potrf": "potrf",
    "syevd": "syevd",
    "sytrd": "sytrd",
}
OLDER_ROUTINES: dict[str, str] = {
    "geqrf": "geqrf",
    "gesvdj": "gesvdj",
    "getrf": "getrf",
    "orgqr": "orgqr",
    "potrf": "potrf",
    "syevd": "syevd",
    "syevj": "syevd",
    "sytrd": "sytrd",
    "ungqr": "orgqr",
}
"""Names that solvers have for routines, and the routine of the table."""

WITH_VECTORS = {"mode": ord("V")}
TRANSPOSED_SVD = ROUTINES["gesvd"]._replace(orders=("a s vt u info", "a s work work info"))


def _described(routine: str) -> Options:
    """Returns the reader of the options of an older call."""
    return partial(described_options, routine) if routine in STRUCTURES else lambda call: {}


def _singular_values(options: Options, is_transposed_by_shape: bool, call: CustomCall) -> KernelFn:
    """Computes gesvd. A call for the transposed matrix reads memory row by row and returns the right vectors
    first: an `_ffi` call says so, an older one does so if there are fewer rows than columns."""
    if is_transposed_by_shape:
        rows, columns = (0, 0, *call.operation.tensor_type(0).shape)[-2:]
        is_transposed = rows is not None and columns is not None and rows < columns
    else:
        is_transposed = bool(options(call).get("transposed"))
    if is_transposed:
        return bind_routine(Target(TRANSPOSED_SVD, options=options, layout=row_major), call)
    return bind_routine(Target(ROUTINES["gesvd"], options=options), call)


def _register_target(
    name: str, routine: str, options: Options = attributes, dtype: str | None = None
) -> None:
    target = Target(
        ROUTINES[routine],
        None if dtype is None else np.dtype(dtype),
        options=options,
        defaults=WITH_VECTORS if routine == "syevd" else None,
    )
    register_custom_call(name, partial(bind_routine, target))


def _register_gpus() -> None:
    for solver in SOLVERS:
        for name, routine in FFI_ROUTINES.items():
            _register_target(f"{solver}_{name}_ffi", routine)
        for name, routine in OLDER_ROUTINES.items():
            _register_target(f"{solver}_{name}", routine, _described(name))
        register_custom_call(f"{solver}_gesvd_ffi", partial(_singular_values, attributes, False))
        register_custom_call(f"{solver}_gesvd", partial(_singular_values, _described("gesvd"), True))
    for blas in BLAS:
        for name in ("geqrf", "getrf", "trsm"):
            _register_target(f"{blas}_{name}_batched", name, _described(name))
    for sparse in SPARSE:
        _register_target(f"{sparse}_gtsv2_ffi", "gtsv2")
        _register_target(f"{sparse}_gtsv2_f32", "gtsv2", dtype="f4")
        _register_target(f"{sparse}_gtsv2_f64", "gtsv2", dtype="f8")
    for hybrid in HYBRID:
        _register_target(f"{hybrid}_eig_real", "geev")
        _register_target(f"{hybrid}_eig_comp", "geev")
        _register_target(f"{hybrid}_geqp3", "geqp3")
    for device in DEVICES:
        _register_target(f"{device}_tridiagonal_solve_perturbed", "perturbed_gtsv")


OF_TPUS = {
    "LuDecomposition": "lu_decomposition",
    "ProductOfElementaryHouseholderReflectors": "orgqr",
    "Qr": "geqrf",
}


def _eigh_options(call: CustomCall) -> Mapping[str, Any]:
    """Returns the options of Eigh, a text: "lower,sort,iterations,tolerance"."""
    return {"uplo": ord("U" if call.config_text.startswith("0") else "L"), "mode": ord("V")}


def _register_others() -> None:
    for name, routine in OF_TPUS.items():
        target = Target(ROUTINES[routine], options=lambda call: {}, layout=None)
        register_custom_call(name, partial(bind_routine, target))
    eigh = Target(ROUTINES["syevd"], options=_eigh_options, layout=None)
    register_custom_call("Eigh", partial(bind_routine, eigh))
    perturbed = Target(ROUTINES["perturbed_gtsv"])
    register_custom_call("tridiagonal_solve_perturbed_ffi", partial(bind_routine, perturbed))


_register_cpus()
_register_gpus()
_register_others()


@custom_call_handler(*[f"{device}_lu_pivots_to_permutation" for device in ("cu", "cuda", "hip")])
def pivots_to_permutation(call: CustomCall) -> KernelFn:
    """Returns the order of rows after exchanging row i with row pivots[i]; pivots count from 0."""
    call.require_operands(1)
    pivots, result = call.operation.tensor_type(0), call.operation.result_type()
    if not result.rank or not pivots.rank or not isinstance(pivots.element_type, IntegerType):
        raise KernelError(f"makes vectors of vectors of integers, not a {result} of a {pivots}")
    size = result.shape[-1]

    def on_arrays(pivots: Array) -> Array:
        length = pivots.shape[-1] if size is None else size
        permuted = over_batch(partial(_permutations, length), (pivots,), (1,))
        return np.zeros((*pivots.shape[:-1], length), np.int32) if permuted is None else permuted[0]

    return on_arrays


def _permutations(length: int, pivots: Array) -> tuple[Array]:
    return (permutation_of(pivots, length),)
