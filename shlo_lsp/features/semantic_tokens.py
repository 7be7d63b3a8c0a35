"""What each word is, for colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, get_args

import numpy as np
from lsprotocol import types

from shlo.language.tokens import Modifier, SemanticKind, SemanticToken, semantic_tokens
from shlo_lsp.positions import Lines
from shlo_lsp.view import View

MAX_TEXT = 2_000_000
"""Characters of a text that is coloured as a whole; of a longer one, only lines that are visible are."""
NAMES: dict[SemanticKind, str] = {"operation": "method"}
"""Kinds that the protocol has another word for."""
KINDS: tuple[SemanticKind, ...] = get_args(SemanticKind)
MODIFIERS: tuple[Modifier, ...] = get_args(Modifier)
MEMORY = "semantic tokens"
LEGEND = types.SemanticTokensLegend([NAMES.get(kind, kind) for kind in KINDS], list(MODIFIERS))


def full(
    view: View, params: types.SemanticTokensParams | types.SemanticTokensDeltaParams
) -> dict[str, Any] | None:
    """Returns the tokens of the whole text, None where it is too long for that."""
    if len(view.document.text) > MAX_TEXT:
        return None
    data = list(numbers(semantic_tokens(view.document), view.edition.lines))
    name = f"{view.edition.version}"
    view.memory[MEMORY] = (name, data)
    return {"resultId": name, "data": data}


def delta(view: View, params: types.SemanticTokensDeltaParams) -> dict[str, Any] | None:
    """Returns what changed since the client's last answer, as one edit; else all tokens."""
    earlier_id, before = view.memory.get(MEMORY, (None, []))
    answer = full(view, params)
    if answer is None or earlier_id != params.previous_result_id:
        return answer
    head, tail = _common(before, answer["data"])
    edit = {
        "start": head,
        "deleteCount": len(before) - head - tail,
        "data": answer["data"][head : len(answer["data"]) - tail],
    }
    return {"resultId": answer["resultId"], "edits": [edit] if edit["deleteCount"] or edit["data"] else []}


def _common(before: list[int], after: list[int]) -> tuple[int, int]:
    """Returns how many numbers two lists share at their start and at their end."""
    one, other = np.array(before, np.int64), np.array(after, np.int64)
    size = min(len(one), len(other))
    head = _first_different(one[:size], other[:size])
    tail = _first_different(one[::-1][: size - head], other[::-1][: size - head])
    return head, tail


def _first_different(one: Any, other: Any) -> int:
    different = np.flatnonzero(one != other)
    return int(different[0]) if len(different) else len(one)


def visible(view: View, params: types.SemanticTokensRangeParams) -> dict[str, Any]:
    """Returns the tokens of the lines of a range."""
    tokens = semantic_tokens(view.document, view.span(params.range))
    return {"data": list(numbers(tokens, view.edition.lines))}


def numbers(tokens: Iterable[SemanticToken], lines: Lines) -> Iterator[int]:
    """Five numbers for each token: lines and columns from the one before it, length, kind, modifiers."""
    kinds = {kind: number for number, kind in enumerate(KINDS)}
    masks: dict[frozenset[Modifier], int] = {}
    line, start, following = lines.line_at(0)
    line_before = column_before = 0
    for span, kind, modifiers in tokens:
        if span.start >= following:
            line, start, following = lines.line_at(span.start)
        column = lines.units(start, span.start)
        yield line - line_before
        yield column - column_before if line == line_before else column
        yield lines.units(span.start, min(span.end, max(following, span.start)))
        yield kinds[kind]
        if modifiers not in masks:
            masks[modifiers] = sum(1 << MODIFIERS.index(modifier) for modifier in modifiers)
        yield masks[modifiers]
        line_before, column_before = line, column


ANSWERS = {
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: full,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: delta,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: visible,
}
"""What answers the requests for tokens."""
