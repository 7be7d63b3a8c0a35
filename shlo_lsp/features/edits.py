"""Edits of the language service as those of the protocol."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from shlo.ir.source import Span
from shlo.language import Edit
from shlo_lsp.view import View


def text_edits(view: View, edits: Iterable[Edit]) -> list[types.TextEdit]:
    """Edits of one text, none of which depends on another."""
    whole = Span(0, len(view.document.text))
    return [types.TextEdit(view.range(edit.span or whole), edit.text) for edit in edits]


def workspace_edit(view: View, edits: Iterable[Edit]) -> types.WorkspaceEdit:
    """The same for a client to apply, to this version of the document alone where the client can tell."""
    lsp_edits = text_edits(view, edits)
    if not view.client.can("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit({view.uri: lsp_edits})
    document = types.OptionalVersionedTextDocumentIdentifier(view.uri, view.edition.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, lsp_edits)])
