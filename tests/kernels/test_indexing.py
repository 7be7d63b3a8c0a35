"""dynamic_slice, dynamic_update_slice, gather, dynamic_gather, torch_index_select, scatter.

gather and scatter are compared with the specification's definition, one element at a time, on drawn dimension
numbers.
"""

from __future__ import annotations

import itertools
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.dialects.struct_attributes import GatherDimensionNumbers, ScatterDimensionNumbers
from shlo.ir.types import F32, I32, FloatType, RankedTensorType
from tests.kernels.bodies import ListedBody, applying, returning
from tests.kernels.helpers import entry_of, evaluate, specialization, specialize, tensor, tensor_type

X = np.arange(24, dtype=np.float32).reshape(4, 6)


@pytest.mark.parametrize(("starts", "expected"), [((1, 2), (1, 2)), ((-5, 100), (0, 3)), ((9, -9), (2, 0))])
def test_dynamic_slice_moves_its_start_inside(starts: tuple[int, int], expected: tuple[int, int]) -> None:
    operands = [np.int32(start) for start in starts]
    result = evaluate("dynamic_slice", X, *operands, result_types=[tensor(F32, 2, 3)], slice_sizes=[2, 3])
    row, column = expected
    np.testing.assert_array_equal(result, X[row : row + 2, column : column + 3])


def test_dynamic_update_slice_moves_its_start_inside_and_leaves_its_operand_alone() -> None:
    x, update = X.copy(), np.full((2, 3), -1, np.float32)
    result = evaluate("dynamic_update_slice", x, update, np.uint8(200), np.array(-3))
    expected = X.copy()
    expected[2:, :3] = -1
    np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(x, X)


def test_dynamic_update_slice_in_place_writes_into_its_operand() -> None:
    update = np.full((2, 3), -1, np.float32)
    types = [tensor(F32, 4, 6), tensor(F32, 2, 3), tensor(I32), tensor(I32)]
    in_place = entry_of("dynamic_update_slice").in_place
    assert in_place is not None
    function = in_place(specialization("dynamic_update_slice", types, types[:1]))
    assert function is not None
    x = X.copy()
    assert function(x, update, np.int32(1), np.int32(1)) is x
    assert (x[1:3, 1:4] == -1).all()


def gathered(x: Any, indices: Any, numbers: GatherDimensionNumbers, sizes: list[int]) -> np.ndarray:
    """Returns the specification's definition, one element at a time."""
    batch = [size for axis, size in enumerate(indices.shape) if axis != numbers.index_vector_dim]
    gone = numbers.collapsed_slice_dims + numbers.operand_batching_dims
    offsets = [size for axis, size in enumerate(sizes) if axis not in gone]
    rank = len(batch) + len(offsets)
    batch_dims = [axis for axis in range(rank) if axis not in numbers.offset_dims]
    shape = [0] * rank
    for axis, size in [*zip(batch_dims, batch), *zip(numbers.offset_dims, offsets)]:
        shape[axis] = size
    result = np.empty(shape, x.dtype)
    for index in np.ndindex(*shape):
        at = [index[axis] for axis in batch_dims]
        vector = index_vector(indices, at, numbers.index_vector_dim)
        place = [0] * x.ndim
        for component, axis in enumerate(numbers.start_index_map):
            place[axis] = min(max(vector[component], 0), x.shape[axis] - sizes[axis])
        for axis, other in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims):
            place[axis] = at[other - (other > numbers.index_vector_dim)]
        kept = [axis for axis in range(x.ndim) if axis not in gone]
        for axis, offset in zip(kept, [index[axis] for axis in numbers.offset_dims]):
            place[axis] += offset
        result[index] = x[tuple(place)]
    return result


def index_vector(indices: Any, at: list[int], vector_dim: int) -> list[int]:
    if vector_dim == indices.ndim:
        return [int(indices[tuple(at)])]
    return [int(value) for value in indices[(*at[:vector_dim], slice(None), *at[vector_dim:])]]


