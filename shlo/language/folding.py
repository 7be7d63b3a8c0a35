"""What an editor can fold: regions, operations and attributes over several lines, constants, comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Literal

from msgspec import Struct

from shlo.ir.op_path import OpPath, header_spans
from shlo.ir.operations import Block
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.chunks import Chunks
from shlo.language.document import Document, Part
from shlo.support.cancellation import checkpoint
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


class Fold(Struct, frozen=True):
    """A range that can be hidden, from behind what stays visible; it may be on one line."""

    span: Span
    kind: FoldingKind


@recursive
def folds(document: Document) -> list[Fold]:
    """What can be folded, in the order of the text."""
    all_folds = [Fold(part.place(fold.span), fold.kind) for part in document.parts for fold in _folds(part)]
    return sorted(all_folds, key=lambda fold: fold.span)


class _KnownFolds(Struct, frozen=True):
    """What an edition leaves to the next: of its operations the numbers of those that are worth a look, and
    the text behind them with what can be folded there."""

    chunks: Chunks[list[int]]
    behind: str
    folds: list[Fold]


def _folds(part: Part) -> Iterator[Fold]:
    root, text = part.index.root, part.text
    earlier: _KnownFolds | None = part.knowledge.folded
    chunks = Chunks(earlier and earlier.chunks)
    if part.module.start or text.startswith(("module", "builtin.module", '"builtin.module')):
        yield from _of_operation(text, root)
    for op_path in _worth_a_look(text, root, chunks):
        yield from _of_operation(text, op_path)
    chunks.forget_known()
    start = _line_behind_operations(root, text)
    yield from _runs(text, 0, start)
    # Behind them is mostly a table of locations, which may be half of a large text and which edits of
    # operations leave alone.
    behind = text[start:]
    folds = earlier.folds if earlier and earlier.behind == behind else [*_runs(behind, 0, len(behind))]
    part.knowledge.folded = _KnownFolds(chunks, behind, folds)
    for fold in folds:
        yield Fold(Span(start + fold.span.start, start + fold.span.end), fold.kind)


def _line_behind_operations(root: OpPath, text: str) -> int:
    """Returns where the first line starts behind the operations inside of the outermost one."""
    ends = [block.ends[-1] for region in root.operation.regions for block in region.blocks if block.ends]
    if not ends:
        return 0
    return text.find("\n", root.start + ends[-1]) + 1 or len(text)


def _runs(text: str, start: int, end: int) -> Iterator[Fold]:
    """Yields the lines that are folded together in a stretch of a text that begins where a line does."""
    if text.find("#", start, end) < 0 and text.find("/", start, end) < 0:
        return  # one character is found much faster than a pattern
    begins = FIRST.match(text, start, end)
    for line_break in chain([begins] if begins else [], BEHIND_BREAK.finditer(text, start, end)):
        kind, pattern = RUNS[line_break[1]]
        line = line_break.start() if line_break is begins else line_break.start() + 1
        match = pattern.match(text, line, end) if line >= start else None
        if match is not None:
            yield Fold(Span(line, line + len(match[0].rstrip("\n"))), kind)
            start = match.end()


def _worth_a_look(text: str, root: OpPath, chunks: Chunks[list[int]]) -> Iterator[OpPath]:
    """Yields the operations that are written on several lines, as all with regions are that fold, or hold a
    long constant."""
    pending = [root]
    while pending:
        holder = pending.pop()
        checkpoint()
        for number, region in enumerate(holder.operation.regions):
            for position, block in enumerate(region.blocks):
                for first, chunk in chunks.of(block, partial(_numbers, text, holder.start)):
                    for index in chunk.kept:
                        start, end = block.span(first + index, holder.start)
                        op_path = OpPath(chunk.operations[index], start, end, holder, number, position)
                        yield op_path
                        if op_path.operation.regions:
                            pending.append(op_path)


def _numbers(text: str, base: int, block: Block, start: int, stop: int) -> list[int]:
    """Returns which operations of a block, from number `start` to before `stop`, are worth a look, counted
    from the first; its places count from `base`."""
    places = zip(block.operations[start:stop], block.starts[start:stop], block.ends[start:stop])
    return [
        number
        for number, (operation, begin, end) in enumerate(places)
        if text.find("\n", base + begin, base + end) >= 0
        or (end - begin >= BIG_CONSTANT and operation.name.endswith(".constant"))
    ]


def _of_operation(text: str, op_path: OpPath) -> Iterator[Fold]:
    operation = op_path.operation
    if operation.regions:
        yield from _of_regions(text, op_path)
    elif operation.name.endswith(".constant") and op_path.end - op_path.start >= BIG_CONSTANT:
        opening = text.find("<", op_path.start, op_path.end)
        closing = text.rfind(">", op_path.start, text.rfind(":", op_path.start, op_path.end))
        if 0 <= opening < closing:
            yield Fold(Span(opening + 1, closing), "constant")
    else:
        end = end_of_code(text, op_path.start, op_path.end)
        line_end = text.find("\n", op_path.start, end)
        if line_end >= 0:
            yield Fold(Span(line_end, end), "operation")
            yield from _of_brackets(text, Span(op_path.start, end), line_end)


def _of_brackets(text: str, span: Span, after: int) -> Iterator[Fold]:
    """Yields what is in brackets over several lines, the outermost where several begin on a line, from lines
    behind a place."""
    opened: list[int] = []
    spans: list[Span] = []
    for token in tokens(text, *span):
        if token.text in CLOSING.values():
            opened.append(token.span.end)
        elif token.text in CLOSING and opened:
            inside = Span(opened.pop(), token.span.start)
            if inside.start > after and text.find("\n", *inside) >= 0:
                spans.append(inside)
    lines: set[int] = set()
    for inside in sorted(spans):
        line = line_span(text, inside.start).start
        if line not in lines:
            lines.add(line)
            yield Fold(inside, "attributes")


def _of_regions(text: str, op_path: OpPath) -> Iterator[Fold]:
    """Yields each region's inside, from behind its `{` to before its `}`."""
    for region in op_path.operation.regions:
        blocks = [block for block in region.blocks if block.starts]
        if not blocks:
            continue
        first, last = op_path.start + blocks[0].starts[0], op_path.start + blocks[-1].ends[-1]
        opening = text.rfind("{", op_path.start, first)
        closing = text.find("}", last, op_path.end)
        if opening >= 0 and text.find("\n", opening, last) >= 0:
            yield Fold(Span(opening + 1, closing if closing >= 0 else op_path.end), "region")
    for start, end in header_spans(op_path):
        if op_path.parent is None and start > op_path.start and (outside := OUTSIDE.search(text, start, end)):
            end = outside.start()
        if text.count("\n", start, end) > 1:  # another one than that before or behind a region
            yield from _of_brackets(text, Span(start, end), start - 1)
