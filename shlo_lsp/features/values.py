"""Values of the last run, behind the lines of their operations, while the text is the one that ran."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from lsprotocol import types
from msgspec import Struct

from shlo.ir.source import Span
from shlo.runner.child.launch import LineValue
from shlo.syntax.lexer.tokens import line_span
from shlo_lsp.documents import Edition, OpenDocument
from shlo_lsp.view import View

MEMORY = "values of the last run"
MAX_SHOWN = 2_000
"""How many values one request gets."""


class LastValues(Struct, frozen=True):
    """The values of a run of an edition, sorted by the offsets of their operations."""

    edition: Edition
    offsets: list[int]
    values: list[LineValue]


def remember(document: OpenDocument, edition: Edition, values: Sequence[LineValue]) -> None:
    """Keeps the values of a run in place of those of the one before."""
    pairs = sorted(((offset_of(edition, each.place), each) for each in values), key=lambda pair: pair[0])
    offsets, found = [offset for offset, _ in pairs], [each for _, each in pairs]
    document.memory[MEMORY] = LastValues(edition, offsets, found)


def offset_of(edition: Edition, place: tuple[int, int]) -> int:
    """Returns the offset of a line and column that count from 1."""
    line, column = place
    return edition.lines.start_of(line - 1) + column - 1


def value_hints(view: View, span: Span) -> Iterator[types.InlayHint]:
    """Yields the values of the operations that begin in a span."""
    last = view.memory.get(MEMORY)
    if not isinstance(last, LastValues) or last.edition is not view.edition:
        return
    start = bisect_left(last.offsets, line_span(view.document.text, span.start).start)
    for offset, value in list(zip(last.offsets[start:], last.values[start:]))[:MAX_SHOWN]:
        if offset > span.end:
            return
        end = line_span(view.document.text, offset).end
        times = f" ({value.count:,} times)" if value.count > 1 else ""
        tooltip = "in the last run" + (f", the last of {value.count:,} values" if value.count > 1 else "")
        yield types.InlayHint(view.position(end), f"{value.text}{times}", tooltip=tooltip, padding_left=True)
