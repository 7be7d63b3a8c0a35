"""Custom calls of dense linear algebra: LAPACK's routines, and what other platforms call them.

JAX's CPU targets are `lapack_<letter><routine>_ffi`; their options stand in the call's dictionary.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from shlo.interpreter.custom_calls import CustomCall, register_custom_call
from shlo.interpreter.kernel import Evaluate, KernelError
from shlo.interpreter.kernels.matrices import OnMatrices, over_batch
from shlo.interpreter.lapack import (
    OF_COMPLEX_NUMBERS,
    OF_REAL_NUMBERS,
    ROUTINES,
    ROUTINES_ELSEWHERE,
    Routine,
    permutation_of,
)
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import IntegerType, RankedTensorType

DType = np.dtype[Any]
Change = Callable[[Array], Array]

_DTYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}


def _lapack_call(routine: Routine, dtype: DType | None, call: CustomCall) -> Evaluate:
    """What a call of a routine for `dtype` does; None takes the dtype of the first operand."""
    operands = _checked_operands(routine, dtype, call)
    results = [call.operation.result_type(i) for i in range(len(call.result_types))]
    function = routine.make(_options(call), dtype_of(operands[0].element_type))
    return _batched(
        function, routine.ranks, operands, results, _layouts(call, operands, results, routine.ranks)
    )


def _checked_operands(routine: Routine, dtype: DType | None, call: CustomCall) -> list[RankedTensorType]:
    """The types of the operands, without those that only tell shapes."""
    ranks = routine.ranks
    operands = [call.operation.tensor_type(i) for i in range(len(call.operand_types))][: len(ranks)]
    batch = operands[0].rank - ranks[0] if operands else -1
    if (
        len(operands) != len(ranks)
        or any(t.rank != batch + rank for t, rank in zip(operands, ranks))
        or batch < 0
    ):
        shapes = " and ".join(f"{rank}-dimensional" for rank in ranks)
        raise KernelError(f"{call.target} takes {shapes} operands in batches of equal rank")
    found = dtype_of(operands[0].element_type)
    if found.char not in "fdFD" or (dtype is not None and found != dtype):
        raise KernelError(f"{call.target} does not take elements of type {operands[0].element_type}")
    return operands


class _Layouts(NamedTuple):
    """How operands reach a routine and results come back; None where an array is what the routine sees."""

    operands: list[Change | None]
    results: list[Change | None]


def _batched(
    function: OnMatrices,
    ranks: tuple[int, ...],
    operands: list[RankedTensorType],
    results: list[RankedTensorType],
    layouts: _Layouts,
) -> Evaluate:
    dtypes = [dtype_of(result.element_type) for result in results]

    def on_arrays(*arrays: Array) -> Any:
        given = [view(a) if view else np.asarray(a) for a, view in zip(arrays, layouts.operands)]
        computed = over_batch(function, tuple(given), ranks)
        if computed is None:
            computed = tuple(np.zeros([size or 0 for size in result.shape]) for result in results)
        typed = [np.asarray(value, dtype) for value, dtype in zip(computed, dtypes)]
        shown = [view(a) if view else a for a, view in zip(typed, layouts.results)]
        return shown[0] if len(shown) == 1 else tuple(shown)

    return on_arrays


def _layouts(
    call: CustomCall,
    operands: list[RankedTensorType],
    results: list[RankedTensorType],
    ranks: tuple[int, ...],
) -> _Layouts:
    """LAPACK takes memory for column-major matrices: where a layout differs, it sees another array."""
    if not call.target.endswith("_ffi"):
        return _Layouts([None] * len(operands), [None] * len(results))
    batch = operands[0].rank - ranks[0]
    given = _declared_layouts(call, "operand_layouts", operands)
    produced = _declared_layouts(call, "result_layouts", results)
    return _Layouts(
        [_seen(layout, batch) for layout in given[: len(operands)]],
        [_shown(layout, batch) for layout in produced],
    )


def _declared_layouts(call: CustomCall, name: str, types: list[RankedTensorType]) -> list[tuple[int, ...]]:
    """For each tensor its dimensions from the outermost in memory to the innermost; by default in order."""
    declared = call.get(name)
    if declared is None:
        return [tuple(range(type_.rank)) for type_ in types]
    layouts = [tuple(reversed(np.asarray(layout).tolist())) for layout in declared]
    if any(sorted(layout) != list(range(t.rank)) for layout, t in zip(layouts, types)) or len(layouts) < len(
        types
    ):
        raise KernelError(f"{name} does not fit the types")
    return layouts


def _expected_layout(rank: int, batch: int) -> tuple[int, ...]:
    if rank - batch == 2:
        return (*range(batch), batch + 1, batch)
    return tuple(range(rank))


def _seen(layout: tuple[int, ...], batch: int) -> Change | None:
    expected = _expected_layout(len(layout), batch)
    if layout == expected:
        return None
    back = np.argsort(expected).tolist()

    def view(array: Array) -> Array:
        sizes = [array.shape[d] for d in expected]
        return array.transpose(layout).reshape(sizes).transpose(back)

    return view


def _shown(layout: tuple[int, ...], batch: int) -> Change | None:
    expected = _expected_layout(len(layout), batch)
    if layout == expected:
        return None
    back = np.argsort(layout).tolist()

    def view(array: Array) -> Array:
        sizes = [array.shape[d] for d in layout]
        return array.transpose(expected).reshape(sizes).transpose(back)

    return view


def _options(call: CustomCall) -> dict[str, Any]:
    """The call's dictionary. Eigh's options are a text: "lower,sort,iterations,tolerance"."""
    if call.target == "Eigh":
        return {"uplo": ord("U" if call.config_text.startswith("0") else "L")}
    return dict(call.config)


def _pivots_to_permutation(call: CustomCall) -> Evaluate:
    call.require_operands(1)
    pivots, result = call.operation.tensor_type(0), call.operation.result_type()
    if not result.rank or not pivots.rank or not isinstance(pivots.element_type, IntegerType):
        raise KernelError(f"makes vectors of vectors of integers, not a {result} of a {pivots}")
    size = result.shape[-1]

    def on_arrays(pivots: Array) -> Array:
        length = pivots.shape[-1] if size is None else size
        if pivots.size and not 0 <= pivots.min() <= pivots.max() < length:
            raise KernelError(f"a pivot lies outside the {length} rows")
        permuted = over_batch(partial(_permutations, length), (pivots,), (1,))
        return np.zeros((*pivots.shape[:-1], length), np.int32) if permuted is None else permuted[0]

    return on_arrays


def _permutations(length: int, pivots: Array) -> tuple[Array]:
    return (permutation_of(pivots, length),)


def _register() -> None:
    for name, routine in ROUTINES.items():
        for letter, dtype in _DTYPES.items():
            if name not in (OF_REAL_NUMBERS if letter in "cz" else OF_COMPLEX_NUMBERS):
                register_custom_call(
                    f"lapack_{letter}{name}_ffi", partial(_lapack_call, routine, np.dtype(dtype))
                )
    for target, routine in ROUTINES_ELSEWHERE.items():
        register_custom_call(target, partial(_lapack_call, routine, None))
    register_custom_call("cu_lu_pivots_to_permutation", _pivots_to_permutation)


_register()
