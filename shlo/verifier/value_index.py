"""Where the values of a function come from and which operations use them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from shlo.dialects.op_bindings import ValueOrigin
from shlo.ir.operations import Operation, ValueTable


class ValueIndex(Struct, frozen=True):
    """The origins and users of the values of one table; building it takes one walk over its operations."""

    origins: dict[int, ValueOrigin] = field(default_factory=dict[int, ValueOrigin])
    users: dict[int, list[Operation]] = field(default_factory=dict[int, list[Operation]])

    @staticmethod
    def of(table: ValueTable, owner: Operation) -> ValueIndex:
        """Returns the index of a table; `owner` is the outermost operation whose regions define its
        values."""
        index = ValueIndex()
        for operation in _with_regions(table, owner):
            index._add_regions(table, operation)
        return index

    def _add_regions(self, table: ValueTable, holder: Operation) -> None:
        for number, region in enumerate(holder.regions):
            if region.values is not table:
                continue
            for block in region.blocks[:1]:
                for place, value in enumerate(block.arguments):
                    self.origins[value] = ValueOrigin(holder, place, number)
            for block in region.blocks:
                for operation in block.operations:
                    for place, value in enumerate(operation.results):
                        self.origins[value] = ValueOrigin(operation, place)
                    for value in operation.operands:
                        self.users.setdefault(value, []).append(operation)


def _with_regions(table: ValueTable, owner: Operation) -> Iterator[Operation]:
    """Yields the operation and those in it whose regions define values of the table."""
    pending = [owner]
    while pending:
        operation = pending.pop()
        yield operation
        for region in operation.regions:
            if region.values is table:
                for block in region.blocks:
                    pending += [each for each in block.operations if each.regions]
