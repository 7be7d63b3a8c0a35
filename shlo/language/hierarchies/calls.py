"""Who calls whom: functions by calls, composites by their decompositions, bodies that are symbols.

A call is any use of a symbol within another one. It is found in the text, so that calls in operations that
cannot be read count, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from shlo.ir.op_path import OpPath, header_spans
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part, once_per_part
from shlo.language.index.symbols import MODULE, Symbol
from shlo.language.navigation import is_head
from shlo.syntax.lexer.strings import symbol_text, unescape
from shlo.syntax.lexer.tokens import IDENTIFIER, STRING, Token, is_code

# -- Uses of a program's symbols, all found in one pass over the text ----------------------------------------


USE = re.compile(rf"@({STRING}|{IDENTIFIER})", re.ASCII)


class SymbolUses:
    """The symbols of a program and the places of their names, definitions left out."""

    def __init__(self, part: Part) -> None:
        symbols = part.index.symbols
        self._index = part.index  # not the part: what is kept for a part must not keep the part
        self.symbols = symbols.all
        self._by_operation = {id(symbol.place.operation): symbol for symbol in self.symbols}
        self._by_name: dict[tuple[int, str], Symbol] = {}
        for defined in self.symbols:
            parent = defined.place.parent
            self._by_name.setdefault((id(parent.operation) if parent else 0, defined.name), defined)
        self._known = {symbol.name for symbol in self.symbols}
        self._spans: dict[int, list[Span]] = {}
        self._definitions = {symbol.definition.start for symbol in self.symbols}
        for start, end, symbol in self.in_text(0, len(part.text)):
            self._spans.setdefault(symbol.definition.start, []).append(Span(start, end))

    def in_text(self, start: int, end: int) -> list[tuple[int, int, Symbol]]:
        """Returns the uses of symbols in a stretch of the text: start, end, what is used."""
        text, uses = self._index.text, list[tuple[int, int, Symbol]]()
        for match in USE.finditer(text, start, end):
            at, written = match.start(), match[1]
            name = unescape(written.strip('"')) if written[0] == '"' else written
            if name in self._known and at not in self._definitions and is_code(text, at):
                symbol = self._resolved(name, match)
                if symbol is not None:
                    uses.append((at, match.end(), symbol))
        return uses

    def _resolved(self, name: str, match: re.Match[str]) -> Symbol | None:
        if match.string.endswith("::", 0, match.start()):
            return self._index.symbols.resolve(Token("symbol", match[0], Span(*match.span())))
        for op_path in self._index.place_at(match.start()).around():
            if op_path.operation.regions:
                symbol = self._by_name.get((id(op_path.operation), name))
                if symbol is not None:
                    return symbol
        return None

    def of(self, symbol: Symbol) -> list[Span]:
        """Returns where a symbol is used, in the order of the text."""
        return self._spans.get(symbol.definition.start, [])

    def holder(self, offset: int) -> Symbol | None:
        """Returns the innermost symbol whose operation holds an offset."""
        return next(filter(None, map(self.defined_by, self._index.place_at(offset).around())), None)

    def defined_by(self, op_path: OpPath) -> Symbol | None:
        """Returns the symbol that an operation defines."""
        return self._by_operation.get(id(op_path.operation))


@once_per_part
def symbol_uses(part: Part) -> SymbolUses:
    """Returns the uses of a program's symbols."""
    return SymbolUses(part)


MAX_DETAIL = 200


class HierarchyItem(Struct, frozen=True):
    """A symbol, a value, or an operation without results: name, type, what it is, its span, its name's."""

    name: str
    detail: str
    kind: Literal["module", "function", "value", "operation"]
    span: Span
    name_span: Span


class CallSpans(Struct, frozen=True):
    """The other end of calls, and where they are."""

    other: HierarchyItem
    spans: tuple[Span, ...]


@recursive
def callables_at(document: Document, offset: int) -> list[HierarchyItem]:
    """Returns the symbol whose name is at an offset; at an operation's head otherwise, the symbols that it
    uses, or the function that it is."""
    part = document.part_at(offset)
    at = offset - part.start
    resolved = part.index.target_at(at)
    if resolved is not None:
        return [_callable(part, resolved[1])] if isinstance(resolved[1], Symbol) else []
    op_path = part.index.place_at(at)
    if op_path.parent is None or not is_head(part.text, op_path, at):
        return []
    uses = symbol_uses(part)
    symbol = uses.defined_by(op_path)
    if symbol is not None:
        return [_callable(part, symbol)]
    used = [use[2] for span in header_spans(op_path) for use in uses.in_text(*span)]
    return [
        _callable(part, symbol) for symbol in {symbol.definition.start: symbol for symbol in used}.values()
    ]


@recursive
def incoming_calls(document: Document, offset: int) -> list[CallSpans]:
    """Returns what calls the symbol whose name is at an offset, and where in it."""
    resolved = _symbol_at(document, offset)
    if resolved is None:
        return []
    part, uses, symbol = resolved
    return _calls(part, ((uses.holder(span.start), span) for span in uses.of(symbol)))


@recursive
def outgoing_calls(document: Document, offset: int) -> list[CallSpans]:
    """Returns what the symbol whose name is at an offset calls, and where in it."""
    resolved = _symbol_at(document, offset)
    if resolved is None:
        return []
    part, uses, symbol = resolved
    op_path = symbol.place
    calls = uses.in_text(op_path.start, op_path.end)
    own_calls = (
        (called, Span(start, end))
        for start, end, called in calls
        if op_path.operation.name != MODULE or uses.holder(start) is symbol
    )
    return _calls(part, own_calls)


def _symbol_at(document: Document, offset: int) -> tuple[Part, SymbolUses, Symbol] | None:
    part = document.part_at(offset)
    resolved = part.index.target_at(offset - part.start)
    if resolved is None or not isinstance(resolved[1], Symbol):
        return None
    return part, symbol_uses(part), resolved[1]


def _calls(part: Part, uses: Iterable[tuple[Symbol | None, Span]]) -> list[CallSpans]:
    spans: dict[int, list[Span]] = {}
    ends: dict[int, Symbol] = {}
    for symbol, span in uses:
        if symbol is not None:
            ends[symbol.definition.start] = symbol
            spans.setdefault(symbol.definition.start, []).append(part.place(span))
    return [CallSpans(_callable(part, symbol), tuple(spans[start])) for start, symbol in ends.items()]


def _callable(part: Part, symbol: Symbol) -> HierarchyItem:
    operation = symbol.place.operation
    type_ = operation.attribute("function_type")
    return HierarchyItem(
        symbol_text(symbol.name),
        str(type_ if type_ is not None else operation.name)[:MAX_DETAIL],
        "module" if operation.name == MODULE else "function",
        part.place(symbol.place.span),
        part.place(symbol.definition),
    )
