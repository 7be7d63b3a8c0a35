"""Quantized numbers and the numbers that they represent; uniform_quantize and uniform_dequantize.

A quantized tensor is held as its storage values. Specification: "Quantized types", "Quantization
computations".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, Value
from shlo.interpreter.kernels.shapes import identity, require
from shlo.interpreter.registry import kernel
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import FloatType, QuantizedType, RankedTensorType, Type, element_type_of, quantized_type

Convert = Callable[[Value], Value]

EXACT_BITS = 16
"""Storage up to this width is computed in float32 without any rounding, wider storage in float64."""


@kernel("stablehlo.uniform_quantize", "stablehlo.uniform_dequantize", "quant.qcast", "quant.dcast")
def uniform_quantize(op: OpView) -> KernelFn:
    """Quantizes, requantizes or dequantizes; specification: "uniform_quantize", "uniform_dequantize"."""
    return converter(op.operand_types[0], op.result_types[0]) or identity


@kernel("quant.scast")
def scast(op: OpView) -> KernelFn:
    """Returns the stored values, seen as a quantized tensor or as its integers."""
    return identity


def zero_of(element: QuantizedType) -> Array:
    """Returns the stored value of 0 in a tensor of one scale: `quantize(0, type)`, as a NumPy scalar."""
    return _quantize(element, 0)(np.zeros((), dtype_of(element.expressed_type)))


def converter(source: Type, target: Type) -> Convert | None:
    """Returns the function from tensors of one type to those of another with the nearest numbers. This is
    `to_destination_type` of the specification; None if there is nothing to do. Raises KernelError if types do
    not allow it."""
    before, after = quantized_type(source), quantized_type(target)
    if element_type_of(source) == element_type_of(target):
        return None
    if before is not None and after is not None:
        dequantize, quantize = _dequantize(before, _rank(source)), _quantize(after, _rank(target))
        return lambda x: quantize(dequantize(x))
    if before is not None and before.expressed_type == element_type_of(target):
        return _dequantize(before, _rank(source))
    if after is not None and after.expressed_type == element_type_of(source):
        return _quantize(after, _rank(target))
    raise KernelError(f"elements of type {element_type_of(source)} cannot become {element_type_of(target)}")


def _dequantize(element: QuantizedType, rank: int) -> Convert:
    """Returns `dequantize` of the specification: stored values less the zero point, times the scale."""
    dtype, wide = _expressed(element), _wide(element)
    scales = _parameters(element, element.scales, rank, dtype)
    zero_points = _parameters(element, element.zero_points, rank, wide)
    return lambda x: (x.astype(wide) - zero_points(x)).astype(dtype) * scales(x)


def _quantize(element: QuantizedType, rank: int) -> Convert:
    """Returns `quantize` of the specification; NaN, whose conversion is open there, is stored as 0."""
    dtype, wide, storage = _expressed(element), _wide(element), dtype_of(element)
    scales = _parameters(element, element.scales, rank, dtype)
    zero_points = _parameters(element, element.zero_points, rank, wide)
    low, high = element.storage_min, element.storage_max

    def quantize(x: Value) -> Value:
        numbers = np.asarray(np.rint(x / scales(x)), wide) + zero_points(x)
        return np.clip(np.where(np.isnan(numbers), 0, numbers), low, high).astype(storage)

    return quantize


def _expressed(element: QuantizedType) -> np.dtype[Any]:
    if not isinstance(element.expressed_type, FloatType):
        raise KernelError(f"{element} expresses no floating-point numbers")
    return dtype_of(element.expressed_type)


def _wide(element: QuantizedType) -> np.dtype[Any]:
    narrow = element.storage_type.width <= EXACT_BITS and element.expressed_type != FloatType("f64")
    return np.dtype(np.float32 if narrow else np.float64)


def _rank(type_: Type) -> int:
    return type_.rank if isinstance(type_, RankedTensorType) else 0


def _parameters(
    element: QuantizedType, values: tuple[float, ...], rank: int, dtype: np.dtype[Any]
) -> Callable[[Value], Array]:
    """Returns scales or zero points in the form that goes with a tensor of a rank: one, one for each index of
    the quantized dimension, or blocks of equal ones."""
    array = np.array(values, np.float64).astype(dtype)
    if element.block_shape is not None and element.block_sizes is not None:
        return partial(_in_blocks, array.reshape(element.block_shape), element.block_sizes)
    if element.axis is None:
        scalar = array.reshape(())
        return lambda x: scalar
    require(element.axis < rank, "dimension {} is quantized, but the rank is {}", element.axis, rank)
    return partial(_along, array.reshape((-1,) + (1,) * (rank - 1 - element.axis)), element.axis)


def _along(array: Array, axis: int, x: Value) -> Array:
    _require_scales(array.size, axis, x)
    return array


def _require_scales(count: int, axis: int, x: Value) -> None:
    size = x.shape[axis]
    require(count == size, "has {} scales along dimension {}, whose size is {}", count, axis, size)


def _in_blocks(array: Array, sizes: tuple[tuple[int, int], ...], x: Value) -> Array:
    require(array.ndim == np.ndim(x), "blocks of shape {} do not fit one of {}", array.shape, np.shape(x))
    for axis, size in sizes:
        _require_scales(array.shape[axis] * size, axis, x)
    for axis, size in sizes:
        array = np.repeat(array, size, axis)
    return array
