"""What to show about the word under the pointer, in Markdown."""

from __future__ import annotations

from msgspec import Struct

from shlo.ir.attributes import TypeAttr
from shlo.ir.operations import BROKEN
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.types import FunctionType
from shlo.language.document import Document, Part
from shlo.language.hover.attributes import attribute_at, struct_text, word_text
from shlo.language.hover.attributes import target_text as target_words
from shlo.language.hover.constants import constant_text
from shlo.language.hover.functions import function_lines
from shlo.language.hover.markdown import code, fence
from shlo.language.hover.op_docs import op_def_named
from shlo.language.hover.operations import operation_text
from shlo.language.hover.origins import origin_text
from shlo.language.hover.types import size_text, type_text
from shlo.language.hover.uses import uses_text
from shlo.language.index.names import Label, Target
from shlo.language.index.symbols import Alias, Symbol
from shlo.language.index.types_in_text import type_at
from shlo.language.index.values import Value
from shlo.language.source_lines import place_at, value_label
from shlo.syntax.lexer.tokens import Token, line_span, token_at


class Hover(Struct, frozen=True):
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
    if (target := part.index.target(token)) and not _is_location(part, target):
        return Hover(part.place(token.span), target_text(part, token, target))
    found, place = _of_word(part, token) or _of_type(part, token), place_at(document, offset)
    origin = origin_text(place.origin) if place else ""
    if found is None:
        return Hover(place.span, origin) if place and origin else None
    return Hover(part.place(found[0]), f"{found[1]}\n\n{origin}" if origin else found[1])


def _is_location(part: Part, target: Target) -> bool:
    return isinstance(target, Alias) and part.index.aliases.definition_text(target).startswith("loc(")


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
    if label := value_label(value):
        lines.append(f"{code(label)} in the program that this one was made from")
    size = size_text(type_)
    if size:
        lines.append(size)
    if value.is_multi_result and not number:
        types = ", ".join(str(each) for each in value.types)
        lines.append(f"The first of {len(value.values)} results: {code(types)}")
    lines.append(_origin(part, value))
    if value.owner is not None:
        lines.append(uses_text(part, value))
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


def _symbol_text(part: Part, symbol: Symbol) -> str:
    operation = symbol.place.operation
    attribute = operation.attribute("function_type")
    type_ = attribute.value if isinstance(attribute, TypeAttr) else None
    if isinstance(type_, FunctionType):
        return fence(function_lines(symbol.name, operation, type_)) + _doc_comment(part, symbol)
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
    place = part.index.place_at(token.span.end if token.kind == "string" else token.span.start)
    special = target_words(place, token) or constant_text(place, token)
    if special is not None:
        return token.span, special
    if token.kind == "string":
        op_def = op_def_named(token.text.strip('"')) if "." in token.text else None
        return (token.span, operation_text(part, place, op_def)) if op_def else None
    if token.kind in ("attribute", "type"):
        text = struct_text(token) if token.kind == "attribute" else None
        return attribute_at(part, token) or ((token.span, text) if text else None)
    if token.kind != "word":
        return None
    op_def = op_def_named(token.text)
    if op_def is not None and (place.operation.name in (op_def.name, BROKEN)):
        return token.span, operation_text(part, place, op_def)
    text = word_text(part, place, token)
    return (token.span, text) if text else None


def _of_type(part: Part, token: Token) -> tuple[Span, str] | None:
    """Returns a type in the text."""
    found = type_at(part.text, token)
    return (found[0], type_text(found[1])) if found else None
