"""Reductions of a tensor by one operation, and what they begin with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import RankedTensorType, Type
from shlo.transforms.rewriting.builder import NewRegion, ValueRef, int64s

_types: Any = ml_dtypes


def reduced(value: ValueRef, axes: Sequence[int], name: str) -> ValueRef:
    """Returns a tensor reduced over axes by a StableHLO operation of two elements."""
    shape = tuple(size for axis, size in enumerate(value.tensor.shape) if axis not in axes)
    type_ = RankedTensorType(shape, value.element_type)
    properties = {"dimensions": int64s(axes)}
    operands = (value, initial(value, name))
    body = combining(value, name)
    return value.builder.one("stablehlo.reduce", operands, type_, properties, (body.region,))


def initial(value: ValueRef, name: str) -> ValueRef:
    """Returns the scalar constant with which the reduction of a tensor by an operation begins."""
    element = value.element_type
    return value.builder.array(neutral(name, element), element)


def combining(value: ValueRef, name: str) -> NewRegion:
    """Returns the region that combines two elements of a tensor by an operation."""
    scalar = RankedTensorType((), value.element_type)
    with value.builder.region((scalar, scalar)) as body:
        value.builder.create("stablehlo.return", (value.builder.elementwise(name, *body.arguments),), ())
    return body


def neutral(name: str, element: Type) -> Array:
    """Returns the scalar that an operation combines with any other one to that other one."""
    dtype = dtype_of(element)
    if name in ("maximum", "minimum"):
        return np.asarray(_bound(dtype, is_lower=name == "maximum"), dtype)
    if name == "and":
        return np.asarray(True if dtype.kind == "b" else np.invert(np.zeros((), dtype))).astype(dtype)
    return np.asarray(1 if name == "multiply" else 0).astype(dtype)


def _bound(dtype: np.dtype[Any], *, is_lower: bool) -> Any:
    """Returns the least or the greatest element of a type, infinite where it has infinities."""
    if dtype.kind == "b":
        return not is_lower
    try:
        limits = _types.iinfo(dtype)
    except ValueError:
        with np.errstate(all="ignore"):
            infinite = np.asarray(-np.inf if is_lower else np.inf).astype(dtype)
        if np.isinf(infinite):
            return infinite
        limits = _types.finfo(dtype)
    return limits.min if is_lower else limits.max
