"""Convolutions of any rank: windows of lhs are laid out as a matrix (im2col) and multiplied with rhs.

Everything that depends on sizes is planned once. The axes of the plan have names: `g` group, `n` batch
within a group, `c` input feature within a group, `o` output feature within a group, `p0`.. output position,
`k0`.. position in the window. A view of the padded lhs with all of them but `o` is a matter of strides;
laying it out in memory as a matrix is the only copy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product as index_space
from typing import Any, NamedTuple

import numpy as np

from shlo.dialects.stablehlo.attributes import ConvDimensionNumbers
from shlo.interpreter.kernel import Evaluate, KernelError, Specialization, kernel
from shlo.interpreter.kernels.products import check_shape, finish_for, product_in, working_dtype
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.types import Shape, Type

Sizes = tuple[int, ...]
Axes = tuple[str, ...]
Padding = tuple[tuple[int, int], ...]
Unary = Callable[[Array], Array]
Binary = Callable[[Array, Array], Array]
Multiply = Callable[[Array, Array, int], Array]
"""Sums of products of a padded lhs, from a byte offset on, and rhs."""

_SMALL_IMAGE = 48
"""With fewer output positions than this, one product over all images beats one product per image."""
_MANY_SHIFTS = 64
"""Windows of more positions than this are not worth one multiplication each."""
_PATCH_ELEMENTS = 2**23
"""Windows of about so many elements are laid out at a time."""


@dataclass(frozen=True, slots=True)
class _Convolution:
    """The attributes and element types of a convolution."""

    numbers: ConvDimensionNumbers
    strides: Sizes
    lhs_dilation: Sizes
    rhs_dilation: Sizes
    reversal: Sizes
    feature_groups: int
    batch_groups: int
    elements: tuple[Type, Type, Type]
    declared: Shape


class _Axis(NamedTuple):
    """An axis of the view of the padded lhs; the stride counts elements."""

    size: int
    stride: int


class _Form(NamedTuple):
    """How windows become a matrix.

    rows: (g, n p, k c) x (g, k c, o). columns: the same, but laid out in memory the other way round.
    stacks: (g, o, c k) x (n, g, c k, p). Each index of the axes `images` has a matrix of its own; `rows` and
    `terms` are the axes that make up its dimensions.
    """

    kind: str
    images: Axes
    rows: Axes
    terms: Axes


@kernel("stablehlo.convolution")
def convolution(op: Specialization) -> Evaluate:
    conv = _attributes(op)
    lhs, rhs, padding = op.tensor_type(0), op.tensor_type(1), _static_padding(op, len(conv.strides))
    if lhs.is_static and rhs.is_static:
        return _planned(conv, lhs.static_shape, rhs.static_shape, padding)
    plan = lru_cache(maxsize=64)(_planned)

    def on_arrays(left: Array, right: Array) -> Array:
        return plan(conv, left.shape, right.shape, padding)(left, right)

    return on_arrays


@kernel("stablehlo.dynamic_conv")
def dynamic_conv(op: Specialization) -> Evaluate:
    conv = _attributes(op)
    plan = lru_cache(maxsize=64)(_planned)

    def on_arrays(left: Array, right: Array, padding: Array) -> Array:
        if padding.shape != (len(conv.strides), 2):
            raise KernelError(f"padding has shape {list(padding.shape)}, not {[len(conv.strides), 2]}")
        pairs = tuple((low, high) for low, high in padding.tolist())
        return plan(conv, left.shape, right.shape, pairs)(left, right)

    return on_arrays


# --- attributes --------------------------------------------------------------------------------------------


def _attributes(op: Specialization) -> _Convolution:
    numbers = op.require("dimension_numbers")
    if not isinstance(numbers, ConvDimensionNumbers):
        raise KernelError("dimension_numbers must be a #stablehlo.conv attribute")
    lhs, rhs, result = op.tensor_type(0), op.tensor_type(1), op.result_type()
    _check_numbers(numbers, (lhs.rank, rhs.rank, result.rank))
    ones = (1,) * len(numbers.input_spatial_dimensions)
    names = "window_strides", "lhs_dilation", "rhs_dilation", "feature_group_count", "batch_group_count"
    strides, lhs_dilation, rhs_dilation = (
        _positive(name, op.integers(name, ones), ones) for name in names[:3]
    )
    groups = [_positive(name, (op.integer(name, 1),), (1,))[0] for name in names[3:]]
    if min(groups) > 1:
        raise KernelError("feature_group_count and batch_group_count are both greater than 1")
    reversal = op.integers("window_reversal", (0,) * len(ones))
    if len(reversal) != len(ones):
        raise KernelError(f"window_reversal needs {len(ones)} entries, one for each spatial dimension")
    elements = lhs.element_type, rhs.element_type, result.element_type
    return _Convolution(
        numbers, strides, lhs_dilation, rhs_dilation, reversal, groups[0], groups[1], elements, result.shape
    )


def _check_numbers(numbers: ConvDimensionNumbers, ranks: Sizes) -> None:
    for side, dimensions, rank in zip(("lhs", "rhs", "result"), _dimensions(numbers), ranks):
        if sorted(dimensions) != list(range(rank)):
            raise KernelError(f"dimension numbers {list(dimensions)} of {side} do not fit its rank {rank}")
    if len(set(ranks)) != 1:
        raise KernelError(f"lhs, rhs and result have ranks {list(ranks)}, which must be equal")


def _dimensions(numbers: ConvDimensionNumbers) -> tuple[Sizes, Sizes, Sizes]:
    """For lhs, rhs and result: batch (of rhs: output feature), feature and spatial dimensions."""
    n = numbers
    return (
        (n.input_batch_dimension, n.input_feature_dimension, *n.input_spatial_dimensions),
        (n.kernel_output_feature_dimension, n.kernel_input_feature_dimension, *n.kernel_spatial_dimensions),
        (n.output_batch_dimension, n.output_feature_dimension, *n.output_spatial_dimensions),
    )


def _positive(name: str, values: Sizes, like: Sizes) -> Sizes:
    if len(values) != len(like) or any(value < 1 for value in values):
        raise KernelError(f"{name} must hold {len(like)} positive numbers, but holds {list(values)}")
    return values


def _static_padding(op: Specialization, rank: int) -> Padding:
    value = op.get("padding")
    if value is None:
        return ((0, 0),) * rank
    if not isinstance(value, DenseElementsAttr) or value.array.shape != (rank, 2):
        raise KernelError(f"padding must be a tensor of {rank} pairs")
    return tuple((low, high) for low, high in value.array.tolist())


# --- planning ----------------------------------------------------------------------------------------------


def _planned(conv: _Convolution, lhs: Sizes, rhs: Sizes, padding: Padding) -> Binary:
    """The function of arrays of these shapes."""
    _check_groups(conv, lhs, rhs)
    padded = _padded_sizes(conv, lhs, padding)
    axes = _axes(conv, padded, rhs)
    sizes = {name: axis.size for name, axis in axes.items()}
    check_shape(_result_shape(conv, sizes), conv.declared)
    terms = math.prod(size for name, size in sizes.items() if name[0] in "ck")
    working = working_dtype(*conv.elements, terms)
    prepare = _padder(conv, lhs, padded, padding, working)
    if sizes["c"] == 1 and sizes["g"] > 1 and terms <= _MANY_SHIFTS:
        multiply, order = _by_shifts(conv, axes, rhs, working)
    else:
        multiply, order = _by_matrices(conv, axes, rhs, working)
    arrange, finish = _arrangement(conv, order, sizes), finish_for(working, conv.elements[2])
    if finish is None:
        return lambda a, b: arrange(multiply(prepare(a), b.astype(working, copy=False), 0))
    return lambda a, b: arrange(finish(multiply(prepare(a), b.astype(working, copy=False), 0)))


def _check_groups(conv: _Convolution, lhs: Sizes, rhs: Sizes) -> None:
    numbers, groups = conv.numbers, conv.feature_groups
    channels, taken = lhs[numbers.input_feature_dimension], rhs[numbers.kernel_input_feature_dimension]
    if channels != taken * groups:
        raise KernelError(f"lhs has {channels} features, but rhs takes {taken} in each of {groups} groups")
    features, images = rhs[numbers.kernel_output_feature_dimension], lhs[numbers.input_batch_dimension]
    if features % (groups * conv.batch_groups):
        raise KernelError(
            f"{features} output features cannot be split into {groups * conv.batch_groups} groups"
        )
    if images % conv.batch_groups:
        raise KernelError(f"a batch of {images} cannot be split into {conv.batch_groups} groups")


def _padded_sizes(conv: _Convolution, lhs: Sizes, padding: Padding) -> Sizes:
    sizes = list(lhs)
    for d, dilation, (low, high) in zip(conv.numbers.input_spatial_dimensions, conv.lhs_dilation, padding):
        sizes[d] = max(0, _spread(lhs[d], dilation) + low + high)
    return tuple(sizes)


def _spread(size: int, dilation: int) -> int:
    """The size of a dimension after `dilation - 1` holes were put between its elements."""
    return (size - 1) * dilation + 1 if size else 0


def _axes(conv: _Convolution, padded: Sizes, rhs: Sizes) -> dict[str, _Axis]:
    numbers, steps = conv.numbers, _contiguous_strides(padded)
    batch, feature = numbers.input_batch_dimension, numbers.input_feature_dimension
    images, channels = padded[batch] // conv.batch_groups, padded[feature] // conv.feature_groups
    groups = conv.batch_groups * conv.feature_groups
    group_step = images * steps[batch] if conv.batch_groups > 1 else channels * steps[feature]
    features = rhs[numbers.kernel_output_feature_dimension] // groups
    axes = {"g": _Axis(groups, group_step), "n": _Axis(images, steps[batch])}
    axes |= {"c": _Axis(channels, steps[feature]), "o": _Axis(features, 0)}
    spatial = zip(numbers.input_spatial_dimensions, numbers.kernel_spatial_dimensions)
    for i, (d, k) in enumerate(spatial):
        room = padded[d] - _spread(rhs[k], conv.rhs_dilation[i])
        positions = room // conv.strides[i] + 1 if room >= 0 and padded[d] else 0
        axes[f"p{i}"] = _Axis(positions, conv.strides[i] * steps[d])
        axes[f"k{i}"] = _Axis(rhs[k], conv.rhs_dilation[i] * steps[d])
    return axes


def _contiguous_strides(sizes: Sizes) -> list[int]:
    return [math.prod(sizes[d + 1 :]) for d in range(len(sizes))]


def _numbered(letter: str, conv: _Convolution) -> Axes:
    return tuple(f"{letter}{i}" for i in range(len(conv.strides)))


def _result_axes(conv: _Convolution) -> list[Axes]:
    """For each dimension of the result, the axes that it is made of."""
    dimensions: list[Axes] = [()] * len(conv.declared)
    for d, axes in zip(
        _dimensions(conv.numbers)[2], (("n",), ("g", "o"), *((p,) for p in _numbered("p", conv)))
    ):
        dimensions[d] = axes
    return dimensions


def _result_shape(conv: _Convolution, sizes: dict[str, int]) -> Sizes:
    return tuple(math.prod(sizes[axis] for axis in axes) for axes in _result_axes(conv))


def _arrangement(conv: _Convolution, order: Axes, sizes: dict[str, int]) -> Unary:
    """Brings sums whose axes stand in `order` into the result's shape."""
    target = [axis for axes in _result_axes(conv) for axis in axes]
    shape, result = _pick(sizes, order), _result_shape(conv, sizes)
    permutation = tuple(order.index(axis) for axis in target)
    if _moves_nothing(order, target, sizes):
        return lambda sums: sums.reshape(result)
    return lambda sums: sums.reshape(shape).transpose(permutation).reshape(result)


