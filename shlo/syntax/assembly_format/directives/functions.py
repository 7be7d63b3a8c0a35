"""Forms of functions and modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, StringAttr, SymbolRefAttr, TypeAttr
from shlo.ir.operations import Operation, Region
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
from shlo.syntax.parser.attributes import parse_attribute_dict
from shlo.syntax.parser.operation_reader import EntryArgument

VISIBILITIES = ("public", "private", "nested")
NO_ENTRIES = DictionaryAttr(())
FUNCTION_SHOWN = ("sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs")
MODULE_SHOWN = ("sym_name",)


class _Argument(NamedTuple):
    """A function's argument or result: the attributes that belong to it, and for an argument its name if
    given."""

    entry: EntryArgument
    attributes: DictionaryAttr


def _read_visibility(reading: FormReading) -> None:
    for word in VISIBILITIES:
        if reading.reader.accept(word):
            reading.attributes["sym_visibility"] = StringAttr(word)
            return


def _write_visibility(writing: FormWriting) -> None:
    visibility = writing.signature.properties.get("sym_visibility")
    if isinstance(visibility, StringAttr):
        writing.text(f" {visibility.value}")


def _write_symbol_name(writing: FormWriting) -> None:
    name = writing.signature.properties.get("sym_name")
    if isinstance(name, StringAttr):
        writing.text(" ")
        writing.attribute(SymbolRefAttr(name.value))


# -- module --------------------------------------------------------------------------------------------------


def _read_module(reading: FormReading) -> None:
    """`@name attributes {...} {...}`, of which only the region must stand there."""
    reader = reading.reader
    name = reader.symbol()
    if name is not None:
        reading.attributes["sym_name"] = StringAttr(name)
    if reader.accept("attributes"):
        reading.attribute_dict()
    reading.regions[0] = reader.region((), isolated=True)


def _write_module(writing: FormWriting) -> None:
    _write_symbol_name(writing)
    writing.attribute_dict(keyword=True)
    writing.text(" ")
    writing.piece(RegionPiece(0, arguments=False))


# -- func.func -----------------------------------------------------------------------------------------------


def _read_function(reading: FormReading) -> None:
    """`private @name(%a: T {...} loc(...), ...) -> (T {...}, ...) attributes {...} {...}`; a declaration
    has no region and may leave the names of its arguments out."""
    reader = reading.reader
    _read_visibility(reading)
    name = reader.symbol()
    if name is None:
        reader.fail(f"expected the function's name '@name', but found {reader.found()}")
    reading.attributes["sym_name"] = StringAttr(name)
    arguments = _read_arguments(reading)
    results = _read_results(reading) if reader.accept("->") else []
    _keep_signature(reading, arguments, results)
    if reader.accept("attributes"):
        reading.attribute_dict()
    if reader.at("{"):
        reading.regions[0] = reader.region(_entry_arguments(reading, arguments), isolated=True)
    else:
        reading.regions[0] = Region((), reader.values)


def _read_arguments(reading: FormReading) -> list[_Argument]:
    reader = reading.reader
    reader.expect("(", "before the function's arguments")
    if reader.peek() == "%":
        return reader.comma_list(lambda: _read_named_argument(reading), ")")
    return reader.comma_list(lambda: _read_typed(reading), ")")


def _read_named_argument(reading: FormReading) -> _Argument:
    use = reading.reader.operand()
    reading.reader.expect(":", "after the argument's name")
    entry, attributes = _read_typed(reading)
    return _Argument(EntryArgument(use, entry.type, entry.location), attributes)


def _read_typed(reading: FormReading) -> _Argument:
    """`T {...} loc(...)`."""
    reader = reading.reader
    type_ = reading.type()
    attributes = DictionaryAttr.of(parse_attribute_dict(reader)) if reader.at("{") else NO_ENTRIES
    return _Argument(EntryArgument(None, type_, reader.location()), attributes)


def _read_results(reading: FormReading) -> list[_Argument]:
    reader = reading.reader
    if reader.accept("("):
        return reader.comma_list(lambda: _read_typed(reading), ")")
    return [_Argument(EntryArgument(None, reading.type()), NO_ENTRIES)]


def _keep_signature(reading: FormReading, arguments: list[_Argument], results: list[_Argument]) -> None:
    type_ = FunctionType(_types(arguments), _types(results))
    reading.attributes["function_type"] = TypeAttr(reading.reader.context.intern(type_))
    for name, parts in (("arg_attrs", arguments), ("res_attrs", results)):
        if any(part.attributes.entries for part in parts):
            reading.attributes[name] = ArrayAttr(tuple(part.attributes for part in parts))


def _types(parts: list[_Argument]) -> tuple[Type, ...]:
    return tuple(part.entry.type for part in parts)


def _entry_arguments(reading: FormReading, arguments: list[_Argument]) -> list[EntryArgument]:
    entries = [argument.entry for argument in arguments]
    if any(entry.use is None for entry in entries):
        start = reading.reader.skip()
        reading.reader.fail("a function with a body needs names for its arguments", Span(start, start + 1))
    return entries


def _is_function(operation: Operation) -> bool:
    """Whether there is a function type, and the body takes its inputs."""
    type_ = operation.attribute("function_type")
    if not isinstance(type_, TypeAttr) or not isinstance(type_.value, FunctionType):
        return False
    return all(count == len(type_.value.inputs) for count in entry_argument_counts(operation))


def _write_function(writing: FormWriting) -> None:
    _write_visibility(writing)
    _write_symbol_name(writing)
    type_ = writing.signature.properties.get("function_type")
    if isinstance(type_, TypeAttr) and isinstance(type_.value, FunctionType):
        _write_arguments(writing, type_.value.inputs)
        _write_results(writing, type_.value.results)
    writing.attribute_dict(keyword=True)
    if writing.has_region(0):
        writing.text(" ")
        writing.piece(RegionPiece(0, arguments=False))


def _write_arguments(writing: FormWriting, types: Sequence[Type]) -> None:
    attributes = _attributes_of(writing, "arg_attrs", len(types))
    named = writing.has_region(0)
    writing.text("(")
    for index, type_ in enumerate(types):
        if index:
            writing.text(", ")
        if named:
            writing.piece(ArgumentPiece(0, index))
            writing.text(": ")
        writing.types((type_,))
        writing.dictionary(attributes[index])
        if named:
            writing.piece(ArgumentLocationPiece(0, index))
    writing.text(")")


def _write_results(writing: FormWriting, types: Sequence[Type]) -> None:
    if not types:
        return
    attributes = _attributes_of(writing, "res_attrs", len(types))
    bare = len(types) == 1 and not isinstance(types[0], FunctionType) and not attributes[0]
    writing.text(" -> " if bare else " -> (")
    for index, type_ in enumerate(types):
        if index:
            writing.text(", ")
        writing.types((type_,))
        writing.dictionary(attributes[index])
    if not bare:
        writing.text(")")


def _attributes_of(writing: FormWriting, name: str, count: int) -> list[dict[str, Attribute]]:
    """The attributes of each argument or result."""
    array = writing.signature.properties.get(name)
    entries = [value.as_dict() if isinstance(value, DictionaryAttr) else {} for value in _values(array)]
    return entries + [{}] * (count - len(entries))


def _values(array: Attribute | None) -> Sequence[Attribute]:
    return array.values if isinstance(array, ArrayAttr) else ()


DIRECTIVES: Directives = {
    "module": Directive(_read_module, _write_module, MODULE_SHOWN, blank=False),
    "function": Directive(_read_function, _write_function, FUNCTION_SHOWN, blank=False, fits=_is_function),
}
