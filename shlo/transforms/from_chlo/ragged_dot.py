"""chlo.ragged_dot as products with all rows but those of a group left out, one for each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shlo.dialects.chlo.dialect import RaggedDotDimensionNumbers
from shlo.dialects.struct_attributes import DotDimensionNumbers
from shlo.ir.attributes import ArrayAttr, Attribute, EnumAttr, IntegerAttr
from shlo.ir.operations import Operation
from shlo.ir.types import I64, RankedTensorType, Type
from shlo.transforms.rewriting.builder import ValueRef, int64s
from shlo.transforms.rewriting.driver import Rewriter
from shlo.transforms.rewriting.elementwise import select
from shlo.transforms.rewriting.shapes import joined, reshaped, sliced


def rewrite_ragged_dot(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the products, added (the ragged dimension is one of the result's), joined (it is contracted) or
    one product (it is a batching dimension).

    None where sizes are unknown, or where the dimensions that have group sizes of their own are not the
    first of lhs.
    """
    numbers = operation.attribute("ragged_dot_dimension_numbers")
    types = [
        type_
        for type_ in (*operation.operand_types, *operation.result_types)
        if isinstance(type_, RankedTensorType) and type_.is_static
    ]
    if not isinstance(numbers, RaggedDotDimensionNumbers) or len(types) != 4:
        return None
    dot, axis = _RaggedDot(rewriter, operation, numbers, types[-1]), numbers.lhs_ragged_dimensions[0]
    if axis in numbers.lhs_batching_dimensions:
        return [dot.whole()]
    is_contracted = axis in numbers.lhs_contracting_dimensions
    if not _are_leading(numbers, axis, types[0].rank, types[2].rank - 1):
        return None
    return [dot.joined() if is_contracted else dot.added()]


def _are_leading(numbers: RaggedDotDimensionNumbers, axis: int, rank: int, count: int) -> bool:
    """Returns whether the dimensions that each have group sizes of their own, `count` many, are the first of
    lhs.
    """
    batching, contracted = numbers.lhs_batching_dimensions, numbers.lhs_contracting_dimensions
    free = [dimension for dimension in range(rank) if dimension not in {*batching, *contracted}]
    others = list(contracted) if axis in contracted else free
    leading = [*batching, *others[: others.index(axis)]]
    return count == 0 or leading == list(range(count))


class _RaggedDot:
    """Builds the products of a ragged dot."""

    def __init__(
        self,
        rewriter: Rewriter,
        operation: Operation,
        numbers: RaggedDotDimensionNumbers,
        result: RankedTensorType,
    ) -> None:
        self._rewriter = rewriter
        self._numbers = numbers
        self._result = result
        self._lhs, self._rhs, self._sizes = rewriter.refs(operation.operands)
        self._precision = operation.attribute("precision_config")

    def whole(self) -> ValueRef:
        """Returns one product of all groups."""
        return self._product(self._lhs, self._rhs, self._result, None)

    def added(self) -> ValueRef:
        """Returns the sum of the products of each group's rows with the group's matrix."""
        axis = self._numbers.rhs_group_dimensions[0]
        masks = self._masks(self._rhs.tensor.static_shape[axis])
        total: ValueRef | None = None
        for group, masked in enumerate(masks):
            part = _part(self._rhs, axis, group)
            shape = part.tensor.static_shape
            matrix = reshaped(part, shape[:axis] + shape[axis + 1 :])
            product = self._product(masked, matrix, self._result, axis)
            total = product if total is None else total + product
        assert total is not None
        return total

    def joined(self) -> ValueRef:
        """Returns the products of each group's part of the contracted dimension, along a new first
        dimension."""
        shape = self._result.static_shape[1:]
        type_ = RankedTensorType(shape, self._result.element_type)
        groups = self._sizes.tensor.static_shape[-1]
        products = [self._product(masked, self._rhs, type_, None) for masked in self._masks(groups)]
        parts = [reshaped(product, (1, *shape)) for product in products]
        return joined(parts)

    def _product(self, lhs: ValueRef, rhs: ValueRef, result: Type, dropped: int | None) -> ValueRef:
        """Returns the product; `dropped` is the dimension of rhs that is left out."""

        def kept(dimensions: Sequence[int]) -> tuple[int, ...]:
            return tuple(d - 1 if dropped is not None and d > dropped else d for d in dimensions)

        numbers = self._numbers
        properties: dict[str, Attribute] = {
            "dot_dimension_numbers": DotDimensionNumbers(
                numbers.lhs_batching_dimensions,
                kept(numbers.rhs_batching_dimensions),
                numbers.lhs_contracting_dimensions,
                kept(numbers.rhs_contracting_dimensions),
            )
        }
        if isinstance(self._precision, ArrayAttr):
            words = [word for word in self._precision if isinstance(word, EnumAttr)]
            properties["precision_config"] = ArrayAttr(
                tuple(EnumAttr("stablehlo", word.enum, word.value) for word in words)
            )
        return self._rewriter.one("stablehlo.dot_general", (lhs, rhs), result, properties)

    def _masks(self, groups: int) -> Iterator[ValueRef]:
        """For each group lhs with zeros in place of the rows of other groups."""
        lhs, axis = self._lhs.tensor, self._numbers.lhs_ragged_dimensions[0]
        start = self._rewriter.splat(RankedTensorType(self._sizes.tensor.shape[:-1], I64), 0)
        rows = tuple(size if index == axis else 1 for index, size in enumerate(lhs.shape))
        properties = {"iota_dimension": IntegerAttr(axis, I64)}
        places = self._rewriter.one("stablehlo.iota", (), RankedTensorType(rows, I64), properties)
        zero = self._rewriter.splat(lhs, 0)
        for group in range(groups):
            end = start + self._size(group)
            first, last = self._spread(start), self._spread(end)
            spread = self._spread(places)
            is_inside = (spread >= first) & (spread < last)
            yield select(is_inside, self._lhs, zero)
            start = end

    def _size(self, group: int) -> ValueRef:
        """Returns how many rows a group has."""
        sizes = self._sizes.tensor
        return reshaped(_part(self._sizes, sizes.rank - 1, group), sizes.shape[:-1]).converted(I64)

    def _spread(self, value: ValueRef) -> ValueRef:
        """Returns the value broadcast to the shape of lhs along its first dimensions."""
        type_ = RankedTensorType(self._lhs.tensor.shape, I64)
        properties = {"broadcast_dimensions": int64s(range(value.tensor.rank))}
        return self._rewriter.one("stablehlo.broadcast_in_dim", (value,), type_, properties)


def _part(value: ValueRef, axis: int, index: int) -> ValueRef:
    """Returns the slice of size one at an index of a dimension."""
    shape = value.tensor.static_shape
    starts = [index if dimension == axis else 0 for dimension in range(len(shape))]
    limits = [index + 1 if dimension == axis else size for dimension, size in enumerate(shape)]
    return sliced(value, starts, limits)
