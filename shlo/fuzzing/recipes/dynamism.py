"""Operations whose sizes are operands: constants, with which XLA takes their static forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shlo.fuzzing.maker import array_i64
from shlo.fuzzing.recipes.movement import broadcasting, other_shape, padding, slicing
from shlo.fuzzing.scope import NotHere, Scope, Value
from shlo.ir.types import I32, RankedTensorType

_SIZE_TYPES: Final = ("int32", "int64")


def _sizes(scope: Scope, sizes: Sequence[int]) -> Value:
    return scope.numbers(sizes, scope.make.index_name(_SIZE_TYPES))


def dynamic_reshape(scope: Scope, op: str) -> None:
    """Writes a dynamic_reshape."""
    value = scope.pick()
    shape = other_shape(scope, value)
    type_ = RankedTensorType(shape, value.element)
    scope.write(op, (value, _sizes(scope, shape)), (type_,))


def dynamic_broadcast_in_dim(scope: Scope, op: str) -> None:
    """Writes a dynamic_broadcast_in_dim."""
    value, shape, axes = broadcasting(scope)
    attributes = f"broadcast_dimensions = {array_i64(axes)}"
    operands = (value, _sizes(scope, shape))
    type_ = RankedTensorType(shape, value.element)
    scope.write(op, operands, (type_,), attributes)


def dynamic_iota(scope: Scope, op: str) -> None:
    """Writes a dynamic_iota."""
    shape = scope.make.shape(scope.make.integer(1, 3))
    axis = scope.make.integer(0, len(shape) - 1)
    type_ = RankedTensorType(shape, scope.element("integer", "float", "complex"))
    scope.write(op, (_sizes(scope, shape),), (type_,), f"iota_dimension = {axis} : i64")


def dynamic_pad(scope: Scope, op: str) -> None:
    """Writes a dynamic_pad."""
    value = scope.pick()
    low, high, interior, shape = padding(scope, value)
    filling = scope.value((), value.element)
    name = scope.make.index_name(_SIZE_TYPES)
    numbers = [scope.numbers(amounts, name) for amounts in (low, high, interior)]
    type_ = RankedTensorType(shape, value.element)
    scope.write(op, (value, filling, *numbers), (type_,))


def real_dynamic_slice(scope: Scope, op: str) -> None:
    """Writes a real_dynamic_slice."""
    value = scope.pick()
    starts, limits, strides, shape = slicing(scope, value)
    name = scope.make.index_name(_SIZE_TYPES)
    numbers = [scope.numbers(stride, name) for stride in (starts, limits, strides)]
    type_ = RankedTensorType(shape, value.element)
    scope.write(op, (value, *numbers), (type_,))


def get_dimension_size(scope: Scope, op: str) -> None:
    """Writes a get_dimension_size."""
    value = scope.pick()
    if not value.shape:
        raise NotHere
    axis = scope.make.integer(0, len(value.shape) - 1)
    type_ = RankedTensorType((), I32)
    scope.write(op, (value,), (type_,), f"dimension = {axis} : i64")
