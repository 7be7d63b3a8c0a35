"""Operations that combine elements by a region: reduce, windows, scatter, sort."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from shlo.debugger.provenance.contributions import (
    Index,
    OpRun,
    Terms,
    element,
    position_at,
    positions_in,
    terms_of,
    terms_of_op,
    whole,
)
from shlo.dialects.struct_attributes import ScatterDimensionNumbers
from shlo.interpreter.kernels.reduction.window_reduce import ReducedWindows, windows_of
from shlo.ir.dtypes import Array
from shlo.runner.statistics import wide


@terms_of_op
def reduce(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The elements along the reduced dimensions, and the initial values."""
    dimensions = run.view.integers("dimensions")
    array = run.arrays[0]
    coordinates = iter(index)
    at = tuple(slice(None) if axis in dimensions else next(coordinates) for axis in range(array.ndim))
    positions = positions_in(array.shape)[at].reshape(-1)
    return _combined(run, result, index, positions)


@terms_of_op
def reduce_window(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The elements in the window, and the initial values."""
    array = run.arrays[0]
    windows = windows_of(run.view, array.ndim)
    return _combined(run, result, index, _in_window(windows, index, array.shape))


def _combined(run: OpRun, result: int, index: Index, positions: Array) -> list[Terms]:
    """Returns elements of the inputs that a body combines: all of one input where the body is one operation,
    with those first that are the result (a maximum), then by magnitude.
    """
    count = len(run.operands) // 2
    inputs = [result] if count == 1 or _is_apart(run, result) else range(count)
    result_value = wide(run.results[result])[index]
    terms: list[Terms] = []
    for number in inputs:
        values = wide(run.arrays[number]).reshape(-1)[positions]
        amounts = np.where(values == result_value, np.inf, values) if _chooses(run) else values
        terms.append(Terms(number, positions, "term", amounts))
    return [*terms, *(whole(count + number, run.arrays[count + number]) for number in inputs)]


def _is_apart(run: OpRun, result: int) -> bool:
    """Returns whether a body of several results computes this one from its own two arguments alone."""
    block, count = run.bodies[0].block, len(run.operands) // 2
    needed = {block.operations[-1].operands[result]}
    for operation in reversed(block.operations[:-1]):
        if needed.intersection(operation.results):
            needed.update(operation.operands)
    registers = {block.arguments[result], block.arguments[count + result]}
    return not needed.intersection(set(block.arguments) - registers)


def _chooses(run: OpRun) -> bool:
    single = run.bodies[0].single_operation
    return single is not None and single.name.rpartition(".")[2] in ("maximum", "minimum")


def _in_window(windows: ReducedWindows, index: Sequence[int], shape: Sequence[int]) -> Array:
    """Returns the positions of the elements in the window of a result's index, in the window's order."""
    rank = len(shape)
    grid = np.indices(windows.sizes).reshape(rank, math.prod(windows.sizes))
    inside = np.ones(math.prod(windows.sizes), bool)
    at: list[Array] = []
    for d in range(rank):
        base = windows.base_dilations[d]
        spread = index[d] * windows.strides[d] + grid[d] * windows.dilations[d] - windows.low[d]
        inside &= (spread >= 0) & (spread % base == 0) & (spread // base < shape[d])
        at.append(spread // base)
    if not rank:
        return np.zeros(1, np.int64)
    return np.asarray(np.ravel_multi_index([coordinate[inside] for coordinate in at], tuple(shape)))


@terms_of_op
def select_and_scatter(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The elements of the source whose windows select this place, the elements of the windows that hold it,
    which are compared, and the initial value.
    """
    array, source, _ = run.arrays
    windows = windows_of(run.view, array.ndim)
    here = position_at(index, array.shape)
    values = array.reshape(-1)
    chosen: list[int] = []
    compared: set[int] = set()
    for number, at in enumerate(np.ndindex(source.shape)):
        positions = _in_window(windows, at, array.shape).tolist()
        if here in positions:
            compared.update(positions)
            if _selected(run, values, positions) == here:
                chosen.append(number)
    picked = np.array(chosen, np.int64)
    terms = Terms(1, picked, "term", wide(source).reshape(-1)[picked])
    return [terms, whole(2, run.arrays[2]), Terms(0, np.array(sorted(compared), np.int64), "choice")]


def _selected(run: OpRun, values: Array, positions: Sequence[int]) -> int:
    best = positions[0]
    for position in positions[1:]:
        if not bool(run.bodies[0].on_scalars(values[best], values[position])[0]):
            best = position
    return best


@terms_of_op
def scatter(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The element that was there, the updates that reach it, and the indices each of which decides whether
    one does: those that send it there, and behind them those that alone send it elsewhere. Where the body
    returns the update, the last one alone, and the indices of those behind it.
    """
    count = (len(run.operands) - 1) // 2
    returned = run.bodies[0].returned_arguments
    if returned is not None and returned[result] < count:
        return [element(returned[result], run.arrays[returned[result]], index, "term")]
    landing = _landing_of(run, count, index)
    reaching = np.sort(landing.updates[landing.lands])
    replaces = returned is not None
    decides = landing.decides
    if replaces and reaching.size:
        reaching = reaching[-1:]
        is_last = landing.lands & (landing.updates == reaching[0])
        decides = decides & (is_last[..., None] | (landing.last > reaching[0]))
    inputs = [result] if count == 1 or replaces or _is_apart(run, result) else range(count)
    terms: list[Terms] = []
    for number in inputs:
        if not (replaces and reaching.size):
            terms.append(element(number, run.arrays[number], index, "term"))
        updates = wide(run.arrays[count + 1 + number]).reshape(-1)[reaching]
        terms.append(Terms(count + 1 + number, reaching, "term", updates))
    lands = decides & landing.lands[..., None]
    return [
        *terms,
        *(Terms(count, landing.indices[is_chosen], "choice") for is_chosen in (lands, decides & ~lands)),
    ]


class _Landing(Struct, frozen=True):
    """Where the updates of a scatter go, as seen from an element of an operand.

    Args:
        lands: which windows of updates reach it, [batch].
        updates: the position in the updates of the element that does, [batch].
        indices: the position of each start index in the operand of indices, [batch, component].
        decides: whether it alone decides if the window reaches the element, [batch, component].
        last: the position of the last element of the updates that it can send there, [batch, component].
    """

    lands: Array
    updates: Array
    indices: Array
    decides: Array
    last: Array


def _landing_of(run: OpRun, count: int, index: Index) -> _Landing:
    """Returns where the updates of a scatter of `count` operands go, as seen from an index."""
    numbers = run.view.require("scatter_dimension_numbers", ScatterDimensionNumbers)
    indices, shape, rank = run.arrays[count], run.arrays[count + 1].shape, len(index)
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    sizes, steps = np.ones(rank, np.int64), np.zeros(rank, np.int64)  # of windows, by axes of the operand
    inserted = (*numbers.inserted_window_dims, *numbers.input_batching_dims)
    windowed = [axis for axis in range(rank) if axis not in inserted]
    for axis, dim in zip(windowed, numbers.update_window_dims):
        sizes[axis], steps[axis] = shape[dim], strides[dim]
    vectors = _vectors(indices, numbers).astype(np.int64)
    batch_shape: tuple[int, ...] = vectors.shape[:-1]
    grid = np.indices(batch_shape)
    starts = np.zeros((*batch_shape, rank), np.int64)
    axes = list(numbers.scatter_dims_to_operand_dims)
    starts[..., axes] = vectors
    for axis, dim in zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims):
        starts[..., axis] = grid[dim - (dim > numbers.index_vector_dim)]
    offsets = np.array(index, np.int64) - starts
    misses = (offsets < 0) | (offsets >= sizes)
    updates: Array = np.asarray((offsets * steps).sum(-1))
    batches = [dim for dim in range(len(shape)) if dim not in numbers.update_window_dims]
    for dim, coordinate in zip(batches, grid):
        updates = updates + coordinate * strides[dim]
    return _Landing(
        np.asarray(~misses.any(-1)),
        updates,
        _vectors(positions_in(indices.shape), numbers),
        misses.sum(-1, keepdims=True) == misses[..., axes],
        updates[..., None] + (sizes[axes] - 1 - offsets[..., axes]) * steps[axes],
    )


def _vectors(indices: Array, numbers: ScatterDimensionNumbers) -> Array:
    """Returns indices with the components of each vector along the last dimension."""
    at = numbers.index_vector_dim
    return indices[..., None] if at == indices.ndim else np.moveaxis(indices, at, -1)


@terms_of("chlo.top_k")
@terms_of_op
def sort(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The element that was moved here, and those along the dimension, which were compared."""
    is_sort = run.view.name == "stablehlo.sort"
    array, rank = run.arrays[0], len(index)
    axis = run.view.integer("dimension", -1) % rank if is_sort else rank - 1
    at = tuple(slice(None) if d == axis else size for d, size in enumerate(index))
    positions = positions_in(array.shape)[at].reshape(-1)
    before = _rows([operand.reshape(-1)[positions] for operand in run.arrays])
    after = _rows([np.asarray(array)[at].reshape(-1) for array in run.results[: len(run.arrays)]])
    # equal elements keep their order, so the second of them is the second
    occurrence = after[: index[axis]].count(after[index[axis]])
    equal = [position for position, row in enumerate(before) if row == after[index[axis]]]
    source = equal[min(occurrence, len(equal) - 1)]
    owner = result if is_sort else 0
    others = np.delete(positions, source)
    return [
        Terms(owner, positions[source : source + 1], "value" if is_sort or not result else "choice"),
        *(Terms(key, others if key == owner else positions, "choice") for key in range(len(run.arrays))),
    ]


def _rows(lines: Sequence[Array]) -> list[tuple[bytes, ...]]:
    return list(zip(*([element.tobytes() for element in line] for line in lines)))
