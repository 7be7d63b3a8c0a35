"""Forms of functions and modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, StringAttr, SymbolRefAttr, TypeAttr
from shlo.ir.operations import Operation, Region
from shlo.ir.source import Span
from shlo.ir.types import FunctionType, Type
from shlo.syntax.assembly_format.directives.registry import Directive, Directives, entry_argument_counts
from shlo.syntax.assembly_format.parse_state import ParseState
from shlo.syntax.assembly_format.parsed_operation import EntryArgument
from shlo.syntax.assembly_format.print_state import (
    ArgumentLocationPiece,
    ArgumentPiece,
    PrintState,
    RegionPiece,
)
from shlo.syntax.attributes.parse import parse_attribute_dict
from shlo.syntax.attributes.parse_locations import parse_trailing_location

VISIBILITIES = ("public", "private", "nested")
NO_ENTRIES = DictionaryAttr(())
FUNCTION_SHOWN = ("sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs")
MODULE_SHOWN = ("sym_name",)


class _Argument(NamedTuple):
    """A function's argument or result with its attributes, and for an argument its name if given."""

    entry: EntryArgument
    attributes: DictionaryAttr


def _parse_visibility(state: ParseState) -> None:
    for word in VISIBILITIES:
        if state.cursor.accept(word):
            state.attributes["sym_visibility"] = StringAttr(word)
            return


def _print_visibility(state: PrintState) -> None:
    visibility = state.signature.properties.get("sym_visibility")
    if isinstance(visibility, StringAttr):
        state.text(f" {visibility.value}")


def _print_symbol_name(state: PrintState) -> None:
    name = state.signature.properties.get("sym_name")
    if isinstance(name, StringAttr):
        state.text(" ")
        state.attribute(SymbolRefAttr(name.value))


# -- module --------------------------------------------------------------------------------------------------


def _parse_module(state: ParseState) -> None:
    """`@name attributes {...} {...}`, of which only the region must are there."""
    cursor = state.cursor
    name = cursor.symbol()
    if name is not None:
        state.attributes["sym_name"] = StringAttr(name)
    if cursor.accept("attributes"):
        state.attribute_dict()
    state.regions[0] = state.parser.region((), isolated=True)


def _print_module(state: PrintState) -> None:
    _print_symbol_name(state)
    state.attribute_dict(keyword=True)
    state.text(" ")
    state.piece(RegionPiece(0, arguments=False))


# -- func.func -----------------------------------------------------------------------------------------------


def _parse_function(state: ParseState) -> None:
    """`private @name(%a: T {...} loc(...), ...) -> (T {...}, ...) attributes {...} {...}`; a declaration
    has no region and may leave the names of its arguments out."""
    cursor = state.cursor
    _parse_visibility(state)
    name = cursor.symbol()
    if name is None:
        cursor.fail(f"expected the function's name '@name', but found {cursor.found()}")
    state.attributes["sym_name"] = StringAttr(name)
    arguments = _parse_arguments(state)
    results = _parse_results(state) if cursor.accept("->") else []
    _keep_signature(state, arguments, results)
    if cursor.accept("attributes"):
        state.attribute_dict()
    if cursor.at("{"):
        state.regions[0] = state.parser.region(_entry_arguments(state, arguments), isolated=True)
    else:
        state.regions[0] = Region((), state.parser.values)


def _parse_arguments(state: ParseState) -> list[_Argument]:
    cursor = state.cursor
    cursor.expect("(", "before the function's arguments")
    if cursor.peek() == "%":
        return cursor.comma_list(lambda: _parse_named_argument(state), ")")
    return cursor.comma_list(lambda: _parse_typed(state), ")")


def _parse_named_argument(state: ParseState) -> _Argument:
    use = state.cursor.operand()
    state.cursor.expect(":", "after the argument's name")
    entry, attributes = _parse_typed(state)
    return _Argument(EntryArgument(use, entry.type, entry.location), attributes)


