"""The dialects shape and tensor, and arithmetic of indices, as StableHLO's operations of 32-bit integers.

Where an index or a list of indices is still used, `builtin.unrealized_conversion_cast` is between; a cast
and the cast back are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from shlo.ir.attributes import IntegerAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Module, Operation
from shlo.ir.types import I32, INDEX, IndexType, IntegerType, RankedTensorType, Type
from shlo.transforms.rewriting.builder import ValueRef, with_element
from shlo.transforms.rewriting.dead_code import without_dead_code
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite
from shlo.transforms.rewriting.elementwise import maximum
from shlo.transforms.rewriting.shapes import element, joined, list_of, run_time_size

CAST: Final = "builtin.unrealized_conversion_cast"
_SCALAR = RankedTensorType((), I32)


def shape_to_stablehlo(module: Module) -> Module:
    """Returns the module without operations of shape and tensor, and without arithmetic of indices.

    Raises PassError, with its place, for one that has no form in StableHLO.
    """
    built = rewrite(module, _RULES, default=_others)
    return built if built is module else without_dead_code(built, frozenset({CAST, "arith.constant"}))


def _others(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    dialect = operation.name.partition(".")[0]
    if dialect in ("shape", "tensor") and operation.name != "tensor.cast":
        raise _failure(rewriter, operation)
    return None


def _failure(rewriter: Rewriter, operation: Operation) -> Exception:
    types = ", ".join(map(str, (*operation.operand_types, *operation.result_types)))
    return rewriter.error(
        f"expected an operation with a form in StableHLO, got {operation.name} of {types}", operation
    )


def _with_failure(rule: Rule) -> Rule:
    """Returns a rule whose operations must not stay."""

    def checked(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        built = rule(rewriter, operation)
        if built is None:
            raise _failure(rewriter, operation)
        return built

    return checked


# --- casts --------------------------------------------------------------------------------------------------


def _cast(value: ValueRef, type_: Type) -> ValueRef:
    """Returns the value as one of another type; what it was cast from where that has the type."""
    if value.type == type_:
        return value
    builder = value.builder
    assert isinstance(builder, Rewriter)
    source = builder.defining(value)
    if source is not None and source.name == CAST:
        origin = builder.ref(source.operands[0])
        if origin.type == type_:
            return origin
    return builder.one(CAST, (value,), type_)


def _as_integers(value: ValueRef) -> ValueRef | None:
    """Returns an index or a static tensor of indices as a tensor of i32; None for another value."""
    type_ = value.type
    if isinstance(type_, IndexType):
        return _cast(value, _SCALAR)
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return None
    return _cast(value, with_element(type_, I32)) if type_.element_type in (I32, INDEX) else None


def _as_indices(value: ValueRef, type_: Type) -> Sequence[ValueRef] | None:
    """Integers as a result of a type of indices; None where that is no index and no tensor of indices."""
    if isinstance(type_, IndexType):
        return [_cast(value, type_)] if value.type == _SCALAR else None
    is_same = isinstance(type_, RankedTensorType) and value.tensor.shape == type_.shape
    return [_cast(value, type_)] if is_same and with_element(type_, I32) == value.type else None


def _constant_index(rewriter: Rewriter, value: ValueRef) -> int | None:
    """Returns the index that `arith.constant` defines."""
    source = rewriter.defining(value)
    number = source.attribute("value") if source is not None and source.name == "arith.constant" else None
    return number.value if isinstance(number, IntegerAttr) else None


def _integer(rewriter: Rewriter, value: ValueRef) -> ValueRef | None:
    """Returns an index as a scalar: a constant where it is one."""
    number = _constant_index(rewriter, value)
    return _as_integers(value) if number is None else rewriter.splat(_SCALAR, number)


# --- operations ---------------------------------------------------------------------------------------------


def _number_of_elements(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    shape = _as_integers(rewriter.ref(operation.operands[0]))
    if shape is None or not isinstance(operation.result_types[0], IndexType):
        return None
    product = rewriter.splat(_SCALAR, 1)
    for index in range(shape.tensor.element_count):
        product = product * element(shape, (index,))
    return _as_indices(product, operation.result_types[0])


def _shape_of(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    value, result = rewriter.ref(operation.operands[0]), operation.result_types[0]
    if not isinstance(value.type, RankedTensorType) or not isinstance(result, RankedTensorType):
        return None
    if not value.tensor.rank:
        return _as_indices(rewriter.array(np.zeros((0,), np.int32), I32), result)
    sizes = [list_of(run_time_size(value, axis)) for axis in range(value.tensor.rank)]
    return _as_indices(joined(sizes), result)


def _constant_shape(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    value = operation.attribute("shape")
    if not isinstance(value, DenseElementsAttr):
        return None
    return _as_indices(rewriter.array(value.array.astype(np.int32), I32), operation.result_types[0])


def _broadcast(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the larger sizes of two shapes; the shorter one begins with ones."""
    shapes = [_as_integers(value) for value in rewriter.refs(operation.operands)]
    lists = [shape for shape in shapes if shape is not None and shape.tensor.rank == 1]
    if len(lists) != 2 or len(shapes) != 2:
        return None
    rank = max(shape.tensor.static_shape[0] for shape in lists)
    one, other = (_lengthened(rewriter, shape, rank) for shape in lists)
    return _as_indices(maximum(one, other), operation.result_types[0])


