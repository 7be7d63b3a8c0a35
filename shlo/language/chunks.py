"""Consecutive operations of a block, and what is kept of them from one edition to the next.

An edit of a large function gives a new block, most operations of which are the same objects. Chunks of some
hundred operations are found again by these, and only those are looked at anew in which an operation is new.
What is kept of a chunk must not depend on where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from shlo.ir.operations import Block, Operation
from shlo.support.cancellation import checkpoint

SIZE = 256
"""How many operations a chunk has at most."""

Kept = TypeVar("Kept")
Make = Callable[[Block, int, int], Kept]
"""What is to be kept of the operations of a block from a number to before another one."""


class Chunk(Generic[Kept]):
    """Consecutive operations, and what is `kept` of them."""

    __slots__ = ("anchor", "kept", "operations")

    def __init__(self, operations: list[Operation], product: Kept) -> None:
        self.operations, self.kept = operations, product
        self.anchor = next(
            (number for number, operation in enumerate(operations) if not operation.regions), 0
        )
        """The number of the operation by which it is found again: one with others inside may be made anew."""

    def among(self, operations: list[Operation]) -> Chunk[Kept] | None:
        """Returns the chunk of as many operations that are its own, else None."""
        if operations == self.operations:  # compares identities
            return self
        is_same = all(map(_is_same, self.operations, operations))
        return Chunk(operations, self.kept) if is_same else None


class Chunks(Generic[Kept]):
    """The chunks of some blocks: those that are `earlier`, of the edition before, and those of now."""

    def __init__(self, *earlier: Chunks[Kept] | None) -> None:
        self.known = {key: chunk for chunks in earlier if chunks for key, chunk in chunks.found.items()}
        self.found: dict[int, Chunk[Kept]] = {}

    def forget_known(self) -> None:
        """Lets the edition before go: all blocks have been asked for."""
        self.known = {}

    def of(self, block: Block, make: Make[Kept]) -> Iterator[tuple[int, Chunk[Kept]]]:
        """Yields the chunks of a block that have a text, each with the number of its first operation."""
        operations, end = block.operations, len(block.starts)
        first = 0
        for number, chunk in self._known_in(operations, end):
            yield from self._new(block, first, number, make)
            yield number, self._add(chunk)
            first = number + len(chunk.operations)
        yield from self._new(block, first, end, make)

    def _known_in(self, operations: list[Operation], end: int) -> Iterator[tuple[int, Chunk[Kept]]]:
        earlier = self.known
        first = number = 0
        while earlier and number < end:
            chunk = earlier.get(id(operations[number]))
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

    def _new(self, block: Block, first: int, end: int, make: Make[Kept]) -> Iterator[tuple[int, Chunk[Kept]]]:
        """Yields new chunks for operations of a block, of about the same size, so that none are tiny."""
        count = -(-(end - first) // SIZE)
        for number in range(count):
            checkpoint()
            start, stop = (first + (end - first) * index // count for index in (number, number + 1))
            yield start, self._add(Chunk(block.operations[start:stop], make(block, start, stop)))

    def _add(self, chunk: Chunk[Kept]) -> Chunk[Kept]:
        self.found[id(chunk.operations[chunk.anchor])] = chunk
        return chunk


def has_inside(operation: Operation) -> bool:
    """Returns whether an operation has others inside; those that a short form implies have no text."""
    return any(block.starts for region in operation.regions for block in region.blocks)


def _is_same(old: Operation, new: Operation) -> bool:
    """Returns whether an operation is one that a reading after an edit has taken over. It makes those with
    others inside anew, around the same places: arrays that no operation has which was read again."""
    return old is new or (has_inside(old) and _inside(old) == _inside(new))


def _inside(operation: Operation) -> list[int]:
    """Returns the ids of the places of the operations inside of one."""
    return [id(block.starts) for region in operation.regions for block in region.blocks]
