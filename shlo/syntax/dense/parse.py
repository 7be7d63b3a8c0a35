"""Text to dense elements: nested lists of numbers, one number for all, raw bytes in hexadecimal, strings,
resources.

Ordinary lists are recognised and converted at once by regular expressions and NumPy; whatever is not
ordinary, every mistake among it, goes through the grammar step by step. Hexadecimal bytes are cut out of the
text and decoded on first use at them.
"""

from __future__ import annotations

import re

import numpy as np

from shlo.ir.attributes import Attribute, DenseResourceAttr
from shlo.ir.dense import (
    DenseElementsAttr,
    DenseStringElementsAttr,
    ElementsType,
    SparseElementsAttr,
    array_from_bits,
    array_from_raw,
    lie_in_shape,
    raw_size,
    static_shape,
)
from shlo.ir.dtypes import raw_item_size
from shlo.ir.source import Span
from shlo.ir.suggestions import FitLiteral
from shlo.ir.types import (
    I64,
    MemRefType,
    QuantizedType,
    RankedTensorType,
    Type,
    UnrankedTensorType,
    VectorType,
    is_number_type,
)
from shlo.syntax.dense.lists import (
    ListedElements,
    StringElement,
    convert,
    parse_elements,
    plain_elements,
    reinterpreted_literal,
)
from shlo.syntax.dense.resources import find_blob
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.numbers.parse import NumberLiteral, findings
from shlo.syntax.types.parse import parse_type

HEX_STRING = re.compile(r'"0x([0-9a-fA-F]*)"(?=(?:[ \t\r\n]+|//[^\n]*)*>)')
MAX_BYTES = 2**62
MAX_RANK = 64
PLAIN_BODY = re.compile(r"[-\w.,+()\[\] \t\r\n]+(?=>)", re.ASCII)


def parse_dense(cursor: Cursor, type_hint: Type | None) -> Attribute:
    """Reads dense elements behind the word `dense`."""
    cursor.expect("<", "after 'dense'")
    cursor.skip()
    start = cursor.pos
    for pattern, finish in ((HEX_STRING, _hexadecimal), (PLAIN_BODY, _plain)):
        match = pattern.match(cursor.text, start)
        if match:
            cursor.pos = match.end()
            cursor.expect(">", "after the elements")
            type_ = elements_type(cursor, type_hint)
            attribute = finish(cursor, match, type_)
            if attribute is not None:
                return attribute
    return _step_by_step(cursor, start, type_hint)


def elements_type(cursor: Cursor, type_hint: Type | None) -> ElementsType:
    """Returns the type of parsed elements: the hint, or what follows a colon. Its shape is static."""
    if type_hint is None:
        cursor.expect(":", "and the type of the elements")
    start = cursor.skip()
    type_ = type_hint or parse_type(cursor)
    if isinstance(type_, UnrankedTensorType) or (
        isinstance(type_, (RankedTensorType, MemRefType)) and (type_.shape is None or None in type_.shape)
    ):
        cursor.fail(f"dense elements need a static shape, not {type_}", Span(start, cursor.pos))
    if not isinstance(type_, (RankedTensorType, VectorType, MemRefType)):
        cursor.fail(f"dense elements fill a tensor or a vector, not {type_}", Span(start, cursor.pos))
    if len(type_.shape or ()) > MAX_RANK:
        cursor.fail(f"elements have at most {MAX_RANK} dimensions", Span(start, cursor.pos))
    if is_number_type(type_.element_type) and raw_size(type_, packed=False) > MAX_BYTES:  # type: ignore[arg-type]
        cursor.fail(f"{type_} has more elements than a machine can address", Span(start, cursor.pos))
    return type_  # type: ignore[return-value]


def _plain(cursor: Cursor, match: re.Match[str], type_: ElementsType) -> Attribute | None:
    if not is_number_type(type_.element_type):
        return None
    array = plain_elements(match[0], type_.element_type, static_shape(type_))
    if array is None:
        return None
    elements = reinterpreted_literal(match[0], array, type_.element_type)
    if elements is not None:
        literal = NumberLiteral(
            False, elements[0], Span(match.start() + elements.start(), match.start() + elements.end())
        )
        cursor.diagnostics.extend(findings((literal,), type_.element_type, cursor.text))
    return DenseElementsAttr(type_, array)


def _hexadecimal(cursor: Cursor, match: re.Match[str], type_: ElementsType) -> Attribute | None:
    if not is_number_type(type_.element_type):
        return None
    start, end = match.span(1)
    digits, whole = end - start, raw_size(type_, packed=False)
    if digits not in (2 * whole, 2 * raw_item_size(type_.element_type)):
        hint = "; in text i1 takes a byte an element" if (digits + 1) // 2 == raw_size(type_) else ""
        cursor.fail(
            f"{digits} hexadecimal digits do not fill {type_}, which takes {2 * whole}{hint}",
            Span(*match.span()),
        )
    text = cursor.text
    if digits and not whole:
        filler = RankedTensorType((), type_.element_type)
        return DenseElementsAttr(type_, array_from_raw(bytes.fromhex(match[1]), filler, packed=False))
    return DenseElementsAttr(
        type_, lambda: array_from_raw(bytes.fromhex(text[start:end]), type_, packed=False)
    )


def _step_by_step(cursor: Cursor, start: int, type_hint: Type | None) -> Attribute:
    cursor.pos = start
    elements = ListedElements((0,), []) if cursor.at(">") else parse_elements(cursor)
    is_empty = cursor.text[start : cursor.pos].strip() == ""
    span = Span(start, cursor.pos)
    cursor.expect(">", "after the elements")
    type_ = elements_type(cursor, type_hint)
    shape = static_shape(type_)
    if is_empty:
        if 0 not in shape:
            cursor.fail(f"there are no elements for {type_}", span)
        elements = ListedElements(shape, [])
    return elements_attribute(cursor, elements, type_, span)


