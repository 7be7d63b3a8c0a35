"""What can be typed at an offset: operations, values, symbols, labels, aliases, attributes, words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from shlo.dialects import all_op_defs, find_dialect
from shlo.dialects.attr_constraints import TAB_STOP, EnumOf
from shlo.dialects.opdef import AttributeDef, OpDef
from shlo.ir.attributes import TypeAttr
from shlo.ir.op_path import OpPath
from shlo.ir.operations import Operation, ValueTable
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.types import FunctionType, Type
from shlo.language.completion.snippets import generic_snippet, numbered, operation_snippet
from shlo.language.completion.statement import Statement, statement_at
from shlo.language.completion.types_ahead import types_ahead
from shlo.language.document import Document, Part
from shlo.language.hover.op_docs import attribute_line, op_def_text
from shlo.language.index.op_names import names_of
from shlo.language.index.symbols import Symbol
from shlo.language.index.types_in_text import types_between
from shlo.language.index.values import Scope, is_broken, visible_in
from shlo.syntax.lexer.strings import symbol_text
from shlo.syntax.lexer.tokens import NAME, line_span

CompletionKind = Literal[
    "operation", "value", "function", "label", "attribute", "enumMember", "alias", "type"
]
PREFIX = re.compile(r'(?:[%@^#!][\w$.#-]*|"?[\w$.]*)\Z', re.ASCII)
LABEL = re.compile(rf"^[ \t]*(\^{NAME})[ \t]*(\([^\n]*\))?[ \t]*:", re.MULTILINE | re.ASCII)
MAX_PREFIX = 200
"""How many characters of what is being typed are looked at: a line may hold megabytes of one constant."""
MAX_VALUES = 200
"""How many values are offered."""


@dataclass(frozen=True, slots=True)
class Completion:
    """Something to type: what a list shows, what replaces `span` (`insert`, a snippet where `is_snippet`),
    and where it is in the list (`order`, the smallest first)."""

    label: str
    kind: CompletionKind
    detail: str
    insert: str
    span: Span
    order: int = 0
    is_snippet: bool = False


@recursive
def complete(document: Document, offset: int) -> list[Completion]:
    """Returns what fits at an offset, the best first."""
    part = document.part_at(offset)
    local = offset - part.start
    line = line_span(part.text, local)
    match = PREFIX.search(part.text, max(line.start, local - MAX_PREFIX), local)
    span = Span(match.start() if match else local, local)
    statement = statement_at(part, local)
    found = _found(part, statement, span)
    place = part.place(span)
    return sorted((replace(each, span=place) for each in found), key=lambda each: (each.order, each.label))


def documentation(completion: Completion) -> str:
    """Returns what to show beside a completion, in Markdown; made on first use."""
    if completion.kind != "operation":
        return ""
    op_def = next((op_def for op_def in all_op_defs() if op_def.name == completion.detail), None)
    return op_def_text(op_def) if op_def else ""


def _found(part: Part, statement: Statement, span: Span) -> Iterator[Completion]:
    prefix = part.text[span.start : span.end]
    if "//" in part.text[line_span(part.text, span.start).start : span.start]:
        return
    match prefix[:1]:
        case "%":
            yield from _values(statement, span)
        case "@":
            yield from _symbols(part, span)
        case "^":
            yield from _labels(statement, span)
        case "#" | "!":
            yield from _aliases(part, prefix[0], span)
        case _ if statement.at_name:
            yield from _operations(statement, prefix, span)
        case _:
            yield from _in_operation(statement, span)


# -- operations ---------------------------------------------------------------------------------------------


def _operations(statement: Statement, prefix: str, span: Span) -> Iterator[Completion]:
    default = statement.default_dialect
    typed = prefix.strip('"')
    for op_def in all_op_defs():
        if typed not in op_def.name:
            continue
        if prefix.startswith('"'):
            yield Completion(
                f'"{op_def.name}"', "operation", op_def.name, generic_snippet(op_def), span, 0, True
            )
            continue
        is_short = op_def.dialect == default and "." not in prefix
        name = op_def.name.partition(".")[2] if is_short else op_def.name
        result = "%${1:name} = " if op_def.results and not statement.has_results else ""
        snippet = operation_snippet(op_def, name)
        insert = result + (_shifted(snippet) if result else snippet)
        order = 0 if is_short else 1 if op_def.dialect == "stablehlo" else 2
        yield Completion(name, "operation", op_def.name, insert, span, order, True)


def _shifted(snippet: str) -> str:
    """Returns a snippet whose holes are numbered from 2."""
    return re.sub(r"\$(\{?)(\d+)", lambda match: f"${match[1]}{int(match[2]) + 1}", snippet)


# -- values -------------------------------------------------------------------------------------------------


def _values(statement: Statement, span: Span) -> Iterator[Completion]:
    """Yields the values in scope: those of the expected type first, then the nearest."""
    wanted = wanted_type(statement)
    matching: list[tuple[str, Type]] = []
    others: list[tuple[str, Type]] = []
    for name, type_ in values_in_scope(statement):
        (matching if type_ == wanted else others).append((name, type_))
        if len(matching) >= MAX_VALUES:
            break
    ordered = islice([*matching, *others], MAX_VALUES)
    for order, (name, type_) in enumerate(ordered):
        yield Completion(f"%{name}", "value", str(type_), f"%{name}", span, order)


def values_in_scope(statement: Statement) -> Iterator[tuple[str, Type]]:
    """Yields the names and types of the values that an operation may use, nearest first."""
    region = statement.region
    if region is None:
        return
    scope = _scope(statement, region[1].values)
    around = [(id(statement.holder.operation), region[0])]
    around += [(id(each.parent.operation), each.region) for each in statement.holder.around() if each.parent]
    for value, owner in reversed(scope.owners.items()):
        if not scope.table.names[value] or not visible_in(owner, around):
            continue
        if owner.region is not None or owner.place.end <= statement.start:
            yield scope.table.names[value], scope.table.types[value]
    for each in statement.holder.around():
        if is_broken(each):
            yield from _broken_arguments(statement, each)


def _scope(statement: Statement, table: ValueTable) -> Scope:
    index = statement.part.index
    holder = statement.holder
    shared = index.values.scope_of(holder)
    return shared if shared and shared.table is table else index.values.scope_in(holder, table)


def _broken_arguments(statement: Statement, place: OpPath) -> Iterator[tuple[str, Type]]:
    """Yields the arguments in the text of a broken operation around."""
    values = statement.part.index.values
    for name in names_of(statement.part.text, place):
        if name.role == "argument" and (value := values.named(place, name)):
            yield name.name, value.type()


def wanted_type(statement: Statement) -> Type | None:
    """Returns the type that the operand at the cursor has to have, None where the text does not tell."""
    number = operand_number(statement)
    types = _types_behind(statement)
    if types:
        return types[number] if number < len(types) else types[-1] if len(types) == 1 else None
    given = _given_types(statement)
    if given:
        return given[number] if number < len(given) else None
    op_def = statement.op_def
    if number > 0 and op_def is not None and op_def.format and "type(same)" in op_def.format:
        return _first_operand_type(statement)
    return None


def operand_number(statement: Statement) -> int:
    """Returns how many operands are before the one at the cursor."""
    behind = [token for token in statement.tokens if token.kind == "value"]
    return sum(token.span.end < statement.offset for token in behind)


def _types_behind(statement: Statement) -> list[Type]:
    """Returns the operands' types that the line says behind the cursor already."""
    text = statement.part.text
    end = line_span(text, statement.offset).end
    colon = text.find(" : ", statement.offset, end)
    if colon < 0:
        return []
    arrow = text.find("->", colon, end)
    return types_between(text, colon, arrow if arrow >= 0 else end)


