"""What to show about the word under the pointer, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shlo.dialects import find_dialect
from shlo.dialects.attr_constraints import EnumDef
from shlo.dialects.opdef import OpDef
from shlo.ir.attributes import TypeAttr
from shlo.ir.dtypes import UnsupportedTypeError, dtype_of
from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.types import RankedTensorType, Type
from shlo.language.document import Document, Part
from shlo.language.hover.markdown import code, fence
from shlo.language.hover.op_docs import attribute_line, op_def_named
from shlo.language.hover.operations import operation_text
from shlo.language.index.names import Label, Target
from shlo.language.index.symbols import Alias, Symbol
from shlo.language.index.types_in_text import type_at
from shlo.language.index.values import Value
from shlo.syntax.lexer.strings import symbol_text
from shlo.syntax.lexer.tokens import Token, line_span, token_at
from shlo.text.numbers import byte_size, plural


@dataclass(frozen=True, slots=True)
class Hover:
    """What to show, and the word that it is about."""

    span: Span
    text: str


@recursive
def hover(document: Document, offset: int) -> Hover | None:
    """What is known about the word at an offset, None where there is nothing to say."""
    part = document.part_at(offset)
    token = token_at(part.text, offset - part.start)
    if token is None or token.kind == "comment":
        return None
    if target := part.index.target(token):
        return Hover(part.place(token.span), target_text(part, token, target))
    found = _of_word(part, token) or _of_type(part, token)
    return Hover(part.place(found[0]), found[1]) if found else None


def target_text(part: Part, token: Token, target: Target) -> str:
    """What is known about what a name refers to."""
    if isinstance(target, Value):
        return _value_text(part, token, target)
    if isinstance(target, Label):
        return f"Block {code('^' + target.name)}{_defined(part, target.definition)}"
    if isinstance(target, Symbol):
        return _symbol_text(part, target)
    return _alias_text(part, target)


def _value_text(part: Part, token: Token, value: Value) -> str:
    number = token.text.partition("#")[2]
    type_ = value.type(number)
    lines = [fence(f"{token.text}: {type_}")]
    size = size_text(type_)
    if size:
        lines.append(size)
    if value.is_multi_result and not number:
        types = ", ".join(str(each) for each in value.types)
        lines.append(f"The first of {len(value.values)} results: {code(types)}")
    lines.append(_origin(part, value))
    return "\n\n".join(lines)


def _origin(part: Part, value: Value) -> str:
    if value.owner is None:
        return "Not defined."
    operation = value.owner.place.operation
    name = "" if operation.name == BROKEN else code(operation.name)
    what = "Argument of" if value.is_argument else "Result of"
    return f"{what} {name or 'an operation that cannot be read'}{_defined(part, value.definition)}"


def _defined(part: Part, definition: Span | None) -> str:
    """Returns where something is defined, with the line's text."""
    if definition is None:
        return ", defined nowhere"
    line = part.text[slice(*line_span(part.text, definition.start))]
    return f":\n{fence(line.strip()[:200])}"


def size_text(type_: Type) -> str:
    """Shape, elements and bytes of a tensor in memory; empty for another type or an unknown size."""
    if not isinstance(type_, RankedTensorType):
        return ""
    shape = " × ".join("?" if size is None else str(size) for size in type_.shape) or "scalar"
    if not type_.is_static:
        return f"{shape} of {code(str(type_.element_type))}"
    count = type_.element_count
    try:
        held = f", {byte_size(count * dtype_of(type_.element_type).itemsize)}"
    except UnsupportedTypeError:
        held = ""
    return f"{shape} of {code(str(type_.element_type))}, {plural(count, 'element')}{held}"


def _symbol_text(part: Part, symbol: Symbol) -> str:
    operation = symbol.place.operation
    type_ = operation.attribute("function_type")
    if isinstance(type_, TypeAttr):
        written = str(type_.value)
        blank = "" if written.startswith("(") else " "
        return fence(f"func {symbol_text(symbol.name)}{blank}{written}") + _doc_comment(part, symbol)
    line = part.text[slice(*line_span(part.text, symbol.definition.start))]
    return fence(line.strip()) + _doc_comment(part, symbol)


def _doc_comment(part: Part, symbol: Symbol) -> str:
    """Returns the comment lines right above a definition."""
    lines: list[str] = []
    end = line_span(part.text, symbol.definition.start).start
    while end > 0:
        start = line_span(part.text, end - 1).start
        line = part.text[start : end - 1].strip()
        if not line.startswith("//"):
            break
        lines.insert(0, line)
        end = start
    return "\n\n" + fence("\n".join(lines)) if lines else ""


def _alias_text(part: Part, alias: Alias) -> str:
    said = part.index.aliases.definition_text(alias)
    return fence(f"{alias.name} = {said}") if said else f"{code(alias.name)} is defined nowhere."


# -- operations, attributes ---------------------------------------------------------------------------------


def _of_word(part: Part, token: Token) -> tuple[Span, str] | None:
    if token.kind == "string":
        op_def = op_def_named(token.text.strip('"')) if "." in token.text else None
        place = part.index.place_at(token.span.end)
        return (token.span, operation_text(part, place, op_def)) if op_def else None
    if token.kind in ("attribute", "type"):
        return _of_kind(token)
    if token.kind != "word":
        return None
    place = part.index.place_at(token.span.start)
    op_def = op_def_named(token.text)
    if op_def is not None and (place.operation.name in (op_def.name, BROKEN)):
        return token.span, operation_text(part, place, op_def)
    return _of_attribute(place, token)


def _of_attribute(place: OpPath, token: Token) -> tuple[Span, str] | None:
    """Returns an attribute's name, or a word of an enumeration, of the operation around it."""
    for each in place.around():
        op_def = op_def_named(each.operation.name)
        if op_def is None:
            continue
        spec = op_def.attribute(token.text)
        if spec is not None:
            value = each.operation.attribute(spec.name)
            said = f"\n\n{fence(f'{spec.name} = {value}')}" if value is not None else ""
            return token.span, f"{attribute_line(spec)}, of {code(op_def.name)}{said}"
        for enum in _enums(op_def):
            if token.text in enum[1]:
                return token.span, f"{code(token.text)} of {enum[0]}: {', '.join(enum[1])}"
    return None


def _enums(op_def: OpDef) -> Iterator[tuple[str, tuple[str, ...]]]:
    for spec in op_def.attributes:
        if isinstance(spec.constraint.uses, EnumDef) and spec.constraint.words:
            yield spec.constraint.uses.name, spec.constraint.words


def _of_kind(token: Token) -> tuple[Span, str] | None:
    """Returns an attribute of a dialect: `#stablehlo.gather`, with its fields."""
    name, _, mnemonic = token.text[1:].partition(".")
    dialect = find_dialect(name)
    if dialect is None or not mnemonic:
        return None
    struct, enum = dialect.structs.get(mnemonic), dialect.enums.get(mnemonic)
    if enum is not None:
        return token.span, f"{code(token.text)}: {', '.join(enum.words)}"
    if struct is None:
        return None
    fields = "\n".join(f"- {code(each.name)}: {each.constraint.name}" for each in struct.parameters)
    return token.span, f"{code(token.text)}\n\n{fields}".strip()


def _of_type(part: Part, token: Token) -> tuple[Span, str] | None:
    """Returns a type in the text."""
    found = type_at(part.text, token)
    if found is None:
        return None
    span, type_ = found
    size = size_text(type_)
    return span, fence(str(type_)) + (f"\n\n{size}" if size else "")
