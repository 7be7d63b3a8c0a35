"""Navigation: definitions, uses, marks on the name at the cursor, ranges to select.

An operation's name, and the text of a location, lead to the line of Python that they came from. So does "go
to declaration" anywhere else in an operation, where "go to definition" leads to a value's definition.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from lsprotocol import types

from shlo.language import navigation
from shlo.language.hierarchies.calls import (
    CallSpans,
    HierarchyItem,
    callables_at,
    incoming_calls,
    outgoing_calls,
)
from shlo.language.hierarchies.values import consumers, nodes_at, producers
from shlo.language.navigation import selections
from shlo.language.source_lines import origin_around, place_at
from shlo_lsp.features.python_lines import line_location
from shlo_lsp.positions import name_within
from shlo_lsp.view import View


def definition(view: View, params: types.DefinitionParams) -> types.Location | None:
    """Returns where the name at a position gets its meaning; of a location or an operation's name, the line
    of Python that it came from."""
    offset = view.offset(params.position)
    if op_path := place_at(view.document, offset):
        location = line_location(view, op_path.origin)
        if location is not None:
            return location
    span = navigation.definition(view.document, offset)
    return types.Location(view.uri, view.range(span)) if span else None


def declaration(view: View, params: types.DeclarationParams) -> types.Location | None:
    """Returns the line of Python that what is at a position came from, else its definition."""
    location = line_location(view, origin_around(view.document, view.offset(params.position)))
    return location or definition(view, types.DefinitionParams(params.text_document, params.position))


def type_definition(view: View, params: types.TypeDefinitionParams) -> types.Location | None:
    """Returns where the type of the value at a position is written first, or its alias defined."""
    span = navigation.type_definition(view.document, view.offset(params.position))
    return types.Location(view.uri, view.range(span)) if span else None


def implementation(view: View, params: types.ImplementationParams) -> list[types.Location]:
    """Returns the functions that an operation calls, or the operation that computes a value."""
    spans = navigation.implementations(view.document, view.offset(params.position))
    return [types.Location(view.uri, view.range(span)) for span in spans]


def references(view: View, params: types.ReferenceParams) -> list[types.Location]:
    """Returns the places of the name at a position."""
    return [
        types.Location(view.uri, view.range(reference.span))
        for reference in navigation.references(view.document, view.offset(params.position))
        if params.context.include_declaration or not reference.is_definition
    ]


HIGHLIGHT_KINDS = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}


def highlights(view: View, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """Returns the places to mark while the cursor is at a position."""
    marks = navigation.highlights(view.document, view.offset(params.position))
    return [
        types.DocumentHighlight(view.range(mark.span), HIGHLIGHT_KINDS[mark.is_definition]) for mark in marks
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


# -- call hierarchy, and values as a type hierarchy ---------------------------------------------------------


ITEM_KINDS = {
    "module": types.SymbolKind.Module,
    "function": types.SymbolKind.Function,
    "value": types.SymbolKind.Variable,
    "operation": types.SymbolKind.Operator,
}
Item = TypeVar("Item", types.CallHierarchyItem, types.TypeHierarchyItem)


def _items(cls: type[Item], view: View, items: Iterable[HierarchyItem]) -> list[Item]:
    return [
        cls(
            item.name,
            ITEM_KINDS[item.kind],
            view.uri,
            view.range(item.span),
            view.range(name_within(item.span, item.name_span)),
            detail=item.detail or None,
        )
        for item in items
    ]


def prepare_calls(view: View, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem]:
    """Returns the function at a position."""
    return _items(types.CallHierarchyItem, view, callables_at(view.document, view.offset(params.position)))


def incoming(
    view: View, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    """Returns what calls a function."""
    calls = incoming_calls(view.document, view.offset(params.item.selection_range.start))
    return list(map(types.CallHierarchyIncomingCall, *_ends(view, calls)))


def outgoing(
    view: View, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    """Returns what a function calls."""
    calls = outgoing_calls(view.document, view.offset(params.item.selection_range.start))
    return list(map(types.CallHierarchyOutgoingCall, *_ends(view, calls)))


def _ends(
    view: View, calls: list[CallSpans]
) -> tuple[list[types.CallHierarchyItem], list[list[types.Range]]]:
    """Returns the other ends of calls, and where the calls of each are."""
    others = _items(types.CallHierarchyItem, view, (call.other for call in calls))
    return others, [[view.range(span) for span in call.spans] for call in calls]


def prepare_values(view: View, params: types.TypeHierarchyPrepareParams) -> list[types.TypeHierarchyItem]:
    """Returns the value at a position."""
    return _items(types.TypeHierarchyItem, view, nodes_at(view.document, view.offset(params.position)))


def supertypes(view: View, params: types.TypeHierarchySupertypesParams) -> list[types.TypeHierarchyItem]:
    """Returns what a value is made from."""
    nodes = producers(view.document, view.offset(params.item.selection_range.start))
    return _items(types.TypeHierarchyItem, view, nodes)


def subtypes(view: View, params: types.TypeHierarchySubtypesParams) -> list[types.TypeHierarchyItem]:
    """Returns what is made from a value."""
    nodes = consumers(view.document, view.offset(params.item.selection_range.start))
    return _items(types.TypeHierarchyItem, view, nodes)
