"""Tidy text."""

from __future__ import annotations

from lsprotocol import types

from shlo.language.formatting import format_document, format_range
from shlo_lsp.features.edits import text_edits
from shlo_lsp.view import View


def whole(view: View, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """The edits that make a document tidy."""
    return text_edits(view, format_document(view.document))


def lines(view: View, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    """Those of the lines of a range."""
    return text_edits(view, format_range(view.document, view.span(params.range)))
