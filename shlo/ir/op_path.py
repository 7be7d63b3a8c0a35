"""Operations with their spans and the operations around them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from shlo.ir.operations import Block, Module, Operation, Region, ValueTable
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


def innermost(place: OpPath, offset: int) -> OpPath:
    """Returns the operation that holds an offset, or ends there, and contains no other one that does."""
    while (child := _child_at(place, offset)) is not None:
        place = child
    return place


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


def _child_at(place: OpPath, offset: int) -> OpPath | None:
    relative = offset - place.start
    regions = place.operation.regions
    number = _last_to(relative, regions, _region_start)
    if number is None:
        return None
    position = _last_to(relative, regions[number].blocks, _block_start)
    assert position is not None
    block = regions[number].blocks[position]
    index = bisect_right(block.starts, relative) - 1
    if relative > block.ends[index]:
        return None
    start, end = place.start + block.starts[index], place.start + block.ends[index]
    return OpPath(block.operations[index], start, end, place, number, position)


def _block_start(block: Block) -> int | None:
    return block.starts[0] if block.starts else None


def _region_start(region: Region) -> int | None:
    return next((block.starts[0] for block in region.blocks if block.starts), None)


Item = TypeVar("Item")


def _last_to(offset: int, items: Sequence[Item], start_of: Callable[[Item], int | None]) -> int | None:
    """Returns the number of the last item that starts at or before an offset; some have no start."""
    low, high = 0, len(items)
    found = None
    while low < high:
        middle = probe = (low + high) // 2
        start = start_of(items[probe])
        while start is None and probe + 1 < high:
            probe += 1
            start = start_of(items[probe])
        if start is None or start > offset:
            high = middle
        else:
            found, low = probe, probe + 1
    return found
