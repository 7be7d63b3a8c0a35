"""What can be typed at an offset: operations, values, symbols, labels, aliases, attributes, words, types."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from msgspec.structs import replace

from shlo.dialects import find_dialect, find_op_def
from shlo.dialects.attr_constraints import SYMBOL_ATTR, TAB_STOP, AttrDef, EnumDef, EnumOf
from shlo.dialects.opdef import AttributeDef
from shlo.ir.op_path import OpPath
from shlo.ir.operations import function_type
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.types import FunctionType, Type
from shlo.language.completion.operations import Completion, operations
from shlo.language.completion.snippets import joined, numbered
from shlo.language.completion.statement import Statement, statement_at
from shlo.language.completion.types_ahead import (
    ELEMENT_TYPES,
    MAX_TYPE,
    TypePlace,
    element_types,
    operand_types_ahead,
    type_place,
    types_ahead,
    types_begun,
    types_near,
)
from shlo.language.document import Document, Edit, Part
from shlo.language.hover.meanings import ARGUMENT_ATTRIBUTES, ATTRIBUTES_OF
from shlo.language.hover.op_docs import constraint_text, op_def_text, parameters_of, words_of
from shlo.language.index.op_names import names_of
from shlo.language.index.symbols import Symbol
from shlo.language.index.types_in_text import types_between
from shlo.language.index.values import is_broken
from shlo.syntax.assembly_format.spec import attribute_words, format_of
from shlo.syntax.lexer.cursor import EntryOwner
from shlo.syntax.lexer.strings import symbol_text
from shlo.syntax.lexer.tokens import ALIAS_DEFINITION, CLOSING, NAME, line_span
from shlo.syntax.parser.expectations import ExpectedItem

PREFIX = re.compile(r'(?:[%@^#!][\w$.#-]*|"?[\w$.]*)\Z', re.ASCII)
LABEL = re.compile(rf"^[ \t]*(\^{NAME})[ \t]*(\([^\n]*\))?[ \t]*:", re.MULTILINE | re.ASCII)
MAX_PREFIX = 200
"""How many characters of what is being typed are looked at: a line may hold megabytes of one constant."""
MAX_VALUES = 200
"""How many values are offered."""
MAX_SEEN = 1_000
"""How many operations' values are looked at, the nearest first; arguments always are."""
MAX_HELD = 200
"""How many values' types are offered."""
MAX_LINE = 2_000
NEAR = 100_000
"""How many characters before and behind an operation are searched for uses of values."""
VALUE = re.compile(rf"%{NAME}(?:#[0-9]+)?", re.ASCII)
SHORT = 200_000
"""How many characters at a program's start and end are searched for aliases."""
MAX_ALIASES = 2_000
MAX_DETAIL = 8
"""How many arguments and results of a function are shown."""
MAX_PIECES = 12
"""How many tokens of what follows a keyword are looked for."""
NO_OPERATION = re.compile(rf"[ \t]*(?:![\w$.-]+[ \t]*=|\^{NAME}[ \t]*\()", re.ASCII)
"""The start of an alias of a type, or of a block with arguments."""


@recursive
def complete(document: Document, offset: int) -> list[Completion]:
    """Returns what fits at an offset, the best first."""
    part = document.part_at(offset)
    local = offset - part.start
    line = line_span(part.text, local)
    match = PREFIX.search(part.text, max(line.start, local - MAX_PREFIX), local)
    span = Span(match.start() if match else local, local)
    if "//" in part.text[max(line.start, span.start - MAX_LINE) : span.start]:
        return []
    completions = [*_found(part, statement_at(part, local), span)]
    completions.sort(key=lambda completion: (completion.order, completion.label))
    return [_placed(part, completion) for completion in completions]


def _placed(part: Part, completion: Completion) -> Completion:
    """Returns a completion of a part with its places in the document."""
    edits = tuple(Edit(part.place(edit.span), edit.text) for edit in completion.edits if edit.span)
    return replace(completion, span=part.place(completion.span), edits=edits)


