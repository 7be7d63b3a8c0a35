"""Kernels that change the element type: convert, bitcast_convert, reduce_precision, complex."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, OpView, UnaryFn
from shlo.interpreter.kernels.numeric import (
    FAST_DTYPES,
    Kind,
    bits_in,
    contiguous,
    element_dtype,
    is_narrow_integer,
    kind_of,
    unsigned_of,
    where,
    wide_dtype,
    widened,
)
from shlo.interpreter.kernels.shapes import identity
from shlo.interpreter.registry import kernel
from shlo.interpreter.semantics import NAN_WITHOUT_MANTISSA
from shlo.ir.dense import little_endian
from shlo.ir.dtypes import FLOAT_FORMATS, Array, FloatFormat, bit_width, dtype_of
from shlo.ir.types import FloatType, Type, element_type_of

Dtype = np.dtype[Any]


def _convert_source(op: OpView) -> str | None:
    source, target = element_dtype(op.operand_types[0]), element_dtype(op.result_types[0])
    if source.char not in FAST_DTYPES or target.char not in FAST_DTYPES:
        return None
    if source == target:
        return "{0}"
    if target == np.bool_:
        return f"{{0}} != zero_{source.name}"
    if source == np.bool_:
        return f"(one_{target.name} if {{0}} else zero_{target.name})"
    if target.kind == "f":
        return _source_of_float(source, target)
    return _saturating_source(target) if source.kind == "f" else _wrapping_source(source, target)


def _source_of_float(source: Dtype, target: Dtype) -> str:
    """Returns the source of a conversion to a float: the sum of -0 and a float of Python's that is exact, or
    rounded once."""
    if target == np.float32 and source.kind != "f" and source.itemsize > 4:
        return "np.float32({0})"
    return f"minus_zero_{target.name} + float({{0}})"


def _wrapping_source(source: Dtype, target: Dtype) -> str:
    """Returns the source of a conversion of integers: 0 and the bits of an integer of Python's in range."""
    (first, last), (least, greatest) = integer_limits(source), integer_limits(target)
    number = "index({0})"
    if first < least or last > greatest:
        number = f"({number} & {greatest - least})" if not least else _wrapped(number, -least)
    return f"zero_{target.name} | {number}"


def _wrapped(number: str, half: int) -> str:
    return f"(({number} + {half} & {2 * half - 1}) - {half})"


def _saturating_source(target: Dtype) -> str:
    """Returns the source of `saturated` on a NumPy scalar."""
    least, greatest = integer_limits(target)
    limits = f"np.{target.name}({greatest} if {{0}} > 0 else {least} if {{0}} < 0 else 0)"
    plain = f"zero_{target.name} | int({{0}})"
    return f"({plain} if {float(least)} <= {{0}} < {float(greatest + 1)} else {limits})"


@kernel("stablehlo.convert", expression=_convert_source)
def convert(op: OpView) -> KernelFn:
    """Converts elements, complex ones to real types by their real part; specification: "convert"."""
    return conversion(op.operand_types[0], op.result_types[0])


def conversion(source: Type, target: Type) -> KernelFn:
    """Returns the function that converts elements of one type to another; without a copy for equal dtypes."""
    from_dtype, to_dtype, kind = element_dtype(source), element_dtype(target), kind_of(target)
    if from_dtype == to_dtype:
        return identity
    if kind is Kind.BOOLEAN:
        return _real_part_first(_is_not_zero) if kind_of(source) is Kind.COMPLEX else _is_not_zero
    if kind_of(source) is Kind.COMPLEX and kind is not Kind.COMPLEX:
        return _real_part_first(_from_float(np.dtype(f"f{from_dtype.itemsize // 2}"), kind, to_dtype))
    if kind_of(source) is Kind.FLOAT:
        return _from_float(from_dtype, kind, to_dtype)
    return _from_exact(from_dtype, to_dtype)


def _from_float(source: Dtype, kind: Kind, target: Dtype) -> KernelFn:
    """Returns the conversion of floats to numbers of a kind."""
    if kind in (Kind.SIGNED, Kind.UNSIGNED):
        return _after(_cast(wide_dtype(source)), partial(saturated, target=target))
    if target.itemsize > 1:
        return _cast(target)
    return _after(_round_to_odd if source == np.float64 else _cast(np.dtype(np.float32)), _cast(target))


