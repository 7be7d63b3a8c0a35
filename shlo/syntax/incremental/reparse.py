"""Parses a text again after an edit: operations that the edit cannot have changed are taken over.

An operation reads the same again if its text is the same, with the first word behind it, and if every name
in it means the same. So the parser goes through the text as ever, but where it stands at the start of an
operation that the reading before knows, it takes over all operations from there to the first one that the
edit touches, or in whose text a name stands that means something else now (`ScopeDiff.differing`). What it
takes over are the same objects: what is known about an operation can be kept by its identity. Operations
with regions are put together again from the same blocks, as a region knows its table of values.

A value that is defined again with its name and type keeps its number; other numbers are new, and those of
values that are gone stay unused. Where a text gives reason to doubt (`ParseResult.is_reusable`, values
outside of every region, an edit outside of every region), it is read as if for the first time.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from contextlib import suppress
from dataclasses import replace
from itertools import islice

import numpy as np

from shlo.ir.collector import collector_paused
from shlo.ir.operations import Block, Operation, Region, ValueTable
from shlo.ir.recursion import recursive
from shlo.ir.source import Source
from shlo.syntax.incremental.old_tree import OldOp, OldTree
from shlo.syntax.incremental.scope_diff import ScopeDiff
from shlo.syntax.lexer.cursor import BLANK, Context
from shlo.syntax.parser.module import ModuleParser, parse_source
from shlo.syntax.parser.parse_result import Change, ParseResult, Resume
from shlo.syntax.parser.scope import Scope

MAX_DIFFERING = 200
"""With more names that mean something else, little can be taken over."""
MIN_GROWTH, CHARACTERS_PER_VALUE = 10_000, 100
"""How many unused values the tables may have: so many, or one for so many characters of the text."""
DIGIT, NAME_CHARACTER = re.compile(r"[0-9]"), re.compile(r"[\w$.-]", re.ASCII)
"""What goes on with a value's name: a number, or any other."""


