"""Operations on windows that slide over a tensor: reduce_window and select_and_scatter.

A window is reduced one dimension after the other: the last one first, which keeps the order of its elements,
or where that does not matter the first one, which moves longer pieces of memory.
Along a dimension either the elements at equal places of all windows are combined at once or, in long
windows, stretches of 1, 2, 4, ... elements. Windows that reach back to the start of the tensor make a scan.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shlo.interpreter.kernel import Body, Evaluate, KernelError, Specialization, Value, kernel
from shlo.interpreter.kernels.combining import (
    Arrays,
    Combine,
    Combiner,
    body_of,
    combine_of,
    combiner_of,
    require_accumulators,
    spread,
)
from shlo.interpreter.kernels.data_movement import pad_plan
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.kernels.scattering import apply_of
from shlo.interpreter.kernels.shapes import (
    Sizes,
    by_shapes,
    require,
    require_length,
    require_one_shape,
    require_result,
    row_major_strides,
)
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array


@dataclass(frozen=True, slots=True)
class Windows:
    """How windows lie in a tensor: for every dimension the attributes of reduce_window."""

    sizes: Sizes
    strides: Sizes
    base_dilations: Sizes
    dilations: Sizes
    low: Sizes
    high: Sizes

    def count(self, padded: Sizes) -> Sizes:
        """How many windows there are in a padded tensor of this shape; "reduce_window" (C15)."""
        reaches = [(size - 1) * step + 1 for size, step in zip(self.sizes, self.dilations)]
        return tuple(
            0 if whole == 0 or reach > whole else (whole - reach) // stride + 1
            for whole, reach, stride in zip(padded, reaches, self.strides)
        )

    @property
    def is_plain(self) -> bool:
        """Whether windows are strided and dilated nowhere."""
        return all(step == 1 for step in (*self.strides, *self.base_dilations, *self.dilations))


def _windows(op: Specialization, rank: int) -> Windows:
    ones = (1,) * rank
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    sizes, strides, base, dilations = (op.integers(name, ones) for name in names)
    for name, values in zip(names, (sizes, strides, base, dilations)):
        require_length(values, rank, name)
        require(all(value > 0 for value in values), f"needs {name} above 0")
    low, high = _padding(op, rank)
    return Windows(sizes, strides, base, dilations, low, high)


def _padding(op: Specialization, rank: int) -> tuple[Sizes, Sizes]:
    padding = op.get("padding")
    if padding is None:
        return (0,) * rank, (0,) * rank
    if not isinstance(padding, DenseElementsAttr) or padding.array.shape != (rank, 2):
        raise KernelError(f"needs padding of shape [{rank}, 2]")
    pairs: list[list[int]] = padding.array.tolist()
    return tuple(low for low, _ in pairs), tuple(high for _, high in pairs)


@kernel("stablehlo.reduce_window")
def reduce_window(op: Specialization) -> Evaluate:
    """Combines the elements of every window; specification: "reduce_window"."""
    count = len(op.operand_types) // 2
    require(count > 0 and len(op.operand_types) == 2 * count, "needs as many initial values as inputs")
    op.integers("window_dimensions")
    windows = _windows(op, op.tensor_type(0).rank)
    body = body_of(op, 2 * count, count)
    require_accumulators(op, body, count)
    for index in range(count, 2 * count):
        require(op.tensor_type(index).rank == 0, "needs initial values of rank 0")

    def plan(*shapes: Sizes) -> Evaluate:
        require_one_shape(shapes)
        return _reduction(op, windows, shapes[0], body)

    return by_shapes(op, plan, count)


def _reduction(op: Specialization, windows: Windows, shape: Sizes, body: Body) -> Evaluate:
    combiner = combiner_of(body) if len(body.result_types) == 1 else None
    padded, padded_shape = pad_plan(
        shape, windows.low, windows.high, [step - 1 for step in windows.base_dilations]
    )
    result = windows.count(padded_shape)
    for index in range(len(body.result_types)):
        require_result(op, result, index)
    if combiner is None:
        return _general_reduction(windows, padded, result, body)
    by_windows = _known_reduction(windows, padded, result, combiner)
    axis = _scanned_axis(windows, shape)
    return by_windows if axis is None else _scan(combiner, axis, windows.low[axis] == 0, by_windows)


FEW_PLACES, FEW_WINDOWS = 16, 2**11
"""Up to such sizes floats are added in the order of their places, the initial value first, as XLA does: where
terms cancel, another order leaves another rest. Dimension by dimension takes half the time."""


def _in_order(combiner: Combiner, padded: Array, windows: Windows, result: Sizes, initial: Value) -> Array:
    parts = [part for _, part in _places(padded, windows, result)]
    reduced = parts.pop(0) if combiner.has_identity(initial) else initial
    for part in parts:
        reduced = combiner.ufunc(reduced, part)
    return reduced.astype(combiner.narrow, copy=False)


def _known_reduction(windows: Windows, padded: Evaluate, result: Sizes, combiner: Combiner) -> Evaluate:
    is_rounded = combiner.wide.kind in "fc" and combiner.ufunc in (np.add, np.multiply)
    is_small = math.prod(windows.sizes) <= FEW_PLACES and math.prod(result) <= FEW_WINDOWS

    def combine(left: Array, right: Array) -> Arrays:
        return (combiner.ufunc(left, right),)

    def evaluate(x: Value, initial: Value) -> Value:
        if 0 in result:
            return np.empty(result, combiner.narrow)
        initial = initial.astype(combiner.wide)
        inputs = (padded(x.astype(combiner.wide, copy=False), initial),)
        if is_rounded and is_small:
            return _in_order(combiner, inputs[0], windows, result, initial)
        (reduced,) = _reduced(inputs, windows, result, combine, in_any_order=True)
        if not combiner.has_identity(initial):
            reduced = combiner.ufunc(initial, reduced)
        return reduced.astype(combiner.narrow, copy=False)

    return evaluate


def _general_reduction(windows: Windows, padded: Evaluate, result: Sizes, body: Body) -> Evaluate:
    combine, dtypes = combine_of(body), [element_dtype(type_) for type_ in body.result_types]
    count = len(dtypes)

    def evaluate(*operands: Value) -> Value:
        converted = [operand.astype(dtype, copy=False) for operand, dtype in zip(operands, dtypes * 2)]
        results = spread(converted[count:], result)
        if 0 not in result:
            inputs = tuple(padded(x, initial) for x, initial in zip(converted[:count], converted[count:]))
            results = combine(*results, *_reduced(inputs, windows, result, combine))
        return results if count > 1 else results[0]

    return evaluate


def _reduced(
    arrays: Arrays, windows: Windows, result: Sizes, combine: Combine, in_any_order: bool = False
) -> Arrays:
    """The windows of padded arrays reduced; there is at least one window along every dimension."""
    for axis in range(len(result))[:: 1 if in_any_order else -1]:
        size, stride, dilation = windows.sizes[axis], windows.strides[axis], windows.dilations[axis]
        whole, count = arrays[0].shape[axis], result[axis]
        if size * count > 2 * size.bit_length() * whole:
            arrays = _by_doubling(arrays, axis, size, dilation, combine)
            arrays = _parts(arrays, axis, 0, count, stride)
        else:
            arrays = _by_places(arrays, axis, size, stride, dilation, count, combine)
    return arrays


def _by_places(
    arrays: Arrays, axis: int, size: int, stride: int, dilation: int, count: int, combine: Combine
) -> Arrays:
    reduced = _parts(arrays, axis, 0, count, stride)
    for place in range(1, size):
        reduced = combine(*reduced, *_parts(arrays, axis, place * dilation, count, stride))
    return reduced


def _by_doubling(arrays: Arrays, axis: int, size: int, dilation: int, combine: Combine) -> Arrays:
    """Windows of stride 1: stretches of 1, 2, 4, ... elements, those joined that `size` is the sum of."""
    whole = arrays[0].shape[axis]
    stretch, stretches = 1, arrays
    covered, reduced = 0, arrays
    while True:
        if size & stretch:
            length = whole - (covered + stretch - 1) * dilation
            behind = _parts(stretches, axis, covered * dilation, length)
            reduced = combine(*_parts(reduced, axis, 0, length), *behind) if covered else behind
            covered += stretch
        if covered == size:
            return reduced
        length = whole - (2 * stretch - 1) * dilation
        stretches = combine(
            *_parts(stretches, axis, 0, length), *_parts(stretches, axis, stretch * dilation, length)
        )
        stretch *= 2


def _parts(arrays: Arrays, axis: int, start: int, count: int, stride: int = 1) -> Arrays:
    index = (*[slice(None)] * axis, slice(start, start + (count - 1) * stride + 1, stride))
    return tuple(array[index] for array in arrays)


def _scanned_axis(windows: Windows, shape: Sizes) -> int | None:
    """The one dimension that has windows, where they reach from each element to the tensor's start or end."""
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


