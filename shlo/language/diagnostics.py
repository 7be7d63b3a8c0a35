"""What is wrong with a document, in its own offsets: what the parser found, and what the verifier did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from shlo.dialects import find_card
from shlo.dialects.specification import url_of
from shlo.ir.diagnostics import Diagnostic
from shlo.language.document import Document, Part
from shlo.language.names import own_stretches
from shlo.language.places import Place

SYMBOL = re.compile(r'@(?:[\w$.-]+|"(?:[^"\\\n]|\\.)*")', re.ASCII)
MAX_HEAD = 500
"""How many characters of an operation are looked through for symbols."""
STRUCTURE = frozenset(
    (
        *("missing-terminator", "wrong-terminator", "misplaced-terminator", "misplaced-symbol"),
        *("block-count", "region-count", "block-arguments", "successors", "func.func-A6"),
    )
)
"""Codes that say how blocks and regions are built."""


def diagnostics(document: Document) -> list[Diagnostic]:
    """The findings of every program of a document, in the order of the text."""
    return [finding for part in document.parts for finding in part_diagnostics(part)]


def part_diagnostics(part: Part) -> list[Diagnostic]:
    """The findings of one program, with spans in the document, in the order of the text."""
    found = [*syntax_diagnostics(part), *verification_diagnostics(part)]
    return sorted(found, key=lambda finding: finding.span.start) if part.findings else found


def syntax_diagnostics(part: Part) -> Iterator[Diagnostic]:
    """What the parser found in a program."""
    return _placed(part, part.diagnostics)


def verification_diagnostics(part: Part) -> Iterator[Diagnostic]:
    """What the verifier found in what of a program could be read, without the echoes of what the parser
    found."""
    return _placed(part, without_echoes(part) if part.diagnostics else part.findings)


def without_echoes(part: Part) -> Iterator[Diagnostic]:
    """The verifier's findings that do not follow from what the parser found: a brace too many changes how
    blocks end, an operation that cannot be read is missing around it, or as the function that others call."""
    unread = [part.index.place_at(finding.span.start) for finding in part.diagnostics]
    touched = {place.start for each in unread for place in each.around()}
    symbols = {name for place in unread for name in _symbols(part, place)}
    for finding in part.findings:
        place = part.index.place_at(finding.span.start)
        is_echo = finding.code in STRUCTURE or place.start in touched
        if not is_echo and symbols.isdisjoint(_symbols(part, place)):
            yield finding


def _symbols(part: Part, place: Place) -> Iterator[str]:
    """The symbols on an operation's first lines."""
    start, end = own_stretches(place)[0]
    return (match[0] for match in SYMBOL.finditer(part.text, start, min(end, start + MAX_HEAD)))


def link_of(code: str) -> str | None:
    """Where the specification has the operation whose constraint a finding's code names, such as
    `dot_general-C10`; None where it has none."""
    name = code.rpartition("-")[0]
    card = find_card(name) or find_card(f"stablehlo.{name}")
    return url_of(card) if card else None


def _placed(part: Part, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    for finding in found:
        related = tuple(replace(each, span=part.place(each.span)) for each in finding.related)
        fix = finding.fix and replace(finding.fix, span=part.place(finding.fix.span))
        operation = finding.operation and part.place(finding.operation)
        yield replace(finding, span=part.place(finding.span), related=related, fix=fix, operation=operation)
