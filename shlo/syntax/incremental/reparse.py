"""Parses a text again after an edit: operations that the edit cannot have changed are taken over.

An operation reads the same again if its text is the same, with the first word behind it, and if every name
in it means the same. So the parser goes through the text as ever, but where it is at the start of an
operation that the parse before knows, it takes over all operations from there to the first one that the
edit touches, or in whose text a name is that means something else now (`ScopeDiff.differing`). What it
takes over are the same objects: what is known about an operation can be kept by its identity. Operations
with regions are put together again from the same blocks, as a region knows its table of values.

Where braces are missing or too many, what is at such a place or just before it is read again, as operations
may end or begin there.

A value that is defined again with its name and type keeps its number; other numbers are new, and those of
values that are gone stay unused. Where a text gives reason to doubt (`ParseResult.is_reusable`, values
outside of every region, an edit outside of every region), it is read as if for the first time.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from contextlib import suppress
from itertools import islice

import numpy as np
from msgspec.structs import replace

from shlo.ir.collector import collector_paused
from shlo.ir.operations import BROKEN, Block, Operation, Region, ValueTable
from shlo.ir.recursion import recursive
from shlo.ir.source import Source
from shlo.syntax.attributes.parse_locations import operation_goes_on
from shlo.syntax.incremental.old_tree import OldOp, OldTree
from shlo.syntax.incremental.scope_diff import ScopeDiff
from shlo.syntax.lexer.context import AliasTable, Context
from shlo.syntax.lexer.cursor import BLANK
from shlo.syntax.parser.braces import BraceHints, brace_hints, missing_braces
from shlo.syntax.parser.definitions import parse_definition
from shlo.syntax.parser.line_templates import parse_lines
from shlo.syntax.parser.module import ModuleParser, parse_source
from shlo.syntax.parser.parse_result import Change, Lookahead, ParseResult, Resume
from shlo.syntax.parser.scope import ParserScope

MAX_DIFFERING = 200
"""With more names that mean something else, little can be taken over."""
MIN_GROWTH, CHARACTERS_PER_VALUE = 10_000, 100
"""How many unused values the tables may have: so many, or one for so many characters of the text."""
DIGIT, NAME_CHARACTER = re.compile(r"[0-9]"), re.compile(r"[\w$.-]", re.ASCII)
"""What goes on with a value's name: a number, or any other."""


