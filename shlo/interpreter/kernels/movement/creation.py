"""Tensors from nothing: constant and iota."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, kernel
from shlo.interpreter.kernels.shapes import (
    Sizes,
    constant_function,
    require_dimensions,
    require_result,
    shape_text,
)
from shlo.ir.attributes import Attribute, DenseResourceAttr
from shlo.ir.dense import DenseElementsAttr, array_from_raw
from shlo.ir.dtypes import Array
from shlo.ir.types import RankedTensorType


@kernel("stablehlo.constant", "sdy.constant")
def constant(op: OpView) -> KernelFn:
    """The elements of its attribute; specification: "constant"."""
    array = _elements(op.require("value"))
    require_result(op, array.shape)
    if array.dtype != op.result_dtype():
        raise KernelError(f"has a value of {array.dtype.name} elements, but its type is {op.result_type()}")
    return constant_function(array)


def _elements(value: Attribute) -> Array:
    try:
        if isinstance(value, DenseElementsAttr):
            return value.array
        if isinstance(value, DenseResourceAttr):
            return _resource(value)
    except ValueError as error:
        raise KernelError(f"has a value that cannot be read: {error}") from error
    raise KernelError("needs a dense value")


def _resource(value: DenseResourceAttr) -> Array:
    if value.blob is None:
        raise KernelError(f"names the resource '{value.key}', which the file does not hold")
    if not isinstance(value.type, RankedTensorType):
        raise KernelError("has a value that is no ranked tensor")
    return array_from_raw(value.blob, value.type, packed=False)


@kernel("stablehlo.iota")
def iota(op: OpView) -> KernelFn:
    """Numbers that count up along a dimension; specification: "iota"."""
    type_ = op.result_type()
    if not type_.is_static:
        raise KernelError(f"needs a result type of known sizes, not {shape_text(type_.shape)}")
    return constant_function(counted(type_.static_shape, op.integer("iota_dimension"), op.result_dtype()))


def counted(shape: Sizes, dimension: int, dtype: np.dtype[Any]) -> Array:
    """An array of that shape whose elements are their indices in `dimension`; a view, stride 0 elsewhere."""
    require_dimensions((dimension,), len(shape), "iota_dimension")
    numbers = np.arange(shape[dimension]).astype(dtype)
    column = numbers.reshape((-1,) + (1,) * (len(shape) - dimension - 1))
    return np.broadcast_to(column, shape)
