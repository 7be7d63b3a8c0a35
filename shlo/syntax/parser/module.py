"""From text to a module: MLIR's grammar of operations, blocks and regions, by recursive descent.

`parse` never raises for a bad text. An operation that does not follow the grammar becomes a broken operation
and a diagnostic, and parsing goes on at the next one (`recovery.py`). Lines that are like earlier ones are
taken from a cache (`line_templates.py`). `ModuleParser` composes the parts: the state they share
(`state.py`), regions (`regions.py`), single operations (`operation.py`), definitions between them
(`definitions.py`) and what is kept of broken operations (`broken_operations.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Protocol

from shlo.ir.collector import collector_paused
from shlo.ir.diagnostics import Applicability, Diagnostic, Fix
from shlo.ir.operations import Block, Module, Operation, Region, Signature
from shlo.ir.recursion import recursive
from shlo.ir.source import Source, Span
from shlo.ir.suggestions import Expect, Rename
from shlo.syntax.lexer.context import Context
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault
from shlo.syntax.parser.braces import BraceHints
from shlo.syntax.parser.definitions import parse_definition, report_undefined_aliases
from shlo.syntax.parser.line_templates import parse_lines
from shlo.syntax.parser.operation import OperationParser
from shlo.syntax.parser.parse_result import Lookahead, OwnedDiagnostic, ParseResult, Resume
from shlo.syntax.parser.regions import RegionParser
from shlo.syntax.parser.scope import NO_NAMES, ParserScope
from shlo.syntax.parser.state import ParserState


def parse(
    source: str | bytes | Source, name: str = "<text>", context: Context | None = None
) -> tuple[Module, list[Diagnostic]]:
    """Returns a text's module and its diagnostics in the order of the text; never raises for a bad text.

    Bytes are decoded as UTF-8; a byte-order mark is passed over. `context` carries what was learnt from
    earlier versions of the same document.
    """
    if not isinstance(source, Source):
        source = Source(decode(source) if isinstance(source, bytes) else source, name)
    result = parse_source(source, context)
    return result.module, result.diagnostics


@recursive
def parse_source(
    source: Source, context: Context | None = None, hints: BraceHints | None = None
) -> ParseResult:
    """Does the same as `parse`; returns also what an incremental reparse after an edit needs. `hints` says
    what to do about braces that are missing or too many, None where that is not known."""
    with collector_paused():
        parser = ModuleParser(source, context, hints=hints)
        try:
            return parser.parse()
        finally:
            parser.release()


def decode(data: bytes) -> str:
    """Returns the text of bytes: UTF-8, invalid bytes as surrogate escapes."""
    return data.decode("utf-8", "surrogateescape")


class Reuse(Protocol):
    """What an incremental reparse does in place of the module parser."""

    def isolated_scope(self) -> ParserScope | None:
        """Returns a scope for the isolated region that follows, None for a new one."""
        ...

    def operations(self, block: Block) -> bool:
        """Parses operations into a block, some taken from an earlier parse; returns whether it did."""
        ...


class ModuleParser:
    """Parses one text. `outermost` is the list of operations that are in no other one.

    Args:
        source: The text.
        context: State shared with other parses of the same document.
        make_scope: Makes the outermost scope.
        reuse: Takes over operations of an earlier parse.
        hints: What to do about braces that are missing or too many, None where that is not known.
        cursor: Reads the text, None for an ordinary cursor at its start.

    Attributes:
        resumes: The state at each outermost operation, for an incremental reparse.
    """

    def __init__(
        self,
        source: Source,
        context: Context | None = None,
        make_scope: Callable[[list[Diagnostic]], ParserScope] = ParserScope,
        reuse: Reuse | None = None,
        hints: BraceHints | None = None,
        cursor: Cursor | None = None,
    ) -> None:
        mark = 1 if source.text.startswith("\ufeff") else 0
        self.cursor = Cursor(source.text, context, mark) if cursor is None else cursor
        self.state = ParserState(source, self.cursor, make_scope, hints)
        self.regions = RegionParser(self.state, self.operations, self._isolated_scope)
        self.single = OperationParser(self.state, self.regions)
        self.outermost = Block([])
        self.resumes: dict[int, Resume] = {}
        self._reuse = reuse

    def parse(self) -> ParseResult:
        """Parses the text to its end."""
        cursor, block = self.cursor, self.outermost
        while not cursor.at_end:
            self.operations(block)
            if not cursor.at_end:
                self._skip_unexpected()
        self.regions.resolve_successors([block])
        self.state.set_owner(0)
        self.state.close_scope()
        return self.result()

    def release(self) -> None:
        """Breaks the reference cycles between the parts, so that the memory of a parse is free at once."""
        vars(self).clear()

    def result(self) -> ParseResult:
        """Returns the module of the outermost operations, each diagnostic once, and what a reparse needs. Of
        a file of another kind there is one diagnostic, which names the kind."""
        state, cursor = self.state, self.cursor
        report_undefined_aliases(cursor)
        in_order = sorted(dict.fromkeys(cursor.diagnostics), key=lambda diagnostic: diagnostic.span)
        diagnostics = in_order
        if any(diagnostic.severity == "error" for diagnostic in in_order):
            from shlo.syntax.parser.foreign_files import without_rest

            diagnostics = without_rest(cursor.text, in_order)
        findings = [OwnedDiagnostic(*columns) for columns in zip(state.owners, count(), cursor.diagnostics)]
        is_reusable = (
            not state.has_inner_definitions
            and not cursor.aliases.broken
            and not cursor.has_signed_types
            and all(alias.target is not None for alias in cursor.aliases.locations.values())
        )
        return ParseResult(
            self._module(tuple(diagnostics)),
            diagnostics,
            self.outermost,
            state.frame.scope.values,
            sorted(findings, key=lambda finding: finding[:2]),
            self.resumes,
            cursor.aliases,
            state.unstable,
            is_reusable,
            state.hints,
            sorted(state.lookaheads),
        )

    def _module(self, diagnostics: tuple[Diagnostic, ...]) -> Module:
        block, operations = self.outermost, self.outermost.operations
        if len(operations) == 1 and operations[0].name == "builtin.module" and operations[0].regions:
            operation, start = operations[0], block.starts[0]
        else:
            region = Region((block,), self.state.frame.scope.values)
            operation, start = Operation(Signature("builtin.module"), regions=(region,)), 0
        return Module(operation, self.state.source, diagnostics, dict(self.cursor.resources), start)

    def _skip_unexpected(self) -> None:
        """Passes over a `}` or `^label` that closes or opens nothing."""
        from shlo.syntax.parser.recovery import next_operation

        cursor, start = self.cursor, self.cursor.pos
        self.state.set_owner(start)
        token = cursor.found()
        suggestions = Rename(token[1:-1], of="operation"), Expect()
        cursor.report(
            f"expected an operation, but found {token}", cursor.token_span(), suggestions=suggestions
        )
        cursor.pos = max(next_operation(cursor.text, start + 1), start + 1)

    def _isolated_scope(self) -> ParserScope:
        """Returns a scope for an isolated region of the operation being parsed."""
        reused = self._reuse.isolated_scope() if self._reuse is not None else None
        if reused is not None:
            return reused
        scope = self.state.frame.scope.isolated()
        if self.state.hints:
            scope.outer = NO_NAMES  # with a brace missing above, what is visible here is not certain
        return scope

    def operations(self, block: Block) -> None:
        """Parses operations until `}`, a block's label or the end of the text follows."""
        if self._reuse is not None and self._reuse.operations(block):
            return
        cursor, hints, end = self.cursor, self.state.hints, len(self.cursor.text)
        while True:
            parse_lines(self.state, block, hints.next_stop(cursor.skip(), end) if hints else end)
            if hints and self.ends_by_hint():
                return
            character = cursor.peek()
            if character in ("", "}", "^"):
                return
            if character in "#!{" and parse_definition(self.state, block is self.outermost):
                continue
            self.operation(block)

    def ends_by_hint(self) -> bool:
        """Returns whether the innermost region ends here without a `}`; passes over each `}` too many."""
        cursor, hints = self.cursor, self.state.hints
        while cursor.skip() in hints.stray:
            with self.state.owned_by(cursor.pos):
                span = Span(cursor.pos, cursor.pos + 1)
                fix = Fix("Remove the brace", span, "", Applicability.CERTAIN)
                cursor.diagnostics.append(
                    Diagnostic("expected an operation, but found '}', which closes nothing", span, fix=fix)
                )
            cursor.pos += 1
        return hints.ends(self.state.frame.opening, cursor.pos)

    def operation(self, block: Block) -> None:
        """Parses one operation into a block by the grammar; a broken one is kept as its text."""
        cursor, aliases, start = self.cursor, self.cursor.aliases, self.cursor.skip()
        defined = len(aliases.attributes), len(aliases.types)
        looked, cursor.looked = cursor.looked, 0
        with self.state.owned_by(start):
            self._parse_or_recover(block, start)
        if cursor.looked > cursor.skip():
            self.state.lookaheads.append(Lookahead(start, cursor.looked))
        cursor.looked = looked
        if block is self.outermost:
            self.resumes[start] = Resume(*defined, cursor.skip())

    def _parse_or_recover(self, block: Block, start: int) -> None:
        scope, origin = self.state.frame.scope, self.state.frame.origin
        size = len(scope.names)
        with self.cursor.measured(), self.state.within(regions=[]):
            try:
                operation, end = self.single.operation(start)
            except SyntaxFault as fault:
                from shlo.syntax.parser.broken_operations import recover

                scope.leave_region(size)
                operation, end = recover(self.single, start, fault)
        block.operations.append(operation)
        block.starts.append(start - origin)
        block.ends.append(end - origin)