def elements_attribute(
    cursor: Cursor, elements: ListedElements, type_: ElementsType, span: Span
) -> DenseElementsAttr | DenseStringElementsAttr:
    """Returns elements as an attribute of a type, whose shape they must have unless one is for all."""
    shape = static_shape(type_)
    if elements.shape not in ((), shape):
        message = f"the elements are of shape {list(elements.shape)}, but the type is {type_}"
        cursor.fail(message, span, (FitLiteral(shapes=(elements.shape,)),))
    has_strings = any(isinstance(value, StringElement) for value in elements.values)
    is_tensor = isinstance(type_, RankedTensorType)
    if is_tensor and isinstance(type_.element_type, QuantizedType) and not has_strings:
        type_ = _stored(cursor, type_, span)
    if not is_number_type(type_.element_type):
        return DenseStringElementsAttr(type_, elements.strings(cursor))
    values = convert(cursor, elements, type_.element_type)
    return DenseElementsAttr(type_, array_from_bits(values, type_.element_type, elements.shape))


def _stored(cursor: Cursor, type_: RankedTensorType, span: Span) -> RankedTensorType:
    """Returns the type of the numbers that refer to quantized ones, as which they are written today."""
    assert isinstance(type_.element_type, QuantizedType)
    cursor.quantized_type = type_
    stored = RankedTensorType(type_.shape, type_.element_type.storage_type)
    today = f"stablehlo.constant() <{{value = dense<...> : {stored}}}> : () -> {type_}"
    if not any(diagnostic.span == span for diagnostic in cursor.diagnostics[-4:]):
        cursor.report(
            f"quantized elements are written as what they store today: {today}", span, "hint", "spelling"
        )
    return stored


# -- resources and sparse elements ---------------------------------------------------------------------------


def parse_dense_resource(cursor: Cursor, type_hint: Type | None) -> Attribute:
    """Reads `<key> : type` behind the word `dense_resource`."""
    cursor.expect("<", "after 'dense_resource'")
    key = cursor.string()
    if key is None:
        key = cursor.expect_identifier("a resource's key")
    cursor.expect(">", "after the key")
    if type_hint is None:
        cursor.expect(":", "and the type of the elements")
    start = cursor.skip()
    type_ = type_hint or parse_type(cursor)
    if not isinstance(type_, (RankedTensorType, UnrankedTensorType, VectorType, MemRefType)):
        cursor.fail(f"elements fill a tensor or a vector, not {type_}", Span(start, cursor.pos))
    return DenseResourceAttr(key, type_, find_blob(cursor, key))


def parse_sparse(cursor: Cursor, type_hint: Type | None) -> Attribute:
    """Reads `<indices, values> : type` behind the word `sparse`."""
    cursor.expect("<", "after 'sparse'")
    start = cursor.skip()
    parts: list[tuple[ListedElements, Span]] = []
    if not cursor.accept(">"):
        parts.append(_sparse_part(cursor))
        cursor.expect(",", "between indices and values")
        parts.append(_sparse_part(cursor))
        cursor.expect(">", "after the values")
    span = Span(start, cursor.pos)
    type_ = elements_type(cursor, type_hint)
    if not parts:
        return _no_sparse_elements(type_)
    return _sparse(cursor, parts[0], parts[1], type_, span)


def _sparse_part(cursor: Cursor) -> tuple[ListedElements, Span]:
    start = cursor.skip()
    elements = parse_elements(cursor)
    return elements, Span(start, cursor.pos)


def _no_sparse_elements(type_: ElementsType) -> Attribute:
    rank = len(static_shape(type_))
    indices = DenseElementsAttr(RankedTensorType((0, rank), I64), np.zeros((0, rank), np.int64))
    no_values = array_from_bits([], type_.element_type, (0,))
    values = DenseElementsAttr(RankedTensorType((0,), type_.element_type), no_values)
    return SparseElementsAttr(type_, indices, values)


def _sparse(
    cursor: Cursor,
    indices: tuple[ListedElements, Span],
    values: tuple[ListedElements, Span],
    type_: ElementsType,
    span: Span,
) -> Attribute:
    shape = static_shape(type_)
    rank = len(shape)
    places, numbers = indices[0], values[0]
    count = places.shape[0] if places.shape else 1
    if (count == 0 and numbers.shape == (0,)) or (rank == 0 and not places.shape):
        return _no_sparse_elements(type_)
    wanted = {(), (count, rank), (count,)} if rank == 1 else {(), (count, rank)}
    if places.shape not in wanted or numbers.shape not in {(), (count,)}:
        cursor.fail(
            f"{list(places.shape)} indices and {list(numbers.shape)} values do not suit {type_}", span
        )
    index_shape = (count,) if places.shape == (count,) else (count, rank)
    index_type = RankedTensorType(index_shape, I64)
    index_attribute = elements_attribute(cursor, places, index_type, indices[1])
    value_attribute = elements_attribute(
        cursor, numbers, RankedTensorType((count,), type_.element_type), values[1]
    )
    assert isinstance(index_attribute, DenseElementsAttr)
    if not lie_in_shape(index_attribute.array, shape):
        cursor.fail(f"an index lies outside of the shape {list(shape)}", indices[1])
    return SparseElementsAttr(type_, index_attribute, value_attribute)
