"""Findings as SARIF 2.1.0, the format in which code hosts and editors take the results of analyses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import shlo
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Source, Span
from shlo.text.diagnostics import SuggestedFix
from shlo.text.shortening import with_short_words

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {"error": "error", "warning": "warning", "note": "note", "hint": "note"}


def sarif(findings: Iterable[tuple[Source, Diagnostic, Sequence[SuggestedFix]]]) -> dict[str, Any]:
    """One run of the tool with its results, each with its fixes."""
    results = [_result(source, finding, fixes) for source, finding, fixes in findings]
    rules = sorted({result["ruleId"] for result in results})
    driver = {"name": "shlo", "version": shlo.__version__, "rules": [{"id": rule} for rule in rules]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(source: Source, finding: Diagnostic, fixes: Sequence[SuggestedFix]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(finding.message)},
        "locations": [_location(source, finding.span)],
    }
    if finding.related:
        result["relatedLocations"] = [
            {**_location(source, related.span), "message": {"text": _message(related.message)}}
            for related in finding.related
        ]
    if fixes:
        result["fixes"] = [_fix(source, suggested) for suggested in fixes]
    if finding.help:
        result["message"]["text"] += f"\nhelp: {_message(finding.help)}"
    return result


def _location(source: Source, span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(source), "region": _region(source, span)}}


def _artifact(source: Source) -> dict[str, str]:
    return {"uri": quote(Path(source.name).as_posix(), safe="/:")}


def _region(source: Source, span: Span) -> dict[str, int]:
    start, end = source.position(span.start), source.position(max(span.end, span.start))
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _fix(source: Source, suggested: SuggestedFix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(source, span), "insertedContent": {"text": _plain(text)}}
        for span, text in suggested.edits
    ]
    change = {"artifactLocation": _artifact(source), "replacements": replacements}
    return {
        "description": {"text": _message(suggested.title)},
        "artifactChanges": [change],
        "properties": {"applicability": suggested.applicability.value},
    }


def _message(text: str) -> str:
    return _plain(with_short_words(text))


def _plain(text: str) -> str:
    """Returns text without halves of characters, which JSON cannot hold."""
    return text.encode("utf-8", "backslashreplace").decode()
