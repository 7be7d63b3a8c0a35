"""Structure of documents: outline, symbols of all open documents, ranges that fold."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from shlo.ir.source import Span
from shlo.language.folding import Fold, folds
from shlo.language.symbols import OutlineItem, OutlineKind, outline
from shlo_lsp.documents import OpenDocument
from shlo_lsp.view import View

if TYPE_CHECKING:
    from shlo_lsp.server import Server


KINDS: dict[OutlineKind, types.SymbolKind] = {
    "program": types.SymbolKind.File,
    "module": types.SymbolKind.Module,
    "function": types.SymbolKind.Function,
    "symbol": types.SymbolKind.Object,
    "value": types.SymbolKind.Variable,
}
Answer = list[types.DocumentSymbol] | list[types.SymbolInformation]


def document_symbols(view: View, params: types.DocumentSymbolParams) -> Answer:
    """Returns a tree; for a client that knows no trees, a list."""
    items = outline(view.document)
    if view.client.can("text_document.document_symbol.hierarchical_document_symbol_support"):
        return [_document_symbol(view, item) for item in items]
    return list(_flat(view, items, None))


def _document_symbol(view: View, item: OutlineItem) -> types.DocumentSymbol:
    whole, name = item.span, item.name_span
    start = min(max(name.start, whole.start), whole.end)  # the protocol wants the name within the whole
    inner = Span(start, max(start, min(name.end, whole.end)))
    return types.DocumentSymbol(
        item.name,
        KINDS[item.kind],
        view.range(item.span),
        view.range(inner),
        detail=item.detail or None,
        children=[_document_symbol(view, child) for child in item.children] or None,
    )


def _flat(
    view: View, items: Iterable[OutlineItem], container: str | None
) -> Iterator[types.SymbolInformation]:
    for item in items:
        place = types.Location(view.uri, view.range(item.span))
        yield types.SymbolInformation(place, item.name, KINDS[item.kind], container_name=container)
        yield from _flat(view, item.children, item.name)


MAX_SYMBOLS = 1_000


async def workspace_symbols(
    server: Server, params: types.WorkspaceSymbolParams
) -> list[types.WorkspaceSymbol]:
    """Returns the functions and other symbols whose names hold the query, upper and lower case alike."""
    tasks = [each.in_turn(_matching, each, params.query.lower()) for each in server.documents.values()]
    found = await asyncio.gather(*tasks)
    return [symbol for symbols in found for symbol in symbols][:MAX_SYMBOLS]


def _matching(document: OpenDocument, query: str) -> list[types.WorkspaceSymbol]:
    edition, programs = document.newest()
    return [
        types.WorkspaceSymbol(
            types.Location(document.uri, edition.lines.range(part.place(symbol.definition))),
            f"@{symbol.name}",
            types.SymbolKind.Function,
        )
        for part in programs.parts
        for symbol in part.index.symbols.all
        if query in symbol.name.lower()
    ]


FOLDING_KINDS = {"comment": types.FoldingRangeKind.Comment}
MAX_FOLDS = 5_000


def folding_ranges(view: View, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """Returns the stretches that can be folded, in the order of the text."""
    lines_only = view.client.can("text_document.folding_range.line_folding_only")
    ranges = [_range(view, fold, lines_only) for fold in folds(view.document)]
    return [each for each in ranges if not lines_only or each.end_line > each.start_line][:MAX_FOLDS]


def _range(view: View, fold: Fold, lines_only: bool) -> types.FoldingRange:
    """Returns the range of a fold. Where whole lines fold, the closing bracket's stays visible."""
    start, end = view.position(fold.span.start), view.position(fold.span.end)
    line, first, _ = view.edition.lines.line_at(fold.span.end)
    closes = fold.kind == "region" and not view.document.text[first : fold.span.end].strip()
    last = line - 1 if lines_only and closes else line
    return types.FoldingRange(
        start.line, max(last, start.line), start.character, end.character, FOLDING_KINDS.get(fold.kind)
    )
