"""Symbols of all documents that are open, by a part of their names."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from shlo_lsp.documents import OpenDocument

if TYPE_CHECKING:
    from shlo_lsp.server import Server

MAX_SYMBOLS = 1_000


async def answer(server: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    """The functions and other symbols whose names hold the query, upper and lower case alike."""
    tasks = [each.in_turn(_symbols, each, params.query.lower()) for each in server.documents.values()]
    found = await asyncio.gather(*tasks)
    return [symbol for symbols in found for symbol in symbols][:MAX_SYMBOLS]


def _symbols(document: OpenDocument, query: str) -> list[types.WorkspaceSymbol]:
    return list(_named(document, query))


def _named(document: OpenDocument, query: str) -> Iterator[types.WorkspaceSymbol]:
    edition, programs = document.newest()
    for part in programs.parts:
        for symbol in part.index.symbols.all:
            if query in symbol.name.lower():
                place = types.Location(document.uri, edition.lines.range(part.place(symbol.definition)))
                yield types.WorkspaceSymbol(place, f"@{symbol.name}", types.SymbolKind.Function)
