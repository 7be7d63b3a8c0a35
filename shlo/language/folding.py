"""What an editor can fold: regions, constants and other operations of several lines, comments, locations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from shlo.ir.op_path import OpPath, children_in, walk
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part
from shlo.syntax.lexer.trivia import end_of_code

RUNS = {
    "locations": re.compile(
        r"(?:^[ \t]*#[\w$.-]+[ \t]*=[ \t]*loc\([^\n]*(?:\n|\Z)){2,}", re.MULTILINE | re.ASCII
    ),
    "comment": re.compile(r"(?:^[ \t]*//[^\n]*(?:\n|\Z)){2,}", re.MULTILINE),
    "resources": re.compile(r"^\{-#.*?#-\}", re.MULTILINE | re.DOTALL),
}
"""Lines that are folded together, by kind."""
BIG_CONSTANT = 120
"""How many characters a constant's text has that is worth folding on one line."""

FoldingKind = Literal["region", "constant", "operation", "locations", "comment", "resources"]


@dataclass(frozen=True, slots=True)
class Fold:
    """A range that can be hidden, from behind what stays visible; it may be on one line."""

    span: Span
    kind: FoldingKind


@recursive
def folds(document: Document) -> list[Fold]:
    """What can be folded, in the order of the text."""
    found = [Fold(part.place(fold.span), fold.kind) for part in document.parts for fold in _folds(part)]
    return sorted(found, key=lambda fold: fold.span)


def _folds(part: Part) -> Iterator[Fold]:
    root = part.index.root
    text = part.text
    if part.module.start or text.startswith(("module", "builtin.module", '"builtin.module')):
        yield from _of_operation(text, root)
    for place in walk(root):
        yield from _of_operation(text, place)
    for kind, pattern in RUNS.items():
        for match in pattern.finditer(text):
            yield Fold(Span(match.start(), len(match[0].rstrip("\n")) + match.start()), kind)  # type: ignore[arg-type]


def _of_operation(text: str, place: OpPath) -> Iterator[Fold]:
    operation = place.operation
    if operation.regions:
        yield from _of_regions(text, place)
    elif operation.name.endswith(".constant") and place.end - place.start >= BIG_CONSTANT:
        opening = text.find("<", place.start, place.end)
        closing = text.rfind(">", place.start, text.rfind(":", place.start, place.end))
        if 0 <= opening < closing:
            yield Fold(Span(opening + 1, closing), "constant")
    else:
        end = place.start + end_of_code(text[place.start : place.end])
        line_end = text.find("\n", place.start, end)
        if line_end >= 0:
            yield Fold(Span(line_end, end), "operation")


def _of_regions(text: str, place: OpPath) -> Iterator[Fold]:
    """Yields each region's inside, from behind its `{` to before its `}`."""
    for number, region in enumerate(place.operation.regions):
        inside = list(children_in(place, number, region))
        if not inside:
            continue
        opening = text.rfind("{", place.start, inside[0].start)
        closing = text.find("}", inside[-1].end, place.end)
        if opening >= 0 and text.find("\n", opening, inside[-1].end) >= 0:
            yield Fold(Span(opening + 1, closing if closing >= 0 else place.end), "region")
