"""Operations on windows that slide over a tensor: reduce_window and select_and_scatter."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from shlo.interpreter.kernel_api import Body, KernelFn, OpView, Value
from shlo.interpreter.kernels.movement.views import pad_function, pad_parts
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.kernels.reduction.combiner import (
    Combine,
    accumulator_of,
    combine_of,
    combiner_of,
    reducing,
)
from shlo.interpreter.kernels.reduction.indexed_update import apply_of
from shlo.interpreter.kernels.reduction.window_reduce import (
    ReducedWindows,
    general_reduction,
    known_reduction,
    places_of,
    skipping_reduction,
    windows_of,
)
from shlo.interpreter.kernels.shapes import (
    Sizes,
    as_results,
    by_shapes,
    check_temporary,
    require,
    row_major_strides,
)
from shlo.interpreter.registry import kernel
from shlo.interpreter.semantics import PADDING_SKIPPED
from shlo.ir.dtypes import Array


@kernel("stablehlo.reduce_window")
def reduce_window(op: OpView) -> KernelFn:
    """Combines the elements of every window; specification: "reduce_window". Cost: at most the result's
    elements times those of a window."""
    count = len(op.operand_types) // 2
    windows = windows_of(op, op.tensor_type(0).rank)
    windows = replace(windows, skips_padding=op.departs(PADDING_SKIPPED))
    body = accumulator_of(op, count)

    def plan(*shapes: Sizes) -> KernelFn:
        return _reduction(op, windows, shapes[0], body)

    return by_shapes(op, plan, count)


def _reduction(op: OpView, windows: ReducedWindows, shape: Sizes, body: Body) -> KernelFn:
    result = windows.count(shape)
    if 0 in result:
        return _empty(op, result)
    combiner = combiner_of(body) if len(body.result_types) == 1 else None
    padded = _padding(windows, shape)
    if combiner is None or combiner.identity is None:
        general = skipping_reduction if windows.skips_padding else general_reduction
        return general(windows, padded, result, body)
    return reducing(combiner, lambda plain: known_reduction(windows, padded, shape, result, plain))


def _padding(windows: ReducedWindows, shape: Sizes) -> KernelFn:
    """Returns the function that pads an array of that shape with a value where windows find no element."""
    parts = pad_parts(shape, windows.low, windows.high, [step - 1 for step in windows.base_dilations])
    pad, padded = pad_function(shape, parts), parts[0]

    def evaluate(x: Value, value: Value) -> Value:
        check_temporary(padded, x.dtype)
        return pad(x, value)

    return evaluate


def _empty(op: OpView, shape: Sizes) -> KernelFn:
    """Returns a function that returns results without elements."""
    results = tuple(np.empty(shape, op.result_dtype(index)) for index in range(len(op.result_types)))
    return lambda *operands: as_results(results)


@kernel("stablehlo.select_and_scatter")
def select_and_scatter(op: OpView) -> KernelFn:
    """Adds source elements where their windows select an element; specification: "select_and_scatter".
    Padding is never selected; a window of nothing else selects nothing."""
    windows = windows_of(op, op.tensor_type(0).rank)
    select, scatter = op.bodies[0], accumulator_of(op, 1, 1)
    compared = {element_dtype(type_) for type_ in (*select.argument_types, op.operand_types[0])}
    require(len(compared) == 1, "expected a selecting region that takes the operand's elements")
    return by_shapes(op, partial(_selection, windows, select=select, scatter=scatter), 2)


def _selection(
    windows: ReducedWindows, shape: Sizes, source_shape: Sizes, select: Body, scatter: Body
) -> KernelFn:
    apply, dtype = apply_of(scatter), element_dtype(scatter.result_types[0])
    apart = all(stride >= size for stride, size in zip(windows.strides, windows.sizes))
    choose = _chooser(windows, shape, source_shape, combine_of(select)) if 0 not in source_shape else None

    def evaluate(x: Value, source: Value, initial: Value) -> Value:
        table = np.full(math.prod(shape), initial, dtype)
        if choose is not None and table.size:
            places, chosen = choose(x)
            updates = source.astype(dtype, copy=False)[chosen]
            apply([table], places[chosen], [updates], apart)
        return table.reshape(shape)

    return evaluate


def _chooser(
    windows: ReducedWindows, shape: Sizes, counts: Sizes, select: Combine
) -> Callable[[Array], tuple[Array, Array]]:
    """Returns the function that computes each window's selected position, and whether it has one."""
    padded = _padding(windows, shape)
    steps = row_major_strides(shape, 1)
    starts = [
        np.arange(count) * stride - low for count, stride, low in zip(counts, windows.strides, windows.low)
    ]
    base: Any = sum(np.ix_(*[start * step for start, step in zip(starts, steps)]), np.zeros((), np.intp))
    is_padded = any(windows.low) or any(windows.high)

    def choose(x: Array) -> tuple[Array, Array]:
        whole = padded(x, np.zeros((), x.dtype))
        best, offset = np.empty(counts, x.dtype), np.zeros(counts, np.intp)
        is_chosen = np.zeros(counts, np.bool_)
        for place, part in places_of(whole, windows, counts):
            stays = is_chosen & select(best, part)[0]
            if is_padded:
                inside = _inside(starts, place, shape)
                stays |= ~inside
                is_chosen |= inside
            else:
                is_chosen[...] = True
            best = np.where(stays, best, part)
            offset = np.where(stays, offset, sum(at * step for at, step in zip(place, steps)))
        return base + offset, is_chosen

    return choose


def _inside(starts: Sequence[Array], offset: Sizes, shape: Sizes) -> Array:
    """Returns for which windows this position is in the operand, not in the padding."""
    positions = [start + at for start, at in zip(starts, offset)]
    along = [(position >= 0) & (position < size) for position, size in zip(positions, shape)]
    rank = len(shape)
    inside = np.ones(tuple(len(column) for column in along), np.bool_)
    for axis, column in enumerate(along):
        inside &= column.reshape((-1,) + (1,) * (rank - 1 - axis))
    return inside
