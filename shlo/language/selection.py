"""What to select around a place, step by step: the word, the operands, the brackets, the operation, the
region, what is around that."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shlo.ir.op_path import OpPath
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Document, Part
from shlo.syntax.lexer.tokens import CLOSING, NAME, line_span, token_at, tokens

OPERANDS = re.compile(rf"%{NAME}(?:#[0-9]+)?(?:\s*,\s*%{NAME}(?:#[0-9]+)?)+", re.ASCII)
"""Values with commas between them."""


@recursive
def selections(document: Document, offset: int) -> list[Span]:
    """Returns the stretches around an offset, each larger than the one before; the last is the whole text."""
    part = document.part_at(offset)
    stretches = [part.place(span) for span in _spans(part, offset - part.start)]
    stretches += [Span(part.start, part.end), Span(0, len(document.text))]
    growing: list[Span] = []
    for span in stretches:
        before = growing[-1] if growing else None
        if before is None or (span != before and span.start <= before.start and before.end <= span.end):
            growing.append(span)
    return growing


def _spans(part: Part, offset: int) -> Iterator[Span]:
    token = token_at(part.text, offset)
    if token is not None:
        yield token.span
    op_path = part.index.place_at(offset)
    if op_path.parent is not None:
        for match in OPERANDS.finditer(part.text, *line_span(part.text, offset)):
            if match.start() <= offset <= match.end() and op_path.start <= match.start():
                yield Span(*match.span())
        if not op_path.operation.regions:
            yield from _brackets(part.text, op_path.span, offset)
    for outer in op_path.around():
        if outer.parent is not None:
            yield outer.span
            yield from _region(part.text, outer, outer.parent)


def _region(text: str, op_path: OpPath, parent: OpPath) -> Iterator[Span]:
    """Yields the inside of the region that an operation is in, then the region with its braces."""
    blocks = [block for block in parent.operation.regions[op_path.region].blocks if block.starts]
    first, last = parent.start + blocks[0].starts[0], parent.start + blocks[-1].ends[-1]
    opening, closing = text.rfind("{", parent.start, first), text.find("}", last, parent.end)
    if opening >= 0 and closing >= 0:
        yield Span(opening + 1, closing)
        yield Span(opening, closing + 1)


def _brackets(text: str, span: Span, offset: int) -> Iterator[Span]:
    """Yields the brackets around an offset, inner ones first: what is inside, then with them."""
    opened: list[tuple[str, int]] = []
    for token in tokens(text, *span):
        if token.kind != "mark":
            continue
        if token.text in CLOSING.values():
            opened.append((token.text, token.span.start))
        elif token.text in CLOSING and opened and opened[-1][0] == CLOSING[token.text]:
            start = opened.pop()[1]
            if start < offset <= token.span.start:
                yield Span(start + 1, token.span.start)
                yield Span(start, token.span.end)
