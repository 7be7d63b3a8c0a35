"""Reductions along whole dimensions, map and scan.

NumPy's own reductions are slow on short rows, and for sums slower than its einsum. A product with ones would
be faster still; but BLAS runs it on several threads, and waiting for those on a busy machine takes a hundred
times as long.
"""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from shlo.interpreter.kernel_api import Body, KernelFn, OpView, UnaryFn, Value
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.kernels.reduction.blocks import BlockReduction, InRowOrder
from shlo.interpreter.kernels.reduction.combiner import (
    Arrays,
    Combiner,
    accumulator_of,
    combine_of,
    combiner_of,
    folded,
    reducing,
    spread,
)
from shlo.interpreter.kernels.shapes import Sizes, by_shapes, require
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.context import current_context
from shlo.interpreter.runtime.copies import copied_by_rows
from shlo.interpreter.runtime.threads import in_parts
from shlo.ir.dtypes import Array


@kernel("stablehlo.reduce")
def reduce(op: OpView) -> KernelFn:
    """Combines the elements along dimensions, and an initial value, in one pass; specification: "reduce"."""
    count = len(op.operand_types) // 2
    body, dimensions = accumulator_of(op, count), op.integers("dimensions")
    combiner = combiner_of(body) if count == 1 else None
    is_promoting = any(
        element_dtype(op.operand_types[index]) != op.result_dtype(index) for index in range(count)
    )
    if combiner is not None:
        return by_shapes(op, lambda *shapes: _by_combiner(combiner, shapes[0], dimensions), count)
    if count == 2 and not is_promoting and len(dimensions) == 1:
        return by_shapes(op, partial(_of_pairs, body, dimensions), count)
    return by_shapes(op, lambda *shapes: _by_tree(body, shapes[0], dimensions), count)


def _by_combiner(combiner: Combiner, shape: Sizes, dimensions: Sizes) -> KernelFn:
    if combiner.is_rounding:
        from shlo.interpreter.kernels.reduction.rounded_reduce import rounded_reduction

        return rounded_reduction(combiner, shape, dimensions)
    return reducing(combiner, lambda plain: reduction_by(plain, shape, dimensions))


def _of_pairs(body: Body, dimensions: Sizes, *shapes: Sizes) -> KernelFn:
    """Returns the reduction of two arrays along one dimension, which may be an argmax."""
    from shlo.interpreter.kernels.reduction.arg_reduce import argmin_argmax, is_largest

    by_tree, largest = _by_tree(body, shapes[0], dimensions), is_largest(body)
    if largest is None:
        return by_tree
    return argmin_argmax(body, largest, shapes[0], dimensions[0], by_tree)


def _by_tree(body: Body, shape: Sizes, dimensions: Sizes) -> KernelFn:
    combine, count = combine_of(body), len(body.result_types)
    dtypes = [element_dtype(type_) for type_ in body.result_types]
    remaining = [axis for axis in range(len(shape)) if axis not in dimensions]
    order, result = (*dimensions, *remaining), tuple(shape[axis] for axis in remaining)
    rows = (int(np.prod([shape[axis] for axis in dimensions], dtype=np.int64)), *result)

    def evaluate(*operands: Value) -> Value:
        converted = [operand.astype(dtype, copy=False) for operand, dtype in zip(operands, dtypes * 2)]
        results = spread(converted[count:], result)
        if rows[0] and 0 not in result:
            inputs: Arrays = tuple(x.transpose(order).reshape(rows) for x in converted[:count])
            results = spread(combine(*results, *folded(combine, inputs)), result)
        return results if count > 1 else results[0]

    return evaluate


@kernel("stablehlo.map")
def map_(op: OpView) -> KernelFn:
    """Applies a region to every element of the inputs; specification: "map"."""
    combine = combine_of(op.bodies[0])
    return lambda *arrays: spread(combine(*arrays), np.shape(arrays[0]))[0]


LEAST_ELEMENTS = 2048
"""Elements up to which a single NumPy call is fastest, whatever it does."""

LONGEST_EINSUM = 1 << 22
"""Elements up to which einsum, which has 64 running sums, is accurate enough; NumPy's sum adds in pairs."""

WIDEST_EINSUM = 128
"""Sizes of the dimensions behind up to which einsum is quicker than NumPy's sum."""

BLOCK = 1 << 18
"""Elements of a block: what a thread reduces at a time."""

LEAST_BLOCKED = 1 << 20
"""Elements from which on several threads reduce an array."""

LEAST_COLUMNS = 256
"""Columns that a thread reduces at least: a single one NumPy would add in pairs, not row by row."""

MOST_SHARES = 16
"""Parts of the columns at most."""

