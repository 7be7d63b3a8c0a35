"""Result of a parse, with what an incremental reparse takes over from it (`incremental/reparse.py`)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic, Related
from shlo.ir.operations import Block, Module, ValueTable
from shlo.ir.source import Span
from shlo.syntax.lexer.context import AliasTable
from shlo.syntax.parser.braces import BraceHints


class Change(NamedTuple):
    """What became of a text: from `start` to `old_end` was replaced by what now reaches to `new_end`."""

    start: int
    old_end: int
    new_end: int

    def before(self, offset: int) -> int | None:
        """Returns where the character at an offset of the new text was in the old one, None for a new one."""
        if offset < self.start:
            return offset
        return offset - self.new_end + self.old_end if offset >= self.new_end else None

    def after(self, offset: int) -> int | None:
        """Returns the new offset of a character of the old text, None for one that is gone."""
        if offset >= self.old_end:
            return offset - self.old_end + self.new_end
        return offset if offset < self.start else None

    def then(self, later: Change) -> Change:
        """Returns this change and a later one, which speaks of what this one left, as one."""
        between = max(self.new_end, later.old_end)
        return Change(
            min(self.start, later.start),
            between - self.new_end + self.old_end,
            between - later.old_end + later.new_end,
        )

    def span(self, span: Span) -> Span | None:
        """Returns a stretch of the old text in the new one, None where it was touched."""
        start, end = span
        if start >= self.old_end:
            by = self.new_end - self.old_end
            return Span(start + by, end + by)
        return span if end <= self.start and start < self.start else None

    def _mark(self, span: Span) -> Span | None:
        """Returns where the first character of a name is in the new text, None where the name was touched."""
        return None if span.end == self.start else self.span(span)

    def diagnostic(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """Returns an old finding in the new text, None where a place of it was touched."""
        span = self.span(diagnostic.span)
        places = [self._mark(note.span) for note in diagnostic.related]
        fix = diagnostic.fix and self.span(diagnostic.fix.span)
        if span is None or None in places or (diagnostic.fix and fix is None):
            return None
        related = tuple(Related(span, note.message) for span, note in zip(places, diagnostic.related) if span)
        shifted = replace(diagnostic.fix, span=fix) if diagnostic.fix and fix else None
        return replace(diagnostic, span=span, related=related, fix=shifted)


class Resume(NamedTuple):
    """How things was at an outermost operation: how many aliases of attributes and types were defined
    before it, and the offset at which the parse went on behind it."""

    attributes: int
    types: int
    after: int


class UnstableNames(Struct, frozen=True):
    """The names in a scope that were used before their definition or defined twice."""

    values: ValueTable
    names: frozenset[str]


class OwnedDiagnostic(NamedTuple):
    """A diagnostic, its number in the order of the parse, and the offset of the operation being parsed."""

    owner: int
    number: int
    diagnostic: Diagnostic


class Lookahead(NamedTuple):
    """The offset of an operation that depends on text behind what follows it, and how far that goes."""

    start: int
    end: int


class ParseResult(Struct, frozen=True):
    """A module, its diagnostics in the order of the text, and what a reparse of the edited text needs.

    `block` and `values` are those of the outermost operations. `findings` are ordered by their owners,
    `lookaheads` by their operations.
    `unstable` holds unstable names by the identity of their table. `braces` is what was done about
    braces that are missing or too many; `grown` counts the values that earlier edits have left in the tables.
    """

    module: Module
    diagnostics: list[Diagnostic]
    block: Block
    values: ValueTable
    findings: list[OwnedDiagnostic]
    resumes: dict[int, Resume]
    aliases: AliasTable
    unstable: dict[int, UnstableNames]
    is_reusable: bool
    braces: BraceHints
    lookaheads: list[Lookahead]
    grown: int = 0