def _from_exact(source: Dtype, target: Dtype) -> KernelFn:
    """Returns the conversion of integers, booleans and complex numbers; narrow integers go through a byte."""
    steps = [wide_dtype(dtype) for dtype in (source, target) if is_narrow_integer(dtype)]
    function = _cast(target)
    for step in reversed(steps):
        function = _after(_cast(step), function)
    return function


def _cast(target: Dtype) -> UnaryFn:
    return lambda x: x.astype(target)


def _after(first: KernelFn, second: KernelFn) -> UnaryFn:
    return lambda x: second(first(x))


def _real_part_first(function: KernelFn) -> UnaryFn:
    return lambda x: function(x.real)


def _is_not_zero(x: Any) -> Any:
    return x != np.zeros((), x.dtype)[()]


def _round_to_odd(x: Array) -> Any:
    """Returns float64 as float32, odd where inexact: rounding that again equals rounding once."""
    nearest = x.astype(np.float32)
    exact = nearest.astype(np.float64)
    is_even = (nearest.view(np.uint32) & 1) == 0
    toward_x = np.nextafter(nearest, where(x > exact, np.inf, -np.inf).astype(np.float32))
    return where(is_even & (exact != x) & np.isfinite(nearest), toward_x, nearest)


def saturated(x: Array, target: Dtype) -> Array:
    """Rounds floats toward zero to integers: out-of-range ones become the nearest limit, NaN becomes 0."""
    least, greatest = integer_limits(target)
    above, below = x.dtype.type(greatest + 1), x.dtype.type(least)
    storage = wide_dtype(target)
    converted = x.astype(storage)
    in_range = (x < above) & (x > below)
    if not in_range.all():
        limits = where(x >= above, storage.type(greatest), where(x <= below, storage.type(least), 0))
        converted = where(in_range, converted, limits.astype(storage))
    return converted.astype(target, copy=False)


def integer_limits(dtype: Dtype) -> tuple[int, int]:
    """Returns the least and the greatest number of an integer dtype."""
    bits = bits_in(dtype)
    if dtype.name.startswith("u"):
        return 0, (1 << bits) - 1
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


@kernel("stablehlo.complex")
def complex_(op: OpView) -> KernelFn:
    """Combines real and imaginary parts; specification: "complex"."""
    dtype = element_dtype(op.result_types[0])

    def evaluate(real: Any, imaginary: Any) -> Any:
        result = np.empty(np.shape(real) or np.shape(imaginary), dtype)
        result.real = real
        result.imag = imaginary
        return result

    return evaluate


_HAS_OWN_FORMAT = frozenset({"f64", "f32", "f16", "bf16", "f8E5M2"})


@kernel("stablehlo.reduce_precision")
def reduce_precision(op: OpView) -> KernelFn:
    """Rounds to a format of fewer exponent and mantissa bits, and back; specification: "reduce_precision".
    NaN stays, or becomes infinite if no mantissa bits are left and XLA is not followed. Too large numbers
    become infinite, too small ones zero. Other formats go through float32."""
    exponent, mantissa = op.integer("exponent_bits"), op.integer("mantissa_bits")
    element = op.tensor_type(0).element_type
    dtype = dtype_of(element)
    keeps_nan = mantissa > 0 or op.departs(NAN_WITHOUT_MANTISSA)
    if isinstance(element, FloatType) and element.name in _HAS_OWN_FORMAT:
        return _precision_reduction(FLOAT_FORMATS[element.name], dtype, exponent, mantissa, keeps_nan)
    wide = np.dtype(np.float32)
    return widened(_precision_reduction(FLOAT_FORMATS["f32"], wide, exponent, mantissa, keeps_nan), dtype)


def _precision_reduction(
    layout: FloatFormat, dtype: Dtype, exponent: int, mantissa: int, keeps_nan: bool
) -> KernelFn:
    infinity = ((1 << layout.exponent) - 1) << layout.mantissa
    all_but_sign = (1 << (layout.width - 1)) - 1

    def evaluate(x: Any) -> Any:
        bits = x.view(unsigned_of(dtype))
        rounded = _round_mantissa(bits, layout.mantissa - mantissa) if mantissa < layout.mantissa else bits
        if exponent < layout.exponent:
            rounded = _limit_exponent(rounded, layout, exponent)
        is_nan = (bits & all_but_sign) > infinity
        return where(is_nan, bits if keeps_nan else infinity, rounded).astype(bits.dtype).view(dtype)

    return evaluate


