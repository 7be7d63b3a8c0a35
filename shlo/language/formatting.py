"""Tidy text as edits: of a whole document or of some lines. Programs with errors stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from shlo.ir.diagnostics import ParseError
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Edit, Part
from shlo.syntax import format_text

MAX_COMPARED = 2_000
"""How many lines are compared one by one; more become one edit."""


@recursive
def format_document(document: Document) -> list[Edit]:
    """Returns the edits, in the order of the text, that make it tidy; none overlaps another."""
    return [edit for part in document.parts for edit in _edits(part)]


@recursive
def format_range(document: Document, span: Span) -> list[Edit]:
    """Returns those edits that touch a span."""
    return [
        edit
        for edit in format_document(document)
        if edit.span and edit.span.start <= span.end and span.start <= edit.span.end
    ]


def _edits(part: Part) -> Iterator[Edit]:
    tidy = _tidy(part)
    if tidy is None or tidy == part.text:
        return
    old, new = part.text.splitlines(keepends=True), tidy.splitlines(keepends=True)
    starts = [part.start]
    for line in old:
        starts.append(starts[-1] + len(line))
    for first, last, begin, end in _changes(old, new):
        yield Edit(Span(starts[first], starts[last]), "".join(new[begin:end]))


def _tidy(part: Part) -> str | None:
    """Returns a program's formatted text with its leading empty lines; None for errors."""
    if any(finding.severity == "error" for finding in part.diagnostics) or not part.text.strip():
        return None
    try:
        text = format_text(part.source)
    except ParseError:
        return None
    lead = part.text[: len(part.text) - len(part.text.lstrip("\r\n"))] if part.start else ""
    line_break = "\r\n" if "\r\n" in part.text else "\n"
    return line_break * min(lead.count("\n"), 2) + text


def _changes(old: list[str], new: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yields which lines of the old text become which of the new one."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(middle_old) == len(middle_new):
        pairs = enumerate(zip(middle_old, middle_new))
        changes = [(index, index + 1, index, index + 1) for index, (one, other) in pairs if one != other]
    elif max(len(middle_old), len(middle_new)) <= MAX_COMPARED:
        found = SequenceMatcher(None, middle_old, middle_new, autojunk=False).get_opcodes()
        changes = [change for tag, *change in found if tag != "equal"]
    else:
        changes = [(0, len(middle_old), 0, len(middle_new))]
    for first, last, begin, end in changes:
        yield first + head, last + head, begin + head, end + head


def _common(one: list[str], other: list[str]) -> int:
    """Returns how many lines are equal from the start."""
    pairs = zip(one, other)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
