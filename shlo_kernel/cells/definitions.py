"""The functions of a session as one program, each with the place in the cell that it comes from."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Final

from shlo.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr
from shlo.ir.diagnostics import Diagnostic, ExecutionError
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.source import Source, Span
from shlo.ir.types import FunctionType
from shlo.syntax.lexer.strings import symbol_text
from shlo.verifier import verify

CELL: Final = "<cell>"
"""The name of the function that top-level ops run in; no name in a text is like it unless it is quoted."""
_SESSION: Final = "<session>"
_EMPTY: Final = Region((), ValueTable())
_PLACE: Final = re.compile(rf"{_SESSION}:\d+:\d+")


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol (a function, a mesh) that a cell defined: its operation, and its place in which text."""

    name: str
    operation: Operation
    source: Source
    span: Span

    @property
    def text(self) -> str:
        """The definition as it was written."""
        return self.source.text[self.span.start : self.span.end]

    @property
    def headline(self) -> str:
        """The name with the type, on one line."""
        type_ = self.operation.attribute("function_type")
        shown = f" : {type_.value}" if isinstance(type_, TypeAttr) else ""
        return f"{symbol_text(self.name)}{shown}"


@dataclass(frozen=True, slots=True)
class TopLevelOps:
    """The top-level ops of a cell and the values that they use: `used` are those of the session."""

    source: Source
    operations: list[Operation]
    spans: list[Span]
    values: ValueTable
    used: Mapping[str, int]


@dataclass(frozen=True)
class Definitions:
    """The definitions of a session by name, the newest of each."""

    by_name: Mapping[str, Definition] = field(default_factory=dict[str, Definition])
    resources: Mapping[tuple[str, ...], str | bytes] = field(
        default_factory=dict[tuple[str, ...], "str | bytes"]
    )

    def with_definitions(
        self, new: Sequence[Definition], resources: Mapping[tuple[str, ...], str | bytes]
    ) -> Definitions:
        """Returns the table with new definitions, which take the place of older ones of the same names."""
        if not new:
            return self
        added = {definition.name: definition for definition in new}
        return Definitions({**self.by_name, **added}, {**self.resources, **resources})

    @cached_property
    def module(self) -> Module:
        """The definitions as a program. Its text is theirs, one after the other."""
        text = "\n".join(definition.text for definition in self.by_name.values())
        operations = [definition.operation for definition in self.by_name.values()]
        spans = (definition.span for definition in self.by_name.values())
        ends = [start + span.end - span.start for start, span in zip(self._starts, spans)]
        block = Block(operations, (), "", array("q", self._starts), array("q", ends))
        return _module(block, Source(text, _SESSION), self.resources)

    def with_cell(self, function: Operation, top_level: TopLevelOps) -> Module:
        """Returns the program with one function more, whose text is that of a cell."""
        source, block = self.module.source, self.module.body.blocks[0]
        assert source is not None
        start = len(source.text) + 1
        end = start + len(top_level.source.text)
        starts, ends = block.starts + array("q", [start]), block.ends + array("q", [end])
        longer = Block([*block.operations, function], (), "", starts, ends)
        text = f"{source.text}\n{top_level.source.text}"
        return _module(longer, Source(text, _SESSION), self.resources)

    def findings(
        self, source: Source, new: Sequence[Definition], top_level: TopLevelOps | None
    ) -> list[Diagnostic]:
        """Returns what the verifier finds in a part of a cell, whose definitions are here; all others
        are only declared, so that they are not judged again."""
        if top_level is not None and (unknown := self._unknown_calls(top_level)):
            return unknown
        names = {definition.name for definition in new}
        placed = [(definition.operation, definition.span) for definition in new]
        size = len(source.text)
        if top_level is not None:
            placed.append((cell_function(top_level, ()), Span(0, size)))
        others = (each for each in self.by_name.values() if each.name not in names)
        placed += [(_declaration(each.operation), Span(size, size)) for each in others]
        starts, ends = (array("q", [span[side] for _, span in placed]) for side in (0, 1))
        block = Block([operation for operation, _ in placed], (), "", starts, ends)
        return verify(_module(block, source, self.resources))

    def _unknown_calls(self, top_level: TopLevelOps) -> list[Diagnostic]:
        """What is wrong with the calls among top-level ops: functions that there are not."""
        return [
            Diagnostic(f"there is no function {symbol_text(symbol.root)}", span)
            for operation, span in zip(top_level.operations, top_level.spans)
            if isinstance(symbol := operation.attribute("callee"), SymbolRefAttr)
            and operation.name == "func.call"
            and symbol.root not in self.by_name
        ]

    def diagnostic(self, error: ExecutionError, top_level: TopLevelOps) -> Diagnostic:
        """Why the top-level ops of a cell failed, at the one that did or that called what did."""
        source = self.with_cell(Operation(Signature("func.func")), top_level).source
        assert source is not None
        message, places = error.message, [error.place or "", *getattr(error, "__notes__", ())]
        texts = [_PLACE.search(place) for place in places]
        offsets = [source.offset_of_place(match[0]) for match in texts if match]
        text = top_level.source.text
        own = len(source.text) - len(text)
        spans = (_rest_of_line(text, offset - own) for offset in offsets if offset and offset >= own)
        span = next(spans, Span(0, 0))
        if offsets and offsets[0] is not None and offsets[0] < own:
            message += f" (in {self._origin(offsets[0])})"
        return Diagnostic(message, span, "execution")

    def place(self, text: str) -> str:
        """Returns a message in which places of the program are places in the cells."""
        source = self.module.source
        assert source is not None

        def origin(match: re.Match[str]) -> str:
            offset = source.offset_of_place(match[0])
            return match[0] if offset is None else self._origin(offset)

        return _PLACE.sub(origin, text)

    def cell_span(self, place: str) -> tuple[Source, Span] | None:
        """Returns the cell that a place of the program is in, and from there to the operands or the end of
        the line; None where it is no place."""
        match, source = _PLACE.search(place), self.module.source
        assert source is not None
        offset = source.offset_of_place(match[0]) if match else None
        if offset is None:
            return None
        definition, start = self._definition_at(offset)
        text, (_, end) = definition.source.text, _rest_of_line(definition.source.text, start)
        operands = text.find("(", start + 1, end)
        return definition.source, Span(start, end if operands < 0 else operands)

    @cached_property
    def _starts(self) -> list[int]:
        sizes = (each.span.end - each.span.start + 1 for each in self.by_name.values())
        return list(accumulate(sizes, initial=0))[:-1]

    def _origin(self, offset: int) -> str:
        """Returns the function and the `cell:line:column` of an offset in the program."""
        definition, start = self._definition_at(offset)
        line, column = definition.source.position(start)
        return f"{symbol_text(definition.name)}, {definition.source.name}:{line}:{column}"

    def _definition_at(self, offset: int) -> tuple[Definition, int]:
        """Returns the definition that an offset in the program is in, and where that is in the
        definition's cell."""
        index = bisect_right(self._starts, offset) - 1
        definition = list(self.by_name.values())[index]
        return definition, definition.span.start + offset - self._starts[index]


