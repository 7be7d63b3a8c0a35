"""The bits of elements."""

from __future__ import annotations

import math
import struct

from shlo.ir.dtypes import FLOAT_FORMATS, bit_width
from shlo.ir.floats import bits_from_float, float_from_bits
from shlo.ir.types import FloatType, QuantizedType, Type
from shlo.reference.element import Element, is_complex, part_type, wrapped


def bits_of(x: Element) -> int:
    """Returns the bits of an element as a number that is not negative; a complex number's real part comes
    first."""
    if is_complex(x.type):
        part = part_type(x.type)
        return _float_bits(x.value.real, part) | _float_bits(x.value.imag, part) << bit_width(part)
    if isinstance(x.type, FloatType):
        return _float_bits(x.value, x.type)
    return x.value & ((1 << bit_width(x.type)) - 1)


def element_of_bits(bits: int, type_: Type) -> Element:
    """Returns the element of a type that has these bits."""
    if is_complex(type_):
        part = part_type(type_)
        low = bits & ((1 << bit_width(part)) - 1)
        return Element(type_, complex(_float_of(low, part), _float_of(bits >> bit_width(part), part)))
    if isinstance(type_, FloatType):
        return Element(type_, _float_of(bits, type_))
    return Element(type_, wrapped(bits, type_.storage_type if isinstance(type_, QuantizedType) else type_))


def _float_bits(value: float, type_: FloatType) -> int:
    """Returns the bits of a number; of NaN with its sign and the payload that fits, where the type has
    several."""
    bits = bits_from_float(value, type_)
    if not math.isnan(value):
        return bits
    layout = FLOAT_FORMATS[type_.name]
    wide = int.from_bytes(struct.pack("<d", value), "little")
    top = 1 << (layout.width - 1)
    payload = (wide & (1 << 52) - 1) >> (52 - layout.mantissa)
    with_payload = (bits & top - 1 & ~((1 << layout.mantissa) - 1)) | payload
    exact = with_payload if payload and math.isnan(float_from_bits(with_payload, type_)) else bits & top - 1
    signed = exact | (top if wide >> 63 else 0)
    return signed if math.isnan(float_from_bits(signed, type_)) else bits


def _float_of(bits: int, type_: FloatType) -> float:
    """Returns the number with these bits; NaN with its sign and payload."""
    value = float_from_bits(bits, type_)
    if not math.isnan(value):
        return value
    layout = FLOAT_FORMATS[type_.name]
    payload = (bits & (1 << layout.mantissa) - 1) << (52 - layout.mantissa)
    wide = (bits >> (layout.width - 1)) << 63 | 0x7FF << 52 | (payload or 1 << 51)
    return struct.unpack("<d", wide.to_bytes(8, "little"))[0]
