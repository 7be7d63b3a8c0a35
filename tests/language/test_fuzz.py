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
from shlo.language.formatting import format_document, format_range
from shlo.language.hints import hints
from shlo.language.hover.hover import hover
from shlo.language.lenses import lenses
from shlo.language.navigation import definition, references
from shlo.language.rename import RenameError, rename, renameable
from shlo.language.selection import selections
from shlo.language.symbols import OutlineItem, outline
from shlo.language.tokens import semantic_tokens
from tests.language.programs import BROKEN, PROGRAM
from tests.mutations import SNIPPETS

pytestmark = pytest.mark.slow

HOSTILE = 'func.func @"`<b>\\0A# x\\1B[31m"(%a: tensor<2xf32>) {\n  "e.v"(%a) {x = "\\E2\\80\\AE](http://x)"} : (tensor<2xf32>) -> ()\n  return\n}\n'
ALIASES = '#a = dense<1> : tensor<2xi32>\n!t = tensor<2xi32>\n#loc1 = loc("f":1:2)\n'
TEXTS = (
    f"{ALIASES}{PROGRAM}// -----\n{BROKEN}// -----\n{HOSTILE}",
    f"\ufeffmodule @m {{\n{PROGRAM}{HOSTILE}}}\n".replace("\n", "\r\n"),
)
EDITS = 60


@pytest.mark.parametrize("text", TEXTS, ids=["parts", "windows"])
@pytest.mark.parametrize("seed", [1, 20261120])
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


def ask_everywhere(document: Document, offsets: list[int]) -> None:
    """Every question, those about places at the offsets; places in the answers are places of the text."""
    size = len(document.text)
    spans = [fold.span for fold in folds(document)] + [lens.span for lens in lenses(document)]
    spans += [token.span for token in semantic_tokens(document)]
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
            documentation(completion)
        for fix in fixes(document, Span(offset, offset)):
            spans += [edit.span for edit in fix.edits if edit.span]
        shown = hover(document, offset)
        spans += [shown.span] if shown else []
        spans += [each.span for each in references(document, offset)] + selections(document, offset)
        spans += [span for span in (definition(document, offset), renameable(document, offset)) if span]
        with contextlib.suppress(RenameError):
            spans += [edit.span for edit in rename(document, offset, "new") if edit.span]
    assert all(0 <= span.start <= span.end <= size for span in spans)


def outline_spans(item: OutlineItem) -> list[Span]:
    return [item.span, item.name_span, *(span for child in item.children for span in outline_spans(child))]
