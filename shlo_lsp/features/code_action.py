"""Edits that mend a finding."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from shlo.ir.source import Span
from shlo.language.fixes.fixes import fixes
from shlo_lsp.features.edits import workspace_edit
from shlo_lsp.findings import one
from shlo_lsp.view import View

OPTIONS = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])


def answer(view: View, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The fixes of the findings that a range touches."""
    wanted = params.context.only
    if wanted and not any(types.CodeActionKind.QuickFix.value.startswith(each) for each in wanted):
        return []
    return list(_actions(view, params.range))


def _actions(view: View, range_: types.Range) -> Iterator[types.CodeAction]:
    begun: set[Span] = set()
    for fix in fixes(view.document, view.span(range_)):
        is_first = fix.finding.span not in begun
        begun.add(fix.finding.span)
        yield types.CodeAction(
            fix.title,
            types.CodeActionKind.QuickFix,
            [one(fix.finding, view.edition.lines)],
            is_preferred=is_first,
            edit=workspace_edit(view, fix.edits),
        )
