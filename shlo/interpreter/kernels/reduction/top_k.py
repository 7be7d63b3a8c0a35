"""Kernel of chlo.top_k."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView
from shlo.interpreter.kernels.elementwise.comparison import total_order_key
from shlo.interpreter.kernels.numeric import Kind, kind_of, wide_dtype
from shlo.interpreter.registry import kernel
from shlo.ir.dtypes import Array, bit_width
from shlo.ir.types import Type, element_type_of

_INDEX_BITS = 32


@kernel("chlo.top_k")
def top_k(op: OpView) -> KernelFn:
    """Returns the k greatest elements along the last dimension in descending order, and their indices.

    Of equal elements the first comes first. Floats are in total order: NaN is the greatest, -NaN the least.
    """
    k, type_, index_dtype = op.integer("k"), op.tensor_type(0), op.result_dtype(1)
    if not type_.rank or kind_of(type_) is Kind.COMPLEX:
        raise KernelError(f"expected rows of integers or floats, got {type_}")

    def evaluate(x: Array) -> tuple[Any, Any]:
        indices = _first(_falling(x, type_), k)
        return np.take_along_axis(x, indices, axis=-1), indices.astype(index_dtype)

    return evaluate


def _falling(x: Array, type_: Type) -> Array:
    """Returns integers that rise as the elements fall."""
    kind = kind_of(type_)
    if kind is Kind.FLOAT:
        return ~total_order_key(x, bit_width(element_type_of(type_)), not x.dtype.name.endswith("fnuz"))
    return ~x.astype(wide_dtype(x.dtype), copy=False)


def _first(keys: Array, k: int) -> Array:
    """Returns the indices of the k least keys along the last dimension, equal keys in their order."""
    if keys.dtype.itemsize == 8 or keys.dtype == np.uint32:
        return np.argsort(keys, axis=-1, kind="stable")[..., :k]
    # Key and index in one number: no two are equal, and a partial sort will do.
    numbers: Any = np.add(np.left_shift(keys.astype(np.int64), _INDEX_BITS), np.arange(int(keys.shape[-1])))
    if k < keys.shape[-1]:
        numbers = np.partition(numbers, k, axis=-1)[..., :k]
    numbers.sort(axis=-1)
    return np.bitwise_and(numbers, (1 << _INDEX_BITS) - 1)
