"""Code actions that fix findings: of one, of all of a kind, of all in a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from lsprotocol import types

from shlo.ir.diagnostics import Applicability, Diagnostic
from shlo.language import Edit
from shlo.language.diagnostics import diagnostics
from shlo.language.fixes.fix_all import fix_all
from shlo.language.fixes.fixes import fixes
from shlo.text.shortening import capitalized
from shlo_lsp.findings import one
from shlo_lsp.view import View, workspace_edit

QUICK_FIX = types.CodeActionKind.QuickFix.value
FIX_ALL = types.CodeActionKind.SourceFixAll.value
FIX_ALL_SHLO = f"{FIX_ALL}.shlo"
IS_FIX = "fixes"
"""The entry of an action's data that holds the code of the findings to fix, None for all."""
KINDS: list[types.CodeActionKind | str] = [types.CodeActionKind.QuickFix, FIX_ALL_SHLO]


def is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Returns whether actions of a kind are asked for: those of a kind that contains it, or all."""
    return not only or any(f"{kind}.".startswith(f"{getattr(wanted, 'value', wanted)}.") for wanted in only)


def quick_fixes(view: View, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    """Yields the fixes of the findings that a range touches, the certain ones as preferred, then those of all
    findings of their kinds and of the file, which are certain alone."""
    only = params.context.only
    codes: dict[str, Diagnostic] = {}
    if is_wanted(QUICK_FIX, only):
        for fix in fixes(view.document, view.span(params.range)):
            is_certain = fix.applicability is Applicability.CERTAIN
            if is_certain:
                codes.setdefault(fix.finding.code, fix.finding)
            yield types.CodeAction(
                capitalized(fix.title),
                types.CodeActionKind.QuickFix,
                [one(fix.finding, view.edition.lines)],
                is_preferred=is_certain,
                edit=workspace_edit(view, fix.edits),
                data={"applicability": fix.applicability.value},
            )
        yield from _of_kinds(view, codes)
    if only and is_wanted(FIX_ALL_SHLO, only):
        yield from _whole(view)
    elif (
        not only
        and codes
        and view.client.knows("text_document.code_action.resolve_support.properties", "edit")
    ):
        yield _later(view, "Fix all in file", QUICK_FIX, None)  # menus of fixes leave other kinds out


def _of_kinds(view: View, codes: dict[str, Diagnostic]) -> Iterator[types.CodeAction]:
    """Yields an action for each code that several findings have."""
    if not view.client.knows("text_document.code_action.resolve_support.properties", "edit"):
        return
    counts: dict[str, int] = {}
    for finding in diagnostics(view.document):
        counts[finding.code] = counts.get(finding.code, 0) + 1
    for code in codes:
        if counts.get(code, 0) > 1:
            yield _later(view, f"Fix all findings {code} in file", QUICK_FIX, code)


def _later(view: View, title: str, kind: str, code: str | None) -> types.CodeAction:
    """Returns an action whose edits are computed when it is chosen."""
    data = {"uri": view.uri, "version": view.edition.version, IS_FIX: code}
    return types.CodeAction(title, kind, data=data)


def _whole(view: View) -> Iterator[types.CodeAction]:
    fixed = fix_all(view.document)
    if fixed.edits:
        yield types.CodeAction("Fix all in file", FIX_ALL_SHLO, edit=workspace_edit(view, fixed.edits))


def resolve(view: View, action: types.CodeAction) -> types.CodeAction:
    """Returns an action with its edits."""
    code = cast("dict[str, Any]", action.data).get(IS_FIX)
    edits: tuple[Edit, ...] = fix_all(view.document, code if isinstance(code, str) else None).edits
    action.edit = workspace_edit(view, edits)
    return action