def _given_types(statement: Statement) -> tuple[Type, ...]:
    """Returns the types that a function says: its results for `return`, its arguments for `call`."""
    op_def = statement.op_def
    if op_def is None or op_def.name not in ("func.return", "func.call"):
        return ()
    if op_def.name == "func.return":
        own = function_type(statement.holder.operation)
        return own.results if own else ()
    symbol = callee(statement)
    called = function_type(symbol.place.operation) if symbol else None
    return called.inputs if called else ()


def callee(statement: Statement) -> Symbol | None:
    """Returns the function that the operation being typed calls."""
    token = next((token for token in statement.tokens if token.kind == "symbol"), None)
    return statement.part.index.symbols.resolve(token) if token else None


def function_type(operation: Operation) -> FunctionType | None:
    """Returns the type of a function's operation, None for any other one."""
    attribute = operation.attribute("function_type")
    type_ = attribute.value if isinstance(attribute, TypeAttr) else None
    return type_ if isinstance(type_, FunctionType) else None


def _first_operand_type(statement: Statement) -> Type | None:
    first = next((token for token in statement.tokens if token.kind == "value"), None)
    value = statement.part.index.value(first) if first else None
    return value.type(first.text.partition("#")[2]) if first and value else None


# -- other names --------------------------------------------------------------------------------------------