def drawn_gather(seed: int) -> tuple[Any, Any, GatherDimensionNumbers, list[int]]:
    draw = np.random.default_rng(seed)
    rank = int(draw.integers(1, 5))
    shape = [int(size) for size in draw.integers(1, 5, rank)]
    axes = [int(axis) for axis in draw.permutation(rank)]
    batching = sorted(axes[: int(draw.integers(0, 2))])
    mapped = axes[len(batching) : len(batching) + int(draw.integers(0, rank - len(batching) + 1))]
    sizes = [
        1 if axis in batching or draw.random() < 0.4 else int(draw.integers(1, shape[axis] + 1))
        for axis in range(rank)
    ]
    collapsed = [
        axis for axis in range(rank) if sizes[axis] == 1 and axis not in batching and draw.random() < 0.7
    ]
    batch = [int(size) for size in draw.integers(1, 4, int(draw.integers(len(batching), 3)))]
    places = [int(place) for place in draw.permutation(len(batch))[: len(batching)]]
    for axis, place in zip(batching, places):
        batch[place] = shape[axis]
    vector_dim = int(draw.integers(0, len(batch) + 1))
    implicit = len(mapped) == 1 and draw.random() < 0.3
    full = batch if implicit else [*batch[:vector_dim], len(mapped), *batch[vector_dim:]]
    vector_dim = len(batch) if implicit else vector_dim
    offsets = rank - len(collapsed) - len(batching)
    result_rank = len(batch) + offsets
    numbers = GatherDimensionNumbers(
        tuple(sorted(int(axis) for axis in draw.permutation(result_rank)[:offsets])),
        tuple(collapsed),
        tuple(batching),
        tuple(place + (place >= vector_dim) for place in places),
        tuple(mapped),
        vector_dim,
    )
    indices = draw.integers(-2, 6, full).astype(draw.choice(["i4", "i8", "u1", "i1"]))
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    return (np.asfortranarray(x) if draw.random() < 0.3 else x), indices, numbers, sizes


@pytest.mark.parametrize("seed", range(120))
def test_gather_with_drawn_dimension_numbers(seed: int) -> None:
    x, indices, numbers, sizes = drawn_gather(seed)
    expected = gathered(x, indices, numbers, sizes)
    result = evaluate(
        "gather",
        x,
        indices,
        result_types=[tensor_type(expected)],
        dimension_numbers=numbers,
        slice_sizes=sizes,
    )
    np.testing.assert_array_equal(result, expected)
    dynamic = specialize(
        "dynamic_gather",
        [tensor_type(x), tensor_type(indices), tensor(I32, x.ndim)],
        [RankedTensorType((None,) * expected.ndim, F32)],
        {"dimension_numbers": numbers},
    )
    np.testing.assert_array_equal(dynamic(x, indices, np.array(sizes, np.int32)), expected)


def test_gather_of_rows_with_huge_unsigned_indices() -> None:
    numbers = GatherDimensionNumbers((1,), (0,), (), (), (0,), 1)
    indices = np.array([[2**64 - 1], [1], [2**63]], np.uint64)
    result = evaluate(
        "gather", X, indices, result_types=[tensor(F32, 3, 6)], dimension_numbers=numbers, slice_sizes=[1, 6]
    )
    np.testing.assert_array_equal(result, X[[3, 1, 3]])
    two = GatherDimensionNumbers((), (0, 1), (), (), (0, 1), 1)
    result = evaluate(
        "gather",
        X,
        np.repeat(indices, 2, 1),
        result_types=[tensor(F32, 3)],
        dimension_numbers=two,
        slice_sizes=[1, 1],
    )
    np.testing.assert_array_equal(result, X[[3, 1, 3], [5, 1, 5]])


def test_torch_index_select_with_and_without_batches() -> None:
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    index = np.array([[2, 0], [1, 9]], np.int32)
    result = evaluate(
        "torch_index_select", x, index, result_types=[tensor(F32, 2, 2, 2, 4)], dim=1, batch_dims=0
    )
    np.testing.assert_array_equal(result, x[:, np.minimum(index, 2)])
    result = evaluate(
        "torch_index_select", x, index, result_types=[tensor(F32, 2, 2, 4)], dim=1, batch_dims=1
    )
    np.testing.assert_array_equal(result, np.stack([x[0, [2, 0]], x[1, [1, 2]]]))


