"""Text to attributes."""

from __future__ import annotations

from collections.abc import Callable

from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DictionaryAttr,
    DistinctAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from shlo.ir.source import Span
from shlo.ir.types import F64, I1, I64, FloatType, IndexType, IntegerType, Type
from shlo.syntax.dense.parse import parse_dense, parse_dense_resource, parse_sparse
from shlo.syntax.dialects.affine import parse_affine
from shlo.syntax.dialects.attributes import parse_dialect_attribute
from shlo.syntax.dialects.symbols import dotted_or_wrapped, read_symbol
from shlo.syntax.lexer.cursor import WORD, Reader
from shlo.syntax.parser.literals import Literal
from shlo.syntax.parser.locations import parse_parenthesized_location
from shlo.syntax.parser.numbers import expect_literal, float_bits, integer_value
from shlo.syntax.parser.types import parse_type

UNSIGNED_64 = 2**64 - 1


def parse_attribute(reader: Reader, type_hint: Type | None = None) -> Attribute:
    """Reads an attribute. With a hint, numbers and elements are of that type and no `: type` follows them."""
    character = reader.peek()
    if character == '"':
        return _string(reader, type_hint)
    structured = STRUCTURED.get(character)
    if structured:
        return reader.nested(lambda: structured(reader))
    if character in ("-", "+") or "0" <= character <= "9":
        return _number(reader, expect_literal(reader), type_hint)
    word = WORD.match(reader.text, reader.pos)
    read = KEYWORDS.get(word[0]) if word else None
    if word and read:
        reader.pos = word.end()
        return reader.nested(lambda: read(reader, type_hint))
    if character == "!" or character == "(" or word:
        return _type(reader)
    return reader.fail(f"expected an attribute, but found {reader.found()}")


def parse_attribute_dict(reader: Reader) -> dict[str, Attribute]:
    """Reads `{name = value, ...}`; a name alone stands for a unit attribute."""
    entries: dict[str, Attribute] = {}
    reader.expect("{", "before a list of attributes")
    reader.comma_list(lambda: _entry(reader, entries), "}")
    return entries


def _entry(reader: Reader, entries: dict[str, Attribute]) -> None:
    start = reader.skip()
    name = reader.name_or_string("an attribute's name")
    if not name:
        reader.fail("an attribute's name is not empty", Span(start, reader.pos))
    if name in entries:
        reader.fail(f"the attribute '{name}' is given twice", Span(start, reader.pos))
    entries[name] = parse_attribute(reader) if reader.accept("=") else UnitAttr()


# -- what starts with a sign ---------------------------------------------------------------------------------


def _string(reader: Reader, type_hint: Type | None) -> Attribute:
    value = reader.expect_string()
    if type_hint is None and reader.accept(":"):
        return StringAttr(value, parse_type(reader))
    return StringAttr(value, type_hint)


def _array(reader: Reader) -> Attribute:
    reader.expect("[")
    return ArrayAttr(tuple(reader.comma_list(lambda: parse_attribute(reader), "]")))


def _dictionary(reader: Reader) -> Attribute:
    return DictionaryAttr.of(parse_attribute_dict(reader))


def _symbol(reader: Reader) -> Attribute:
    names = [_symbol_name(reader)]
    while (start := reader.pos) >= 0 and reader.accept(":") and reader.accept(":"):
        names.append(_symbol_name(reader))
    reader.pos = start
    return SymbolRefAttr(names[0], tuple(names[1:]))


def _symbol_name(reader: Reader) -> str:
    name = reader.symbol()
    return name if name is not None else reader.fail(f"expected a symbol '@name', but found {reader.found()}")


def _hash(reader: Reader) -> Attribute:
    start = reader.pos
    symbol = read_symbol(reader)
    span = Span(start, symbol.end)
    if not symbol.dialect:
        return _alias(reader, symbol.body, span)
    attribute = parse_dialect_attribute(reader, symbol, span)
    type_ = parse_type(reader) if reader.accept(":") else None
    if attribute is None:
        return OpaqueAttr(symbol.dialect, dotted_or_wrapped(symbol.body), type_)
    return attribute


def _alias(reader: Reader, name: str, span: Span) -> Attribute:
    attribute = reader.attribute_aliases.get(name)
    if attribute is None:
        attribute = reader.location_aliases.get(name)
    if attribute is None:
        reader.fail_at_alias(f"#{name}", f"the attribute alias '#{name}' is not defined", span)
    reader.measure_alias("#", name, span)
    return attribute


STRUCTURED: dict[str, Callable[[Reader], Attribute]] = {
    "[": _array,
    "{": _dictionary,
    "#": _hash,
    "@": _symbol,
}


