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
from shlo.ir.suggestions import Replace
from shlo.ir.types import F64, I1, I64, FloatType, IndexType, IntegerType, RankedTensorType, Type
from shlo.syntax.attributes.parse_locations import parse_parenthesized_location
from shlo.syntax.dense.parse import parse_dense, parse_dense_resource, parse_sparse
from shlo.syntax.dialects.attributes import parse_dialect_attribute
from shlo.syntax.lexer.cursor import WORD, Cursor, EntryOwner, parse_bool
from shlo.syntax.numbers.parse import NumberLiteral, expect_literal, float_bits, integer_value
from shlo.syntax.types.affine import parse_affine
from shlo.syntax.types.dialect_symbols import dotted_or_wrapped, parse_symbol
from shlo.syntax.types.parse import parse_type
from shlo.syntax.types.recursion import recursion


def parse_attribute(cursor: Cursor, type_hint: Type | None = None) -> Attribute:
    """Reads an attribute. With a hint, numbers and elements are of that type and no `: type` follows them."""
    character = cursor.peek()
    if character == '"':
        return _string(cursor, type_hint)
    structured = STRUCTURED.get(character)
    if structured:
        return cursor.nested(lambda: structured(cursor))
    if character in ("-", "+") or "0" <= character <= "9":
        return _number(cursor, expect_literal(cursor), type_hint)
    word = WORD.match(cursor.text, cursor.pos)
    read = KEYWORDS.get(word[0]) if word else None
    if word and read:
        cursor.pos = word.end()
        return cursor.nested(lambda: read(cursor, type_hint))
    if character == "!" or character == "(" or word:
        return TypeAttr(parse_type(cursor))
    return cursor.fail_expected("an attribute")


def parse_attribute_dict(
    cursor: Cursor, owner: EntryOwner = None, brackets: tuple[str, str] = ("{", "}")
) -> dict[str, Attribute]:
    """Reads `{name = value, ...}`; a name alone refers to a unit attribute."""
    entries: dict[str, Attribute] = {}
    cursor.expect(brackets[0], "before a list of attributes")
    cursor.comma_list(lambda: _entry(cursor, owner, entries), brackets[1])
    return entries


def _entry(cursor: Cursor, owner: EntryOwner, entries: dict[str, Attribute]) -> None:
    cursor.expects_entry(owner, entries)
    start = cursor.skip()
    name = cursor.name_or_string("an attribute's name")
    if not name:
        cursor.fail("an attribute's name is not empty", Span(start, cursor.pos))
    if name in entries:
        cursor.fail(f"the attribute '{name}' is given twice", Span(start, cursor.pos))
    if not cursor.accept("="):
        entries[name] = UnitAttr()
        return
    outer, cursor.attribute = cursor.attribute, name
    cursor.expects_entry_value(owner, name)
    entries[name] = parse_attribute(cursor)
    cursor.attribute = outer


# -- what starts with a sign ---------------------------------------------------------------------------------


def _string(cursor: Cursor, type_hint: Type | None) -> Attribute:
    value = cursor.expect_string()
    if type_hint is None and cursor.accept(":"):
        return StringAttr(value, parse_type(cursor))
    return StringAttr(value, type_hint)


def _array(cursor: Cursor) -> Attribute:
    cursor.expect("[")
    return ArrayAttr(tuple(cursor.comma_list(lambda: parse_attribute(cursor), "]")))


def parse_symbol_reference(cursor: Cursor) -> SymbolRefAttr:
    """Parses `@name::@nested`."""
    names = [cursor.expect_symbol()]
    while (start := cursor.pos) >= 0 and cursor.accept(":") and cursor.accept(":"):
        names.append(cursor.expect_symbol())
    cursor.pos = start
    return SymbolRefAttr(names[0], tuple(names[1:]))


def _hash(cursor: Cursor) -> Attribute:
    start = cursor.pos
    symbol = parse_symbol(cursor)
    span = Span(start, symbol.end)
    if not symbol.dialect:
        return _alias(cursor, symbol.body, span)
    attribute = parse_dialect_attribute(cursor, symbol, span)
    type_ = parse_type(cursor) if cursor.accept(":") else None
    if attribute is None:
        return OpaqueAttr(symbol.dialect, dotted_or_wrapped(symbol.body), type_)
    return attribute


def _alias(cursor: Cursor, name: str, span: Span) -> Attribute:
    attribute = cursor.aliases.attributes.get(name)
    if attribute is None:
        attribute = cursor.aliases.locations.get(name)
    return cursor.use_alias("#", name, attribute, span)


