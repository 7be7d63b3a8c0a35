"""The code action that lets everything follow a type that was changed, with a preview in the client."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types

from shlo.ir.source import Span
from shlo.language.refactor.let_follow import can_follow, let_follow
from shlo.text.numbers import plural
from shlo_lsp.features.quick_fixes import QUICK_FIX, is_wanted
from shlo_lsp.findings import one
from shlo_lsp.view import RequestFailed, View, text_edits, workspace_edit

if TYPE_CHECKING:
    from shlo.language.refactor.following import Following

TITLE: Final = "Let everything below follow"
SPAN: Final = "follow"
"""The entry of an action's data that holds the span that it was offered for."""
_FOLLOWS, _COUNTS = "follows", "counts"


def follow_actions(view: View, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    """Yields the action where a type was changed, with its edits for clients that cannot ask later."""
    if not is_wanted(QUICK_FIX, params.context.only):
        return
    span = view.span(params.range)
    finding = can_follow(view.document, span)
    if finding is None:
        return
    findings = [one(finding, view.edition.lines)]
    action = types.CodeAction(TITLE, types.CodeActionKind.QuickFix, findings)
    if view.client.knows("text_document.code_action.resolve_support.properties", "edit"):
        action.data = {"uri": view.uri, "version": view.edition.version, SPAN: [*span]}
        yield action
    elif following := let_follow(view.document, span):
        action.edit = following_edit(view, following)
        yield action


def resolve(view: View, action: types.CodeAction) -> types.CodeAction:
    """Returns the action with its edits; raises RequestFailed where nothing can follow."""
    start, end = (int(offset) for offset in cast("dict[str, Any]", action.data)[SPAN])
    following = let_follow(view.document, Span(start, end))
    if following is None:
        raise RequestFailed("nothing can follow: the change is one of rank, or contradicts another one")
    action.edit = following_edit(view, following)
    return action


def following_edit(view: View, following: Following) -> types.WorkspaceEdit:
    """Returns the edits, which a person confirms in a preview where the client has one."""
    if not view.client.can("workspace.workspace_edit.change_annotation_support"):
        return workspace_edit(view, following.edits)
    edits: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = [
        types.AnnotatedTextEdit(
            _COUNTS if edit in following.likely else _FOLLOWS, plain.range, plain.new_text
        )
        for edit, plain in zip(following.edits, text_edits(view, following.edits))
    ]
    document = types.OptionalVersionedTextDocumentIdentifier(view.uri, view.edition.version)
    return types.WorkspaceEdit(
        document_changes=[types.TextDocumentEdit(document, edits)], change_annotations=_annotations(following)
    )


def _annotations(following: Following) -> dict[types.ChangeAnnotationIdentifier, types.ChangeAnnotation]:
    stops = [finding.message for finding in following.stops]
    more = f"{plural(len(stops), 'place')} cannot follow: {'; '.join(stops)}" if stops else None
    annotations = {_FOLLOWS: types.ChangeAnnotation("Types and shapes that follow", True, more)}
    if following.likely:
        likely = "that they count elements is likely, not certain"
        annotations[_COUNTS] = types.ChangeAnnotation("Numbers that follow", True, likely)
    return annotations
