"""Combination of the elements of every window of a padded tensor.

A window is reduced one dimension after the other: the last one first, which keeps the order of its elements,
or if that does not matter the first one, which moves longer pieces of memory. Along a dimension either the
elements at equal positions of all windows are combined at once or, in long windows, runs of 1, 2, 4, ...
elements. Windows that reach back to the start of the tensor make a scan.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernel_api import Body, KernelFn, OpView, Value
from shlo.interpreter.kernels.numeric import element_dtype, where
from shlo.interpreter.kernels.reduction.combiner import Arrays, Combine, Combiner, combine_of, spread
from shlo.interpreter.kernels.reduction.rounded_reduce import rounded_scan
from shlo.interpreter.kernels.rounding import FEW_ELEMENTS, Step, rounding_step, widened_from
from shlo.interpreter.kernels.shapes import Sizes, padding_of
from shlo.ir.dtypes import Array


def known_reduction(
    windows: ReducedWindows, padded: KernelFn, shape: Sizes, result: Sizes, combiner: Combiner
) -> KernelFn:
    """Returns the reduction of windows by a combiner, a scan if they reach to the tensor's start or end."""
    by_windows = _reduction_by_windows(windows, padded, result, combiner)
    axis = _scanned_axis(windows, shape)
    return by_windows if axis is None else _scan(combiner, axis, windows.low[axis] == 0, by_windows)


FEW_PLACES, FEW_WINDOWS = 16, 2**11
"""Up to such sizes floats are added in the order of their positions, the initial value first, as XLA does:
where terms cancel, another order leaves another remainder. Dimension by dimension takes half the time."""
FEW_ROUNDED_PLACES = 64
"""The same for narrow floats, whose every sum is rounded."""


def _in_order(
    step: Step, padded: Array, windows: ReducedWindows, result: Sizes, initial: Value | None
) -> Array:
    parts = [part for _, part in places_of(padded, windows, result)]
    reduced = parts.pop(0) if initial is None else initial
    for part in parts:
        reduced = step(reduced, part)
    return reduced


def _reduction_by_windows(
    windows: ReducedWindows, padded: KernelFn, result: Sizes, combiner: Combiner
) -> KernelFn:
    places, count = math.prod(windows.sizes), math.prod(result)
    if combiner.is_rounding:
        is_in_order = places <= FEW_ROUNDED_PLACES
    else:
        is_sum = combiner.wide.kind in "fc" and combiner.ufunc in (np.add, np.multiply)
        is_in_order = is_sum and places <= FEW_PLACES and count <= FEW_WINDOWS

    def combined(step: Step, whole: Array) -> Array:
        def combine(left: Array, right: Array) -> Arrays:
            return (step(left, right),)

        return _reduced((whole,), windows, result, combine, in_any_order=True)[0]

    def evaluate(x: Value, initial: Value) -> Value:
        is_narrow = combiner.is_rounding and count <= FEW_ELEMENTS
        held = combiner.narrow if is_narrow else combiner.wide
        first = initial.astype(held)
        outside = np.array(combiner.identity, held) if windows.skips_padding else first
        whole = padded(_held(combiner, x, held), outside)
        step = _step(combiner, whole, places)
        start = None if combiner.has_identity(first) else first
        if is_in_order:
            reduced = _in_order(step, whole, windows, result, start)
        else:
            reduced = combined(step, whole)
            reduced = reduced if start is None else step(start, reduced)
        return reduced.astype(combiner.narrow, copy=False)

    return evaluate


def _held(combiner: Combiner, x: Value, dtype: np.dtype[Any]) -> Array:
    if combiner.is_rounding and dtype != x.dtype:
        return widened_from(x)
    return x.astype(dtype, copy=False)


def _step(combiner: Combiner, whole: Array, places: int) -> Step:
    """Returns the function that combines two arrays that hold elements of `whole`."""
    if combiner.is_rounding and whole.dtype != combiner.narrow:
        return rounding_step(combiner.ufunc, combiner.narrow, whole, places + 1)
    return combiner.ufunc


