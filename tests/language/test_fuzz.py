"""Every feature answers, whatever is typed: seeded edits of good programs, one after another."""

from __future__ import annotations

import contextlib
import random

import pytest

from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo.language.completion.completeness import completeness
from shlo.language.completion.items import complete, documentation
from shlo.language.completion.signature import signature_help
from shlo.language.diagnostics import diagnostics
from shlo.language.fixes.fixes import fixes
from shlo.language.folding import folds
from shlo.language.formatting import format_document, format_range, indentation
from shlo.language.hierarchies.calls import callables_at, incoming_calls, outgoing_calls
from shlo.language.hierarchies.values import consumers, nodes_at, producers
from shlo.language.hints import hints
from shlo.language.hover.hover import hover
from shlo.language.lenses import lenses
from shlo.language.navigation import (
    definition,
    highlights,
    implementations,
    references,
    selections,
    type_definition,
)
from shlo.language.outline.items import OutlineItem
from shlo.language.outline.outline import outline
from shlo.language.rename import RenameError, linked, rename, renameable
from shlo.language.source_lines import links, place_at
from shlo.language.tokens import semantic_tokens
from shlo.language.unused import unused_values
from tests.language.fuzz import ALIASES, HOSTILE, run
from tests.language.programs import BROKEN, PROGRAM, TRACED
from tests.mutations import SNIPPETS

pytestmark = pytest.mark.slow

TEXTS = (
    f"{ALIASES}{PROGRAM}// -----\n{BROKEN}// -----\n{HOSTILE}",
    f"\ufeffmodule @m {{\n{PROGRAM}{HOSTILE}}}\n".replace("\n", "\r\n"),
    TRACED,
)
EDITS = 20


@pytest.mark.parametrize("text", TEXTS, ids=["parts", "windows", "traced"])
@pytest.mark.parametrize("seed", [*range(1, 6), 20261120])
def test_every_feature_survives_every_edit(text: str, seed: int):
    chance = random.Random(seed)
    document = Document(text)
    for number in range(EDITS):
        if number % 15 == 0:
            document = document.edit([Edit(None, text)])
        start = chance.randrange(len(document.text) + 1)
        end = min(start + chance.choice((0, 0, 1, 3, 30)), len(document.text))
        document = document.edit([Edit(Span(start, end), chance.choice(("", "\n", " ", *SNIPPETS)))])
        assert diagnostics(document) == diagnostics(Document(document.text)), (seed, number)
        ask_everywhere(document, [start, *(chance.randrange(len(document.text) + 1) for _ in range(6))])


@pytest.mark.parametrize("seed", [*range(1, 6), 20261122])
def test_answers_after_edits_are_those_of_a_fresh_service(seed: int):
    assert run(60, seed).faults == []


def ask_everywhere(document: Document, offsets: list[int]) -> None:
    """Every question, those about places at the offsets; places in the answers are places of the text."""
    size = len(document.text)
    spans = [fold.span for fold in folds(document)] + [lens.span for lens in lenses(document)]
    spans += [token.span for token in semantic_tokens(document)]
    spans += [hint.span for part in document.parts for hint in unused_values(part).hints]
    spans += [link.span for link in links(document.text)]
    spans += [span for item in outline(document) for span in outline_spans(item)]
    spans += [
        edit.span for edit in (*format_document(document), *format_range(document, Span(0, 9))) if edit.span
    ]
    spans += [Span(hint.offset, hint.offset) for hint in hints(document)]
    for offset in offsets:
        completeness(document.text[:offset])
        signature_help(document, offset)
        for completion in complete(document, offset):
            spans.append(completion.span)
            documentation(completion.op_name)
        for fix in fixes(document, Span(offset, offset)):
            spans += [edit.span for edit in fix.edits if edit.span]
        shown = hover(document, offset)
        spans += [shown.span] if shown else []
        spans += [each.span for each in references(document, offset)] + selections(document, offset)
        spans += [span for span in (definition(document, offset), renameable(document, offset)) if span]
        spans += hierarchy_spans(document, offset) + linked(document, offset)
        spans += [each.span for each in highlights(document, offset)] + implementations(document, offset)
        spans += [
            edit.span for typed in "\n}" for edit in indentation(document.text, offset, typed) if edit.span
        ]
        place, type_ = place_at(document, offset), type_definition(document, offset)
        spans += [place.span] if place else []
        spans += [type_] if type_ else []
        with contextlib.suppress(RenameError):
            spans += [edit.span for edit in rename(document, offset, "new") if edit.span]
    assert all(0 <= span.start <= span.end <= size for span in spans)


def hierarchy_spans(document: Document, offset: int) -> list[Span]:
    found = list(callables_at(document, offset))
    found += [call.other for call in (*incoming_calls(document, offset), *outgoing_calls(document, offset))]
    nodes = [*nodes_at(document, offset), *producers(document, offset), *consumers(document, offset)]
    return [span for each in (*found, *nodes) for span in (each.span, each.name_span)]


def outline_spans(item: OutlineItem) -> list[Span]:
    return [item.span, item.name_span, *(span for child in item.children for span in outline_spans(child))]
