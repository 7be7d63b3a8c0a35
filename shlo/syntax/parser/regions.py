"""Parses regions and blocks, and the state that all parts of the parser share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shlo.ir.attributes import Attribute
from shlo.ir.diagnostics import Diagnostic, Related
from shlo.ir.locations import Location
from shlo.ir.operations import NO_ATTRIBUTES, Block, Region, Signature, ValueTable
from shlo.ir.source import Source, Span
from shlo.ir.types import Type
from shlo.syntax.assembly_format.parsed_operation import EntryArgument, OperationReader, ValueUse
from shlo.syntax.attributes.parse_locations import parse_trailing_location
from shlo.syntax.lexer.cursor import SUFFIX, Context, SyntaxFault
from shlo.syntax.parser.recovery import next_operation
from shlo.syntax.parser.scope import Scope
from shlo.syntax.types.parse import parse_type


class Labels:
    """The blocks of a region by label: each gets a number when it is first spoken of, and a position when it
    is read."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.uses: dict[str, Span] = {}
        self.positions: dict[int, int] = {}

    def number(self, label: str, use: Span | None = None) -> int:
        if use is not None:
            self.uses.setdefault(label, use)
        return self.numbers.setdefault(label, len(self.numbers))


class ParsedRegion(NamedTuple):
    """A region, where its text ends, and the dialect that may be left out in it."""

    region: Region
    end: int
    dialect: str


class RegionParser(OperationReader):
    """Reads regions. `scope` holds the values that are visible, `labels` the blocks of the region being read,
    `origin` is the offset of the operation whose regions are being read, `default_dialect` the dialect whose
    name may be left out, `parse_regions` those of its regions
    that have been read: where the operation turns out to be broken they are not read again."""

    def __init__(self, source: Source, context: Context | None) -> None:
        super().__init__(source.text, context, 1 if source.text.startswith("\ufeff") else 0)
        self.source = source
        self.scope = Scope(self.diagnostics)
        self.labels = Labels()
        self.origin = 0
        self.default_dialect = "builtin"
        self.parse_regions: list[ParsedRegion] = []

    @abstractmethod
    def operations(self, block: Block) -> None:
        """Reads operations into a block until `}`, a block's label or the end of the text follows."""

    @property
    def values(self) -> ValueTable:
        return self.scope.values

    def type_of(self, use: ValueUse) -> Type:
        value = self.scope.lookup(use.name)
        if value is None:
            self.fail(f"use of undeclared value '%{use.name}'", use.span)
        return self.scope.values.types[value]

    def signature(
        self,
        name: str,
        operand_types: tuple[Type, ...],
        result_types: tuple[Type, ...],
        properties: Mapping[str, Attribute] = NO_ATTRIBUTES,
        attributes: Mapping[str, Attribute] = NO_ATTRIBUTES,
    ) -> Signature:
        return Signature(
            name, operand_types, result_types, properties or NO_ATTRIBUTES, attributes or NO_ATTRIBUTES
        )

    def location(self) -> Location | None:
        return parse_trailing_location(self)

    def region(self, arguments: Sequence[EntryArgument] | None = None, isolated: bool = False) -> Region:
        region = self.nested(
            lambda: self._isolated_region(arguments) if isolated else self.plain_region(arguments)
        )
        self.parse_regions.append(ParsedRegion(region, self.pos, self.default_dialect))
        return region

    def _isolated_region(self, arguments: Sequence[EntryArgument] | None) -> Region:
        outer, self.scope = self.scope, self.isolated_scope()
        region = self.plain_region(arguments)
        self.close_scope()
        self.scope = outer
        return region

    def isolated_scope(self) -> Scope:
        """A scope for an isolated region of the operation that is being read."""
        return self.scope.isolated()

    def close_scope(self) -> None:
        """Reports the names that the scope's texts use and do not define."""
        self.scope.close()

    def plain_region(self, arguments: Sequence[EntryArgument] | None) -> Region:
        opening = self.skip()
        self.expect("{", "before a region")
        size, outer, self.labels = len(self.scope.names), self.labels, Labels()
        blocks: list[Block] = []
        if arguments and self.peek() == "^":
            self.report("a block whose arguments are named above has no label", self.token_span())
        if arguments or (self.peek() != "^" and (arguments is not None or self.peek() != "}")):
            blocks.append(self._entry_block(arguments or ()))
        while self.peek() == "^":
            blocks.append(self._labelled_block(len(blocks)))
        self._close_region(opening)
        if arguments is None and len(blocks) == 1 and not blocks[0].operations and not blocks[0].label:
            blocks = []
        self._place_successors(blocks)
        self.labels = outer
        self.scope.leave_region(size)
        return Region(tuple(blocks), self.scope.values)

    def _close_region(self, opening: int) -> None:
        if self.accept("}"):
            return
        self.leave_nothing_out()
        end = Span(self.pos, self.pos)
        related = (Related(Span(opening, opening + 1), "the region starts here"),)
        if not any(diagnostic.span == end for diagnostic in self.diagnostics):
            self.diagnostics.append(
                Diagnostic("expected '}' before the end of the text", end, related=related)
            )

    def _entry_block(self, arguments: Sequence[EntryArgument]) -> Block:
        block = self._block("", arguments)
        self.operations(block)
        return block

    def _labelled_block(self, position: int) -> Block:
        """`^label(%a: T, ...):` and its operations."""
        start = self.skip()
        try:
            label = self.label()
            number = self.labels.number(label)
            if number in self.labels.positions:
                self.report(f"the block '^{label}' is defined twice", Span(start, self.pos))
            self.labels.positions.setdefault(number, position)
            arguments = self.comma_list(self.argument, ")") if self.accept("(") else []
            self.expect(":", "after a block's label and arguments")
        except SyntaxFault as fault:
            self.report_fault(fault)
            self.pos = next_operation(self.text, max(self.pos, start + 1))
            label, arguments = "", []
        block = self._block(label, arguments)
        self.operations(block)
        return block

    def label(self) -> str:
        self.expect("^")
        match = SUFFIX.match(self.text, self.pos)
        if not match:
            self.fail("expected a block's label after '^'")
        self.pos = match.end()
        return match[0]

    def argument(self) -> EntryArgument:
        """`%a: T loc(...)`."""
        use = self.operand()
        self.expect(":", "after an argument's name")
        return EntryArgument(use, parse_type(self), self.location())

    def _block(self, label: str, arguments: Sequence[EntryArgument]) -> Block:
        values: list[int] = []
        for use, type_, _ in arguments:
            if use is None:
                values.append(self.scope.unnamed(type_, self.pos))
            else:
                if "#" in use.name:
                    self.report("the name of an argument has no '#'", use.span)
                values.append(self.scope.define(use.name, type_, use.span))
        locations = tuple(argument.location for argument in arguments)
        return Block([], tuple(values), label, argument_locations=locations if any(locations) else ())

    def _place_successors(self, blocks: list[Block]) -> None:
        """Turns the numbers of labels into positions of blocks, once all blocks have been read."""
        for label, span in self.labels.uses.items():
            if self.labels.numbers[label] not in self.labels.positions:
                self.report(f"no block has the label '^{label}'", span)
        positions = self.labels.positions
        for block in blocks:
            for operation in block.operations:
                if operation.successors:
                    operation.successors = tuple(
                        (positions.get(number, 0), values) for number, values in operation.successors
                    )