def documentation(op_name: str) -> str:
    """Returns what to show beside an operation, in Markdown; made on first use."""
    op_def = find_op_def(op_name) if op_name else None
    return op_def_text(op_def) if op_def else ""


def _found(part: Part, statement: Statement, span: Span) -> Iterator[Completion]:
    prefix = part.text[span.start : span.end]
    match prefix[:1]:
        case "%":
            yield from _values(statement, span)
        case "@":
            yield from _symbols(part, span)
        case "^":
            yield from _labels(statement, span)
        case "#":
            yield from _aliases(part, "#", span)
        case "!":
            yield from _aliases(part, "!", span)
        case _:
            if statement.at_name and not NO_OPERATION.match(part.text, statement.start):
                yield from operations(statement, prefix, span)
                yield from _idioms(statement, prefix, span)
            else:
                yield from _expected(statement, span)


def _idioms(statement: Statement, prefix: str, span: Span) -> Iterator[Completion]:
    """Yields computations by their names in NumPy, JAX and PyTorch, written out."""
    from shlo.language.completion.intent import intended

    return intended(statement, prefix, span, values_in_scope(statement, MAX_SEEN))


# -- values -------------------------------------------------------------------------------------------------


def _values(statement: Statement, span: Span) -> Iterator[Completion]:
    """Yields the values in scope: those of the expected type first, of them those that nothing uses yet, then
    the nearest. What the operation uses already comes last."""
    wanted, text = wanted_type(statement), statement.part.text
    line = line_span(text, statement.offset)
    before = text[max(statement.holder.start, line.start - NEAR) : line.start]
    counts = Counter(VALUE.findall(before + text[line.end : min(line.end + NEAR, statement.holder.end)]))
    here = Counter(VALUE.findall(text[line.start : span.start] + text[span.end : line.end]))
    ordered: list[tuple[tuple[bool, ...], str, Type]] = []
    for name, type_ in islice(values_in_scope(statement, MAX_SEEN), MAX_SEEN):
        is_used = counts[f"%{name}"] > ("#" not in name)
        ordered.append(((type_ != wanted, here[f"%{name}"] > 0, is_used), name, type_))
    ordered.sort(key=lambda value: value[0])
    for order, (_, name, type_) in enumerate(ordered[:MAX_VALUES]):
        yield Completion(f"%{name}", "value", str(type_), f"%{name}", span, (order,))


def values_in_scope(statement: Statement, most: int = sys.maxsize) -> Iterator[tuple[str, Type]]:
    """Yields the names and types of the values that an operation may use, nearest first: the results of that
    many operations at most, and the arguments around."""
    region = statement.region
    if region is None:
        return
    table = region[1].values
    inner, number = statement.holder, region[0]
    while inner.operation.regions[number].values is table:
        for block in reversed(inner.operation.regions[number].blocks):
            last = min(bisect_right(block.ends, statement.start - inner.start), len(block.starts))
            first = max(last - most, 0)
            most -= last - first
            results = (operation.results for operation in reversed(block.operations[first:last]))
            for value in chain(chain.from_iterable(map(reversed, results)), reversed(block.arguments)):
                if table.names[value]:
                    yield table.names[value], table.types[value]
        if inner.parent is None:
            break
        inner, number = inner.parent, inner.region
    for op_path in statement.holder.around():
        if is_broken(op_path):
            yield from _broken_arguments(statement, op_path)


def _broken_arguments(statement: Statement, op_path: OpPath) -> Iterator[tuple[str, Type]]:
    """Yields the arguments in the text of a broken operation around."""
    values = statement.part.index.values
    for name in names_of(statement.part.text, op_path):
        if name.role == "argument" and (value := values.named(op_path, name)):
            yield name.name, value.type()


def wanted_type(statement: Statement) -> Type | None:
    """Returns the type that the operand at the cursor has to have, None where the text does not tell."""
    number = operand_number(statement)
    types = _types_behind(statement)
    if types:
        return types[number] if number < len(types) else types[-1] if len(types) == 1 else None
    declared = _given_types(statement)
    if declared:
        return declared[number] if number < len(declared) else None
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
        function = function_type(statement.holder.operation)
        return function.results if function else ()
    symbol = callee(statement)
    called = function_type(symbol.place.operation) if symbol else None
    return called.inputs if called else ()


