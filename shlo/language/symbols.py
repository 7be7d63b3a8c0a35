"""The outline of a document: its programs, modules, functions, and operations with results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from shlo.ir.op_path import OpPath, children_of
from shlo.ir.operations import BROKEN
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part
from shlo.language.index.op_names import RESULTS
from shlo.language.index.symbols import MODULE, Symbol
from shlo.syntax.lexer.strings import symbol_text

MAX_RESULTS = 5_000
"""How many operations with results an outline shows; it is for people."""

OutlineKind = Literal["program", "module", "function", "symbol", "value"]


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A thing in the outline: name, what is said beside it, what it is, all of it, its name's place."""

    name: str
    detail: str
    kind: OutlineKind
    span: Span
    name_span: Span
    children: tuple[OutlineItem, ...] = ()


@recursive
def outline(document: Document) -> list[OutlineItem]:
    """Returns the outline of a document; each of several programs is an item of its own."""
    parts = document.parts
    if len(parts) == 1:
        return list(_Outline(parts[0]).items())
    return [_program(number, part) for number, part in enumerate(parts, 1)]


def _program(number: int, part: Part) -> OutlineItem:
    span = Span(part.start, part.end)
    first = Span(part.start, part.start)
    return OutlineItem(f"program {number}", "", "program", span, first, tuple(_Outline(part).items()))


class _Outline:
    def __init__(self, part: Part) -> None:
        self.part = part
        self.symbols: dict[int, Symbol] = {id(each.place.operation): each for each in part.index.symbols.all}
        self.left = MAX_RESULTS

    def items(self) -> Iterator[OutlineItem]:
        root = self.part.index.root
        yield from self._item(root) if id(root.operation) in self.symbols else self._children(root)

    def _children(self, place: OpPath) -> Iterator[OutlineItem]:
        for child in children_of(place):
            yield from self._item(child)

    def _item(self, place: OpPath) -> Iterator[OutlineItem]:
        symbol = self.symbols.get(id(place.operation))
        if symbol is not None:
            yield self._symbol(symbol, place)
        elif place.operation.results and self.left > 0:
            self.left -= 1
            yield self._result(place)
        elif place.operation.regions:
            yield from self._children(place)

    def _symbol(self, symbol: Symbol, place: OpPath) -> OutlineItem:
        name = place.operation.name
        is_function = name == "func.func" or (name == BROKEN and bool(place.operation.regions))
        kind: OutlineKind = "module" if name == MODULE else "function" if is_function else "symbol"
        type_ = place.operation.attribute("function_type")
        spans = (self.part.place(place.span), self.part.place(symbol.definition))
        return OutlineItem(
            symbol_text(symbol.name), str(type_ or ""), kind, *spans, tuple(self._children(place))
        )

    def _result(self, place: OpPath) -> OutlineItem:
        match = RESULTS.match(self.part.text, place.start, place.end)
        names = match[0].rstrip("= \t\n") if match else ""
        span = Span(place.start, place.start + len(names))
        detail = "" if place.operation.name == BROKEN else place.operation.name
        children = tuple(self._children(place)) if place.operation.regions else ()
        return OutlineItem(
            names or detail, detail, "value", self.part.place(place.span), self.part.place(span), children
        )
