"""Operations that move elements, or make them from nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from shlo.ir.dense import DenseElementsAttr, static_shape
from shlo.ir.dtypes import bit_width
from shlo.ir.types import I64, Type
from shlo.reference.bits import bits_of, element_of_bits
from shlo.reference.element import Element, EvaluationError, converted
from shlo.reference.op import Op, meaning
from shlo.reference.tensor import Index, Tensor, filled, index_space, tensor_of


def gathered(shape: Sequence[int], type_: Type, element_at: Callable[[Index], Element]) -> Tensor:
    """Returns the tensor with `result[i] = element_at(i)`."""
    return filled(shape, type_, map(element_at, index_space(shape)))


def sizes_of(tensor: Tensor) -> Index:
    """Returns the integers of a tensor of rank 1: a shape, strides, padding."""
    return tuple(element.value for element in tensor.elements())


# -- creation ----------------------------------------------------------------------------------------------


@meaning()
def constant(op: Op) -> Tensor:
    """The elements that the attribute `value` has."""
    value = op.operation.attribute("value")
    if not isinstance(value, DenseElementsAttr):
        raise EvaluationError("expected a constant whose elements are in the program")
    return tensor_of(np.broadcast_to(value.array, static_shape(value.type)), op.result_type())


@meaning()
def iota(op: Op) -> Tensor:
    """Elements that count from zero along a dimension."""
    return counted(op.result_shape(), op.result_type(), op.attribute("iota_dimension"))


@meaning()
def dynamic_iota(op: Op, output_shape: Tensor) -> Tensor:
    """`iota` of a shape that is an operand."""
    return counted(sizes_of(output_shape), op.result_type(), op.attribute("iota_dimension"))


def counted(shape: Sequence[int], type_: Type, dimension: int) -> Tensor:
    """Returns the tensor whose elements are their index in a dimension."""
    return gathered(shape, type_, lambda index: converted(Element(I64, index[dimension]), type_))


# -- shapes ------------------------------------------------------------------------------------------------


@meaning()
def broadcast_in_dim(op: Op, operand: Tensor) -> Tensor:
    """result[result_index] = operand[operand_index]; where the operand's size is 1, operand_index is 0."""
    return broadcast(operand, op.result_shape(), op.attribute("broadcast_dimensions"), op.result_type())


@meaning()
def dynamic_broadcast_in_dim(op: Op, operand: Tensor, output_dimensions: Tensor) -> Tensor:
    """`broadcast_in_dim` to a shape that is an operand."""
    return broadcast(
        operand, sizes_of(output_dimensions), op.attribute("broadcast_dimensions"), op.result_type()
    )


def broadcast(operand: Tensor, shape: Sequence[int], dimensions: Sequence[int], type_: Type) -> Tensor:
    """Returns a tensor that repeats an operand whose dimension d is the result's dimension dimensions[d]."""

    def element_at(result_index: Index) -> Element:
        operand_index = [
            0 if size == 1 else result_index[dimensions[d]] for d, size in enumerate(operand.shape)
        ]
        return Element(type_, operand.get(operand_index).value)

    return gathered(shape, type_, element_at)


@meaning("broadcast")
def old_broadcast(op: Op, operand: Tensor) -> Tensor:
    """Repeats an operand along new dimensions in front (not in the specification)."""
    rank = len(op.result_shape())
    return broadcast(operand, op.result_shape(), range(rank - operand.rank, rank), op.result_type())


@meaning()
def reshape(op: Op, operand: Tensor) -> Tensor:
    """The same elements, in their order, in another shape."""
    return filled(op.result_shape(), operand.element_type, operand.elements())


@meaning()
def dynamic_reshape(op: Op, operand: Tensor, output_shape: Tensor) -> Tensor:
    """`reshape` to a shape that is an operand."""
    return filled(sizes_of(output_shape), operand.element_type, operand.elements())


@meaning("transpose")
def transpose_(op: Op, operand: Tensor) -> Tensor:
    """result[result_index] = operand[operand_index] where result_index[d] =
    operand_index[permutation[d]]."""
    return transposed(operand, op.attribute("permutation"))


def transposed(operand: Tensor, permutation: Sequence[int]) -> Tensor:
    """Returns a tensor with its dimensions in another order."""

    def element_at(result_index: Index) -> Element:
        operand_index = [0] * operand.rank
        for d, i in enumerate(result_index):
            operand_index[permutation[d]] = i
        return operand.get(operand_index)

    return gathered([operand.shape[d] for d in permutation], operand.element_type, element_at)


@meaning("reverse")
def reverse_(op: Op, operand: Tensor) -> Tensor:
    """The elements in opposite order along some dimensions."""
    return reversed_(operand, op.attribute("dimensions"))


def reversed_(operand: Tensor, dimensions: Sequence[int]) -> Tensor:
    """Returns operand[i] with i[d] = size - 1 - i[d] for these dimensions."""

    def element_at(index: Index) -> Element:
        return operand.get([operand.shape[d] - 1 - i if d in dimensions else i for d, i in enumerate(index)])

    return gathered(operand.shape, operand.element_type, element_at)


