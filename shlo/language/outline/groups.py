"""Scopes of a function as items, which editions share: an edit leaves all that it is not in as they were.

What is in a scope counts from where that begins, so that it stays the same wherever it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from shlo.ir.dtypes import Array
from shlo.ir.locations import Location
from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN, Block, Operation
from shlo.ir.source import Span
from shlo.language.chunks import Chunk, Chunks, has_inside
from shlo.language.index.op_names import written_results
from shlo.language.outline.items import Entries, Entry, Items, OutlineItem, Page

# -- Runs of operations --------------------------------------------------------------------------------------


BIG = 20_000
"""How many characters an operation's text has that is never one of many on a page."""

Scope = tuple[str, ...]
ScopeOf = Callable[[Location], Scope | None]


class Named(NamedTuple):
    """The names of operations' results, the operations' own, and how long the first are in the text."""

    names: list[str]
    operations: list[str]
    lengths: Array


class OperationRun(Struct, eq=False):
    """Operations of a chunk, from number `first` to before `last`: one, or several that are each `is_plain`:
    with results, no operations inside, no symbol, and not BIG. `scope` is what their locations name, None
    where they say nothing, so that they belong to where the one before does.

    One object as long as the operations are the same, in their insides, too; compared by identity.
    """

    first: int
    last: int
    scope: Scope | None
    is_plain: bool
    _named: Named | None = None

    def named(self, operations: list[Operation], text: str, places: Array) -> Named:
        """Returns the names of results and operations, the same lists whenever it is asked.

        Args:
            operations: Those of the chunk.
            text: The program.
            places: Where the run's operations start and end in it, of shape [2, operations].
        """
        if self._named is None:
            op_names = [operation.signature.name for operation in operations[self.first : self.last]]
            names: list[str] = []
            lengths: list[int] = []
            for name, start, end in zip(op_names, *places.tolist(), strict=True):
                result = written_results(text, start, end)
                lengths.append(len(result))
                names.append(result or name)
            self._named = Named(names, op_names, np.array(lengths, np.int64))
        return self._named


def runs_of(scope_of: ScopeOf, block: Block, start: int, stop: int) -> list[OperationRun]:
    """Returns the operations of a block from number `start` to before `stop` as runs."""
    runs: list[OperationRun] = []
    for number in range(start, stop):
        operation = block.operations[number]
        location = operation.location
        has_scope = location is not None and not operation.signature.name.endswith(".constant")
        scope = scope_of(location) if has_scope and location is not None else None
        is_plain = (
            bool(operation.results)
            and not has_inside(operation)
            and operation.symbol is None
            and operation.signature.name != BROKEN
            and block.ends[number] - block.starts[number] < BIG
        )
        at = number - start
        last = runs[-1] if runs else None
        if last is not None and is_plain and last.is_plain and scope in (None, last.scope):
            runs[-1] = OperationRun(last.first, at + 1, last.scope, True)
        else:
            runs.append(OperationRun(at, at + 1, scope, is_plain))
    return runs


PAGE = 1_000
"""How many operations one item holds where they are not shown one by one."""


class RunRows:
    """The runs of all blocks in an operation.

    Run `n` begins with operation `at[n]` of these blocks, counted over all, and is in `chunks[n]`. `places`
    are the operations' starts and ends, counted from the start of the operation that holds them, of shape
    [2, operations]; `starts[n]` and `ends[n]` are those of a run.
    """

    __slots__ = ("_blocks", "at", "chunks", "ends", "place", "places", "runs", "starts")

    def __init__(self, op_path: OpPath, chunks: Chunks[list[OperationRun]], scope_of: ScopeOf) -> None:
        self.place = op_path
        self.runs: list[OperationRun] = []
        self.chunks: list[Chunk[list[OperationRun]]] = []
        self.at: list[int] = []
        self._blocks: list[tuple[int, int, int]] = []
        pieces: list[Array] = []
        count = 0
        for number, region in enumerate(op_path.operation.regions):
            for position, block in enumerate(region.blocks):
                self._blocks.append((count, number, position))
                for first, chunk in chunks.of(block, partial(runs_of, scope_of)):
                    self.runs += chunk.kept
                    self.chunks += [chunk] * len(chunk.kept)
                    self.at += [count + first + run.first for run in chunk.kept]
                pieces.append(np.array([np.array(block.starts), np.array(block.ends)], np.int64))
                count += len(block.starts)
        self.places = (
            pieces[0] if len(pieces) == 1 else np.concatenate([*pieces, np.empty((2, 0), np.int64)], 1)
        )
        firsts = np.array(self.at, np.int64)
        lasts = np.append(firsts[1:], count)[: len(firsts)] - 1
        self.starts: list[int] = self.places[0][firsts].tolist()
        self.ends: list[int] = self.places[1][lasts].tolist()

    def operation(self, number: int) -> Operation:
        """Returns the first operation of a run."""
        return self.chunks[number].operations[self.runs[number].first]

    def path(self, number: int) -> OpPath:
        """Returns the operation of a run of one."""
        _, region, position = next(block for block in reversed(self._blocks) if block[0] <= self.at[number])
        start, end = (self.place.start + offsets[number] for offsets in (self.starts, self.ends))
        return OpPath(self.operation(number), start, end, self.place, region, position)

    def operations_before(self, number: int) -> int:
        """Returns how many operations are before a run, or in all runs."""
        return self.at[number] if number < len(self.at) else self.places.shape[1]


