"""Types that the text does not say."""

from __future__ import annotations

from lsprotocol import types

from shlo.language.hints import hints
from shlo_lsp.view import View


def answer(view: View, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The hints of the lines of a range."""
    if not view.client.settings.inlay_hints:
        return []
    return [
        types.InlayHint(
            view.position(hint.offset),
            hint.text,
            types.InlayHintKind.Type,
            tooltip=hint.tooltip if hint.tooltip not in hint.text else None,
        )
        for hint in hints(view.document, view.span(params.range))
    ]
