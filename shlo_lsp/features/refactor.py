"""Code actions: fixes of findings, and refactorings, whose edits are computed when one is chosen."""

from __future__ import annotations

from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams

from shlo.ir.source import Span
from shlo.language.refactor.refactorings import Kind, Refactoring, refactorings
from shlo_lsp.features import following, quick_fixes
from shlo_lsp.view import RequestFailed, View, workspace_edit

KINDS: dict[Kind, types.CodeActionKind] = {
    "extract": types.CodeActionKind.RefactorExtract,
    "inline": types.CodeActionKind.RefactorInline,
    "rewrite": types.CodeActionKind.RefactorRewrite,
}
OPTIONS = types.CodeActionOptions(
    code_action_kinds=[*(quick_fixes.KINDS), *KINDS.values()],
    resolve_provider=True,
)


def code_actions(view: View, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Returns the fixes of the findings that a range touches, and what can be done with its operations.

    Unless it asks for them alone, a client gets no refactorings on its own behalf, but for the light bulb of
    a selection, and none if it wants all edits at once: computing those takes long in a large function.
    """
    actions = [*quick_fixes.quick_fixes(view, params), *following.follow_actions(view, params)]
    is_automatic = params.context.trigger_kind is types.CodeActionTriggerKind.Automatic
    is_selected = params.range.start != params.range.end
    if not params.context.only and ((is_automatic and not is_selected) or not _resolves(view)):
        return actions
    span = view.span(params.range)
    for offer in refactorings(view.document, span):
        kind = KINDS[offer.kind]
        if quick_fixes.is_wanted(kind.value, params.context.only):
            actions += _action(view, offer, kind, span)
    return actions


def _action(view: View, offer: Refactoring, kind: types.CodeActionKind, span: Span) -> list[types.CodeAction]:
    """Returns the action; with its edits, if it has any, for a client that does not ask for them later."""
    if _resolves(view):
        data = {"uri": view.uri, "version": view.edition.version, "span": [*span], "title": offer.title}
        return [types.CodeAction(offer.title, kind, data=data)]
    edits = offer.edits()
    edit = workspace_edit(view, edits) if edits else None
    return [types.CodeAction(offer.title, kind, edit=edit)] if edit else []


def _resolves(view: View) -> bool:
    """Returns whether the client asks for the edits of an action when it is chosen."""
    return view.client.knows("text_document.code_action.resolve_support.properties", "edit")


def action_uri(action: types.CodeAction) -> str:
    """Returns the URI of the document that an action of ours changes."""
    data = cast("dict[str, Any] | None", action.data)
    uri = data.get("uri") if isinstance(data, dict) else None
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams("the action is none of this server's")
    return uri


def resolve(view: View, action: types.CodeAction) -> types.CodeAction:
    """Returns an action with its edits; raises RequestFailed where there are none to make."""
    data = cast("dict[str, Any]", action.data)
    if data.get("version") != view.edition.version:
        raise JsonRpcContentModified("the text has changed meanwhile")
    if following.SPAN in data:
        return following.resolve(view, action)
    if quick_fixes.IS_FIX in data:
        return quick_fixes.resolve(view, action)
    try:
        start, end = (int(offset) for offset in data["span"])
    except (KeyError, TypeError, ValueError):
        raise JsonRpcInvalidParams("the action is none of this server's") from None
    offers = {offer.title: offer for offer in refactorings(view.document, Span(start, end))}
    offer = offers.get(action.title)
    edits = offer.edits() if offer else None
    if not edits:
        raise RequestFailed(f"there is nothing to do here for: {action.title}")
    action.edit = workspace_edit(view, edits)
    return action
