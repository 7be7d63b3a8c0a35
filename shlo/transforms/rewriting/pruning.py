"""Removal of values and operations that are no longer used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from shlo.ir.operations import Block, Operation, Region, ValueTable
from shlo.transforms.rewriting.rebuild import block_of, collect_uses, with_regions


class Pruning:
    """Leaves operations out of a function that have lost all uses: `used` are the values that something used
    before, `is_removable` says of an operation whether it may go. What was never used stays.
    """

    def __init__(self, used: Set[int], is_removable: Callable[[Operation], bool]) -> None:
        self._used = used
        self._is_removable = is_removable
        self._needed: set[int] = set()

    def pruned(self, region: Region) -> Region:
        """Returns the function's body without these operations."""
        return self._region(region, region.values)

    def _region(self, region: Region, table: ValueTable) -> Region:
        if region.values is not table:
            return region
        if len(region.blocks) != 1:  # what one block uses, another one before it may define
            uses: dict[ValueTable, set[int]] = {}
            collect_uses(region, uses)
            self._needed |= uses[table]
            return region
        block = self._block(region.blocks[0], table)
        return region if block is region.blocks[0] else Region((block,), table)

    def _block(self, block: Block, table: ValueTable) -> Block:
        kept = list(self._kept(block, table))
        return block_of(block, reversed(kept))

    def _kept(self, block: Block, table: ValueTable) -> Iterator[tuple[int, Operation]]:
        """Yields the operations that stay, the last one first: what uses a value is below it."""
        for index in range(len(block.operations) - 1, -1, -1):
            operation = block.operations[index]
            if self._is_dead(operation):
                continue
            self._needed.update(operation.operands)
            regions = tuple(self._region(region, table) for region in operation.regions)
            yield index, with_regions(operation, regions)

    def _is_dead(self, operation: Operation) -> bool:
        results = operation.results
        has_lost_uses = self._needed.isdisjoint(results) and not self._used.isdisjoint(results)
        return has_lost_uses and self._is_removable(operation)
