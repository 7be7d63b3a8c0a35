"""Operations that move elements: the specification's formulas, index by index."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shlo.fuzzing.maker import HIGHEST_RANK, Maker, Shape, array_i64
from shlo.fuzzing.structures import INDEX_TYPES
from shlo.fuzzing.values import INTEGERS, UNSIGNED
from tests.differential.instances import Array, Instance, Result

ELEMENTS = (
    "bool",
    *INTEGERS[2:],
    *UNSIGNED[2:],
    "float32",
    "float64",
    "float16",
    "bfloat16",
    "complex64",
    "int4",
)


def gathered(shape: Shape, array: Array, source: Callable[[Shape], Shape]) -> Array:
    """Returns the array of this shape whose element at `index` is that of `array` at `source(index)`."""
    result = np.empty(shape, array.dtype)
    for index in np.ndindex(shape):
        result[index] = array[source(index)]
    return result


def _moved(
    name: str, array: Array, shape: Shape, attributes: str, source: Callable[[Shape], Shape]
) -> Instance:
    return Instance(
        f"stablehlo.{name}",
        [array],
        [Result(shape, array.dtype)],
        attributes,
        formula=lambda: [gathered(shape, array, source)],
    )


def transpose(make: Maker) -> Instance:
    array = make.small(make.shape(), make.choice(ELEMENTS))
    order = make.permutation(array.ndim)
    shape = tuple(array.shape[axis] for axis in order)

    def source(index: Shape) -> Shape:
        operand = [0] * len(order)
        for axis, size in zip(order, index):
            operand[axis] = size
        return tuple(operand)

    return _moved("transpose", array, shape, f"permutation = {array_i64(order)}", source)


def reverse(make: Maker) -> Instance:
    array = make.small(make.shape(), make.choice(ELEMENTS))
    axes = make.subset(range(array.ndim))

    def source(index: Shape) -> Shape:
        return tuple(array.shape[d] - 1 - i if d in axes else i for d, i in enumerate(index))

    return _moved("reverse", array, array.shape, f"dimensions = {array_i64(axes)}", source)


def reshape(make: Maker) -> Instance:
    array = make.small(make.shape(), make.choice(ELEMENTS))
    sizes = [size for size in array.shape if size != 1]
    if len(sizes) > 1 and make.chance(0.5):
        sizes[:2] = [sizes[0] * sizes[1]]
    for _ in range(make.integer(0, 2)):
        sizes.insert(make.integer(0, len(sizes)), 1)
    shape = tuple(sizes)
    order = list(np.ndindex(array.shape))
    return _moved("reshape", array, shape, "", lambda index: order[_position(index, shape)])


def _position(index: Shape, shape: Shape) -> int:
    position = 0
    for place, size in zip(index, shape):
        position = position * size + place
    return position


def broadcast_in_dim(make: Maker) -> Instance:
    array = make.small(make.shape(make.integer(0, 3)), make.choice(ELEMENTS))
    rank = make.integer(array.ndim, HIGHEST_RANK)
    axes = make.permutation(rank)[: array.ndim]
    shape = list(make.shape(rank))
    for size, axis in zip(array.shape, axes):
        shape[axis] = shape[axis] if size == 1 else size

    def source(index: Shape) -> Shape:
        return tuple(0 if size == 1 else index[axis] for size, axis in zip(array.shape, axes))

    attributes = f"broadcast_dimensions = {array_i64(axes)}"
    return _moved("broadcast_in_dim", array, tuple(shape), attributes, source)


def slice_(make: Maker) -> Instance:
    array = make.small(make.shape(), make.choice(ELEMENTS))
    starts = [make.integer(0, size) for size in array.shape]
    limits = [make.integer(start, size) for start, size in zip(starts, array.shape)]
    strides = make.integers(array.ndim, 1, 3)
    shape = tuple(-(-(limit - start) // stride) for start, limit, stride in zip(starts, limits, strides))
    attributes = f"start_indices = {array_i64(starts)}, limit_indices = {array_i64(limits)}, strides = {array_i64(strides)}"

    def source(index: Shape) -> Shape:
        return tuple(start + i * stride for start, i, stride in zip(starts, index, strides))

    return _moved("slice", array, shape, attributes, source)


def pad(make: Maker) -> Instance:
    name = make.choice(ELEMENTS)
    array, value = make.small(make.shape(), name), make.small((), name)
    low, high = make.integers(array.ndim, -2, 3), make.integers(array.ndim, -2, 3)
    interior = make.integers(array.ndim, 0, 2)
    spread = [size + max(size - 1, 0) * inner for size, inner in zip(array.shape, interior)]
    high = [max(after, -before - size) for before, after, size in zip(low, high, spread)]
    shape = tuple(size + before + after for size, before, after in zip(spread, low, high))
    attributes = (
        f"edge_padding_low = {array_i64(low)}, edge_padding_high = {array_i64(high)}, "
        f"interior_padding = {array_i64(interior)}"
    )

    def formula() -> list[Array]:
        result = np.full(shape, value, array.dtype)
        for index in np.ndindex(array.shape):
            place = tuple(before + i * (inner + 1) for before, i, inner in zip(low, index, interior))
            if all(0 <= i < size for i, size in zip(place, shape)):
                result[place] = array[index]
        return [result]

    return Instance(
        "stablehlo.pad", [array, value], [Result(shape, array.dtype)], attributes, formula=formula
    )


def concatenate(make: Maker) -> Instance:
    name, shape = make.choice(ELEMENTS), make.shape(make.integer(1, HIGHEST_RANK))
    axis = make.integer(0, len(shape) - 1)
    shapes = [(*shape[:axis], make.integer(0, 4), *shape[axis + 1 :]) for _ in range(make.integer(1, 3))]
    arrays = [make.small(each, name) for each in shapes]
    total = (*shape[:axis], sum(each[axis] for each in shapes), *shape[axis + 1 :])

    def formula() -> list[Array]:
        result, start = np.empty(total, arrays[0].dtype), 0
        for array in arrays:
            for index in np.ndindex(array.shape):
                result[(*index[:axis], start + index[axis], *index[axis + 1 :])] = array[index]
            start += array.shape[axis]
        return [result]

    results = [Result(total, arrays[0].dtype)]
    return Instance("stablehlo.concatenate", arrays, results, f"dimension = {axis} : i64", formula=formula)


def iota(make: Maker) -> Instance:
    name, shape = make.choice(("int32", "uint8", "int64", "float32", "bfloat16", "complex64")), make.shape(2)
    axis = make.integer(0, 1)

    def formula() -> list[Array]:
        result = np.empty(shape, np.dtype(np.int64))
        for index in np.ndindex(shape):
            result[index] = index[axis]
        return [result.astype(dtype)]

    dtype = make.small((), name).dtype
    return Instance(
        "stablehlo.iota", [], [Result(shape, dtype)], f"iota_dimension = {axis} : i64", formula=formula
    )


def starts_for(make: Maker, sizes: Sequence[int]) -> list[Array]:
    """Scalars of start indices, some of them outside of [0, size]."""
    dtype = np.dtype(make.choice(INDEX_TYPES))
    low = 0 if dtype.kind == "u" else -3
    return [np.asarray(make.integer(low, size + 3), dtype) for size in sizes]


def clamped(starts: Sequence[Array], shape: Shape, sizes: Sequence[int]) -> list[int]:
    return [max(0, min(int(start), size - taken)) for start, size, taken in zip(starts, shape, sizes)]


def dynamic_slice(make: Maker) -> Instance:
    array = make.small(make.shape(), make.choice(ELEMENTS))
    sizes = tuple(make.integer(0 if size == 0 else 1, size) for size in array.shape)
    starts = starts_for(make, array.shape)

    def formula() -> list[Array]:
        first = clamped(starts, array.shape, sizes)
        return [gathered(sizes, array, lambda index: tuple(f + i for f, i in zip(first, index)))]

    results = [Result(sizes, array.dtype)]
    attributes = f"slice_sizes = {array_i64(sizes)}"
    return Instance("stablehlo.dynamic_slice", [array, *starts], results, attributes, formula=formula)


def dynamic_update_slice(make: Maker) -> Instance:
    name = make.choice(ELEMENTS)
    array = make.small(make.shape(), name)
    update = make.small(tuple(make.integer(0, size) for size in array.shape), name)
    starts = starts_for(make, array.shape)

    def formula() -> list[Array]:
        first, result = clamped(starts, array.shape, update.shape), array.copy()
        for index in np.ndindex(update.shape):
            result[tuple(f + i for f, i in zip(first, index))] = update[index]
        return [result]

    results = [Result(array.shape, array.dtype)]
    return Instance("stablehlo.dynamic_update_slice", [array, update, *starts], results, formula=formula)


MAKERS = (
    transpose,
    reverse,
    reshape,
    broadcast_in_dim,
    slice_,
    pad,
    concatenate,
    iota,
    dynamic_slice,
    dynamic_update_slice,
)
