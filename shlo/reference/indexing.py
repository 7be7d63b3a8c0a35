"""Operations that read and write at indices which are operands."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.dialects.struct_attributes import GatherDimensionNumbers, ScatterDimensionNumbers
from shlo.reference.element import Element
from shlo.reference.movement import gathered, sizes_of, sliced
from shlo.reference.op import Op, meaning
from shlo.reference.tensor import Index, Tensor


def clamped(index: int, least: int, largest: int) -> int:
    """Returns the nearest index of a range."""
    return max(least, min(index, largest))


@meaning()
def dynamic_slice(op: Op, operand: Tensor, *start_indices: Tensor) -> Tensor:
    """operand[adjusted_start_indices + result_index], the slice moved to where it is within the operand."""
    sizes = op.attribute("slice_sizes")
    return sliced(operand, _adjusted(start_indices, operand.shape, sizes), sizes)


@meaning()
def dynamic_update_slice(op: Op, operand: Tensor, update: Tensor, *start_indices: Tensor) -> Tensor:
    """`operand`, but `update` in the slice that begins at the indices, moved to where it is within the
    operand."""
    starts = _adjusted(start_indices, operand.shape, update.shape)
    result = operand.copy()
    for index in update.indices():
        result.set([start + i for start, i in zip(starts, index)], update.get(index))
    return result


def _adjusted(start_indices: Sequence[Tensor], shape: Index, sizes: Index) -> Index:
    starts = (index.item() for index in start_indices)
    return tuple(clamped(start, 0, whole - size) for start, whole, size in zip(starts, shape, sizes))


@meaning("gather")
def gather_(op: Op, operand: Tensor, start_indices: Tensor) -> Tensor:
    """Slices of the operand that begin at indices, each moved to where it is within the operand."""
    return _gather(op, operand, start_indices, op.attribute("slice_sizes"))


@meaning()
def dynamic_gather(op: Op, operand: Tensor, start_indices: Tensor, slice_sizes: Tensor) -> Tensor:
    """`gather` with sizes that are an operand."""
    return _gather(op, operand, start_indices, sizes_of(slice_sizes))


def _gather(op: Op, operand: Tensor, start_indices: Tensor, slice_sizes: Index) -> Tensor:
    numbers = op.attribute("dimension_numbers")
    assert isinstance(numbers, GatherDimensionNumbers)
    batch_shape = without(start_indices.shape, [numbers.index_vector_dim])
    removed = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    offset_shape = without(slice_sizes, removed)
    rank = len(batch_shape) + len(offset_shape)
    batch_dims = [d for d in range(rank) if d not in numbers.offset_dims]
    shape = [0] * rank
    for d, size in zip([*batch_dims, *numbers.offset_dims], [*batch_shape, *offset_shape]):
        shape[d] = size

    def element_at(result_index: Index) -> Element:
        batch_index = [result_index[d] for d in batch_dims]
        start_index = vector(start_indices, batch_index, numbers.index_vector_dim)
        full_start_index = [0] * operand.rank
        for d_start, d_operand in enumerate(numbers.start_index_map):
            last = operand.shape[d_operand] - slice_sizes[d_operand]
            full_start_index[d_operand] = clamped(start_index[d_start], 0, last)
        full_batching_index = _batching(
            operand.rank,
            batch_index,
            numbers.operand_batching_dims,
            numbers.start_indices_batching_dims,
            numbers.index_vector_dim,
        )
        full_offset_index = with_zeros([result_index[d] for d in numbers.offset_dims], removed, operand.rank)
        return operand.get(
            [sum(parts) for parts in zip(full_start_index, full_batching_index, full_offset_index)]
        )

    return gathered(shape, operand.element_type, element_at)


@meaning()
def scatter(op: Op, *operands: Tensor) -> tuple[Tensor, ...]:
    """The inputs, with each update combined into the element at its index; updates out of bounds are left
    out.

    The schedule is the order of the updates' indices.
    """
    count = len(operands) // 2
    inputs, scatter_indices, updates = operands[:count], operands[count], operands[count + 1 :]
    numbers = op.attribute("scatter_dimension_numbers")
    assert isinstance(numbers, ScatterDimensionNumbers)
    update_computation = op.combine()
    results = [each.copy() for each in inputs]
    rank = inputs[0].rank
    removed = (*numbers.inserted_window_dims, *numbers.input_batching_dims)
    update_scatter_dims = [d for d in range(updates[0].rank) if d not in numbers.update_window_dims]
    for update_index in updates[0].indices():
        update_scatter_index = [update_index[d] for d in update_scatter_dims]
        start_index = vector(scatter_indices, update_scatter_index, numbers.index_vector_dim)
        full_start_index = [0] * rank
        for d_start, d_input in enumerate(numbers.scatter_dims_to_operand_dims):
            full_start_index[d_input] = start_index[d_start]
        full_batching_index = _batching(
            rank,
            update_scatter_index,
            numbers.input_batching_dims,
            numbers.scatter_indices_batching_dims,
            numbers.index_vector_dim,
        )
        full_window_index = with_zeros([update_index[d] for d in numbers.update_window_dims], removed, rank)
        result_index = [sum(parts) for parts in zip(full_start_index, full_batching_index, full_window_index)]
        if all(0 <= i < size for i, size in zip(result_index, inputs[0].shape)):
            old = [result.get(result_index) for result in results]
            new = update_computation(*old, *(update.get(update_index) for update in updates))
            for result, element in zip(results, new, strict=True):
                result.set(result_index, element)
    return tuple(results)


def without(sizes: Sequence[int], dimensions: Sequence[int]) -> list[int]:
    """Returns sizes but those of some dimensions."""
    return [size for d, size in enumerate(sizes) if d not in dimensions]


def with_zeros(index: Sequence[int], dimensions: Sequence[int], rank: int) -> list[int]:
    """Returns an index with zeros inserted at some dimensions."""
    rest = iter(index)
    return [0 if d in dimensions else next(rest) for d in range(rank)]


def vector(indices: Tensor, batch_index: Sequence[int], index_vector_dim: int) -> list[int]:
    """Returns indices[bi0, ..., :, ..., biN] with `:` at `index_vector_dim`, one index where that is the
    rank."""
    if index_vector_dim == indices.rank:
        return [indices.get(batch_index).value]
    before, after = batch_index[:index_vector_dim], batch_index[index_vector_dim:]
    return [indices.get([*before, i, *after]).value for i in range(indices.shape[index_vector_dim])]


def _batching(
    rank: int, batch_index: Sequence[int], operand_dims: Index, indices_dims: Index, index_vector_dim: int
) -> list[int]:
    """Returns the index of the batch in the operand's batching dimensions, zeros elsewhere."""
    full = [0] * rank
    for d_operand, d_indices in zip(operand_dims, indices_dims, strict=True):
        full[d_operand] = batch_index[d_indices - (d_indices > index_vector_dim)]
    return full


@meaning()
def torch_index_select(op: Op, operand: Tensor, index: Tensor) -> Tensor:
    """Slices along a dimension by indices, after some dimensions of batches (not in the specification)."""
    dim: int = op.attribute("dim")
    batch_dims: int = op.attribute("batch_dims")
    index_rank = index.rank - batch_dims
    shape = [*operand.shape[:dim], *index.shape[batch_dims:], *operand.shape[dim + 1 :]]

    def element_at(result_index: Index) -> Element:
        chosen = index.get([*result_index[:batch_dims], *result_index[dim : dim + index_rank]]).value
        place = clamped(chosen, 0, operand.shape[dim] - 1)
        return operand.get([*result_index[:dim], place, *result_index[dim + index_rank :]])

    return gathered(shape, operand.element_type, element_at)
