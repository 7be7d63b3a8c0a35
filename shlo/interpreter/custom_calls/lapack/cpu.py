"""JAX's calls of LAPACK and BLAS on a CPU: `lapack_<letter><routine>_ffi`, whose options are in a dictionary,
and the older `lapack_<letter><routine>`, whose options and sizes are operands in front."""

from __future__ import annotations

from functools import partial

import numpy as np

from shlo.interpreter.custom_calls.lapack.options import DType, hermitian, orthogonal
from shlo.interpreter.custom_calls.lapack.routines import ROUTINES
from shlo.interpreter.custom_calls.lapack.targets import Target, bind_routine
from shlo.interpreter.custom_calls.registry import register_custom_call

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


def _register() -> None:
    with_vectors = {"mode": ord("V")}
    for routine in ROUTINES_OF_CPUS:
        for letter, name in DTYPES.items():
            dtype = np.dtype(name)
            suffix = f"_{letter}{lapack_name(routine, dtype)}"
            target = Target(ROUTINES[routine], dtype)
            register_custom_call(f"lapack{suffix}_ffi", partial(bind_routine, target))
            if routine in NUMBERS_IN_FRONT:
                numbers = tuple(NUMBERS_IN_FRONT[routine].split())
                defaults = with_vectors if routine == "syevd" else None
                older = Target(ROUTINES[routine], dtype, numbers=numbers, defaults=defaults)
                library = "blas" if routine == "trsm" else "lapack"
                register_custom_call(f"{library}{suffix}", partial(bind_routine, older))
    for letter, name in DTYPES.items():
        scaled = Target(ROUTINES["trsm"], np.dtype(name), numbers_behind=("alpha",))
        register_custom_call(f"blas_{letter}trsm_ffi", partial(bind_routine, scaled))


_register()
