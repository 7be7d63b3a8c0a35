"""Which values are defined where: an operation sees what is above it in its block, in the blocks through
which every way to it leads, and around them.

Specification: "Operations" (SSA form).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shlo.ir.operations import Block, Region, ValueTable


def definitions(block: Block) -> list[int]:
    """Returns the values that a block's arguments and operations define."""
    return [*block.arguments, *(value for operation in block.operations for value in operation.results)]


def declared(region: Region, table: ValueTable) -> Iterator[int]:
    """Yields the values of a table that are defined somewhere in a region."""
    for block in region.blocks:
        if region.values is table:
            yield from definitions(block)
        for operation in block.operations:
            for inner in operation.regions:
                yield from declared(inner, table)


def immediate_dominators(region: Region) -> list[int | None]:
    """For each block the last other block through which every way from the first one leads; 0 for the first
    block itself, None where no way leads to the block.

    Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", 2001.
    """
    successors = [_successors(block, len(region.blocks)) for block in region.blocks]
    order = _reverse_postorder(successors)
    rank = {number: index for index, number in enumerate(order)}
    predecessors: dict[int, list[int]] = {number: [] for number in order}
    for number in order:
        for successor in successors[number]:
            predecessors[successor].append(number)
    collected: list[int | None] = [None] * len(region.blocks)
    collected[0] = 0
    has_changed = True
    while has_changed:
        has_changed = False
        for number in order[1:]:
            processed = [block for block in predecessors[number] if collected[block] is not None]
            closest = processed[0]
            for name in processed[1:]:
                closest = _common_dominator(closest, name, collected, rank)
            if collected[number] != closest:
                collected[number] = closest
                has_changed = True
    return collected


def _common_dominator(one: int, other: int, collected: list[int | None], rank: dict[int, int]) -> int:
    while one != other:
        if rank[one] < rank[other]:
            one, other = other, one
        above = collected[one]
        assert above is not None
        one = above
    return one


def _reverse_postorder(successors: list[list[int]]) -> list[int]:
    """Returns the blocks that a way leads to, each before those it goes on with, but for loops."""
    left: list[int] = []
    visible = {0}
    pending = [(0, iter(successors[0]))]
    while pending:
        number, following = pending[-1]
        successor = next((successor for successor in following if successor not in visible), None)
        if successor is None:
            left.append(number)
            pending.pop()
        else:
            visible.add(successor)
            pending.append((successor, iter(successors[successor])))
    return left[::-1]


class DominanceStep(NamedTuple):
    """A step of a walk over the tree of dominators: into a block, or (`leaves`) back out of it."""

    block: int
    leaves: bool


def walk_dominators(region: Region) -> Iterator[DominanceStep]:
    """Enters each block that a way leads to, with all blocks that it dominates between entering and leaving
    it: between both, its values are visible."""
    dominated: list[list[int]] = [[] for _ in region.blocks]
    for number, above in enumerate(immediate_dominators(region)):
        if number and above is not None:
            dominated[above].append(number)
    pending = [DominanceStep(0, False)]
    while pending:
        step = pending.pop()
        yield step
        if not step.leaves:
            pending.append(DominanceStep(step.block, True))
            pending += [DominanceStep(number, False) for number in reversed(dominated[step.block])]


def _successors(block: Block, count: int) -> list[int]:
    last = block.operations[-1] if block.operations else None
    return [number for number, _ in last.successors if number < count] if last else []
