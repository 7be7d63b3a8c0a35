"""Products that are summed up: each term carries the product of its two factors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from shlo.debugger.provenance.contributions import (
    Index,
    OpRun,
    Terms,
    positions_in,
    terms_of,
    terms_of_op,
)
from shlo.dialects.chlo.dialect import RaggedDotDimensionNumbers
from shlo.dialects.struct_attributes import ConvDimensionNumbers, DotDimensionNumbers
from shlo.interpreter.kernels.contraction.ragged_dot import (
    group_dimension_numbers,
    group_parts,
    ragged_places,
)
from shlo.interpreter.kernels.shapes import padding_of
from shlo.ir.dtypes import Array
from shlo.runner.statistics import wide


@terms_of_op
def dot_general(run: OpRun, result: int, index: Index) -> list[Terms]:
    """Products over the contracting dimensions."""
    numbers = run.view.require("dot_dimension_numbers", DotDimensionNumbers)
    lhs, rhs = (positions_in(array.shape) for array in run.arrays)
    return _products(run, *_factors(numbers, lhs, rhs, index))


def _factors(numbers: DotDimensionNumbers, lhs: Array, rhs: Array, index: Index) -> list[Array]:
    """Returns what two arrays hold where dot_general multiplies them for an index of its result."""
    batching = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
    contracting = numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions
    fixed: list[dict[int, int]] = []
    at = len(batching[0])
    for side in (0, 1):
        axes = dict(zip(batching[side], index))
        for axis in range((lhs, rhs)[side].ndim):
            if axis not in batching[side] and axis not in contracting[side]:
                axes[axis] = index[at]
                at += 1
        fixed.append(axes)
    return [_part(array, fixed[side], contracting[side]) for side, array in enumerate((lhs, rhs))]


@terms_of("chlo.ragged_dot")
def ragged_dot(run: OpRun, result: int, index: Index) -> list[Terms]:
    """Products within the group of this element, chosen by the sizes of the groups up to it."""
    numbers = run.view.require("ragged_dot_dimension_numbers", RaggedDotDimensionNumbers)
    dot_numbers = group_dimension_numbers(numbers)
    lhs, rhs, sizes = (positions_in(array.shape) for array in run.arrays)
    places = ragged_places(numbers, lhs.ndim)
    by_group = numbers.rhs_group_dimensions
    if not by_group and places.ragged[2] is not None:  # groups of a batch dimension change nothing
        return _products(run, *_factors(dot_numbers, lhs, rhs, index))
    grouped = np.moveaxis(rhs, by_group[0], 0) if by_group else rhs
    inner, rank = (index, rhs.ndim - 1) if by_group else (index[1:], rhs.ndim)
    left, right = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    chosen: list[Array] = []
    group_count = int(run.arrays[2].shape[-1])
    batches: list[Index] = list(product(*[range(size) for size in run.arrays[2].shape[:-1]]))
    outer_places = [axes[2] for axes in places.before]
    parts = group_parts(places, lhs.ndim, rank, len(inner), run.arrays[2])
    for number, (group, in_lhs, in_rhs, in_result) in enumerate(parts):
        outer = batches[number // group_count]
        is_outer = all(axis is None or inner[axis] == at for axis, at in zip(outer_places, outer))
        if is_outer and (by_group or group <= index[0]):
            chosen.append(np.atleast_1d(sizes[(*outer, group)]))
        at = [size - (part.start or 0) for size, part in zip(inner, in_result)]
        inside = all(
            start >= 0 and (part.stop is None or size < part.stop)
            for start, size, part in zip(at, inner, in_result)
        )
        if inside and (by_group or group == index[0]):
            groups = grouped[group] if by_group else grouped
            pair = _factors(dot_numbers, lhs[in_lhs], groups[in_rhs], tuple(at))
            left.append(pair[0])
            right.append(pair[1])
            if by_group:
                break
    factors = _products(run, np.concatenate(left), np.concatenate(right))
    return [*factors, Terms(2, np.unique(np.concatenate(chosen)) if chosen else left[0], "choice")]


@terms_of_op
def dot(run: OpRun, result: int, index: Index) -> list[Terms]:
    """Products of a row and a column."""
    lhs, rhs = run.arrays
    row = dict(enumerate(index[: lhs.ndim - 1]))
    column = {1: index[-1]} if rhs.ndim == 2 else {}
    return _products(
        run,
        _part(positions_in(lhs.shape), row, (lhs.ndim - 1,)),
        _part(positions_in(rhs.shape), column, (0,)),
    )


@terms_of("stablehlo.unary_einsum")
@terms_of_op
def einsum(run: OpRun, result: int, index: Index) -> list[Terms]:
    """Products over the letters that the result does not have."""
    inputs, _, output = run.view.word("einsum_config").replace(" ", "").partition("->")
    names = inputs.split(",")
    sizes = {
        letter: size for name, array in zip(names, run.arrays) for letter, size in zip(name, array.shape)
    }
    fixed = dict(zip(output, index))
    free = [letter for letter in sizes if letter not in fixed]
    grid = np.indices([sizes[letter] for letter in free]).reshape(len(free), -1)
    count = math.prod(sizes[letter] for letter in free)
    at: Mapping[str, int | Array] = {**fixed, **dict(zip(free, grid))}
    positions = [
        _ravel([at[letter] for letter in name], array.shape, count) for name, array in zip(names, run.arrays)
    ]
    return _products(run, *positions)


@terms_of_op
def convolution(run: OpRun, result: int, index: Index) -> list[Terms]:
    """Products of a window's elements and the kernel's. Kernel elements at a window's places outside of the
    operand count, too: they are multiplied by 0, which makes NaN of what is not finite.
    """
    op, (lhs, rhs) = run.view, run.arrays[:2]
    numbers = op.require("dimension_numbers", ConvDimensionNumbers)
    rank = len(numbers.input_spatial_dimensions)
    ones = (1,) * rank
    strides, lhs_dilation, rhs_dilation = (
        op.integers(name, ()) or ones for name in ("window_strides", "lhs_dilation", "rhs_dilation")
    )
    reversal = op.integers("window_reversal", ()) or (0,) * rank
    padding = run.arrays[2].tolist() if len(run.operands) > 2 else padding_of(op, rank)
    feature_groups, batch_groups = op.integer("feature_group_count", 1), op.integer("batch_group_count", 1)
    window = [rhs.shape[axis] for axis in numbers.kernel_spatial_dimensions]
    channels = rhs.shape[numbers.kernel_input_feature_dimension]
    grid = np.indices([channels, *window]).reshape(rank + 1, -1)
    feature = index[numbers.output_feature_dimension]
    features = rhs.shape[numbers.kernel_output_feature_dimension]
    batches = lhs.shape[numbers.input_batch_dimension] // batch_groups
    batch = index[numbers.output_batch_dimension] + feature // max(1, features // batch_groups) * batches
    group = feature // max(1, features // feature_groups)
    in_lhs: dict[int, int | Array] = {
        numbers.input_batch_dimension: batch,
        numbers.input_feature_dimension: grid[0] + group * channels,
    }
    in_rhs: dict[int, int | Array] = {
        numbers.kernel_input_feature_dimension: grid[0],
        numbers.kernel_output_feature_dimension: feature,
    }
    inside = np.ones(grid.shape[1], bool)
    for d in range(rank):
        coordinate = grid[d + 1]
        out = index[numbers.output_spatial_dimensions[d]]
        spread = out * strides[d] + coordinate * rhs_dilation[d] - padding[d][0]
        axis = numbers.input_spatial_dimensions[d]
        inside &= (spread >= 0) & (spread % lhs_dilation[d] == 0)
        inside &= spread // lhs_dilation[d] < lhs.shape[axis]
        in_lhs[axis] = spread // lhs_dilation[d]
        in_rhs[numbers.kernel_spatial_dimensions[d]] = (
            window[d] - 1 - coordinate if reversal[d] else coordinate
        )
    count = grid.shape[1]
    pairs = (
        _ravel([np.where(inside, in_lhs[axis], 0) for axis in range(lhs.ndim)], lhs.shape, count),
        _ravel([in_rhs[axis] for axis in range(rhs.ndim)], rhs.shape, count),
    )
    with np.errstate(all="ignore"):
        padded = np.where(inside, wide(lhs).reshape(-1)[pairs[0]] if lhs.size else 0.0, 0.0)
        amounts = padded * wide(rhs).reshape(-1)[pairs[1]]
    return [Terms(0, pairs[0][inside], "term", amounts[inside]), Terms(1, pairs[1], "term", amounts)]


def _part(array: Array, fixed: Mapping[int, int], contracting: Sequence[int]) -> Array:
    """Returns the elements at fixed indices, the contracting dimensions in their order."""
    rest = [axis for axis in range(array.ndim) if axis not in fixed]
    part = array[tuple(fixed.get(axis, slice(None)) for axis in range(array.ndim))]
    return part.transpose([rest.index(axis) for axis in contracting]).reshape(-1)


def _ravel(index: Sequence[int | Array], shape: Sequence[int], count: int) -> Array:
    if not shape:
        return np.zeros(count, np.int64)
    broadcast = [np.broadcast_to(np.asarray(axis_index), (count,)) for axis_index in index]
    return np.asarray(np.ravel_multi_index(broadcast, tuple(shape)))


def _products(run: OpRun, *positions: Array) -> list[Terms]:
    """Returns the factors at pairs of positions."""
    with np.errstate(all="ignore"):
        amounts = np.prod([wide(array).reshape(-1)[at] for array, at in zip(run.arrays, positions)], axis=0)
    return [Terms(operand, at, "term", amounts) for operand, at in enumerate(positions)]
