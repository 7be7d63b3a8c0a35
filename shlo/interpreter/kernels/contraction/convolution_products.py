"""Sums of products of windows and weights: a matrix product per group, or a multiplication per shift."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product as index_space
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernels.contraction.convolution_axes import (
    Axes,
    Axis,
    Convolution,
    Sizes,
    kernel_view,
    numbered,
    pick,
)
from shlo.interpreter.kernels.contraction.products import product_in
from shlo.ir.dtypes import Array

Multiply = Callable[[Array, Array, int], Array]
"""Sums of products of a padded lhs, from a byte offset on, and rhs."""

_SMALL_IMAGE = 48
"""With fewer output positions than this, one product over all images beats one product per image."""
_PATCH_ELEMENTS = 2**23
"""Windows of about so many elements are laid out at a time."""


class _Form(Struct, frozen=True):
    """Form of the matrix of windows. rows: (g, n p, k c) x (g, k c, o). columns: the same, but laid out in
    memory the other way round. stacks: (g, o, c k) x (n, g, c k, p). Each index of the axes `images` has a
    matrix of its own; `rows` and `terms` are the axes of its dimensions."""

    kind: str
    images: Axes
    rows: Axes
    terms: Axes


# --- one product of matrices per group ---------------------------------------------------------------------


def by_matrices(
    conv: Convolution, axes: dict[str, Axis], rhs: Sizes, working: np.dtype[Any]
) -> tuple[Multiply, Axes]:
    """Returns the function from padded lhs and rhs to sums, and the order of the sums' axes."""
    form = _form(conv, {name: axis.size for name, axis in axes.items()})
    order = ("n", "g", "o", *form.rows) if form.kind == "stacks" else ("g", *form.rows, "o")
    return _matrices(conv, axes, rhs, working, form), order


def _matrices(
    conv: Convolution, axes: dict[str, Axis], rhs: Sizes, working: np.dtype[Any], form: _Form
) -> Multiply:
    sizes = {name: axis.size for name, axis in axes.items()}
    rows, terms = math.prod(pick(sizes, form.rows)), math.prod(pick(sizes, form.terms))
    split = next((axis for axis in (*form.images, *form.rows) if sizes[axis] > 1), None)
    elements = math.prod(pick(sizes, (*form.images, "g"))) * rows * terms
    if elements > _PATCH_ELEMENTS and split is not None:
        step = max(1, _PATCH_ELEMENTS * sizes[split] // elements)
        return _in_pieces(conv, axes, rhs, working, form, split, step)
    groups = () if sizes["g"] == 1 else (sizes["g"],)
    columns = sizes["o"]
    stacked = bool(groups or form.images)
    if form.kind == "stacks":
        product = product_in(working, (columns, terms, rows), stacked=stacked)
        patches = _laid_out(
            axes, ("n", "g", *form.terms, *form.rows), (sizes["n"], *groups, terms, rows), working
        )
        weights = kernel_view(conv, sizes, rhs, ("g", "o", *form.terms), (*groups, columns, terms))
        return lambda a, b, offset: product(weights(b), patches(a, offset))
    product = product_in(working, (rows, terms, columns), stacked=stacked)
    weights = kernel_view(conv, sizes, rhs, ("g", *form.terms, "o"), (*groups, terms, columns))
    if form.kind == "columns":
        patches = _laid_out(axes, ("g", *form.terms, *form.rows), (*groups, terms, rows), working)
        return lambda a, b, offset: product(patches(a, offset).swapaxes(-1, -2), weights(b))
    patches = _laid_out(axes, ("g", *form.rows, *form.terms), (*groups, rows, terms), working)
    return lambda a, b, offset: product(patches(a, offset), weights(b))


def _in_pieces(
    conv: Convolution,
    axes: dict[str, Axis],
    rhs: Sizes,
    working: np.dtype[Any],
    form: _Form,
    split: str,
    step: int,
) -> Multiply:
    """Returns the function of `by_matrices`, which lays out `step` of an outermost axis at a time."""
    whole = axes[split]
    starts = range(0, whole.size, step)
    ends = [min(start + step, whole.size) for start in starts]
    plans = {
        size: _matrices(conv, axes | {split: Axis(size, whole.stride)}, rhs, working, form)
        for size in {end - start for start, end in zip(starts, ends)}
    }
    offsets = [
        (start * whole.stride * working.itemsize, plans[end - start]) for start, end in zip(starts, ends)
    ]
    along = -2 if form.kind != "stacks" else (0 if split == "n" else -1)

    def multiply(array: Array, weights: Array, offset: int) -> Array:
        return np.concatenate([plan(array, weights, offset + more) for more, plan in offsets], along)

    return multiply


def _form(conv: Convolution, sizes: dict[str, int]) -> _Form:
    """Returns the form whose layout in memory is nearest to that of lhs."""
    positions, window = numbered("p", conv), numbered("k", conv)
    last = conv.rank - 1
    if conv.numbers.input_feature_dimension == last:
        return _Form("rows", (), ("n", *positions), (*window, "c"))
    if conv.numbers.input_batch_dimension == last:
        return _Form("columns", (), (*positions, "n"), ("c", *window))
    innermost = conv.numbers.input_spatial_dimensions.index(last)
    if sizes[f"k{innermost}"] > sizes[f"p{innermost}"]:
        return _Form("rows", (), ("n", *positions), ("c", *window))
    if sizes["n"] == 1 or math.prod(pick(sizes, positions)) >= _SMALL_IMAGE:
        return _Form("stacks", ("n",), positions, ("c", *window))
    return _Form("columns", (), ("n", *positions), ("c", *window))


def _laid_out(
    axes: dict[str, Axis], order: Axes, shape: Sizes, working: np.dtype[Any]
) -> Callable[[Array, int], Array]:
    """Returns the windows of a contiguous array, from a byte offset on; a copy if they overlap."""
    sizes = tuple(axes[name].size for name in order)
    strides = tuple(axes[name].stride * working.itemsize for name in order)
    return lambda array, offset: np.ndarray(sizes, working, array, offset, strides).reshape(shape)


# --- one multiplication per position in the window ---------------------------------------------------------


def by_shifts(
    conv: Convolution, axes: dict[str, Axis], rhs: Sizes, working: np.dtype[Any]
) -> tuple[Multiply, Axes]:
    """Returns `by_matrices` for groups of one input feature (depthwise): sums of weighted, shifted images."""
    sizes, window = {name: axis.size for name, axis in axes.items()}, numbered("k", conv)
    positions = numbered("p", conv)
    by_feature = conv.numbers.input_feature_dimension == conv.rank - 1
    order = ("n", *positions, "g", "o") if by_feature else ("n", "g", "o", *positions)
    shape = tuple(1 if axis == "o" else sizes[axis] for axis in order)
    strides = tuple(axes[axis].stride * working.itemsize for axis in order)
    offsets = [
        working.itemsize * sum(i * axes[k].stride for i, k in zip(index, window))
        for index in index_space(*(range(sizes[k]) for k in window))
    ]
    broadcast = tuple(sizes[axis] if axis in "go" else 1 for axis in order)
    weights = kernel_view(conv, sizes, rhs, (*window, "g", "o", "c"), (len(offsets), *broadcast))
    total_shape = pick(sizes, order)

    def multiply(array: Array, kernel_array: Array, start: int) -> Array:
        total, scratch = np.zeros(total_shape, working), np.empty(total_shape, working)
        if total.size:
            for offset, weight in zip(offsets, weights(kernel_array)):
                shifted = np.ndarray(shape, working, array, start + offset, strides)
                total += np.multiply(shifted, weight, scratch)
        return total

    return multiply, order
