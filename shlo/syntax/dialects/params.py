"""Parameters of struct attributes as text, by their constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from msgspec import Struct

from shlo.dialects.attr_constraints import (
    ANY_ATTR,
    ARRAY_ATTR,
    BOOL_ATTR,
    I64_ARRAY_ATTR,
    I64_ATTR,
    STRING_ATTR,
    TYPE_ATTR,
    AttrConstraint,
    EnumDef,
)
from shlo.ir.attributes import ArrayAttr, Attribute
from shlo.ir.source import Span
from shlo.syntax.lexer.cursor import Cursor, parse_bool
from shlo.syntax.lexer.strings import quoted
from shlo.syntax.types.parse import parse_type
from shlo.syntax.types.recursion import recursion

Item = TypeVar("Item", bound=Attribute)

parse_int64 = Cursor.expect_integer
parse_int64s = Cursor.integer_list


class ParamForm(Struct, frozen=True):
    """How the value of a parameter is parsed and printed."""

    parse: Callable[[Cursor], Any]
    text: Callable[[Any], str]


class CustomForm(Struct, frozen=True):
    """How an attribute that is no list of fields is read and written, without its brackets if any."""

    read: Callable[[Cursor], Attribute]
    text: Callable[[Any], str]
    bracketed: bool = True


def parse_enum_word(cursor: Cursor, enum: EnumDef, is_quoted: bool = False) -> str:
    """Parses a word of an enumeration, bare or as a string."""
    cursor.expects(enum)
    start = cursor.skip()
    word = cursor.string() if is_quoted else cursor.word()
    if word is None or word not in enum.words:
        cursor.pos = start
        span = Span(start, start + len(word)) if word and not is_quoted else None
        cursor.fail_expected(f"one of {', '.join(enum.words)}", span, words=tuple(enum.words))
    return word


def parse_any(cursor: Cursor) -> Attribute:
    """Parses any attribute."""
    return recursion.parse_attribute(cursor)


def full_or_short(cursor: Cursor, cls: type[Item], what: str, short: Callable[[], Item]) -> Item:
    """Reads an attribute where its kind is known: in full (`#sdy.mesh<...>`, an alias) where a `#` follows,
    else by `short`.

    Args:
        cursor: where the attribute starts.
        cls: the class that an attribute written in full must be of.
        what: its kind, for messages.
        short: parses the short form.
    """
    if cursor.peek() != "#":
        return short()
    start = cursor.pos
    attribute = parse_any(cursor)
    if not isinstance(attribute, cls):
        cursor.fail(f"expected a {what} attribute, got {attribute}", Span(start, cursor.pos))
    return attribute


def _parse_array(cursor: Cursor) -> tuple[Attribute, ...]:
    start = cursor.skip()
    attribute = parse_any(cursor)
    if not isinstance(attribute, ArrayAttr):
        cursor.fail("expected an array '[...]'", Span(start, cursor.pos))
    return attribute.values


PARAM_FORMS: Final[Mapping[AttrConstraint, ParamForm]] = {
    I64_ATTR: ParamForm(parse_int64, str),
    I64_ARRAY_ATTR: ParamForm(parse_int64s, lambda values: str(list(values))),
    BOOL_ATTR: ParamForm(parse_bool, lambda value: "true" if value else "false"),
    STRING_ATTR: ParamForm(Cursor.expect_string, quoted),
    TYPE_ATTR: ParamForm(parse_type, str),
    ANY_ATTR: ParamForm(parse_any, str),
    ARRAY_ATTR: ParamForm(_parse_array, lambda values: str(ArrayAttr(values))),
}
"""The parameters that are no struct attributes themselves."""
