"""Findings as text and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from shlo.ir.upper_layers import RichResult
from shlo.places.card import Card, card_text
from shlo.places.place import Place, line_data
from shlo.places.remedies import INDEX, INTEGERS, NARROW, Remedy
from shlo.runner.python_source import PythonSources
from shlo.sanitizer.findings import Finding, Findings
from shlo.sanitizer.objections import Element
from shlo.text.numbers import plural

MOST_SHOWN = 20
"""How many findings are shown."""

_REMEDIES: Final[dict[str, Remedy]] = {
    "clamped": INDEX,
    "dropped": INDEX,
    "wrapped": INTEGERS,
    "lost": NARROW,
}


class SanitizedRun(RichResult, Struct, frozen=True):
    """The results of a run, and what the specification leaves open in it; false where that is nothing. It is
    printed as `--sanitize` prints findings.
    """

    results: Any
    findings: Findings
    sources: PythonSources

    def __bool__(self) -> bool:
        return bool(self.findings)

    def __str__(self) -> str:
        return "\n".join(lines_of(self.findings, self.sources))

    __repr__ = __str__


def lines_of(findings: Findings, sources: PythonSources) -> Iterator[str]:
    """Yields what `--sanitize` prints: a card for each finding."""
    for finding in list(findings)[:MOST_SHOWN]:
        yield card_text(finding_card(finding, sources, findings.processes))
    more = len(findings) - MOST_SHOWN
    if more > 0:
        yield f"and {plural(more, 'more finding')}"
    count = plural(len(findings), "finding", "no")
    yield f"sanitizer: {plural(findings.looked_at, 'operation')} looked at, {count}"


def finding_card(finding: Finding, sources: PythonSources, processes: int = 1) -> Card:
    """Returns the card of a finding: where it was first made, how often, the worst elements."""
    name = finding.check.name
    process = f" in process {finding.process} of {processes}" if processes > 1 else ""
    again = f", in {finding.times:,} executions" if finding.times > 1 else ""
    return sources.card_at(
        name,
        Place.at(finding.operation.name, finding.place, finding.origin),
        finding.check.deed,
        _REMEDIES.get(name),
        *(f"in {part}" for part in finding.path),
        f"{name}{process}: {plural(finding.count, 'element')}{again}",
        *map(element_text, finding.worst),
    )


def summary_of(findings: Findings, has_place: bool = False) -> str:
    """Returns the first finding in one line, with its place if asked for, and how many there are."""
    first, *_ = findings
    more = len(findings) - 1
    prefix = f"{first.place}: " if has_place and first.place else ""
    behind = f" (and {plural(more, 'more finding')})" if more else ""
    return f"{prefix}{first.check.sentence} [{first.check.name}]: {element_text(first.worst[0])}{behind}"


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
