"""JAX's calls of the linear algebra libraries of CUDA and ROCm: the mathematics of LAPACK under other names.

Calls that end in `_ffi` have a dictionary of options, older ones the bytes of a structure.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.lapack.descriptors import STRUCTURES, described_options
from shlo.interpreter.custom_calls.lapack.layouts import row_major
from shlo.interpreter.custom_calls.lapack.routines import ROUTINES
from shlo.interpreter.custom_calls.lapack.targets import Options, Target, attributes, bind_routine
from shlo.interpreter.custom_calls.registry import register_custom_call
from shlo.interpreter.kernel_api import KernelFn

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


def _register() -> None:
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


_register()
