"""New names."""

from __future__ import annotations

from lsprotocol import types

from shlo.language.rename import RenameError, rename, renameable
from shlo_lsp.errors import RequestFailed
from shlo_lsp.features.edits import workspace_edit
from shlo_lsp.view import View


def prepare(view: View, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """What would get a new name."""
    span = renameable(view.document, view.offset(params.position))
    if span is None:
        return None
    return types.PrepareRenamePlaceholder(view.range(span), view.document.text[slice(*span)])


def answer(view: View, params: types.RenameParams) -> types.WorkspaceEdit:
    """The edits of a new name; raises RequestFailed, with the reason, where it cannot be given."""
    try:
        edits = rename(view.document, view.offset(params.position), params.new_name)
    except RenameError as error:
        raise RequestFailed(str(error)) from None
    return workspace_edit(view, edits)
