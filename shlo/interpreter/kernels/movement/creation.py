"""Kernels that create tensors: constant and iota."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView
from shlo.interpreter.kernels.shapes import Sizes, constant_function, known_sizes
from shlo.interpreter.registry import kernel
from shlo.ir.attributes import DenseResourceAttr
from shlo.ir.dense import DenseElementsAttr, array_from_raw
from shlo.ir.dtypes import Array
from shlo.ir.types import RankedTensorType


@kernel("stablehlo.constant", "sdy.constant")
def constant(op: OpView) -> KernelFn:
    """Returns the elements of its attribute; specification: "constant"."""
    value: DenseElementsAttr | DenseResourceAttr
    value = op.require("value", DenseElementsAttr, DenseResourceAttr)
    try:
        return constant_function(value.array if isinstance(value, DenseElementsAttr) else _resource(value))
    except ValueError as error:
        raise KernelError(f"cannot read the value: {error}") from error


def _resource(value: DenseResourceAttr) -> Array:
    if value.blob is None:
        raise KernelError(f"names the resource '{value.key}', which the file does not hold")
    if not isinstance(value.type, RankedTensorType):
        raise KernelError("has a value that is no ranked tensor")
    return array_from_raw(value.blob, value.type, packed=False)


@kernel("stablehlo.iota")
def iota(op: OpView) -> KernelFn:
    """Returns numbers that count up along a dimension; specification: "iota"."""
    return constant_function(counted(known_sizes(op), op.integer("iota_dimension"), op.result_dtype()))


def counted(shape: Sizes, dimension: int, dtype: np.dtype[Any]) -> Array:
    """Returns an array of that shape of indices in `dimension`; a view, with stride 0 elsewhere."""
    numbers = np.arange(shape[dimension]).astype(dtype)
    column = numbers.reshape((-1,) + (1,) * (len(shape) - dimension - 1))
    return np.broadcast_to(column, shape)