def general_reduction(windows: ReducedWindows, padded: KernelFn, result: Sizes, body: Body) -> KernelFn:
    """Returns the reduction of windows by any body, from inputs and initial values."""
    combine, dtypes = combine_of(body), [element_dtype(type_) for type_ in body.result_types]
    count = len(dtypes)

    def evaluate(*operands: Value) -> Value:
        converted = [operand.astype(dtype, copy=False) for operand, dtype in zip(operands, dtypes * 2)]
        inputs = tuple(padded(x, initial) for x, initial in zip(converted[:count], converted[count:]))
        results = combine(*spread(converted[count:], result), *_reduced(inputs, windows, result, combine))
        return results if count > 1 else results[0]

    return evaluate


def skipping_reduction(windows: ReducedWindows, padded: KernelFn, result: Sizes, body: Body) -> KernelFn:
    """Returns the reduction by any body that skips positions outside of the tensor. The initial value is
    first, then the positions of each window in row-major order."""
    combine, dtypes = combine_of(body), [element_dtype(type_) for type_ in body.result_types]
    count = len(dtypes)

    def evaluate(*operands: Value) -> Value:
        converted = [operand.astype(dtype, copy=False) for operand, dtype in zip(operands, dtypes * 2)]
        is_there = padded(np.ones(np.shape(operands[0]), np.bool_), np.False_)
        whole = [padded(x, np.zeros((), x.dtype)) for x in converted[:count]]
        results = spread(converted[count:], result)
        for parts in zip(*(places_of(array, windows, result) for array in (is_there, *whole))):
            inside, *elements = (part for _, part in parts)
            combined = combine(*results, *elements)
            results = tuple(where(inside, new, old) for new, old in zip(combined, results))
        return results if count > 1 else results[0]

    return evaluate


def _reduced(
    arrays: Arrays, windows: ReducedWindows, result: Sizes, combine: Combine, in_any_order: bool = False
) -> Arrays:
    """Returns the windows of padded arrays reduced; there is at least one window along every dimension."""
    for axis in range(len(result))[:: 1 if in_any_order else -1]:
        size, stride, dilation = windows.sizes[axis], windows.strides[axis], windows.dilations[axis]
        whole, count = arrays[0].shape[axis], result[axis]
        if size * count > 2 * size.bit_length() * whole:
            arrays = _by_doubling(arrays, axis, size, dilation, combine)
            arrays = _parts(arrays, axis, 0, count, stride)
        else:
            reduced = _parts(arrays, axis, 0, count, stride)
            for offset in range(1, size):
                reduced = combine(*reduced, *_parts(arrays, axis, offset * dilation, count, stride))
            arrays = reduced
    return arrays


def _by_doubling(arrays: Arrays, axis: int, size: int, dilation: int, combine: Combine) -> Arrays:
    """Reduces windows of stride 1: runs of 1, 2, 4, ... elements, those joined that `size` is the sum of."""
    whole = arrays[0].shape[axis]
    step, runs = 1, arrays
    covered, reduced = 0, arrays
    while True:
        if size & step:
            length = whole - (covered + step - 1) * dilation
            behind = _parts(runs, axis, covered * dilation, length)
            reduced = combine(*_parts(reduced, axis, 0, length), *behind) if covered else behind
            covered += step
        if covered == size:
            return reduced
        length = whole - (2 * step - 1) * dilation
        runs = combine(*_parts(runs, axis, 0, length), *_parts(runs, axis, step * dilation, length))
        step *= 2


def _parts(arrays: Arrays, axis: int, start: int, count: int, stride: int = 1) -> Arrays:
    index = (*[slice(None)] * axis, slice(start, start + (count - 1) * stride + 1, stride))
    return tuple(array[index] for array in arrays)


def _scanned_axis(windows: ReducedWindows, shape: Sizes) -> int | None:
    """Returns the only dimension with windows if they reach from each element to the start or end."""
    axes = [axis for axis, size in enumerate(windows.sizes) if size > 1]
    if not windows.is_plain or len(axes) != 1:
        return None
    (axis,) = axes
    size = windows.sizes[axis]
    still = all(pair == (0, 0) for other, pair in enumerate(zip(windows.low, windows.high)) if other != axis)
    reaches = {windows.low[axis], windows.high[axis]} == {0, size - 1} and size >= shape[axis]
    return axis if still and reaches else None


