"""Forms of functions and modules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, StringAttr, SymbolRefAttr, TypeAttr
from shlo.ir.operations import Operation, Region
from shlo.ir.source import Span
from shlo.ir.types import FunctionType, Type
from shlo.syntax.assembly_format.directives.registry import Directive, Directives, entry_argument_counts
from shlo.syntax.assembly_format.parse_state import EntryArgument, ParseState
from shlo.syntax.assembly_format.print_state import (
    PrintState,
    RegionPiece,
)
from shlo.syntax.attributes.parse import parse_attribute_dict
from shlo.syntax.attributes.parse_locations import parse_trailing_location
from shlo.syntax.lexer.context import Header
from shlo.syntax.lexer.cursor import Cursor, ValueUse

VISIBILITIES = ("public", "private", "nested")
NO_ENTRIES = DictionaryAttr(())
FUNCTION_SHOWN = ("sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs")
MODULE_SHOWN = ("sym_name",)
LONG = 2_000
"""Characters of a function's arguments and results that are parsed once for all parses of a document."""
ALIAS = re.compile(r"[#!][\w$-]+(?![\w$.-])", re.ASCII)
"""An alias, whose meaning and length are not the header's own."""


class _Argument(NamedTuple):
    """A function's argument or result with its attributes, and for an argument its name if given."""

    entry: EntryArgument
    attributes: DictionaryAttr


class _FunctionHeader(NamedTuple):
    """The arguments of a function, the attributes with its type and those of its arguments, and the level
    of nesting."""

    entries: list[EntryArgument]
    attributes: dict[str, Attribute]
    depth: int


def _parse_visibility(state: ParseState) -> None:
    for word in VISIBILITIES:
        if state.cursor.accept(word):
            state.attributes["sym_visibility"] = StringAttr(word)
            return


def _print_visibility(state: PrintState) -> None:
    visibility = state.signature.properties.get("sym_visibility")
    if isinstance(visibility, StringAttr):
        state.add(f" {visibility.value}")


def _print_symbol_name(state: PrintState) -> None:
    name = state.signature.properties.get("sym_name")
    if isinstance(name, StringAttr):
        state.add(" ", state.attribute(SymbolRefAttr(name.value)))


# -- module --------------------------------------------------------------------------------------------------


def _parse_module(state: ParseState) -> None:
    """Parses `@name attributes {...} {...}`, of which only the region is required; the MLIR of jaxlib 0.12
    prints the visibility as `@name <sym_visibility = "private">`."""
    cursor = state.cursor
    name = cursor.symbol()
    if name is not None:
        state.attributes["sym_name"] = StringAttr(name)
    if cursor.at("<"):
        state.attributes.update(parse_attribute_dict(cursor, "operation", ("<", ">")))
    if cursor.accept("attributes"):
        state.attribute_dict()
    state.regions[0] = state.parser.region((), isolated=True)


def _print_module(state: PrintState) -> None:
    _print_symbol_name(state)
    state.add(state.attribute_dict(keyword=True), " ", RegionPiece(0, arguments=False))


# -- func.func -----------------------------------------------------------------------------------------------


def _parse_function(state: ParseState) -> None:
    """`private @name(%a: T {...} loc(...), ...) -> (T {...}, ...) attributes {...} {...}`; a declaration
    has no region and may leave the names of its arguments out."""
    cursor = state.cursor
    _parse_visibility(state)
    name = cursor.expect_symbol("the function's name '@name'")
    state.attributes["sym_name"] = StringAttr(name)
    cursor.expect("(", "before the function's arguments")
    entries, attributes, _ = _kept_header(cursor, name) or _parse_header(state, name)
    state.attributes.update(attributes)
    if cursor.accept("attributes"):
        state.attribute_dict()
    if state.parser.region_follows():
        if any(entry.use is None for entry in entries):
            start = cursor.pos
            cursor.fail("a function with a body needs names for its arguments", Span(start, start + 1))
        state.regions[0] = state.parser.region(entries, isolated=True)
    else:
        state.regions[0] = Region((), state.parser.values)


def _kept_header(cursor: Cursor, name: str) -> _FunctionHeader | None:
    """Returns the header that follows if an earlier parse of the document found the same text, and moves
    behind it."""
    earlier = cursor.context.headers.get(name)
    start = cursor.pos
    if (
        earlier is None
        or earlier.parsed.depth != cursor.depth
        or not cursor.text.startswith(earlier.text, start)
    ):
        return None
    cursor.pos = start + len(earlier.text) - 1  # the `{` behind it
    header: _FunctionHeader = earlier.parsed
    by = start - earlier.start
    if not by:
        return header
    entries = [
        EntryArgument(
            use and ValueUse(use.name, Span(use.span.start + by, use.span.end + by)), type_, location
        )
        for use, type_, location in header.entries
    ]
    cursor.context.keep_header(name, Header(earlier.text, start, header._replace(entries=entries)))
    return header._replace(entries=entries)


