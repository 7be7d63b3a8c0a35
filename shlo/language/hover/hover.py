"""What to show about the word under the pointer, in Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN, Operation, function_type
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.ir.traced_names import argument_label, result_labels
from shlo.ir.types import FunctionType
from shlo.language.document import Document, Part
from shlo.language.hover.attributes import attribute_at, struct_text, word_text
from shlo.language.hover.attributes import target_text as target_words
from shlo.language.hover.markdown import code, fence
from shlo.language.hover.op_docs import op_def_named
from shlo.language.hover.operations import operation_text
from shlo.language.hover.types import constant_text, size_text, type_text
from shlo.language.index.names import Label, Target
from shlo.language.index.scope import operands_of
from shlo.language.index.symbols import Alias, Symbol
from shlo.language.index.types_in_text import type_at
from shlo.language.index.values import Value
from shlo.language.source_lines import place_at, value_label
from shlo.places.origins import Origin
from shlo.support.cancellation import checkpoint
from shlo.syntax.lexer.strings import symbol_text
from shlo.syntax.lexer.tokens import Token, line_span, token_at
from shlo.text.numbers import plural

# -- How often a value is used, in words; bounded, as a function may have a hundred thousand op --------------


MAX_CHARACTERS = 500_000
"""How much text behind a definition is searched for the value's name."""
MAX_NAMED = 200
"""How many operations that name the value are looked at."""
SHOWN = 4
"""How many names of operations are shown."""
GOES_ON = re.compile(r"[\w$.-]", re.ASCII)
"""What makes a longer name of one."""


def uses_text(part: Part, value: Value) -> str:
    """Returns how many uses a value has and by which operations, in Markdown."""
    span = _span_of_uses(value)
    searched = Span(span.start, min(span.end, span.start + MAX_CHARACTERS))
    numbers, table = frozenset(value.values), value.scope.table
    counts: Counter[str] = Counter()
    named = 0
    for op_path in _that_name(part, value.name, searched):
        named += 1
        if op_path.values is table:
            counts[op_path.operation.name] += sum(
                operand in numbers for operand in operands_of(op_path.operation)
            )
        if named == MAX_NAMED:
            break
    counts = +counts
    is_cut = searched != span or named == MAX_NAMED
    if not counts:
        lines = part.text.count("\n", *searched)
        return f"Not used by the next {plural(lines, 'line')}." if is_cut else "Not used."
    names = ", ".join(
        code(name) + (f" × {count}" if count > 1 else "") for name, count in counts.most_common(SHOWN)
    )
    more = ", …" if len(counts) > SHOWN else ""
    return f"{plural(counts.total(), 'use')}{' at least' if is_cut else ''}: {names}{more}"


def _span_of_uses(value: Value) -> Span:
    """Returns the text that may use a value: what is behind its definition in the region of that."""
    owner = value.owner
    if owner is None:
        return Span(0, 0)
    if owner.region is not None:
        return owner.place.span
    around = owner.place.parent
    return Span(owner.place.end, around.end if around else owner.place.end)


def _that_name(part: Part, name: str, span: Span) -> Iterator[OpPath]:
    """Yields the operations whose own text, in a stretch of the text, has the name of a value: each once, and
    where a comment has it, the one around or before that."""
    text, name = part.text, f"%{name}"
    seen: set[int] = set()
    at = text.find(name, *span)
    while at >= 0:
        end = at + len(name)
        if not GOES_ON.match(text, end):
            checkpoint()
            op_path = part.index.place_at(at)
            if id(op_path.operation) not in seen:
                seen.add(id(op_path.operation))
                yield op_path
        at = text.find(name, end, span.end)


# -- Functions as a hover shows them -------------------------------------------------------------------------


MAX_LINE = 90
"""Up to how many characters a function is shown on one line."""
MAX_LISTED = 16
"""How many arguments, and how many results, are shown."""


def function_lines(name: str, operation: Operation, type_: FunctionType) -> str:
    """Returns a function's name, arguments and results as MLIR's text."""
    head = f"func {symbol_text(name)}"
    few = len(type_.inputs) + len(type_.results) <= MAX_LISTED
    if few and not any(_labels(operation, type_)):
        line = head + str(type_) if str(type_).startswith("(") else f"{head} {type_}"
        if len(line) <= MAX_LINE:
            return line
    return "\n".join(_function_lines(head, operation, type_))


