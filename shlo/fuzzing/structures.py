"""Random shapes and dimension numbers that fit each other: gather, windows, products, convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np
from msgspec import Struct

from shlo.fuzzing.maker import Maker, Shape, array_i1, array_i64, pairs_i64
from shlo.ir.dtypes import Array

INDEX_TYPES: Final = ("int32", "int64", "uint32", "uint8")


class GatherNumbers(Struct, frozen=True):
    """The dimension numbers that gather and scatter share, in gather's words, with the shapes that they are
    for, and indices, some of them outside of the operand; `result_shape` is that of scatter's updates.
    """

    operand_shape: Shape
    slice_sizes: list[int]
    indices: Array
    index_vector_dim: int
    collapsed: list[int]
    batching: list[int]
    start_batching: list[int]
    start_index_map: list[int]
    offset_dims: list[int]
    result_shape: Shape

    @property
    def gather_attribute(self) -> str:
        """Gather's dimension numbers as text."""
        return (
            f"dimension_numbers = #stablehlo.gather<offset_dims = {self.offset_dims}, "
            f"collapsed_slice_dims = {self.collapsed}, operand_batching_dims = {self.batching}, "
            f"start_indices_batching_dims = {self.start_batching}, "
            f"start_index_map = {self.start_index_map}, index_vector_dim = {self.index_vector_dim}>"
        )

    @property
    def scatter_attribute(self) -> str:
        """Scatter's dimension numbers as text."""
        return (
            "scatter_dimension_numbers = #stablehlo.scatter<"
            f"update_window_dims = {self.offset_dims}, inserted_window_dims = {self.collapsed}, "
            f"input_batching_dims = {self.batching}, scatter_indices_batching_dims = {self.start_batching}, "
            f"scatter_dims_to_operand_dims = {self.start_index_map}, "
            f"index_vector_dim = {self.index_vector_dim}>"
        )


def gather_numbers(make: Maker, is_unique: bool = False, shape: Shape | None = None) -> GatherNumbers:
    """Returns dimension numbers for operands without empty dimensions; `is_unique` ones name one index, so
    that it is not repeated.
    """
    shape = make.shape(make.integer(1, 4), smallest=1) if shape is None else shape
    axes = make.permutation(len(shape))
    batch_count = make.integer(0, 1) if len(axes) > 1 and not is_unique else 0
    batching = sorted(axes[:batch_count])
    rest = axes[batch_count:]
    start_index_map = rest[: make.integer(1 if is_unique else 0, len(rest))]
    collapsed = make.subset(sorted(rest))
    sizes = [1 if d in collapsed or d in batching else make.integer(1, size) for d, size in enumerate(shape)]
    batch_shape = list(make.shape(make.integer(0, 2), smallest=1))
    if is_unique:
        batch_shape = [1] * len(batch_shape)
    batch_axes = [make.integer(0, len(batch_shape)) for _ in batching]
    for axis, position in zip(batching, batch_axes):
        batch_shape.insert(position, shape[axis])
    vector = make.integer(0, len(batch_shape))
    indices_shape = list(batch_shape)
    indices_shape.insert(vector, len(start_index_map))
    if len(start_index_map) == 1 and make.chance(0.3):
        vector, indices_shape = len(batch_shape), batch_shape
    start_batching = [position + (position >= vector) for position in batch_axes]
    if vector == len(batch_shape) and indices_shape is batch_shape:
        start_batching = batch_axes
    dtype = np.dtype(make.index_name(INDEX_TYPES))
    low = 0 if dtype.kind == "u" else -2
    indices = np.asarray(make.random.integers(low, max(shape) + 2, indices_shape)).astype(dtype)
    window = [sizes[d] for d in range(len(shape)) if d not in collapsed and d not in batching]
    rank = len(batch_shape) + len(window)
    offset_dims = make.subset(range(rank), len(window))
    batch_sizes, window_sizes = iter(batch_shape), iter(window)
    result = tuple(next(window_sizes) if d in offset_dims else next(batch_sizes) for d in range(rank))
    return GatherNumbers(
        shape,
        sizes,
        indices,
        vector,
        collapsed,
        batching,
        start_batching,
        start_index_map,
        offset_dims,
        result,
    )


class DotNumbers(Struct, frozen=True):
    """The dimensions of a general dot product: of each operand those of the batch, those that are
    contracted, and the free ones, in its order.
    """

    batch: Shape
    contracted: Shape
    shapes: tuple[Shape, Shape]
    axes: tuple[tuple[list[int], list[int], list[int]], ...]

    @property
    def free(self) -> tuple[Shape, Shape]:
        """The sizes of the free dimensions of each operand."""
        left, right = (
            tuple(shape[d] for d in axes) for shape, (_, _, axes) in zip(self.shapes, self.axes, strict=True)
        )
        return left, right

    @property
    def result_shape(self) -> Shape:
        """The shape of the result."""
        left, right = self.free
        return (*self.batch, *left, *right)

    @property
    def attribute(self) -> str:
        """The dimension numbers as text."""
        (left, right) = self.axes
        return (
            f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {left[0]}, "
            f"rhs_batching_dimensions = {right[0]}, lhs_contracting_dimensions = {left[1]}, "
            f"rhs_contracting_dimensions = {right[1]}>"
        )


def dot_numbers(make: Maker) -> DotNumbers:
    """Returns shapes and dimensions of a general dot product."""
    batch, contracted = make.shape(make.integer(0, 2)), make.shape(make.integer(0, 2))
    shapes: list[Shape] = []
    axes: list[tuple[list[int], list[int], list[int]]] = []
    for free_sizes in [make.shape(make.integer(0, 2)) for _ in range(2)]:
        sizes = [*batch, *contracted, *free_sizes]
        order = make.permutation(len(sizes))
        order_index = [order.index(position) for position in range(len(sizes))]
        first, second = len(batch), len(batch) + len(contracted)
        # the free dimensions of the result come in the order of the operand
        axes.append((order_index[:first], order_index[first:second], sorted(order_index[second:])))
        shapes.append(tuple(sizes[position] for position in order))
    return DotNumbers(batch, contracted, (shapes[0], shapes[1]), tuple(axes))


