"""Operations that combine elements by a region: reductions, windows, sorting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key

from shlo.reference.element import Element
from shlo.reference.indexing import without
from shlo.reference.movement import padded, sliced
from shlo.reference.op import Op, meaning
from shlo.reference.tensor import Index, Tensor, filled, index_space

Combine = Callable[..., tuple[Element, ...]]


def folded(
    inputs: Sequence[Tensor], init_values: Sequence[Element], dimensions: Sequence[int], body: Combine
) -> tuple[Tensor, ...]:
    """Returns inputs reduced along dimensions.

    The schedule: init value first, then the elements in ascending lexicographic order of index, from the
    left.
    """
    kept = [d for d in range(inputs[0].rank) if d not in dimensions]
    shape = without(inputs[0].shape, dimensions)
    reduced_space = [inputs[0].shape[d] for d in dimensions]
    rows: list[tuple[Element, ...]] = []
    for result_index in index_space(shape):
        total = tuple(init_values)
        for reduced_index in index_space(reduced_space):
            index = [0] * inputs[0].rank
            for d, i in zip([*kept, *dimensions], [*result_index, *reduced_index]):
                index[d] = i
            total = body(*total, *(each.get(index) for each in inputs))
        rows.append(total)
    return tuple(
        filled(shape, rows[0][number].type if rows else init.type, (row[number] for row in rows))
        for number, init in enumerate(init_values)
    )


@meaning()
def reduce(op: Op, *operands: Tensor) -> tuple[Tensor, ...]:
    """Combines the elements along dimensions."""
    count = len(operands) // 2
    init_values = [each.get(()) for each in operands[count:]]
    return folded(operands[:count], init_values, sorted(op.attribute("dimensions")), op.combine())


def windows(
    inputs: Sequence[Tensor],
    padding_values: Sequence[Element],
    window: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[Sequence[int]],
    base_dilations: Sequence[int],
    window_dilations: Sequence[int],
) -> tuple[Index, Callable[[Index], list[Tensor]]]:
    """Returns how many windows there are in each dimension, and the elements in the window of an index."""
    low, high = [low for low, _ in padding], [high for _, high in padding]
    interior = [dilation - 1 for dilation in base_dilations]
    around = [padded(each, value, low, high, interior) for each, value in zip(inputs, padding_values)]
    reach = [(size - 1) * dilation + 1 for size, dilation in zip(window, window_dilations)]
    counts = tuple(
        0 if whole == 0 or size > whole else (whole - size) // stride + 1
        for whole, size, stride in zip(around[0].shape, reach, strides)
    )

    def elements(result_index: Index) -> list[Tensor]:
        start = [i * stride for i, stride in zip(result_index, strides)]
        return [sliced(each, start, window, window_dilations) for each in around]

    return counts, elements


@meaning()
def reduce_window(op: Op, *operands: Tensor) -> tuple[Tensor, ...]:
    """Combines the elements in each window; padding has the init values."""
    count = len(operands) // 2
    inputs, init_values = operands[:count], [each.get(()) for each in operands[count:]]
    rank, body = inputs[0].rank, op.combine()
    counts, elements = windows(
        inputs,
        init_values,
        op.attribute("window_dimensions"),
        op.attribute("window_strides", (1,) * rank),
        op.attribute("padding", ((0, 0),) * rank),
        op.attribute("base_dilations", (1,) * rank),
        op.attribute("window_dilations", (1,) * rank),
    )
    totals = [folded(elements(index), init_values, range(rank), body) for index in index_space(counts)]
    return tuple(
        filled(counts, op.result_type(number), (total[number].get(()) for total in totals))
        for number in range(count)
    )


@meaning()
def select_and_scatter(op: Op, operand: Tensor, source: Tensor, init_value: Tensor) -> Tensor:
    """Scatters each element of `source` to the element that `select` chooses in its window, combined by
    `scatter`."""
    rank, select, scatter = operand.rank, op.combine(0), op.combine(1)
    window = op.attribute("window_dimensions", (1,) * rank)
    strides = op.attribute("window_strides", (1,) * rank)
    padding = op.attribute("padding", ((0, 0),) * rank)
    result = filled(operand.shape, operand.element_type, [init_value.get(()) for _ in operand.indices()])
    for source_index in source.indices():
        chosen: Index | None = None
        for offset in index_space(window):
            index = tuple(
                i * stride + o - low for i, stride, o, (low, _) in zip(source_index, strides, offset, padding)
            )
            if not all(0 <= i < size for i, size in zip(index, operand.shape)):
                continue  # padding is never chosen
            if chosen is None or not select(operand.get(chosen), operand.get(index))[0].value:
                chosen = index
        if chosen is not None:
            result.set(chosen, scatter(result.get(chosen), source.get(source_index))[0])
    return result


@meaning()
def sort(op: Op, *inputs: Tensor) -> tuple[Tensor, ...]:
    """Sorts slices of all inputs together along a dimension; the order of equal elements stays."""
    rank = inputs[0].rank
    dimension: int = op.attribute("dimension", -1) % max(rank, 1)
    comparator = op.combine()

    def is_less(lhs: tuple[Element, ...], rhs: tuple[Element, ...]) -> bool:
        return bool(comparator(*(element for pair in zip(lhs, rhs) for element in pair))[0].value)

    def order(lhs: tuple[Element, ...], rhs: tuple[Element, ...]) -> int:
        return -1 if is_less(lhs, rhs) else int(is_less(rhs, lhs))

    results = [each.copy() for each in inputs]
    for outer in index_space([1 if d == dimension else size for d, size in enumerate(inputs[0].shape)]):
        line = [(*outer[:dimension], i, *outer[dimension + 1 :]) for i in range(inputs[0].shape[dimension])]
        together = [tuple(each.get(index) for each in inputs) for index in line]
        for index, elements in zip(line, sorted(together, key=cmp_to_key(order)), strict=True):
            for result, element in zip(results, elements, strict=True):
                result.set(index, element)
    return tuple(results)
