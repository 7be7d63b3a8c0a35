"""What a type says: shape, elements, bytes, the bits of its numbers, the parameters of quantized ones."""

from __future__ import annotations

from shlo.ir.dense import DenseElementsAttr, has_raw_bytes
from shlo.ir.dtypes import FLOAT_FORMATS, UnsupportedTypeError, bit_width, dtype_of
from shlo.ir.floats import float_from_bits
from shlo.ir.op_path import OpPath
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
from shlo.runner.statistics import statistics_of
from shlo.syntax.dense.print import printed_elements
from shlo.syntax.lexer.tokens import Token
from shlo.text.numbers import byte_size, exact_number_text, number_text, plural
from shlo.text.statistics import statistics_lines

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


# -- What a constant holds -----------------------------------------------------------------------------------


MAX_ELEMENTS = 1_000_000
"""Up to how many elements are decoded and looked at."""
MAX_SHOWN_ELEMENTS = 8


def constant_text(op_path: OpPath, token: Token) -> str | None:
    """Returns what the constant at a token holds, in Markdown; None where no elements are."""
    value = elements_of(op_path)
    if value is None:
        return None
    if token.kind == "number" and token.text.startswith("0x"):
        return _bits_text(token.text, value)
    if token.text == "dense" or token.text.startswith('"0x'):
        return elements_text(value)
    return None


def elements_of(op_path: OpPath) -> DenseElementsAttr | None:
    """Returns the first elements among an operation's attributes."""
    signature = op_path.operation.signature
    values = (*signature.properties.values(), *signature.attributes.values())
    return next((value for value in values if isinstance(value, DenseElementsAttr)), None)


def _bits_text(text: str, value: DenseElementsAttr) -> str | None:
    type_, bits = element_type_of(value.type), int(text[2:130], 16)
    if not isinstance(type_, FloatType):
        return f"{code(text)} is {bits:,}"
    if bits.bit_length() > bit_width(type_):
        return None
    return (
        f"{code(text)} is {exact_number_text(float_from_bits(bits, type_))}, the bits of {code(str(type_))}"
    )


def elements_text(value: DenseElementsAttr) -> str:
    """Returns the type of elements, the first of them, and their statistics, in Markdown."""
    type_ = value.type
    count = type_.element_count if isinstance(type_, RankedTensorType) else 1
    if value.is_decoded and count and value.array.strides and not any(value.array.strides):
        [only] = first_texts(value, 1)
        return f"{fence(str(type_))}\n\n{plural(count, 'element')}, all {only}"
    if count > MAX_ELEMENTS:
        return f"{fence(str(type_))}\n\n{plural(count, 'element')}"
    array = value.array
    first = ", ".join(first_texts(value, MAX_SHOWN_ELEMENTS))
    more = ", …" if array.size > MAX_SHOWN_ELEMENTS else ""
    lines = [fence(f"{type_}\n[{first}{more}]")]
    statistics = None if has_raw_bytes(array) else statistics_of(array)
    lines += statistics_lines(statistics) if statistics else [byte_size(array.nbytes)]
    return "\n\n".join(lines)


def first_texts(value: DenseElementsAttr, count: int) -> list[str]:
    """Returns the first elements, those that are no numbers of NumPy's as MLIR prints them."""
    first = value.array.flat[:count]
    return (
        printed_elements(first, element_type_of(value.type))
        if has_raw_bytes(first)
        else [*map(number_text, first)]
    )
