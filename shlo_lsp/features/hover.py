"""What is known about the word under the pointer."""

from __future__ import annotations

from lsprotocol import types

from shlo.language.hover.hover import hover
from shlo_lsp.view import View


def answer(view: View, params: types.HoverParams) -> types.Hover | None:
    """What to show at a position."""
    found = hover(view.document, view.offset(params.position))
    if found is None:
        return None
    return types.Hover(view.markup(found.text, "text_document.hover.content_format"), view.range(found.span))