# -- numbers -------------------------------------------------------------------------------------------------


def _number(reader: Reader, literal: Literal, type_hint: Type | None) -> Attribute:
    type_ = type_hint
    start = reader.pos
    if type_ is None:
        default = F64 if literal.is_float else I64
        type_ = parse_type(reader) if reader.accept(":") else default
    if isinstance(type_, FloatType):
        return FloatAttr(float_bits(reader, literal, type_), type_)
    if isinstance(type_, (IntegerType, IndexType)):
        if literal.negative and isinstance(type_, IntegerType) and type_.is_unsigned:
            reader.fail("an unsigned integer is not negative", literal.span)
        return IntegerAttr(integer_value(reader, literal, type_), type_)
    return reader.fail(f"a number is not of type {type_}", Span(start, max(start, reader.pos)))


def _boolean(value: int) -> Callable[[Reader, Type | None], Attribute]:
    return lambda reader, type_hint: IntegerAttr(value, I1)


# -- keywords: each reads from behind its word ---------------------------------------------------------------


def _type(reader: Reader) -> Attribute:
    return TypeAttr(parse_type(reader))


def _unit(reader: Reader, type_hint: Type | None) -> Attribute:
    return UnitAttr()


def _dense_array(reader: Reader, type_hint: Type | None) -> Attribute:
    reader.expect("<", "after 'array'")
    start = reader.skip()
    type_ = parse_type(reader)
    if not isinstance(type_, (IntegerType, FloatType)):
        reader.fail(f"an array holds integers or floats, not {type_}", Span(start, reader.pos))
    if isinstance(type_, IntegerType) and type_.width % 8 and not type_.is_boolean:
        reader.fail(f"an array holds integers of whole bytes, not {type_}", Span(start, reader.pos))
    values: list[int] = []
    if reader.accept(":"):
        values.append(_array_element(reader, type_))
        while reader.accept(","):
            values.append(_array_element(reader, type_))
    reader.expect(">", "at the end of an array")
    return DenseArrayAttr(type_, tuple(values))


def _array_element(reader: Reader, type_: IntegerType | FloatType) -> int:
    if isinstance(type_, IntegerType) and type_.is_boolean:
        if not (reader.at("true") or reader.at("false")):
            reader.fail(f"expected true or false, but found {reader.found()}")
        return int(reader.word() == "true")
    literal = expect_literal(reader)
    if isinstance(type_, FloatType):
        return float_bits(reader, literal, type_)
    return integer_value(reader, literal, type_)


def _affine(keyword: str) -> Callable[[Reader, Type | None], Attribute]:
    return lambda reader, type_hint: parse_affine(reader, keyword)


def _strided(reader: Reader, type_hint: Type | None) -> Attribute:
    reader.expect("<", "after 'strided'")
    reader.expect("[", "before the strides")
    strides = reader.comma_list(lambda: _stride(reader), "]")
    offset = "0"
    if reader.accept(","):
        reader.expect("offset", "after the strides")
        reader.expect(":", "before the offset")
        offset = _stride(reader)
    reader.expect(">", "at the end of a strided layout")
    tail = "" if offset == "0" else f", offset: {offset}"
    return StridedLayoutAttr(f"[{', '.join(strides)}]{tail}")


def _stride(reader: Reader) -> str:
    return "?" if reader.accept("?") else str(reader.expect_integer("a stride, or '?'"))


def _distinct(reader: Reader, type_hint: Type | None) -> Attribute:
    reader.expect("[", "after 'distinct'")
    start = reader.skip()
    number = reader.expect_integer("a number")
    if not 0 <= number <= UNSIGNED_64:
        reader.fail("the number of a distinct attribute has 64 bits and no sign", Span(start, reader.pos))
    reader.expect("]", "after the number of a distinct attribute")
    reader.expect("<", "before a distinct attribute's value")
    value = UnitAttr() if reader.at(">") else parse_attribute(reader)
    reader.expect(">", "after a distinct attribute's value")
    return DistinctAttr(number, value)


def _location(reader: Reader, type_hint: Type | None) -> Attribute:
    return parse_parenthesized_location(reader)


KEYWORDS: dict[str, Callable[[Reader, Type | None], Attribute]] = {
    "true": _boolean(1),
    "false": _boolean(0),
    "unit": _unit,
    "dense": parse_dense,
    "dense_resource": parse_dense_resource,
    "sparse": parse_sparse,
    "array": _dense_array,
    "affine_map": _affine("affine_map"),
    "affine_set": _affine("affine_set"),
    "strided": _strided,
    "distinct": _distinct,
    "loc": _location,
}
