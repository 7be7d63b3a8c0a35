"""What a type says: shape, elements, bytes, the bits of its numbers, the parameters of quantized ones."""

from __future__ import annotations

from shlo.ir.dtypes import FLOAT_FORMATS, UnsupportedTypeError, bit_width, dtype_of
from shlo.ir.types import (
    ComplexType,
    FloatType,
    IntegerType,
    QuantizedType,
    RankedTensorType,
    Type,
    element_type_of,
)
from shlo.language.hover.markdown import code, fence
from shlo.text.numbers import byte_size, number_text, plural

SHOWN = 4
"""How many scales of a quantized type are shown."""


def type_text(type_: Type) -> str:
    """Returns what a type says, in Markdown."""
    return "\n\n".join([fence(str(type_)), *filter(None, (size_text(type_), element_text(type_)))])


def size_text(type_: Type) -> str:
    """Shape, elements and bytes of a tensor in memory; empty for another type or an unknown size."""
    if not isinstance(type_, RankedTensorType):
        return ""
    shape = " × ".join("?" if size is None else str(size) for size in type_.shape) or "scalar"
    if not type_.is_static:
        return f"{shape} of {code(str(type_.element_type))}"
    count = type_.element_count
    try:
        held = f", {byte_size(count * dtype_of(type_.element_type).itemsize)}"
    except UnsupportedTypeError:
        held = ""
    return f"{shape} of {code(str(type_.element_type))}, {plural(count, 'element')}{held}"


def element_text(type_: Type) -> str:
    """Returns what the numbers of a type are made of; empty where that is not known."""
    element = element_type_of(type_) if isinstance(type_, RankedTensorType) else type_
    match element:
        case QuantizedType():
            return _quantized_text(element)
        case FloatType(name) if name in FLOAT_FORMATS:
            width, exponent, mantissa, _ = FLOAT_FORMATS[name]
            sign = "1 of the sign, " if width > exponent + mantissa else ""
            return f"{code(name)}: {width} bits, {sign}{exponent} of the exponent, {mantissa} of the fraction"
        case IntegerType(width=1):
            return f"{code(str(element))}: true or false"
        case IntegerType(width=width):
            size = f"{code(str(element))}: {plural(width, 'bit')}"
            if not 0 < width <= 64:
                return size
            low = 0 if element.is_unsigned else -(1 << width - 1)
            return f"{size}, from {low:,} to {low + (1 << width) - 1:,}"
        case ComplexType():
            return f"{code(str(element))}: {bit_width(element)} bits, a real and an imaginary part"
        case _:
            return ""


def _quantized_text(type_: QuantizedType) -> str:
    scales = ", ".join(number_text(scale) for scale in type_.scales[:SHOWN])
    zeros = ", ".join(str(zero) for zero in type_.zero_points[:SHOWN])
    more = ", …" if len(type_.scales) > SHOWN else ""
    where = f" along dimension {type_.axis}" if type_.axis is not None else ""
    many = (
        f"{len(type_.scales)} scales{where}: {scales}{more}" if len(type_.scales) > 1 else f"scale {scales}"
    )
    return (
        f"Stored in {code(str(type_.storage_type))} from {type_.storage_min} to {type_.storage_max}, means"
        f" {code(str(type_.expressed_type))}: (stored - zero point) × scale; {many}, zero point {zeros}{more}"
    )
