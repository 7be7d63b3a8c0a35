"""Types that are not written near a value's name: of loops' arguments, aliases, regions' results; and the
names that JAX gave to arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shlo.ir.op_path import OpPath
from shlo.ir.traced_names import argument_label
from shlo.language.document import Part
from shlo.language.hints.hint import Hint, shortened
from shlo.language.index.op_names import TYPE_FOLLOWS, Name, names_of
from shlo.language.index.values import Value
from shlo.syntax.lexer.tokens import line_span

RESULT_COUNT = re.compile(r"[:0-9]+", re.ASCII)


def type_hints(part: Part, place: OpPath) -> Iterator[Hint]:
    """Yields the types of results and arguments whose line does not say them, in spans of the part."""
    text, values, operation = part.text, part.index.values, place.operation
    written = text[place.start : place.end]
    if not operation.regions and all(str(type_) in written for type_ in set(operation.result_types)):
        return  # the ordinary case, told quickly
    for name in names_of(text, place):
        if name.role not in ("result", "argument"):
            continue
        value = values.named(place, name)
        if value is None:
            continue
        if name.role == "argument":
            yield from _label(name, value)
            if TYPE_FOLLOWS.match(text, name.span.end):
                continue
        yield from _type(part, name, value)


def _type(part: Part, name: Name, value: Value) -> Iterator[Hint]:
    types = [str(type_) for type_ in value.types]
    line = part.text[name.span.start : line_span(part.text, name.span.start).end]
    if name.role == "result" and all(type_ in line for type_ in types):
        return
    full = ", ".join(types)
    end = name.span.end
    if name.role == "result" and (number := RESULT_COUNT.match(part.text, end)):
        end = number.end()
    yield Hint(end, f": {shortened(full)}", full)


def _label(name: Name, value: Value) -> Iterator[Hint]:
    """Yields what JAX called an argument of a function."""
    if value.position is None:
        return
    label = argument_label(*value.position)
    if label and label != value.name:
        yield Hint(name.span.end, f" {shortened(label)}", label, "value")
