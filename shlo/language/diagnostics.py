"""What is wrong with a document, in its own offsets: what the parser found, and what the verifier did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from shlo.dialects import find_op_def
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.recursion import recursive
from shlo.language.document import Document, Part
from shlo.syntax.parser.unknown_dialects import once_per_dialect
from shlo.verifier import unregistered_findings
from shlo.verifier.cascading import with_name_suggestions, without_cascading


@recursive
def diagnostics(document: Document) -> list[Diagnostic]:
    """Returns the findings of every program of a document, in the order of the text."""
    return [finding for part in document.parts for finding in part_diagnostics(part)]


@recursive
def part_diagnostics(part: Part) -> list[Diagnostic]:
    """Returns the findings of one program, with spans in the document, in the order of the text."""
    found = [*syntax_diagnostics(part), *verification_diagnostics(part)]
    return sorted(found, key=lambda finding: finding.span.start) if part.findings else found


def syntax_diagnostics(part: Part) -> Iterator[Diagnostic]:
    """Yields what the parser found in a program."""
    found = with_name_suggestions(part.diagnostics, part.module, part.text)
    return _placed(part, once_per_dialect(found))


def verification_diagnostics(part: Part) -> Iterator[Diagnostic]:
    """Yields what the verifier found in what of a program could be read, without the echoes of what the
    parser found, and once for each dialect what it left out."""
    found = without_cascading(part.findings, part.diagnostics, part.module, part.text)
    return _placed(part, chain(found, unregistered_findings(part.module)))


def link_of(code: str) -> str | None:
    """Returns where the specification has the operation whose constraint a finding's code names, such as
    `dot_general-C10`; None where it has none."""
    name = code.rpartition("-")[0]
    op_def = find_op_def(name) or find_op_def(f"stablehlo.{name}")
    return op_def.url if op_def else None


def _placed(part: Part, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    for finding in found:
        related = tuple(replace(each, span=part.place(each.span)) for each in finding.related)
        fix = finding.fix and replace(finding.fix, span=part.place(finding.fix.span))
        operation = finding.operation and part.place(finding.operation)
        yield replace(finding, span=part.place(finding.span), related=related, fix=fix, operation=operation)