LONG_SUM = 128
"""Elements from which on a running sum of float32 is kept in float64, since its error grows with each."""


def _scan(combiner: Combiner, axis: int, is_reverse: bool, otherwise: KernelFn) -> KernelFn:
    """Returns running results along a dimension, if the initial value is the body's identity."""
    ufunc, wide = combiner.ufunc, combiner.wide
    index = (*[slice(None)] * axis, slice(None, None, -1 if is_reverse else 1))

    def evaluate(x: Value, initial: Value) -> Value:
        if x.size == 0 or not combiner.has_identity(initial.astype(wide)):
            return otherwise(x, initial)
        if combiner.is_rounding:
            return rounded_scan(combiner, x, axis, is_reverse)
        is_long_sum = ufunc is np.add and wide == np.float32 and x.shape[axis] > LONG_SUM
        scanned = _running(ufunc, x[index], axis, np.dtype(np.float64) if is_long_sum else wide)
        return scanned[index].astype(combiner.narrow, copy=False)

    return evaluate


LEAST_SLICE = 64
"""Elements from which on a slice is worth a NumPy call; NumPy's own running results jump from row to row."""


def _running(ufunc: np.ufunc, x: Array, axis: int, dtype: np.dtype[Any]) -> Array:
    if x.size < LEAST_SLICE * x.shape[axis] or axis == x.ndim - 1:
        return ufunc.accumulate(x, axis=axis, dtype=dtype)
    slices = np.moveaxis(x, axis, 0)
    results = np.empty(slices.shape, dtype)
    results[0] = slices[0]
    for offset in range(1, len(slices)):
        ufunc(results[offset - 1], slices[offset], out=results[offset])
    return np.moveaxis(results, 0, axis)


class ReducedWindows(Struct, frozen=True):
    """Layout of windows in a tensor: for every dimension the attributes of reduce_window. Positions outside
    of the tensor hold the initial value, unless `skips_padding`: they are skipped then."""

    sizes: Sizes
    strides: Sizes
    base_dilations: Sizes
    dilations: Sizes
    low: Sizes
    high: Sizes
    skips_padding: bool = False

    def count(self, shape: Sizes) -> Sizes:
        """Returns the number of windows along each dimension of a tensor of this shape. That is 0 if padding
        cuts off more than it has; specification: "reduce_window" (C15)."""
        dilated = [size and (size - 1) * step + 1 for size, step in zip(shape, self.base_dilations)]
        padded = [low + size + high for low, size, high in zip(self.low, dilated, self.high)]
        reaches = [(size - 1) * step + 1 for size, step in zip(self.sizes, self.dilations)]
        return tuple(
            0 if reach > whole else (whole - reach) // stride + 1
            for whole, reach, stride in zip(padded, reaches, self.strides)
        )

    @property
    def is_plain(self) -> bool:
        """Whether windows are strided and dilated nowhere."""
        return all(step == 1 for step in (*self.strides, *self.base_dilations, *self.dilations))


def windows_of(op: OpView, rank: int) -> ReducedWindows:
    """Returns how windows lie in the operand of a windowed operation."""
    ones = (1,) * rank
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    sizes, strides, base, dilations = (op.integers(name, ()) or ones for name in names)
    padding = padding_of(op, rank)
    low, high = tuple(pair[0] for pair in padding), tuple(pair[1] for pair in padding)
    return ReducedWindows(sizes, strides, base, dilations, low, high)


def places_of(whole: Array, windows: ReducedWindows, counts: Sizes) -> Iterator[tuple[Sizes, Array]]:
    """Yields the positions in a window in row-major order, and the elements of all windows there."""
    for offset in np.ndindex(*windows.sizes):
        spans = zip(map(operator.mul, offset, windows.dilations), counts, windows.strides)
        yield (
            offset,
            whole[tuple(slice(at, at + (count - 1) * stride + 1, stride) for at, count, stride in spans)],
        )
