"""Products of quantized tensors: of integers where both are quantized, of floats where only the second one
is.

The product of `lhs - zl` and `rhs - zr` is that of lhs and rhs less `zr` times the sums of lhs, `zl` times
the sums of rhs, plus both zero points times the number of summands.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from msgspec import Struct

from shlo.dialects.struct_attributes import ConvDimensionNumbers, DotDimensionNumbers
from shlo.ir.attributes import Attribute, DenseArrayAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Operation
from shlo.ir.types import F32, I32, I64, QuantizedType, RankedTensorType, quantized_type
from shlo.transforms.quantization.operations import along_axis, broadcasting, numbers
from shlo.transforms.rewriting.builder import ValueRef, int64s, with_element
from shlo.transforms.rewriting.driver import Rewriter
from shlo.transforms.rewriting.reductions import reduced
from shlo.transforms.rewriting.shapes import joined, list_of, run_time_size

SAME_RATIO = 0.001
"""How far, relatively, the scales of channels may differ from those of one factor."""
IS_ONE = 0.001
"""How far from one a scale is that nothing is multiplied by."""


class Dimensions(Struct, frozen=True):
    """What the dimensions of the factors are: batching ones, and those that are summed over.

    `rhs_start` is the first dimension of the result that is rhs's alone.
    """

    lhs_batching: Sequence[int]
    lhs_summed: Sequence[int]
    rhs_batching: Sequence[int]
    rhs_summed: Sequence[int]
    rhs_start: int


def rewrite_dot(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a dot or dot_general; None for types that only the fallback takes."""
    lhs, rhs, result = map(quantized_type, (*operation.operand_types, *operation.result_types))
    if _is_hybrid(lhs, rhs, result):
        return [_of_floats(rewriter, operation)]
    if not _is_whole(lhs, rhs, result):
        return None
    dot = operation.attribute("dot_dimension_numbers")
    numbers_ = dot if isinstance(dot, DotDimensionNumbers) else DotDimensionNumbers((), (), (1,), (0,))
    properties = {**operation.signature.properties, "dot_dimension_numbers": numbers_}
    left, right = rewriter.refs(operation.operands)
    type_ = with_element(operation.result_types[0], I32)
    product = rewriter.one("stablehlo.dot_general", (left, right), type_, properties)
    dimensions = Dimensions(
        numbers_.lhs_batching_dimensions,
        numbers_.lhs_contracting_dimensions,
        numbers_.rhs_batching_dimensions,
        numbers_.rhs_contracting_dimensions,
        left.tensor.rank - len(numbers_.lhs_contracting_dimensions),
    )
    return [_Product(operation, left, right, product, dimensions).scaled()]


