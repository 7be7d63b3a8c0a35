"""The places of the name at the cursor: its definition as written, its uses as read."""

from __future__ import annotations

from lsprotocol import types

from shlo.language.navigation import references
from shlo_lsp.view import View

KINDS = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}


def answer(view: View, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """The places to mark while the cursor stands at a position."""
    found = references(view.document, view.offset(params.position))
    return [types.DocumentHighlight(view.range(each.span), KINDS[each.is_definition]) for each in found]
