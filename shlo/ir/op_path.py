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
        op_path: OpPath | None = self
        while op_path is not None:
            yield op_path
            op_path = op_path.parent


def root_of(module: Module, text: str) -> OpPath:
    """Returns the place of a module's operation."""
    return OpPath(module.operation, module.start, len(text))


def children_of(op_path: OpPath) -> Iterator[OpPath]:
    """Yields the operations that are in an operation's regions and have a text of their own."""
    for number, region in enumerate(op_path.operation.regions):
        yield from children_in(op_path, number, region)


def children_in(op_path: OpPath, number: int, region: Region) -> Iterator[OpPath]:
    """Yields the operations of one region."""
    start = op_path.start
    for position, block in enumerate(region.blocks):
        for operation, begin, end in zip(block.operations, block.starts, block.ends):
            yield OpPath(operation, start + begin, start + end, op_path, number, position)


def children_touching(op_path: OpPath, span: Span) -> Iterator[OpPath]:
    """Yields those operations in an operation's regions whose text a span touches."""
    start = op_path.start
    for number, region in enumerate(op_path.operation.regions):
        for position, block in enumerate(region.blocks):
            first = bisect_left(block.ends, span.start - start)
            for index in range(first, bisect_right(block.starts, span.end - start)):
                begin, end = start + block.starts[index], start + block.ends[index]
                yield OpPath(block.operations[index], begin, end, op_path, number, position)


def walk(op_path: OpPath) -> Iterator[OpPath]:
    """Yields every operation inside another one in textual order, outer ones before inner ones."""
    for child in children_of(op_path):
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
        op_path = self._root
        while (child := self._child_at(op_path, offset)) is not None:
            op_path = child
        return op_path

    def _child_at(self, op_path: OpPath, offset: int) -> OpPath | None:
        relative, blocks = offset - op_path.start, self._blocks_of(op_path.operation)
        number = bisect_right(blocks, relative, key=attrgetter("start")) - 1
        if number < 0:
            return None
        _, region, position = blocks[number]
        block = op_path.operation.regions[region].blocks[position]
        index = bisect_right(block.starts, relative) - 1
        if relative > block.ends[index]:
            return None
        start, end = op_path.start + block.starts[index], op_path.start + block.ends[index]
        return OpPath(block.operations[index], start, end, op_path, region, position)

    def _blocks_of(self, operation: Operation) -> list[_BlockPlace]:
        blocks = self._blocks.get(id(operation))
        if blocks is None:
            blocks = self._blocks[id(operation)] = [
                _BlockPlace(block.starts[0], number, position)
                for number, region in enumerate(operation.regions)
                for position, block in enumerate(region.blocks)
                if block.starts
            ]
        return blocks


def header_spans(op_path: OpPath) -> list[Span]:
    """Returns the text of an operation outside the operations in its regions.

    Text between the operations of one block is left out.
    """
    return list(iter_header_spans(op_path))


def iter_header_spans(op_path: OpPath) -> Iterator[Span]:
    """Yields the same stretches one after another."""
    start = op_path.start
    for region in op_path.operation.regions:
        for block in region.blocks:
            if block.starts:
                yield Span(start, op_path.start + block.starts[0])
                start = op_path.start + block.ends[-1]
    yield Span(start, op_path.end)
