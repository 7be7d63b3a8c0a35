"""Who calls whom: functions by calls, composites by their decompositions, bodies that are symbols.

A call is any use of a symbol within another one. It is found in the text, so that calls in operations that
cannot be read count, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from shlo.ir.op_path import header_spans
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part
from shlo.language.hierarchies.symbol_uses import SymbolUses, symbol_uses
from shlo.language.index.symbols import MODULE, Symbol
from shlo.language.navigation import is_head
from shlo.syntax.lexer.strings import symbol_text

MAX_DETAIL = 200


class Callable(Struct, frozen=True):
    """A symbol that calls or is called: its name, its type, all of it, its name's place."""

    name: str
    detail: str
    is_module: bool
    span: Span
    name_span: Span


class Call(Struct, frozen=True):
    """The other end of calls, and where they are."""

    other: Callable
    spans: tuple[Span, ...]


@recursive
def callables_at(document: Document, offset: int) -> list[Callable]:
    """Returns the symbol whose name is at an offset; at an operation's head otherwise, the symbols that it
    uses, or the function that it is."""
    part = document.part_at(offset)
    at = offset - part.start
    found = part.index.target_at(at)
    if found is not None:
        return [_callable(part, found[1])] if isinstance(found[1], Symbol) else []
    place = part.index.place_at(at)
    if place.parent is None or not is_head(part.text, place, at):
        return []
    uses = symbol_uses(part)
    symbol = uses.defined_by(place)
    if symbol is not None:
        return [_callable(part, symbol)]
    used = [use[2] for span in header_spans(place) for use in uses.in_text(*span)]
    return [_callable(part, each) for each in {each.definition.start: each for each in used}.values()]


@recursive
def incoming_calls(document: Document, offset: int) -> list[Call]:
    """Returns what calls the symbol whose name is at an offset, and where in it."""
    found = _symbol_at(document, offset)
    if found is None:
        return []
    part, uses, symbol = found
    return _calls(part, ((uses.holder(span.start), span) for span in uses.of(symbol)))


@recursive
def outgoing_calls(document: Document, offset: int) -> list[Call]:
    """Returns what the symbol whose name is at an offset calls, and where in it."""
    found = _symbol_at(document, offset)
    if found is None:
        return []
    part, uses, symbol = found
    place = symbol.place
    calls = uses.in_text(place.start, place.end)
    own = (
        (called, Span(start, end))
        for start, end, called in calls
        if place.operation.name != MODULE or uses.holder(start) is symbol
    )
    return _calls(part, own)


def _symbol_at(document: Document, offset: int) -> tuple[Part, SymbolUses, Symbol] | None:
    part = document.part_at(offset)
    found = part.index.target_at(offset - part.start)
    if found is None or not isinstance(found[1], Symbol):
        return None
    return part, symbol_uses(part), found[1]


def _calls(part: Part, found: Iterable[tuple[Symbol | None, Span]]) -> list[Call]:
    spans: dict[int, list[Span]] = {}
    ends: dict[int, Symbol] = {}
    for symbol, span in found:
        if symbol is not None:
            ends[symbol.definition.start] = symbol
            spans.setdefault(symbol.definition.start, []).append(part.place(span))
    return [Call(_callable(part, each), tuple(spans[start])) for start, each in ends.items()]


def _callable(part: Part, symbol: Symbol) -> Callable:
    operation = symbol.place.operation
    type_ = operation.attribute("function_type")
    return Callable(
        symbol_text(symbol.name),
        str(type_ if type_ is not None else operation.name)[:MAX_DETAIL],
        operation.name == MODULE,
        part.place(symbol.place.span),
        part.place(symbol.definition),
    )
