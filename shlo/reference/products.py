"""Sums of products: contractions and the convolution."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from shlo.dialects.struct_attributes import ConvDimensionNumbers, DotDimensionNumbers
from shlo.ir.types import Type
from shlo.reference.element import Element, converted, zero
from shlo.reference.movement import concatenated, gathered, padded, reversed_, sizes_of, sliced, split
from shlo.reference.op import Op, meaning
from shlo.reference.tensor import Index, Tensor, index_space


def dot_product(pairs: Sequence[tuple[Element, Element]], type_: Type) -> Element:
    """Returns the sum of products, from zero on and in order, each in the result's type."""
    products = (converted(left, type_) * converted(right, type_) for left, right in pairs)
    return reduce(lambda total, product: total + product, products, zero(type_))


def contracted(
    lhs: Tensor,
    rhs: Tensor,
    lhs_batching: Sequence[int],
    rhs_batching: Sequence[int],
    lhs_contracting: Sequence[int],
    rhs_contracting: Sequence[int],
    type_: Type,
) -> Tensor:
    """Returns dot products of slices: result[batching + lhs_result + rhs_result]."""
    lhs_result = [d for d in range(lhs.rank) if d not in (*lhs_batching, *lhs_contracting)]
    rhs_result = [d for d in range(rhs.rank) if d not in (*rhs_batching, *rhs_contracting)]
    space = [lhs.shape[d] for d in lhs_contracting]
    batches, lhs_count = len(lhs_batching), len(lhs_result)

    def element_at(result_index: Index) -> Element:
        batch, rest = result_index[:batches], result_index[batches:]

        def pair(contracting: Index) -> tuple[Element, Element]:
            at_lhs = dict(
                zip((*lhs_batching, *lhs_result, *lhs_contracting), (*batch, *rest[:lhs_count], *contracting))
            )
            at_rhs = dict(
                zip((*rhs_batching, *rhs_result, *rhs_contracting), (*batch, *rest[lhs_count:], *contracting))
            )
            return lhs.get([at_lhs[d] for d in range(lhs.rank)]), rhs.get(
                [at_rhs[d] for d in range(rhs.rank)]
            )

        return dot_product([pair(index) for index in index_space(space)], type_)

    shape = [
        *(lhs.shape[d] for d in lhs_batching),
        *(lhs.shape[d] for d in lhs_result),
        *(rhs.shape[d] for d in rhs_result),
    ]
    return gathered(shape, type_, element_at)


@meaning()
def dot_general(op: Op, lhs: Tensor, rhs: Tensor) -> Tensor:
    """Dot products of slices of lhs and slices of rhs."""
    numbers = op.attribute("dot_dimension_numbers")
    assert isinstance(numbers, DotDimensionNumbers)
    return contracted(
        lhs,
        rhs,
        numbers.lhs_batching_dimensions,
        numbers.rhs_batching_dimensions,
        numbers.lhs_contracting_dimensions,
        numbers.rhs_contracting_dimensions,
        op.result_type(),
    )


@meaning()
def dot(op: Op, lhs: Tensor, rhs: Tensor) -> Tensor:
    """The product of matrices or vectors (not in the specification)."""
    return contracted(lhs, rhs, [], [], [lhs.rank - 1], [0], op.result_type())


@meaning()
def einsum(op: Op, lhs: Tensor, rhs: Tensor) -> Tensor:
    """result[labels] = sum of lhs[labels] * rhs[labels] over labels that the result has not (not in the
    specification)."""
    inputs, result_labels = op.attribute("einsum_config").replace(" ", "").split("->")
    return _summed([lhs, rhs], inputs.split(","), result_labels, op.result_type())


@meaning()
def unary_einsum(op: Op, operand: Tensor) -> Tensor:
    """result[labels] = sum of operand[labels] over labels that the result has not (not in the
    specification)."""
    labels, result_labels = op.attribute("einsum_config").replace(" ", "").split("->")
    return _summed([operand], [labels], result_labels, op.result_type())


def _summed(operands: Sequence[Tensor], labels: Sequence[str], result_labels: str, type_: Type) -> Tensor:
    sizes = {
        label: size for operand, names in zip(operands, labels) for label, size in zip(names, operand.shape)
    }
    summed = [label for label in sizes if label not in result_labels]

    def element_at(result_index: Index) -> Element:
        total = zero(type_)
        for index in index_space([sizes[label] for label in summed]):
            at = dict(zip((*result_labels, *summed), (*result_index, *index)))
            factors = [
                operand.get([at[label] for label in names]) for operand, names in zip(operands, labels)
            ]
            total = total + reduce(lambda x, y: x * y, [converted(factor, type_) for factor in factors])
        return total

    return gathered([sizes[label] for label in result_labels], type_, element_at)


