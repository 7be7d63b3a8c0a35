"""Sort, by keys if the comparator is understood, by merging whole arrays if it is not, and chlo.top_k.

All ways are stable, whether or not the operation asks for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import Body, KernelError, KernelFn, OpView, Value
from shlo.interpreter.kernels.elementwise.comparison import total_order_key
from shlo.interpreter.kernels.numeric import Kind, kind_of, wide_dtype
from shlo.interpreter.kernels.reduction.sort_keys import Key, keys_of
from shlo.interpreter.kernels.shapes import Sizes, as_results, by_shapes
from shlo.interpreter.registry import kernel
from shlo.ir.dtypes import Array, bit_width
from shlo.ir.types import Type, element_type_of

Permute = Callable[[Sequence[Array]], Array]
"""From tables of equal shape, a slice to sort in each row, to each row's positions in sorted order."""


@kernel("stablehlo.sort")
def sort(op: OpView) -> KernelFn:
    """Sorts slices of all operands together, n elements in O(n log n); specification: "sort"."""
    count = len(op.operand_types)
    comparator, axis = op.bodies[0], op.integer("dimension", -1) % op.tensor_type(0).rank
    keys = keys_of(comparator)

    def plan(*shapes: Sizes) -> KernelFn:
        if shapes[0][axis] < 2 or 0 in shapes[0] or keys == ():
            return lambda *operands: as_results(operands)
        if keys is None:
            permute = _merging(comparator) if comparator.is_vectorizable else _one_by_one(comparator)
            return _by_permutation(shapes[0], axis, permute)
        return _by_keys(shapes[0], axis, keys, count)

    return by_shapes(op, plan)


def _by_keys(shape: Sizes, axis: int, keys: tuple[Key, ...], count: int) -> KernelFn:
    def permute(tables: Sequence[Array]) -> Array:
        return order_of([key.codes(tables) for key in keys])

    evaluate = _by_permutation(shape, axis, permute)
    if count == 1 and len(keys) == 1 and keys[0].argument is not None:
        return _values_alone(axis, keys[0], evaluate)
    return evaluate


def _values_alone(axis: int, key: Key, otherwise: KernelFn) -> KernelFn:
    """Sorts elements that are their own keys; `otherwise` if equal ones may differ: zeros and NaNs."""
    turned = (*[slice(None)] * axis, slice(None, None, -1))

    def evaluate(x: Value) -> Value:
        if x.dtype.kind == "V" or (x.dtype.kind == "f" and _has_unlike_equals(x)):
            return otherwise(x)
        ordered = np.sort(x, axis=axis)
        return ordered[turned] if key.is_descending else ordered

    return evaluate


def _has_unlike_equals(x: Array) -> bool:
    """Returns whether there are NaNs or negative zeros among floats."""
    negative_zero = np.signbit(x) & (x == 0)
    return bool(negative_zero.any() or np.isnan(x).any())


