"""Sizes and parts of tensors as values."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.attributes import IntegerAttr
from shlo.ir.types import I64, RankedTensorType, Type
from shlo.transforms.rewriting.builder import ValueRef, int64s


def size_of(value: ValueRef, axis: int) -> ValueRef:
    """Returns the size of a dimension as a 64-bit scalar: a constant where it is known."""
    size = value.tensor.shape[axis]
    if size is not None:
        return value.builder.splat(RankedTensorType((), I64), size)
    return run_time_size(value, axis).converted(I64)


def run_time_size(value: ValueRef, axis: int) -> ValueRef:
    """Returns the size of a dimension as `stablehlo.get_dimension_size` gives it."""
    properties = {"dimension": IntegerAttr(axis, I64)}
    return value.builder.one("stablehlo.get_dimension_size", (value,), None, properties)


def list_of(scalar: ValueRef) -> ValueRef:
    """Returns a scalar as a list of one element."""
    return reshaped(scalar, (1,))


def reshaped(value: ValueRef, shape: Sequence[int | None]) -> ValueRef:
    """Returns a value in another shape."""
    type_: Type = RankedTensorType(tuple(shape), value.element_type)
    return value.builder.one("stablehlo.reshape", (value,), type_)


def sliced(value: ValueRef, starts: Sequence[int], limits: Sequence[int]) -> ValueRef:
    """Returns the part of a tensor between starts and limits along each dimension."""
    properties = {
        "start_indices": int64s(starts),
        "limit_indices": int64s(limits),
        "strides": int64s([1] * len(starts)),
    }
    shape = tuple(limit - start for start, limit in zip(starts, limits))
    type_ = RankedTensorType(shape, value.element_type)
    return value.builder.one("stablehlo.slice", (value,), type_, properties)


def element(value: ValueRef, places: Sequence[int]) -> ValueRef:
    """Returns an element as a scalar."""
    return reshaped(sliced(value, places, [index + 1 for index in places]), ())


def joined(values: Sequence[ValueRef], axis: int = 0) -> ValueRef:
    """Tensors of known sizes one after the other along a dimension."""
    first = values[0].tensor
    size = sum(value.tensor.static_shape[axis] for value in values)
    type_ = RankedTensorType((*first.shape[:axis], size, *first.shape[axis + 1 :]), first.element_type)
    properties = {"dimension": IntegerAttr(axis, I64)}
    return values[0].builder.one("stablehlo.concatenate", values, type_, properties)
