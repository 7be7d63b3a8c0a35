"""Reads in which orders MLIR is to list the uses of values, where it is another one than it meets them in."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.operations import ValueTable
from shlo_bytecode.container.stream import Stream

WHAT = "orders of uses"


def read_use_orders(stream: Stream, values: Sequence[int], table: ValueTable) -> None:
    """Reads orders of values that are defined together, and keeps the valid ones in their table."""
    is_alone = len(values) == 1
    for _ in range(1 if is_alone else stream.count(WHAT)):
        index = 0 if is_alone else stream.varint(WHAT)
        order = _order(stream)
        if index < len(values) and sorted(order) == [*range(len(order))]:
            if table.use_orders is None:
                table.use_orders = {}
            table.use_orders[values[index]] = order


def _order(stream: Stream) -> tuple[int, ...]:
    """Returns a permutation: as a whole, or of which it says only what moves, in pairs."""
    start = stream.pos
    count, in_pairs = stream.flagged(WHAT)
    numbers = [stream.varint(WHAT) for _ in range(stream.checked_count(count, WHAT, start))]
    if not in_pairs:
        return tuple(numbers)
    if len(numbers) % 2 or max(numbers, default=0) >= len(stream.data):
        return ()  # no file of this length has so many uses
    order = [*range(max(numbers, default=-1) + 1)]
    for source, target in zip(numbers[::2], numbers[1::2]):
        order[source] = target
    return tuple(order)