def _symbols(part: Part, span: Span) -> Iterator[Completion]:
    for symbol in part.index.symbols.all:
        text = symbol_text(symbol.name)
        type_ = symbol.place.operation.attribute("function_type")
        yield Completion(text, "function", str(type_ or symbol.place.operation.name), text, span)


def _labels(statement: Statement, span: Span) -> Iterator[Completion]:
    """Yields the labels in the text around; the parser may not see one behind an unfinished jump."""
    holder = statement.holder
    for match in LABEL.finditer(statement.part.text, holder.start, holder.end):
        yield Completion(match[1], "label", match[2] or "", match[1], span)


def _aliases(part: Part, sign: str, span: Span) -> Iterator[Completion]:
    aliases = part.index.aliases
    for name in aliases.definitions:
        if name.startswith(sign):
            line = part.text[slice(*line_span(part.text, aliases.definitions[name].start))]
            yield Completion(name, "alias", line.partition("=")[2].strip()[:80], name, span)
    dialect = find_dialect("stablehlo")
    for mnemonic in dialect.structs if dialect and sign == "#" else ():
        yield Completion(
            f"#stablehlo.{mnemonic}", "attribute", "", f"#stablehlo.{mnemonic}<$1>", span, 1, True
        )


# -- attributes ---------------------------------------------------------------------------------------------


def _in_operation(statement: Statement, span: Span) -> Iterator[Completion]:
    op_def = statement.op_def
    if op_def is None:
        return
    before = [token for token in statement.tokens if token.span.end <= span.start]
    last = before[-1].text if before else ""
    if last == "=" and len(before) > 1 and (spec := op_def.attribute(before[-2].text)):
        yield from _words((spec,), span, is_pretty=False)
    elif statement.open_bracket == "{":
        used = {token.text for token in before}
        yield from _attributes(op_def, used, span)
    else:
        yield from _types(statement, span)
        yield from _words(op_def.attributes, span, is_pretty=True)
        yield from _values(statement, span)


def _types(statement: Statement, span: Span) -> Iterator[Completion]:
    """Yields the types that follow from what is before the cursor."""
    if span.start < span.end or not statement.text.endswith((" ", ":")):
        return
    scope: dict[str, Type] = {}
    for name, type_ in values_in_scope(statement):
        scope.setdefault(name, type_)
    types = types_ahead(statement, scope)
    if types is not None:
        colon = statement.text.rstrip().endswith(":")
        insert = types if colon else f": {types}"
        blank = " " if statement.text.endswith(":") else ""
        yield Completion(insert, "type", "the types that follow", blank + insert, span, -1)


def _attributes(op_def: OpDef, used: Iterable[str], span: Span) -> Iterator[Completion]:
    for spec in op_def.attributes:
        if spec.name not in used:
            insert, order = numbered(spec.snippet), 0 if spec.required else 1
            yield Completion(spec.name, "attribute", attribute_line(spec), insert, span, order, True)


def _words(specs: tuple[AttributeDef, ...], span: Span, is_pretty: bool) -> Iterator[Completion]:
    """Yields the words that attributes can be: as written in a pretty form, or as a value in a dictionary."""
    for spec in specs:
        constraint = spec.constraint
        if is_pretty and not constraint.uses:
            continue
        for order, word in enumerate(constraint.words):
            is_wrapped = isinstance(constraint, EnumOf) and not is_pretty
            insert = TAB_STOP.sub(word, constraint.snippet) if is_wrapped else word
            yield Completion(word, "enumMember", spec.name, insert, span, order)