def rewrite_convolution(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a convolution; None for types, layouts and paddings that only the fallback takes."""
    lhs, rhs, result = map(quantized_type, (*operation.operand_types, *operation.result_types))
    if _is_hybrid(lhs, rhs, result):
        return [_of_floats(rewriter, operation)]
    dims = operation.attribute("dimension_numbers")
    if not isinstance(dims, ConvDimensionNumbers) or lhs is None or rhs is None or result is None:
        return None
    if not _is_whole(lhs, rhs, result) or not _is_supported(operation, dims, rhs, result):
        return None
    left, right = rewriter.refs(operation.operands)
    properties = dict(operation.signature.properties)
    left = _padded(rewriter, left, lhs, dims, properties)
    type_ = with_element(operation.result_types[0], I32)
    product = rewriter.one("stablehlo.convolution", (left, right), type_, properties)
    dimensions = Dimensions(
        (dims.input_batch_dimension,),
        (*dims.input_spatial_dimensions, dims.input_feature_dimension),
        (),
        (*dims.kernel_spatial_dimensions, dims.kernel_input_feature_dimension),
        dims.output_feature_dimension,
    )
    return [_Product(operation, left, right, product, dimensions).scaled()]


def _is_hybrid(lhs: QuantizedType | None, rhs: QuantizedType | None, result: QuantizedType | None) -> bool:
    """Returns whether only the weights are quantized."""
    return lhs is None and rhs is not None and result is None


def _is_whole(lhs: QuantizedType | None, rhs: QuantizedType | None, result: QuantizedType | None) -> bool:
    """Returns whether all are quantized, and the second factor and the result both by axis or both not."""
    if lhs is None or rhs is None or result is None or lhs.is_per_axis:
        return False
    return rhs.is_per_axis == result.is_per_axis


def _of_floats(rewriter: Rewriter, operation: Operation) -> ValueRef:
    """Returns the product with dequantized weights, behind a barrier that keeps them from being folded."""
    left, weights = rewriter.refs(operation.operands)
    element = quantized_type(operation.operand_types[1])
    assert element is not None
    (stored,) = rewriter.create("stablehlo.optimization_barrier", (weights,), (weights.type,))
    scales = numbers(rewriter, element.scales, element, F32)
    zero_points = numbers(rewriter, element.zero_points, element, F32)
    value = rewriter.one("stablehlo.convert", (stored,), with_element(weights.type, F32))
    axis = along_axis(element)
    if any(element.zero_points):
        value = broadcasting("subtract", value, zero_points, axis)
    value = broadcasting("multiply", value, scales, axis)
    return rewriter.one(
        operation.name, (left, value), operation.result_types[0], operation.signature.properties
    )


class _Product:
    """A product of integers, and what makes the product of what they represent of it."""

    def __init__(
        self,
        operation: Operation,
        lhs: ValueRef,
        rhs: ValueRef,
        product: ValueRef,
        dimensions: Dimensions,
    ) -> None:
        left, right, result = map(quantized_type, (*operation.operand_types, *operation.result_types))
        assert left is not None
        assert right is not None
        assert result is not None
        self._builder = product.builder
        self._lhs, self._rhs, self._product = lhs, rhs, product
        self._dimensions = dimensions
        self._left_zero = left.zero_points[0]
        self._right_zero = 0 if right.is_per_axis else right.zero_points[0]
        self._result = result
        self._scale = left.scales[0] * right.scales[0] / result.scales[0]
        self._extents: ValueRef | None = None

    def scaled(self) -> ValueRef:
        """Returns the stored numbers of the result."""
        product, offset = self._product, self._offset()
        if abs(self._scale - 1.0) > IS_ONE:
            scale = self._scalar(self._scale, F32)
            product = self._times(product, scale)
            offset = None if offset is None else self._times(offset, scale)
        zero_point = self._scalar(0 if self._result.is_per_axis else self._result.zero_points[0], I32)
        if offset is not None:
            zero_point = broadcasting("subtract", zero_point, offset)
        total = broadcasting("add", product, zero_point)
        type_ = with_element(total.type, self._result.storage_type)
        return self._builder.one("stablehlo.convert", (total,), type_)

    def _scalar(self, value: float, element: object) -> ValueRef:
        type_ = RankedTensorType((), F32 if element is F32 else I32)
        return self._builder.splat(type_, value)

    def _times(self, value: ValueRef, scale: ValueRef) -> ValueRef:
        return broadcasting("multiply", value.converted(F32), scale).converted(I32)

    def _offset(self) -> ValueRef | None:
        """Returns what the product of integers has too much; None where both zero points are zero."""
        dimensions, total = self._dimensions, None
        if self._right_zero:
            sums = self._sums(self._lhs, dimensions.lhs_summed, self._right_zero)
            total = self._spread(
                sums, self._lhs, dimensions.lhs_batching, dimensions.lhs_summed, len(dimensions.lhs_batching)
            )
        if self._left_zero:
            sums = self._sums(self._rhs, dimensions.rhs_summed, self._left_zero)
            other = self._spread(
                sums, self._rhs, dimensions.rhs_batching, dimensions.rhs_summed, dimensions.rhs_start
            )
            total = other if total is None else total + other
        if total is not None and self._left_zero and self._right_zero:
            total = broadcasting("subtract", total, self._summands())
        return total

    def _sums(self, value: ValueRef, axes: Sequence[int], factor: int) -> ValueRef:
        """Returns the sums over axes, times a number."""
        value = self._builder.one("stablehlo.convert", (value,), with_element(value.type, I32))
        total = reduced(value, axes, "add")
        return broadcasting("multiply", total, self._scalar(factor, I32))

    def _spread(
        self, sums: ValueRef, factor: ValueRef, batching: Sequence[int], summed: Sequence[int], start: int
    ) -> ValueRef:
        """Returns the sums of a factor, broadcast to the shape of the product."""
        axes: list[int] = []
        batch, free = 0, start
        for axis in range(factor.tensor.rank):
            if axis in summed:
                continue
            if axis in batching:
                axes.append(batch)
                batch += 1
            else:
                axes.append(free)
                free += 1
        properties = {"broadcast_dimensions": int64s(axes)}
        type_ = self._product.tensor
        if type_.is_static:
            return self._builder.one("stablehlo.broadcast_in_dim", (sums,), type_, properties)
        if self._extents is None:
            self._extents = self._shape()
        operands = (sums, self._extents)
        return self._builder.one("stablehlo.dynamic_broadcast_in_dim", operands, type_, properties)

    def _shape(self) -> ValueRef:
        """Returns the shape of the product, as a list."""
        sizes = [
            list_of(run_time_size(self._product, axis).converted(I64))
            if size is None
            else self._builder.integers((size,))
            for axis, size in enumerate(self._product.tensor.shape)
        ]
        return joined(sizes)

    def _summands(self) -> ValueRef:
        """Returns both zero points times the number of summands."""
        shape, axes = self._rhs.tensor.shape, self._dimensions.rhs_summed
        count = self._scalar(1, I32)
        unknown = [axis for axis in axes if shape[axis] is None]
        for axis in unknown:
            count = count * run_time_size(self._rhs, axis)
        static_count = prod(size for axis in axes if (size := shape[axis]) is not None)
        value = self._scalar(self._left_zero * self._right_zero * static_count, I32)
        return value * count if unknown else value


# --- convolutions -------------------------------------------------------------------------------------------

_LAYOUTS = (
    ConvDimensionNumbers(0, 3, (1, 2), 2, 3, (0, 1), 0, 3, (1, 2)),
    ConvDimensionNumbers(0, 1, (2, 3), 1, 0, (2, 3), 0, 1, (2, 3)),
    ConvDimensionNumbers(0, 4, (1, 2, 3), 3, 4, (0, 1, 2), 0, 4, (1, 2, 3)),
)
"""The layouts that convolutions of integers have: features last or, of two dimensions, second."""


def _is_supported(
    operation: Operation, dims: ConvDimensionNumbers, rhs: QuantizedType, result: QuantizedType
) -> bool:
    """Returns whether a convolution has a form on integers: weights without zero points, the same ratio of
    scales in each channel, an input that is not dilated, a usual layout.
    """
    zero_points = (*rhs.zero_points, *result.zero_points) if rhs.is_per_axis else rhs.zero_points
    if any(zero_points) or dims not in _LAYOUTS:
        return False
    rank = operation.operand_types[1]
    assert isinstance(rank, RankedTensorType)
    if rhs.is_per_axis and rhs.axis != rank.rank - 1:
        return False
    ratios = [after / before for before, after in zip(rhs.scales, result.scales)]
    if any(abs(ratio / ratios[0] - 1) > SAME_RATIO for ratio in ratios) and rhs.is_per_axis:
        return False
    dilation = operation.attribute("lhs_dilation")
    return not isinstance(dilation, DenseArrayAttr) or all(factor == 1 for factor in dilation)


def _padded(
    rewriter: Rewriter,
    value: ValueRef,
    element: QuantizedType,
    dims: ConvDimensionNumbers,
    properties: dict[str, Attribute],
) -> ValueRef:
    """Returns the input padded with its zero point, and `properties` without the padding."""
    padding = properties.get("padding")
    if not isinstance(padding, DenseElementsAttr) or not padding.array.any():
        return value
    rank = value.tensor.rank
    low, high = [0] * rank, [0] * rank
    for axis, (before, after) in zip(dims.input_spatial_dimensions, padding.array.tolist()):
        low[axis], high[axis] = before, after
    shape = tuple(
        None if size is None else size + before + after
        for size, before, after in zip(value.tensor.shape, low, high)
    )
    edges: dict[str, Attribute] = {
        "edge_padding_low": int64s(low),
        "edge_padding_high": int64s(high),
        "interior_padding": int64s([0] * rank),
    }
    zero_point = rewriter.splat(RankedTensorType((), element.storage_type), element.zero_points[0])
    type_ = RankedTensorType(shape, value.element_type)
    properties["padding"] = DenseElementsAttr(padding.type, np.zeros((), np.int64))
    return rewriter.one("stablehlo.pad", (value, zero_point), type_, edges)
