"""The names that one operation's own text holds: results, arguments of its blocks, labels, and what it uses.

The own text is what is outside the operations in its regions. It is read on first use.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Literal

from msgspec import Struct

from shlo.ir.op_path import OpPath, header_spans
from shlo.ir.operations import BROKEN, Block
from shlo.ir.source import Span
from shlo.syntax.lexer.tokens import NAME, Token, line_span, tokens, values_and_labels

# -- Parts of edits that features share ----------------------------------------------------------------------


_VALUE_NAME = re.compile(rf"%({NAME})", re.ASCII)


def indent_of(text: str, offset: int) -> str:
    """Returns the blanks at the start of the line of an offset, those before it."""
    line = text[line_span(text, offset).start : offset]
    return line[: len(line) - len(line.lstrip())]


def whole_lines(text: str, span: Span) -> Span:
    """Returns the lines of a span with their breaks where nothing else is on them, or else the span."""
    first, last = line_span(text, span.start), line_span(text, span.end)
    has_more = text[first.start : span.start].strip() or text[span.end : last.end].strip()
    return span if has_more else Span(first.start, min(last.end + 1, len(text)))


def free_name(used: Collection[str], name: str) -> str:
    """Returns a name, or one with a number behind it, that is not known."""
    candidate, count = name, 1
    stem = f"v{name}" if name[:1].isdigit() else name  # `%0_2` is no name
    while candidate in used:
        count += 1
        candidate = f"{stem}_{count}"
    return candidate


def value_names(text: str, span: Span) -> set[str]:
    """Returns the names of all values in a part of a text, those in comments and strings with them, without
    `%` and `#`: a new name is to be none of them, and tokens of a large function take long to tell."""
    return set(_VALUE_NAME.findall(text, *span))


Role = Literal["result", "argument", "label", "use"]

RESULTS = re.compile(rf"%{NAME}(?:\s*:\s*[0-9]+)?(?:\s*,\s*%{NAME}(?:\s*:\s*[0-9]+)?)*\s*=(?!=)", re.ASCII)
TYPE_FOLLOWS = re.compile(r"\s*:(?!:)\s*(?![0-9])")
VALUE_FOLLOWS = re.compile(r"\s*=(?!=)")
LABEL_FOLLOWS = re.compile(r"\s*(?:\(\s*%[^()]*:|:(?!:))")


class NameInText(Struct, frozen=True):
    """A value's name (without `%` and `#`) or a block's label (without `^`) in an operation's own text.

    `number` is what is behind a `#`. `region` and `block` say to which block an argument or a label
    belongs; a block of None: the first one of every region, as in `while(%a = %b)`.
    """

    name: str
    number: str
    span: Span
    role: Role
    region: int = 0
    block: int | None = None


def written_results(text: str, start: int, end: int) -> str:
    """Returns the names on the left of the operation in a stretch of text, `%0, %1:2`; empty for none."""
    match = RESULTS.match(text, start, end)
    return match[0].rstrip("= \t\n") if match else ""


def own_tokens(text: str, op_path: OpPath) -> Iterator[Token]:
    """Yields the tokens of an operation's own text."""
    for start, end in header_spans(op_path):
        yield from tokens(text, start, end)


def names_of(text: str, op_path: OpPath) -> list[NameInText]:
    """Returns the names of values and labels in an operation's own text."""
    return _Reader(text, op_path).read()


class _Reader:
    """`block` is the block whose label was read last."""

    def __init__(self, text: str, op_path: OpPath) -> None:
        self.text, self.place = text, op_path
        match = RESULTS.match(text, op_path.start)
        self.results_end = match.end() if match else op_path.start
        self.labelled = _labelled(op_path)
        self.arguments = _arguments(op_path)
        self.block: tuple[int, int] | None = None
        self.is_broken = op_path.operation.name == BROKEN

    def read(self) -> list[NameInText]:
        names: list[NameInText] = []
        for start, end in header_spans(self.place):
            for token in values_and_labels(self.text, start, end):
                names.append(self._value(token) if token.kind == "value" else self._label(token))
        return names

    def _value(self, token: Token) -> NameInText:
        name, _, number = token.text[1:].partition("#")
        span = Span(token.span.start, token.span.start + len(name) + 1)
        if span.end <= self.results_end:
            return NameInText(name, number, span, "result")
        if self.block is not None and name in self._block_arguments(self.block):
            return NameInText(name, number, span, "argument", *self.block)
        if name in self.arguments:
            self.arguments.discard(name)
            return NameInText(name, number, span, "argument")
        if self.is_broken and self._is_like_an_argument(token):
            return NameInText(name, number, span, "argument")
        return NameInText(name, number, span, "use")

    def _is_like_an_argument(self, token: Token) -> bool:
        end = token.span.end
        follows = TYPE_FOLLOWS.match(self.text, end) or VALUE_FOLLOWS.match(self.text, end)
        return bool(self.place.operation.regions and follows)

    def _block_arguments(self, key: tuple[int, int]) -> set[str]:
        region = self.place.operation.regions[key[0]]
        return {region.values.names[value] for value in region.blocks[key[1]].arguments}

    def _label(self, token: Token) -> NameInText:
        label = token.text[1:]
        if self.labelled and self.labelled[0][2].label == label:
            region, position, _ = self.labelled.pop(0)
            if LABEL_FOLLOWS.match(self.text, token.span.end):
                self.block = (region, position)
                return NameInText(label, "", token.span, "label", region, position)
        return NameInText(label, "", token.span, "use")


def _labelled(op_path: OpPath) -> list[tuple[int, int, Block]]:
    return [
        (number, position, block)
        for number, region in enumerate(op_path.operation.regions)
        for position, block in enumerate(region.blocks)
        if block.label
    ]


def _arguments(op_path: OpPath) -> set[str]:
    """Returns the names of the arguments of the blocks that have no label."""
    return {
        region.values.names[value]
        for region in op_path.operation.regions
        for block in region.blocks
        if not block.label
        for value in block.arguments
    }


def outermost(op_path: OpPath) -> OpPath:
    """Returns the operation around that is right in a module."""
    return next(
        (
            outer
            for outer in op_path.around()
            if outer.parent is None or outer.parent.operation.name == "builtin.module"
        ),
        op_path,
    )


def names_around(text: str, op_path: OpPath) -> set[str]:
    """Returns the names of the values that a new one near an operation must not have: of all in the function
    around it, or, outside of functions, in the text."""
    around = outermost(op_path)
    is_function = around is not op_path or around.operation.name == "func.func"
    return value_names(text, around.span if is_function else Span(0, len(text)))
