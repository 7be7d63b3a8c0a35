"""What is wrong with a document, in its own offsets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from shlo.ir.diagnostics import Diagnostic
from shlo.language.document import Document, Part


def diagnostics(document: Document) -> list[Diagnostic]:
    """The findings of every program of a document, in the order of the text."""
    return [finding for part in document.parts for finding in part_diagnostics(part)]


def part_diagnostics(part: Part) -> Iterator[Diagnostic]:
    """The findings of one program, with spans in the document."""
    return (_placed(part, finding) for finding in part.diagnostics)


def _placed(part: Part, finding: Diagnostic) -> Diagnostic:
    related = tuple(replace(each, span=part.place(each.span)) for each in finding.related)
    fix = finding.fix and replace(finding.fix, span=part.place(finding.fix.span))
    return replace(finding, span=part.place(finding.span), related=related, fix=fix)