def scattered(
    inputs: Any, indices: Any, updates: Any, numbers: ScatterDimensionNumbers, function: Any
) -> list[np.ndarray]:
    """Returns the specification's definition, updates in their order."""
    results = [x.copy() for x in inputs]
    rank, shape = updates[0].ndim, results[0].shape
    scatter_dims = [axis for axis in range(rank) if axis not in numbers.update_window_dims]
    gone = numbers.inserted_window_dims + numbers.input_batching_dims
    kept = [axis for axis in range(len(shape)) if axis not in gone]
    for index in np.ndindex(*updates[0].shape):
        at = [index[axis] for axis in scatter_dims]
        vector = index_vector(indices, at, numbers.index_vector_dim)
        place = [0] * len(shape)
        for component, axis in enumerate(numbers.scatter_dims_to_operand_dims):
            place[axis] = vector[component]
        for axis, other in zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims):
            place[axis] = at[other - (other > numbers.index_vector_dim)]
        for axis, offset in zip(kept, [index[axis] for axis in numbers.update_window_dims]):
            place[axis] += offset
        if all(0 <= position < size for position, size in zip(place, shape)):
            old = [result[tuple(place)] for result in results]
            for result, value in zip(results, function(*old, *[update[index] for update in updates])):
                result[tuple(place)] = value
    return results


MIXED = ListedBody(
    (F32, F32, F32, F32), [("subtract", (2, 1)), ("multiply", (0, 3)), ("subtract", (5, 2))], (4, 6)
)
"""a, b, c, d -> c - b, a * d - c: neither commutative nor associative, each result from both inputs."""
BODIES = [
    (applying("add", F32), 1, lambda a, b: (a + b,)),
    (applying("maximum", F32), 1, lambda a, b: (max(a, b),)),
    (applying("subtract", F32), 1, lambda a, b: (a - b,)),
    (applying("subtract", F32, vectorizable=False), 1, lambda a, b: (a - b,)),
    (returning(F32, 1), 1, lambda a, b: (b,)),
    (returning(F32, 2, 3, count=4), 2, lambda a, b, c, d: (c, d)),
    (MIXED, 2, lambda a, b, c, d: (c - b, a * d - c)),
]


@pytest.mark.parametrize("seed", range(120))
def test_scatter_with_drawn_dimension_numbers(seed: int) -> None:
    x, indices, numbers, sizes = drawn_gather(seed)
    x = x.astype(np.float32)
    shape = gathered(x, indices, numbers, sizes).shape
    draw = np.random.default_rng(seed)
    body, count, function = BODIES[seed % len(BODIES)]
    inputs = [x - number for number in range(count)]
    updates = [draw.integers(-4, 4, shape).astype(np.float32) for _ in range(count)]
    scatter = ScatterDimensionNumbers(
        numbers.offset_dims,
        numbers.collapsed_slice_dims,
        numbers.operand_batching_dims,
        numbers.start_indices_batching_dims,
        numbers.start_index_map,
        numbers.index_vector_dim,
    )
    before = [value.copy() for value in inputs]
    results = evaluate(
        "scatter",
        *inputs,
        indices,
        *updates,
        result_types=[tensor_type(value) for value in inputs],
        bodies=(body,),
        scatter_dimension_numbers=scatter,
    )
    expected = scattered(inputs, indices, updates, scatter, function)
    for result, right in zip(results if count > 1 else [results], expected):
        np.testing.assert_allclose(result, right)
    for value, old in zip(inputs, before):
        np.testing.assert_array_equal(value, old)


ROWS = ScatterDimensionNumbers((1,), (0,), (), (), (0,), 1)