def callee(statement: Statement) -> Symbol | None:
    """Returns the function that the operation being typed calls."""
    token = next((token for token in statement.tokens if token.kind == "symbol"), None)
    return statement.part.index.symbols.resolve(token) if token else None


def function_text(type_: FunctionType) -> str:
    """Returns a function's type, of a large one the first arguments and results."""
    results = _list(type_.results)
    return f"({_list(type_.inputs)}) -> {results if len(type_.results) == 1 else f'({results})'}"


def _list(types: tuple[Type, ...]) -> str:
    more = f", … {len(types) - MAX_DETAIL} more" if len(types) > MAX_DETAIL else ""
    return ", ".join(map(str, types[:MAX_DETAIL])) + more


def _first_operand_type(statement: Statement) -> Type | None:
    first = next((token for token in statement.tokens if token.kind == "value"), None)
    value = statement.part.index.value(first) if first else None
    return value.type(first.text.partition("#")[2]) if first and value else None


# -- other names --------------------------------------------------------------------------------------------


def _symbols(part: Part, span: Span) -> Iterator[Completion]:
    for symbol in part.index.symbols.all:
        text = symbol_text(symbol.name)
        type_ = function_type(symbol.place.operation)
        detail = function_text(type_) if type_ else symbol.place.operation.name
        yield Completion(text, "function", detail, text, span)


def _labels(statement: Statement, span: Span) -> Iterator[Completion]:
    """Yields the labels in the text around; the parser may not see one behind an unfinished jump."""
    holder = statement.holder
    for match in LABEL.finditer(statement.part.text, holder.start, holder.end):
        yield Completion(match[1], "label", match[2] or "", match[1], span)


def _aliases(part: Part, sign: str, span: Span) -> Iterator[Completion]:
    for name, start in _alias_definitions(part, sign):
        value = part.text[start : start + MAX_LINE].partition("\n")[0].partition("=")[2].strip()
        if not value.startswith("loc(") or part.text.endswith("loc(", 0, span.start):
            yield Completion(name, "alias", value[:80], name, span)
    dialect = find_dialect("stablehlo")
    for mnemonic, struct in dialect.structs.items() if dialect and sign == "#" else ():
        text = f"#stablehlo.{mnemonic}"
        detail = mnemonic.replace("_", " ")
        yield Completion(text, "attribute", detail, text + numbered(struct.snippet), span, (1,), True)


def _alias_definitions(part: Part, sign: str) -> Iterator[tuple[str, int]]:
    """Yields aliases of a program and where they are defined; of a large one those at its start and end."""
    if len(part.text) <= SHORT:
        for name, span in part.index.aliases.definitions.items():
            if name.startswith(sign):
                yield name, span.start
        return
    for start in (0, len(part.text) - SHORT):
        for match in islice(ALIAS_DEFINITION.finditer(part.text, start, start + SHORT), MAX_ALIASES):
            if match[1].startswith(sign):
                yield match[1], match.start(1)


# -- behind an operation's name ------------------------------------------------------------------------------


def _expected(statement: Statement, span: Span) -> Iterator[Completion]:
    """Yields what the grammar expects at the cursor, each label once, in the order of the grammar."""
    items = statement.expectations(span.start).items
    if any(item.kind in ("type", "function type") for item in items):
        yield from _types(statement, type_place(statement, span))
        return
    labels = set[str]()
    for number, item in enumerate(items):
        for completion in _fitting(statement, item, span):
            if completion.label not in labels:
                labels.add(completion.label)
                yield replace(completion, order=(number, *completion.order))