def _scan(combiner: Combiner, axis: int, is_reverse: bool, otherwise: Evaluate) -> Evaluate:
    """Running results along a dimension, where the initial value is the body's identity."""
    ufunc, wide = combiner.ufunc, combiner.wide
    index = (*[slice(None)] * axis, slice(None, None, -1 if is_reverse else 1))

    def evaluate(x: Value, initial: Value) -> Value:
        if x.size == 0 or not combiner.has_identity(initial.astype(wide)):
            return otherwise(x, initial)
        scanned = _running(ufunc, x[index], axis, _running_dtype(combiner, x.shape[axis]))
        return scanned[index].astype(combiner.narrow, copy=False)

    return evaluate


SHORT_SUM = 16
"""Elements up to which a running sum of narrow floats is rounded at every step, as the body says."""


def _running_dtype(combiner: Combiner, size: int) -> np.dtype[Any]:
    if combiner.ufunc is not np.add or combiner.wide != np.float32:
        return combiner.wide
    if size > LONG_SUM:
        return np.dtype(np.float64)
    return combiner.narrow if size <= SHORT_SUM else combiner.wide


LEAST_SLICE = 64
"""Elements from which on a slice is worth a NumPy call; NumPy's own running results jump from row to row."""


def _running(ufunc: np.ufunc, x: Array, axis: int, dtype: np.dtype[Any]) -> Array:
    if x.size < LEAST_SLICE * x.shape[axis] or axis == x.ndim - 1:
        return ufunc.accumulate(x, axis=axis, dtype=dtype)
    slices = np.moveaxis(x, axis, 0)
    results = np.empty(slices.shape, dtype)
    results[0] = slices[0]
    for place in range(1, len(slices)):
        ufunc(results[place - 1], slices[place], out=results[place])
    return np.moveaxis(results, 0, axis)


