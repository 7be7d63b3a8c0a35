"""Types that are not written near a value's name: of loops' arguments, aliases, regions' results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shlo.ir.op_path import OpPath, children_of
from shlo.ir.operations import BROKEN
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part
from shlo.language.index.op_names import TYPE_FOLLOWS, Name, names_of
from shlo.language.index.values import Value
from shlo.syntax.lexer.tokens import line_span


@dataclass(frozen=True, slots=True)
class Hint:
    """A text to show at an offset, which is no part of the document, and how it reads in full."""

    offset: int
    text: str
    tooltip: str


MAX_TEXT = 60
RESULT_COUNT = re.compile(r"[:0-9]+", re.ASCII)


@recursive
def hints(document: Document, span: Span | None = None) -> list[Hint]:
    """Returns the hints of a document, or of the operations that a span touches, in the order of the text."""
    wanted = Span(0, len(document.text)) if span is None else span
    found = [
        hint
        for part in document.parts
        if part.start <= wanted.end and wanted.start <= part.end
        for place in _touched(part.index.root, Span(wanted.start - part.start, wanted.end - part.start))
        if place.operation.name != BROKEN and (place.operation.results or place.operation.regions)
        for hint in _of_operation(part, place)
        if wanted.start <= hint.offset <= wanted.end
    ]
    return sorted(found, key=lambda hint: hint.offset)


def _touched(place: OpPath, span: Span) -> Iterator[OpPath]:
    """Yields the operations in an operation that a span touches."""
    for child in children_of(place):
        if child.start <= span.end and span.start <= child.end:
            yield child
            if child.operation.regions:
                yield from _touched(child, span)


def _of_operation(part: Part, place: OpPath) -> Iterator[Hint]:
    text, values, operation = part.text, part.index.values, place.operation
    written = text[place.start : place.end]
    if not operation.regions and all(str(type_) in written for type_ in set(operation.result_types)):
        return  # the ordinary case, told quickly
    for name in names_of(text, place):
        if name.role == "argument" and TYPE_FOLLOWS.match(text, name.span.end):
            continue
        value = values.named(place, name) if name.role in ("result", "argument") else None
        if value is not None:
            yield from _hint(part, name, value)


def _hint(part: Part, name: Name, value: Value) -> Iterator[Hint]:
    types = [str(type_) for type_ in value.types]
    line = part.text[name.span.start : line_span(part.text, name.span.start).end]
    if name.role == "result" and all(type_ in line for type_ in types):
        return
    full = ", ".join(types)
    short = full if len(full) <= MAX_TEXT else full[: MAX_TEXT - 1] + "…"
    end = name.span.end
    if name.role == "result" and (number := RESULT_COUNT.match(part.text, end)):
        end = number.end()
    yield Hint(part.start + end, f": {short}", full)
