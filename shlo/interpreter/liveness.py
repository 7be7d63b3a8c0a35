"""Which values an operation uses, and which are used for the last time where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shlo.ir.operations import Block, Operation, Region


def uses_inside(regions: Iterable[Region]) -> set[int]:
    """Every value that operations in these regions use, at any depth."""
    used: set[int] = set()
    for region in regions:
        for block in region.blocks:
            for operation in block.operations:
                used.update(operation.operands)
                if operation.regions:
                    used |= uses_inside(operation.regions)
    return used


def definitions_inside(regions: Iterable[Region]) -> set[int]:
    """Every value that these regions define, at any depth."""
    defined: set[int] = set()
    for region in regions:
        for block in region.blocks:
            defined.update(block.arguments)
            for operation in block.operations:
                defined.update(operation.results)
                if operation.regions:
                    defined |= definitions_inside(operation.regions)
    return defined


def captures_of(operation: Operation) -> tuple[int, ...]:
    """The values from outside that an operation's regions use, in a fixed order."""
    if not operation.regions:
        return ()
    return tuple(sorted(uses_inside(operation.regions) - definitions_inside(operation.regions)))


def deaths(block: Block, captures: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """For each operation of a block, the values that the block defines and that nothing uses after it.

    `captures[i]` are the values that operation `i` uses inside its regions. An argument that nothing uses
    dies at the first operation.
    """
    own = set(block.arguments)
    for operation in block.operations:
        own.update(operation.results)
    dying: list[tuple[int, ...]] = []
    for operation, captured in zip(reversed(block.operations), reversed(captures)):
        ends = own.intersection((*operation.operands, *captured, *operation.results))
        own -= ends
        dying.append(tuple(ends))
    dying.reverse()
    if dying and own:
        dying[0] = (*dying[0], *own)
    return dying
