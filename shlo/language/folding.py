"""What an editor can fold: regions, operations and attributes over several lines, constants, comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Literal

import numpy as np

from shlo.ir.dtypes import Array
from shlo.ir.op_path import OpPath, header_spans
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part
from shlo.support.cancellation import checkpoint
from shlo.support.records import dataclass
from shlo.syntax.lexer.tokens import CLOSING, line_span, tokens
from shlo.syntax.lexer.trivia import end_of_code

FoldingKind = Literal["region", "constant", "operation", "attributes", "locations", "comment", "resources"]

RUNS: dict[str, tuple[FoldingKind, re.Pattern[str]]] = {
    "#": (
        "locations",
        re.compile(r"(?:[ \t]*+#[\w$.-]++[ \t]*+=[ \t]*+loc\([^\n]*+(?:\n|\Z)){2,}+", re.ASCII),
    ),
    "//": ("comment", re.compile(r"(?:[ \t]*+//[^\n]*+(?:\n|\Z)){2,}+")),
    "{-#": ("resources", re.compile(r"\{-#.*?#-\}", re.DOTALL)),
}
"""Lines that are folded together, by how the first one begins: their kind, and all of them."""
FIRST = re.compile(r"[ \t]*+(#|//|\{-#)")
BEHIND_BREAK = re.compile(rf"\n{FIRST.pattern}")
"""The same behind a line break, which is found quickly: `^` looks at every character."""
OUTSIDE = re.compile(r"^(?:[#!]|\{-#)", re.MULTILINE)
"""What is behind the outermost operation: definitions of aliases, resources."""
BIG_CONSTANT = 120
"""How many characters a constant's text has that is worth folding on one line."""


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
    for place in _worth_a_look(part, root):
        yield from _of_operation(text, place)
    behind = _line_behind_operations(root, text)
    yield from _runs(text, 0, behind)
    yield from _runs_behind(part, behind)


def _line_behind_operations(root: OpPath, text: str) -> int:
    """Returns where the first line starts behind the operations inside of the outermost one."""
    ends = [block.ends[-1] for region in root.operation.regions for block in region.blocks if block.ends]
    if not ends:
        return 0
    return text.find("\n", root.start + ends[-1]) + 1 or len(text)


def _runs_behind(part: Part, start: int) -> Iterator[Fold]:
    """Yields the runs of lines from a line on: mostly a table of locations, which may be half of a large text
    and which edits of operations leave alone."""
    text = part.text[start:]
    kept: tuple[str, list[Fold]] = part.knowledge.folded or ("", [])
    if kept[0] != text:
        kept = text, [*_runs(text, 0, len(text))]
        part.knowledge.folded = kept
    for fold in kept[1]:
        yield Fold(Span(start + fold.span.start, start + fold.span.end), fold.kind)


def _runs(text: str, start: int, end: int) -> Iterator[Fold]:
    """Yields the lines that are folded together in a stretch of a text that begins where a line does."""
    begins = FIRST.match(text, start, end)
    for found in chain([begins] if begins else [], BEHIND_BREAK.finditer(text, start, end)):
        kind, pattern = RUNS[found[1]]
        line = found.start() if found is begins else found.start() + 1
        match = pattern.match(text, line, end) if line >= start else None
        if match is not None:
            yield Fold(Span(line, line + len(match[0].rstrip("\n"))), kind)
            start = match.end()


def _worth_a_look(part: Part, root: OpPath) -> Iterator[OpPath]:
    """Yields the operations that have regions, are written on several lines, or hold a long constant."""
    breaks = _line_breaks(part.text)
    pending = [root]
    while pending:
        place = pending.pop()
        checkpoint()
        for number, region in enumerate(place.operation.regions):
            for position, block in enumerate(region.blocks):
                starts, ends = (
                    np.frombuffer(each, np.int64) + place.start for each in (block.starts, block.ends)
                )
                lines = breaks[np.searchsorted(breaks, starts)] < ends
                long = ends - starts >= BIG_CONSTANT
                operations = block.operations
                for index in np.flatnonzero(lines | long).tolist():
                    operation = operations[index]
                    if lines[index] or operation.name.endswith(".constant"):
                        found = OpPath(
                            operation, int(starts[index]), int(ends[index]), place, number, position
                        )
                        yield found
                        if operation.regions:
                            pending.append(found)


def _line_breaks(text: str) -> Array:
    """Returns the offsets of a text's line breaks, and one behind its end."""
    if text.isascii():
        found = np.flatnonzero(np.frombuffer(text.encode(), np.uint8) == ord("\n"))
    else:
        found = np.flatnonzero(
            np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32) == ord("\n")
        )
    return np.append(found, len(text) + 1)


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
            yield from _of_brackets(text, Span(place.start, end), line_end)


def _of_brackets(text: str, span: Span, after: int) -> Iterator[Fold]:
    """Yields what is in brackets over several lines, the outermost where several begin on a line, from lines
    behind a place."""
    opened: list[int] = []
    found: list[Span] = []
    for token in tokens(text, *span):
        if token.text in CLOSING.values():
            opened.append(token.span.end)
        elif token.text in CLOSING and opened:
            inside = Span(opened.pop(), token.span.start)
            if inside.start > after and text.find("\n", *inside) >= 0:
                found.append(inside)
    lines: set[int] = set()
    for inside in sorted(found):
        line = line_span(text, inside.start).start
        if line not in lines:
            lines.add(line)
            yield Fold(inside, "attributes")


def _of_regions(text: str, place: OpPath) -> Iterator[Fold]:
    """Yields each region's inside, from behind its `{` to before its `}`."""
    for region in place.operation.regions:
        blocks = [block for block in region.blocks if block.starts]
        if not blocks:
            continue
        first, last = place.start + blocks[0].starts[0], place.start + blocks[-1].ends[-1]
        opening = text.rfind("{", place.start, first)
        closing = text.find("}", last, place.end)
        if opening >= 0 and text.find("\n", opening, last) >= 0:
            yield Fold(Span(opening + 1, closing if closing >= 0 else place.end), "region")
    for start, end in header_spans(place):
        if place.parent is None and start > place.start and (outside := OUTSIDE.search(text, start, end)):
            end = outside.start()
        if text.count("\n", start, end) > 1:  # another one than that before or behind a region
            yield from _of_brackets(text, Span(start, end), start - 1)
