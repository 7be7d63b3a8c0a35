"""Alignment of two sequences: pairs of equal keys, in the order of both."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

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
    found: list[Pair] = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = previous[number]
    return found[::-1]


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
        found = places.get(before[index], [])
        position = bisect_left(found, other)
        if position < len(found) and found[position] - other <= 2 * (end - index):
            yield index, found[position]
            other = found[position] + 1
