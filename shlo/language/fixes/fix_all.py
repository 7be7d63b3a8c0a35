"""All findings of a program fixed at once: the certain fix of each, again until nothing changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.diagnostics import diagnostics
from shlo.language.document import Document, Edit
from shlo.language.fixes.fixes import QuickFix, fixes_of
from shlo.language.fixes.trial import joined

MAX_ROUNDS = 5
"""How often a program is read again after edits."""
MAX_FIXES = 500
"""How many findings are fixed in one round."""


class Fixed(Struct, frozen=True):
    """A document after fixes, the edits of its text that lead there, and what the fixes are called with their
    findings."""

    document: Document
    edits: tuple[Edit, ...]
    applied: tuple[QuickFix, ...]


@recursive
def fix_all(document: Document, code: str | None = None) -> Fixed:
    """Returns a document after the certain fixes of all findings, or of those of one code."""
    edits: list[tuple[Span, str]] = []
    applied: list[QuickFix] = []
    texts = {document.text}
    hopeless: set[tuple[str, str, str]] = set()
    for _ in range(MAX_ROUNDS):
        chosen = list(_chosen(document, code, hopeless))
        if not chosen:
            break
        after = _after(document, chosen)
        if len(chosen) > 1 and _count(after) >= _count(document):
            chosen = chosen[:1]  # they do not go together
            after = _after(document, chosen)
        if after.text in texts or _count(after) >= _count(document):
            break  # it would go on for ever
        texts.add(after.text)
        text = document.text
        for edit in _backwards(chosen):
            start, end = edit.span or Span(0, 0)
            edits = joined(edits, Span(start, end), edit.text, text)
            text = text[:start] + edit.text + text[end:]
        applied += chosen
        document = after
    return Fixed(document, tuple(Edit(span, text) for span, text in edits), tuple(applied))


def _chosen(document: Document, code: str | None, hopeless: set[tuple[str, str, str]]) -> Iterator[QuickFix]:
    """Yields the certain fix of each finding that has one; none that touches the text of another."""
    edited: list[Span] = []
    for finding in diagnostics(document):
        key = (finding.code, finding.message, _line(document, finding))
        if key in hopeless or (code is not None and finding.code != code):
            continue
        fix = next(iter(fixes_of(document, finding, 1, only_certain=True)), None)
        if fix is None:
            hopeless.add(key)
            continue
        spans = [edit.span for edit in fix.edits if edit.span is not None]
        if not any(one.touches(other) for one in spans for other in edited):
            edited += spans
            yield fix
        if len(edited) >= MAX_FIXES:
            return


def _line(document: Document, finding: Diagnostic) -> str:
    line, _ = document.source.position(finding.span.start)
    return document.source.line_text(line)


def _after(document: Document, chosen: Sequence[QuickFix]) -> Document:
    return document.edit(_backwards(chosen))


def _backwards(chosen: Sequence[QuickFix]) -> list[Edit]:
    every = [edit for fix in chosen for edit in fix.edits]
    return sorted(every, key=lambda edit: edit.span or Span(0, 0), reverse=True)


def _count(document: Document) -> tuple[int, int]:
    """Returns how many findings a document has, without hints and with them."""
    findings = diagnostics(document)
    return sum(finding.severity != "hint" for finding in findings), len(findings)