@meaning()
def concatenate(op: Op, *inputs: Tensor) -> Tensor:
    """The inputs one behind the other along a dimension."""
    return concatenated(inputs, op.attribute("dimension"))


def concatenated(inputs: Sequence[Tensor], dimension: int) -> Tensor:
    """Returns the tensor in which input k begins where input k - 1 ends."""
    shape = list(inputs[0].shape)
    shape[dimension] = sum(each.shape[dimension] for each in inputs)
    result = Tensor(shape, inputs[0].element_type)
    start = 0
    for operand in inputs:
        for index in operand.indices():
            result_index = list(index)
            result_index[dimension] += start
            result.set(result_index, operand.get(index))
        start += operand.shape[dimension]
    return result


def split(operand: Tensor, count: int, dimension: int) -> list[Tensor]:
    """Returns the specification's `split`: parts of the same size along a dimension."""
    size = operand.shape[dimension] // count
    sizes = [size if d == dimension else n for d, n in enumerate(operand.shape)]
    starts = [[size * part if d == dimension else 0 for d in range(operand.rank)] for part in range(count)]
    return [sliced(operand, start, sizes) for start in starts]


# -- slices and padding ------------------------------------------------------------------------------------


def sliced(
    operand: Tensor, starts: Sequence[int], sizes: Sequence[int], strides: Sequence[int] | None = None
) -> Tensor:
    """Returns the tensor with result[i] = operand[starts + i * strides]."""
    steps = strides or [1] * operand.rank

    def element_at(index: Index) -> Element:
        return operand.get([start + i * step for start, i, step in zip(starts, index, steps)])

    return gathered(sizes, operand.element_type, element_at)


def _slice(operand: Tensor, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int]) -> Tensor:
    sizes = [-(-(limit - start) // step) for start, limit, step in zip(starts, limits, strides)]
    return sliced(operand, starts, sizes, strides)


@meaning("slice")
def slice_(op: Op, operand: Tensor) -> Tensor:
    """result[result_index] = operand[start_indices + result_index * strides]."""
    return _slice(
        operand, op.attribute("start_indices"), op.attribute("limit_indices"), op.attribute("strides")
    )


@meaning()
def real_dynamic_slice(
    op: Op, operand: Tensor, start_indices: Tensor, limit_indices: Tensor, strides: Tensor
) -> Tensor:
    """`slice` by operands (not in the specification)."""
    return _slice(operand, sizes_of(start_indices), sizes_of(limit_indices), sizes_of(strides))


@meaning("pad")
def pad_(op: Op, operand: Tensor, padding_value: Tensor) -> Tensor:
    """operand[i] at edge_padding_low + i * (interior_padding + 1), padding_value elsewhere."""
    low, high = op.attribute("edge_padding_low"), op.attribute("edge_padding_high")
    return padded(operand, padding_value.get(()), low, high, op.attribute("interior_padding"))


@meaning()
def dynamic_pad(
    op: Op, operand: Tensor, padding_value: Tensor, low: Tensor, high: Tensor, interior: Tensor
) -> Tensor:
    """`pad` by operands."""
    return padded(operand, padding_value.get(()), sizes_of(low), sizes_of(high), sizes_of(interior))


def padded(
    operand: Tensor, padding_value: Element, low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> Tensor:
    """Returns a tensor with padding around and between elements; negative padding at an edge removes
    elements."""
    shape = [
        before + max(size - 1, 0) * gap + size + after
        for size, before, after, gap in zip(operand.shape, low, high, interior)
    ]
    result = filled(shape, operand.element_type, [padding_value] * prod(shape))
    for index in operand.indices():
        result_index = [before + i * (gap + 1) for before, i, gap in zip(low, index, interior)]
        if all(0 <= i < size for i, size in zip(result_index, shape)):
            result.set(result_index, operand.get(index))
    return result


# -- bits and sizes ----------------------------------------------------------------------------------------


@meaning()
def bitcast_convert(op: Op, operand: Tensor) -> Tensor:
    """The bits of the whole operand as elements of another type; the low bits of a wider element come
    first."""
    old, new = bit_width(operand.element_type), bit_width(op.result_type())
    bits = [bits_of(element) for element in operand.elements()]
    if new < old:
        bits = [number >> new * part & ((1 << new) - 1) for number in bits for part in range(old // new)]
    elif new > old:
        ratio = new // old
        bits = [
            sum(number << old * part for part, number in enumerate(bits[first : first + ratio]))
            for first in range(0, len(bits), ratio)
        ]
    return filled(
        op.result_shape(), op.result_type(), (element_of_bits(number, op.result_type()) for number in bits)
    )


@meaning()
def get_dimension_size(op: Op, operand: Tensor) -> Tensor:
    """The size of a dimension."""
    return filled((), op.result_type(), [Element(op.result_type(), operand.shape[op.attribute("dimension")])])


@meaning()
def set_dimension_size(op: Op, operand: Tensor, size: Tensor) -> Tensor:
    """The first elements along a dimension."""
    shape = list(operand.shape)
    shape[op.attribute("dimension")] = size.item()
    return sliced(operand, [0] * operand.rank, shape)