def _fitting(statement: Statement, item: ExpectedItem, span: Span) -> Iterator[Completion]:
    match item:
        case ExpectedItem(of=AttributeDef() as spec):
            yield from _attribute_values(statement, spec, span, is_pretty=True)
        case ExpectedItem(of=EnumDef(words=words)):
            yield from (
                Completion(word, "enumMember", "", word, span, (order,)) for order, word in enumerate(words)
            )
        case ExpectedItem("value"):
            yield from _values(statement, span)
        case ExpectedItem("entry"):
            yield from _entries(statement, item, span)
        case ExpectedItem("entry value", name, owner=owner):
            spec = next((spec for spec in _entry_specs(statement, owner) if spec.name == name), None)
            if spec is not None:
                yield from _attribute_values(statement, spec, span, isinstance(owner, AttrDef))
        case ExpectedItem("operation"):
            yield from operations(statement, statement.part.text[span.start : span.end], span, True)
        case ExpectedItem("literal", ":"):
            yield from _types_that_follow(statement, span)
        case ExpectedItem("literal", text) if len(text) > 1 and text.isidentifier():
            yield _keyword(statement, text, span)
        case _:
            pass


def _entry_specs(statement: Statement, owner: EntryOwner) -> tuple[AttributeDef, ...]:
    """Returns the definitions of the entries that a list can have."""
    if isinstance(owner, AttrDef):
        return parameters_of(owner)
    op_def = statement.op_def
    if op_def is None or owner != "operation":
        return ()
    form = None if statement.is_generic else format_of(op_def)
    return tuple(spec for spec in op_def.attributes if form is None or spec.name not in form.shown)


def _entries(statement: Statement, item: ExpectedItem, span: Span) -> Iterator[Completion]:
    """Yields the names of the entries that are not written yet."""
    for spec in _entry_specs(statement, item.owner):
        if spec.name not in item.written:
            pretty = spec.constraint.format_snippet if isinstance(item.owner, AttrDef) else ""
            insert = numbered(f"{spec.name} = {pretty}" if pretty else spec.snippet)
            detail = " or ".join(words_of(spec.constraint)) or constraint_text(spec.constraint)
            order = (0 if spec.required else 1,)
            yield Completion(spec.name, "attribute", detail.replace("`", ""), insert, span, order, True)
    known_attributes = ARGUMENT_ATTRIBUTES if item.owner == "argument" else {}
    if item.owner == "operation" and statement.op_def:
        known_attributes = ATTRIBUTES_OF.get(statement.op_def.name, {})
    for name, attribute in known_attributes.items():
        if name not in item.written:
            insert = numbered(f"{name} = {attribute.snippet}" if attribute.snippet else name)
            yield Completion(name, "attribute", attribute.meaning, insert, span, (2,), True)


def _keyword(statement: Statement, word: str, span: Span) -> Completion:
    spec = attribute_words(statement.op_def).get(word) if statement.op_def else None
    detail = constraint_text(spec.constraint).replace("`", "") if spec else ""
    insert = numbered(_with_value(statement, word, span.start))
    return Completion(word, "attribute", detail, insert, span, (0,), True)


def _with_value(statement: Statement, word: str, offset: int) -> str:
    """Returns a keyword with the value that must follow, `dims = [«0»]`; alone where there is a choice."""
    pieces = [word]
    while len(pieces) < MAX_PIECES:
        written = TAB_STOP.sub(lambda match: match[1], joined(pieces))
        items = [item for item in statement.expectations(offset, written).items if item.text not in CLOSING]
        match items[:1]:
            case [ExpectedItem(of=AttributeDef(constraint=constraint))]:
                pieces.append(constraint.format_snippet or constraint.snippet)
                break
            case [ExpectedItem(of=EnumDef(words=words))]:
                pieces += [f"«{words[0]}»", "]"]
            case [ExpectedItem("integers")]:
                pieces.append("[«0»]")
            case [ExpectedItem("literal", text)] if len(items) == 1:
                pieces.append(text)
            case _:
                break
    return joined(pieces) if len(pieces) > 2 else word


def _types_that_follow(statement: Statement, span: Span) -> Iterator[Completion]:
    """Yields the types that follow from what is before the cursor, where no colon is."""
    if span.start < span.end or not statement.text.endswith(" "):
        return
    scope = _types_of_names(statement)
    if (types := types_ahead(statement, scope)) is not None:
        yield Completion(f": {types}", "type", "the types that follow", f": {types}", span, (-1,))


