"""Operations of two programs in pairs, and the values that both have."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct, field

from shlo.compare.keys import Keys, Numbers
from shlo.ir.locations import place_of
from shlo.ir.operations import Block, Operation, Region, ValueTable
from shlo.places.origins import origin_of

Pair = tuple[int, int]

TABLE_LIMIT: Final = 250_000
"""How many cells the table of a longest common subsequence may have; beyond, the next equal key is used."""


def align(before: Sequence[int], after: Sequence[int]) -> list[Pair]:
    """Returns pairs of indices of equal keys; both indices rise.

    Keys that occur once on both sides are the anchors; between two anchors the same is done again, and where
    no anchor is left, a longest common subsequence is found. The cost is near to linear.
    """
    pairs: list[Pair] = []
    ranges = [(0, len(before), 0, len(after))]
    while ranges:
        start, end, other, other_end = ranges.pop()
        while start < end and other < other_end and before[start] == after[other]:
            pairs.append((start, other))
            start, other = start + 1, other + 1
        while start < end and other < other_end and before[end - 1] == after[other_end - 1]:
            end, other_end = end - 1, other_end - 1
            pairs.append((end, other_end))
        if start == end or other == other_end:
            continue
        anchors = _anchors(before, after, start, end, other, other_end)
        if not anchors:
            pairs += _common(before, after, start, end, other, other_end)
        for index, other_index in anchors:
            ranges.append((start, index, other, other_index))
            start, other = index + 1, other_index + 1
        if anchors:
            pairs += anchors
            ranges.append((start, end, other, other_end))
    return sorted(pairs)


def gaps(pairs: Sequence[Pair], before: int, after: int) -> Iterator[tuple[range, range]]:
    """Yields the stretches between neighbouring pairs of sequences of these lengths, where both hold any."""
    start = other = 0
    for index, other_index in [*pairs, (before, after)]:
        if start < index and other < other_index:
            yield range(start, index), range(other, other_index)
        start, other = index + 1, other_index + 1


def _anchors(
    before: Sequence[int], after: Sequence[int], start: int, end: int, other: int, other_end: int
) -> list[Pair]:
    """Returns the longest rising sequence of pairs of keys that occur once on both sides."""
    counts, other_counts = Counter(before[start:end]), Counter(after[other:other_end])
    places = {key: index for index, key in enumerate(after[other:other_end], other) if other_counts[key] == 1}
    candidates = [
        (index, places[key])
        for index, key in enumerate(before[start:end], start)
        if counts[key] == 1 and key in places
    ]
    return _rising(candidates)


def _rising(pairs: Sequence[Pair]) -> list[Pair]:
    """Returns a longest subsequence of pairs, sorted by the first index, in which the second rises, too."""
    tails: list[int] = []
    last: list[int] = []
    previous = [-1] * len(pairs)
    for number, (_, other) in enumerate(pairs):
        length = bisect_left(tails, other)
        if length:
            previous[number] = last[length - 1]
        if length == len(tails):
            tails.append(other)
            last.append(number)
        else:
            tails[length], last[length] = other, number
    rising: list[Pair] = []
    number = last[-1] if last else -1
    while number >= 0:
        rising.append(pairs[number])
        number = previous[number]
    return rising[::-1]


def _common(
    before: Sequence[int], after: Sequence[int], start: int, end: int, other: int, other_end: int
) -> Iterator[Pair]:
    if (end - start) * (other_end - other) > TABLE_LIMIT:
        return _next_equal(before, after, start, end, other, other_end)
    return _longest_common(before, after, start, end, other, other_end)


def _longest_common(
    before: Sequence[int], after: Sequence[int], start: int, end: int, other: int, other_end: int
) -> Iterator[Pair]:
    """Yields the pairs of a longest common subsequence."""
    width = other_end - other
    lengths = [[0] * (width + 1) for _ in range(end - start + 1)]
    for row in range(end - start - 1, -1, -1):
        below, current, key = lengths[row + 1], lengths[row], before[start + row]
        for column in range(width - 1, -1, -1):
            if key == after[other + column]:
                current[column] = below[column + 1] + 1
            else:
                current[column] = max(below[column], current[column + 1])
    row = column = 0
    while row < end - start and column < width:
        if before[start + row] == after[other + column]:
            yield start + row, other + column
            row, column = row + 1, column + 1
        elif lengths[row + 1][column] >= lengths[row][column + 1]:
            row += 1
        else:
            column += 1


def _next_equal(
    before: Sequence[int], after: Sequence[int], start: int, end: int, other: int, other_end: int
) -> Iterator[Pair]:
    """Yields for each key the next equal one on the other side, where that leaves most of the rest."""
    places: dict[int, list[int]] = {}
    for index in range(other, other_end):
        places.setdefault(after[index], []).append(index)
    for index in range(start, end):
        positions = places.get(before[index], [])
        position = bisect_left(positions, other)
        if position < len(positions) and positions[position] - other <= 2 * (end - index):
            yield index, positions[position]
            other = positions[position] + 1


CANDIDATES: Final = 64
"""With how many operations of the other program one is compared that has no equal there."""

Value = tuple[int, int]
"""The identity of a table, and the number of a value in it."""


class _Blocks(Struct, frozen=True):
    """Two blocks; `pairs` of indices of their operations found so far, `paired` are those of the second."""

    region: Region
    block: Block
    other_region: Region
    other: Block
    pairs: dict[int, int] = field(default_factory=dict[int, int])
    paired: set[int] = field(default_factory=set[int])

    def left(self, indices: Iterable[int], other_indices: Iterable[int]) -> tuple[list[int], list[int]]:
        """Returns the indices that have no partner yet."""
        return (
            [index for index in indices if index not in self.pairs],
            [index for index in other_indices if index not in self.paired],
        )


class Matching:
    """Pairs blocks and operations; `names` of values of the second program are those of the first.

    Operations that compute the same belong together wherever they are in the block. What is left between
    two of these is paired by attributes, types and location, then by attributes and types, then by name and
    operands.
    """

    def __init__(self, numbers: Numbers, before: Keys, after: Keys) -> None:
        self._number = numbers
        self._before, self._after = before, after
        self._counterparts: dict[Value, Value] = {}

    def pair(
        self, table: ValueTable, values: Sequence[int], other: ValueTable, others: Sequence[int]
    ) -> None:
        """Says that values of the second program are those of the first."""
        for value, other_value in zip(values, others):
            self._counterparts[id(other), other_value] = id(table), value

    def counterpart(self, other: ValueTable, value: int) -> Value | None:
        """Returns the value of the first program that one of the second is, None for a new one."""
        return self._counterparts.get((id(other), value))

    def are_same(self, table: ValueTable, value: int, other: ValueTable, other_value: int) -> bool:
        """Returns whether two values are one."""
        return self._counterparts.get((id(other), other_value)) == (id(table), value)

    def blocks(self, region: Region, block: Block, other_region: Region, other: Block) -> list[Pair]:
        """Returns the pairs of operations of two blocks by their indices, in the order of the first, and
        pairs their results."""
        self.pair(region.values, block.arguments, other_region.values, other.arguments)
        blocks = _Blocks(region, block, other_region, other)
        cones, other_cones = self._before.cones(block), self._after.cones(other)
        in_order = align(cones, other_cones)
        for index, other_index in in_order:
            self._add(blocks, index, other_index)
        self._pair_elsewhere(blocks, cones, other_cones)
        for indices, other_indices in gaps(in_order, len(cones), len(other_cones)):
            self._pair_gap(blocks, indices, other_indices)
        return sorted(blocks.pairs.items())

    def _add(self, blocks: _Blocks, index: int, other_index: int) -> None:
        """Pairs two operations, and their results if they have as many: a pack has one name."""
        blocks.pairs[index] = other_index
        blocks.paired.add(other_index)
        operation, other = blocks.block.operations[index], blocks.other.operations[other_index]
        if len(operation.results) == len(other.results):
            self.pair(blocks.region.values, operation.results, blocks.other_region.values, other.results)

    def _pair_elsewhere(self, blocks: _Blocks, cones: Sequence[int], other_cones: Sequence[int]) -> None:
        """Pairs operations that compute the same at another place."""
        places: dict[int, list[int]] = {}
        for index in range(len(other_cones) - 1, -1, -1):
            if index not in blocks.paired:
                places.setdefault(other_cones[index], []).append(index)
        for index, cone in enumerate(cones):
            if index not in blocks.pairs and places.get(cone):
                self._add(blocks, index, places[cone].pop())

    def _pair_gap(self, blocks: _Blocks, indices: Iterable[int], other_indices: Iterable[int]) -> None:
        """Pairs what is left between two pairs of each block."""
        for with_origin in (True, False):
            left, others = blocks.left(indices, other_indices)
            keys = [self._key(self._before, blocks.block, index, with_origin) for index in left]
            other_keys = [self._key(self._after, blocks.other, index, with_origin) for index in others]
            for position, other_position in align(keys, other_keys):
                self._add(blocks, left[position], others[other_position])
        left, others = blocks.left(indices, other_indices)
        for index in left:
            best = self._most_like(blocks, index, others[:CANDIDATES])
            if best is not None:
                others.remove(best)
                self._add(blocks, index, best)

    def _key(self, keys: Keys, block: Block, index: int, with_origin: bool) -> int:
        operation = block.operations[index]
        key = keys.signature(operation)
        return self._number((key, _origin(operation))) if with_origin else key

    def _most_like(self, blocks: _Blocks, index: int, candidates: Sequence[int]) -> int | None:
        """Returns the operation of the same name that has most in common, None where none has enough."""
        operation = blocks.block.operations[index]
        best, most = None, 0
        for other_index in candidates:
            other = blocks.other.operations[other_index]
            if other.name == operation.name:
                shared = self._likeness(blocks.region, operation, blocks.other_region, other)
                if shared > most:
                    best, most = other_index, shared
        return best

    def _likeness(self, region: Region, operation: Operation, other_region: Region, other: Operation) -> int:
        shared = sum(
            self.are_same(region.values, value, other_region.values, other_value)
            for value, other_value in zip(operation.operands, other.operands)
        )
        is_typed_alike = bool(operation.results) and operation.result_types == other.result_types
        is_located_alike = _origin(operation) == _origin(other) != ("", None)
        return 2 * shared + is_typed_alike + 2 * is_located_alike + (not operation.results)


def _origin(operation: Operation) -> tuple[str, str | None]:
    """Returns the name stack and the line of an operation."""
    origin = origin_of(operation.location)
    return f"{origin.scope}/{origin.primitive}" if origin.scope else "", place_of(operation.location)
