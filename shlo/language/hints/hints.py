"""All hints of a document, or of the lines of one that are on the screen."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from shlo.ir.op_path import OpPath, children_touching, iter_header_spans
from shlo.ir.operations import BROKEN
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document
from shlo.language.hints.constants import constant_hints
from shlo.language.hints.ends import end_hints
from shlo.language.hints.hint import Hint
from shlo.language.hints.operands import operand_hints
from shlo.language.hints.types import type_hints

KINDS = (type_hints, operand_hints, constant_hints, end_hints)
"""What is shown, each a function of a part and the place of an operation."""


@recursive
def hints(document: Document, span: Span | None = None) -> list[Hint]:
    """Returns the hints of a document, or of the operations that a span touches, in the order of the text."""
    wanted = Span(0, len(document.text)) if span is None else span
    found = [
        replace(hint, offset=part.start + hint.offset)
        for part in document.parts
        if part.start <= wanted.end and wanted.start <= part.end
        for place in _touched(part.index.root, Span(wanted.start - part.start, wanted.end - part.start))
        if place.operation.name != BROKEN
        for kind in KINDS
        for hint in kind(part, place)
        if wanted.start <= part.start + hint.offset <= wanted.end
    ]
    return sorted(found, key=lambda hint: hint.offset)


def _touched(place: OpPath, span: Span) -> Iterator[OpPath]:
    """Yields the operations in an operation whose text outside of their regions a span touches."""
    for child in children_touching(place, span):
        if any(start <= span.end and span.start <= end for start, end in iter_header_spans(child)):
            yield child
        if child.operation.regions:
            yield from _touched(child, span)
