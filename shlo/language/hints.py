"""Types that are not written near a value's name: of loops' arguments, aliases, regions' results."""

from __future__ import annotations

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


@recursive
def hints(document: Document, span: Span | None = None) -> list[Hint]:
    """Returns the hints of a document, or of the operations that a span touches, in the order of the text."""
    wanted = Span(0, len(document.text)) if span is None else span
    found = [
        hint
        for part in document.parts
        if part.start <= wanted.end and wanted.start <= part.end
        for hint in _hints(part, Span(wanted.start - part.start, wanted.end - part.start))
    ]
    return sorted(
        (hint for hint in found if wanted.start <= hint.offset <= wanted.end), key=lambda hint: hint.offset
    )


def _hints(part: Part, span: Span) -> Iterator[Hint]:
    for place in _touched(part.index.root, span):
        if place.operation.name != BROKEN and (place.operation.results or place.operation.regions):
            yield from _of_operation(part, place)


def _touched(place: OpPath, span: Span) -> Iterator[OpPath]:
    """Yields the operations in an operation that a span touches."""
    for child in children_of(place):
        if child.start <= span.end and span.start <= child.end:
            yield child
            if child.operation.regions:
                yield from _touched(child, span)


def _of_operation(part: Part, place: OpPath) -> Iterator[Hint]:
    text, values = part.text, part.index.values
    if _all_written(text, place):
        return
    for name in names_of(text, place):
        if name.role == "argument" and TYPE_FOLLOWS.match(text, name.span.end):
            continue
        value = values.named(place, name) if name.role in ("result", "argument") else None
        if value is not None:
            yield from _hint(part, name, value)


def _all_written(text: str, place: OpPath) -> bool:
    """Returns whether an operation without regions says all its types: the ordinary case, told quickly."""
    operation = place.operation
    written = text[place.start : place.end]
    return not operation.regions and all(str(type_) in written for type_ in set(operation.result_types))


def _hint(part: Part, name: Name, value: Value) -> Iterator[Hint]:
    types = [str(type_) for type_ in value.types]
    line = part.text[name.span.start : line_span(part.text, name.span.start).end]
    if name.role == "result" and all(type_ in line for type_ in types):
        return
    full = ", ".join(types)
    short = full if len(full) <= MAX_TEXT else full[: MAX_TEXT - 1] + "…"
    end = _end_of_name(part.text, name)
    yield Hint(part.start + end, f": {short}", full)


def _end_of_name(text: str, name: Name) -> int:
    """Behind the name, and behind the number of results of a pack."""
    end = name.span.end
    while name.role == "result" and text[end : end + 1] in (":", *"0123456789") and end < len(text):
        end += 1
    return end
