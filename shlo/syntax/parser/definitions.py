"""Definitions between operations: aliases of attributes, types and locations, and resource sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from shlo.ir.attributes import Attribute
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.syntax.attributes.parse import parse_attribute
from shlo.syntax.attributes.parse_locations import parse_trailing_location
from shlo.syntax.dense.resources import parse_resources
from shlo.syntax.lexer.context import AliasDefinition, Extent
from shlo.syntax.lexer.cursor import SUFFIX, Cursor, SyntaxFault
from shlo.syntax.parser.state import ParserState
from shlo.syntax.types.parse import parse_type


def parse_definition(state: ParserState, is_outermost: bool) -> bool:
    """Parses `#name = ...`, `!name = ...` or a resource section; returns False where none of them follows.

    All of them belong between the outermost operations.
    """
    cursor, start = state.cursor, state.cursor.pos
    is_section = cursor.text.startswith("{-#", start)
    if not (is_section or cursor.text[start] in "#!"):
        return False
    if is_outermost:
        state.set_owner(start)
    else:
        state.has_inner_definitions = True
        cursor.report("a definition is allowed between the outermost operations only", cursor.token_span())
    try:
        (parse_resources if is_section else _parse_alias)(cursor)
    except SyntaxFault as fault:
        from shlo.syntax.parser.recovery import next_operation, operation_behind

        cursor.report_fault(fault)
        name = SUFFIX.match(cursor.text, start + 1)
        behind = operation_behind(cursor.text, name.end()) if name else None
        cursor.pos = behind or next_operation(cursor.text, max(cursor.pos, start + 1))
    return True


def report_undefined_aliases(cursor: Cursor) -> None:
    """Reports the aliases of locations that are used and never defined."""
    for name, alias in cursor.aliases.locations.items():
        if alias.target is None and f"#{name}" not in cursor.aliases.broken:
            cursor.report(f"the location alias '#{name}' is never defined", cursor.aliases.places[name])


def _parse_alias(cursor: Cursor) -> None:
    start = cursor.pos
    sign = cursor.text[start]
    cursor.pos += 1
    match = SUFFIX.match(cursor.text, cursor.pos)
    if not match:
        cursor.fail(f"expected a name after '{sign}'")
    cursor.pos = match.end()
    name, span = match[0], Span(start, cursor.pos)
    cursor.expect("=")
    with cursor.measured() as extent:
        try:
            if sign == "!":
                _define(cursor, cursor.aliases.types, parse_type(cursor), span)
            elif cursor.at("loc"):
                _define_location(cursor, name, span)
            else:
                _define(cursor, cursor.aliases.attributes, parse_attribute(cursor), span)
        except SyntaxFault:
            cursor.aliases.broken.add(sign + name)
            raise
        depth, added = extent()
        cursor.aliases.extents[sign + name] = Extent(depth, added + cursor.pos - span.end)


def _define(
    cursor: Cursor, table: dict[str, Attribute] | dict[str, Type], value: Attribute | Type, span: Span
) -> None:
    name = cursor.text[span.start + 1 : span.end]
    if "." in name:
        cursor.fail(f"an alias has no dot in its name: '{name}'", span)
    if name in table:
        cursor.fail(f"the alias '{name}' is defined twice", span)
    definition = AliasDefinition(cursor.text[span.end : cursor.pos], cursor.uses, value)
    table[name] = cursor.context.defined(cursor.text[slice(*span)], definition)  # type: ignore[assignment]


def _define_location(cursor: Cursor, name: str, span: Span) -> None:
    location = parse_trailing_location(cursor)
    alias = cursor.aliases.location(name, span)
    if alias.target is not None:
        cursor.fail(f"the alias '#{name}' is defined twice", span)
    assert location is not None
    alias.target = location
    cursor.aliases.attributes[name] = location


# -- Operations in pretty forms that no definition describes -------------------------------------------------


UNKNOWN_DIALECT: Final = "unknown-dialect"
"""The code of a diagnostic about a pretty form of a dialect that is not known."""

HELP: Final = {"mhlo": "`shlo convert --from-mhlo` reads the operations of mhlo as StableHLO's"}
"""What to do about an unknown dialect, by its name."""


def no_definition(name: str) -> str:
    """Returns the message about an operation in a pretty form that no definition describes."""
    return f"unknown operation '{name}'; unknown dialects are written in the generic form \"{name}\"(...)"


def is_guest(diagnostic: Diagnostic) -> bool:
    """Returns whether a diagnostic says no more than that an operation is one of another dialect."""
    return diagnostic.code == UNKNOWN_DIALECT and not diagnostic.suggestions


def once_per_dialect(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics, of UNKNOWN_DIALECT only the first of each dialect, which counts the others."""
    ordered = list(diagnostics)
    counts = Counter(_dialect_of(diagnostic) for diagnostic in ordered if diagnostic.code == UNKNOWN_DIALECT)
    shown: set[str] = set()
    remaining: list[Diagnostic] = []
    for diagnostic in ordered:
        dialect = _dialect_of(diagnostic) if diagnostic.code == UNKNOWN_DIALECT else ""
        if dialect in shown:
            continue
        if dialect:
            shown.add(dialect)
        if (others := counts[dialect] - 1) > 0:
            diagnostic = replace(
                diagnostic, message=f"{diagnostic.message}; {others} more of '{dialect}' are not verified"
            )
        remaining.append(diagnostic)
    return remaining


def _dialect_of(diagnostic: Diagnostic) -> str:
    """Returns the dialect of the operation that a message of `no_definition` names."""
    return diagnostic.message.partition("'")[2].partition(".")[0]