STRUCTURED: dict[str, Callable[[Cursor], Attribute]] = {
    "[": _array,
    "{": lambda cursor: DictionaryAttr.of(parse_attribute_dict(cursor)),
    "#": _hash,
    "@": parse_symbol_reference,
}


# -- numbers -------------------------------------------------------------------------------------------------


def _number(cursor: Cursor, literal: NumberLiteral, type_hint: Type | None) -> Attribute:
    type_ = type_hint
    start = cursor.pos
    if type_ is None:
        default = F64 if literal.is_float else I64
        type_ = parse_type(cursor) if cursor.accept(":") else default
    if isinstance(type_, FloatType):
        return FloatAttr(float_bits(cursor, literal, type_), type_)
    if isinstance(type_, (IntegerType, IndexType)):
        if literal.negative and isinstance(type_, IntegerType) and type_.is_unsigned:
            cursor.fail("an unsigned integer is not negative", literal.span)
        return IntegerAttr(integer_value(cursor, literal, type_), type_)
    if isinstance(type_, RankedTensorType):
        elements = f"dense<{literal.shown}>"
        suggestions = (Replace("", elements, f"write {elements} for a tensor of this number"),)
        return cursor.fail(f"a number is not of type {type_}", literal.span, suggestions)
    return cursor.fail(f"a number is not of type {type_}", Span(start, max(start, cursor.pos)))


# -- keywords: each reads from behind its word ---------------------------------------------------------------


def _dense_array(cursor: Cursor, type_hint: Type | None) -> Attribute:
    cursor.expect("<", "after 'array'")
    start = cursor.skip()
    type_ = parse_type(cursor)
    if not isinstance(type_, (IntegerType, FloatType)):
        cursor.fail(f"an array holds integers or floats, not {type_}", Span(start, cursor.pos))
    if isinstance(type_, IntegerType) and type_.width % 8 and type_ != I1:
        cursor.fail(f"an array holds integers of whole bytes, not {type_}", Span(start, cursor.pos))
    values = cursor.sequence(lambda: _array_element(cursor, type_)) if cursor.accept(":") else ()
    cursor.expect(">", "at the end of an array")
    return DenseArrayAttr(type_, tuple(values))


def _array_element(cursor: Cursor, type_: IntegerType | FloatType) -> int:
    if type_ == I1:
        return int(parse_bool(cursor))
    literal = expect_literal(cursor)
    if isinstance(type_, FloatType):
        return float_bits(cursor, literal, type_)
    return integer_value(cursor, literal, type_)


def _strided(cursor: Cursor, type_hint: Type | None) -> Attribute:
    cursor.expect("<", "after 'strided'")
    cursor.expect("[", "before the strides")
    strides = cursor.comma_list(lambda: _stride(cursor), "]")
    offset = "0"
    if cursor.accept(","):
        cursor.expect("offset", "after the strides")
        cursor.expect(":", "before the offset")
        offset = _stride(cursor)
    cursor.expect(">", "at the end of a strided layout")
    tail = "" if offset == "0" else f", offset: {offset}"
    return StridedLayoutAttr(f"[{', '.join(strides)}]{tail}")


def _stride(cursor: Cursor) -> str:
    return "?" if cursor.accept("?") else str(cursor.expect_integer("a stride, or '?'"))


def _distinct(cursor: Cursor, type_hint: Type | None) -> Attribute:
    cursor.expect("[", "after 'distinct'")
    start = cursor.skip()
    number = cursor.expect_integer("a number")
    if number < 0:
        cursor.fail("the number of a distinct attribute has 64 bits and no sign", Span(start, cursor.pos))
    cursor.expect("]", "after the number of a distinct attribute")
    cursor.expect("<", "before a distinct attribute's value")
    value = UnitAttr() if cursor.at(">") else parse_attribute(cursor)
    cursor.expect(">", "after a distinct attribute's value")
    return DistinctAttr(number, value)


KEYWORDS: dict[str, Callable[[Cursor, Type | None], Attribute]] = {
    "true": lambda cursor, type_hint: IntegerAttr(1, I1),
    "false": lambda cursor, type_hint: IntegerAttr(0, I1),
    "unit": lambda cursor, type_hint: UnitAttr(),
    "dense": parse_dense,
    "dense_resource": parse_dense_resource,
    "sparse": parse_sparse,
    "array": _dense_array,
    "affine_map": lambda cursor, type_hint: parse_affine(cursor, "affine_map"),
    "affine_set": lambda cursor, type_hint: parse_affine(cursor, "affine_set"),
    "strided": _strided,
    "distinct": _distinct,
    "loc": lambda cursor, type_hint: parse_parenthesized_location(cursor),
}

recursion.parse_attribute = parse_attribute
