"""reduce and cumulative sums of narrow floats (bf16, f16, floats of 8 bits and fewer), every combination
rounded.

The specification lets an implementation choose the tree in which the body is applied, so the tree shows in
the result. The one here is XLA's on CPU: along each reduced dimension windows of 32 elements (the first and
the last padded with neutral ones), each from its first element to its last one, rows first; then the results
of these in the same way, and the initial value before the last ones. Scans go by blocks of 16.

Cost: about 2 ns an element for bf16 and 5 for f16 and floats of 8 bits; 8 to 20 where a sum may leave their
range, and where windows of more than one dimension leave few results.
"""

from __future__ import annotations

import math

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, Value
from shlo.interpreter.kernels.reduction.combiner import Combiner
from shlo.interpreter.kernels.rounding import FEW_ELEMENTS, Step, rounding_step, widened_from
from shlo.interpreter.kernels.shapes import Sizes
from shlo.ir.dtypes import Array

WINDOW = 32
BLOCK = 16


def rounded_reduction(combiner: Combiner, shape: Sizes, dimensions: Sizes) -> KernelFn:
    """Returns the reduction of an array of that shape and an initial value that rounds every combination."""
    remaining = [axis for axis in range(len(shape)) if axis not in dimensions]
    order, rank = (*sorted(dimensions), *remaining), len(dimensions)
    result = tuple(shape[axis] for axis in remaining)

    def evaluate(x: Value, initial: Value) -> Value:
        x = x.astype(combiner.narrow, copy=False).transpose(order)
        start = np.broadcast_to(initial.astype(combiner.narrow, copy=False), result)
        if not x.size:
            return start
        while max(x.shape[:rank], default=0) > WINDOW:
            x = _in_windows(combiner, x, rank)
        pieces = x.reshape(-1, *result)
        return _from_first_to_last(combiner, np.concatenate([start[np.newaxis], pieces]))

    return evaluate


def _in_windows(combiner: Combiner, x: Array, rank: int) -> Array:
    """Returns the first dimensions reduced in windows: from [sizes, kept] to [counts, kept]."""
    sizes, rest = x.shape[:rank], x.shape[rank:]
    windows = [min(size, WINDOW) for size in sizes]
    counts = [-(-size // window) for size, window in zip(sizes, windows)]
    spare = [count * window - size for count, window, size in zip(counts, windows, sizes)]
    if any(spare):
        padded = np.full((*map(sum, zip(sizes, spare)), *rest), combiner.identity, x.dtype)
        padded[tuple(slice(more // 2, more // 2 + size) for more, size in zip(spare, sizes))] = x
        x = padded
    split = x.reshape(*(part for pair in zip(counts, windows) for part in pair), *rest)
    order = (*range(1, 2 * rank, 2), *range(0, 2 * rank, 2), *range(2 * rank, split.ndim))
    pieces = split.transpose(order).reshape(math.prod(windows), *counts, *rest)
    return _from_first_to_last(combiner, pieces)


def _from_first_to_last(combiner: Combiner, pieces: Array) -> Array:
    """Combines the slices along the first dimension (at least one) one after the other."""
    if math.prod(pieces.shape[1:]) <= FEW_ELEMENTS:
        rows = np.ascontiguousarray(np.moveaxis(pieces, 0, -1))
        return combiner.ufunc.accumulate(rows, axis=-1)[..., -1]
    wide = widened_from(_each_contiguous(pieces))
    step = rounding_step(combiner.ufunc, combiner.narrow, wide, len(wide))
    total = wide[0]
    for piece in wide[1:]:
        total = step(total, piece)
    return total.astype(combiner.narrow)


def _each_contiguous(pieces: Array) -> Array:
    """Returns the same array with every slice along the first dimension contiguous, in the order of the
    strides: a copy that jumps as little as it can."""
    order = (0, *sorted(range(1, pieces.ndim), key=lambda axis: -abs(pieces.strides[axis])))
    back = sorted(range(pieces.ndim), key=order.__getitem__)
    return np.ascontiguousarray(pieces.transpose(order)).transpose(back)


def rounded_scan(combiner: Combiner, x: Array, axis: int, is_reverse: bool) -> Array:
    """Returns combinations of all elements up to each along a dimension, from each on if `is_reverse`."""
    along_last = np.moveaxis(x.astype(combiner.narrow, copy=False), axis, -1)
    scan = _suffixes if is_reverse else _prefixes
    return np.moveaxis(scan(combiner, along_last), -1, axis)


def _prefixes(combiner: Combiner, x: Array) -> Array:
    size = x.shape[-1]
    if size <= BLOCK:
        return combiner.ufunc.accumulate(x, axis=-1)
    within = combiner.ufunc.accumulate(_blocks(combiner, x), axis=-1)
    before = _prefixes(combiner, within[..., -1])[..., :-1]
    within[..., 1:, :] = combiner.ufunc(within[..., 1:, :], before[..., np.newaxis])
    return within.reshape(*x.shape[:-1], -1)[..., :size]


def _suffixes(combiner: Combiner, x: Array) -> Array:
    size = x.shape[-1]
    if size <= BLOCK:
        return _short_suffixes(combiner, x)
    within = _short_suffixes(combiner, _blocks(combiner, x))
    behind = _suffixes(combiner, within[..., 0])[..., 1:]
    within[..., :-1, :] = combiner.ufunc(within[..., :-1, :], behind[..., np.newaxis])
    return within.reshape(*x.shape[:-1], -1)[..., :size]


def _short_suffixes(combiner: Combiner, x: Array) -> Array:
    """Returns the combination from each element on, in the order of the elements."""
    size, step = x.shape[-1], combiner.ufunc
    is_wide = x.size > FEW_ELEMENTS
    if is_wide:
        x = widened_from(x)
        step: Step = rounding_step(combiner.ufunc, combiner.narrow, x, size)
    result = np.array(x)
    for distance in range(1, size):
        result[..., : size - distance] = step(result[..., : size - distance], x[..., distance:])
    return result.astype(combiner.narrow, copy=False)


def _blocks(combiner: Combiner, x: Array) -> Array:
    """Returns the last dimension as [blocks, BLOCK], filled up with neutral elements."""
    size = x.shape[-1]
    count = -(-size // BLOCK)
    padded: Array = np.full((*x.shape[:-1], count * BLOCK), combiner.identity, x.dtype)
    padded[..., :size] = x
    return padded.reshape(*x.shape[:-1], count, BLOCK)
