"""Diagnostics on a screen and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shlo.command_line.console import Console
from shlo.ir.diagnostics import Diagnostic, ExecutionError, PassError, RefinementError
from shlo.ir.source import Source, Span
from shlo.text.escape import escaped

SHOWN_AT_MOST: Final = 50
"""How many findings of one file are printed."""
_LINE_WIDTH: Final = 110
_BEFORE_CARET: Final = 60


def print_findings(console: Console, findings: Sequence[tuple[Source, Diagnostic]]) -> None:
    """Prints each finding in a source as `file:line:col: error: message [code]`, with its line and carets."""
    for source, diagnostic in findings[:SHOWN_AT_MOST]:
        place = _place(source, diagnostic.span)
        console.message(diagnostic.severity, diagnostic.message, place, diagnostic.code)
        print_excerpt(console, source, diagnostic.span)
        for related in diagnostic.related:
            console.message("note", related.message, _place(source, related.span))
            print_excerpt(console, source, related.span)
        if diagnostic.fix:
            console.message("fix", diagnostic.fix.title, _place(source, diagnostic.fix.span))
        if diagnostic.help:
            console.message("help", diagnostic.help)
    if len(findings) > SHOWN_AT_MOST:
        console.note(f"... and {len(findings) - SHOWN_AT_MOST} more")


def print_failure(
    console: Console, source: Source | None, error: ExecutionError | RefinementError | PassError
) -> None:
    """Prints why a run or a refinement failed as `file:line:col: error: message`, with its line where the
    source has it, and the calls that led there."""
    console.message("error", error.message, error.place)
    start = source.offset_of_place(error.place.removesuffix(":")) if source and error.place else None
    if source and start is not None:
        print_excerpt(console, source, Span(start, start + 1))
    for note in getattr(error, "__notes__", ()):
        console.message("note", note)


def print_excerpt(console: Console, source: Source, span: Span) -> None:
    """Prints the line in which a span starts, clipped around it, and carets below the span."""
    line, column = source.position(span.start)
    text = source.line_text(line)
    start = max(column - 1 - _BEFORE_CARET, 0) if len(text) > _LINE_WIDTH else 0
    before, at, after = _cut(text, start, column - 1, max(span.end - span.start, 1))
    console.note(f"{before}{at}{after}")
    indent = "".join("\t" if character == "\t" else " " for character in escaped(before))
    console.marks(indent + "^" + "~" * (len(escaped(at)) - 1))


def finding_data(source: Source, diagnostic: Diagnostic) -> dict[str, Any]:
    """Returns a finding for `--format json`; lines and columns count from 1, columns in code points."""
    fix = diagnostic.fix
    return {
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "range": _range(source, diagnostic.span),
        "related": [
            {"message": related.message, "range": _range(source, related.span)}
            for related in diagnostic.related
        ],
        "fix": fix
        and {
            "title": fix.title,
            "range": _range(source, fix.span),
            "replacement": fix.replacement,
        },
        "help": diagnostic.help or None,
    }


def _cut(text: str, start: int, caret: int, length: int) -> tuple[str, str, str]:
    """What is before, at and after the carets, of a line that is shown from `start` on."""
    end = min(start + _LINE_WIDTH, len(text))
    before = ("..." if start else "") + text[start:caret]
    after = text[min(caret + length, end) : end] + ("..." if end < len(text) else "")
    return before, text[caret : min(caret + length, end)], after


def _place(source: Source, span: Span) -> str:
    line, column = source.position(span.start)
    return f"{source.name}:{line}:{column}"


def _range(source: Source, span: Span) -> dict[str, dict[str, int]]:
    start, end = source.position(span.start), source.position(span.end)
    return {
        "start": {"line": start.line, "column": start.column},
        "end": {"line": end.line, "column": end.column},
    }
