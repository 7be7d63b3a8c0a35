"""Regions and blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shlo.ir.diagnostics import Applicability, Diagnostic, Fix, Related
from shlo.ir.operations import Block, Region, ValueTable
from shlo.ir.source import Span
from shlo.ir.suggestions import Expect, advise
from shlo.syntax.assembly_format.parse_state import EntryArgument, SuccessorUse
from shlo.syntax.attributes.parse_locations import parse_trailing_location
from shlo.syntax.lexer.cursor import SUFFIX, Cursor, SyntaxFault
from shlo.syntax.lexer.tokens import line_span
from shlo.syntax.parser.scope import ParserScope
from shlo.syntax.parser.state import Labels, ParsedRegion, ParserState
from shlo.syntax.types.parse import parse_type


class RegionParser:
    """Parses regions, blocks and their labels. Implements OpAsmParser.

    `parse_operations` parses operations into a block until `}`, a block's label or the end of the text
    follows; `isolated_scope` returns a scope for an isolated region.
    """

    def __init__(
        self,
        state: ParserState,
        parse_operations: Callable[[Block], None],
        isolated_scope: Callable[[], ParserScope],
    ) -> None:
        self.state = state
        self.cursor: Cursor = state.cursor
        self._parse_operations = parse_operations
        self.isolated_scope = isolated_scope

    @property
    def values(self) -> ValueTable:
        """The values of the scope being parsed."""
        return self.state.frame.scope.values

    def region_follows(self) -> bool:
        """Returns whether a region follows, be it one whose `{` is missing."""
        return self.cursor.at("{") or self.cursor.skip() in self.state.hints.unopened

    def region(self, arguments: Sequence[EntryArgument] | None = None, isolated: bool = False) -> Region:
        """Parses `{ ... }` as a region of the operation being parsed."""
        frame = self.state.frame
        parse = self._isolated_region if isolated else self.plain_region
        region = self.cursor.nested(lambda: parse(arguments))
        frame.regions.append(ParsedRegion(region, self.cursor.pos, frame.default_dialect))
        return region

    def _isolated_region(self, arguments: Sequence[EntryArgument] | None) -> Region:
        with self.state.within(scope=self.isolated_scope()):
            region = self.plain_region(arguments)
            self.state.close_scope()
            return region

    def plain_region(self, arguments: Sequence[EntryArgument] | None) -> Region:
        """Parses `{ ... }` with the values of the scope around it."""
        cursor, scope = self.cursor, self.state.frame.scope
        opening = cursor.skip()
        if opening in self.state.hints.unopened:
            self._report_unopened()
        else:
            cursor.expect("{", "before a region")
        size = len(scope.names)
        with self.state.within(labels=Labels(), opening=opening):
            blocks: list[Block] = []
            if arguments and cursor.peek() == "^":
                cursor.report("a block whose arguments are named above has no label", cursor.token_span())
            if arguments or (cursor.peek() != "^" and (arguments is not None or cursor.peek() != "}")):
                blocks.append(self._block("", arguments or ()))
            while cursor.peek() == "^":
                blocks.append(self.labelled_block(len(blocks)))
            self._close_region(opening)
            if arguments is None and len(blocks) == 1 and not blocks[0].operations and not blocks[0].label:
                blocks = []
            self.resolve_successors(blocks)
        scope.leave_region(size)
        return Region(tuple(blocks), scope.values)

    def _close_region(self, opening: int) -> None:
        cursor = self.cursor
        if self.state.hints.ends(opening, cursor.skip()):
            self._report_missing(opening)
            return
        if cursor.accept("}"):
            return
        cursor.leave_nothing_out()
        end = Span(cursor.pos, cursor.pos)
        related = (Related(Span(opening, opening + 1), "the region starts here"),)
        if not any(diagnostic.span == end for diagnostic in cursor.diagnostics):
            cursor.diagnostics.append(
                Diagnostic(
                    "expected '}' before the end of the text",
                    end,
                    related=related,
                    suggestions=(Expect(("}",)),),
                )
            )

    def _report_unopened(self) -> None:
        """Reports a header that has ended without a `{` before its body, by indentation."""
        end = self.cursor.end_of_code
        fix = Fix("Open the body here", Span(end, end), " {", Applicability.CERTAIN)
        finding = Diagnostic("expected '{' behind this header", Span(max(end - 1, 0), end), fix=fix)
        self.cursor.diagnostics.append(finding)

    def _report_missing(self, opening: int) -> None:
        """Reports a region that has ended before the statement that follows, by indentation."""
        cursor = self.cursor
        line, text = line_span(cursor.text, cursor.pos).start, cursor.text
        start = line_span(text, opening).start
        indent = text[start:opening][: len(text[start:opening]) - len(text[start:opening].lstrip())]
        fix = Fix("Close the region here", Span(line, line), f"{indent}}}\n", Applicability.CERTAIN)
        is_generic = text[:opening].rstrip().endswith("(")
        finding = Diagnostic(
            "expected '}' before this statement",
            cursor.token_span(),
            related=(Related(Span(opening, opening + 1), "the region starts here"),),
            fix=None if is_generic or text[line : cursor.pos].strip() else fix,
            suggestions=(Expect(("}",)),),
        )
        if self.state.missing_before != finding.span.start:  # several regions end here
            cursor.diagnostics.append(finding)
            self.state.missing_before = finding.span.start

    def labelled_block(self, position: int) -> Block:
        """Parses `^label(%a: T, ...):` and its operations."""
        cursor, labels = self.cursor, self.state.frame.labels
        start = cursor.skip()
        try:
            label = self._label()
            number = labels.number(label)
            if number in labels.positions:
                cursor.report(f"the block '^{label}' is defined twice", Span(start, cursor.pos))
            labels.positions.setdefault(number, position)
            arguments = cursor.comma_list(self._argument, ")") if cursor.accept("(") else []
        except SyntaxFault as fault:
            from shlo.syntax.parser.recovery import next_operation

            cursor.report_fault(fault)
            cursor.pos = next_operation(cursor.text, max(cursor.pos, start + 1))
            return self._block("", [])
        end = cursor.end_of_code
        try:
            cursor.expect(":", "after a block's label and arguments")
        except SyntaxFault as fault:
            from shlo.syntax.parser.recovery import next_operation, operation_behind

            cursor.report_fault(fault)
            cursor.pos = operation_behind(cursor.text, end) or next_operation(cursor.text, end)
        return self._block(label, arguments)

    def _label(self) -> str:
        cursor = self.cursor
        cursor.expect("^")
        match = SUFFIX.match(cursor.text, cursor.pos)
        if not match:
            cursor.fail("expected a block's label after '^'")
        cursor.pos = match.end()
        return match[0]

    def _argument(self) -> EntryArgument:
        """Parses `%a: T loc(...)`."""
        use = self.cursor.operand()
        self.cursor.expect(":", "after an argument's name")
        return EntryArgument(use, parse_type(self.cursor), parse_trailing_location(self.cursor))

    def _block(self, label: str, arguments: Sequence[EntryArgument]) -> Block:
        """Defines a block's arguments and parses its operations."""
        scope, values = self.state.frame.scope, list[int]()
        for use, type_, _ in arguments:
            if use is None:
                values.append(scope.unnamed(type_, self.cursor.pos))
                continue
            if "#" in use.name:
                self.cursor.report("the name of an argument has no '#'", use.span)
            values.append(scope.define(use.name, type_, use.span))
        locations = tuple(argument.location for argument in arguments)
        block = Block([], tuple(values), label, argument_locations=locations if any(locations) else ())
        self._parse_operations(block)
        return block

    def resolve_successors(self, blocks: list[Block]) -> None:
        """Turns the numbers of labels into positions of blocks, once all blocks are parsed."""
        labels = self.state.frame.labels
        if not labels.uses:  # a region may have a hundred thousand operations
            return
        for label, span in labels.uses.items():
            if labels.numbers[label] not in labels.positions:
                self.cursor.report(f"no block has the label '^{label}'", span)
        positions = labels.positions
        for block in blocks:
            for operation in block.operations:
                if operation.successors:
                    operation.successors = tuple(
                        (positions.get(number, 0), values) for number, values in operation.successors
                    )

    # --- successors

    def label_successor(self) -> SuccessorUse:
        """Parses `^label`: in the generic form the values for a block's arguments are operands."""
        start = self.cursor.skip()
        use = SuccessorUse(self._label(), Span(start, self.cursor.pos))
        if self.cursor.at("("):
            advice = 'put the values among the operands: "cf.br"(%a)[^block] : (tensor<f32>) -> ()'
            self.cursor.fail(
                "expected ',' or ']' behind the block's label, but found '('",
                suggestions=(*advise(advice), Expect((",", "]"))),
            )
        return use

    def successor(self) -> SuccessorUse:
        """Parses `^label` or `^label(%a, %b : T, U)`."""
        cursor = self.cursor
        start = cursor.skip()
        label = self._label()
        span = Span(start, cursor.pos)
        if not cursor.accept("("):
            return SuccessorUse(label, span)
        operands = tuple(cursor.comma_list(cursor.operand, ":"))
        types = tuple(cursor.comma_list(lambda: parse_type(cursor), ")"))
        if len(operands) != len(types):
            cursor.fail("a block is given as many values as types", span)
        return SuccessorUse(label, span, operands, types)