@recursive
def reparse(before: ParseResult, source: Source, change: Change, context: Context) -> ParseResult:
    """Returns what `parse_source` does for a text that `change` made of the old, but for value numbers."""
    allowed = max(MIN_GROWTH, len(source.text) // CHARACTERS_PER_VALUE)
    old = before.module.source
    if old is not None and before.is_reusable and before.grown <= allowed:
        gone = missing_braces(old.text, change.start, change.old_end)
        excess = before.braces.excess - gone + missing_braces(source.text, change.start, change.new_end)
        hints = brace_hints(source.text, excess)
        with collector_paused(), suppress(Restructured):
            parser = IncrementalParser(source, context, before, change, hints)
            try:
                return parser.parse()
            finally:
                parser.release()
        return parse_source(source, context, hints)
    return parse_source(source, context)


class Restructured(Exception):
    """The edit moves operations into other regions, or has too wide an effect for another reason."""


class IncrementalParser:
    """Parses an edited text with a module parser, and takes over operations of the parse before.

    Implements `Reuse` of the module parser.
    """

    def __init__(
        self, source: Source, context: Context, before: ParseResult, change: Change, hints: BraceHints
    ) -> None:
        self.before, self.change = before, change
        self.parser = ModuleParser(source, context, reuse=self, hints=hints)
        self.state, self.cursor = self.parser.state, self.parser.cursor
        self.old = OldTree(before)
        self._diffs: list[ScopeDiff] = []
        self._rebraced = _places_that_differ(before.braces, hints, change)
        self._hinted = sorted({*self._rebraced, *(at for at, _ in hints.places())})
        self._mentions: dict[str, int] = {}
        # The operations of findings that cannot be told in the new text, and those that looked at the edit.
        lost = {finding.owner for finding in before.findings if change.diagnostic(finding.diagnostic) is None}
        self._lost = sorted(
            lost.union(lookahead.start for lookahead in before.lookaheads if self._differs(lookahead))
        )

    def _differs(self, lookahead: Lookahead) -> bool:
        """Returns whether the text that an operation looked at is edited, or lacks another brace."""
        start, end = lookahead
        if start < self.change.start <= end:
            return True
        at = bisect_right(self._rebraced, self._now(start))
        return at < len(self._rebraced) and self._rebraced[at] <= self._now(end)

    # --- the outermost operations

    def parse(self) -> ParseResult:
        """Returns the parse result of the text; raises Restructured."""
        index = self._edited()
        start, aliases = self.before.block.starts[index], self.before.aliases
        resume = self.before.resumes[start]
        if any(owner < start or owner >= resume.after for owner in self._lost):
            raise Restructured
        after = self._now(resume.after)
        behind = after if self.cursor.text.startswith("}", after) else after + 1
        if any(not start < at < behind for at in self._rebraced) or self._ends_before_broken(index, after):
            raise Restructured
        if bool(self.before.braces) != bool(self.state.hints) and _nests_isolated(self.before.block):
            raise Restructured  # where braces are missing, names around what is isolated are not told
        self.cursor.aliases = AliasTable(
            dict(islice(aliases.attributes.items(), resume.attributes)),
            dict(islice(aliases.types.items(), resume.types)),
            aliases.locations.copy(),
            aliases.places.copy(),
            aliases.extents,
        )
        self.cursor.resources = dict(self.before.module.resources)
        self._take_outermost(slice(0, index))
        self._take_findings(0, start)
        if any(finding.span.start == start for finding in self.cursor.diagnostics):
            self.state.missing_before = start  # only what has no end speaks of what is behind it
        self.cursor.pos = start
        self.parser.operation(self.parser.outermost)
        goes_on_as_before = self.cursor.pos == after
        state, frame = self.state, self.state.frame
        if (
            not goes_on_as_before
            or state.has_inner_definitions
            or frame.scope.values.types
            or frame.labels.uses
        ):
            raise Restructured
        self.cursor.aliases.attributes, self.cursor.aliases.types = aliases.attributes, aliases.types
        self._take_outermost(slice(index + 1, None))
        self._take_findings(resume.after, len(self.old.text) + 1)
        return self._result()

    def release(self) -> None:
        """Breaks the reference cycles with the module parser, so that their memory is free at once."""
        self.parser.release()
        vars(self).clear()

    def _edited(self) -> int:
        """Returns the outermost operation inside which the edit lies, or at its end: behind its first word,
        and before the next one."""
        old, change = self.before.block, self.change
        index = bisect_right(old.starts, change.start) - 1
        if index < 0 or self.before.values.types or not old.operations[index].regions:
            raise Restructured
        resume = self.before.resumes.get(old.starts[index])
        if resume is None or change.old_end > resume.after:
            raise Restructured
        operation, first_word_end = old.operations[index], self.old.first_word_end(old.starts[index])
        if operation.successors or change.start <= first_word_end:
            raise Restructured
        return index

    def _ends_before_broken(self, index: int, after: int) -> bool:
        """Returns whether a brace is missing only now or before in front of a broken operation, whose fault
        may follow from that."""
        behind = self.before.block.operations[index + 1 : index + 2]
        return after in self._rebraced and any(operation.name == BROKEN for operation in behind)

    def _take_outermost(self, part: slice) -> None:
        old, block, change = self.before.block, self.parser.outermost, self.change
        by = change.new_end - change.old_end if part.start else 0
        for start in self.before.resumes.keys() & set(old.starts[part]):  # lines that are known have none
            attributes, types, after = self.before.resumes[start]
            now = change.after(after)
            assert now is not None
            self.parser.resumes[start + by] = Resume(attributes, types, now)
        block.operations += old.operations[part]
        block.starts += _shifted(old.starts[part], by)
        block.ends += _shifted(old.ends[part], by)

    def _result(self) -> ParseResult:
        self.state.set_owner(0)
        replaced = {id(diff.before) for diff in self._diffs}
        for key, names in self.before.unstable.items():
            if key not in replaced:
                self.state.unstable[key] = names
        grown = self.before.grown + sum(diff.grown for diff in self._diffs)
        return replace(self.parser.result(), grown=grown)

    # --- scopes

    def isolated_scope(self) -> ParserScope | None:
        """Returns the paired scope of a function or module if no names are visible around either."""
        frame = self.state.frame
        old = self.old.at(frame.origin)
        if old is None or old.values.types or frame.scope.names or frame.scope.outer:
            return None
        regions = old.block.operations[old.number].regions
        if not regions or regions[0].values is old.values:
            return None
        table = regions[0].values
        unstable = self.before.unstable.get(id(table))
        diff = ScopeDiff(self.cursor.text, self.cursor.diagnostics, table, unstable.names if unstable else ())
        diff.drop(*[block.arguments for block in regions[0].blocks])
        self._diffs.append(diff)
        return diff

    # --- taking over

    def operations(self, block: Block) -> bool:
        """Parses operations into a block of a paired scope, but for those that are taken over."""
        scope = self.state.frame.scope
        if not isinstance(scope, ScopeDiff):
            return False
        scope.open.append(None)
        try:
            self._operations(block, scope)
            goes_with_none = scope.open[-1] is None and self.cursor.peek() == "^"
            if goes_with_none or not scope.is_done():
                raise Restructured  # what the block defined before may be used in the blocks behind it
        finally:
            scope.leave_block()
        return True

    def _operations(self, block: Block, scope: ScopeDiff) -> None:
        stop = 0  # the next place to look for operations that can be taken over
        hints = self.state.hints
        while True:
            if hints and self.parser.ends_by_hint():
                return
            if self.cursor.skip() >= stop:
                stop = max(self._take_over(block, scope), self.cursor.pos + 1)
            parse_lines(self.state, block, min(stop, hints.next_stop(self.cursor.skip(), stop)))
            if hints and self.parser.ends_by_hint():
                return
            character = self.cursor.peek()
            if character in ("", "}", "^"):
                return
            if self.cursor.pos >= stop:
                continue
            if character in "#!{" and parse_definition(self.state, is_outermost=False):
                continue
            self.parser.operation(block)

    def _take_over(self, block: Block, scope: ScopeDiff) -> int:
        """Takes over the operations from here on that must parse the same as before.

        Returns:
            The offset at which to try again.
        """
        start = self.change.before(self.cursor.pos)
        if start is None:
            return self.change.new_end
        old = self.old.at(start)
        if old is None:
            return self.cursor.pos + 1
        if not self._is_at_home(old, scope):
            raise Restructured
        for outer, index in old.around:
            scope.visit(outer, index)
        scope.visit(old.block, old.number)
        differing = scope.differing() | _results_around(old, scope)
        if len(differing) > MAX_DIFFERING:
            raise Restructured
        untouched = self._untouched(old)
        end = min(untouched, self._without(old, differing), self._with_its_braces(old))
        with_regions = _with_regions(old.block, old.number, end)
        end = self._without_doubt(old, scope, end, with_regions)
        if end > old.number:
            self._take(block, old, end, scope, with_regions)
        again = old.first_from(self.change.old_end) if end == untouched < len(old.block.starts) else 0
        again = max(again, end + 1)
        scope.visit(old.block, again)
        return self._now(old.start(again))

    def _is_at_home(self, old: OldOp, scope: ScopeDiff) -> bool:
        """Returns whether the block being read is the old operation's, in like surroundings."""
        is_same = (old.dialect, old.lenient) == (self.state.frame.default_dialect, scope.lenient)
        return (
            is_same
            and old.values is scope.before
            and scope.goes_with(old.block, [block for block, _ in old.around])
        )

    def _now(self, offset: int) -> int:
        """Returns the new offset of an old one; the end of the change for one that is gone."""
        now = self.change.after(offset)
        return self.change.new_end if now is None else now

    # --- how far operations read the same

    def _untouched(self, old: OldOp) -> int:
        """Returns the number of the first operation from the old one on that the edit touches: in its text,
        in what follows it up to the next operation, or in the first word of that."""
        change = self.change
        if old.place >= change.old_end or max(old.end, self.old.behind(old)) <= change.start:
            return len(old.block.starts)
        touched = old.last_to(change.start)
        if change.start <= self.old.first_word_end(old.start(touched)):
            touched -= 1
        return max(touched, old.number)

    def _without(self, old: OldOp, names: set[str]) -> int:
        """Returns the number of the first operation, from the old one on, whose text has one of the names."""
        at = min((self._mention(name) for name in names), default=len(self.cursor.text))
        return self._number_at(old, self.change.before(at))

    def _number_at(self, old: OldOp, offset: int | None) -> int:
        """Returns the operation at an offset of the old text; the number behind the last if there is none."""
        is_inside = offset is not None and offset < old.block_end
        return old.last_to(offset) if is_inside and offset is not None else len(old.block.starts)

    def _with_its_braces(self, old: OldOp) -> int:
        """Returns the number of the first operation, from the old one on, in or behind which a brace is
        missing or too many now, or was."""
        at = bisect_left(self._hinted, self.cursor.pos)
        if at == len(self._hinted):
            return len(old.block.starts)
        place, blank = self._hinted[at], BLANK.match(self.cursor.text, self._now(old.block_end))
        if blank is not None and blank.end() == place:
            return len(old.block.starts) - 1
        before = self.change.before(place)
        number = self._number_at(old, before)
        is_between = number < len(old.block.starts) and old.start(number) == before
        return number - is_between  # what is before a place may end there

    def _mention(self, name: str) -> int:
        """Returns where a value's name is next in the text."""
        at = self._mentions.get(name, -1)
        if at >= self.cursor.pos:
            return at
        text, sign = self.cursor.text, f"%{name}"
        goes_on = DIGIT if name.isdigit() else NAME_CHARACTER
        at = text.find(sign, self.cursor.pos)
        while at >= 0 and goes_on.match(text, at + len(sign)):
            at = text.find(sign, at + 1)
        self._mentions[name] = at = len(text) if at < 0 else at
        return at

    def _without_doubt(self, old: OldOp, scope: ScopeDiff, end: int, with_regions: list[int]) -> int:
        """Returns the number of the first operation from the old one on that is to be read again for another
        reason: it has successors, it is isolated and names are visible around it, a finding of it speaks of
        what is gone, or it is the block's last and may go on."""
        at = bisect_left(self._lost, old.place)
        if at < len(self._lost):
            end = min(end, self._number_at(old, self._lost[at]))
        has_names = bool(scope.names or scope.outer or old.values.types)
        shared: set[int] = set()  # the ids of regions that short forms imply, the same for many operations
        for index in with_regions:
            if index >= end:
                break
            operation = old.block.operations[index]
            if operation.successors:
                return index
            if has_names and id(operation.regions) not in shared:
                if _holds_isolated(operation, old.values):
                    return index
                shared.add(id(operation.regions))
        if end == len(old.block.starts) and operation_goes_on(self.cursor.text, self._now(old.block_end)):
            end -= 1
        return end

    # --- taking them

    def _take(self, block: Block, old: OldOp, end: int, scope: ScopeDiff, with_regions: list[int]) -> None:
        """Takes over the operations from the old one up to number `end`."""
        earlier, part = old.block, slice(old.number, end)
        operations = earlier.operations[part]
        for index in with_regions:
            if index >= end:
                break
            operations[index - old.number] = _retabled(earlier.operations[index], scope.before, scope.values)
        by = self.cursor.pos - old.place + old.base
        places = _shifted(earlier.starts[part], by)
        block.operations += operations
        block.starts += _shifted(earlier.starts[part], by - self.state.frame.origin)
        block.ends += _shifted(earlier.ends[part], by - self.state.frame.origin)
        is_last = end == len(earlier.starts)
        self._take_findings(old.place, old.block_end if is_last else old.start(end))
        scope.take(earlier, end)
        self.cursor.pos = self._now(old.block_end if is_last else old.start(end))
        if not is_last or self.cursor.peek() != "}":
            scope.announce(operations, places)

    def _take_findings(self, start: int, end: int) -> None:
        """Takes over what operations in a stretch of the old text found, and how far they looked."""
        lookaheads = self.before.lookaheads
        first, last = (bisect_left(lookaheads, (offset,)) for offset in (start, end))
        self.state.lookaheads += [
            Lookahead(self._now(lookahead.start), self._now(lookahead.end))
            for lookahead in lookaheads[first:last]
        ]
        self.state.set_owner(self.state.owner)
        findings = self.before.findings
        first, last = (bisect_left(findings, (offset,)) for offset in (start, end))
        for finding in sorted(findings[first:last], key=lambda finding: finding.number):
            shifted = self.change.diagnostic(finding.diagnostic)
            assert shifted is not None
            self.cursor.diagnostics.append(shifted)
            self.state.owners.append(self._now(finding.owner))


def _places_that_differ(before: BraceHints, now: BraceHints, change: Change) -> list[int]:
    """Returns the offsets of the new text at which one of the texts lacks a brace, or has one too many,
    and the other does not."""
    shifted = {
        change.after(at): opening if opening < 0 else change.after(opening) for at, opening in before.places()
    }
    return sorted(at for at, _ in set(shifted.items()) ^ set(now.places()) if at is not None)


def _results_around(old: OldOp, scope: ScopeDiff) -> set[str]:
    """Returns the names of visible values that were results of the operations around an old one, and so not
    visible in these."""
    results = (value for block, number in old.around for value in block.operations[number].results)
    names = {scope.before.names[value].partition("#")[0] for value in results}
    return names & scope.names.keys()


def _with_regions(block: Block, start: int, end: int) -> list[int]:
    """Returns the numbers of the operations that are more than names and a signature."""
    operations = block.operations[start:end]
    return [
        start + index
        for index, operation in enumerate(operations)
        if operation.regions or operation.successors
    ]


def _holds_isolated(operation: Operation, values: ValueTable) -> bool:
    """Returns whether a region in an operation that has a text of its own has a table of its own."""
    for region in operation.regions:
        for block in region.blocks:
            if region.values is not values and block.starts:
                return True
            inner = _with_regions(block, 0, len(block.operations))
            if any(_holds_isolated(block.operations[index], region.values) for index in inner):
                return True
    return False


def _nests_isolated(block: Block) -> bool:
    """Returns whether an isolated region is in another one that has values of its own."""
    for operation in block.operations:
        for region in operation.regions:
            if region.values.types and _holds_isolated(operation, region.values):
                return True
            if any(_nests_isolated(inner) for inner in region.blocks if not region.values.types):
                return True
    return False


def _retabled(operation: Operation, old: ValueTable, new: ValueTable) -> Operation:
    """Returns an operation whose regions use another table instead of the old one."""
    for region in operation.regions:
        if region.values is old:
            break
    else:
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
    return array("q", (np.frombuffer(places, np.int64) + by).tobytes())
