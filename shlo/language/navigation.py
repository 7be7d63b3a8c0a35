"""From a name to its definition and its uses: values, labels of blocks, symbols, aliases.

Beside the definition a name has a type definition (where the type of a value is written, or its alias
defined) and implementations (the bodies of what an operation calls, the operation that computes a value).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from shlo.ir.op_path import OpPath, header_spans
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part
from shlo.language.index.names import Occurrence, Target
from shlo.language.index.op_names import RESULTS, TYPE_FOLLOWS, own_tokens
from shlo.language.index.symbols import Symbol
from shlo.language.index.types_in_text import type_from, type_section
from shlo.language.index.values import Value
from shlo.syntax.lexer.tokens import CLOSING, NAME, Token, line_span, token_at, tokens

CLOSINGS = re.compile(r"[\s})]*")


@recursive
def definition(document: Document, offset: int) -> Span | None:
    """Returns where the name at an offset is defined, None where no name is or nothing defines it."""
    resolved = target_at(document, offset)
    if resolved is None:
        return None
    part, _, target = resolved
    return part.place(target.definition) if target.definition else None


@recursive
def type_definition(document: Document, offset: int) -> Span | None:
    """Returns where the type of the value at an offset is written first: at its definition, or the alias that
    is written there; None where nothing writes it."""
    resolved = target_at(document, offset)
    if resolved is None:
        return None
    part, token, target = resolved
    if not isinstance(target, Value) or target.owner is None or target.definition is None:
        return None
    span = _written_type(part, target, token.text.partition("#")[2])
    if span is None:
        return None
    if part.text[span.start] == "!" and (alias := part.index.target_at(span.start + 1)):
        return part.place(alias[1].definition or span)
    return part.place(span)


@recursive
def implementations(document: Document, offset: int) -> list[Span]:
    """Returns the names of the functions that the operation at an offset calls, with those of its regions'
    attributes; of a symbol its definition; of a value the operation that computes it."""
    part = document.part_at(offset)
    at = offset - part.start
    resolved = part.index.target_at(at)
    if resolved is not None:
        target = resolved[1]
        if isinstance(target, Value) and target.owner is not None and not target.is_argument:
            return [part.place(target.owner.place.span)]
        return [part.place(target.definition)] if target.definition else []
    op_path = part.index.place_at(at)
    if op_path.parent is None or not is_head(part.text, op_path, at):
        return []
    symbols = (part.index.target(token) for token in own_tokens(part.text, op_path) if token.kind == "symbol")
    spans = (symbol.definition for symbol in symbols if isinstance(symbol, Symbol))
    return [part.place(span) for span in dict.fromkeys(spans)]


@recursive
def references(document: Document, offset: int) -> list[Occurrence]:
    """Returns every place of what the name at an offset refers to, its definition with them."""
    resolved = target_at(document, offset)
    if resolved is None:
        return []
    part, _, target = resolved
    return [
        Occurrence(part.place(occurrence.span), occurrence.is_definition)
        for occurrence in part.index.occurrences(target)
    ]


@recursive
def highlights(document: Document, offset: int) -> list[Occurrence]:
    """Returns what an editor marks while the cursor is at an offset: the places of a name. Of an operation
    with regions, its name with those of the operations that end them; of one that ends a region, the same; of
    any other word that word alone, as editors would mark equal words otherwise."""
    if uses := references(document, offset):
        return uses
    part = document.part_at(offset)
    token = token_at(part.text, offset - part.start)
    if token is None or token.kind not in ("word", "string", "symbol", "attribute", "type", "value", "label"):
        return []
    op_path = part.index.place_at(token.span.start)
    spans = [token.span]
    if is_operation_name(op_path, token):
        holder = op_path if op_path.operation.regions else _ended_by(op_path)
        spans = list(_exits(part, holder)) if holder is not None else spans
    return [Occurrence(part.place(span), False) for span in dict.fromkeys([*spans, token.span])]


def is_operation_name(op_path: OpPath, token: Token) -> bool:
    """Returns whether a token is the name of an operation in its text, whichever way that is written."""
    name, written = op_path.operation.name, token.text.strip('"')
    if token.kind not in ("word", "string") or not written or op_path.parent is None:
        return False
    return written == name or name.endswith(f".{written}")


def name_span(text: str, op_path: OpPath) -> Span | None:
    """Returns where an operation's name is in its text, None where it is not."""
    match = RESULTS.match(text, op_path.start, op_path.end)
    for token in tokens(text, match.end() if match else op_path.start, op_path.end):
        return token.span if is_operation_name(op_path, token) else None
    return None


def is_head(text: str, op_path: OpPath, offset: int) -> bool:
    """Returns whether an offset is on an operation's name."""
    span = name_span(text, op_path)
    return span is not None and span.start <= offset <= span.end


