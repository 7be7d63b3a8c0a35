"""Sizes of tensors as values."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.attributes import IntegerAttr
from shlo.ir.types import I64, RankedTensorType, Type
from shlo.transforms.building import ValueRef


def size_of(value: ValueRef, axis: int) -> ValueRef:
    """The size of a dimension as a 64-bit scalar: a constant where it is known."""
    size = value.tensor.shape[axis]
    if size is not None:
        return value.builder.splat(RankedTensorType((), I64), size)
    return run_time_size(value, axis).converted(I64)


def run_time_size(value: ValueRef, axis: int) -> ValueRef:
    """The size of a dimension as `stablehlo.get_dimension_size` gives it."""
    properties = {"dimension": IntegerAttr(axis, I64)}
    return value.builder.one("stablehlo.get_dimension_size", (value,), None, properties)


def list_of(scalar: ValueRef) -> ValueRef:
    """A scalar as a list of one element."""
    return reshaped(scalar, (1,))


def reshaped(value: ValueRef, shape: Sequence[int | None]) -> ValueRef:
    """A value in another shape."""
    type_: Type = RankedTensorType(tuple(shape), value.element_type)
    return value.builder.one("stablehlo.reshape", (value,), type_)
