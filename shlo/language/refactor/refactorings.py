"""Refactorings that a place offers. What each costs is paid when it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from msgspec import Struct

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.diagnostics import part_diagnostics
from shlo.language.document import Document, Edit, Part
from shlo.language.index.op_names import indent_of
from shlo.language.refactor.functions import can_inline, extracted, inlined
from shlo.language.refactor.rewrites import (
    at_first_use,
    float_types,
    folded,
    in_other_form,
    meaning_of,
    with_check,
    with_element_type,
    with_probe,
    with_refined_shapes,
    without_unused,
)
from shlo.language.refactor.selected import FUNCTION, Selected, selected_at
from shlo.language.rename import rename
from shlo.syntax.lexer.tokens import line_span
from shlo.verifier.expectations import CODE

# -- Comments that say which findings a test program must have -----------------------------------------------


def unexpected(part: Part, span: Span) -> Diagnostic | None:
    """Returns the first error whose line a span of the part touches and that no comment expects."""
    errors = (
        diagnostic
        for diagnostic in part_diagnostics(part)
        if diagnostic.severity == "error" and diagnostic.code != CODE
    )
    for finding in errors:
        line = line_span(part.text, finding.span.start - part.start)
        if line.touches(span):
            return finding
    return None


def with_expectation(part: Part, finding: Diagnostic) -> list[Edit]:
    """Returns the edit that puts a comment above a line, which says that the finding must be there."""
    line = line_span(part.text, finding.span.start - part.start)
    text = part.text[line.start : line.end]
    indent = indent_of(part.text, line.start + len(text) - len(text.lstrip()))
    words = finding.message.split("\n")[0].replace("{{", "{ {").replace("}}", "} }")
    comment = f"{indent}// expected-{finding.severity} @+1 {{{{{words}}}}}\n"
    return [Edit(Span(line.start, line.start), comment)]


Kind = Literal["extract", "inline", "rewrite"]
Edits = Callable[[], "list[Edit] | None"]


class Refactoring(Struct, frozen=True):
    """An edit of a program that is offered at a place. `edits` gives the edits of the document, None where it
    turns out that there are none to make."""

    title: str
    kind: Kind
    edits: Edits


@recursive
def refactorings(document: Document, span: Span) -> list[Refactoring]:
    """Returns what can be done with the operations that a span touches. `edits` of each gives the edits."""
    part = document.part_at(span.start)
    local = Span(span.start - part.start, min(span.end, part.end) - part.start)
    selected, finding = selected_at(part, local), unexpected(part, local)
    offers = [
        *_expectation(part, finding),
        *_of_function(part, local),
        *(_offers(document, part, selected, finding is None) if selected else ()),
    ]
    return [Refactoring(offer.title, offer.kind, partial(_placed, part, offer.edits)) for offer in offers]


@recursive
def _placed(part: Part, edits: Edits) -> list[Edit] | None:
    local_edits = edits()
    if not local_edits:
        return None
    return [Edit(part.place(edit.span) if edit.span else None, edit.text) for edit in local_edits]


def _expectation(part: Part, finding: Diagnostic | None) -> Iterator[Refactoring]:
    if finding is not None:
        yield Refactoring(
            "Expect this error: say so in a comment", "rewrite", partial(with_expectation, part, finding)
        )


def _of_function(part: Part, span: Span) -> Iterator[Refactoring]:
    """Yields what is offered at a function itself."""
    op_path = part.index.place_at(span.start)
    if op_path.operation.name == FUNCTION and "?" in part.text[op_path.start : op_path.end]:
        yield Refactoring("Refine shapes here", "rewrite", partial(with_refined_shapes, part, op_path))


def _offers(document: Document, part: Part, selected: Selected, is_valid: bool) -> Iterator[Refactoring]:
    count = len(selected.places)
    what = "operation" if count == 1 else f"{count} operations"
    callee = can_inline(selected)
    if callee is not None:
        yield Refactoring(f"Put the body of @{callee} here", "inline", partial(inlined, selected))
    yield Refactoring(f"Extract {what} to a function", "extract", partial(extracted, selected, False))
    yield Refactoring(f"Extract {what} to a composite", "extract", partial(extracted, selected, True))
    if count == 1 and is_valid:
        yield Refactoring("Compute it now: put a constant here", "rewrite", partial(folded, selected))
    if count == 1:
        yield Refactoring(
            "Write in the other form, generic or pretty", "rewrite", partial(in_other_form, selected)
        )
    name = meaning_of(selected)
    if name is not None:
        yield Refactoring(
            f"Rename %{selected.names[selected.places[0].operation.results[0]]} to %{name}",
            "rewrite",
            partial(_renamed, document, part, selected, name),
        )
    for old, new in float_types(selected):
        yield Refactoring(
            f"Compute {what} in {new}, with conversions from and to {old}",
            "rewrite",
            partial(with_element_type, selected, old, new),
        )
    yield Refactoring(f"Add a probe behind {what}", "rewrite", partial(with_probe, selected))
    if count == 1:
        yield Refactoring("Check that it gives what it gives now", "rewrite", partial(with_check, selected))
        yield Refactoring("Move it down to its first use", "rewrite", partial(at_first_use, selected))
    yield Refactoring(
        "Remove what is unused in the function", "rewrite", partial(without_unused, part, selected.function)
    )


def _renamed(document: Document, part: Part, selected: Selected, name: str) -> list[Edit]:
    edits = rename(document, part.start + selected.places[0].start, name)
    return [
        Edit(edit.span and Span(edit.span.start - part.start, edit.span.end - part.start), edit.text)
        for edit in edits
    ]
