"""Text to locations."""

from __future__ import annotations

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
from shlo.syntax.dialects.symbols import read_symbol
from shlo.syntax.lexer.cursor import Reader

MAX_NUMBER = 2**32 - 1
"""Lines and columns are numbers of 32 bits."""


def parse_trailing_location(reader: Reader) -> Location | None:
    """Reads `loc(...)` if it follows."""
    start = reader.pos
    if not reader.accept("loc"):
        reader.pos = start
        return None
    return parse_parenthesized_location(reader)


def parse_parenthesized_location(reader: Reader) -> Location:
    """Reads what follows the word `loc`: a location in parentheses."""
    reader.expect("(", "after 'loc'")
    location = _deferred_alias(reader) if reader.at("#") else parse_location(reader)
    reader.expect(")", "after the location")
    return location


def parse_location(reader: Reader) -> Location:
    """Reads what stands inside `loc(...)`, whose aliases are defined above it."""
    return reader.nested(lambda: _location(reader))


def _location(reader: Reader) -> Location:
    character = reader.peek()
    if character == '"':
        return _named_or_file(reader)
    if character == "#":
        return _alias(reader)
    if reader.accept("unknown"):
        return UnknownLocation()
    if reader.accept("callsite"):
        return _call_site(reader)
    if reader.accept("fused"):
        return _fused(reader)
    return reader.fail(f"expected a location, but found {reader.found()}")


def _deferred_alias(reader: Reader) -> Location:
    """`#name`, which may be defined further down: only directly inside `loc(...)`."""
    name, span = _alias_name(reader)
    known = reader.attribute_aliases.get(name)
    if known is not None and not isinstance(known, Location):
        reader.fail(f"'#{name}' is not a location", span)
    return reader.location_alias(name, span)


def _alias(reader: Reader) -> Location:
    """`#name` inside another location, defined above."""
    name, span = _alias_name(reader)
    known = reader.attribute_aliases.get(name)
    if known is None:
        reader.fail_at_alias(f"#{name}", f"'#{name}' is not defined above", span)
    if not isinstance(known, Location):
        reader.fail(f"'#{name}' is not a location", span)
    return reader.location_alias(name, span)


def _alias_name(reader: Reader) -> tuple[str, Span]:
    start = reader.pos
    symbol = read_symbol(reader)
    span = Span(start, symbol.end)
    if symbol.dialect:
        reader.fail("expected a location, but found an attribute of a dialect", span)
    return symbol.body, span


def _named_or_file(reader: Reader) -> Location:
    text = reader.expect_string()
    if reader.accept(":"):
        return _file(reader, text)
    if not reader.accept("("):
        return NameLocation(text)
    child = parse_location(reader)
    reader.expect(")", "after the location of a name")
    return NameLocation(text, None if isinstance(child, UnknownLocation) else child)


def _file(reader: Reader, name: str) -> Location:
    """`"file":line:column to line:column`; a column left out is 0, an end's line left out is the first."""
    name, line = name or "-", _number(reader, "a line")
    if not reader.accept(":"):
        return FileLocation(name, line, 0)
    column = _number(reader, "a column")
    if not reader.accept("to"):
        return FileLocation(name, line, column)
    end_line = line if reader.at(":") else _number(reader, "a line")
    reader.expect(":", "between an end's line and column")
    end_column = _number(reader, "a column")
    if (end_line, end_column) == (line, column):
        return FileLocation(name, line, column)
    return FileLocation(name, line, column, end_line, end_column)


def _number(reader: Reader, what: str) -> int:
    start = reader.skip()
    value = reader.expect_integer(what)
    if not 0 <= value <= MAX_NUMBER or reader.text[start] == "-":
        reader.fail(f"{what} is a number from 0 to {MAX_NUMBER}", Span(start, reader.pos))
    return value


def _call_site(reader: Reader) -> Location:
    reader.expect("(", "after 'callsite'")
    callee = parse_location(reader)
    reader.expect("at", "between callee and caller")
    caller = parse_location(reader)
    reader.expect(")", "after the caller's location")
    return CallSiteLocation(callee, caller)


def _fused(reader: Reader) -> Location:
    metadata = None
    if reader.accept("<"):
        metadata = _attribute(reader)
        reader.expect(">", "after the metadata")
    reader.expect("[", "before the fused locations")
    return fused(reader.comma_list(lambda: parse_location(reader), "]"), metadata)


def fused(locations: list[Location], metadata: Attribute | None) -> Location:
    """The locations as one: each once, unknown ones left out, those of a fusion of the same kind taken
    apart."""
    kept: dict[Location, None] = {}
    for location in locations:
        same_kind = isinstance(location, FusedLocation) and location.metadata == metadata
        kept.update(dict.fromkeys(location.locations if same_kind else (location,)))  # type: ignore[union-attr]
    unknown = UnknownLocation()
    kept.pop(unknown, None)
    if metadata is None and len(kept) <= 1:
        return next(iter(kept), unknown)
    return FusedLocation(tuple(kept) or (unknown,), metadata)


def _attribute(reader: Reader) -> Attribute:
    from shlo.syntax.parser.attributes import parse_attribute

    return parse_attribute(reader)
