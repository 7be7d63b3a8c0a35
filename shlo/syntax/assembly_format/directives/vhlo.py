"""The form of VHLO's functions: what a function of the func dialect shows, its attributes behind the body."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.attributes import Attribute, OpaqueAttr
from shlo.ir.operations import Operation
from shlo.ir.source import Span
from shlo.ir.types import FunctionType, Type
from shlo.syntax.assembly_format.directives.registry import Directive, Directives, entry_argument_counts
from shlo.syntax.assembly_format.parse_state import EntryArgument, ParseState
from shlo.syntax.assembly_format.print_state import (
    PrintState,
    RegionPiece,
)
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault
from shlo.syntax.lexer.strings import quoted, symbol_text
from shlo.syntax.types.parse import parse_type
from shlo.syntax.types.print import types_text

_NAME, _TYPE = ".string_v1<", ".type_v1<!vhlo.func_v1<"


def _parse_function(state: ParseState) -> None:
    """`@name(%a: T, ...) -> (T, ...) {...} {arg_attrs = ..., ...}`."""
    cursor = state.cursor
    name = cursor.expect_symbol("the function's name '@name'")
    cursor.expect("(", "before the function's arguments")
    arguments = cursor.comma_list(state.argument, ")")
    cursor.expect("->", "before the types of the results")
    results = state.types_in_parentheses() if cursor.at("(") else [state.type()]
    state.attributes["sym_name"] = OpaqueAttr("vhlo", f"{_NAME}{quoted(name)}>")
    shown = vhlo_function_type_text([argument.type for argument in arguments], results)
    state.attributes["function_type"] = OpaqueAttr("vhlo", f"{_TYPE}{shown}>>")
    entries: list[EntryArgument] = arguments
    state.regions[0] = state.parser.region(entries or None, isolated=True)
    start = cursor.skip()
    state.attribute_dict()
    if "arg_attrs" not in state.attributes:
        cursor.report("a function of VHLO needs {arg_attrs = ..., ...} behind it", Span(start, start + 1))


def name_of(attribute: Attribute | None) -> str | None:
    """Returns the text of `#vhlo.string_v1<"...">`, None for any other attribute."""
    if not isinstance(attribute, OpaqueAttr) or not attribute.body.startswith(_NAME):
        return None
    try:
        return Cursor(attribute.body[len(_NAME) : -1]).expect_string()
    except SyntaxFault:
        return None


def function_type_of(attribute: Attribute | None) -> FunctionType | None:
    """Returns the type in `#vhlo.type_v1<!vhlo.func_v1<...>>`, None for any other attribute."""
    if not isinstance(attribute, OpaqueAttr) or not attribute.body.startswith(_TYPE):
        return None
    try:
        return parse_vhlo_function_type(Cursor(attribute.body[len(_TYPE) : -2]))
    except SyntaxFault:
        return None


def vhlo_function_type_text(inputs: Sequence[Type], results: Sequence[Type]) -> str:
    """Returns a function type as `parse_vhlo_function_type` reads it."""
    return f"({types_text(inputs) or '()'}) -> {types_text(results) or '()'}"


def parse_vhlo_function_type(cursor: Cursor) -> FunctionType:
    """Parses `(A, B) -> C, D`, where no types are `()`: `(()) -> ()`. Results may be in parentheses."""
    cursor.expect("(", "before the types of a function's arguments")
    inputs: list[Type] = []
    if cursor.accept("("):
        cursor.expect(")", "where a function has no arguments")
        cursor.expect(")", "after the types of a function's arguments")
    else:
        inputs = cursor.comma_list(lambda: parse_type(cursor), ")")
    cursor.expect("->", "in a function type")
    if cursor.accept("("):
        return FunctionType(tuple(inputs), tuple(cursor.comma_list(lambda: parse_type(cursor), ")")))
    return FunctionType(tuple(inputs), tuple(cursor.sequence(lambda: parse_type(cursor))))


def _is_function(operation: Operation) -> bool:
    """Returns whether there are a name and a type, and the body takes the inputs."""
    properties = operation.signature.properties
    type_ = function_type_of(properties.get("function_type"))
    if type_ is None or name_of(properties.get("sym_name")) is None:
        return False
    return entry_argument_counts(operation) == [len(type_.inputs)] or not (
        type_.inputs or operation.regions[0].blocks
    )


def _print_function(state: PrintState) -> None:
    properties = state.signature.properties
    name, type_ = name_of(properties.get("sym_name")), function_type_of(properties.get("function_type"))
    assert name is not None
    assert type_ is not None
    inputs = enumerate(map(state.text_cache.type, type_.inputs))
    arguments = state.separated(state.typed_argument(0, index, text) for index, text in inputs)
    state.add(f" {symbol_text(name)}(", *arguments, ") -> (", state.types(type_.results), ") ")
    state.add(RegionPiece(0, arguments=False), state.attribute_dict())


DIRECTIVES: Directives = {
    "vhlo_function": Directive(
        _parse_function, _print_function, ("sym_name", "function_type"), blank=False, fits=_is_function
    ),
}