def target_at(document: Document, offset: int) -> tuple[Part, Token, Target] | None:
    """Returns the name at an offset of a document and what it refers to, in spans of the part."""
    part = document.part_at(offset)
    resolved = part.index.target_at(offset - part.start)
    return (part, *resolved) if resolved else None


def _written_type(part: Part, value: Value, number: str) -> Span | None:
    """Returns the type that the definition of a value writes for it."""
    assert value.owner is not None
    assert value.definition is not None
    text, op_path = part.text, value.owner.place
    if match := TYPE_FOLLOWS.match(text, value.definition.end):
        return _type_span(text, match.end(), op_path.end)
    if value.is_argument:
        return None
    results = op_path.operation.results
    wanted = next(
        (result for result in value.values if value.scope.table.names[result] == f"{value.name}#{number}"),
        None,
    )
    index = results.index(wanted if wanted is not None else value.values[0])
    for start, end in reversed(header_spans(op_path)):  # a loop writes its types before its regions
        match = CLOSINGS.match(text, start, end)
        section = type_section(text, match.end() if match else start, end)
        if section is not None:
            spans = [span for span, _ in (section.behind if section.has_arrow else section.before)]
            return spans[index if len(spans) == len(results) else -1] if spans else None
    return None


def _type_span(text: str, start: int, end: int) -> Span | None:
    for token in tokens(text, start, end):
        if token.kind == "type" and "." not in token.text:
            return token.span
        placed_type = type_from(text, token.span.start)
        return placed_type[0] if placed_type else None
    return None


def _ended_by(op_path: OpPath) -> OpPath | None:
    """Returns the operation whose region an operation is the last one of, None where others follow."""
    holder = op_path.parent
    if holder is None or holder.parent is None:
        return None
    operations = holder.operation.regions[op_path.region].blocks[op_path.block].operations
    return (
        holder
        if operations and operations[-1] is op_path.operation and not op_path.operation.results
        else None
    )


def _exits(part: Part, holder: OpPath) -> Iterator[Span]:
    """Yields the name of an operation, and of the operations that end its regions' blocks."""
    if span := name_span(part.text, holder):
        yield span
    for number, region in enumerate(holder.operation.regions):
        for position, block in enumerate(region.blocks):
            if block.starts and not block.operations[-1].results:
                span = block.span(len(block.starts) - 1, holder.start)
                if name := name_span(
                    part.text, OpPath(block.operations[-1], *span, holder, number, position)
                ):
                    yield name


# -- What to select around a place, step by step -------------------------------------------------------------


OPERANDS = re.compile(rf"%{NAME}(?:#[0-9]+)?(?:\s*,\s*%{NAME}(?:#[0-9]+)?)+", re.ASCII)
"""Values with commas between them."""


@recursive
def selections(document: Document, offset: int) -> list[Span]:
    """Returns the stretches around an offset, each larger than the one before; the last is the whole text."""
    part = document.part_at(offset)
    spans = [part.place(span) for span in _spans(part, offset - part.start)]
    spans += [Span(part.start, part.end), Span(0, len(document.text))]
    growing: list[Span] = []
    for span in spans:
        before = growing[-1] if growing else None
        if before is None or (span != before and span.start <= before.start and before.end <= span.end):
            growing.append(span)
    return growing


def _spans(part: Part, offset: int) -> Iterator[Span]:
    token = token_at(part.text, offset)
    if token is not None:
        yield token.span
    op_path = part.index.place_at(offset)
    if op_path.parent is not None:
        for match in OPERANDS.finditer(part.text, *line_span(part.text, offset)):
            if match.start() <= offset <= match.end() and op_path.start <= match.start():
                yield Span(*match.span())
        if not op_path.operation.regions:
            yield from _brackets(part.text, op_path.span, offset)
    for outer in op_path.around():
        if outer.parent is not None:
            yield outer.span
            yield from _region(part.text, outer, outer.parent)


def _region(text: str, op_path: OpPath, parent: OpPath) -> Iterator[Span]:
    """Yields the inside of the region that an operation is in, then the region with its braces."""
    blocks = [block for block in parent.operation.regions[op_path.region].blocks if block.starts]
    first, last = parent.start + blocks[0].starts[0], parent.start + blocks[-1].ends[-1]
    opening, closing = text.rfind("{", parent.start, first), text.find("}", last, parent.end)
    if opening >= 0 and closing >= 0:
        yield Span(opening + 1, closing)
        yield Span(opening, closing + 1)


def _brackets(text: str, span: Span, offset: int) -> Iterator[Span]:
    """Yields the brackets around an offset, inner ones first: what is inside, then with them."""
    opened: list[tuple[str, int]] = []
    for token in tokens(text, *span):
        if token.kind != "mark":
            continue
        if token.text in CLOSING.values():
            opened.append((token.text, token.span.start))
        elif token.text in CLOSING and opened and opened[-1][0] == CLOSING[token.text]:
            start = opened.pop()[1]
            if start < offset <= token.span.start:
                yield Span(start + 1, token.span.start)
                yield Span(start, token.span.end)