def dilated_size(size: int, dilation: int) -> int:
    """Returns the size of a dimension with holes between its elements."""
    return 0 if size == 0 else (size - 1) * dilation + 1


def window_count(size: int, window: int, stride: int, dilation: int) -> int:
    """Returns how many windows fit into a dimension."""
    reach = dilated_size(window, dilation)
    return 0 if reach > size else (size - reach) // stride + 1


class Windows(Struct, frozen=True):
    """Windows on an operand of some shape, and how many there are along each dimension."""

    sizes: list[int]
    strides: list[int]
    base_dilations: list[int]
    dilations: list[int]
    padding: list[list[int]]
    counts: Shape

    @property
    def attributes(self) -> str:
        """The attributes of reduce_window as text."""
        return (
            f"window_dimensions = {array_i64(self.sizes)}, window_strides = {array_i64(self.strides)}, "
            f"base_dilations = {array_i64(self.base_dilations)}, "
            f"window_dilations = {array_i64(self.dilations)}, padding = {pairs_i64(self.padding)}"
        )


def windows(make: Maker, shape: Shape) -> Windows:
    """Returns windows for an operand, with padding that may cut elements off."""
    window = make.integers(len(shape), 1, 3)
    strides, base, dilations = (make.integers(len(shape), 1, 2) for _ in range(3))
    padding = [make.integers(2, -1, 2) for _ in window]
    sizes = [low + dilated_size(s, b) + high for s, b, (low, high) in zip(shape, base, padding)]
    padding = [[low, high - min(size, 0)] for (low, high), size in zip(padding, sizes)]
    counts = tuple(map(window_count, [max(size, 0) for size in sizes], window, strides, dilations))
    return Windows(window, strides, base, dilations, padding, counts)


class ConvolutionNumbers(Struct, frozen=True):
    """A convolution: shapes in the order batch, features, space (kernel: features, outputs, space), and the
    orders in which the tensors have these dimensions.
    """

    lhs: Shape
    rhs: Shape
    result: Shape
    orders: tuple[list[int], list[int], list[int]]
    strides: list[int]
    padding: list[list[int]]
    base_dilations: list[int]
    dilations: list[int]
    reversal: list[bool]
    feature_groups: int
    batch_groups: int

    def shape(self, number: int) -> Shape:
        """Returns the shape of the left operand (0), the kernel (1), the result (2)."""
        plain = (self.lhs, self.rhs, self.result)[number]
        return tuple(plain[position] for position in inverse(self.orders[number]))

    @property
    def dimension_numbers(self) -> str:
        """The dimension numbers as text."""
        left, right, result = (
            self._names(order, first, second)
            for order, first, second in zip(self.orders, ("b", "i", "b"), ("f", "o", "f"))
        )
        return f"dimension_numbers = #stablehlo.conv<{left}x{right}->{result}>"

    def _names(self, order: Sequence[int], first: str, second: str) -> str:
        words = [first, second, *map(str, range(len(self.strides)))]
        return f"[{', '.join(words[position] for position in inverse(order))}]"

    @property
    def static_attributes(self) -> str:
        """All attributes but the padding as text."""
        return (
            f"window_strides = {array_i64(self.strides)}, lhs_dilation = {array_i64(self.base_dilations)}, "
            f"rhs_dilation = {array_i64(self.dilations)}, window_reversal = {array_i1(self.reversal)}, "
            f"{self.dimension_numbers}, feature_group_count = {self.feature_groups} : i64, "
            f"batch_group_count = {self.batch_groups} : i64"
        )

    @property
    def attributes(self) -> str:
        """The attributes as text."""
        return f"{self.static_attributes}, padding = {pairs_i64(self.padding)}"


def inverse(order: Sequence[int]) -> list[int]:
    """Returns the permutation that undoes another one."""
    return [list(order).index(position) for position in range(len(order))]


def convolution_numbers(make: Maker) -> ConvolutionNumbers:
    """Returns shapes and attributes of a convolution of up to two spatial dimensions."""
    spatial = make.integer(0, 2)
    feature_groups, batch_groups = make.choice(((1, 1), (1, 1), (2, 1), (3, 1), (1, 2)))
    batch, features = batch_groups * make.integer(1, 2), make.integer(1, 2)
    outputs = feature_groups * batch_groups * make.integer(1, 2)
    sizes, window = make.integers(spatial, 1, 5), make.integers(spatial, 1, 3)
    strides, base, dilations = (make.integers(spatial, 1, 2) for _ in range(3))
    reversal = [make.chance(0.2) for _ in range(spatial)]
    padding = [make.integers(2, 0, 2) for _ in range(spatial)]
    left_order, right_order, result_order = (make.permutation(spatial + 2) for _ in range(3))
    padded = [low + dilated_size(size, b) + high for size, b, (low, high) in zip(sizes, base, padding)]
    counts = tuple(map(window_count, padded, window, strides, dilations))
    return ConvolutionNumbers(
        (batch, features * feature_groups, *sizes),
        (features, outputs, *window),
        (batch // batch_groups, outputs, *counts),
        (left_order, right_order, result_order),
        strides,
        padding,
        base,
        dilations,
        reversal,
        feature_groups,
        batch_groups,
    )


def size_of(shape: Shape) -> int:
    """Returns how many elements a shape has."""
    return prod(shape)