def _module(block: Block, source: Source, resources: Mapping[tuple[str, ...], str | bytes]) -> Module:
    operation = Operation(Signature("builtin.module"), regions=(Region((block,), ValueTable()),))
    return Module(operation, source, (), resources)


def _declaration(operation: Operation) -> Operation:
    """Returns a function without its body; any other operation itself."""
    if operation.name != "func.func":
        return operation
    properties = {**operation.signature.properties, "sym_visibility": StringAttr("private")}
    return Operation(Signature(operation.name, properties=properties), regions=(_EMPTY,))


def cell_function(top_level: TopLevelOps, results: Sequence[int]) -> Operation:
    """Returns top-level ops as a function of the session's values that they use, with `results`."""
    types = top_level.values.types
    result_types = tuple(types[value] for value in results)
    arguments = tuple(top_level.used.values())
    end = Operation(Signature("func.return", result_types), tuple(results))
    size = len(top_level.source.text)
    starts = array("q", [*(span.start for span in top_level.spans), size])
    ends = array("q", [*(span.end for span in top_level.spans), size])
    block = Block([*top_level.operations, end], arguments, "", starts, ends)
    type_ = FunctionType(tuple(types[value] for value in arguments), result_types)
    named = {"sym_name": StringAttr(CELL), "function_type": TypeAttr(type_)}
    return Operation(Signature("func.func", properties=named), regions=(Region((block,), top_level.values),))


def _rest_of_line(text: str, offset: int) -> Span:
    """Returns an operation's line from an offset on."""
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return Span(offset, max(offset + len(text[offset:end].rstrip()), offset + 1))
