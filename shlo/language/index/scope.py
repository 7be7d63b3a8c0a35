"""The values of one table and what defines them. Places are made when they are asked for: making those of all
operations of a large program takes longer than any answer may."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN, Block, Operation, ValueTable
from shlo.support.cancellation import checkpoint

NEAR = 5_000
"""How many operations before one that uses a value are looked at for its definition, before all are."""


class ValueOwner(NamedTuple):
    """What defines a value: an operation (its result), or a block of its region (an argument)."""

    place: OpPath
    region: int | None = None
    block: int | None = None


class _ScopeBlock(NamedTuple):
    """A block of region `region` of an operation; `first` is the number of its first operation in a scope."""

    holder: OpPath
    region: int
    position: int
    block: Block
    first: int

    def path(self, index: int) -> OpPath:
        """Returns the place of an operation of the block."""
        block, start = self.block, self.holder.start
        begin, end = start + block.starts[index], start + block.ends[index]
        return OpPath(block.operations[index], begin, end, self.holder, self.region, self.position)

    @property
    def size(self) -> int:
        """How many of the operations have a text of their own."""
        return min(len(self.block.starts), len(self.block.operations))


class _Owners(Mapping[int, ValueOwner]):
    """Owners by value, in the order of definitions; an argument is at -1 minus the number of its block."""

    def __init__(self, blocks: list[_ScopeBlock], numbers: dict[int, int]) -> None:
        self.blocks, self._numbers = blocks, numbers
        self._firsts = [block.first for block in blocks]

    def __getitem__(self, value: int) -> ValueOwner:
        number = self._numbers[value]
        if number < 0:
            holder, region, position, _, _ = self.blocks[-1 - number]
            return ValueOwner(holder, region, position)
        return ValueOwner(self.operation(number))

    def operation(self, number: int) -> OpPath:
        """Returns the place of an operation by its number in the scope."""
        block = self.blocks[bisect_right(self._firsts, number) - 1]
        return block.path(number - block.first)

    def __contains__(self, value: object) -> bool:
        return value in self._numbers

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class TableScope:
    """The values of one table: of the regions of `place`, and of all inside that share it."""

    def __init__(self, op_path: OpPath, table: ValueTable) -> None:
        self.place, self.table = op_path, table
        self._operations: list[OpPath] | None = None
        self._by_name: dict[str, list[int]] | None = None
        self._unowned: dict[str, tuple[int, ...]] | None = None
        self._owners: _Owners | None = None

    def owner(self, value: int, near: OpPath) -> ValueOwner | None:
        """Returns what defines a value; quick where that is not far before an operation that uses it."""
        if self._owners is None:
            inner = near
            left = NEAR
            while inner.parent is not None and inner.values is self.table:
                parent, region = inner.parent, inner.region
                block = parent.operation.regions[region].blocks[inner.block]
                last = bisect_left(block.starts, inner.start - parent.start)
                first = max(last - left, 0)
                left -= last - first
                for index in range(last - 1, first - 1, -1):
                    if value in block.operations[index].results:
                        start, end = parent.start + block.starts[index], parent.start + block.ends[index]
                        return ValueOwner(
                            OpPath(block.operations[index], start, end, parent, region, inner.block)
                        )
                if value in block.arguments:
                    return ValueOwner(parent, region, inner.block)
                inner = parent
        return self.owners.get(value)

    @property
    def owners(self) -> _Owners:
        """What defines each value."""
        if self._owners is None:
            self._owners = self._collected()
        return self._owners

    @property
    def _blocks(self) -> list[_ScopeBlock]:
        return self.owners.blocks

    def _collected(self) -> _Owners:
        blocks: list[_ScopeBlock] = []
        numbers: dict[int, int] = {}
        pending, first = [self.place], 0
        while pending:
            holder = pending.pop()
            for region, region_body in enumerate(holder.operation.regions):
                if region_body.values is not self.table:
                    continue
                for position, block in enumerate(region_body.blocks):
                    block_place = _ScopeBlock(holder, region, position, block, first)
                    for value in block.arguments:
                        numbers[value] = -1 - len(blocks)
                    blocks.append(block_place)
                    operations = block.operations[: block_place.size]
                    for number, results in enumerate([operation.results for operation in operations], first):
                        for value in results:
                            numbers[value] = number
                    holders = [number for number, operation in enumerate(operations) if operation.regions]
                    pending += [block_place.path(number) for number in reversed(holders)]
                    first += len(operations)
        return _Owners(blocks, numbers)

    @property
    def operations(self) -> list[OpPath]:
        """Every operation that uses or defines values of the table, block by block."""
        if self._operations is None:
            self._operations = [block.path(number) for block in self._blocks for number in range(block.size)]
        return self._operations

    def users(self, values: frozenset[int]) -> Iterator[OpPath]:
        """Yields the operations that use one of some values, and those that could not be read."""
        has_none = values.isdisjoint
        for block in self._blocks:
            checkpoint()
            for number, operation in enumerate(block.block.operations[: block.size]):
                if (
                    not has_none(operation.operands)
                    or operation.signature.name == BROKEN
                    or (operation.successors and not has_none(operands_of(operation)))
                ):
                    yield block.path(number)

    @property
    def by_name(self) -> dict[str, list[int]]:
        """The values by their names; all of a pack by the pack's."""
        if self._by_name is None:
            by_name: dict[str, list[int]] = {}
            for value, name in enumerate(self.table.names):
                by_name.setdefault(name.partition("#")[0], []).append(value)
            self._by_name = by_name  # at once, as another thread may ask meanwhile
        return self._by_name

    def unowned(self, name: str) -> tuple[int, ...]:
        """Returns the values of a name that operations use and nothing defines, by their first use.

        The table may hold others, of earlier editions of the text.
        """
        if self._unowned is None:
            by_name: dict[str, dict[int, None]] = {}
            for op_path in sorted(self.operations, key=lambda op_path: op_path.start):
                for value in operands_of(op_path.operation):
                    if value not in self.owners:
                        base = self.table.names[value].partition("#")[0]
                        by_name.setdefault(base, {})[value] = None
            self._unowned = {base_name: tuple(values) for base_name, values in by_name.items()}
        return self._unowned.get(name, ())


def operands_of(operation: Operation) -> tuple[int, ...]:
    """Returns the values that an operation uses, with those that it passes to blocks."""
    if not operation.successors:
        return operation.operands
    return operation.operands + tuple(value for _, values in operation.successors for value in values)