class KeptGroup(Struct, frozen=True):
    """A scope as it was: the runs in it, and the items that they became. These are the same as long as the
    runs are: an edit between two operations makes the first of them anew.

    `parts` are those of the scope: whatever is in it is so in each operation that may hold it. Of the results
    in it as many were `shown` one by one, and `may_show` says how many could have been. `inside` are the
    scopes right in it.
    """

    runs: list[OperationRun]
    parts: Scope
    entries: Entries
    may_show: int
    shown: int
    inside: tuple[KeptGroup, ...]

    def is_good(self, rows: RunRows, number: int, may_show: int) -> bool:
        """Returns whether it is what is in a scope that begins with a run, if so many results may be shown
        one by one and no run behind it is in the scope."""
        is_whole = self.may_show > self.shown
        if not (may_show > self.shown if is_whole else max(may_show, 0) == max(self.may_show, 0)):
            return False
        return rows.runs[number : number + len(self.runs)] == self.runs


class OpenGroup:
    """A scope, or all of an operation's regions, while its items are made: consecutive ones, as the outline
    is in the order of the text. It begins at an offset of the program, from which its items count."""

    def __init__(self, parts: Scope, start: int, number: int = 0, may_show: int = 0) -> None:
        self.parts, self.start = parts, start
        self.number, self.may_show = number, may_show
        """Its first run, and how many results could be shown one by one there."""
        self.entries: list[Entry] = []
        self.inside: list[KeptGroup] = []
        self._page: Span | None = None
        self._paged = 0

    def add(self, entry: Entry) -> None:
        """Adds one or many items that are shown one by one."""
        self.end_page()
        self.entries.append(entry)

    def kept(self, rows: RunRows, end: int, may_show: int, entries: Entries) -> KeptGroup:
        """Returns what is kept of it if it ends before run `end`, where so many results may be shown."""
        return KeptGroup(
            rows.runs[self.number : end],
            self.parts,
            entries,
            self.may_show,
            self.may_show - may_show,
            tuple(self.inside),
        )

    def add_group(self, parts: Scope, start: int, end: int, entries: Entries) -> None:
        """Adds a scope from an offset to another, if there is anything in it; a page goes on behind it."""
        if entries:
            at = start - self.start
            span, first = Span(at, end - self.start), Span(at, at)
            self.entries.append(OutlineItem(parts[-1], "", "scope", span, first, Items(entries, at)))

    def add_to_page(self, starts: Array, ends: Array) -> None:
        """Adds operations that are not shown one by one; places count from the group's start."""
        first, count = 0, len(starts)
        while first < count:
            if self._paged == PAGE:
                self.end_page()
            last = min(first + PAGE - self._paged, count)
            start = self._page.start if self._page else int(starts[first])
            self._page = Span(start, int(ends[last - 1]))
            self._paged += last - first
            first = last

    def end_page(self) -> None:
        """Makes an item of the operations that are not shown one by one."""
        if self._page is not None:
            self.entries.append(Page(self._page, self._paged))
            self._page, self._paged = None, 0


class KeptGroups:
    """The scopes of a function: those that may be `known` of the edition before, and those of now, which are
    in no other one."""

    def __init__(self, before: KeptGroups | None) -> None:
        self.found: list[KeptGroup] = []
        self._known: dict[tuple[int, int], KeptGroup] = {}
        self._unopened: dict[Scope, list[KeptGroup]] = {}
        self._add(before.found if before else ())

    def _add(self, groups: Iterable[KeptGroup]) -> None:
        for group in groups:
            self._known[id(group.runs[0]), len(group.parts)] = group
            self._unopened.setdefault(group.parts, []).append(group)

    def forget_known(self) -> None:
        """Lets the edition before go."""
        self._known, self._unopened = {}, {}

    def known(self, run: OperationRun, parts: Scope) -> KeptGroup | None:
        """Returns the group of a scope that began with a run."""
        return self._known.get((id(run), len(parts)))

    def open(self, parts: Scope) -> None:
        """Makes the scopes known that were in a scope that has changed."""
        for group in self._unopened.pop(parts, ()):
            self._add(group.inside)


def shared_parts(groups: list[OpenGroup], parts: Scope, around: Scope) -> int:
    """Returns how many of the open groups a scope is in, the outermost among them, which is none."""
    count = 1
    for name in parts[len(around) :]:
        if count == len(groups) or groups[count].parts[-1] != name:
            break
        count += 1
    return count


def depths(parts: Scope, around: Scope, shared: int) -> Iterator[Scope]:
    """Yields the scopes that are to be entered, outer ones first, where so many groups are open."""
    for count in range(len(around) + shared, len(parts) + 1):
        yield parts[:count]
