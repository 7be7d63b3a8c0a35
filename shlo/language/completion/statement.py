"""The operation that is being typed: its line before the cursor, readable or not."""

from __future__ import annotations

import re
from functools import cached_property

from msgspec import Struct

from shlo.dialects.opdef import OpDef
from shlo.ir.op_path import OpPath
from shlo.ir.operations import Region
from shlo.language.document import Part
from shlo.language.hover.op_docs import op_def_named
from shlo.language.index.op_names import RESULTS
from shlo.syntax.lexer.tokens import Token, line_span, tokens
from shlo.syntax.parser.expectations import Expectations, expectations

HEAD = re.compile(rf'\s*(?P<results>{RESULTS.pattern})?\s*(?P<name>"?[A-Za-z_][\w.$]*"?)?', re.ASCII)
OPEN, CLOSE = "([{<", ")]}>"


class Statement(Struct, frozen=True, dict=True):
    """An operation being typed in a part. `offset` is the cursor's place in the part, `start` where the
    operation starts, `name` the place of its name."""

    part: Part
    offset: int
    start: int
    name: tuple[int, int] | None
    has_results: bool

    @property
    def text(self) -> str:
        """What is before the cursor."""
        return self.part.text[self.start : self.offset]

    @property
    def at_name(self) -> bool:
        """Whether the cursor is where the operation's name is written, or will be."""
        return self.name is None or self.offset <= self.name[1]

    @cached_property
    def op_def(self) -> OpDef | None:
        """The operation's definition, None while it has no name that one has."""
        if self.name is None or self.at_name:
            return None
        return op_def_named(self.part.text[slice(*self.name)].strip('"'), self.default_dialect or "builtin")

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens before the cursor and behind the name; the one at the cursor is the last."""
        start = self.name[1] if self.name else self.start
        return list(tokens(self.part.text, min(start, self.offset), self.offset))

    @cached_property
    def holder(self) -> OpPath:
        """The operation in whose region the statement is."""
        op_path = self.part.index.place_at(self.start)
        while op_path.parent is not None and not self._is_in_region(op_path):
            op_path = op_path.parent
        return op_path

    @property
    def region(self) -> tuple[int, Region] | None:
        """The region of the holder in which the statement is."""
        innermost = None
        for number, region in enumerate(self.holder.operation.regions):
            starts = [block.starts[0] for block in region.blocks if block.starts]
            if innermost is None or (starts and self.holder.start + starts[0] <= self.start):
                innermost = (number, region)
        return innermost

    @property
    def default_dialect(self) -> str | None:
        """The dialect whose name may be left out."""
        op_def = op_def_named(self.holder.operation.name)
        if op_def is not None:
            return op_def.default_dialect
        return "func" if self.holder.parent else "builtin"

    def _is_in_region(self, op_path: OpPath) -> bool:
        """Returns whether the statement's start is inside an operation's braces."""
        if op_path.start >= self.start or not op_path.operation.regions:
            return False
        children = [
            (op_path.start + block.starts[0], op_path.start + block.ends[-1])
            for region in op_path.operation.regions
            for block in region.blocks
            if block.starts
        ]
        text = self.part.text
        before = [end for start, end in children if start <= self.start]
        return "{" in text[op_path.start : self.start] and not (
            before and before[-1] < self.start and "}" in text[before[-1] : self.start]
        )

    def type_colon(self, end: int) -> int | None:
        """Returns the place of the colon outside of brackets before an offset, behind which the operation's
        types are; None without one."""
        depth, colon = 0, None
        for token in self.tokens:
            if token.span.end > end:
                break
            if token.kind == "mark":
                depth += (token.text in OPEN) - (token.text in CLOSE)
                if token.text == ":" and depth == 0:
                    colon = token.span.start
        return colon

    def expectations(self, end: int, typed: str = "") -> Expectations:
        """Returns what fits at an offset of the part behind the statement's start, if more is typed there."""
        dialect = self.op_def.dialect if self.op_def else "func"
        text = self.part.text[self.start : end] + typed
        return expectations(text, dialect, self.part.reading.aliases)

    @property
    def is_generic(self) -> bool:
        """Whether the operation is written in the generic form."""
        return self.name is not None and self.part.text.startswith('"', self.name[0])


def statement_at(part: Part, offset: int) -> Statement:
    """Returns the operation that is being typed at an offset of a part."""
    start = line_span(part.text, offset).start
    op_path = part.index.place_at(offset)
    match = HEAD.match(part.text, start, line_span(part.text, offset).end)
    is_continued = op_path.parent is not None and not op_path.operation.regions and op_path.start < start
    if is_continued and not (match and (match["results"] or "." in (match["name"] or ""))):
        start = op_path.start
        match = HEAD.match(part.text, start)
    name = match.span("name") if match and match["name"] else None
    first = name[0] if name else start
    return Statement(part, offset, min(start, first), name, bool(match and match["results"]))