LONGEST_ROW = 64
"""Elements up to which a row is short: all rows are reduced column by column."""

LEAST_COLUMN = 1024
"""Elements from which on a column is worth a NumPy call."""


class MergedAxes(NamedTuple):
    """Adjacent reduced dimensions: the middle one of [before, size, behind]."""

    before: int
    size: int
    behind: int


def reduction_by(combiner: Combiner, shape: Sizes, dimensions: Sizes) -> KernelFn:
    """Returns a function of an array of that shape and an initial value that reduces dimensions."""
    merged = _merged_axes(shape, dimensions)
    result = tuple(size for axis, size in enumerate(shape) if axis not in dimensions)
    if merged is None or math.prod(merged) < LEAST_ELEMENTS:
        return _in_row_order(combiner, _by_numpy(combiner, dimensions))
    if merged.before == merged.behind == 1 and merged.size >= LEAST_BLOCKED and result == ():
        return _in_row_order(combiner, _by_blocks(combiner, merged.size))
    if _suits_einsum(combiner, merged):
        return _in_row_order(combiner, _by_einsum(combiner, merged, result))
    if merged.behind == 1 and merged.size <= LONGEST_ROW and merged.before >= LEAST_COLUMN:
        return _in_row_order(combiner, _by_columns(combiner, merged, result))
    by_numpy = _by_numpy(combiner, dimensions)
    if merged.before == 1 and merged.behind >= 2 * LEAST_COLUMNS and math.prod(merged) >= LEAST_BLOCKED:
        return _in_row_order(combiner, _of_columns(combiner, merged, result, by_numpy))
    return _in_row_order(combiner, by_numpy)


def _in_row_order(combiner: Combiner, function: KernelFn) -> KernelFn:
    """Returns a function that stores an array row by row first, if the order of the elements in memory would
    decide how results are rounded, or which of several NaN a result is."""
    if combiner.wide.kind not in "fc":
        return function
    if combiner.ufunc in (np.maximum, np.minimum):

        def evaluate_extreme(x: Value, initial: Value) -> Value:
            result = function(x, initial)
            if x.flags.c_contiguous or not np.isnan(result).any():
                return result
            return function(copied_by_rows(x), initial)

        return evaluate_extreme

    return InRowOrder(function)


def _merged_axes(shape: Sizes, dimensions: Sizes) -> MergedAxes | None:
    axes = sorted(axis for axis in dimensions if shape[axis] != 1)
    if (
        not axes
        or 0 in shape
        or any(shape[axis] != 1 and axis not in axes for axis in range(axes[0], axes[-1]))
    ):
        return None
    size = math.prod(shape[axis] for axis in axes)
    return MergedAxes(math.prod(shape[: axes[0]]), size, math.prod(shape[axes[-1] + 1 :]))


def _suits_einsum(combiner: Combiner, merged: MergedAxes) -> bool:
    if combiner.ufunc is not np.add or combiner.wide.char not in "fd":
        return False
    return merged.behind <= WIDEST_EINSUM and merged.size <= LONGEST_EINSUM


def _by_numpy(combiner: Combiner, dimensions: Sizes) -> KernelFn:
    reduced, wide, narrow = combiner.ufunc.reduce, combiner.wide, combiner.narrow
    axes = dimensions[0] if len(dimensions) == 1 else dimensions

    def evaluate(x: Value, initial: Value) -> Value:
        return reduced(x, axis=axes, dtype=wide, initial=initial)

    def evaluate_widened(x: Value, initial: Value) -> Value:
        return reduced(x.astype(wide), axis=axes, dtype=wide, initial=initial.astype(wide)).astype(narrow)

    return evaluate if wide == narrow else evaluate_widened


