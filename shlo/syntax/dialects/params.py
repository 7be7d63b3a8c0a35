"""How the fields of attributes are written, by the kinds that definitions give them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from shlo.ir.attributes import ArrayAttr, Attribute
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.lexer.strings import quoted
from shlo.syntax.types.parse import parse_type
from shlo.syntax.types.recursion import recursion

Item = TypeVar("Item", bound=Attribute)

MAX_INT64 = 2**63 - 1


class FieldForm(NamedTuple):
    """How a kind of field is read and written; the string is what stands behind the kind's colon."""

    read: Callable[[Cursor, str], Any]
    text: Callable[[Any, str], str]


def parse_int64(cursor: Cursor, detail: str = "") -> int:
    """Reads an integer of 64 bits."""
    start = cursor.skip()
    value = cursor.expect_integer()
    if not -MAX_INT64 - 1 <= value <= MAX_INT64:
        cursor.fail("expected an integer of 64 bits", Span(start, cursor.pos))
    return value


def parse_int64s(cursor: Cursor, detail: str = "") -> tuple[int, ...]:
    """Reads `[1, 2]`."""
    cursor.expect("[")
    return tuple(cursor.comma_list(lambda: parse_int64(cursor), "]"))


def _parse_bool(cursor: Cursor, detail: str) -> bool:
    if not (cursor.at("true") or cursor.at("false")):
        cursor.fail(f"expected true or false, but found {cursor.found()}")
    return cursor.word() == "true"


def parse_any(cursor: Cursor, detail: str = "") -> Attribute:
    """Parses any attribute."""
    return recursion.parse_attribute(cursor)


def full_or_short(cursor: Cursor, cls: type[Item], what: str, short: Callable[[], Item]) -> Item:
    """Reads an attribute where its kind is known: in full (`#sdy.mesh<...>`, an alias) where a `#` follows,
    else by `short`.

    Args:
        cls: the class that an attribute written in full must be of.
        what: its kind, for messages.
    """
    if cursor.peek() != "#":
        return short()
    start = cursor.pos
    attribute = parse_any(cursor)
    if not isinstance(attribute, cls):
        cursor.fail(f"expected a {what} attribute, got {attribute}", Span(start, cursor.pos))
    return attribute


def _parse_array(cursor: Cursor, detail: str) -> tuple[Attribute, ...]:
    start = cursor.skip()
    attribute = parse_any(cursor)
    if not isinstance(attribute, ArrayAttr):
        cursor.fail("expected an array '[...]'", Span(start, cursor.pos))
    return attribute.values


def _parse_string(cursor: Cursor, detail: str) -> str:
    return cursor.expect_string()


def _parse_type(cursor: Cursor, detail: str) -> Type:
    return parse_type(cursor)


def _int64s_text(values: Sequence[int], detail: str) -> str:
    return f"[{', '.join(map(str, values))}]"


def _bool_text(value: bool, detail: str) -> str:
    return "true" if value else "false"


def _string_text(value: str, detail: str) -> str:
    return quoted(value)


def _plain_text(value: object, detail: str) -> str:
    return str(value)


def _array_text(values: tuple[Attribute, ...], detail: str) -> str:
    return str(ArrayAttr(values))


FIELD_FORMS: dict[str, FieldForm] = {
    "i64": FieldForm(parse_int64, _plain_text),
    "i64_array": FieldForm(parse_int64s, _int64s_text),
    "bool": FieldForm(_parse_bool, _bool_text),
    "string": FieldForm(_parse_string, _string_text),
    "type": FieldForm(_parse_type, _plain_text),
    "any": FieldForm(parse_any, _plain_text),
    "array": FieldForm(_parse_array, _array_text),
}
"""The kinds that need no definition to be read."""