def _by_permutation(shape: Sizes, axis: int, permute: Permute) -> KernelFn:
    """Sorts tables whose rows are the slices to sort, all operands by one permutation."""
    rank, size = len(shape), shape[axis]
    last = (*[other for other in range(rank) if other != axis], axis)
    back = tuple(last.index(other) for other in range(rank))
    transposed = tuple(shape[other] for other in last)
    firsts = np.arange(math.prod(shape) // size).reshape(-1, 1) * size

    def evaluate(*operands: Value) -> Value:
        tables = [operand.transpose(last).reshape(-1, size) for operand in operands]
        order = permute(tables)
        places = order if len(order) == 1 else order + firsts
        results = [table.reshape(-1).take(places).reshape(transposed).transpose(back) for table in tables]
        return tuple(results) if len(results) > 1 else results[0]

    return evaluate


def order_of(codes: Sequence[Array]) -> Array:
    """Returns the stable order of every row by integer keys, the most important one first. Keys and position
    are packed into one integer if they fit, since sorting those is many times faster than a stable sort."""
    packed = _packed(codes)
    if packed is None:
        return np.lexsort(tuple(reversed(codes)), axis=-1)
    packed.sort(axis=-1)
    mask = (1 << (codes[0].shape[-1] - 1).bit_length()) - 1
    return np.bitwise_and(packed, mask)


def _packed(codes: Sequence[Array]) -> Array | None:
    """Returns all keys and the position in one non-negative int64; None if they do not fit."""
    size = int(codes[0].shape[-1])
    lowest = [int(code.min()) for code in codes]
    widths = [(int(code.max()) - low).bit_length() for code, low in zip(codes, lowest)]
    if sum(widths) + (size - 1).bit_length() > 63:
        return None
    packed = np.zeros((1, 1), np.int64)
    for code, low, width in zip(codes, lowest, widths):
        packed = (packed << width) + _offset(code, low)
    return (packed << (size - 1).bit_length()) + np.arange(size)


def _offset(code: Array, low: int) -> Array:
    if code.dtype == np.uint64:
        return (code - np.uint64(low)).astype(np.int64)
    return code.astype(np.int64) - low


def _one_by_one(comparator: Body) -> Permute:
    """Sorts with a comparator that takes single elements only."""

    def permute(tables: Sequence[Array]) -> Array:
        order = np.empty(tables[0].shape, np.intp)
        for number, row in enumerate(zip(*tables)):
            items = [_Item(comparator, values) for values in zip(*row)]
            order[number] = sorted(range(len(items)), key=items.__getitem__)
        return order

    return permute


class _Item:
    """Elements at one position of all operands, ordered by a comparator."""

    __slots__ = ("comparator", "values")

    def __init__(self, comparator: Body, values: tuple[Value, ...]) -> None:
        self.comparator = comparator
        self.values = values

    def __lt__(self, other: _Item) -> bool:
        pairs = [value for pair in zip(self.values, other.values) for value in pair]
        return bool(self.comparator.on_scalars(*pairs)[0])


def _merging(comparator: Body) -> Permute:
    """Sorts all rows at once by merging: runs of 1, 2, 4, ... elements are merged in pairs."""

    def permute(tables: Sequence[Array]) -> Array:
        rows, size = len(tables[0]), int(tables[0].shape[1])
        flat = [np.ascontiguousarray(table).reshape(-1) for table in tables]

        def less(first: Array, second: Array) -> Array:
            pairs = [table.take(places) for table in flat for places in (first, second)]
            return comparator.on_arrays(*pairs)[0]

        order = np.arange(rows * size).reshape(rows, size)
        length = 1
        while length < size:
            order = _merged(order, length, less)
            length *= 2
        return order - np.arange(rows).reshape(-1, 1) * size

    return permute


def _merged(order: Array, length: int, less: Callable[[Array, Array], Array]) -> Array:
    """Merges neighbouring sorted runs of that length, in every row of `order`. The position of an element is
    its own in its run plus how many of the other run go before it, which a binary search finds for all
    elements at once: those less than one on the left, those not greater than one on the right."""
    size = int(order.shape[1])
    here = np.arange(size)
    start = here // (2 * length) * (2 * length)
    middle = np.minimum(start + length, size)
    is_right = here >= middle
    low = np.broadcast_to(np.where(is_right, start, middle), order.shape)
    high = np.broadcast_to(np.where(is_right, middle, np.minimum(start + 2 * length, size)), order.shape)
    for _ in range(length.bit_length()):
        searching = low < high
        probe = (low + high) >> 1
        other = np.take_along_axis(order, np.minimum(probe, size - 1), axis=1)
        before = less(np.where(is_right, order, other), np.where(is_right, other, order)) ^ is_right
        low = np.where(searching & before, probe + 1, low)
        high = np.where(searching & ~before, probe, high)
    # Places repeat where a comparator contradicts itself; their stable order is a permutation all the same.
    return np.take_along_axis(order, np.argsort(here - middle + low, axis=1, kind="stable"), axis=1)


_INDEX_BITS = 32


@kernel("chlo.top_k")
def top_k(op: OpView) -> KernelFn:
    """Returns the k greatest elements along the last dimension in descending order, and their indices. Of
    equal elements the first comes first. Floats are in total order: NaN is the greatest, -NaN the least."""
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


_BLOCK = 32
"""Elements of a row whose least one is looked at first."""
_LEAST_BLOCKS_PER_RESULT = 4
_MOST_CANDIDATES = 8
"""For each element that is looked for: with more, many are equal, and a sort is as quick."""


def _few_least(keys: Array, k: int) -> Array | None:
    """Returns what `_first` does, for a few keys of long rows; None where that is no quicker.

    The k-th least of the blocks' least keys bounds what is looked for: hardly any other key is as small.
    """
    size = int(keys.shape[-1])
    blocks = size // _BLOCK
    if not 0 < k * _LEAST_BLOCKS_PER_RESULT <= blocks or not keys.size:
        return None
    rows = keys.reshape(-1, size)
    least = rows[:, : blocks * _BLOCK].reshape(-1, blocks, _BLOCK).min(axis=2)
    bound = np.partition(least, k - 1, axis=1)[:, k - 1 : k]
    places = np.flatnonzero(rows <= bound)
    if places.size > _MOST_CANDIDATES * k * len(rows):
        return None
    row, column = np.divmod(places, size)
    order = np.lexsort((column, rows.reshape(-1)[places], row))
    starts = np.searchsorted(row, np.arange(len(rows)))
    chosen = order[starts[:, np.newaxis] + np.arange(k)]
    return column[chosen].reshape(*keys.shape[:-1], k)


def _first(keys: Array, k: int) -> Array:
    """Returns the indices of the k least keys along the last dimension, equal keys in their order."""
    if keys.dtype.itemsize == 8 or keys.dtype == np.uint32:
        return np.argsort(keys, axis=-1, kind="stable")[..., :k]
    few = _few_least(keys, k)
    if few is not None:
        return few
    # Key and index in one number: no two are equal, and a partial sort will do.
    numbers: Any = np.add(np.left_shift(keys.astype(np.int64), _INDEX_BITS), np.arange(int(keys.shape[-1])))
    if k < keys.shape[-1]:
        numbers = np.partition(numbers, k, axis=-1)[..., :k]
    numbers.sort(axis=-1)
    return np.bitwise_and(numbers, (1 << _INDEX_BITS) - 1)
