"""The axes of a convolution: sizes and strides of the view of the padded lhs that holds all its windows.

The axes of the plan have names: `g` group, `n` batch within a group, `c` input feature within a group, `o`
output feature within a group, `p0`.. output position, `k0`.. position in the window. A view of the padded lhs
with all of them but `o` is a matter of strides; laying it out in memory as a matrix is the only copy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.dialects.struct_attributes import ConvDimensionNumbers
from shlo.interpreter.kernels.shapes import check_temporary, row_major_strides
from shlo.ir.dtypes import Array
from shlo.ir.types import Type

Sizes = tuple[int, ...]
Axes = tuple[str, ...]
Padding = tuple[tuple[int, int], ...]
Unary = Callable[[Array], Array]


class Convolution(Struct, frozen=True):
    """The attributes and element types of a convolution."""

    numbers: ConvDimensionNumbers
    strides: Sizes
    lhs_dilation: Sizes
    rhs_dilation: Sizes
    reversal: Sizes
    feature_groups: int
    batch_groups: int
    elements: tuple[Type, Type, Type]

    @property
    def rank(self) -> int:
        """The rank of operands and result."""
        return len(self.strides) + 2


class Axis(Struct, frozen=True):
    """Axis of the view of the padded lhs; the stride counts elements."""

    size: int
    stride: int


def padded_sizes(conv: Convolution, lhs: Sizes, padding: Padding) -> Sizes:
    """Returns the shape of lhs with holes and padding put in."""
    sizes = list(lhs)
    for d, dilation, (low, high) in zip(conv.numbers.input_spatial_dimensions, conv.lhs_dilation, padding):
        sizes[d] = max(0, _spread(lhs[d], dilation) + low + high)
    return tuple(sizes)


def _spread(size: int, dilation: int) -> int:
    """Returns the size of a dimension with `dilation - 1` holes between its elements."""
    return (size - 1) * dilation + 1 if size else 0


def axes_of(conv: Convolution, padded: Sizes, rhs: Sizes) -> dict[str, Axis]:
    """Returns the axes of the plan by name, for a padded lhs and a rhs of these shapes."""
    numbers, steps = conv.numbers, row_major_strides(padded, 1)
    batch, feature = numbers.input_batch_dimension, numbers.input_feature_dimension
    images, channels = padded[batch] // conv.batch_groups, padded[feature] // conv.feature_groups
    groups = conv.batch_groups * conv.feature_groups
    group_step = images * steps[batch] if conv.batch_groups > 1 else channels * steps[feature]
    features = rhs[numbers.kernel_output_feature_dimension] // groups
    axes = {"g": Axis(groups, group_step), "n": Axis(images, steps[batch])}
    axes |= {"c": Axis(channels, steps[feature]), "o": Axis(features, 0)}
    spatial = zip(numbers.input_spatial_dimensions, numbers.kernel_spatial_dimensions)
    for i, (d, k) in enumerate(spatial):
        spare = padded[d] - _spread(rhs[k], conv.rhs_dilation[i])
        positions = spare // conv.strides[i] + 1 if spare >= 0 and padded[d] else 0
        axes[f"p{i}"] = Axis(positions, conv.strides[i] * steps[d])
        axes[f"k{i}"] = Axis(rhs[k], conv.rhs_dilation[i] * steps[d])
    return axes


def numbered(letter: str, conv: Convolution) -> Axes:
    """Returns the names of the spatial axes with this letter: `p0`, `p1`, ..."""
    return tuple(f"{letter}{i}" for i in range(len(conv.strides)))


def _result_axes(conv: Convolution) -> list[Axes]:
    """Returns, for each dimension of the result, the axes that it consists of."""
    dimensions: list[Axes] = [()] * conv.rank
    numbers = conv.numbers
    dimensions[numbers.output_batch_dimension] = ("n",)
    dimensions[numbers.output_feature_dimension] = ("g", "o")
    for d, axis in zip(numbers.output_spatial_dimensions, numbered("p", conv)):
        dimensions[d] = (axis,)
    return dimensions


def result_shape(conv: Convolution, sizes: dict[str, int]) -> Sizes:
    """Returns the shape of the result."""
    return tuple(math.prod(sizes[axis] for axis in axes) for axes in _result_axes(conv))


def arrangement(conv: Convolution, order: Axes, sizes: dict[str, int]) -> Unary:
    """Returns the function that brings sums whose axes are in `order` into the result's shape."""
    target = [axis for axes in _result_axes(conv) for axis in axes]
    shape, result = pick(sizes, order), result_shape(conv, sizes)
    permutation = tuple(order.index(axis) for axis in target)
    if _moves_nothing(order, target, sizes):
        return lambda sums: sums.reshape(result)
    return lambda sums: sums.reshape(shape).transpose(permutation).reshape(result)


def _moves_nothing(order: Iterable[str], target: Iterable[str], sizes: dict[str, int]) -> bool:
    return [a for a in order if sizes[a] != 1] == [a for a in target if sizes[a] != 1]


def pick(sizes: dict[str, int], axes: Iterable[str]) -> Sizes:
    """Returns the sizes of these axes."""
    return tuple(sizes[axis] for axis in axes)


# --- operands ----------------------------------------------------------------------------------------------


def padder(conv: Convolution, lhs: Sizes, padded: Sizes, padding: Padding, working: np.dtype[Any]) -> Unary:
    """Returns the function that makes lhs a contiguous array of the working dtype, with holes and padding."""
    if padded == lhs and not any(low or high for low, high in padding) and set(conv.lhs_dilation) <= {1}:
        return lambda array: np.ascontiguousarray(array, working)
    target, source = [slice(None)] * len(lhs), [slice(None)] * len(lhs)
    for d, dilation, (low, _) in zip(conv.numbers.input_spatial_dimensions, conv.lhs_dilation, padding):
        first = -(min(low, 0) // dilation)
        start = low + first * dilation
        count = max(0, min(lhs[d] - first, -((start - padded[d]) // dilation)))
        source[d] = slice(first, first + count)
        target[d] = slice(start, start + count * dilation, dilation)
    inside, inner = tuple(target), tuple(source)

    def pad(array: Array) -> Array:
        check_temporary(padded, working)
        result = np.zeros(padded, working)
        result[inside] = array[inner]
        return result

    return pad


def kernel_view(conv: Convolution, sizes: dict[str, int], rhs: Sizes, order: Axes, shape: Sizes) -> Unary:
    """Returns the function that brings rhs into the axes `order`, reshaped to `shape`."""
    at: dict[int, Axes] = {conv.numbers.kernel_output_feature_dimension: ("g", "o")}
    at[conv.numbers.kernel_input_feature_dimension] = ("c",)
    at |= {d: (k,) for d, k in zip(conv.numbers.kernel_spatial_dimensions, numbered("k", conv))}
    axes = [axis for d in range(len(rhs)) for axis in at[d]]
    split, permutation = pick(sizes, axes), tuple(axes.index(axis) for axis in order)
    turned = {d for d, reverse in zip(conv.numbers.kernel_spatial_dimensions, conv.reversal) if reverse}
    if turned:
        flip = tuple(slice(None, None, -1 if d in turned else 1) for d in range(len(rhs)))
        return lambda array: array[flip].reshape(split).transpose(permutation).reshape(shape)
    if _moves_nothing(axes, order, sizes):
        return lambda array: array.reshape(shape)
    return lambda array: array.reshape(split).transpose(permutation).reshape(shape)
