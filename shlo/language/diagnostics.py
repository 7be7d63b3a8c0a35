"""What is wrong with a document, in its own offsets: what the parser found, and what the verifier did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.recursion import recursive
from shlo.language.document import Document, Part
from shlo.syntax.parser.definitions import is_guest, once_per_dialect
from shlo.verifier import unregistered_findings
from shlo.verifier.cascading import with_name_suggestions, without_cascading
from shlo.verifier.expectations import with_expectations


@recursive
def diagnostics(document: Document, strict: bool = False) -> list[Diagnostic]:
    """Returns the findings of every program of a document, in the order of the text.

    Operations of dialects that are not known are findings where `strict` only. What a comment
    `expected-error` speaks of is a hint.
    """
    return [finding for part in document.parts for finding in part_diagnostics(part, strict)]


@recursive
def part_diagnostics(part: Part, strict: bool = False) -> list[Diagnostic]:
    """Returns the findings of one program, with spans in the document, in the order of the text."""
    findings = [*_of_syntax(part, strict), *_of_verification(part, strict)]
    findings = with_expectations(part.source, findings)
    return list(_placed(part, sorted(findings, key=lambda finding: finding.span.start)))


def syntax_diagnostics(part: Part, strict: bool = False) -> Iterator[Diagnostic]:
    """Yields what the parser found in a program."""
    return _placed(part, with_expectations(part.source, _of_syntax(part, strict), is_complete=False))


def _of_syntax(part: Part, strict: bool) -> list[Diagnostic]:
    suggested = with_name_suggestions(_judged(part, strict), part.module, part.text, part.start == 0)
    return once_per_dialect(suggested)


def _judged(part: Part, strict: bool) -> list[Diagnostic]:
    """Returns what the parser found, without what is said of guests unless that is asked for."""
    return (
        part.diagnostics
        if strict
        else [diagnostic for diagnostic in part.diagnostics if not is_guest(diagnostic)]
    )


def _of_verification(part: Part, strict: bool) -> Iterator[Diagnostic]:
    """Yields what the verifier found in what of a program could be read, without the echoes of what the
    parser found, and if asked for once for each dialect what it left out."""
    yield from without_cascading(part.findings, _judged(part, strict), part.module, part.text)
    if strict:
        yield from unregistered_findings(part.module)


def link_of(code: str) -> str | None:
    """Returns where the specification has the operation whose constraint a finding's code names, such as
    `dot_general-C10`; None where it has none."""
    name = code.rpartition("-")[0]
    op_def = find_op_def(name) or find_op_def(f"stablehlo.{name}")
    return op_def.url if op_def else None


def _placed(part: Part, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    for finding in diagnostics:
        related = tuple(replace(note, span=part.place(note.span)) for note in finding.related)
        fix = finding.fix and replace(finding.fix, span=part.place(finding.fix.span))
        operation = finding.operation and part.place(finding.operation)
        yield replace(finding, span=part.place(finding.span), related=related, fix=fix, operation=operation)
