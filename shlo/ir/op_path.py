"""Operations with their spans and the operations around them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct

from shlo.ir.operations import Module, Operation, Region, ValueTable
from shlo.ir.source import Span


class OpPath(Struct, frozen=True):
    """An operation from `start` to `end`, in block `block` of region `region` of its parent."""

    operation: Operation
    start: int
    end: int
    parent: OpPath | None = None
    region: int = 0
    block: int = 0

    @property
    def span(self) -> Span:
        """The operation's span in the text."""
        return Span(self.start, self.end)

    @property
    def values(self) -> ValueTable:
        """The table of the values that the operation uses; an empty one for the outermost operation."""
        return self.parent.operation.regions[self.region].values if self.parent else ValueTable()

    def around(self) -> Iterator[OpPath]:
        """Yields the operation itself and those around it, inner ones first."""
        place: OpPath | None = self
        while place is not None:
            yield place
            place = place.parent


def root_of(module: Module, text: str) -> OpPath:
    """Returns the place of a module's operation."""
    return OpPath(module.operation, module.start, len(text))


def children_of(place: OpPath) -> Iterator[OpPath]:
    """Yields the operations that are in an operation's regions and have a text of their own."""
    for number, region in enumerate(place.operation.regions):
        yield from children_in(place, number, region)


def children_in(place: OpPath, number: int, region: Region) -> Iterator[OpPath]:
    """Yields the operations of one region."""
    start = place.start
    for position, block in enumerate(region.blocks):
        for operation, begin, end in zip(block.operations, block.starts, block.ends):
            yield OpPath(operation, start + begin, start + end, place, number, position)


def children_touching(place: OpPath, span: Span) -> Iterator[OpPath]:
    """Yields those operations in an operation's regions whose text a span touches."""
    start = place.start
    for number, region in enumerate(place.operation.regions):
        for position, block in enumerate(region.blocks):
            first = bisect_left(block.ends, span.start - start)
            for index in range(first, bisect_right(block.starts, span.end - start)):
                begin, end = start + block.starts[index], start + block.ends[index]
                yield OpPath(block.operations[index], begin, end, place, number, position)


def walk(place: OpPath) -> Iterator[OpPath]:
    """Yields every operation inside another one in textual order, outer ones before inner ones."""
    for child in children_of(place):
        yield child
        if child.operation.regions:
            yield from walk(child)


class _BlockPlace(NamedTuple):
    """Where the first operation of a block starts, counted from the start of the block's parent; the number
    of its region, and its own."""

    start: int
    region: int
    block: int


class OpFinder:
    """Finds operations of a program by offset.

    The blocks of an operation are listed once, without those that have no operations and so no place in the
    text: there may be thousands of both.
    """

    def __init__(self, root: OpPath) -> None:
        self._root = root
        self._blocks: dict[int, list[_BlockPlace]] = {}
        """The blocks of operations, by the identity of each."""

    def innermost(self, offset: int) -> OpPath:
        """Returns the operation that holds an offset, or ends there, and contains no other one that does."""
        place = self._root
        while (child := self._child_at(place, offset)) is not None:
            place = child
        return place

    def _child_at(self, place: OpPath, offset: int) -> OpPath | None:
        relative, blocks = offset - place.start, self._blocks_of(place.operation)
        number = bisect_right(blocks, relative, key=attrgetter("start")) - 1
        if number < 0:
            return None
        _, region, position = blocks[number]
        block = place.operation.regions[region].blocks[position]
        index = bisect_right(block.starts, relative) - 1
        if relative > block.ends[index]:
            return None
        start, end = place.start + block.starts[index], place.start + block.ends[index]
        return OpPath(block.operations[index], start, end, place, region, position)

    def _blocks_of(self, operation: Operation) -> list[_BlockPlace]:
        found = self._blocks.get(id(operation))
        if found is None:
            found = self._blocks[id(operation)] = [
                _BlockPlace(block.starts[0], number, position)
                for number, region in enumerate(operation.regions)
                for position, block in enumerate(region.blocks)
                if block.starts
            ]
        return found


def header_spans(place: OpPath) -> list[Span]:
    """Returns the text of an operation outside the operations in its regions.

    Text between the operations of one block is left out.
    """
    return list(iter_header_spans(place))


def iter_header_spans(place: OpPath) -> Iterator[Span]:
    """Yields the same stretches one after another."""
    start = place.start
    for region in place.operation.regions:
        for block in region.blocks:
            if block.starts:
                yield Span(start, place.start + block.starts[0])
                start = place.start + block.ends[-1]
    yield Span(start, place.end)
