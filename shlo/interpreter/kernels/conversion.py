"""Kernels that change the element type: convert, bitcast_convert, reduce_precision, complex."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.interpreter.kernel import Evaluate, Specialization, kernel
from shlo.interpreter.kernels.numeric import (
    Kind,
    bits_in,
    element_dtype,
    is_narrow_integer,
    kind_of,
    unsigned_of,
    wide_dtype,
    widened,
)
from shlo.ir.dtypes import FLOAT_FORMATS, Array, FloatFormat, bit_width, dtype_of
from shlo.ir.types import FloatType, Type, element_type_of

Dtype = np.dtype[Any]


@kernel("stablehlo.convert")
def convert(op: Specialization) -> Evaluate:
    """Specification: "convert". Of a complex number that becomes a real one the real part counts."""
    return conversion(op.operand_types[0], op.result_types[0])


def conversion(source: Type, target: Type) -> Evaluate:
    """The function that converts elements from one type to another; an array of the same dtype stays itself."""
    from_dtype, to_dtype = element_dtype(source), element_dtype(target)
    if from_dtype == to_dtype:
        return _same
    if kind_of(source) is Kind.COMPLEX and kind_of(target) is not Kind.COMPLEX:
        convert_real = real_conversion(np.zeros((), from_dtype).real.dtype, kind_of(target), to_dtype)
        return lambda x: convert_real(x.real)
    if kind_of(source) is Kind.FLOAT:
        return real_conversion(from_dtype, kind_of(target), to_dtype)
    if kind_of(target) is Kind.BOOLEAN:
        return _is_not_zero
    return _through_wide_integers(from_dtype, to_dtype)


def real_conversion(source: Dtype, kind: Kind, target: Dtype) -> Evaluate:
    """The function that converts floats of dtype `source` to elements of a kind and dtype."""
    if kind is Kind.BOOLEAN:
        return _is_not_zero
    if kind in (Kind.SIGNED, Kind.UNSIGNED):
        return lambda x: saturated(x.astype(wide_dtype(source)), target)
    if target.itemsize > 1:
        return lambda x: x.astype(target)
    if source == np.float64:
        return lambda x: _rounded_to_odd(x).astype(target)
    return lambda x: x.astype(np.float32).astype(target)


def _rounded_to_odd(x: Array) -> Any:
    """float64 as float32 that a second rounding takes to the number nearest to x: what is inexact gets an odd last bit."""
    nearest = x.astype(np.float32)
    exact = nearest.astype(np.float64)
    is_even = (nearest.view(np.uint32) & 1) == 0
    toward_x = np.nextafter(nearest, np.where(x > exact, np.inf, -np.inf).astype(np.float32))
    return np.where(is_even & (exact != x) & np.isfinite(nearest), toward_x, nearest)


def saturated(x: Array, target: Dtype) -> Array:
    """Floats rounded toward zero to integers: what is out of range becomes the nearest limit, NaN becomes 0."""
    least, greatest = integer_limits(target)
    above, below = x.dtype.type(greatest + 1), x.dtype.type(least)
    storage = wide_dtype(target)
    converted = x.astype(storage)
    in_range = (x < above) & (x > below)
    if not in_range.all():
        limits = np.where(x >= above, storage.type(greatest), np.where(x <= below, storage.type(least), 0))
        converted = np.where(in_range, converted, limits.astype(storage))
    return converted.astype(target)


def integer_limits(dtype: Dtype) -> tuple[int, int]:
    """The least and the greatest number of an integer dtype."""
    bits = bits_in(dtype)
    if dtype.name.startswith("u"):
        return 0, (1 << bits) - 1
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def _same(x: Any) -> Any:
    return x


def _is_not_zero(x: Any) -> Any:
    return x != np.zeros((), x.dtype)[()]


def _through_wide_integers(source: Dtype, target: Dtype) -> Evaluate:
    """From integers and booleans; ml_dtypes' narrow integers go through a byte."""
    first = wide_dtype(source) if is_narrow_integer(source) else source
    middle = wide_dtype(target) if is_narrow_integer(target) else target
    steps = [step for before, step in ((source, first), (first, middle), (middle, target)) if before != step]
    if len(steps) == 1:
        return lambda x: x.astype(target)

    def evaluate(x: Any) -> Any:
        for step in steps:
            x = x.astype(step)
        return x

    return evaluate


@kernel("stablehlo.complex")
def complex_(op: Specialization) -> Evaluate:
    """Specification: "complex"."""
    dtype = element_dtype(op.result_types[0])

    def evaluate(real: Any, imaginary: Any) -> Any:
        result = np.empty(np.shape(real), dtype)
        result.real = real
        result.imag = imaginary
        return result

    return evaluate


_HAS_OWN_FORMAT = frozenset({"f64", "f32", "f16", "bf16", "f8E5M2"})


