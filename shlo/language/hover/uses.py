"""How often a value is used, in words; bounded, as a function may have a hundred thousand operations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from shlo.ir.op_path import OpPath
from shlo.ir.source import Span
from shlo.language.document import Part
from shlo.language.hover.markdown import code
from shlo.language.index.scope import operands_of
from shlo.language.index.values import Value
from shlo.support.cancellation import checkpoint
from shlo.text.numbers import plural

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
    own, table = frozenset(value.values), value.scope.table
    counts: Counter[str] = Counter()
    named = 0
    for place in _that_name(part, value.name, searched):
        named += 1
        if place.values is table:
            counts[place.operation.name] += sum(each in own for each in operands_of(place.operation))
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
    known: set[int] = set()
    at = text.find(name, *span)
    while at >= 0:
        end = at + len(name)
        if not GOES_ON.match(text, end):
            checkpoint()
            place = part.index.place_at(at)
            if id(place.operation) not in known:
                known.add(id(place.operation))
                yield place
        at = text.find(name, end, span.end)
