"""Notebooks: their cells of MLIR are documents like any other, with findings of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from shlo_lsp.server import Server

LANGUAGES = ("mlir", "stablehlo")
SYNC = types.NotebookDocumentSyncOptions(
    [
        types.NotebookDocumentFilterWithCells(
            cells=[types.NotebookCellLanguage(language) for language in LANGUAGES], notebook="*"
        )
    ]
)


def did_open(server: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    """Takes the cells of a notebook in."""
    _open(server, params.cell_text_documents)


def did_change(server: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    """Takes cells in, lets cells go, and edits them."""
    cells = params.change.cells
    if cells is None:
        return
    if cells.structure is not None:
        for closed in cells.structure.did_close or ():
            server.close(closed.uri)
        _open(server, cells.structure.did_open or ())
    for content in cells.text_content or ():
        if content.document.uri in server.documents:
            server.change(content.document, content.changes)


def did_close(server: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    """Lets the cells of a notebook go."""
    for cell in params.cell_text_documents:
        server.close(cell.uri)


def _open(server: Server, cells: Iterable[types.TextDocumentItem]) -> None:
    for cell in cells:
        if cell.language_id in LANGUAGES:
            server.open(cell)