def _moves_nothing(order: Iterable[str], target: Iterable[str], sizes: dict[str, int]) -> bool:
    return [a for a in order if sizes[a] != 1] == [a for a in target if sizes[a] != 1]


def _pick(sizes: dict[str, int], axes: Iterable[str]) -> Sizes:
    return tuple(sizes[axis] for axis in axes)


# --- operands ----------------------------------------------------------------------------------------------


def _padder(conv: _Convolution, lhs: Sizes, padded: Sizes, padding: Padding, working: np.dtype[Any]) -> Unary:
    """Makes lhs a contiguous array of the working dtype, with holes and padding put in."""
    if padded == lhs and not any(low or high for low, high in padding) and set(conv.lhs_dilation) <= {1}:
        return lambda array: np.ascontiguousarray(array, working)
    target, source = [slice(None)] * len(lhs), [slice(None)] * len(lhs)
    for d, dilation, (low, _) in zip(conv.numbers.input_spatial_dimensions, conv.lhs_dilation, padding):
        first = -(min(low, 0) // dilation)
        start = low + first * dilation
        count = max(0, min(lhs[d] - first, -((start - padded[d]) // dilation)))
        source[d] = slice(first, first + count)
        target[d] = slice(start, start + count * dilation, dilation)
    inside, kept = tuple(target), tuple(source)

    def pad(array: Array) -> Array:
        room = np.zeros(padded, working)
        room[inside] = array[kept]
        return room

    return pad


def _kernel_view(conv: _Convolution, sizes: dict[str, int], rhs: Sizes, order: Axes, shape: Sizes) -> Unary:
    """Brings rhs into the axes `order`, reshaped to `shape`."""
    at: dict[int, Axes] = {conv.numbers.kernel_output_feature_dimension: ("g", "o")}
    at[conv.numbers.kernel_input_feature_dimension] = ("c",)
    at |= {d: (k,) for d, k in zip(conv.numbers.kernel_spatial_dimensions, _numbered("k", conv))}
    axes = [axis for d in range(len(rhs)) for axis in at[d]]
    split, permutation = _pick(sizes, axes), tuple(axes.index(axis) for axis in order)
    turned = {d for d, reverse in zip(conv.numbers.kernel_spatial_dimensions, conv.reversal) if reverse}
    if turned:
        flip = tuple(slice(None, None, -1 if d in turned else 1) for d in range(len(rhs)))
        return lambda array: array[flip].reshape(split).transpose(permutation).reshape(shape)
    if _moves_nothing(axes, order, sizes):
        return lambda array: array.reshape(shape)
    return lambda array: array.reshape(split).transpose(permutation).reshape(shape)


# --- one product of matrices per group ---------------------------------------------------------------------


def _by_matrices(
    conv: _Convolution, axes: dict[str, _Axis], rhs: Sizes, working: np.dtype[Any]
) -> tuple[Multiply, Axes]:
    """The function of padded lhs and rhs that gives sums, and the order of the sums' axes."""
    form = _form(conv, {name: axis.size for name, axis in axes.items()})
    order = ("n", "g", "o", *form.rows) if form.kind == "stacks" else ("g", *form.rows, "o")
    return _matrices(conv, axes, rhs, working, form), order


def _matrices(
    conv: _Convolution, axes: dict[str, _Axis], rhs: Sizes, working: np.dtype[Any], form: _Form
) -> Multiply:
    sizes = {name: axis.size for name, axis in axes.items()}
    rows, terms = math.prod(_pick(sizes, form.rows)), math.prod(_pick(sizes, form.terms))
    split = next((axis for axis in (*form.images, *form.rows) if sizes[axis] > 1), None)
    elements = math.prod(_pick(sizes, (*form.images, "g"))) * rows * terms
    if elements > _PATCH_ELEMENTS and split is not None:
        step = max(1, _PATCH_ELEMENTS * sizes[split] // elements)
        return _in_pieces(conv, axes, rhs, working, form, split, step)
    groups = () if sizes["g"] == 1 else (sizes["g"],)
    product = product_in(working, stacked=bool(groups or form.images))
    if form.kind == "stacks":
        patches = _laid_out(
            axes, ("n", "g", *form.terms, *form.rows), (sizes["n"], *groups, terms, rows), working
        )
        weights = _kernel_view(conv, sizes, rhs, ("g", "o", *form.terms), (*groups, sizes["o"], terms))
        return lambda a, b, offset: product(weights(b), patches(a, offset))
    weights = _kernel_view(conv, sizes, rhs, ("g", *form.terms, "o"), (*groups, terms, sizes["o"]))
    if form.kind == "columns":
        patches = _laid_out(axes, ("g", *form.terms, *form.rows), (*groups, terms, rows), working)
        return lambda a, b, offset: product(patches(a, offset).swapaxes(-1, -2), weights(b))
    patches = _laid_out(axes, ("g", *form.rows, *form.terms), (*groups, rows, terms), working)
    return lambda a, b, offset: product(patches(a, offset), weights(b))


def _in_pieces(
    conv: _Convolution,
    axes: dict[str, _Axis],
    rhs: Sizes,
    working: np.dtype[Any],
    form: _Form,
    split: str,
    step: int,
) -> Multiply:
    """An outermost axis in pieces of `step`, so that not all windows are in memory at once."""
    whole = axes[split]
    starts = range(0, whole.size, step)
    ends = [min(start + step, whole.size) for start in starts]
    plans = {
        size: _matrices(conv, axes | {split: _Axis(size, whole.stride)}, rhs, working, form)
        for size in {end - start for start, end in zip(starts, ends)}
    }
    offsets = [
        (start * whole.stride * working.itemsize, plans[end - start]) for start, end in zip(starts, ends)
    ]
    along = -2 if form.kind != "stacks" else (0 if split == "n" else -1)

    def multiply(array: Array, weights: Array, offset: int) -> Array:
        return np.concatenate([plan(array, weights, offset + more) for more, plan in offsets], along)

    return multiply


def _form(conv: _Convolution, sizes: dict[str, int]) -> _Form:
    """The form whose layout in memory is nearest to that of lhs."""
    positions, window = _numbered("p", conv), _numbered("k", conv)
    last = len(conv.declared) - 1
    if conv.numbers.input_feature_dimension == last:
        return _Form("rows", (), ("n", *positions), (*window, "c"))
    if conv.numbers.input_batch_dimension == last:
        return _Form("columns", (), (*positions, "n"), ("c", *window))
    innermost = conv.numbers.input_spatial_dimensions.index(last)
    if sizes[f"k{innermost}"] > sizes[f"p{innermost}"]:
        return _Form("rows", (), ("n", *positions), ("c", *window))
    if sizes["n"] == 1 or math.prod(_pick(sizes, positions)) >= _SMALL_IMAGE:
        return _Form("stacks", ("n",), positions, ("c", *window))
    return _Form("columns", (), ("n", *positions), ("c", *window))


def _laid_out(
    axes: dict[str, _Axis], order: Axes, shape: Sizes, working: np.dtype[Any]
) -> Callable[[Array, int], Array]:
    """The windows of a contiguous array, from a byte offset on, in this shape: a copy unless none overlap."""
    sizes = tuple(axes[name].size for name in order)
    strides = tuple(axes[name].stride * working.itemsize for name in order)
    return lambda array, offset: np.ndarray(sizes, working, array, offset, strides).reshape(shape)


# --- one multiplication per position in the window ---------------------------------------------------------


def _by_shifts(
    conv: _Convolution, axes: dict[str, _Axis], rhs: Sizes, working: np.dtype[Any]
) -> tuple[Multiply, Axes]:
    """For groups of one input feature (depthwise): shifted images times weights, added up."""
    sizes, window = {name: axis.size for name, axis in axes.items()}, _numbered("k", conv)
    positions = _numbered("p", conv)
    by_feature = conv.numbers.input_feature_dimension == len(conv.declared) - 1
    order = ("n", *positions, "g", "o") if by_feature else ("n", "g", "o", *positions)
    shape = tuple(1 if axis == "o" else sizes[axis] for axis in order)
    strides = tuple(axes[axis].stride * working.itemsize for axis in order)
    offsets = [
        working.itemsize * sum(i * axes[k].stride for i, k in zip(index, window))
        for index in index_space(*(range(sizes[k]) for k in window))
    ]
    broadcast = tuple(sizes[axis] if axis in "go" else 1 for axis in order)
    weights = _kernel_view(conv, sizes, rhs, (*window, "g", "o", "c"), (len(offsets), *broadcast))
    total_shape = _pick(sizes, order)

    def multiply(array: Array, kernel_array: Array, start: int) -> Array:
        total, scratch = np.zeros(total_shape, working), np.empty(total_shape, working)
        if total.size:
            for offset, weight in zip(offsets, weights(kernel_array)):
                shifted = np.ndarray(shape, working, array, start + offset, strides)
                total += np.multiply(shifted, weight, scratch)
        return total

    return multiply, order
