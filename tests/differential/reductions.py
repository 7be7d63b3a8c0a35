"""Reductions, windows and sorts: the specification's formulas, one window at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key

import numpy as np

from shlo.fuzzing.maker import Maker, Shape, array_i64, pairs_i64, tensor_type
from shlo.fuzzing.structures import dilated_size, window_count, windows
from tests.differential.bodies import BODIES, draw, neutral
from tests.differential.elementwise import FLOATS, LOGICAL, is_above
from tests.differential.instances import Array, Instance, Result

SUM_TOLERANCE = 1e-30
"""Sums of small whole numbers are exact; only the sign of a zero depends on the order."""


def reduce(make: Maker) -> Instance:
    body, name = draw(make, BODIES)
    array, initial = make.small(make.shape(), name), neutral(body, name)
    axes = make.subset(range(array.ndim))
    kept = [axis for axis in range(array.ndim) if axis not in axes]
    shape = tuple(array.shape[axis] for axis in kept)

    def formula() -> list[Array]:
        result = np.full(shape, initial, array.dtype)
        for index in np.ndindex(array.shape):
            place = tuple(index[axis] for axis in kept)
            result[place] = body.combine(result[place], array[index], name)
        return [result]

    return Instance(
        "stablehlo.reduce",
        [array, initial],
        [Result(shape, array.dtype)],
        f"dimensions = {array_i64(axes)}",
        [body.region(array.dtype)],
        formula,
        SUM_TOLERANCE,
        SUM_TOLERANCE,
    )


def reduce_with_index(make: Maker) -> Instance:
    """Returns the largest element and its first position: two operands, one body."""
    name, shape = make.choice(("int32", "float32", "uint8")), make.shape(make.integer(1, 3), smallest=1)
    array, axis = make.small(shape, name), make.integer(0, len(shape) - 1)
    positions = np.broadcast_to(
        np.arange(shape[axis], dtype=np.int32).reshape([-1 if d == axis else 1 for d in range(len(shape))]),
        shape,
    ).copy()
    lowest = np.asarray(-np.inf if name == "float32" else np.iinfo(name).min, name)
    value, number = tensor_type((), array.dtype), tensor_type((), positions.dtype)
    region = (
        f"{{ ^bb0(%v: {value}, %i: {number}, %w: {value}, %j: {number}): "
        f"%g = stablehlo.compare GT, %v, %w : ({value}, {value}) -> tensor<i1> "
        f"%e = stablehlo.compare EQ, %v, %w : ({value}, {value}) -> tensor<i1> "
        f"%l = stablehlo.compare LT, %i, %j : ({number}, {number}) -> tensor<i1> "
        f"%t = stablehlo.and %e, %l : tensor<i1> %c = stablehlo.or %g, %t : tensor<i1> "
        f"%a = stablehlo.select %c, %v, %w : tensor<i1>, {value} "
        f"%b = stablehlo.select %c, %i, %j : tensor<i1>, {number} "
        f'"stablehlo.return"(%a, %b) : ({value}, {number}) -> () }}'
    )
    result = tuple(size for d, size in enumerate(shape) if d != axis)

    def formula() -> list[Array]:
        best, where = np.full(result, lowest), np.full(result, np.iinfo(np.int32).max, np.int32)
        for index in np.ndindex(shape):
            place = (*index[:axis], *index[axis + 1 :])
            if array[index] > best[place] or (array[index] == best[place] and index[axis] < where[place]):
                best[place], where[place] = array[index], index[axis]
        return [best, where]

    return Instance(
        "stablehlo.reduce",
        [array, positions, lowest, np.asarray(np.iinfo(np.int32).max, np.int32)],
        [Result(result, array.dtype), Result(result, positions.dtype)],
        f"dimensions = {array_i64([axis])}",
        [region],
        formula,
    )


def padded(array: Array, value: Array, padding: Sequence[Sequence[int]], dilations: Sequence[int]) -> Array:
    """Returns the array with holes of `value` between its elements, and padding (negative: cut off) around
    them.
    """
    shape = tuple(
        low + dilated_size(size, dilation) + high
        for size, (low, high), dilation in zip(array.shape, padding, dilations)
    )
    result = np.full(shape, value, array.dtype)
    for index in np.ndindex(array.shape):
        place = tuple(low + i * dilation for i, (low, _), dilation in zip(index, padding, dilations))
        if all(0 <= i < size for i, size in zip(place, shape)):
            result[place] = array[index]
    return result


def reduce_window(make: Maker) -> Instance:
    body, name = draw(make, BODIES)
    array, initial = make.small(make.shape(make.integer(1, 3)), name), neutral(body, name)
    chosen = windows(make, array.shape)

    def formula() -> list[Array]:
        source = padded(array, initial, chosen.padding, chosen.base_dilations)
        result = np.full(chosen.counts, initial, array.dtype)
        for index in np.ndindex(chosen.counts):
            for offset in np.ndindex(*chosen.sizes):
                steps = zip(index, chosen.strides, offset, chosen.dilations)
                place = tuple(i * s + o * d for i, s, o, d in steps)
                result[index] = body.combine(result[index], source[place], name)
        return [result]

    return Instance(
        "stablehlo.reduce_window",
        [array, initial],
        [Result(chosen.counts, array.dtype)],
        chosen.attributes,
        [body.region(array.dtype)],
        formula,
        SUM_TOLERANCE,
        SUM_TOLERANCE,
    )


def select_and_scatter(make: Maker) -> Instance:
    name = make.choice(("float32", "int32", "float64"))
    shape = make.shape(make.integer(1, 3), smallest=1)
    # distinct elements, since the order in which a window is read decides between equal ones
    array = np.asarray(make.random.permutation(int(np.prod(shape))).reshape(shape) - 5).astype(name)
    window, strides = make.integers(array.ndim, 1, 3), make.integers(array.ndim, 1, 3)
    windows = tuple(map(window_count, shape, window, strides, [1] * array.ndim))
    source, initial = make.small(windows, name), np.asarray(0, name)
    scalar = tensor_type((), array.dtype)
    select = (
        f"{{ ^bb0(%x: {scalar}, %y: {scalar}): %s = stablehlo.compare GE, %x, %y : ({scalar}, {scalar}) -> tensor<i1> "
        '"stablehlo.return"(%s) : (tensor<i1>) -> () }'
    )
    attributes = (
        f"window_dimensions = {array_i64(window)}, window_strides = {array_i64(strides)}, "
        f"padding = {pairs_i64([[0, 0]] * array.ndim)}"
    )

    def formula() -> list[Array]:
        result = np.full(shape, initial, array.dtype)
        for index in np.ndindex(windows):
            places = [
                tuple(i * s + o for i, s, o in zip(index, strides, offset)) for offset in np.ndindex(*window)
            ]
            chosen = max(places, key=lambda place: array[place])
            result[chosen] = BODIES["add"].combine(result[chosen], source[index], name)
        return [result]

    return Instance(
        "stablehlo.select_and_scatter",
        [array, source, initial],
        [Result(shape, array.dtype)],
        attributes,
        [select, BODIES["add"].region(array.dtype)],
        formula,
        SUM_TOLERANCE,
        SUM_TOLERANCE,
    )


def sort(make: Maker) -> Instance:
    """Returns a stable sort of one to three operands by the first: ascending or descending, with NaN and both
    zeros in total order.
    """
    name, shape = make.choice((*LOGICAL, *FLOATS)), make.shape(make.integer(1, 3))
    axis, count = make.integer(0, len(shape) - 1), make.integer(1, 3)
    arrays = [make.edges(shape, name), *(make.small(shape, "int32") for _ in range(count - 1))]
    is_total, descending = name in FLOATS, make.chance(0.5)
    types = [tensor_type((), array.dtype) for array in arrays]
    parameters = ", ".join(f"%x{n}: {type_}, %y{n}: {type_}" for n, type_ in enumerate(types))
    kind = "TOTALORDER" if is_total else "UNSIGNED" if name == "bool" or name.startswith("u") else "SIGNED"
    direction = "GT" if descending else "LT"
    region = (
        f"{{ ^bb0({parameters}): %s = stablehlo.compare {direction}, %x0, %y0, {kind} : "
        f'({types[0]}, {types[0]}) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> () }}'
    )
    return Instance(
        "stablehlo.sort",
        arrays,
        [Result(shape, array.dtype) for array in arrays],
        f"dimension = {axis} : i64, is_stable = true",
        [region],
        lambda: _sorted(arrays, axis, descending),
    )


def _sorted(arrays: list[Array], axis: int, descending: bool) -> list[Array]:
    results = [array.copy() for array in arrays]
    shape = arrays[0].shape
    for outer in np.ndindex(*shape[:axis], *shape[axis + 1 :]):
        lane = [(*outer[:axis], position, *outer[axis:]) for position in range(shape[axis])]

        def order(a: Shape, b: Shape) -> int:
            left, right = arrays[0][a], arrays[0][b]
            return (is_above(left, right) - is_above(right, left)) * (-1 if descending else 1)

        for place, source in zip(lane, sorted(lane, key=cmp_to_key(order))):
            for result, array in zip(results, arrays):
                result[place] = array[source]
    return results


MAKERS: tuple[Callable[[Maker], Instance], ...] = (
    reduce,
    reduce,
    reduce_with_index,
    reduce_window,
    reduce_window,
    select_and_scatter,
    sort,
)
