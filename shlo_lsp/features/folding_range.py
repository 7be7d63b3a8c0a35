"""What can be folded."""

from __future__ import annotations

from lsprotocol import types

from shlo.language.folding import Fold, folds
from shlo_lsp.view import View

KINDS = {"comment": types.FoldingRangeKind.Comment}
MAX_FOLDS = 5_000


def answer(view: View, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """The stretches that can be folded, in the order of the text."""
    lines_only = view.client.can("text_document.folding_range.line_folding_only")
    ranges = [_range(view, fold, lines_only) for fold in folds(view.document)]
    return [each for each in ranges if not lines_only or each.end_line > each.start_line][:MAX_FOLDS]


def _range(view: View, fold: Fold, lines_only: bool) -> types.FoldingRange:
    """The range of a fold. Where whole lines fold, the one with the bracket that closes stays to see."""
    start, end = view.position(fold.span.start), view.position(fold.span.end)
    line, first, _ = view.edition.lines.line_at(fold.span.end)
    closes = fold.kind == "region" and not view.document.text[first : fold.span.end].strip()
    last = line - 1 if lines_only and closes else line
    return types.FoldingRange(
        start.line, max(last, start.line), start.character, end.character, KINDS.get(fold.kind)
    )
