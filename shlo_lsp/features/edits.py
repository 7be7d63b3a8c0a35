"""Edits of a document: formatting, new names, fixes of findings."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from shlo.ir.source import Span
from shlo.language import Edit
from shlo.language.fixes.fixes import QuickFix, fixes
from shlo.language.formatting import format_document, format_range
from shlo.language.rename import RenameError, rename, renameable
from shlo_lsp.errors import RequestFailed
from shlo_lsp.findings import one
from shlo_lsp.view import View


def text_edits(view: View, edits: Iterable[Edit]) -> list[types.TextEdit]:
    """Returns edits of one text, none of which depends on another."""
    whole = Span(0, len(view.document.text))
    return [types.TextEdit(view.range(edit.span or whole), edit.text) for edit in edits]


def workspace_edit(view: View, edits: Iterable[Edit]) -> types.WorkspaceEdit:
    """Returns edits to apply, to this version of the document alone where the client can tell."""
    lsp_edits = text_edits(view, edits)
    if not view.client.can("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit({view.uri: lsp_edits})
    document = types.OptionalVersionedTextDocumentIdentifier(view.uri, view.edition.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, lsp_edits)])


def format_document_edits(view: View, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """Returns the edits that make a document tidy."""
    return text_edits(view, format_document(view.document))


def format_range_edits(view: View, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    """Returns those of the format_range_edits of a range."""
    return text_edits(view, format_range(view.document, view.span(params.range)))


def prepare_rename(view: View, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """What would get a new name."""
    span = renameable(view.document, view.offset(params.position))
    if span is None:
        return None
    return types.PrepareRenamePlaceholder(view.range(span), view.document.text[slice(*span)])


def rename_edits(view: View, params: types.RenameParams) -> types.WorkspaceEdit:
    """Returns the edits of a new name; raises RequestFailed, with the reason, where it cannot be given."""
    try:
        edits = rename(view.document, view.offset(params.position), params.new_name)
    except RenameError as error:
        raise RequestFailed(str(error)) from None
    return workspace_edit(view, edits)


CODE_ACTION_OPTIONS = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])


def code_actions(view: View, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Returns the fixes of the findings that a range touches."""
    wanted = params.context.only
    if wanted and not any(types.CodeActionKind.QuickFix.value.startswith(each) for each in wanted):
        return []
    preferred: dict[Span, QuickFix] = {}
    return [
        types.CodeAction(
            fix.title,
            types.CodeActionKind.QuickFix,
            [one(fix.finding, view.edition.lines)],
            is_preferred=preferred.setdefault(fix.finding.span, fix) is fix,
            edit=workspace_edit(view, fix.edits),
        )
        for fix in fixes(view.document, view.span(params.range))
    ]
