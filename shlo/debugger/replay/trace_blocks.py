"""Blocks of a trace: some steps that follow each other, kept in as little memory as they let be kept in."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from shlo.ir.dtypes import Array

ROWS: Final = 1 << 16
"""How many rows a block has at most that is no repeated one, and how many are looked at together."""

FEWEST_PACKED: Final = 1 << 12
"""From how many rows on they are kept compressed."""

Test = Callable[[Array, Array], Array]
"""Returns, for numbers and depths, which rows are looked for."""


class TraceRows(NamedTuple):
    """The numbers of program points, and how many frames were open there, step by step."""

    numbers: Array
    depths: Array

    def part(self, start: int, end: int) -> TraceRows:
        """Returns the rows from one up to another."""
        return TraceRows(self.numbers[start:end], self.depths[start:end])

    @property
    def last(self) -> tuple[int, int]:
        """The last row."""
        return int(self.numbers[-1]), int(self.depths[-1])

    @property
    def tail(self) -> tuple[int | None, int]:
        """The last number but one, None where there is none, and the last."""
        return int(self.numbers[-2]) if len(self.numbers) > 1 else None, int(self.numbers[-1])


class TraceBlock:
    """`count` steps; `tail` is the number after the last but one of them, None where that is not known
    without the rows, and the one after the last.
    """

    __slots__ = ("_distinct", "_expand", "_rows", "count", "tail")

    def __init__(self, count: int, expand: Callable[[], TraceRows], tail: tuple[int | None, int]) -> None:
        self.count = count
        self.tail = tail
        self._expand = expand
        self._rows: TraceRows | None = None
        self._distinct: TraceRows | None = None

    @property
    def is_expanded(self) -> bool:
        """Whether its rows are in memory."""
        return self._rows is not None

    def rows(self) -> TraceRows:
        """Returns all rows, which stay in memory until they are dropped."""
        if self._rows is None:
            self._rows = self._expand()
        return self._rows

    def drop_rows(self) -> None:
        """Has the rows be made again where they are asked for again."""
        self._rows = None

    def part(self, start: int, end: int) -> TraceRows:
        """Returns the rows from one up to another."""
        return self.rows().part(start, end)

    def distinct(self, start: int, end: int) -> TraceRows:
        """Returns rows of which there is at least one in a part, at least one of each that is."""
        if end - start < self.count:
            return self.part(start, end)
        if self._distinct is None:
            self._distinct = _distinct(self.rows())
        return self._distinct

    def where(self, test: Test, start: int, end: int) -> Array:
        """Returns which rows of a part are looked for, by their places in the block."""
        return np.flatnonzero(test(*self.part(start, end))) + start


class RepeatedBlock(TraceBlock):
    """Rows that come again and again, as those of a loop's rounds do."""

    __slots__ = ("repeats", "unit")

    def __init__(self, unit: TraceRows, repeats: int) -> None:
        super().__init__(len(unit.numbers) * repeats, lambda: unit, unit.tail)
        self.unit = unit
        self.repeats = repeats

    def and_more(self, block: TraceBlock) -> RepeatedBlock | None:
        """Returns this followed by another one, None where that repeats other rows."""
        if not isinstance(block, RepeatedBlock) or not all(map(np.array_equal, self.unit, block.unit)):
            return None
        return RepeatedBlock(self.unit, self.repeats + block.repeats)

    def part(self, start: int, end: int) -> TraceRows:  # noqa: D102
        size = len(self.unit.numbers)
        places = np.arange(start, end) % size
        return TraceRows(self.unit.numbers[places], self.unit.depths[places])

    def distinct(self, start: int, end: int) -> TraceRows:  # noqa: D102
        return self.unit if end - start >= len(self.unit.numbers) else self.part(start, end)

    def where(self, test: Test, start: int, end: int) -> Array:  # noqa: D102
        size = len(self.unit.numbers)
        rows = np.flatnonzero(test(*self.unit))
        rounds = np.arange(start // size, -(-end // size)) * size
        places = (rounds[:, None] + rows).reshape(-1)
        return places[(places >= start) & (places < end)]


def block_of_rows(rows: TraceRows) -> TraceBlock:
    """Returns a block with these rows, which it keeps compressed where they are many."""
    count = len(rows.numbers)
    if count < FEWEST_PACKED:
        narrow = TraceRows(rows.numbers.astype(np.int32), rows.depths.astype(np.int32))
        return TraceBlock(count, lambda: narrow, narrow.tail)
    packed = zlib.compress(b"".join(column.astype(np.int32).tobytes() for column in rows), 1)

    def expand() -> TraceRows:
        numbers, depths = np.frombuffer(zlib.decompress(packed), np.int32).reshape(2, count)
        return TraceRows(numbers, depths)

    return TraceBlock(count, expand, rows.tail)


def blocks_of_rows(rows: TraceRows) -> list[TraceBlock]:
    """Returns rows in blocks."""
    count = len(rows.numbers)
    return [block_of_rows(rows.part(first, first + ROWS)) for first in range(0, count, ROWS)]


def blocks_behind(blocks: Sequence[TraceBlock], count: int) -> list[TraceBlock]:
    """Returns blocks without their first rows."""
    left = list[TraceBlock]()
    for block in blocks:
        skipped = min(count, block.count)
        count -= skipped
        if skipped < block.count:
            left += _between(block, skipped, block.count)
    return left


def block_up_to(block: TraceBlock, end: int) -> list[TraceBlock]:
    """Returns the first rows of a block."""
    return _between(block, 0, end)


def _between(block: TraceBlock, start: int, end: int) -> list[TraceBlock]:
    """Returns the rows of a block from one up to another."""
    if (start, end) == (0, block.count):
        return [block]
    if not isinstance(block, RepeatedBlock):
        return blocks_of_rows(block.part(start, end))
    size = len(block.unit.numbers)
    first, last = -(-start // size), end // size
    if first >= last:
        return blocks_of_rows(block.part(start, end))
    blocks: list[TraceBlock] = [RepeatedBlock(block.unit, last - first)]
    if start < first * size:
        blocks[:0] = blocks_of_rows(block.part(start, first * size))
    if last * size < end:
        blocks += blocks_of_rows(block.part(last * size, end))
    return blocks


def joined(parts: Sequence[TraceRows]) -> TraceRows:
    """Returns rows one after the other."""
    if not parts:
        return TraceRows(np.zeros(0, np.int32), np.zeros(0, np.int32))
    return TraceRows(*map(np.concatenate, zip(*parts)))


def _distinct(rows: TraceRows) -> TraceRows:
    pairs = np.unique(rows.numbers.astype(np.int64) << 32 | rows.depths)
    return TraceRows((pairs >> 32).astype(np.int32), pairs.astype(np.int32))


class OpenRows:
    """The last steps of a trace, which were taken one by one."""

    def __init__(self) -> None:
        self.numbers = array("i")
        self.depths = array("i")

    def __len__(self) -> int:
        return len(self.numbers)

    def append(self, number: int, depth: int) -> None:
        """Adds a row. One that an interrupt kept from being whole is written over."""
        del self.depths[len(self.numbers) :]
        self.depths.append(depth)
        self.numbers.append(number)

    def cut(self, count: int) -> None:
        """Drops the rows after so many."""
        del self.numbers[count:], self.depths[count:]

    def rows(self, start: int = 0, end: int | None = None) -> TraceRows:
        """Returns copies, as an array that is viewed cannot grow."""
        end = len(self.numbers) if end is None else end
        return TraceRows(
            np.array(self.numbers[start:end], np.int32), np.array(self.depths[start:end], np.int32)
        )

    def blocks(self) -> list[TraceBlock]:
        """Returns the rows, to which none are added any more, in blocks."""
        count = len(self.numbers)
        if count >= FEWEST_PACKED or not count:
            return blocks_of_rows(self.rows())
        tail = self.numbers[-2] if count > 1 else None, self.numbers[-1]
        return [TraceBlock(count, self.rows, tail)]

    def copy(self) -> OpenRows:
        """Returns the same rows, to be added to by itself."""
        other = OpenRows()
        other.numbers, other.depths = self.numbers[:], self.depths[: len(self.numbers)]
        return other
