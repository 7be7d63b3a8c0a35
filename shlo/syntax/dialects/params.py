"""Parameters of struct attributes as text, by their constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from shlo.dialects.attr_constraints import (
    ANY_ATTR,
    ARRAY_ATTR,
    BOOL_ATTR,
    I64_ARRAY_ATTR,
    I64_ATTR,
    STRING_ATTR,
    TYPE_ATTR,
    AttrConstraint,
)
from shlo.ir.attributes import ArrayAttr, Attribute
from shlo.ir.source import Span
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.lexer.strings import quoted
from shlo.syntax.types.parse import parse_type
from shlo.syntax.types.recursion import recursion

Item = TypeVar("Item", bound=Attribute)

MAX_INT64 = 2**63 - 1


class ParamForm(NamedTuple):
    """How the value of a parameter is parsed and printed."""

    parse: Callable[[Cursor], Any]
    text: Callable[[Any], str]


def parse_int64(cursor: Cursor) -> int:
    """Reads an integer of 64 bits."""
    start = cursor.skip()
    value = cursor.expect_integer()
    if not -MAX_INT64 - 1 <= value <= MAX_INT64:
        cursor.fail("expected an integer of 64 bits", Span(start, cursor.pos))
    return value


def parse_int64s(cursor: Cursor) -> tuple[int, ...]:
    """Reads `[1, 2]`."""
    cursor.expect("[")
    return tuple(cursor.comma_list(lambda: parse_int64(cursor), "]"))


def _parse_bool(cursor: Cursor) -> bool:
    if not (cursor.at("true") or cursor.at("false")):
        cursor.fail(f"expected true or false, but found {cursor.found()}")
    return cursor.word() == "true"


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


def _int64s_text(values: Sequence[int]) -> str:
    return f"[{', '.join(map(str, values))}]"


def _bool_text(value: bool) -> str:
    return "true" if value else "false"


def _array_text(values: tuple[Attribute, ...]) -> str:
    return str(ArrayAttr(values))


PARAM_FORMS: Final[Mapping[AttrConstraint, ParamForm]] = {
    I64_ATTR: ParamForm(parse_int64, str),
    I64_ARRAY_ATTR: ParamForm(parse_int64s, _int64s_text),
    BOOL_ATTR: ParamForm(_parse_bool, _bool_text),
    STRING_ATTR: ParamForm(Cursor.expect_string, quoted),
    TYPE_ATTR: ParamForm(parse_type, str),
    ANY_ATTR: ParamForm(parse_any, str),
    ARRAY_ATTR: ParamForm(_parse_array, _array_text),
}
"""The parameters that are no struct attributes themselves."""
