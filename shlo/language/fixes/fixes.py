"""Edits that resolve a finding; each that did not come with it has been tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.op_path import OpPath
from shlo.ir.source import Span
from shlo.language.diagnostics import diagnostics, part_diagnostics
from shlo.language.document import Document, Edit, Part
from shlo.language.fixes.repairs import (
    Repair,
    conversions,
    missing_attributes,
    nearest_names,
    right_types,
)
from shlo.language.hover.markdown import shortened

MAX_FINDINGS = 4
"""How many findings of a place are looked at."""
MAX_TRIED = 12
"""How many edits are tried for one finding; each is a reading of what it changes."""
MAX_OFFERED = 3
"""How many edits are offered for one finding."""


@dataclass(frozen=True, slots=True)
class QuickFix:
    """What to call the edits, the edits, none of which depends on another, and the finding that they mend."""

    title: str
    edits: tuple[Edit, ...]
    finding: Diagnostic


def fixes(document: Document, span: Span) -> Iterator[QuickFix]:
    """Yields the edits that mend the findings which a span touches, for each the best first."""
    touched = (
        finding
        for finding in diagnostics(document)
        if finding.span.start <= span.end and span.start <= finding.span.end
    )
    for finding in islice(touched, MAX_FINDINGS):
        fix = finding.fix
        own = [QuickFix(fix.title, (Edit(fix.span, fix.replacement),), finding)] if fix else []
        yield from own
        if finding.severity == "error":
            known = {fix.edits for fix in own}
            others = (fix for fix in _tried(document, finding) if fix.edits not in known)
            yield from islice(others, MAX_OFFERED)


def _tried(document: Document, finding: Diagnostic) -> Iterator[QuickFix]:
    part = document.part_at(finding.span.start)
    place = part.index.place_at(finding.span.start - part.start)
    for repair in islice(_repairs(part, place, finding), MAX_TRIED):
        edits = tuple(_placed(part, edit) for edit in repair.edits)
        left = _errors_after(document, part.place(place.span), edits) if edits else [finding]
        is_gone = (finding.code, finding.message) not in {(each.code, each.message) for each in left}
        if is_gone and not (left and repair.is_whole):
            yield QuickFix(shortened(repair.title), edits, finding)


def _repairs(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    local = Span(finding.span.start - part.start, finding.span.end - part.start)
    yield from nearest_names(part, local)
    yield from missing_attributes(part, place)
    yield from conversions(part, place)
    yield from right_types(part, place)


def _errors_after(document: Document, span: Span, edits: Sequence[Edit]) -> list[Diagnostic]:
    """What is wrong with an operation, and with what the edits put before it, after the edits."""
    backwards = sorted(edits, key=_start, reverse=True)
    after = document.edit(backwards)
    end = span.end + sum(len(edit.text) - _length(edit) for edit in edits if _start(edit) <= span.end)
    return [
        each
        for each in part_diagnostics(after.part_at(span.start))
        if span.start <= each.span.start <= end and each.severity == "error"
    ]


def _start(edit: Edit) -> int:
    return edit.span.start if edit.span else 0


def _length(edit: Edit) -> int:
    return edit.span.end - edit.span.start if edit.span else 0


def _placed(part: Part, edit: Edit) -> Edit:
    assert edit.span is not None
    return Edit(part.place(edit.span), edit.text)