def _lengthened(rewriter: Rewriter, shape: ValueRef, rank: int) -> ValueRef:
    missing = rank - shape.tensor.static_shape[0]
    if not missing:
        return shape
    return joined([rewriter.splat(RankedTensorType((missing,), I32), 1), shape])


def _index_cast(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    value, result = rewriter.ref(operation.operands[0]), operation.result_types[0]
    if isinstance(value.type, IndexType) and isinstance(result, IntegerType):
        number = _cast(value, _SCALAR).converted(result)
        return [_cast(number, result)]
    if isinstance(value.type, IntegerType) and isinstance(result, IndexType):
        return [_cast(_cast(value, RankedTensorType((), value.type)), result)]
    integers = _as_integers(value)
    if integers is None or not isinstance(result, RankedTensorType):
        return None
    return [_cast(integers, result)] if result.element_type in (I32, INDEX) else None


def _multiply(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    factors = [_integer(rewriter, value) for value in rewriter.refs(operation.operands)]
    one, other = factors
    if one is None or other is None:
        return None
    return _as_indices(one * other, operation.result_types[0])


def _dimension(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    value, index = rewriter.refs(operation.operands)
    axis = _constant_index(rewriter, index)
    if axis is None or not isinstance(value.type, RankedTensorType) or not 0 <= axis < value.tensor.rank:
        return None
    return _as_indices(run_time_size(value, axis), operation.result_types[0])


def _extract(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    value, *places = rewriter.refs(operation.operands)
    constants = [_constant_index(rewriter, index) for index in places]
    integers = _as_integers(value)
    if integers is None:
        return None
    sizes = integers.tensor.static_shape
    indices = [index for index, size in zip(constants, sizes) if index is not None and 0 <= index < size]
    if len(indices) != len(sizes):
        return None
    return [_cast(element(integers, indices), operation.result_types[0])]


def _from_elements(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    result = operation.result_types[0]
    values = rewriter.refs(operation.operands)
    if not isinstance(result, RankedTensorType):
        return None
    if result.rank == 0:
        return [_cast(values[0], result)]
    if result.rank != 1 or result.element_type != INDEX:
        return None
    return _as_indices(joined([_single(rewriter, value) for value in values]), result)


def _single(rewriter: Rewriter, value: ValueRef) -> ValueRef:
    """Returns an index as a list of one integer."""
    number = _constant_index(rewriter, value)
    if number is not None:
        return rewriter.splat(RankedTensorType((1,), I32), number)
    return list_of(_cast(value, _SCALAR))


def _on_integers(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns an operation of StableHLO with lists of i32 in place of lists of indices."""
    values = rewriter.refs(operation.operands)
    if not any(
        isinstance(value.type, RankedTensorType) and value.element_type == INDEX for value in values[1:]
    ):
        return None
    built = [values[0], *(_as_integers(value) or value for value in values[1:])]
    return rewriter.create(operation.name, built, operation.result_types, operation.signature.properties)


_RULES: Final[dict[str, Rule]] = {
    "arith.index_cast": _with_failure(_index_cast),
    "arith.muli": _with_failure(_multiply),
    "shape.broadcast": _with_failure(_broadcast),
    "shape.const_shape": _with_failure(_constant_shape),
    "shape.num_elements": _with_failure(_number_of_elements),
    "shape.shape_of": _with_failure(_shape_of),
    "stablehlo.dynamic_broadcast_in_dim": _on_integers,
    "stablehlo.dynamic_iota": _on_integers,
    "stablehlo.dynamic_reshape": _on_integers,
    "tensor.dim": _with_failure(_dimension),
    "tensor.extract": _with_failure(_extract),
    "tensor.from_elements": _with_failure(_from_elements),
}
