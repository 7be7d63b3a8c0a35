"""Which values are defined where: an operation sees what stands above it in its block, in the blocks through
which every way to it leads, and around them.

Specification: "Operations" (SSA form).
"""

from __future__ import annotations

from collections.abc import Iterator

from shlo.ir.operations import Block, Region, ValueTable


def definitions(block: Block) -> list[int]:
    """The values that a block's arguments and operations define."""
    return [*block.arguments, *(value for operation in block.operations for value in operation.results)]


def declared(region: Region, table: ValueTable) -> Iterator[int]:
    """The values of a table that are defined somewhere in a region."""
    for block in region.blocks:
        if region.values is table:
            yield from definitions(block)
        for operation in block.operations:
            for inner in operation.regions:
                yield from declared(inner, table)


def dominators(region: Region) -> list[set[int] | None]:
    """For each block the blocks through which every way from the first one leads, itself included; None
    where no way leads to it."""
    successors = [_successors(block, len(region.blocks)) for block in region.blocks]
    found: list[set[int] | None] = [None] * len(region.blocks)
    found[0] = {0}
    pending = [0]
    while pending:
        number = pending.pop()
        through = found[number]
        assert through is not None
        for successor in successors[number]:
            known = found[successor]
            better = through | {successor} if known is None else known & (through | {successor})
            if better != known:
                found[successor] = better
                pending.append(successor)
    return found


def visible(region: Region, outer: set[int]) -> list[set[int] | None]:
    """What the first operation of each block sees but its own arguments; None where no way leads to the
    block, as nothing is wrong there."""
    defined = [definitions(block) for block in region.blocks]
    return [
        None if through is None else outer.union(*(defined[each] for each in through if each != number))
        for number, through in enumerate(dominators(region))
    ]


def _successors(block: Block, count: int) -> list[int]:
    last = block.operations[-1] if block.operations else None
    return [number for number, _ in last.successors if number < count] if last else []
