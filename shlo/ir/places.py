"""Operations with the place where they stand in a text and what stands around them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from shlo.ir.operations import Module, Operation, Region, ValueTable
from shlo.ir.source import Span


class Place(NamedTuple):
    """An operation from `start` to `end`, in block `block` of region `region` of its parent."""

    operation: Operation
    start: int
    end: int
    parent: Place | None = None
    region: int = 0
    block: int = 0

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def values(self) -> ValueTable:
        """The table of the values that the operation uses; an empty one for the outermost operation."""
        return self.parent.operation.regions[self.region].values if self.parent else ValueTable()

    def around(self) -> Iterator[Place]:
        """The operation itself and those around it, inner ones first."""
        place: Place | None = self
        while place is not None:
            yield place
            place = place.parent


def root_of(module: Module, text: str) -> Place:
    """The place of a module's operation."""
    return Place(module.operation, module.start, len(text))


def children_of(place: Place) -> Iterator[Place]:
    """The operations that stand in an operation's regions and have a text of their own."""
    for number, region in enumerate(place.operation.regions):
        yield from children_in(place, number, region)


def children_in(place: Place, number: int, region: Region) -> Iterator[Place]:
    """The operations of one region."""
    start = place.start
    for position, block in enumerate(region.blocks):
        for operation, begin, end in zip(block.operations, block.starts, block.ends):
            yield Place(operation, start + begin, start + end, place, number, position)


def walk(place: Place) -> Iterator[Place]:
    """Every operation inside another one in the order of the text, outer ones before those they contain."""
    for child in children_of(place):
        yield child
        if child.operation.regions:
            yield from walk(child)


def innermost(place: Place, offset: int) -> Place:
    """The operation that holds an offset, or ends there, and contains no other one that does."""
    while (child := _child_at(place, offset)) is not None:
        place = child
    return place


def own_stretches(place: Place) -> list[Span]:
    """The text of an operation outside the operations in its regions. What stands between the operations of
    one block is left out."""
    spans: list[Span] = []
    start = place.start
    for region in place.operation.regions:
        for block in region.blocks:
            if block.starts:
                spans.append(Span(start, place.start + block.starts[0]))
                start = place.start + block.ends[-1]
    return [*spans, Span(start, place.end)]


def _child_at(place: Place, offset: int) -> Place | None:
    relative = offset - place.start
    for number, region in enumerate(place.operation.regions):
        for position, block in enumerate(region.blocks):
            index = bisect_right(block.starts, relative) - 1
            if index >= 0 and relative <= block.ends[index]:
                return Place(
                    block.operations[index],
                    place.start + block.starts[index],
                    place.start + block.ends[index],
                    place,
                    number,
                    position,
                )
    return None
