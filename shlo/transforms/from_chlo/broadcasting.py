"""The operations that broadcast their operands, as broadcasts of the operands and an elementwise operation.

Sizes may be unknown where they have bounds: an operand is then broadcast to the bound, and its size set to
that of the operand that has it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shlo.dialects.chlo.dialect import broadcast_form
from shlo.dialects.struct_attributes import TypeExtensions
from shlo.ir.attributes import DenseArrayAttr, EnumAttr, IntegerAttr
from shlo.ir.operations import Operation
from shlo.ir.types import I64, RankedTensorType, Shape
from shlo.transforms.rewriting.builder import ValueRef, int64s
from shlo.transforms.rewriting.driver import Rewriter
from shlo.transforms.rewriting.elementwise import select
from shlo.transforms.rewriting.shapes import joined, list_of, size_of


class Dimension(Struct, frozen=True):
    """A size, or the bound of an unknown size; `source` is then the value and the dimension that has the
    size.
    """

    size: int
    source: tuple[ValueRef, int] | None = None


def rewrite_broadcasting(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the operands broadcast to one shape, and the elementwise operation; None for operands of
    unknown rank.
    """
    operands = rewriter.refs(operation.operands)
    types = [operand.type for operand in operands if isinstance(operand.type, RankedTensorType)]
    if len(types) != len(operands):
        return None
    rank = max(type_.rank for type_ in types)
    axes = [_axes(operation, type_.rank, rank) for type_ in types]
    dimensions = [dimensions_of(operand) for operand in operands]
    bounded = [shape_of_operand for shape_of_operand in dimensions if shape_of_operand is not None]
    if len(bounded) == len(operands):
        shape = _broadcast_shape(bounded, axes, rank)
        if shape is None:
            raise rewriter.error(f"expected operands that can be broadcast, got {_listed(types)}", operation)
        built = [broadcast(*pair, shape) for pair in zip(operands, axes)]
    else:
        built = run_time_broadcast(operands, axes, rank)
    return rewriter.create(*_elementwise(operation, built))


def _listed(types: Sequence[RankedTensorType]) -> str:
    return " and ".join(map(str, types))


def _axes(operation: Operation, rank: int, result_rank: int) -> tuple[int, ...]:
    """Returns the dimensions of the result that an operand of a rank lies along."""
    stated = operation.attribute("broadcast_dimensions")
    if isinstance(stated, DenseArrayAttr) and rank < result_rank and len(stated) == rank:
        return stated.values
    return tuple(range(result_rank - rank, result_rank))


def dimensions_of(value: ValueRef) -> tuple[Dimension, ...] | None:
    """Returns the dimensions of a value; None where a size is unknown and has no bound."""
    type_ = value.type
    if not isinstance(type_, RankedTensorType):
        return None
    bounds = type_.encoding.bounds if isinstance(type_.encoding, TypeExtensions) else ()
    dimensions: list[Dimension] = []
    for axis, size in enumerate(type_.shape):
        bound = bounds[axis] if axis < len(bounds) else None
        if size is None and bound is None:
            return None
        dimensions.append(Dimension(size) if size is not None else Dimension(bound or 0, (value, axis)))
    return tuple(dimensions)


def broadcast(value: ValueRef, axes: Sequence[int], shape: Sequence[Dimension]) -> ValueRef:
    """Returns the value, which lies along some axes, broadcast to dimensions; the value itself where it has
    them.
    """
    type_ = value.tensor
    if _tensor(shape, type_) == type_:
        return value
    dimensions_by_axis = dict(zip(axes, dimensions_of(value) or ()))
    padded = [
        dimension
        if axis in dimensions_by_axis and dimensions_by_axis[axis].source
        else Dimension(dimension.size)
        for axis, dimension in enumerate(shape)
    ]
    places = {"broadcast_dimensions": int64s(axes)}
    built = value.builder.one("stablehlo.broadcast_in_dim", (value,), _tensor(padded, type_), places)
    for axis, dimension in enumerate(shape):
        if dimension.source and not padded[axis].source:
            padded[axis] = dimension
            built = _resized(built, axis, dimension.source, _tensor(padded, type_))
    return built


