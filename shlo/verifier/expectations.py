"""What comments in a program say must be found: `expected-error {{words}}`, as the MLIR tools read them.

    // expected-error@+1 {{words}}      one line below (`@-1` above; `@above`, `@below`; `@unknown` anywhere)
    // expected-warning-re {{a {{[0-9]+}} b}}    words with regular expressions in braces

What is compared is the line, the severity and, where asked for, the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic, Severity
from shlo.ir.operations import BROKEN, Module
from shlo.ir.source import Source, Span

_ANNOTATION: Final = re.compile(
    r"expected-(error|warning|note|remark)(-re)? *(?:@([+-]\d{1,9}|above|below|unknown))? *\{\{(.*)\}\}"
)
CODE: Final = "expectation"
"""The code of a finding about what is expected and not found."""
_PIECE: Final = re.compile(r"\{\{(.*?)\}\}")
_COMPARED: Final[tuple[Severity, ...]] = ("error", "warning", "note")


class Expectation(Struct, frozen=True):
    """An annotation: what must be found in a line (None: in any), and where the annotation is."""

    severity: str
    line: int | None
    words: str
    is_pattern: bool
    span: Span

    def is_met_by(self, message: str) -> bool:
        """Returns whether a message holds the words."""
        if not self.is_pattern:
            return self.words in message
        try:
            parts = _PIECE.split(self.words)
            pattern = [f"(?:{part})" if index % 2 else re.escape(part) for index, part in enumerate(parts)]
            return re.search("".join(pattern), message) is not None
        except re.error:
            return False


class Said(Struct, frozen=True):
    """A finding or a note of one, as annotations are compared with it: the lines that may refer to it are
    that of the place it shows and that of the operation it is about. `function` is where the function is that
    holds it, None outside of all."""

    severity: Severity
    lines: frozenset[int]
    message: str
    span: Span
    code: str
    function: Span | None = None


def expectations_of(source: Source) -> Iterator[Expectation]:
    """Yields the annotations of a text."""
    lines = source.text.split("\n")
    for number, text in enumerate(lines, 1):
        match = _ANNOTATION.search(text)
        if match:
            start = source.line_starts[number - 1]
            span = Span(start + match.start(), start + match.end())
            line = _line(number, match[3], lines)
            yield Expectation(match[1], line, match[4], match[2] is not None, span)


def _line(number: int, offset: str | None, lines: Sequence[str]) -> int | None:
    """Returns the line that an annotation refers to, which holds no annotation itself."""
    if offset == "unknown":
        return None
    if offset not in ("above", "below"):
        return number + int(offset or 0)
    step = -1 if offset == "above" else 1
    number += step
    while 0 < number <= len(lines) and _ANNOTATION.search(lines[number - 1]):
        number += step
    return number


def said_of(source: Source, module: Module, findings: Sequence[Diagnostic]) -> list[Said]:
    """What is said of a program: of one that cannot be read the first mistake alone, as the MLIR tools do."""
    faults = [finding for finding in findings if finding.operation is None and finding.severity == "error"]
    if faults:
        return list(_said(source, faults[0], _around(source, module, faults[0].span), None))
    return [
        reported
        for finding in findings
        for reported in _said(source, finding, finding.operation, _function(module, finding))
    ]


def _said(
    source: Source, finding: Diagnostic, operation: Span | None, function: Span | None
) -> Iterator[Said]:
    spans = (finding.span, operation or finding.span)
    lines = frozenset(source.line_of(span.start) for span in spans)
    yield Said(finding.severity, lines, finding.message, finding.span, finding.code, function)
    for related in finding.related:
        line = source.line_of(related.span.start)
        yield Said("note", frozenset((line,)), related.message, related.span, finding.code, function)


def _around(source: Source, module: Module, span: Span) -> Span | None:
    """Returns the innermost operation around a place, None where there is none. What an operation lacks at
    its end is missed at the next word, which belongs to it here.
    """
    innermost = None
    for operation, op_span in module.walk():
        if operation.name == BROKEN and op_span.end <= span.start:
            if not source.text[op_span.end : span.start].strip():
                return op_span
        elif op_span.start <= span.start <= op_span.end:
            innermost = op_span
    return innermost


def _function(module: Module, finding: Diagnostic) -> Span | None:
    """Returns the function that holds what a finding is about."""
    start = (finding.operation or finding.span).start
    spans = (span for operation, span in module.walk() if operation.name == "func.func")
    return next((span for span in spans if span.start <= start < span.end), None)


def unmet(
    source: Source, module: Module, findings: Sequence[Diagnostic], match_text: bool = False
) -> list[Diagnostic]:
    """Annotations that nothing found meets, and errors that none speaks of.

    The MLIR tools go no further in a function when an operation of it is wrong, so an error behind another
    one of its function may go without annotation. Warnings and notes may, too: we give more of them.
    """
    reported, expected = said_of(source, module, findings), list(expectations_of(source))
    wrong = [
        Diagnostic(
            f'expected {expectation.severity} "{expectation.words}" was not found', expectation.span, CODE
        )
        for expectation in expected
        if expectation.severity in _COMPARED
        and not any(_meets(report, expectation, match_text) for report in reported)
    ]
    for number, report in enumerate(reported):
        is_expected = any(_meets(report, expectation, match_text) for expectation in expected)
        is_behind = any(_is_behind(report, other) for other in reported[:number])
        if report.severity == "error" and not (is_expected or is_behind):
            wrong.append(Diagnostic(f"unexpected error: {report.message}", report.span, report.code))
    return sorted(wrong, key=lambda item: item.span)


def with_expectations(
    source: Source, findings: Sequence[Diagnostic], is_complete: bool = True
) -> list[Diagnostic]:
    """Returns findings as an editor shows them: one that an annotation expects is a hint without a fix, and
    one that is expected and not found a warning, if the findings are complete. Words are not compared."""
    expected = list(expectations_of(source)) if "expected-" in source.text else []
    if not expected:
        return list(findings)
    collected: list[Diagnostic] = []
    met: set[int] = set()
    for finding in findings:
        reported = list(_said(source, finding, finding.operation, None))
        meets = [
            n
            for n, expectation in enumerate(expected)
            if any(_meets(one, expectation, False) for one in reported)
        ]
        met.update(meets)
        is_expected = any(_meets(reported[0], expected[number], False) for number in meets)
        expected_one = replace(finding, severity="hint", message=f"expected: {finding.message}", fix=None)
        collected.append(expected_one if is_expected else finding)
    if is_complete:
        collected += [
            Diagnostic(
                f'expected {expectation.severity} "{expectation.words}" was not found',
                expectation.span,
                CODE,
                "warning",
            )
            for number, expectation in enumerate(expected)
            if number not in met and expectation.severity in _COMPARED
        ]
    return collected


def _is_behind(reported: Said, other: Said) -> bool:
    """Returns whether another error comes first in the same function."""
    return other.severity == "error" and reported.function is not None and reported.function == other.function


def _meets(reported: Said, expectation: Expectation, match_text: bool) -> bool:
    return (
        reported.severity == expectation.severity
        and (expectation.line is None or expectation.line in reported.lines)
        and (not match_text or expectation.is_met_by(reported.message))
    )
