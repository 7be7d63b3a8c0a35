"""One finding for one mistake: what a wrong definition or an edit causes elsewhere is related to its finding.

Two things tell what is one mistake. A program that was valid until an edit within a line has that one: its
finding is on the line, and all others follow from it. Types with which all others disagree are in one
operation, or in the head of a function: uses are judged as if it were right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic, Related
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.diagnostics import part_diagnostics
from shlo.language.document import Document, Part
from shlo.language.refactor.changed import changed_at
from shlo.syntax.lexer.tokens import line_span

MAX_RELATED: Final = 8
"""How many findings that follow are shown with the one that they follow from."""
MAX_DISPUTED: Final = 1_000_000
"""How many characters a program has in which the operation is looked for that all others disagree with."""
_WORD: Final = re.compile(r"[\w%@#$.<>-]*")


@recursive
def shown_diagnostics(document: Document) -> list[Diagnostic]:
    """Returns the findings of every program of a document, one for each mistake where that can be told."""
    return [finding for part in document.parts for finding in shown_part_diagnostics(part)]


@recursive
def shown_part_diagnostics(part: Part, strict: bool = False) -> list[Diagnostic]:
    """Returns the findings of one program, one for each mistake as far as that can be told."""
    findings = part_diagnostics(part, strict)
    errors = [finding for finding in findings if finding.severity == "error"]
    if not errors or "expected-" in part.text:
        return findings
    cause = _edited(part, errors) or _disputed(part, errors)
    if cause is None:
        return findings
    first, followers = cause
    kept = [finding for finding in findings if finding is not first and finding not in followers]
    return sorted([_joined(part, first, followers), *kept], key=lambda finding: finding.span.start)


def cause_of(document: Document, finding: Diagnostic) -> Diagnostic:
    """Returns a finding as it was found, where it is shown at what was edited."""
    if not finding.related:
        return finding
    findings = part_diagnostics(document.part_at(finding.span.start))
    spans = (finding.span, finding.related[0].span)
    causes = (
        cause
        for span in spans
        for cause in findings
        if (cause.span, cause.message) == (span, finding.message)
    )
    return next(causes, finding)


def _edited(part: Part, errors: Sequence[Diagnostic]) -> tuple[Diagnostic, list[Diagnostic]] | None:
    """Returns the finding of an edit within a line, since which the program is not valid, and all others."""
    edited = part.edited_since_valid
    if edited is None:
        return None
    line = part.place(line_span(part.text, edited.start))
    here = [finding for finding in errors if finding.span.touches(line)]
    first = min(here, key=lambda finding: _distance(finding.span, part.place(edited)), default=errors[0])
    return first, [finding for finding in errors if finding is not first]


def _distance(one: Span, other: Span) -> int:
    return max(0, one.start - other.end, other.start - one.end)


def _disputed(part: Part, errors: Sequence[Diagnostic]) -> tuple[Diagnostic, list[Diagnostic]] | None:
    """Returns the finding of the operation whose types all others disagree with, and what follows from it."""
    mismatches = [finding for finding in errors if finding.code == "type-mismatch"]
    if not mismatches or len(errors) < 2 or len(part.text) > MAX_DISPUTED:
        return None
    start, end = mismatches[0].span
    place = changed_at(part, Span(start - part.start, end - part.start))
    if place is None:
        return None
    own = [finding for finding in errors if _owner(part, finding) == place.start]
    first = next(iter(own), mismatches[0])
    return first, [finding for finding in dict.fromkeys((*own, *mismatches)) if finding is not first]


def _owner(part: Part, finding: Diagnostic) -> int:
    return part.index.place_at(finding.span.start - part.start).start


def _joined(part: Part, first: Diagnostic, followers: Sequence[Diagnostic]) -> Diagnostic:
    """Returns a finding with those that follow from it, at what was edited if it is elsewhere."""
    related = tuple(Related(finding.span, finding.message) for finding in followers[:MAX_RELATED])
    edited = part.edited_since_valid
    if edited is None or _shares_line(part, first.span, edited):
        return replace(first, related=(*first.related, *related))
    place = Related(first.span, first.message)
    return replace(
        first, span=part.place(_word_at(part.text, edited)), related=(place, *first.related, *related)
    )


def _shares_line(part: Part, span: Span, edited: Span) -> bool:
    line = part.place(line_span(part.text, edited.start))
    return span.touches(line)


def _word_at(text: str, span: Span) -> Span:
    """Returns the word around a span, which may be empty."""
    line = line_span(text, span.start)
    words = (word.span() for word in _WORD.finditer(text, line.start, line.end))
    return next(
        (Span(*word) for word in words if word[0] <= span.start <= word[1] and word[0] < word[1]), span
    )