def _round_mantissa(bits: Any, dropped: int) -> Any:
    """Rounds to the nearest pattern whose last `dropped` bits are zero, ties to even."""
    unit = 1 << dropped
    last = (bits >> dropped) & 1
    return (bits + (last + (unit // 2 - 1))) & ((1 << (8 * bits.dtype.itemsize)) - unit)


def _limit_exponent(bits: Any, layout: FloatFormat, exponent_bits: int) -> Any:
    """Returns infinity for exponents above those of a format with `kept` bits of it, zero for those below."""
    bias, kept_bias = (1 << (layout.exponent - 1)) - 1, (1 << (exponent_bits - 1)) - 1
    infinity = ((1 << layout.exponent) - 1) << layout.mantissa
    present, sign = bits & infinity, bits & (1 << (layout.width - 1))
    bits = where(present > ((bias + kept_bias) << layout.mantissa), sign | infinity, bits)
    return where(present <= ((bias - kept_bias) << layout.mantissa), sign, bits).astype(sign.dtype)


def _bitcast_source(op: OpView) -> str | None:
    source, target = element_dtype(op.operand_types[0]), element_dtype(op.result_types[0])
    if not {source.char, target.char} <= FAST_DTYPES or source.itemsize != target.itemsize:
        return None
    return f"{{0}}.view(np.{target.name})"


@kernel("stablehlo.bitcast_convert", expression=_bitcast_source)
def bitcast_convert(op: OpView) -> KernelFn:
    """Reinterprets bits as another type; specification: "bitcast_convert". Of small elements in a large one
    the first has the lowest bits."""
    source, target = op.operand_types[0], op.result_types[0]
    from_bits, to_bits = bit_width(element_type_of(source)), bit_width(element_type_of(target))
    if from_bits == to_bits:
        return partial(_viewed, dtype=element_dtype(target))
    function = _split if from_bits > to_bits else _join
    return partial(function, from_bits=from_bits, to_bits=to_bits, dtype=element_dtype(target))


def _viewed(x: Array, dtype: Dtype) -> Array:
    return contiguous(x).view(dtype)


def _split(x: Array, from_bits: int, to_bits: int, dtype: Dtype) -> Array:
    """Returns every element as several smaller ones along a new last dimension."""
    apart = contiguous(x)[..., np.newaxis]
    if to_bits == 8 * dtype.itemsize and from_bits == 8 * x.dtype.itemsize:
        return _bytes_as(apart, dtype)
    bits = _bits_of(apart, from_bits)
    return _from_bits(bits.reshape(*np.shape(x), from_bits // to_bits, to_bits), dtype)


def _join(x: Array, from_bits: int, to_bits: int, dtype: Dtype) -> Array:
    """Returns the elements of the last dimension as one larger element."""
    if from_bits == 8 * x.dtype.itemsize and to_bits == 8 * dtype.itemsize:
        return _bytes_as(contiguous(x), dtype).reshape(x.shape[:-1])
    bits = _bits_of(contiguous(x)[..., np.newaxis], from_bits)
    return _from_bits(bits.reshape(*x.shape[:-1], to_bits), dtype)


def _bytes_as(x: Array, dtype: Dtype) -> Array:
    """Returns the bytes of elements, the lowest ones first, as elements of another size."""
    return little_endian(little_endian(x).view(dtype))


def _bits_of(apart: Array, count: int) -> Array:
    """Returns the lowest bits of elements that are alone in the last dimension, the very lowest first."""
    return np.unpackbits(little_endian(apart).view(np.uint8), axis=-1, bitorder="little")[..., :count]


def _from_bits(bits: Array, dtype: Dtype) -> Array:
    """Returns elements from their bits along the last dimension, the lowest first."""
    packed = np.packbits(bits, axis=-1, bitorder="little")
    if is_narrow_integer(dtype):
        return packed[..., 0].view(wide_dtype(dtype)).astype(dtype)
    return little_endian(contiguous(packed).view(dtype))[..., 0]