@kernel("stablehlo.select_and_scatter")
def select_and_scatter(op: Specialization) -> Evaluate:
    """Adds source elements where their windows select an element; specification: "select_and_scatter".

    Padding is never selected; a window of nothing else selects nothing.
    """
    windows = _windows(op, op.tensor_type(0).rank)
    select, scatter = body_of(op, 2, 1), body_of(op, 2, 1, 1)
    require_accumulators(op, scatter, 1)
    require(element_dtype(select.result_types[0]) == np.bool_, "needs a selecting region that gives an i1")
    compared = {element_dtype(type_) for type_ in (*select.argument_types, op.operand_types[0])}
    require(len(compared) == 1, "needs a selecting region that takes the operand's elements")

    def plan(shape: Sizes, source: Sizes) -> Evaluate:
        require_result(op, shape)
        padded = tuple(low + size + high for low, size, high in zip(windows.low, shape, windows.high))
        counts = windows.count(padded)
        require(source == counts, "needs a source of shape {}, not {}", counts, source)
        return _selection(windows, shape, source, select, scatter)

    return by_shapes(op, plan, 2)


def _selection(windows: Windows, shape: Sizes, source_shape: Sizes, select: Body, scatter: Body) -> Evaluate:
    combiner, apply = combiner_of(scatter), apply_of(scatter)
    narrow = element_dtype(scatter.result_types[0])
    wide = narrow if combiner is None else combiner.wide
    apart = all(stride >= size for stride, size in zip(windows.strides, windows.sizes))
    choose = _chooser(windows, shape, source_shape, combine_of(select))

    def evaluate(x: Value, source: Value, initial: Value) -> Value:
        table = np.full(math.prod(shape), initial, wide)
        if source.size and table.size:
            places, chosen = choose(x)
            updates = source.astype(wide, copy=False)[chosen]
            apply([table], places[chosen], [updates], apart)
        return table.reshape(shape).astype(narrow, copy=False)

    return evaluate


def _chooser(
    windows: Windows, shape: Sizes, counts: Sizes, select: Combine
) -> Callable[[Array], tuple[Array, Array]]:
    """The function that gives the position, row by row, of what each window selects, if it selects any."""
    padded, _ = pad_plan(shape, windows.low, windows.high, (0,) * len(shape))
    steps = row_major_strides(shape, 1)
    starts = [
        np.arange(count) * stride - low for count, stride, low in zip(counts, windows.strides, windows.low)
    ]
    base: Any = sum(np.ix_(*[start * step for start, step in zip(starts, steps)]), np.zeros((), np.intp))
    is_padded = any(windows.low) or any(windows.high)

    def choose(x: Array) -> tuple[Array, Array]:
        whole = padded(x, np.zeros((), x.dtype))
        best, offset = np.empty(counts, x.dtype), np.zeros(counts, np.intp)
        found = np.zeros(counts, np.bool_)
        for place, part in _places(whole, windows, counts):
            stays = found & select(best, part)[0]
            if is_padded:
                inside = _inside(starts, place, shape)
                stays |= ~inside
                found |= inside
            else:
                found[...] = True
            best = np.where(stays, best, part)
            offset = np.where(stays, offset, sum(at * step for at, step in zip(place, steps)))
        return base + offset, found

    return choose


def _places(whole: Array, windows: Windows, counts: Sizes) -> Iterator[tuple[Sizes, Array]]:
    """The places in a window in row-major order, and the elements of all windows there."""
    for place in np.ndindex(*windows.sizes):
        spans = zip(map(operator.mul, place, windows.dilations), counts, windows.strides)
        yield (
            place,
            whole[tuple(slice(at, at + (count - 1) * stride + 1, stride) for at, count, stride in spans)],
        )


def _inside(starts: Sequence[Array], place: Sizes, shape: Sizes) -> Array:
    """Of which windows this place lies in the operand, not in the padding."""
    positions = [start + at for start, at in zip(starts, place)]
    along = [(position >= 0) & (position < size) for position, size in zip(positions, shape)]
    rank = len(shape)
    inside = np.ones(tuple(len(column) for column in along), np.bool_)
    for axis, column in enumerate(along):
        inside &= column.reshape((-1,) + (1,) * (rank - 1 - axis))
    return inside