def _parse_typed(state: ParseState) -> _Argument:
    """`T {...} loc(...)`."""
    cursor = state.cursor
    type_ = state.type()
    attributes = DictionaryAttr.of(parse_attribute_dict(cursor)) if cursor.at("{") else NO_ENTRIES
    return _Argument(EntryArgument(None, type_, parse_trailing_location(cursor)), attributes)


def _parse_results(state: ParseState) -> list[_Argument]:
    cursor = state.cursor
    if cursor.accept("("):
        return cursor.comma_list(lambda: _parse_typed(state), ")")
    return [_Argument(EntryArgument(None, state.type()), NO_ENTRIES)]


def _keep_signature(state: ParseState, arguments: list[_Argument], results: list[_Argument]) -> None:
    type_ = FunctionType(_types(arguments), _types(results))
    state.attributes["function_type"] = TypeAttr(state.cursor.context.intern(type_))
    for name, parts in (("arg_attrs", arguments), ("res_attrs", results)):
        if any(part.attributes.entries for part in parts):
            state.attributes[name] = ArrayAttr(tuple(part.attributes for part in parts))


def _types(parts: list[_Argument]) -> tuple[Type, ...]:
    return tuple(part.entry.type for part in parts)


def _entry_arguments(state: ParseState, arguments: list[_Argument]) -> list[EntryArgument]:
    entries = [argument.entry for argument in arguments]
    if any(entry.use is None for entry in entries):
        start = state.cursor.skip()
        state.cursor.fail("a function with a body needs names for its arguments", Span(start, start + 1))
    return entries


def _is_function(operation: Operation) -> bool:
    """Returns whether there is a function type, and the body takes its inputs."""
    type_ = operation.attribute("function_type")
    if not isinstance(type_, TypeAttr) or not isinstance(type_.value, FunctionType):
        return False
    return all(count == len(type_.value.inputs) for count in entry_argument_counts(operation))


def _print_function(state: PrintState) -> None:
    _print_visibility(state)
    _print_symbol_name(state)
    type_ = state.signature.properties.get("function_type")
    if isinstance(type_, TypeAttr) and isinstance(type_.value, FunctionType):
        _print_arguments(state, type_.value.inputs)
        _print_results(state, type_.value.results)
    state.attribute_dict(keyword=True)
    if state.has_region(0):
        state.text(" ")
        state.piece(RegionPiece(0, arguments=False))


def _print_arguments(state: PrintState, types: Sequence[Type]) -> None:
    attributes = _attributes_of(state, "arg_attrs", len(types))
    named = state.has_region(0)
    state.text("(")
    for index, type_ in enumerate(types):
        if index:
            state.text(", ")
        if named:
            state.piece(ArgumentPiece(0, index))
            state.text(": ")
        state.types((type_,))
        state.dictionary(attributes[index])
        if named:
            state.piece(ArgumentLocationPiece(0, index))
    state.text(")")


def _print_results(state: PrintState, types: Sequence[Type]) -> None:
    if not types:
        return
    attributes = _attributes_of(state, "res_attrs", len(types))
    alone = len(types) == 1 and not isinstance(types[0], FunctionType) and not attributes[0]
    state.text(" -> " if alone else " -> (")
    for index, type_ in enumerate(types):
        if index:
            state.text(", ")
        state.types((type_,))
        state.dictionary(attributes[index])
    if not alone:
        state.text(")")


def _attributes_of(state: PrintState, name: str, count: int) -> list[dict[str, Attribute]]:
    """Returns the attributes of each argument or result."""
    array = state.signature.properties.get(name)
    entries = [value.as_dict() if isinstance(value, DictionaryAttr) else {} for value in _values(array)]
    return entries + [{}] * (count - len(entries))


def _values(array: Attribute | None) -> Sequence[Attribute]:
    return array.values if isinstance(array, ArrayAttr) else ()


DIRECTIVES: Directives = {
    "module": Directive(_parse_module, _print_module, MODULE_SHOWN, blank=False),
    "function": Directive(_parse_function, _print_function, FUNCTION_SHOWN, blank=False, fits=_is_function),
}
