"""Diagnostics as styled lines (place, severity, message, the line of the source, carets) and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from shlo.ir.diagnostics import (
    HINT_NOTE,
    Applicability,
    Diagnostic,
    ExecutionError,
    ParseError,
    PassError,
    RefinementError,
    ShloError,
)
from shlo.ir.source import Source, Span
from shlo.ir.suggestions import suggestion_data
from shlo.text.escape import escaped
from shlo.text.shortening import with_short_words
from shlo.text.styled import Style, StyledLine, StyledSpan, ansi_text, styled

SHOWN_AT_MOST: Final = 50
"""How many diagnostics of one file are shown."""
_LINE_WIDTH: Final = 110
_BEFORE_CARET: Final = 60
_STYLES: Final[dict[str, Style]] = {"error": "red", "warning": "yellow"}


def message_line(
    severity: str, text: str, location: str | None = None, code: str | None = None
) -> StyledLine:
    """Returns `location: severity: text [code]`."""
    start = styled(f"{location}: ", "bold") if location else ()
    end = f" [{code}]" if code else ""
    word = StyledSpan(f"{severity}:", _STYLES.get(severity, "cyan"))
    return (*start, word, StyledSpan(f" {with_short_words(text)}{end}"))


def diagnostic_lines(findings: Sequence[tuple[Source, Diagnostic]]) -> Iterator[StyledLine]:
    """Yields the lines of each diagnostic in a source: message, excerpt, related places, fix and help."""
    for source, diagnostic in findings[:SHOWN_AT_MOST]:
        position = source.place(diagnostic.span.start)
        yield message_line(diagnostic.severity, diagnostic.message, position, diagnostic.code)
        yield from excerpt_lines(source, diagnostic.span)
        for related in diagnostic.related:
            yield message_line("note", related.message, source.place(related.span.start))
            yield from excerpt_lines(source, related.span)
        if diagnostic.fix:
            yield message_line("fix", diagnostic.fix.title, source.place(diagnostic.fix.span.start))
        if diagnostic.help:
            yield message_line("help", diagnostic.help)
    if len(findings) > SHOWN_AT_MOST:
        yield styled(f"... and {len(findings) - SHOWN_AT_MOST} more")


def failure_lines(
    source: Source | None, error: ExecutionError | RefinementError | PassError
) -> Iterator[StyledLine]:
    """Yields why a run or transformation failed, its line if the source has it, and the calls up to there."""
    yield message_line("error", error.message, error.place)
    start = source.offset_of_place(error.place.removesuffix(":")) if source and error.place else None
    if source and start is not None:
        yield from excerpt_lines(source, Span(start, start + 1))
    for note in getattr(error, "__notes__", ()):
        yield message_line("note", note)


def parse_error_lines(error: ParseError) -> Iterator[StyledLine]:
    """Yields the lines of what is wrong with a text."""
    return diagnostic_lines([(error.source, diagnostic) for diagnostic in error.diagnostics])


def error_lines(error: ShloError) -> list[str]:
    """Returns an error as lines for a terminal or a notebook: findings with excerpts, else its message with
    its notes: what to do about it, and where it was called from.
    """
    if isinstance(error, ParseError):
        return ansi_text(parse_error_lines(error)).split("\n")
    lines = [message_line("error", str(error))]
    for note in getattr(error, "__notes__", ()):
        hint = note.removeprefix(HINT_NOTE)
        lines.append(message_line("note" if hint == note else "hint", hint))
    return ansi_text(lines).split("\n")


def excerpt_lines(source: Source, span: Span) -> Iterator[StyledLine]:
    """Yields the line in which a span starts, clipped around it, and carets below the span."""
    line, column = source.position(span.start)
    text = source.line_text(line)
    start = max(column - 1 - _BEFORE_CARET, 0) if len(text) > _LINE_WIDTH else 0
    end = min(start + _LINE_WIDTH, len(text))
    marked_end = min(column - 1 + max(span.end - span.start, 1), end)
    before, marked = ("..." if start else "") + text[start : column - 1], text[column - 1 : marked_end]
    yield styled(before + marked + text[marked_end:end] + ("..." if end < len(text) else ""))
    indent = "".join("\t" if character == "\t" else " " for character in escaped(before))
    yield styled(indent + "^" + "~" * (len(escaped(marked)) - 1), "green")


class SuggestedFix(Struct, frozen=True):
    """Edits that remove a finding: what to call them, how far they can be trusted, and stretches of the text
    with what replaces them."""

    title: str
    applicability: Applicability
    edits: Sequence[tuple[Span, str]]


def diagnostic_data(
    source: Source, diagnostic: Diagnostic, fixes: Sequence[SuggestedFix] = ()
) -> dict[str, Any]:
    """Returns a diagnostic and its fixes for `--format json`; lines and columns count from 1, columns in
    code points.
    """
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
            "title": with_short_words(fix.title),
            "applicability": fix.applicability.value,
            "range": _range(source, fix.span),
            "replacement": fix.replacement,
        },
        "help": with_short_words(diagnostic.help) or None,
        "suggestions": [*map(suggestion_data, diagnostic.suggestions)],
        "fixes": [
            {
                "title": with_short_words(suggested.title),
                "applicability": suggested.applicability.value,
                "edits": [
                    {"range": _range(source, span), "replacement": text} for span, text in suggested.edits
                ],
            }
            for suggested in fixes
        ],
    }


def _range(source: Source, span: Span) -> dict[str, dict[str, int]]:
    start, end = source.position(span.start), source.position(span.end)
    return {
        "start": {"line": start.line, "column": start.column},
        "end": {"line": end.line, "column": end.column},
    }