def _by_blocks(combiner: Combiner, size: int) -> KernelFn:
    """Returns the reduction of a whole array by blocks, which several threads share. How many there are does
    not change the blocks, so neither the result."""
    ufunc, wide, narrow = combiner.ufunc, combiner.wide, combiner.narrow
    is_sum = ufunc is np.add and wide.char in "fd"
    reduced: UnaryFn = partial(np.einsum, "a->") if is_sum else partial(ufunc.reduce, dtype=wide)

    def reduce_block(totals: Array, number: int, elements: Array) -> None:
        totals[number] = reduced(elements.astype(wide, copy=False))

    def finish(totals: Array, initial: Value) -> Value:
        return ufunc.reduce(totals, dtype=wide, initial=initial.astype(wide)).astype(narrow)

    return BlockReduction(size, BLOCK, lambda: np.empty(-(-size // BLOCK), wide), reduce_block, finish)


def _by_einsum(combiner: Combiner, merged: MergedAxes, result: Sizes) -> KernelFn:
    """Returns sums of rows, which several threads share. The bits of a row's sum depend on how many rows
    einsum gets, so that is the same for any number of threads."""
    wide, narrow = combiner.wide, combiner.narrow
    is_shared = math.prod(merged) >= LEAST_BLOCKED
    rows = max(1, BLOCK * merged.before // math.prod(merged)) if is_shared else merged.before

    def finish(totals: Array, initial: Value) -> Value:
        total = totals.reshape(result)
        if initial != 0:
            total = total + initial.astype(wide)
        return total.astype(narrow, copy=False)

    def evaluate(x: Value, initial: Value) -> Value:
        total = np.empty((merged.before, merged.behind), wide)
        np.einsum("abc->ac", x.astype(wide, copy=False).reshape(merged), out=total)
        return finish(total, initial)

    def reduce_block(totals: Array, number: int, elements: Array) -> None:
        parts = elements.astype(wide, copy=False).reshape((-1, *merged[1:]))
        offset = number * rows
        np.einsum("abc->ac", parts, out=totals[offset : offset + len(parts)])

    if not is_shared:
        return evaluate
    block = rows * merged.size * merged.behind
    return BlockReduction(
        math.prod(merged),
        block,
        lambda: np.empty((merged.before, merged.behind), wide),
        reduce_block,
        finish,
    )


def _by_columns(combiner: Combiner, merged: MergedAxes, result: Sizes) -> KernelFn:
    ufunc, wide, narrow = combiner.ufunc, combiner.wide, combiner.narrow
    rows = (merged.before, merged.size)

    def evaluate(x: Value, initial: Value) -> Value:
        columns = x.astype(wide, copy=False).reshape(rows).T
        total = ufunc(initial.astype(wide), columns[0])
        for column in columns[1:]:
            ufunc(total, column, out=total)
        return total.reshape(result).astype(narrow, copy=False)

    return evaluate


def _of_columns(combiner: Combiner, merged: MergedAxes, result: Sizes, by_numpy: KernelFn) -> KernelFn:
    """Returns the reduction of each column, row by row as NumPy goes, which several threads share."""
    reduced, wide, narrow = combiner.ufunc.reduce, combiner.wide, combiner.narrow

    def evaluate(x: Value, initial: Value) -> Value:
        threads = current_context().threads
        if threads == 1 or not x.flags.c_contiguous:
            return by_numpy(x, initial)
        rows, total = x.reshape(merged.size, merged.behind), np.empty(merged.behind, wide)
        first = initial.astype(wide)

        def part(start: int, end: int) -> None:
            columns = rows[:, start:end].astype(wide, copy=False)
            reduced(columns, axis=0, dtype=wide, initial=first, out=total[start:end])

        parts = min(threads, merged.behind // LEAST_COLUMNS, MOST_SHARES)
        in_parts(part, merged.behind, -(-merged.behind // parts), threads)
        return total.reshape(result).astype(narrow, copy=False)

    return evaluate


@kernel("chlo.scan")
def scan(op: OpView) -> KernelFn:
    """Applies the region to each slice of the inputs and the carried values. The region returns a slice of
    every output and the next carried values. Outputs are stacked; the last carried values are results too."""
    inputs = op.integers("operandSegmentSizes")[0]
    outputs = op.integers("resultSegmentSizes")[0]
    dimension, is_reverse = op.integer("dimension"), op.flag("is_reverse")
    require(inputs > 0, "expected an input to scan")
    body = op.bodies[0]

    def evaluate(*operands: Value) -> Value:
        slices = [np.moveaxis(np.asarray(operand), dimension, 0) for operand in operands[:inputs]]
        count = len(slices[0])
        stacked = [_empty(op, index, dimension, count) for index in range(outputs)]
        carried = tuple(operands[inputs:])
        for position in reversed(range(count)) if is_reverse else range(count):
            results = body.on_scalars(*[slice_[position] for slice_ in slices], *carried)
            for output, result in zip(stacked, results):
                output[position] = result
            carried = results[outputs:]
        results = (*[np.moveaxis(output, 0, dimension) for output in stacked], *carried)
        return results if len(results) != 1 else results[0]

    return evaluate


def _empty(op: OpView, index: int, dimension: int, count: int) -> Array:
    """Returns an array for the slices of an output, which the first dimension counts."""
    type_ = op.bodies[0].result_types[index]
    sizes = getattr(type_, "shape", ())
    require(None not in sizes, "expected a region whose results have known sizes, got {}", type_)
    return np.empty((count, *sizes), op.result_dtype(index))
