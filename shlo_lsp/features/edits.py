"""Edits of a document: formatting, new names."""

from __future__ import annotations

from lsprotocol import types

from shlo.language.formatting import format_document, format_range, indentation
from shlo.language.rename import RenameError, linked, rename, renameable
from shlo_lsp.view import RequestFailed, View, text_edits, workspace_edit


def format_document_edits(view: View, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """Returns the edits that make a document tidy."""
    return text_edits(view, format_document(view.document))


def format_range_edits(view: View, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    """Returns those edits that touch a range."""
    return text_edits(view, format_range(view.document, view.span(params.range)))


RANGES_OPTIONS = types.DocumentRangeFormattingOptions(ranges_support=True)


def format_ranges_edits(view: View, params: types.DocumentRangesFormattingParams) -> list[types.TextEdit]:
    """Returns the edits of several ranges, each once."""
    spans = [view.span(range_) for range_ in params.ranges]
    edits = [
        edit for edit in format_document(view.document) if edit.span and any(map(edit.span.touches, spans))
    ]
    return text_edits(view, edits)


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


def linked_ranges(view: View, params: types.LinkedEditingRangeParams) -> types.LinkedEditingRanges | None:
    """Returns the places of a value's or label's name that change together as one types."""
    spans = linked(view.document, view.offset(params.position))
    if not spans:
        return None
    return types.LinkedEditingRanges([view.range(span) for span in spans], word_pattern=r"[\w$.-]+")


ON_TYPE_OPTIONS = types.DocumentOnTypeFormattingOptions("\n", ["}"])


def typed_edits(view: View, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit]:
    """Returns the indentation of the line that a line break or a closing brace was typed on."""
    return text_edits(view, indentation(view.document.text, view.offset(params.position), params.ch))
