"""Text to locations."""

from __future__ import annotations

import re

from shlo.ir.attributes import Attribute
from shlo.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
    UnknownLocation,
)
from shlo.ir.source import Span
from shlo.syntax.lexer.cursor import BLANK, Cursor
from shlo.syntax.types.dialect_symbols import parse_symbol
from shlo.syntax.types.recursion import recursion

MAX_NUMBER = 2**32 - 1
"""Lines and columns are numbers of 32 bits."""


def parse_trailing_location(cursor: Cursor) -> Location | None:
    """Reads `loc(...)` if it follows."""
    start = cursor.pos
    if not cursor.accept("loc"):
        cursor.pos = start
        return None
    return parse_parenthesized_location(cursor)


_GOES_ON = re.compile(r"loc|[-,:<>(){\[\]=*+?|]")


def operation_goes_on(text: str, offset: int) -> bool:
    """Returns whether what follows a whole operation may belong to it: a location, or what begins none.

    Blanks and comments lie between. In a valid program only a location does; whether the grammar takes a
    broken text's comma or brace to be the operation's, only reading the operation with it tells.
    """
    match = BLANK.match(text, offset)
    return match is not None and _GOES_ON.match(text, match.end()) is not None


def parse_parenthesized_location(cursor: Cursor) -> Location:
    """Reads what follows the word `loc`: a location in parentheses."""
    cursor.expect("(", "after 'loc'")
    location = _alias(cursor, is_deferred=True) if cursor.at("#") else parse_location(cursor)
    cursor.expect(")", "after the location")
    return location


def parse_location(cursor: Cursor) -> Location:
    """Reads what is inside `loc(...)`, whose aliases are defined above it."""
    return cursor.nested(lambda: _location(cursor))


def _location(cursor: Cursor) -> Location:
    character = cursor.peek()
    if character == '"':
        return _named_or_file(cursor)
    if character == "#":
        return _alias(cursor)
    if cursor.accept("unknown"):
        return UnknownLocation()
    if cursor.accept("callsite"):
        cursor.expect("(", "after 'callsite'")
        callee = parse_location(cursor)
        cursor.expect("at", "between callee and caller")
        caller = parse_location(cursor)
        cursor.expect(")", "after the caller's location")
        return CallSiteLocation(callee, caller)
    if cursor.accept("fused"):
        return _fused(cursor)
    return cursor.fail_expected("a location")


def _alias(cursor: Cursor, is_deferred: bool = False) -> Location:
    """`#name`, defined above; directly inside `loc(...)` it may be defined further down. Where the definition
    is broken, it is a location that nothing is known of.
    """
    start = cursor.pos
    symbol = parse_symbol(cursor)
    name, span = symbol.body, Span(start, symbol.end)
    if symbol.dialect:
        cursor.fail("expected a location, but found an attribute of a dialect", span)
    definition = cursor.aliases.attributes.get(name)
    if definition is None and not is_deferred and f"#{name}" not in cursor.aliases.broken:
        cursor.fail(f"'#{name}' is not defined above", span)
    if definition is not None and not isinstance(definition, Location):
        cursor.fail(f"'#{name}' is not a location", span)
    location = cursor.uses[f"#{name}"] = cursor.aliases.location(name, span)
    return location


def _named_or_file(cursor: Cursor) -> Location:
    text = cursor.expect_string()
    if cursor.accept(":"):
        return _file(cursor, text)
    if not cursor.accept("("):
        return NameLocation(text)
    child = parse_location(cursor)
    cursor.expect(")", "after the location of a name")
    return NameLocation(text, None if isinstance(child, UnknownLocation) else child)


def _file(cursor: Cursor, name: str) -> Location:
    """`"file":line:column to line:column`; a column left out is 0, an end's line left out is the first."""
    name, line = name or "-", _number(cursor, "a line")
    if not cursor.accept(":"):
        return FileLocation(name, line, 0)
    column = _number(cursor, "a column")
    if not cursor.accept("to"):
        return FileLocation(name, line, column)
    end_line = line if cursor.at(":") else _number(cursor, "a line")
    cursor.expect(":", "between an end's line and column")
    end_column = _number(cursor, "a column")
    if (end_line, end_column) == (line, column):
        return FileLocation(name, line, column)
    return FileLocation(name, line, column, end_line, end_column)


def _number(cursor: Cursor, what: str) -> int:
    start = cursor.skip()
    value = cursor.expect_integer(what)
    if not 0 <= value <= MAX_NUMBER or cursor.text[start] == "-":
        cursor.fail(f"{what} is a number from 0 to {MAX_NUMBER}", Span(start, cursor.pos))
    return value


def _fused(cursor: Cursor) -> Location:
    metadata = None
    if cursor.accept("<"):
        metadata = recursion.parse_attribute(cursor)
        cursor.expect(">", "after the metadata")
    cursor.expect("[", "before the fused locations")
    return fused(cursor.comma_list(lambda: parse_location(cursor), "]"), metadata)


def fused(locations: list[Location], metadata: Attribute | None) -> Location:
    """Returns the locations as one: each once, no unknown ones, fusions of the same kind flattened."""
    distinct: dict[Location, None] = {}
    for location in locations:
        same_kind = isinstance(location, FusedLocation) and location.metadata == metadata
        distinct.update(dict.fromkeys(location.locations if same_kind else (location,)))  # type: ignore[union-attr]
    unknown = UnknownLocation()
    distinct.pop(unknown, None)
    if metadata is None and len(distinct) <= 1:
        return next(iter(distinct), unknown)
    return FusedLocation(tuple(distinct) or (unknown,), metadata)