@recursive
def reparse(before: ParseResult, source: Source, change: Change, context: Context) -> ParseResult:
    """The reading of a text that `change` made of the one read before: what `parse_source` gives, but for the
    numbers of values."""
    allowed = max(MIN_GROWTH, len(source.text) // CHARACTERS_PER_VALUE)
    if before.is_reusable and before.grown <= allowed:
        with collector_paused(), suppress(Restructured):
            return Rereader(source, context, before, change).again()
    return parse_source(source, context)


class Restructured(Exception):
    """The edit moves operations into other regions, or has too wide an effect for another reason."""


class Rereader(ModuleParser):
    """Reads a text again. `lost` are the operations of findings that cannot be told in the new text;
    `mentions` keeps where a name stands next."""

    def __init__(self, source: Source, context: Context, before: ParseResult, change: Change) -> None:
        super().__init__(source, context)
        self.before, self.change = before, change
        self.known = OldTree(before)
        self.grown = before.grown
        self.paired: set[int] = set()
        self.mentions: dict[str, int] = {}
        self.lost = [each.owner for each in before.findings if change.diagnostic(each.diagnostic) is None]

    # --- the outermost operations

    def again(self) -> ParseResult:
        """The reading of the text; raises Restructured."""
        index = self._edited()
        start, aliases = self.before.block.starts[index], self.before.aliases
        resume = self.before.resumes[start]
        if any(owner < start or owner >= resume.after for owner in self.lost):
            raise Restructured
        self.attribute_aliases = dict(islice(aliases.attributes.items(), resume.attributes))
        self.type_aliases = dict(islice(aliases.types.items(), resume.types))
        self.location_aliases, self.alias_places = aliases.locations.copy(), aliases.places.copy()
        self.extents = aliases.extents
        self.resources = dict(self.before.module.resources)
        self._take_outermost(slice(0, index))
        self._take_findings(0, start)
        self.pos = start
        self._general(self.outermost)
        goes_on_as_before = self.pos == self.change.after(resume.after)
        if not goes_on_as_before or self.has_inner_definitions or self.scope.values.types or self.labels.uses:
            raise Restructured
        self.attribute_aliases, self.type_aliases = aliases.attributes, aliases.types
        self._take_outermost(slice(index + 1, None))
        self._take_findings(resume.after, len(self.known.text) + 1)
        return self._reading()

    def _edited(self) -> int:
        """The outermost operation inside which the edit lies, behind its first word."""
        old, change = self.before.block, self.change
        index = bisect_right(old.starts, change.start) - 1
        if index < 0 or self.before.values.types or old.ends[index] <= change.old_end:
            raise Restructured
        operation, first_word_end = old.operations[index], self.known.first_word_end(old.starts[index])
        if not operation.regions or operation.successors or change.start <= first_word_end:
            raise Restructured
        return index

    def _take_outermost(self, part: slice) -> None:
        old, block, change = self.before.block, self.outermost, self.change
        by = change.new_end - change.old_end if part.start else 0
        for start in old.starts[part]:
            attributes, types, after = self.before.resumes[start]
            moved = change.after(after)
            assert moved is not None
            self.resumes[start + by] = Resume(attributes, types, moved)
        block.operations += old.operations[part]
        block.starts += _shifted(old.starts[part], by)
        block.ends += _shifted(old.ends[part], by)

    def _reading(self) -> ParseResult:
        self.enter(0)
        for key, names in self.before.odd.items():
            if key not in self.paired:
                self.odd[key] = names
        return replace(self.result(*self.finished()), grown=self.grown)

    # --- scopes

    def isolated_scope(self) -> Scope:
        """The scope of a function or module, paired with the one in its place before if no names are visible
        around either."""
        known = self.known.at(self.origin)
        if known is None or known.values.types or self.scope.names or self.scope.outer:
            return super().isolated_scope()
        regions = known.block.operations[known.number].regions
        if not regions or regions[0].values is known.values:
            return super().isolated_scope()
        table = regions[0].values
        odd = self.before.odd.get(id(table))
        scope = ScopeDiff(self.text, self.diagnostics, table, odd.names if odd else ())
        scope.drop(*[block.arguments for block in regions[0].blocks])
        self.paired.add(id(table))
        return scope

    def close_scope(self) -> None:
        super().close_scope()
        if isinstance(self.scope, ScopeDiff):
            self.grown += self.scope.grown

    # --- taking over

    def operations(self, block: Block) -> None:
        """Reads operations as ever, but for those that are taken over."""
        scope = self.scope
        if not isinstance(scope, ScopeDiff):
            super().operations(block)
            return
        scope.open.append(None)
        try:
            self._operations(block, scope)
            if not scope.is_done():
                raise Restructured
        finally:
            scope.leave_block()

    def _operations(self, block: Block, scope: ScopeDiff) -> None:
        """`stop` is the next place to look for operations that can be taken over."""
        stop = 0
        while True:
            if self.skip() >= stop:
                stop = max(self._take_over(block, scope), self.pos + 1)
            self._ordinary_lines(block, stop)
            character = self.peek()
            if character in ("", "}", "^"):
                return
            if self.pos >= stop or (character in "#!{" and self._definition(is_outermost=False)):
                continue
            self._general(block)

    def _take_over(self, block: Block, scope: ScopeDiff) -> int:
        """Takes over the operations from here on that must read the same as before; gives the offset at
        which to try again."""
        start = self.change.before(self.pos)
        if start is None:
            return self.change.new_end
        known = self.known.at(start)
        if known is None:
            return self.pos + 1
        if not self._is_at_home(known, scope):
            raise Restructured
        for outer, index in known.around:
            scope.visit(outer, index)
        scope.visit(known.block, known.number)
        differing = scope.differing()
        if len(differing) > MAX_DIFFERING:
            raise Restructured
        untouched = self._untouched(known)
        end = self._without_doubt(known, scope, min(untouched, self._without(known, differing)))
        if end > known.number:
            self._take(block, known, end, scope)
        again = known.first_from(self.change.old_end) if end == untouched < len(known.block.starts) else 0
        again = max(again, end + 1)
        scope.visit(known.block, again)
        return self._now(known.start(again))

    def _is_at_home(self, known: OldOp, scope: ScopeDiff) -> bool:
        """Whether the block that is being read is the known operation's, and what is around reads alike."""
        is_same = (known.dialect, known.lenient) == (self.default_dialect, scope.lenient)
        return (
            is_same
            and known.values is scope.before
            and scope.goes_with(known.block, [block for block, _ in known.around])
        )

    def _now(self, offset: int) -> int:
        """Where an offset of the old text is in the new one; the end of the change for one that is gone."""
        now = self.change.after(offset)
        return self.change.new_end if now is None else now

    # --- how far operations read the same

    def _untouched(self, known: OldOp) -> int:
        """The number of the first operation from the known one on that the edit touches: in its text, in
        what follows it up to the next operation, or in the first word of that."""
        change = self.change
        if known.place >= change.old_end or known.end <= change.start:
            return len(known.block.starts)
        touched = known.last_to(change.start)
        if change.start <= self.known.first_word_end(known.start(touched)):
            touched -= 1
        return max(touched, known.number)

    def _without(self, known: OldOp, names: set[str]) -> int:
        """The number of the first operation from the known one on in whose text one of these names
        stands."""
        at = min((self._mention(name) for name in names), default=len(self.text))
        return self._number_at(known, self.change.before(at))

    def _number_at(self, known: OldOp, offset: int | None) -> int:
        """The operation at an offset of the old text; the number behind the last where it is in none."""
        is_inside = offset is not None and offset < known.block_end
        return known.last_to(offset) if is_inside and offset is not None else len(known.block.starts)

    def _mention(self, name: str) -> int:
        """Where a value's name stands next in the text."""
        at = self.mentions.get(name, -1)
        if at >= self.pos:
            return at
        text, sign = self.text, f"%{name}"
        goes_on = DIGIT if name.isdigit() else NAME_CHARACTER
        at = text.find(sign, self.pos)
        while at >= 0 and goes_on.match(text, at + len(sign)):
            at = text.find(sign, at + 1)
        self.mentions[name] = at = len(text) if at < 0 else at
        return at

    def _without_doubt(self, known: OldOp, scope: ScopeDiff, end: int) -> int:
        """The number of the first operation from the known one on that is to be read again for another
        reason: it has successors, it is isolated and names are visible around it, a finding of it speaks of
        what is gone, or it is the block's last and a location follows it."""
        at = bisect_left(self.lost, known.place)
        if at < len(self.lost):
            end = min(end, self._number_at(known, self.lost[at]))
        has_names = bool(scope.names or scope.outer or known.values.types)
        for index in _with_regions(known.block, known.number, end):
            operation = known.block.operations[index]
            if operation.successors or (has_names and _holds_isolated(operation, known.values)):
                return index
        if end == len(known.block.starts) and self._location_follows(known.block_end):
            end -= 1
        return end

    def _location_follows(self, offset: int) -> bool:
        match = BLANK.match(self.text, self._now(offset))
        return match is not None and self.text.startswith("loc", match.end())

    # --- taking them

    def _take(self, block: Block, known: OldOp, end: int, scope: ScopeDiff) -> None:
        """Takes over the operations from the known one up to number `end`."""
        old, part = known.block, slice(known.number, end)
        operations = old.operations[part]
        for index in _with_regions(old, known.number, end):
            operations[index - known.number] = _retabled(old.operations[index], scope.before, scope.values)
        by = self.pos - known.place + known.base
        places = _shifted(old.starts[part], by)
        block.operations += operations
        block.starts += _shifted(old.starts[part], by - self.origin)
        block.ends += _shifted(old.ends[part], by - self.origin)
        is_last = end == len(old.starts)
        self._take_findings(known.place, known.block_end if is_last else known.start(end))
        scope.take(old, end)
        self.pos = self._now(known.block_end if is_last else known.start(end))
        if not is_last or self.peek() != "}":
            scope.announce(operations, places)

    def _take_findings(self, start: int, end: int) -> None:
        """Takes over what was found in the operations that start in a stretch of the old text."""
        self.enter(self.owner)
        findings = self.before.findings
        first, last = (bisect_left(findings, (offset,)) for offset in (start, end))
        for finding in sorted(findings[first:last], key=lambda finding: finding.number):
            found = self.change.diagnostic(finding.diagnostic)
            assert found is not None
            self.diagnostics.append(found)
            self.owners.append(self._now(finding.owner))


def _with_regions(block: Block, start: int, end: int) -> list[int]:
    """The numbers of the operations that are more than names and a signature."""
    operations = block.operations[start:end]
    return [start + index for index, each in enumerate(operations) if each.regions or each.successors]


def _holds_isolated(operation: Operation, values: ValueTable) -> bool:
    """Whether a region in an operation that has a text of its own has a table of its own."""
    for region in operation.regions:
        for block in region.blocks:
            if region.values is not values and block.starts:
                return True
            inner = _with_regions(block, 0, len(block.operations))
            if any(_holds_isolated(block.operations[index], region.values) for index in inner):
                return True
    return False


def _retabled(operation: Operation, old: ValueTable, new: ValueTable) -> Operation:
    """An operation whose regions use another table instead of the old one."""
    if all(region.values is not old for region in operation.regions):
        return operation
    regions = tuple(
        Region(tuple(_retabled_block(block, old, new) for block in region.blocks), new)
        if region.values is old
        else region
        for region in operation.regions
    )
    return Operation(
        operation.signature,
        operation.operands,
        operation.results,
        regions,
        operation.successors,
        operation.location,
    )


def _retabled_block(block: Block, old: ValueTable, new: ValueTable) -> Block:
    with_regions = _with_regions(block, 0, len(block.operations))
    if not with_regions:
        return block
    operations = block.operations.copy()
    for index in with_regions:
        operations[index] = _retabled(operations[index], old, new)
    return Block(operations, block.arguments, block.label, block.starts, block.ends, block.argument_locations)


def _shifted(places: array[int], by: int) -> array[int]:
    """Offsets with a number added."""
    moved = array("q")
    moved.frombytes((np.frombuffer(places, np.int64) + by).tobytes())
    return moved
