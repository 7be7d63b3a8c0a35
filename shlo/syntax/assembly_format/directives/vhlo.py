"""The form of VHLO's functions: what a function of the func dialect shows, its attributes behind the body."""

from __future__ import annotations

from shlo.ir.attributes import Attribute, OpaqueAttr
from shlo.ir.operations import Operation
from shlo.ir.source import Span
from shlo.ir.types import FunctionType, Type
from shlo.syntax.assembly_format.directives.registry import Directive, Directives, entry_argument_counts
from shlo.syntax.assembly_format.parse_state import FormReading
from shlo.syntax.assembly_format.print_state import (
    ArgumentLocationPiece,
    ArgumentPiece,
    FormWriting,
    RegionPiece,
)
from shlo.syntax.lexer.cursor import Reader, SyntaxFault
from shlo.syntax.lexer.strings import quoted, symbol_text
from shlo.syntax.parser.operation_reader import EntryArgument
from shlo.syntax.parser.types import parse_type
from shlo.syntax.printer.types import type_text

_NAME, _TYPE = ".string_v1<", ".type_v1<!vhlo.func_v1<"


def _read_function(reading: FormReading) -> None:
    """`@name(%a: T, ...) -> (T, ...) {...} {arg_attrs = ..., ...}`."""
    reader = reading.reader
    name = reader.symbol()
    if name is None:
        reader.fail(f"expected the function's name '@name', but found {reader.found()}")
    reader.expect("(", "before the function's arguments")
    arguments = reader.comma_list(reading.argument, ")")
    reader.expect("->", "before the types of the results")
    results = reading.types_in_parentheses() if reader.at("(") else [reading.type()]
    reading.attributes["sym_name"] = OpaqueAttr("vhlo", f"{_NAME}{quoted(name)}>")
    type_ = FunctionType(tuple(argument.type for argument in arguments), tuple(results))
    reading.attributes["function_type"] = OpaqueAttr("vhlo", f"{_TYPE}{_function_type_text(type_)}>>")
    entries: list[EntryArgument] = arguments
    reading.regions[0] = reader.region(entries or None, isolated=True)
    start = reader.skip()
    reading.attribute_dict()
    if "arg_attrs" not in reading.attributes:
        reader.report("a function of VHLO needs {arg_attrs = ..., ...} behind it", Span(start, start + 1))


def name_of(attribute: Attribute | None) -> str | None:
    """The text of `#vhlo.string_v1<"...">`, None for any other attribute."""
    if not isinstance(attribute, OpaqueAttr) or not attribute.body.startswith(_NAME):
        return None
    try:
        return Reader(attribute.body[len(_NAME) : -1]).expect_string()
    except SyntaxFault:
        return None


def function_type_of(attribute: Attribute | None) -> FunctionType | None:
    """The type in `#vhlo.type_v1<!vhlo.func_v1<...>>`, None for any other attribute."""
    if not isinstance(attribute, OpaqueAttr) or not attribute.body.startswith(_TYPE):
        return None
    try:
        return parse_vhlo_function_type(Reader(attribute.body[len(_TYPE) : -2]))
    except SyntaxFault:
        return None


def parse_vhlo_function_type(reader: Reader) -> FunctionType:
    """Parses `(A, B) -> C, D`, where no types are `()`: `(()) -> ()`. Parentheses that are only usual around
    types are taken, too."""
    reader.expect("(", "before the types of a function's arguments")
    inputs: list[Type] = []
    if reader.accept("("):
        reader.expect(")", "where a function has no arguments")
        reader.expect(")", "after the types of a function's arguments")
    else:
        inputs = reader.comma_list(lambda: parse_type(reader), ")")
    reader.expect("->", "in a function type")
    if reader.accept("("):
        return FunctionType(tuple(inputs), tuple(reader.comma_list(lambda: parse_type(reader), ")")))
    results = [parse_type(reader)]
    while reader.accept(","):
        results.append(parse_type(reader))
    return FunctionType(tuple(inputs), tuple(results))


def _function_type_text(type_: FunctionType) -> str:
    """A function type as VHLO writes it."""
    inputs, results = (", ".join(map(type_text, types)) or "()" for types in (type_.inputs, type_.results))
    return f"({inputs}) -> {results}"


def _is_function(operation: Operation) -> bool:
    """Whether there are a name and a type, and the body takes the inputs."""
    properties = operation.signature.properties
    type_ = function_type_of(properties.get("function_type"))
    if type_ is None or name_of(properties.get("sym_name")) is None:
        return False
    return entry_argument_counts(operation) == [len(type_.inputs)] or not (
        type_.inputs or operation.regions[0].blocks
    )


def _write_function(writing: FormWriting) -> None:
    properties = writing.signature.properties
    name, type_ = name_of(properties.get("sym_name")), function_type_of(properties.get("function_type"))
    assert name is not None
    assert type_ is not None
    writing.text(f" {symbol_text(name)}(")
    for index, input_ in enumerate(type_.inputs):
        writing.text(", " if index else "")
        _write_argument(writing, index, input_)
    writing.text(") -> (")
    writing.types(type_.results)
    writing.text(") ")
    writing.piece(RegionPiece(0, arguments=False))
    writing.attribute_dict()


def _write_argument(writing: FormWriting, index: int, type_: Type) -> None:
    writing.piece(ArgumentPiece(0, index))
    writing.text(": ")
    writing.types((type_,))
    writing.piece(ArgumentLocationPiece(0, index))


DIRECTIVES: Directives = {
    "vhlo_function": Directive(
        _read_function, _write_function, ("sym_name", "function_type"), blank=False, fits=_is_function
    ),
}
