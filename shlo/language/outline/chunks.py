"""Consecutive operations of a block, and what the outline keeps of them from one edition to the next.

An edit of a large function gives a new block, most operations of which are the same objects. Chunks of some
hundred operations are found again by these, and only those are looked at anew in which an operation is new.
What a chunk keeps does not depend on where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from shlo.ir.dtypes import Array
from shlo.ir.locations import Location
from shlo.ir.operations import BROKEN, Block, Operation
from shlo.language.index.op_names import RESULTS
from shlo.support.cancellation import checkpoint

SIZE = 256
"""How many operations a chunk has at most."""
BIG = 20_000
"""How many characters an operation's text has that is never one of many on a page."""

Scope = tuple[str, ...]
ScopeOf = Callable[[Location], Scope | None]


class Named(NamedTuple):
    """The names of operations' results, the operations' own, and how long the first are in the text."""

    names: list[str]
    operations: list[str]
    lengths: Array


@dataclass(slots=True, eq=False)
class Run:
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
            own = [each.signature.name for each in operations[self.first : self.last]]
            names: list[str] = []
            lengths: list[int] = []
            for name, start, end in zip(own, *places.tolist(), strict=True):
                match = RESULTS.match(text, start, end)
                result = match[0].rstrip("= \t\n") if match else ""
                lengths.append(len(result))
                names.append(result or name)
            self._named = Named(names, own, np.array(lengths, np.int64))
        return self._named


class Chunk:
    """Consecutive operations, as runs."""

    __slots__ = ("anchor", "operations", "runs")

    def __init__(self, operations: list[Operation], runs: list[Run]) -> None:
        self.operations, self.runs = operations, runs
        self.anchor = next((number for number, each in enumerate(operations) if not each.regions), 0)
        """The number of the operation by which it is found again: one with others inside may be made anew."""

    def among(self, operations: list[Operation]) -> Chunk | None:
        """Returns the chunk of as many operations that are its own, else None."""
        if operations == self.operations:  # compares identities
            return self
        is_same = all(map(_is_same, self.operations, operations))
        return Chunk(operations, self.runs) if is_same else None


class Chunks:
    """The chunks of a function's blocks: those that are `known` of the edition before, and those of now."""

    def __init__(self, known: Chunks | None) -> None:
        self.known = known.found if known else {}
        self.found: dict[int, Chunk] = {}

    def forget_known(self) -> None:
        """Lets the edition before go: all blocks have been asked for."""
        self.known = {}

    def of(self, block: Block, scope_of: ScopeOf) -> Iterator[tuple[int, Chunk]]:
        """Yields the chunks of a block that have a text, each with the number of its first operation."""
        operations, end = block.operations, len(block.starts)
        first = 0
        for number, chunk in self._known_in(operations, end):
            yield from self._new(block, first, number, scope_of)
            yield number, self._add(chunk)
            first = number + len(chunk.operations)
        yield from self._new(block, first, end, scope_of)

    def _known_in(self, operations: list[Operation], end: int) -> Iterator[tuple[int, Chunk]]:
        known = self.known
        first = number = 0
        while known and number < end:
            chunk = known.get(id(operations[number]))
            number += 1
            if chunk is None:
                continue
            start = number - 1 - chunk.anchor
            stop = start + len(chunk.operations)
            if start < first or stop > end:
                continue
            same = chunk.among(operations[start:stop])
            if same is not None:
                yield start, same
                first = stop
                number = max(stop, number)

    def _new(self, block: Block, first: int, end: int, scope_of: ScopeOf) -> Iterator[tuple[int, Chunk]]:
        """Yields new chunks for operations of a block, of about the same size, so that none are tiny."""
        count = -(-(end - first) // SIZE)
        for number in range(count):
            checkpoint()
            start, stop = (first + (end - first) * each // count for each in (number, number + 1))
            runs = _runs(block, start, stop, scope_of)
            yield start, self._add(Chunk(block.operations[start:stop], runs))

    def _add(self, chunk: Chunk) -> Chunk:
        self.found[id(chunk.operations[chunk.anchor])] = chunk
        return chunk


def _runs(block: Block, start: int, stop: int, scope_of: ScopeOf) -> list[Run]:
    runs: list[Run] = []
    for number in range(start, stop):
        operation = block.operations[number]
        location = operation.location
        has_scope = location is not None and not operation.signature.name.endswith(".constant")
        scope = scope_of(location) if has_scope and location is not None else None
        is_plain = (
            bool(operation.results)
            and not _has_inside(operation)
            and operation.symbol is None
            and operation.signature.name != BROKEN
            and block.ends[number] - block.starts[number] < BIG
        )
        at = number - start
        last = runs[-1] if runs else None
        if last is not None and is_plain and last.is_plain and scope in (None, last.scope):
            runs[-1] = Run(last.first, at + 1, last.scope, True)
        else:
            runs.append(Run(at, at + 1, scope, is_plain))
    return runs


def _has_inside(operation: Operation) -> bool:
    """Returns whether an operation has others inside; those that a short form implies have no text."""
    return any(block.starts for region in operation.regions for block in region.blocks)


def _is_same(old: Operation, new: Operation) -> bool:
    """Returns whether an operation is one that a reading after an edit has taken over. It makes those with
    others inside anew, around the same places: arrays that no operation has which was read again."""
    return old is new or (_has_inside(old) and _inside(old) == _inside(new))


def _inside(operation: Operation) -> list[int]:
    """Returns the ids of the places of the operations inside of one."""
    return [id(block.starts) for region in operation.regions for block in region.blocks]
