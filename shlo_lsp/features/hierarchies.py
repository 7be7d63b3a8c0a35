"""Call hierarchy, and values as a type hierarchy: supertypes are what a value is made from, subtypes what is
made from it. An item is found again by the place of its name."""

from __future__ import annotations

from lsprotocol import types

from shlo.ir.source import Span
from shlo.language.hierarchies.calls import Call, Callable, callables_at, incoming_calls, outgoing_calls
from shlo.language.hierarchies.values import Node, consumers, nodes_at, producers
from shlo_lsp.positions import name_within
from shlo_lsp.view import View


def prepare_calls(view: View, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem]:
    """Returns the function at a position."""
    return [_callable(view, each) for each in callables_at(view.document, view.offset(params.position))]


def incoming(
    view: View, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    """Returns what calls a function."""
    found = incoming_calls(view.document, view.offset(params.item.selection_range.start))
    return [
        types.CallHierarchyIncomingCall(_callable(view, each.other), _ranges(view, each)) for each in found
    ]


def outgoing(
    view: View, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    """Returns what a function calls."""
    found = outgoing_calls(view.document, view.offset(params.item.selection_range.start))
    return [
        types.CallHierarchyOutgoingCall(_callable(view, each.other), _ranges(view, each)) for each in found
    ]


def prepare_values(view: View, params: types.TypeHierarchyPrepareParams) -> list[types.TypeHierarchyItem]:
    """Returns the value at a position."""
    return [_node(view, each) for each in nodes_at(view.document, view.offset(params.position))]


def supertypes(view: View, params: types.TypeHierarchySupertypesParams) -> list[types.TypeHierarchyItem]:
    """Returns what a value is made from."""
    found = producers(view.document, view.offset(params.item.selection_range.start))
    return [_node(view, each) for each in found]


def subtypes(view: View, params: types.TypeHierarchySubtypesParams) -> list[types.TypeHierarchyItem]:
    """Returns what is made from a value."""
    found = consumers(view.document, view.offset(params.item.selection_range.start))
    return [_node(view, each) for each in found]


def _callable(view: View, found: Callable) -> types.CallHierarchyItem:
    kind = types.SymbolKind.Module if found.is_module else types.SymbolKind.Function
    whole, name = _whole_and_name(view, found.span, found.name_span)
    return types.CallHierarchyItem(found.name, kind, view.uri, whole, name, detail=found.detail)


def _node(view: View, found: Node) -> types.TypeHierarchyItem:
    kind = types.SymbolKind.Variable if found.is_value else types.SymbolKind.Operator
    whole, name = _whole_and_name(view, found.span, found.name_span)
    return types.TypeHierarchyItem(found.name, kind, view.uri, whole, name, detail=found.detail or None)


def _whole_and_name(view: View, span: Span, name: Span) -> tuple[types.Range, types.Range]:
    return view.range(span), view.range(name_within(span, name))


def _ranges(view: View, call: Call) -> list[types.Range]:
    return [view.range(span) for span in call.spans]
