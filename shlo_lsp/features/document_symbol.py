"""The outline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from shlo.ir.source import Span
from shlo.language.symbols import OutlineItem, OutlineKind, outline
from shlo_lsp.view import View

KINDS: dict[OutlineKind, types.SymbolKind] = {
    "program": types.SymbolKind.File,
    "module": types.SymbolKind.Module,
    "function": types.SymbolKind.Function,
    "symbol": types.SymbolKind.Object,
    "value": types.SymbolKind.Variable,
}
Answer = list[types.DocumentSymbol] | list[types.SymbolInformation]


def answer(view: View, params: types.DocumentSymbolParams) -> Answer:
    """A tree; for a client that knows no trees, a list."""
    items = outline(view.document)
    if view.client.can("text_document.document_symbol.hierarchical_document_symbol_support"):
        return [_symbol(view, item) for item in items]
    return list(_flat(view, items, None))


def _symbol(view: View, item: OutlineItem) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        item.name,
        KINDS[item.kind],
        view.range(item.span),
        view.range(_within(item.name_span, item.span)),
        detail=item.detail or None,
        children=[_symbol(view, child) for child in item.children] or None,
    )


def _within(inner: Span, outer: Span) -> Span:
    """A name's place within that of the whole, as the protocol demands."""
    start = min(max(inner.start, outer.start), outer.end)
    return Span(start, max(start, min(inner.end, outer.end)))


def _flat(
    view: View, items: Iterable[OutlineItem], container: str | None
) -> Iterator[types.SymbolInformation]:
    for item in items:
        place = types.Location(view.uri, view.range(item.span))
        yield types.SymbolInformation(place, item.name, KINDS[item.kind], container_name=container)
        yield from _flat(view, item.children, item.name)
