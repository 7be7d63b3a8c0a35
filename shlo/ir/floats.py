"""Numbers and bit patterns of MLIR's floating-point types."""

from __future__ import annotations

import struct

import numpy as np

from shlo.ir.dtypes import FLOAT_FORMATS, dtype_of
from shlo.ir.types import FloatType, Type

_UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}


def float_from_bits(bits: int, type_: Type) -> float:
    """The value of a bit pattern of a floating-point type; raises UnsupportedTypeError for f80 and f128."""
    if type_ == FloatType("f64"):
        return struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    if type_ == FloatType("tf32"):
        return float_from_bits(bits << 13, FloatType("f32"))
    dtype = dtype_of(type_)
    with np.errstate(all="ignore"):
        return float(np.array(bits, _UNSIGNED[dtype.itemsize * 8]).view(dtype).astype(np.float64))


def bits_from_float(value: float, type_: Type) -> int:
    """The bit pattern of the nearest number of a floating-point type, ties to even."""
    if type_ == FloatType("f64"):
        return int.from_bytes(struct.pack("<d", value), "little")
    if type_ == FloatType("tf32"):
        return _round_to_tf32(bits_from_float(value, FloatType("f32")))
    dtype = dtype_of(type_)
    with np.errstate(all="ignore"):
        return int(np.array(value, np.float64).astype(dtype).view(_UNSIGNED[dtype.itemsize * 8]))


def _round_to_tf32(bits: int) -> int:
    """A binary32 pattern rounded to 10 bits of mantissa, as 19 bits (ties to even; NaN and Inf keep their class)."""
    if bits & 0x7F800000 == 0x7F800000:
        return bits >> 13
    return (bits + 0xFFF + ((bits >> 13) & 1)) >> 13


def float_width(type_: Type) -> int:
    """The number of bits of a floating-point type."""
    assert isinstance(type_, FloatType)
    return FLOAT_FORMATS[type_.name].width
