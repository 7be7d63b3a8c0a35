"""Documents that are opened, edited and closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from shlo_lsp.server import Server


def opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Takes a document in."""
    document = params.text_document
    server.open(document.uri, document.text, document.version)


def changed(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Applies edits at once."""
    document = params.text_document
    server.change(document.uri, params.content_changes, document.version)


def closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Lets a document go."""
    server.close(params.text_document.uri)
