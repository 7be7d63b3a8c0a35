"""Combiners: bodies of reduce, scatter and similar operations as functions of arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.interpreter.kernel_api import Body, KernelError, KernelFn, OpView, Value
from shlo.interpreter.kernels.elementwise import float_minmax
from shlo.interpreter.kernels.elementwise.float_minmax import FloatMinMax
from shlo.interpreter.kernels.numeric import Kind, element_dtype, kind_of, wide_dtype
from shlo.interpreter.kernels.shapes import Sizes
from shlo.ir.dtypes import Array
from shlo.ir.types import quantized_type

Arrays = tuple[Array, ...]
Combine = Callable[..., Arrays]
"""Takes the arrays of the left-hand sides, then those of the right-hand sides; returns the combined ones."""

_MINMAX: dict[np.ufunc, FloatMinMax] = {
    np.maximum: float_minmax.maximum,
    np.minimum: float_minmax.minimum,
}


class Combiner(Struct, frozen=True):
    """Ufunc that does the same as a body on elements of `narrow`; narrow integers are combined in `wide`.

    `identity` is the value that changes nothing. `minmax` is the maximum or minimum of floats, if the ufunc
    may return either of two zeros (see `reducing`). A sum or product that `is_rounding` is one of narrow
    floats: each combination is rounded.
    """

    ufunc: np.ufunc
    wide: np.dtype[Any]
    narrow: np.dtype[Any]
    identity: Any
    minmax: FloatMinMax | None = None
    is_rounding: bool = False

    def has_identity(self, value: Value) -> bool:
        """Returns whether combining with this value changes nothing."""
        return bool(value == self.identity)

    @property
    def function(self) -> np.ufunc | FloatMinMax:
        """Returns the function of two arrays of `narrow`; its `at` combines updates into a table."""
        return self.minmax or self.ufunc


def _identity(ufunc: np.ufunc, dtype: np.dtype[Any], narrow: np.dtype[Any]) -> Any:
    if ufunc in (np.maximum, np.minimum):
        lowest = ufunc is np.maximum
        if dtype.kind == "f":
            return _extreme(narrow, lowest)
        return (np.iinfo(dtype).min if lowest else np.iinfo(dtype).max) if dtype.kind in "iu" else None
    return None if ufunc.identity is None else np.array(ufunc.identity).astype(dtype)


@cache
def _extreme(dtype: np.dtype[Any], lowest: bool) -> float:
    """Returns an infinity, or the lowest or largest number of a type that has none, as f8E4M3FN."""
    import ml_dtypes

    infinity = -math.inf if lowest else math.inf
    with np.errstate(all="ignore"):
        if np.isinf(np.asarray(infinity).astype(dtype)):
            return infinity
    limits: Any = cast("Any", ml_dtypes).finfo(dtype)
    return float(limits.min if lowest else limits.max)


def combiner_of(body: Body) -> Combiner | None:
    """Returns the ufunc equal to a body of two arguments, as `OpDef.reducer` says, or None."""
    signature = body.single_operation
    if signature is None or len(body.argument_types) != 2 or len(signature.operand_types) != 2:
        return None
    if quantized_type(body.result_types[0]) is not None:
        return None
    dtype = element_dtype(body.result_types[0])
    if element_dtype(body.argument_types[0]) != dtype:
        return None
    op_def = find_op_def(signature.name)
    if op_def is None or op_def.reducer is None:
        return None
    ufunc = getattr(np, op_def.reducer.on_booleans if dtype == np.bool_ else op_def.reducer.ufunc)
    wide, is_float = wide_dtype(dtype), kind_of(body.result_types[0]) is Kind.FLOAT
    minmax = _MINMAX.get(ufunc) if is_float else None
    is_rounding = is_float and minmax is None and wide != dtype
    return Combiner(ufunc, wide, dtype, _identity(ufunc, wide, dtype), minmax, is_rounding)


def reducing(combiner: Combiner, make: Callable[[Combiner], KernelFn]) -> KernelFn:
    """Returns what `make` returns for a combiner: a function of an array and an initial value. For maximum
    and minimum of floats, `make` also receives combiners of integers, so that zeros and NaN are correct."""
    minmax, dtype = combiner.minmax, combiner.narrow
    if minmax is None:
        return make(combiner)
    order = minmax.order(dtype)
    if order.is_narrow:
        key = order.encode(np.asarray(combiner.identity).astype(dtype))
        of_keys = make(Combiner(combiner.ufunc, order.keys, order.keys, key))

        def evaluate_keys(x: Value, initial: Value) -> Value:
            keys = order.encode(x.astype(dtype, copy=False))
            return order.decode(of_keys(keys, order.encode(initial.astype(dtype))))

        return evaluate_keys
    identity = np.asarray(combiner.identity, dtype).view(order.keys)
    of_numbers = make(replace(combiner, minmax=None))
    of_bits = make(Combiner(combiner.ufunc, order.keys, order.keys, identity))

    def evaluate(x: Value, initial: Value) -> Value:
        x, initial = x.astype(dtype, copy=False), initial.astype(dtype)
        return minmax.repaired(
            of_numbers(x, initial), lambda: of_bits(x.view(order.keys), initial.view(order.keys))
        )

    return evaluate


def accumulator_of(op: OpView, count: int, index: int = 0) -> Body:
    """Returns a region that combines elements of `count` results; raises KernelError for other types."""
    body = op.bodies[index]
    kinds = [element_dtype(type_) for type_ in (*body.argument_types, *body.result_types)]
    if kinds != 3 * [op.result_dtype(number) for number in range(count)]:
        raise KernelError("expected a region whose arguments and results have the types of the results")
    return body


def combine_of(body: Body) -> Combine:
    """Returns the body as a function of whole arrays of one shape, however it has to be evaluated."""
    return body.on_arrays if body.is_vectorizable else lambda *arrays: _one_by_one(body, arrays)


def _one_by_one(body: Body, arrays: Sequence[Array]) -> Arrays:
    shape = arrays[0].shape
    results = tuple(np.empty(shape, element_dtype(type_)) for type_ in body.result_types)
    for index in np.ndindex(shape):
        values = body.on_scalars(*[array[index] for array in arrays])
        for result, value in zip(results, values):
            result[index] = value
    return results


def folded(combine: Combine, arrays: Arrays) -> Arrays:
    """Combines the slices along the first dimension (at least one) in their order, as a balanced tree."""
    size = arrays[0].shape[0]
    last: Arrays | None = None
    while size > 1:
        if size % 2:
            odd = tuple(array[size - 1] for array in arrays)
            last = odd if last is None else combine(*odd, *last)
        size //= 2
        arrays = combine(
            *[array[: 2 * size : 2] for array in arrays], *[array[1 : 2 * size : 2] for array in arrays]
        )
    first = tuple(array[0] for array in arrays)
    return first if last is None else combine(*first, *last)


def spread(values: Sequence[Value], shape: Sizes) -> Arrays:
    """Returns every value repeated over a shape, as views."""
    return tuple(np.broadcast_to(value, shape) for value in values)