def _resized(value: ValueRef, axis: int, source: tuple[ValueRef, int], type_: RankedTensorType) -> ValueRef:
    """Returns the value with a dimension of the size that another value's dimension has."""
    owner, dimension = source
    size = value.builder.one(
        "stablehlo.get_dimension_size", (owner,), None, {"dimension": IntegerAttr(dimension, I64)}
    )
    properties = {"dimension": IntegerAttr(axis, I64)}
    return value.builder.one("stablehlo.set_dimension_size", (value, size), type_, properties)


def _tensor(shape: Sequence[Dimension], like: RankedTensorType) -> RankedTensorType:
    sizes = tuple(None if dimension.source else dimension.size for dimension in shape)
    bounds = tuple(dimension.size if dimension.source else None for dimension in shape)
    encoding = TypeExtensions(bounds) if None in sizes else None
    return RankedTensorType(sizes, like.element_type, encoding)


def _broadcast_shape(
    shapes: Sequence[Sequence[Dimension]], axes: Sequence[Sequence[int]], rank: int
) -> list[Dimension] | None:
    """Returns the shape that all are broadcast to; None where they do not agree."""
    built = [Dimension(1)] * rank
    for shape, places in zip(shapes, axes):
        for axis, dimension in zip(places, shape):
            if built[axis] == Dimension(1):
                built[axis] = dimension
            elif dimension == Dimension(1):
                continue
            elif dimension.size != built[axis].size or bool(dimension.source) != bool(built[axis].source):
                return None
    return built


def _elementwise(
    operation: Operation, operands: Sequence[ValueRef]
) -> tuple[str, Sequence[ValueRef], Sequence[RankedTensorType], dict[str, EnumAttr]]:
    """Returns the elementwise operation: its name, operands, result types and properties."""
    results = [type_ for type_ in operation.result_types if isinstance(type_, RankedTensorType)]
    enums = {
        key: EnumAttr("stablehlo", value.enum, value.value)
        for key, value in operation.signature.properties.items()
        if isinstance(value, EnumAttr)
    }
    return broadcast_form(operation.name), operands, results, enums


# --- Broadcasts to a shape that only the run tells, computed with StableHLO's operations alone --------------


def run_time_broadcast(
    operands: Sequence[ValueRef], axes: Sequence[Sequence[int]], rank: int
) -> list[ValueRef]:
    """Returns the operands, each of which lies along some axes, broadcast to one shape of a rank."""
    builder = operands[0].builder
    sizes = [_size(operands, axes, axis) for axis in range(rank)]
    lists = [list_of(value) for value, _ in sizes]
    shape: Shape = tuple(size for _, size in sizes)
    extents = joined(lists)
    return [
        builder.one(
            "stablehlo.dynamic_broadcast_in_dim",
            (operand, extents),
            RankedTensorType(shape, operand.element_type),
            {"broadcast_dimensions": int64s(places)},
        )
        for operand, places in zip(operands, axes)
    ]


def _size(
    operands: Sequence[ValueRef], axes: Sequence[Sequence[int]], axis: int
) -> tuple[ValueRef, int | None]:
    """Returns the size of a dimension of the result as a scalar, and its number where that is known: that of
    the operand whose size is not one.
    """
    owners = [(operand, places.index(axis)) for operand, places in zip(operands, axes) if axis in places]
    sizes = [operand.tensor.shape[dimension] for operand, dimension in owners]
    for (operand, dimension), size in zip(owners, sizes):
        if size is not None and size != 1:
            return size_of(operand, dimension), size
    unknown = [owner for owner, size in zip(owners, sizes) if size is None]
    if not unknown:
        return size_of(*owners[0]), 1
    value, *others = (size_of(*owner) for owner in unknown)
    for other in others:
        value = select(value.equals(1), other, value)
    return value, None
