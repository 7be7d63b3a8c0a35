"""Which values an operation uses, and which are used for the last time where.

A region with a table of values of its own uses none from outside, and its numbers mean nothing there.
"""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.operations import Block, Operation, Region, ValueTable


def captures_of(operation: Operation, values: ValueTable) -> tuple[int, ...]:
    """Returns the values from outside that an operation's regions use, in a fixed order; `values` is the
    table outside.
    """
    if not operation.regions:
        return ()
    used: set[int] = set()
    defined: set[int] = set()
    waiting = [operation]
    while waiting:
        regions = waiting.pop().regions
        for block in [block for region in regions if region.values is values for block in region.blocks]:
            defined.update(block.arguments)
            for inner in block.operations:
                used.update(inner.operands)
                defined.update(inner.results)
                if inner.regions:
                    waiting.append(inner)
    return tuple(sorted(used - defined))


def uses_of(operation: Operation, values: ValueTable) -> tuple[int, ...]:
    """Returns the operands of an operation, and the values that its regions use, as `captures_of`."""
    return (*operation.operands, *captures_of(operation, values))


def used_outside(block: Block, region: Region) -> frozenset[int]:
    """Returns the values that a block of a region defines and that other blocks of it use."""
    used: set[int] = set()
    for other in region.blocks:
        if other is not block:
            for operation in other.operations:
                used.update(uses_of(operation, region.values))
                used.update(value for _, values in operation.successors for value in values)
    return frozenset(used)


def last_uses(
    block: Block, captures: Sequence[tuple[int, ...]], used_elsewhere: frozenset[int] = frozenset()
) -> list[tuple[int, ...]]:
    """For each operation of a block, the values that the block defines and that nothing uses after it.

    `captures[i]` are the values that operation `i` uses inside its regions. An argument that nothing uses
    dies at the first operation. `kept` never die here.
    """
    defined = set(block.arguments)
    for operation in block.operations:
        defined.update(operation.results)
    defined -= used_elsewhere
    dying: list[tuple[int, ...]] = []
    for operation, captured in zip(reversed(block.operations), reversed(captures)):
        ends = defined.intersection((*operation.operands, *captured, *operation.results))
        defined -= ends
        dying.append(tuple(ends))
    dying.reverse()
    if dying and defined:
        dying[0] = (*dying[0], *defined)
    return dying
