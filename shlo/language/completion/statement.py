"""The operation that is being typed: its line before the cursor, readable or not."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal

from msgspec import Struct

from shlo.dialects.attr_constraints import AttrDef
from shlo.dialects.opdef import OpDef
from shlo.ir.op_path import OpPath
from shlo.ir.operations import Region
from shlo.language.document import Part
from shlo.language.hover.op_docs import op_def_named
from shlo.language.index.op_names import RESULTS
from shlo.syntax.lexer.tokens import Token, line_span, tokens

HEAD = re.compile(rf'\s*(?P<results>{RESULTS.pattern})?\s*(?P<name>"?[A-Za-z_][\w.$]*"?)?', re.ASCII)
OPEN, CLOSE = "([{<", ")]}>"


class Entries(Struct, frozen=True):
    """A list of `name = value` at the cursor: an operation's attributes, those of a function's argument or
    result, or the parameters of the struct attribute `struct`; the words that it holds already."""

    kind: Literal["", "dictionary", "argument", "struct"]
    words: frozenset[str] = frozenset()
    struct: str = ""


NO_ENTRIES = Entries("")


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
        place = self.part.index.place_at(self.start)
        while place.parent is not None and not self._is_in_region(place):
            place = place.parent
        return place

    @property
    def region(self) -> tuple[int, Region] | None:
        """The region of the holder in which the statement is."""
        found = None
        for number, region in enumerate(self.holder.operation.regions):
            starts = [block.starts[0] for block in region.blocks if block.starts]
            if found is None or (starts and self.holder.start + starts[0] <= self.start):
                found = (number, region)
        return found

    @property
    def default_dialect(self) -> str | None:
        """The dialect whose name may be left out."""
        op_def = op_def_named(self.holder.operation.name)
        if op_def is not None:
            return op_def.default_dialect
        return "func" if self.holder.parent else "builtin"

    def _is_in_region(self, place: OpPath) -> bool:
        """Returns whether the statement's start is inside an operation's braces."""
        if place.start >= self.start or not place.operation.regions:
            return False
        children = [
            (place.start + block.starts[0], place.start + block.ends[-1])
            for region in place.operation.regions
            for block in region.blocks
            if block.starts
        ]
        text = self.part.text
        before = [end for start, end in children if start <= self.start]
        return "{" in text[place.start : self.start] and not (
            before and before[-1] < self.start and "}" in text[before[-1] : self.start]
        )

    def type_colon(self, end: int) -> int | None:
        """Returns the place of the colon outside of brackets before an offset, behind which the operation's
        types are; None without one."""
        depth, found = 0, None
        for token in self.tokens:
            if token.span.end > end:
                break
            if token.kind == "mark":
                depth += (token.text in OPEN) - (token.text in CLOSE)
                if token.text == ":" and depth == 0:
                    found = token.span.start
        return found

    def entries(self, end: int) -> Entries:
        """Returns in which list of `name = value` an offset is, and what is written there."""
        before = [token for token in self.tokens if token.span.end <= end]
        stack: list[int] = []
        for number, token in enumerate(before):
            if token.kind == "mark" and token.text in OPEN:
                stack.append(number)
            elif token.kind == "mark" and token.text in CLOSE and stack:
                stack.pop()
        if not stack:
            return NO_ENTRIES
        opening = stack[-1]
        text, previous = before[opening].text, before[opening - 1] if opening else None
        names = frozenset(token.text for token in before[opening + 1 :] if token.kind == "word")
        if text == "<" and previous is not None and previous.kind == "attribute":
            return Entries("struct", names, previous.text)
        if text == "<" and opening > 1 and self.op_def and before[opening - 1].text == "=":
            spec = self.op_def.attribute(before[opening - 2].text)
            struct = spec.constraint.uses if spec else None
            return Entries("struct", names, f"#{struct.name}") if isinstance(struct, AttrDef) else NO_ENTRIES
        if text != "{":
            return NO_ENTRIES
        name = self.op_def.name if self.op_def else ""
        word = previous.text if previous else ""
        if name == "func.func" and word != "attributes" and not self.is_generic:
            is_type = len(stack) > 1 or any(token.text == "->" for token in before[:opening])
            return Entries("argument", names) if is_type and word != ")" else NO_ENTRIES
        if (
            self.op_def
            and self.op_def.regions
            and word not in ("attributes", "<", ")")
            and not self.is_generic
        ):
            return NO_ENTRIES
        return Entries("dictionary", names)

    @property
    def is_generic(self) -> bool:
        """Whether the operation is written in the generic form."""
        return self.name is not None and self.part.text.startswith('"', self.name[0])


def statement_at(part: Part, offset: int) -> Statement:
    """Returns the operation that is being typed at an offset of a part."""
    start = line_span(part.text, offset).start
    place = part.index.place_at(offset)
    match = HEAD.match(part.text, start, line_span(part.text, offset).end)
    is_continued = place.parent is not None and not place.operation.regions and place.start < start
    if is_continued and not (match and (match["results"] or "." in (match["name"] or ""))):
        start = place.start
        match = HEAD.match(part.text, start)
    name = match.span("name") if match and match["name"] else None
    first = name[0] if name else start
    return Statement(part, offset, min(start, first), name, bool(match and match["results"]))
