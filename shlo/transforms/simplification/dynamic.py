"""Simplifications of operations whose sizes are operands."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.attributes import IntegerAttr
from shlo.ir.operations import Operation
from shlo.ir.types import I64, INDEX, RankedTensorType
from shlo.transforms.canonical_dynamism import RULES as OF_CONSTANT_SIZES
from shlo.transforms.rewriting.builder import ValueRef, int64s, with_element
from shlo.transforms.rewriting.driver import Rewriter, Rule
from shlo.transforms.rewriting.matching import (
    constant_integers,
    created,
    first_of,
    integer,
    integers,
    is_static,
    source_of,
    value_instead,
)
from shlo.transforms.rewriting.shapes import sliced


def _dynamic_broadcast(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    value, shape = rewriter.refs(operation.operands)
    dims, (type_,) = integers(operation, "broadcast_dimensions"), operation.result_types
    if is_static(value.type) and is_static(type_):
        properties = {"broadcast_dimensions": int64s(dims)}
        return created(rewriter, operation, "broadcast_in_dim", (value,), properties)
    sizes = constant_integers(rewriter, shape)
    if is_static(value.type) and sizes is not None:
        static_type = RankedTensorType(tuple(sizes), value.element_type)
        properties = {"broadcast_dimensions": int64s(dims)}
        built = rewriter.one("stablehlo.broadcast_in_dim", (value,), static_type, properties)
        return created(rewriter, operation, "convert", (built,))
    inner = source_of(rewriter, value, "dynamic_broadcast_in_dim")
    if inner is not None:
        merged = int64s([dims[dim] for dim in integers(inner, "broadcast_dimensions")])
        empty = int64s(())
        properties = {
            "broadcast_dimensions": merged,
            "known_expanding_dimensions": empty,
            "known_nonexpanding_dimensions": empty,
        }
        operands = (rewriter.ref(inner.operands[0]), shape)
        return created(rewriter, operation, "dynamic_broadcast_in_dim", operands, properties)
    return _of_same_shape(rewriter, operation) if dims == tuple(range(len(dims))) else None


def _of_same_shape(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a broadcast that keeps the order of dimensions, to the shape that the tensor has."""
    value, shape = rewriter.refs(operation.operands)
    (type_,) = operation.result_types
    source = rewriter.defining(shape)
    if source is not None and source.name == "shape.shape_of" and source.operands[0] == value.number:
        return value_instead(rewriter, operation, value)
    rank = type_.rank if isinstance(type_, RankedTensorType) else -1
    if len(integers(operation, "known_nonexpanding_dimensions")) == rank:
        return created(rewriter, operation, "convert", (value,))
    reshape = source_of(rewriter, value, "dynamic_reshape")
    if reshape is not None and reshape.operands[1] == shape.number and value.tensor.rank == rank:
        return created(rewriter, operation, "dynamic_reshape", rewriter.refs(reshape.operands))
    return None


def _dynamic_reshape(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    value, shape = rewriter.refs(operation.operands)
    if is_static(operation.result_types[0]):
        return created(rewriter, operation, "reshape", (_before_convert(rewriter, value),))
    inner = source_of(rewriter, value, "dynamic_reshape")
    if inner is not None:
        return created(rewriter, operation, "dynamic_reshape", (rewriter.ref(inner.operands[0]), shape))
    between = rewriter.defining(value)
    if between is None or len(between.operands) == 0 or not _keeps_shape(between):
        return None
    outer = source_of(rewriter, rewriter.ref(between.operands[0]), "dynamic_reshape")
    is_same = outer is not None and outer.operands[1] == shape.number
    return value_instead(rewriter, operation, value) if is_same else None


def _before_convert(rewriter: Rewriter, value: ValueRef) -> ValueRef:
    """Returns what a convert that forgets sizes gets; the value itself where there is none."""
    source = source_of(rewriter, value, "convert")
    if source is None:
        return value
    origin = rewriter.ref(source.operands[0])
    return origin if origin.element_type == value.element_type and is_static(origin.type) else value


def _keeps_shape(operation: Operation) -> bool:
    """Returns whether an operation is elementwise: its operands and its result have one shape."""
    types = (*operation.operand_types, *operation.result_types)
    shapes = {type_.shape for type_ in types if isinstance(type_, RankedTensorType)}
    from shlo.dialects import has_trait

    return len(shapes) == 1 and has_trait(operation.name, "elementwise")


def _dynamic_iota(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns an iota, where the sizes are known; of several dimensions a list that is broadcast."""
    (shape,), (type_,) = rewriter.refs(operation.operands), operation.result_types
    axis = integer(operation, "iota_dimension")
    if not isinstance(type_, RankedTensorType) or axis is None:
        return None
    if type_.is_static:
        return created(rewriter, operation, "iota", (), operation.signature.properties)
    if type_.rank < 2:
        return None
    wide = with_element(shape.type, I64)
    cast = "arith.index_cast" if shape.element_type == INDEX else "stablehlo.convert"
    sizes = shape if shape.type == wide else rewriter.one(cast, (shape,), wide)
    size = sliced(sizes, (axis,), (axis + 1,))
    row = RankedTensorType((type_.shape[axis],), type_.element_type)
    numbers = rewriter.one("stablehlo.dynamic_iota", (size,), row, {"iota_dimension": IntegerAttr(0, I64)})
    properties = {"broadcast_dimensions": int64s((axis,))}
    return created(rewriter, operation, "dynamic_broadcast_in_dim", (numbers, shape), properties)


def _shape_of(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the shape that a tensor was given."""
    reshape = source_of(rewriter, rewriter.ref(operation.operands[0]), "dynamic_reshape")
    if reshape is None:
        return None
    return value_instead(rewriter, operation, rewriter.ref(reshape.operands[1]))


def rules() -> dict[str, Rule]:
    """Returns the rules, by operation."""
    left_out = ("stablehlo.custom_call", "stablehlo.dynamic_conv")
    return {
        **{name: rule for name, rule in OF_CONSTANT_SIZES.items() if name not in left_out},
        "shape.shape_of": _shape_of,
        "stablehlo.dynamic_broadcast_in_dim": _dynamic_broadcast,
        "stablehlo.dynamic_iota": _dynamic_iota,
        "stablehlo.dynamic_reshape": first_of(_dynamic_reshape),
    }
