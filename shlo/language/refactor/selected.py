"""Operations that are selected in a text: what they take, what they leave behind, and their text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from shlo.ir.op_path import OpPath, children_in
from shlo.ir.operations import BROKEN, Operation
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.language.document import Part
from shlo.language.index.values import operands_of
from shlo.syntax.lexer.tokens import line_span, tokens
from shlo.verifier.op_cursor import is_terminator

FUNCTION = "func.func"
_LOCATION = re.compile(r"[ \t]*loc\(")


class Selected(Struct, frozen=True, dict=True):
    """Neighbouring operations of one block in a function; spans count from the start of the part."""

    part: Part
    places: tuple[OpPath, ...]

    @property
    def function(self) -> OpPath:
        """The function around."""
        return next(op_path for op_path in self.places[0].around() if op_path.operation.name == FUNCTION)

    @property
    def span(self) -> Span:
        """From the start of the first operation to the end of the last one and its location."""
        return Span(self.places[0].start, end_with_location(self.part.text, self.places[-1].end))

    @property
    def names(self) -> list[str]:
        """The names of the values of the scope, without `%`."""
        return self.places[0].values.names

    def type(self, value: int) -> Type:
        """Returns the type of a value of the scope."""
        return self.places[0].values.types[value]

    @cached_property
    def defined(self) -> frozenset[int]:
        """The values that the operations define, those in their regions included."""
        values: set[int] = set()
        for operation in self._all():
            values.update(operation.results)
            for region in operation.regions:
                for block in region.blocks:
                    values.update(block.arguments if region.values is self.places[0].values else ())
        return frozenset(values)

    @cached_property
    def inputs(self) -> tuple[int, ...]:
        """The values from outside that the operations use, in the order of their use."""
        used = dict.fromkeys(value for operation in self._all() for value in operands_of(operation))
        return tuple(value for value in used if value not in self.defined)

    @cached_property
    def outputs(self) -> tuple[int, ...]:
        """The results that are used outside, all of a pack where one is."""
        scope = self.part.index.values.scope_of(self.places[0])
        if scope is None:
            return ()
        inside = {id(operation) for operation in self._all()}
        used = {
            value
            for op_path in scope.operations
            if id(op_path.operation) not in inside
            for value in operands_of(op_path.operation)
        }
        return tuple(
            value
            for op_path in self.places
            for value in op_path.operation.results
            if not used.isdisjoint(self._same_name(op_path.operation, value))
        )

    def _same_name(self, operation: Operation, value: int) -> tuple[int, ...]:
        """Returns the results of an operation that one name names together with a result."""
        name, hash_, _ = self.names[value].partition("#")
        if not hash_:
            return (value,)
        return tuple(result for result in operation.results if self.names[result].partition("#")[0] == name)

    def _all(self) -> Iterator[Operation]:
        """Yields the operations and those in their regions that share the values of the scope."""
        pending = [op_path.operation for op_path in reversed(self.places)]
        while pending:
            operation = pending.pop()
            yield operation
            for region in operation.regions:
                if region.values is self.places[0].values:
                    for block in region.blocks:
                        pending += block.operations

    def definitions(self, values: Collection[int]) -> str:
        """Returns `%a, %5:2` for results, all of a pack with its number of results."""
        counts: dict[str, int] = {}
        for value in values:
            name = self.names[value].partition("#")[0]
            counts[name] = counts.get(name, 0) + 1
        packs = {self.names[value].partition("#")[0] for value in values if "#" in self.names[value]}
        return ", ".join(
            f"%{name}:{count}" if name in packs else f"%{name}" for name, count in counts.items()
        )

    def texts(self, values: Collection[int]) -> str:
        """Returns the names of values, as an operation uses them."""
        return ", ".join(f"%{self.names[value]}" for value in values)

    def types(self, values: Collection[int]) -> str:
        """Returns the types of values."""
        return ", ".join(str(self.type(value)) for value in values)


def selected_at(part: Part, span: Span) -> Selected | None:
    """Returns the operations that a span touches, in the innermost block that holds all of it; None where
    these are no operations of a function, or where one of them cannot be read. What ends a block is left out.
    """
    first, last = part.index.place_at(span.start), part.index.place_at(max(span.start, span.end - 1))
    around = {id(op_path.operation): op_path for op_path in first.around()}
    while id(last.operation) not in around and last.parent is not None:
        last = last.parent
    common = around.get(id(last.operation))
    if common is None:
        return None
    places = _touched(common, span) or [common]
    places = [op_path for op_path in places if not is_terminator(op_path.operation)]
    if not places or any(op_path.operation.name == BROKEN for op_path in places):
        return None
    outer = [op_path.operation.name for op_path in places[0].around()][1:]
    if FUNCTION not in outer or len({(op_path.region, op_path.block) for op_path in places}) > 1:
        return None
    return Selected(part, tuple(places))


def _touched(op_path: OpPath, span: Span) -> list[OpPath]:
    """Returns the operations directly in the regions of one that a span touches, none for an empty span."""
    if span.start == span.end:
        return []
    return [
        child
        for number, region in enumerate(op_path.operation.regions)
        for child in children_in(op_path, number, region)
        if child.start < span.end and span.start < child.end
    ]


def end_with_location(text: str, end: int) -> int:
    """Returns where the location behind an operation ends, `end` where there is none."""
    match = _LOCATION.match(text, end)
    depth = 0
    for token in tokens(text, match.end() - 1, line_span(text, end).end) if match else ():
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0:
            return token.span.end
    return end


def end_of_line(text: str, end: int) -> int:
    """Returns where a new line can begin behind an operation: at its line's end, if no code follows there."""
    line_end = line_span(text, end).end
    rest = text[end:line_end].strip()
    return end if rest and not rest.startswith("//") else line_end


def with_names(text: str, span: Span, names: Mapping[str, str]) -> str:
    """Returns a part of a text in which values have other names: of `%5#1`, that of `5#1` or else that of
    `5`, both without `%`."""
    written: list[str] = []
    at = span.start
    for token in tokens(text, *span):
        if token.kind == "value":
            name, hash_, number = token.text[1:].partition("#")
            new = names.get(token.text[1:]) or (names[name] + hash_ + number if name in names else None)
            if new is not None:
                written += [text[at : token.span.start], f"%{new}"]
                at = token.span.end
    return "".join(written) + text[at : span.end]


def indented(text: str, old: str, new: str) -> str:
    """Returns lines whose indentation `old` became `new`; the first line of `text` has none."""
    first, break_, rest = text.partition("\n")
    return new + first + break_ + re.sub(rf"(?m)^{re.escape(old)}(?=\S|[ \t])", new, rest)
