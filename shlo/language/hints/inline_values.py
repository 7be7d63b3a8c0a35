"""Values that an editor shows behind their lines while a debugger is stopped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from shlo.ir.op_path import OpPath, children_touching
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part
from shlo.language.index.op_names import names_of
from shlo.syntax.lexer.tokens import line_span

MOST: Final = 200
"""How many values are shown, the last ones before the stop."""


class InlineValue(Struct, frozen=True):
    """A name in the text, and the expression whose value is that of the name where a program is stopped."""

    span: Span
    expression: str


@recursive
def inline_values(document: Document, wanted: Span, stop: int) -> list[InlineValue]:
    """Returns what the operations in a span bind before the line of an offset, at which a program is stopped,
    in the same function; the names of arguments too.
    """
    line = line_span(document.text, stop)
    part = next((part for part in document.parts if part.start <= stop <= part.end), None)
    if part is None:
        return []
    here, end = line.start - part.start, min(wanted.end, line.start) - part.start
    span = Span(wanted.start - part.start, end)
    found = [
        InlineValue(Span(part.start + each.span.start, part.start + each.span.end), each.expression)
        for function in _functions(part.index.root, Span(here, line.end - part.start))
        for each in _bound(part, function, span)
    ]
    return sorted(found, key=lambda each: each.span.start)[-MOST:]


def _functions(place: OpPath, line: Span) -> Iterator[OpPath]:
    """Yields the functions that a line is in."""
    for child in children_touching(place, line):
        if child.operation.name == "func.func":
            yield child
        elif child.operation.regions:
            yield from _functions(child, line)


def _bound(part: Part, place: OpPath, span: Span) -> Iterator[InlineValue]:
    """Yields the names that an operation, and those in it, bind in a span."""
    for name in names_of(part.text, place):
        if name.role in ("result", "argument") and span.start <= name.span.start < span.end:
            value = part.index.values.named(place, name)
            are_several = name.role == "result" and value is not None and len(value.values) > 1
            yield InlineValue(name.span, f"%{name.name}{'#0' if are_several else ''}")
    for child in children_touching(place, span):
        yield from _bound(part, child, span)
