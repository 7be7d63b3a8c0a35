"""What a constant holds: the number behind bits, and the elements of `dense<...>` in a few numbers."""

from __future__ import annotations

from shlo.ir.dense import DenseElementsAttr, has_raw_bytes
from shlo.ir.floats import float_from_bits, float_width
from shlo.ir.op_path import OpPath
from shlo.ir.types import FloatType, RankedTensorType, element_type_of
from shlo.language.hover.markdown import code, fence
from shlo.runner.statistics import statistics_of
from shlo.syntax.dense.print import printed_elements
from shlo.syntax.lexer.tokens import Token
from shlo.text.numbers import byte_size, exact_number_text, number_text, plural
from shlo.text.statistics import statistics_lines

MAX_ELEMENTS = 1_000_000
"""Up to how many elements are decoded and looked at."""
SHOWN = 8


def constant_text(place: OpPath, token: Token) -> str | None:
    """Returns what the constant at a token holds, in Markdown; None where no elements are."""
    value = elements_of(place)
    if value is None:
        return None
    if token.kind == "number" and token.text.startswith("0x"):
        return _bits_text(token.text, value)
    if token.text == "dense" or token.text.startswith('"0x'):
        return elements_text(value)
    return None


def elements_of(place: OpPath) -> DenseElementsAttr | None:
    """Returns the first elements among an operation's attributes."""
    signature = place.operation.signature
    values = (*signature.properties.values(), *signature.attributes.values())
    return next((value for value in values if isinstance(value, DenseElementsAttr)), None)


def _bits_text(text: str, value: DenseElementsAttr) -> str | None:
    type_, bits = element_type_of(value.type), int(text[2:130], 16)
    if not isinstance(type_, FloatType):
        return f"{code(text)} is {bits:,}"
    if bits.bit_length() > float_width(type_):
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
    first = ", ".join(first_texts(value, SHOWN))
    more = ", …" if array.size > SHOWN else ""
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