@pytest.mark.parametrize("width", [1, 7, 300])
@pytest.mark.parametrize("number", range(len(BODIES)))
def test_scatter_of_rows_that_repeat_in_their_order(width: int, number: int) -> None:
    body, count, function = BODIES[number]
    draw = np.random.default_rng(width)
    inputs = [draw.integers(0, 3, (5, width)).astype(np.float32) for _ in range(count)]
    indices = draw.integers(-1, 6, (20, 1)).astype(np.int32)
    updates = [draw.integers(-1, 2, (20, width)).astype(np.float32) for _ in range(count)]
    results = evaluate(
        "scatter",
        *inputs,
        indices,
        *updates,
        result_types=[tensor(F32, 5, width)] * count,
        bodies=(body,),
        scatter_dimension_numbers=ROWS,
    )
    expected = scattered(inputs, indices, updates, ROWS, function)
    for result, right in zip(results if count > 1 else [results], expected):
        np.testing.assert_array_equal(result, right)


def test_scatter_rounds_narrow_floats_at_every_update_as_xla_does() -> None:
    element = FloatType("bf16")
    x = np.zeros(2, ml_dtypes.bfloat16)
    numbers = ScatterDimensionNumbers((), (0,), (), (), (0,), 1)
    operands = (x, np.zeros((1000, 1), np.int32), np.ones(1000, x.dtype))
    result = evaluate(
        "scatter", *operands, bodies=(applying("add", element),), scatter_dimension_numbers=numbers
    )
    assert (result.tolist(), result.dtype) == ([256, 0], x.dtype)


def test_scatter_in_place_writes_into_its_first_operand_alone() -> None:
    types = [tensor(F32, 4, 6), tensor(F32, 4, 6), tensor(I32, 2, 1), tensor(F32, 2, 6), tensor(F32, 2, 6)]
    body = returning(F32, 2, 3, count=4)
    in_place = entry_of("scatter").in_place
    assert in_place is not None
    attributes = {"scatter_dimension_numbers": ROWS, "unique_indices": True}
    function = in_place(specialization("scatter", types, types[:2], attributes, (body,)))
    assert function is not None
    first, second = X.copy(), X.copy()
    results = function(first, second, np.array([[1], [3]]), -X[:2], -X[2:])
    assert results[0] is first
    np.testing.assert_array_equal(second, X)
    np.testing.assert_array_equal(results[1][[1, 3]], -X[2:])


def test_scatter_and_reduce_into_a_wider_type() -> None:
    x, wide = X.astype(ml_dtypes.bfloat16), tensor(F32, 4, 6)
    body = (applying("add", F32),)
    types = [tensor_type(x), tensor(I32, 1, 1), tensor_type(x[:1])]
    in_place = entry_of("scatter").in_place
    assert in_place is not None
    function = in_place(specialization("scatter", types, [wide], {"scatter_dimension_numbers": ROWS}, body))
    assert function is not None
    result = function(x, np.array([[2]], np.int32), np.full((1, 6), 1 / 256, x.dtype))
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result[2], X[2] + 1 / 256)
    total = evaluate("reduce", x, x[0, 0], result_types=[tensor(F32, 4)], bodies=body, dimensions=[1])
    np.testing.assert_array_equal(total, X.sum(1))


def test_drawn_dimension_numbers_reach_every_plan() -> None:
    plans = set(itertools.chain.from_iterable(kinds_of(*drawn_gather(seed)) for seed in range(120)))
    assert plans == {"batching", "implicit", "window", "row", "single", "unmoved"}


def kinds_of(x: Any, indices: Any, numbers: GatherDimensionNumbers, sizes: list[int]) -> set[str]:
    moving = [axis for axis in numbers.start_index_map if x.shape[axis] > sizes[axis]]
    found = {
        "batching": bool(numbers.operand_batching_dims),
        "implicit": numbers.index_vector_dim == indices.ndim,
        "window": any(sizes[axis] > 1 for axis in moving),
        "row": len(moving) == 1 and sizes[moving[0]] == 1,
        "single": indices.size == len(numbers.start_index_map),
        "unmoved": not moving,
    }
    return {name for name, holds in found.items() if holds}
