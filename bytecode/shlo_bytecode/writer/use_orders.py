"""Writes in which orders MLIR is to list the uses of values, as bytecode that was read said it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shlo.ir.operations import Region, ValueTable
from shlo_bytecode.container.output import varint, varints


class UseOrders:
    """The orders of the uses of one table's values. `region` holds all operations that use them.

    An order that no longer fits their number is left out.
    """

    def __init__(self, region: Region) -> None:
        uses = _uses(region, region.values)
        orders = region.values.use_orders or {}
        self._orders = {
            value: order + tuple(range(len(order), uses[value]))
            for value, order in orders.items()
            if 1 < len(order) <= uses[value]
        }

    def encoded(self, values: Sequence[int]) -> bytes:
        """Returns the orders of values that are defined together, nothing where none has one."""
        indices = [index for index, value in enumerate(values) if value in self._orders]
        if not indices:
            return b""
        if len(values) == 1:
            return _encoded(self._orders[values[0]])
        entries = [varint(index) + _encoded(self._orders[values[index]]) for index in indices]
        return varint(len(entries)) + b"".join(entries)


def _uses(region: Region, table: ValueTable) -> Counter[int]:
    """Returns how many times the operations of a region use each value of a table."""
    uses: Counter[int] = Counter()
    for block in region.blocks:
        for operation in block.operations:
            if region.values is table:
                uses.update(operation.operands)
                for _, values in operation.successors:
                    uses.update(values)
            for inner in operation.regions:
                uses.update(_uses(inner, table))
    return uses


def _encoded(order: tuple[int, ...]) -> bytes:
    """Returns a permutation, in pairs where less than half of it moves, as MLIR writes it."""
    shuffled = [(source, target) for source, target in enumerate(order) if source != target]
    in_pairs = len(shuffled) < len(order) // 2
    numbers = [number for pair in shuffled for number in pair] if in_pairs else order
    return varint(len(numbers) << 1 | in_pairs) + b"".join(varints(numbers))