@kernel("stablehlo.reduce_precision")
def reduce_precision(op: Specialization) -> Evaluate:
    """Specification: "reduce_precision": rounds to a format of fewer bits of exponent and mantissa, and back.

    NaN stays, numbers too large become infinite, too small ones zero. Other formats go through float32.
    """
    exponent, mantissa = op.integer("exponent_bits"), op.integer("mantissa_bits")
    element = op.tensor_type(0).element_type
    dtype = dtype_of(element)
    if isinstance(element, FloatType) and element.name in _HAS_OWN_FORMAT:
        return _precision_reduction(FLOAT_FORMATS[element.name], dtype, exponent, mantissa)
    return widened(
        _precision_reduction(FLOAT_FORMATS["f32"], np.dtype(np.float32), exponent, mantissa), dtype
    )


def _precision_reduction(layout: FloatFormat, dtype: Dtype, exponent: int, mantissa: int) -> Evaluate:
    infinite = _infinity(layout.exponent, layout.mantissa)
    all_but_sign = (1 << (layout.width - 1)) - 1

    def evaluate(x: Any) -> Any:
        bits = x.view(unsigned_of(dtype))
        rounded = _round_mantissa(bits, layout.mantissa - mantissa) if mantissa < layout.mantissa else bits
        if exponent < layout.exponent:
            rounded = _limit_exponent(rounded, layout.exponent, layout.mantissa, exponent)
        is_nan = (bits & all_but_sign) > infinite
        return np.where(is_nan, bits, rounded).astype(bits.dtype).view(dtype)

    return evaluate


def _infinity(exponent: int, mantissa: int) -> int:
    return ((1 << exponent) - 1) << mantissa


def _round_mantissa(bits: Any, dropped: int) -> Any:
    """Rounded to the nearest pattern whose last `dropped` bits are zero, ties to even."""
    unit = 1 << dropped
    last = (bits >> dropped) & 1
    return (bits + (last + (unit // 2 - 1))) & ((1 << (8 * bits.dtype.itemsize)) - unit)


def _limit_exponent(bits: Any, exponent: int, mantissa: int, kept: int) -> Any:
    """Infinity where the exponent is above that of a format with `kept` bits of it, zero where it is below."""
    bias, kept_bias = (1 << (exponent - 1)) - 1, (1 << (kept - 1)) - 1
    present = bits & (((1 << exponent) - 1) << mantissa)
    sign = bits & (1 << (exponent + mantissa))
    bits = np.where(present > ((bias + kept_bias) << mantissa), sign | _infinity(exponent, mantissa), bits)
    return np.where(present <= ((bias - kept_bias) << mantissa), sign, bits).astype(sign.dtype)


@kernel("stablehlo.bitcast_convert")
def bitcast_convert(op: Specialization) -> Evaluate:
    """Specification: "bitcast_convert". Of several small elements in a large one the first has the lowest bits."""
    source, target = op.operand_types[0], op.result_types[0]
    from_dtype, to_dtype = element_dtype(source), element_dtype(target)
    from_bits, to_bits = bit_width(element_type_of(source)), bit_width(element_type_of(target))
    if from_bits == to_bits:
        return lambda x: np.ascontiguousarray(x).reshape(np.shape(x)).view(to_dtype)
    if from_bits > to_bits:
        return lambda x: _split(x, from_bits, to_bits, to_dtype)
    return lambda x: _join(x, from_bits, to_bits, to_dtype)


def _split(x: Array, from_bits: int, to_bits: int, dtype: Dtype) -> Array:
    """Every element as several smaller ones along a new last dimension."""
    x = np.ascontiguousarray(x).reshape(np.shape(x))
    if to_bits == 8 * dtype.itemsize and from_bits == 8 * x.dtype.itemsize:
        return x.reshape(*x.shape, 1).view(dtype)
    bits = np.unpackbits(x.reshape(*x.shape, 1).view(np.uint8), axis=-1, bitorder="little")[..., :from_bits]
    return _from_bits(bits.reshape(*x.shape, from_bits // to_bits, to_bits), dtype)


def _join(x: Array, from_bits: int, to_bits: int, dtype: Dtype) -> Array:
    """The elements of the last dimension as one larger element."""
    x = np.ascontiguousarray(x)
    if from_bits == 8 * x.dtype.itemsize and to_bits == 8 * dtype.itemsize:
        return x.view(dtype).reshape(x.shape[:-1])
    bytes_ = x.reshape(*x.shape, 1).view(np.uint8)
    bits = np.unpackbits(bytes_, axis=-1, bitorder="little")[..., :from_bits]
    return _from_bits(bits.reshape(*x.shape[:-1], to_bits), dtype)


def _from_bits(bits: Array, dtype: Dtype) -> Array:
    """Elements from their bits along the last dimension, the lowest first; signed narrow integers keep their sign."""
    packed = np.packbits(bits, axis=-1, bitorder="little")
    if is_narrow_integer(dtype):
        return packed[..., 0].view(wide_dtype(dtype)).astype(dtype)
    return np.ascontiguousarray(packed).view(dtype)[..., 0]
