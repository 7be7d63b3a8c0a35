"""From a name to its definition and its uses."""

from __future__ import annotations

from lsprotocol import types

from shlo.language import navigation
from shlo_lsp.view import View


def definition(view: View, params: types.DefinitionParams) -> types.Location | None:
    """Where the name at a position gets its meaning."""
    span = navigation.definition(view.document, view.offset(params.position))
    return types.Location(view.uri, view.range(span)) if span else None


def references(view: View, params: types.ReferenceParams) -> list[types.Location]:
    """The places of the name at a position."""
    return [
        types.Location(view.uri, view.range(each.span))
        for each in navigation.references(view.document, view.offset(params.position))
        if params.context.include_declaration or not each.is_definition
    ]
