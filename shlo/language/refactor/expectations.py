"""Comments that say which findings a test program must have."""

from __future__ import annotations

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Span
from shlo.language.diagnostics import part_diagnostics
from shlo.language.document import Edit, Part
from shlo.language.text_edits import indent_of
from shlo.syntax.lexer.tokens import line_span
from shlo.verifier.expectations import CODE


def unexpected(part: Part, span: Span) -> Diagnostic | None:
    """Returns the first error whose line a span of the part touches and that no comment expects."""
    found = (each for each in part_diagnostics(part) if each.severity == "error" and each.code != CODE)
    for finding in found:
        line = line_span(part.text, finding.span.start - part.start)
        if line.start <= span.end and span.start <= line.end:
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
