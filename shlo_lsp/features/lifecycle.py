"""Initialization and configuration of a session; notebooks, whose cells are documents like any other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from shlo_lsp.server import Server


def initialize(server: Server, params: types.InitializeParams) -> None:
    """Takes the initialization options; pygls answers with what the server can do."""
    server.settings = server.settings.initialized(params.initialization_options)
    if params.trace is not None:
        server.protocol.trace = params.trace


def configure(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Takes the new configuration; hints appear or go at once where the client can ask again."""
    before = server.settings
    server.settings = before.configured(params.settings)
    server.settings_number += 1
    if server.settings.inlay_hints != before.inlay_hints and server.client.can(
        "workspace.inlay_hint.refresh_support"
    ):
        server.workspace_inlay_hint_refresh(None)


# -- Notebooks -----------------------------------------------------------------------------------------------


LANGUAGES = ("mlir", "stablehlo")
SYNC = types.NotebookDocumentSyncOptions(
    [
        types.NotebookDocumentFilterWithCells(
            cells=[types.NotebookCellLanguage(language) for language in LANGUAGES], notebook="*"
        )
    ]
)


def notebook_did_open(server: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    """Takes the cells of a notebook in."""
    _open(server, params.cell_text_documents)


def notebook_did_change(server: Server, params: types.DidChangeNotebookDocumentParams) -> None:
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


def notebook_did_close(server: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    """Lets the cells of a notebook go."""
    for cell in params.cell_text_documents:
        server.close(cell.uri)


def _open(server: Server, cells: Iterable[types.TextDocumentItem]) -> None:
    for cell in cells:
        if cell.language_id in LANGUAGES:
            server.open(cell)