@meaning()
def convolution(op: Op, lhs: Tensor, rhs: Tensor) -> Tensor:
    """Dot products between windows of lhs and slices of rhs."""
    spatial = lhs.rank - 2
    return _convolved(op, lhs, rhs, op.attribute("padding", ((0, 0),) * spatial))


@meaning()
def dynamic_conv(op: Op, lhs: Tensor, rhs: Tensor, padding: Tensor) -> Tensor:
    """`convolution` with padding that is an operand."""
    numbers = sizes_of(padding)
    return _convolved(op, lhs, rhs, list(zip(numbers[::2], numbers[1::2])))


def _convolved(op: Op, lhs: Tensor, rhs: Tensor, padding: Sequence[Sequence[int]]) -> Tensor:
    """Splits by groups, as the specification says, and convolves each part."""
    numbers = op.attribute("dimension_numbers")
    assert isinstance(numbers, ConvDimensionNumbers)
    feature_groups, batch_groups = op.attribute("feature_group_count"), op.attribute("batch_group_count")
    groups = max(feature_groups, batch_groups)
    if groups == 1:
        return _one_group(op, numbers, lhs, rhs, padding)
    split_dimension = numbers.input_feature_dimension if feature_groups > 1 else numbers.input_batch_dimension
    lhses = split(lhs, groups, split_dimension)
    rhses = split(rhs, groups, numbers.kernel_output_feature_dimension)
    results = [_one_group(op, numbers, left, right, padding) for left, right in zip(lhses, rhses)]
    return concatenated(results, numbers.output_feature_dimension)


def _one_group(
    op: Op, numbers: ConvDimensionNumbers, lhs: Tensor, rhs: Tensor, padding: Sequence[Sequence[int]]
) -> Tensor:
    spatial = numbers.input_spatial_dimensions
    ones = (1,) * len(spatial)
    strides = op.attribute("window_strides", ones)
    reversal = op.attribute("window_reversal", (0,) * len(spatial))

    def lhs_shape(n: int, hw: Sequence[int], c: int) -> list[int]:
        shape = [0] * lhs.rank
        shape[numbers.input_batch_dimension], shape[numbers.input_feature_dimension] = n, c
        for d, size in zip(spatial, hw):
            shape[d] = size
        return shape

    window = [rhs.shape[d] for d in numbers.kernel_spatial_dimensions]
    window_dimensions = lhs_shape(
        lhs.shape[numbers.input_batch_dimension], window, lhs.shape[numbers.input_feature_dimension]
    )
    window_dilations = lhs_shape(1, op.attribute("rhs_dilation", ones), 1)
    interior = lhs_shape(0, [dilation - 1 for dilation in op.attribute("lhs_dilation", ones)], 0)
    low, high = lhs_shape(0, [low for low, _ in padding], 0), lhs_shape(0, [high for _, high in padding], 0)
    padded_lhs = padded(lhs, zero(lhs.element_type), low, high, interior)
    reach = [(size - 1) * window_dilations[d] + 1 for d, size in zip(spatial, window)]
    counts = [
        0
        if size > padded_lhs.shape[d] or padded_lhs.shape[d] == 0
        else (padded_lhs.shape[d] - size) // stride + 1
        for d, size, stride in zip(spatial, reach, strides)
    ]
    shape = [0] * lhs.rank
    shape[numbers.output_batch_dimension] = lhs.shape[numbers.input_batch_dimension]
    shape[numbers.output_feature_dimension] = rhs.shape[numbers.kernel_output_feature_dimension]
    for d, count in zip(numbers.output_spatial_dimensions, counts):
        shape[d] = count
    result = Tensor(shape, op.result_type())
    for output_spatial_index in index_space(counts):
        window_start = lhs_shape(0, [i * stride for i, stride in zip(output_spatial_index, strides)], 0)
        lhs_window = sliced(padded_lhs, window_start, window_dimensions, window_dilations)
        product = contracted(
            reversed_(lhs_window, [d for d, is_reversed in zip(spatial, reversal) if is_reversed]),
            rhs,
            [],
            [],
            [*spatial, numbers.input_feature_dimension],
            [*numbers.kernel_spatial_dimensions, numbers.kernel_input_feature_dimension],
            op.result_type(),
        )
        for n, c in product.indices():
            index = [0] * lhs.rank
            index[numbers.output_batch_dimension], index[numbers.output_feature_dimension] = n, c
            for d, i in zip(numbers.output_spatial_dimensions, output_spatial_index):
                index[d] = i
            result.set(index, product.get((n, c)))
    return result
