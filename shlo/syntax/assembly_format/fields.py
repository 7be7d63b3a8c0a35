"""How the fields of attributes are written, by the kinds that definitions give them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from shlo.ir.attributes import ArrayAttr, Attribute
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.syntax.lexer.cursor import Reader
from shlo.syntax.lexer.strings import quoted
from shlo.syntax.parser.types import parse_type

Item = TypeVar("Item", bound=Attribute)

MAX_INT64 = 2**63 - 1


class FieldForm(NamedTuple):
    """How a kind of field is read and written; the string is what stands behind the kind's colon."""

    read: Callable[[Reader, str], Any]
    text: Callable[[Any, str], str]


def read_int64(reader: Reader, detail: str = "") -> int:
    """Reads an integer of 64 bits."""
    start = reader.skip()
    value = reader.expect_integer()
    if not -MAX_INT64 - 1 <= value <= MAX_INT64:
        reader.fail("expected an integer of 64 bits", Span(start, reader.pos))
    return value


def read_int64s(reader: Reader, detail: str = "") -> tuple[int, ...]:
    """Reads `[1, 2]`."""
    reader.expect("[")
    return tuple(reader.comma_list(lambda: read_int64(reader), "]"))


def _read_bool(reader: Reader, detail: str) -> bool:
    if not (reader.at("true") or reader.at("false")):
        reader.fail(f"expected true or false, but found {reader.found()}")
    return reader.word() == "true"


def read_any(reader: Reader, detail: str = "") -> Attribute:
    from shlo.syntax.parser.attributes import parse_attribute

    return parse_attribute(reader)


def full_or_short(reader: Reader, cls: type[Item], what: str, short: Callable[[], Item]) -> Item:
    """Reads an attribute where its kind is known: in full (`#sdy.mesh<...>`, an alias) where a `#` follows,
    else by `short`.

    Args:
        cls: the class that an attribute written in full must be of.
        what: its kind, for messages.
    """
    if reader.peek() != "#":
        return short()
    start = reader.pos
    attribute = read_any(reader)
    if not isinstance(attribute, cls):
        reader.fail(f"expected a {what} attribute, got {attribute}", Span(start, reader.pos))
    return attribute


def _read_array(reader: Reader, detail: str) -> tuple[Attribute, ...]:
    start = reader.skip()
    attribute = read_any(reader)
    if not isinstance(attribute, ArrayAttr):
        reader.fail("expected an array '[...]'", Span(start, reader.pos))
    return attribute.values


def _read_string(reader: Reader, detail: str) -> str:
    return reader.expect_string()


def _read_type(reader: Reader, detail: str) -> Type:
    return parse_type(reader)


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
    "i64": FieldForm(read_int64, _plain_text),
    "i64_array": FieldForm(read_int64s, _int64s_text),
    "bool": FieldForm(_read_bool, _bool_text),
    "string": FieldForm(_read_string, _string_text),
    "type": FieldForm(_read_type, _plain_text),
    "any": FieldForm(read_any, _plain_text),
    "array": FieldForm(_read_array, _array_text),
}
"""The kinds that need no definition to be read."""