def _parse_header(state: ParseState, name: str) -> _FunctionHeader:
    """Parses arguments and results behind the first parenthesis. A long header is kept if a body follows,
    and if nothing is found in it and no alias is in it."""
    cursor = state.cursor
    start, reported, has_signed_types = cursor.pos, len(cursor.diagnostics), cursor.has_signed_types
    parse_argument = _parse_named_argument if cursor.peek() == "%" else _parse_typed
    arguments = cursor.comma_list(lambda: parse_argument(state), ")")
    results = _parse_results(state) if cursor.accept("->") else []
    types = [tuple(part.entry.type for part in parts) for parts in (arguments, results)]
    attributes: dict[str, Attribute] = {
        "function_type": TypeAttr(cursor.context.intern(FunctionType(*types)))
    }
    for key, parts in (("arg_attrs", arguments), ("res_attrs", results)):
        if any(part.attributes.entries for part in parts):
            attributes[key] = ArrayAttr(tuple(part.attributes for part in parts))
    header = _FunctionHeader([argument.entry for argument in arguments], attributes, cursor.depth)
    if cursor.skip() - start >= LONG and cursor.at("{"):
        text = cursor.text[start : cursor.pos + 1]
        is_plain = len(cursor.diagnostics) == reported and cursor.has_signed_types == has_signed_types
        if is_plain and ALIAS.search(text) is None:
            cursor.context.keep_header(name, Header(text, start, header))
    return header


def _parse_named_argument(state: ParseState) -> _Argument:
    use = state.cursor.operand()
    state.cursor.expect(":", "after the argument's name")
    entry, attributes = _parse_typed(state)
    return _Argument(EntryArgument(use, entry.type, entry.location), attributes)


def _parse_typed(state: ParseState) -> _Argument:
    """`T {...} loc(...)`."""
    cursor = state.cursor
    type_ = state.type()
    attributes = DictionaryAttr.of(parse_attribute_dict(cursor, "argument")) if cursor.at("{") else NO_ENTRIES
    return _Argument(EntryArgument(None, type_, parse_trailing_location(cursor)), attributes)


def _parse_results(state: ParseState) -> list[_Argument]:
    cursor = state.cursor
    if cursor.accept("("):
        return cursor.comma_list(lambda: _parse_typed(state), ")")
    return [_Argument(EntryArgument(None, state.type()), NO_ENTRIES)]


def _is_function(operation: Operation) -> bool:
    """Returns whether there is a function type, and the body takes its inputs."""
    type_ = operation.attribute("function_type")
    if not isinstance(type_, TypeAttr) or not isinstance(type_.value, FunctionType):
        return False
    return all(count == len(type_.value.inputs) for count in entry_argument_counts(operation))


def _print_function(state: PrintState) -> None:
    _print_visibility(state)
    _print_symbol_name(state)
    type_, has_body = state.signature.properties.get("function_type"), state.has_region(0)
    if isinstance(type_, TypeAttr) and isinstance(type_.value, FunctionType):
        shown_types = _types_with_attributes(state, "arg_attrs", type_.value.inputs)
        named = (
            state.typed_argument(0, i, text) if has_body else [text] for i, text in enumerate(shown_types)
        )
        state.add("(", *state.separated(named), ")")
        _print_results(state, type_.value.results)
    state.add(state.attribute_dict(keyword=True))
    if has_body:
        state.add(" ", RegionPiece(0, arguments=False))


def _print_results(state: PrintState, types: Sequence[Type]) -> None:
    shown_types = _types_with_attributes(state, "res_attrs", types)
    if shown_types == [state.types(types)] and not isinstance(types[0], FunctionType):
        state.add(" -> ", shown_types[0])
    elif types:
        state.add(f" -> ({', '.join(shown_types)})")


def _types_with_attributes(state: PrintState, name: str, types: Sequence[Type]) -> list[str]:
    """Returns the type of each argument or result with its attributes."""
    array = state.signature.properties.get(name)
    each_entry = array.values if isinstance(array, ArrayAttr) else ()
    entries = [value.as_dict() if isinstance(value, DictionaryAttr) else {} for value in each_entry]
    entries += [{}] * (len(types) - len(entries))
    return [state.types((type_,)) + state.dictionary(entry) for type_, entry in zip(types, entries)]


DIRECTIVES: Directives = {
    "module": Directive(_parse_module, _print_module, MODULE_SHOWN, blank=False),
    "function": Directive(_parse_function, _print_function, FUNCTION_SHOWN, blank=False, fits=_is_function),
}
