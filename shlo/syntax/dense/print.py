"""Dense elements to text, as MLIR prints them."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.dense import (
    DenseElementsAttr,
    DenseStringElementsAttr,
    bits_from_array,
    element_parts,
    raw_from_array,
)
from shlo.ir.dtypes import Array
from shlo.ir.types import FloatType, IndexType, IntegerType, Shape, Type
from shlo.syntax.lexer.strings import quoted
from shlo.syntax.numbers.parse import wrapped
from shlo.syntax.numbers.print import float_text, integer_text
from shlo.syntax.types.print import type_text

MAX_LISTED = 100
"""More elements than these are printed as hexadecimal bytes."""


def dense_text(attribute: DenseElementsAttr | DenseStringElementsAttr) -> str:
    """`dense<...> : type`."""
    return f"dense<{elements_text(attribute)}> : {type_text(attribute.type)}"


def elements_text(attribute: DenseElementsAttr | DenseStringElementsAttr) -> str:
    """What is between the angle brackets: nothing, one element for all, nested lists, or bytes."""
    if isinstance(attribute, DenseStringElementsAttr):
        return _strings_text(attribute)
    array, element_type = attribute.array, attribute.type.element_type
    if array.size == 0:
        return "" if attribute.filler is None else printed_elements(attribute.filler, element_type)[0]
    if attribute.is_splat:
        return printed_elements(array[(0,) * array.ndim], element_type)[0]
    if array.size > MAX_LISTED:
        return f'"0x{raw_from_array(array, packed=False).hex().upper()}"'
    return nested_text(printed_elements(array, element_type), array.shape)


def _strings_text(attribute: DenseStringElementsAttr) -> str:
    elements = list(map(quoted, attribute.values))
    return "".join(elements) if len(elements) <= 1 else nested_text(elements, attribute.type.shape)


def nested_text(elements: Sequence[str], shape: Shape) -> str:
    """Elements row by row as nested lists."""
    for size in reversed(shape):
        assert size is not None
        elements = [
            f"[{', '.join(elements[start : start + size])}]" for start in range(0, len(elements), size)
        ]
    return elements[0]


def printed_elements(array: Array, element_type: Type) -> list[str]:
    """Returns the elements of a type one by one, row by row."""
    part, count = element_parts(element_type)
    elements = [_number(bits, part) for bits in bits_from_array(array, element_type)]
    if count == 1:
        return elements
    return [f"({elements[index]},{elements[index + 1]})" for index in range(0, len(elements), 2)]


def _number(bits: int, type_: Type) -> str:
    if isinstance(type_, FloatType):
        return float_text(bits, type_)
    assert isinstance(type_, (IntegerType, IndexType))
    return integer_text(wrapped(bits, type_), type_)
