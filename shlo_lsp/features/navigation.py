"""Navigation: definitions, uses, marks on the name at the cursor, ranges to select."""

from __future__ import annotations

from lsprotocol import types

from shlo.language import navigation
from shlo.language.selection import selections
from shlo_lsp.view import View


def definition(view: View, params: types.DefinitionParams) -> types.Location | None:
    """Returns where the name at a position gets its meaning."""
    span = navigation.definition(view.document, view.offset(params.position))
    return types.Location(view.uri, view.range(span)) if span else None


def references(view: View, params: types.ReferenceParams) -> list[types.Location]:
    """Returns the places of the name at a position."""
    return [
        types.Location(view.uri, view.range(each.span))
        for each in navigation.references(view.document, view.offset(params.position))
        if params.context.include_declaration or not each.is_definition
    ]


HIGHLIGHT_KINDS = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}


def highlights(view: View, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """Returns the places to mark while the cursor is at a position."""
    found = navigation.references(view.document, view.offset(params.position))
    return [
        types.DocumentHighlight(view.range(each.span), HIGHLIGHT_KINDS[each.is_definition]) for each in found
    ]


def selection_ranges(view: View, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
    """Returns for each position the ranges to select around it, the innermost one with its parents."""
    return [_nested(view, view.offset(position)) for position in params.positions]


def _nested(view: View, offset: int) -> types.SelectionRange:
    outer: types.SelectionRange | None = None
    for span in reversed(selections(view.document, offset)):
        outer = types.SelectionRange(view.range(span), outer)
    assert outer is not None  # the last selection is the whole text
    return outer