def _types_of_names(statement: Statement) -> dict[str, Type]:
    """Returns the types of the values that the operation being typed names."""
    wanted = {token.text[1:]: token for token in statement.tokens if token.kind == "value"}
    scope: dict[str, Type] = {}
    for name, type_ in values_in_scope(statement, MAX_SEEN) if wanted else ():
        if name in wanted or name.removesuffix("#0") in wanted:
            scope.setdefault(name, type_)
    names = statement.region[1].values.names if statement.region else ()
    for name in wanted.keys() - scope.keys():
        value = statement.part.index.value(wanted[name]) if name in names else None
        if value is not None and value.owner is not None:  # a result far above; others were edited away
            scope[name] = value.type(name.partition("#")[2])
    return scope


def _types(statement: Statement, type_at_cursor: TypePlace) -> Iterator[Completion]:
    """Yields the types that can be at a place: those that follow, those nearby, element types."""
    span, written = type_at_cursor
    text = statement.part.text
    before = text[statement.start : span.start].rstrip()
    blank = "" if text[span.start - 1 : span.start].isspace() or before.endswith(("(", "<")) else " "
    scope = _types_of_names(statement)
    offered: set[str] = set()
    follows, rest = None, ""
    colon = statement.type_colon(span.start)
    if statement.op_def is not None and colon is not None:
        follows = types_begun(statement, scope, colon, span.start)
        if follows is None and colon == statement.start + len(before) - 1:
            follows = operand_types_ahead(statement, scope)
            rest = "${1:tensor<f32>}" if follows else ""
    if follows and follows.startswith(written):
        offered.add(follows)
        yield Completion(
            follows, "type", "the types that follow", blank + follows + rest, span, (-1,), bool(rest)
        )
    near = [*types_near(text, span.start, span.end)]
    held = [str(type_) for _, type_ in islice(values_in_scope(statement, MAX_HELD), MAX_HELD)]
    shaped = [type_text for type_text in dict.fromkeys([*near, *held]) if len(type_text) <= MAX_TYPE]
    candidates = [
        *(type_text for type_text in shaped if type_text.startswith(written)),
        *element_types(written, shaped),
    ]
    candidates += [type_text for type_text in ELEMENT_TYPES if type_text.startswith(written)]
    for order, type_ in enumerate(dict.fromkeys(candidates)):
        if type_ not in offered:
            yield Completion(type_, "type", "", blank + type_, span, (order,))
    if not written or "tensor<".startswith(written):
        yield Completion(
            "tensor<...>", "type", "", f"{blank}tensor<${{1:f32}}>", span, (len(candidates),), True, "tensor"
        )


def _attribute_values(
    statement: Statement, spec: AttributeDef, span: Span, is_pretty: bool = False
) -> Iterator[Completion]:
    """Yields what an attribute can be, where its value begins."""
    constraint = spec.constraint
    if constraint is SYMBOL_ATTR:
        yield from _symbols(statement.part, span)
        return
    words = [*_words(spec, span, is_pretty)]
    yield from words
    if not words:
        snippet = (constraint.format_snippet if is_pretty else "") or constraint.snippet
        if (label := TAB_STOP.sub(lambda match: match[1] or "…", snippet)) != "0":
            yield Completion(
                label, "attribute", constraint_text(constraint), numbered(snippet), span, (0,), True
            )


def _words(spec: AttributeDef, span: Span, is_pretty: bool) -> Iterator[Completion]:
    """Yields the words that an attribute can be, as in a pretty form or as values in a dictionary."""
    constraint = spec.constraint
    for order, word in enumerate(words_of(constraint)):
        is_wrapped = isinstance(constraint, EnumOf) and not is_pretty
        insert = TAB_STOP.sub(word, constraint.snippet) if is_wrapped else word
        yield Completion(word, "enumMember", spec.name, insert, span, (order,))
