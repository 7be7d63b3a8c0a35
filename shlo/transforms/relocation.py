"""What a program's text does not show, its locations and bytecode's orders of uses: kept while it is edited.

Or locations are left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise, repeat

from msgspec.structs import replace

from shlo.ir.locations import Location, UnknownLocation
from shlo.ir.operations import Block, Module, Operation, Region, ValueTable
from shlo.ir.recursion import recursive
from shlo.text.line_changes import line_changes

UNKNOWN = UnknownLocation()
Tables = Mapping[ValueTable, ValueTable]
"""What becomes of tables of values, where something does."""


@recursive
def with_locations_of(original: Module, before: Module, after: Module) -> Module:
    """Returns the edited program with the locations of the original one, and its orders of uses.

    An operation on a line that was not edited keeps its location; one on an edited line has that of the
    operation that it replaces there. Operations that are new have none.

    Args:
        original: the program with its locations.
        before: the same program read from its text.
        after: the program read from the text after the edit.

    Raises:
        ValueError: `before` has other operations than the original.
    """
    operations = [operation for operation, _ in original.walk()]
    if [operation.name for operation in operations] != [operation.name for operation, _ in before.walk()]:
        raise ValueError(f"expected {len(operations)} operations in the text of the program")
    partners = list(_partners(operations, _Lines(before), _Lines(after)))
    tables = _with_use_orders(original, after, partners)
    operation = _located(after.operation, original.operation, iter(partners), tables)
    return replace(after, operation=operation, source=None)


@recursive
def without_locations(module: Module) -> Module:
    """Returns the module with unknown locations of all operations and arguments, and without a source."""
    return replace(module, operation=_located(module.operation, None, repeat(None), {}), source=None)


class _Lines:
    """The lines of a program's text, and of each operation, in the order of `walk`, its name and its line."""

    def __init__(self, module: Module) -> None:
        text = module.source.text if module.source else ""
        self.lines = text.splitlines(keepends=True)
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        walked = list(module.walk())
        self.names = [operation.name for operation, _ in walked]
        self._starts = [span.start for _, span in walked]
        self._line_starts = starts

    def first_on(self, line: int) -> int:
        """Returns the number of the first operation that starts on a line, counted from 0, or below it."""
        return bisect_left(self._starts, self._line_starts[line])


def _partners(operations: Sequence[Operation], old: _Lines, new: _Lines) -> Iterator[Operation | None]:
    """Yields for each operation of the new text which one of the old text it was, None where it is new."""
    changes = line_changes(old.lines, new.lines)
    bounds = [
        (0, 0),
        *(bound for first, last, begin, end in changes for bound in ((first, begin), (last, end))),
    ]
    bounds.append((len(old.lines), len(new.lines)))
    numbers = [(old.first_on(line), new.first_on(new_line)) for line, new_line in bounds]
    for (first, begin), (last, end) in pairwise(numbers):
        names, new_names = old.names[first:last], new.names[begin:end]
        matcher = SequenceMatcher(None, names, new_names, autojunk=False) if names != new_names else None
        partners: list[Operation | None] = [None] * (end - begin)
        for _, i, j, k, n in (
            matcher.get_opcodes() if matcher else [("equal", 0, last - first, 0, end - begin)]
        ):
            if j - i == n - k:
                partners[k:n] = operations[first + i : first + j]
        yield from partners


def _with_use_orders(original: Module, edited: Module, partners: Sequence[Operation | None]) -> Tables:
    """Returns the tables of the edited program whose values have partners with orders of uses, with these."""
    orders: defaultdict[ValueTable, dict[int, tuple[int, ...]]] = defaultdict(dict)
    homes = {id(op): table for module in (original, edited) for op, table in _with_tables(module.body)}
    for (operation, _), partner in zip(edited.walk(), partners):
        if partner is None:
            continue
        pairs = [(homes[id(operation)], operation.results, homes[id(partner)], partner.results)]
        for region, old in zip(operation.regions, partner.regions):
            for block, old_block in zip(region.blocks, old.blocks):
                pairs.append((region.values, block.arguments, old.values, old_block.arguments))
        for table, values, old_table, old_values in pairs:
            known = old_table.use_orders or {}
            orders[table] |= {value: known[old] for value, old in zip(values, old_values) if old in known}
    return {table: ValueTable(table.types, table.names, kept) for table, kept in orders.items() if kept}


def _with_tables(region: Region) -> Iterator[tuple[Operation, ValueTable]]:
    """Yields the operations of a region and inside them, each with the table of its values."""
    for block in region.blocks:
        for operation in block.operations:
            yield operation, region.values
            for inner in operation.regions:
                yield from _with_tables(inner)


def _located(
    operation: Operation,
    partner: Operation | None,
    partners: Iterator[Operation | None],
    tables: Tables,
) -> Operation:
    """Returns an operation with the location of its partner, and those inside with those of the next."""
    return Operation(
        operation.signature,
        operation.operands,
        operation.results,
        tuple(
            [
                _located_region(region, index, partner, partners, tables)
                for index, region in enumerate(operation.regions)
            ]
        ),
        operation.successors,
        (partner.location if partner else None) or UNKNOWN,
    )


def _located_region(
    region: Region,
    index: int,
    parent: Operation | None,
    partners: Iterator[Operation | None],
    tables: Tables,
) -> Region:
    old = parent.regions[index].blocks if parent and index < len(parent.regions) else ()
    blocks: list[Block] = []
    for number, block in enumerate(region.blocks):
        known = old[number].argument_locations if number < len(old) else ()
        count = len(block.arguments)
        locations: tuple[Location | None, ...] = known if len(known) == count else (UNKNOWN,) * count
        operations = [_located(op, next(partners), partners, tables) for op in block.operations]
        blocks.append(Block(operations, block.arguments, block.label, argument_locations=locations))
    return Region(tuple(blocks), tables.get(region.values, region.values))
