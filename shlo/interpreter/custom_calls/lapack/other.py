"""Linear algebra under the names of XLA's own passes and of TPUs, and permutations of pivots."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.lapack.factorizations import permutation_of
from shlo.interpreter.custom_calls.lapack.routines import ROUTINES
from shlo.interpreter.custom_calls.lapack.targets import Target, bind_routine
from shlo.interpreter.custom_calls.registry import custom_call_handler, register_custom_call
from shlo.interpreter.kernel_api import KernelError, KernelFn
from shlo.interpreter.kernels.linalg.batching import over_batch
from shlo.ir.dtypes import Array
from shlo.ir.types import IntegerType

OF_TPUS = {
    "LuDecomposition": "lu_decomposition",
    "ProductOfElementaryHouseholderReflectors": "orgqr",
    "Qr": "geqrf",
}


def _eigh_options(call: CustomCall) -> Mapping[str, Any]:
    """Returns the options of Eigh, a text: "lower,sort,iterations,tolerance"."""
    return {"uplo": ord("U" if call.config_text.startswith("0") else "L"), "mode": ord("V")}


def _register() -> None:
    for name, routine in OF_TPUS.items():
        target = Target(ROUTINES[routine], options=lambda call: {}, layout=None)
        register_custom_call(name, partial(bind_routine, target))
    eigh = Target(ROUTINES["syevd"], options=_eigh_options, layout=None)
    register_custom_call("Eigh", partial(bind_routine, eigh))
    perturbed = Target(ROUTINES["perturbed_gtsv"])
    register_custom_call("tridiagonal_solve_perturbed_ffi", partial(bind_routine, perturbed))


_register()


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