def _function_lines(head: str, operation: Operation, type_: FunctionType) -> Iterator[str]:
    labels = _labels(operation, type_)
    region = operation.regions[0] if operation.regions else None
    block = region.blocks[0] if region and region.blocks else None
    yield f"{head}("
    for index, input_ in enumerate(type_.inputs[:MAX_LISTED]):
        named = region and block and index < len(block.arguments)
        name = f"%{region.values.names[block.arguments[index]]}: " if named and region and block else ""
        yield f"  {name}{input_},{_comment(labels[index])}"
    if len(type_.inputs) > MAX_LISTED:
        yield f"  // and {len(type_.inputs) - MAX_LISTED} more"
    names = result_labels(operation, min(len(type_.results), MAX_LISTED))
    if len(type_.results) == 1:
        yield f") -> {type_.results[0]}{_comment(names[0])}"
        return
    yield ") -> ("
    yield from (f"  {result},{_comment(name)}" for name, result in zip(names, type_.results))
    if len(type_.results) > MAX_LISTED:
        yield f"  // and {len(type_.results) - MAX_LISTED} more"
    yield ")"


def _labels(operation: Operation, type_: FunctionType) -> list[str]:
    block = operation.regions[0].blocks[0] if operation.regions and operation.regions[0].blocks else None
    return [argument_label(block, index) if block else "" for index in range(len(type_.inputs[:MAX_LISTED]))]


def _comment(name: str) -> str:
    return f"  // {' '.join(name.split())}" if name else ""


# -- Where something came from, in Markdown ------------------------------------------------------------------


MAX_CALLS = 4
"""How many calls are listed that led to an operation."""


def origin_text(origin: Origin) -> str:
    """Returns the line that a reader should see, those that called it, and the scope; empty for none."""
    return "  \n".join(_origin_lines(origin))


def _origin_lines(origin: Origin) -> Iterator[str]:
    first = origin.lines.index(origin.line) if origin.line else 0
    lines = origin.lines[first:]  # what is before are lines of libraries
    for number, line in enumerate(lines[:MAX_CALLS]):
        inside = f" in {code(line.function)}" if line.function else ""
        yield f"{'called from' if number else 'From'} {code(f'{line.file}:{line.line}')}{inside}"
    if len(lines) > MAX_CALLS:
        yield f"and {len(lines) - MAX_CALLS} more calls"
    if origin.scope:
        yield f"Scope {code(origin.scope)}"


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
    explained, location_place = _of_word(part, token) or _of_type(part, token), place_at(document, offset)
    origin = origin_text(location_place.origin) if location_place else ""
    if explained is None:
        return Hover(location_place.span, origin) if location_place and origin else None
    return Hover(part.place(explained[0]), f"{explained[1]}\n\n{origin}" if origin else explained[1])


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
        types = ", ".join(str(type_) for type_ in value.types)
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
    type_ = function_type(operation)
    if type_ is not None:
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
    definition = part.index.aliases.definition_text(alias)
    return fence(f"{alias.name} = {definition}") if definition else f"{code(alias.name)} is defined nowhere."


# -- operations, attributes ---------------------------------------------------------------------------------


def _of_word(part: Part, token: Token) -> tuple[Span, str] | None:
    op_path = part.index.place_at(token.span.end if token.kind == "string" else token.span.start)
    special = target_words(op_path, token) or constant_text(op_path, token)
    if special is not None:
        return token.span, special
    if token.kind == "string":
        op_def = op_def_named(token.text.strip('"')) if "." in token.text else None
        return (token.span, operation_text(part, op_path, op_def)) if op_def else None
    if token.kind in ("attribute", "type"):
        text = struct_text(token) if token.kind == "attribute" else None
        return attribute_at(part, token) or ((token.span, text) if text else None)
    if token.kind != "word":
        return None
    op_def = op_def_named(token.text)
    if op_def is not None and (op_path.operation.name in (op_def.name, BROKEN)):
        return token.span, operation_text(part, op_path, op_def)
    text = word_text(part, op_path, token)
    return (token.span, text) if text else None


def _of_type(part: Part, token: Token) -> tuple[Span, str] | None:
    """Returns a type in the text."""
    placed = type_at(part.text, token)
    return (placed[0], type_text(placed[1])) if placed else None
