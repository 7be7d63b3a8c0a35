"""Findings as text and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from shlo.ir.upper_layers import RichResult
from shlo.places.place import line_data, line_text
from shlo.sanitizer.findings import Finding, Findings
from shlo.sanitizer.objections import Element
from shlo.text.escape import sanitized
from shlo.text.numbers import plural

MOST_SHOWN = 20
"""How many findings are shown."""


class SanitizedRun(RichResult, Struct, frozen=True):
    """The results of a run, and what the specification leaves open in it; false where that is nothing. It is
    printed as `--sanitize` prints findings.
    """

    results: Any
    findings: Findings

    def __bool__(self) -> bool:
        return bool(self.findings)

    def __str__(self) -> str:
        return "\n".join(lines_of(self.findings))

    __repr__ = __str__


def lines_of(findings: Findings) -> Iterator[str]:
    """Yields what `--sanitize` prints."""
    for finding in list(findings)[:MOST_SHOWN]:
        yield from finding_lines(finding, findings.processes)
    more = len(findings) - MOST_SHOWN
    if more > 0:
        yield f"and {plural(more, 'more finding')}"
    count = plural(len(findings), "finding", "no")
    yield f"sanitizer: {plural(findings.looked_at, 'operation')} looked at, {count}"


def finding_lines(finding: Finding, processes: int = 1) -> Iterator[str]:
    """Yields a finding: its place and sentence, where it was first made, how often, the worst elements."""
    yield f"{title_of(finding)}: {finding.check.sentence} [{finding.check.name}]"
    python = line_text(finding.origin.line)
    if python is not None:
        yield f"  from {sanitized(python)}"
    for part in finding.path:
        yield f"  in {sanitized(part)}"
    process = f"process {finding.process} of {processes}: " if processes > 1 else ""
    again = f", in {finding.times:,} executions" if finding.times > 1 else ""
    yield f"  {process}{plural(finding.count, 'element')}{again}"
    for element in finding.worst:
        yield f"    {element_text(element)}"


def summary_of(findings: Findings, has_place: bool = False) -> str:
    """Returns the first finding in one line, with its place if asked for, and how many there are."""
    first, *_ = findings
    more = len(findings) - 1
    prefix = f"{first.place}: " if has_place and first.place else ""
    behind = f" (and {plural(more, 'more finding')})" if more else ""
    return f"{prefix}{first.check.sentence} [{first.check.name}]: {element_text(first.worst[0])}{behind}"


def title_of(finding: Finding) -> str:
    """Returns the place and the name of the operation of a finding."""
    name = finding.operation.name
    return sanitized(f"{finding.place}: {name}" if finding.place else name)


def element_text(element: Element) -> str:
    """Returns an element with what belongs to it, in one line."""
    index = f"[{', '.join(map(str, element.index))}]: " if element.index else ""
    return index + ", ".join(f"{name} {value}" for name, value in element.values)


def data_of(findings: Findings) -> dict[str, Any]:
    """Returns findings for `--format json`."""
    return {
        "looked_at": findings.looked_at,
        "left_out": findings.left_out,
        "findings": [_data(finding) for finding in findings],
    }


def _data(finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.check.name,
        "sentence": finding.check.sentence,
        "operation": finding.operation.name,
        "place": finding.place,
        "python": line_data(finding.origin.line),
        "path": list(finding.path),
        "process": finding.process,
        "executions": finding.times,
        "elements": finding.count,
        "worst": [
            {"index": list(element.index), "values": dict(element.values)} for element in finding.worst
        ],
    }
