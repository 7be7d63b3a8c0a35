"""Schedule of a grid, and which steps were searched: both kept in little memory where steps are many."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Final


class Schedule:
    """The process that took each step. Of a process that is alone, only how many they are is kept."""

    def __init__(self, is_alone: bool) -> None:
        self._count = 0
        self._processes = None if is_alone else array("i")

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, position: int) -> int:
        if not 0 <= position < self._count:
            raise IndexError("there is no such step")
        return 0 if self._processes is None else self._processes[position]

    def processes(self) -> list[int]:
        """Returns the processes of all steps; nothing of one that is alone."""
        return [] if self._processes is None else self._processes[: self._count].tolist()

    def append(self, process: int) -> None:
        """Notes a step."""
        self.extend([process])

    def extend(self, processes: Iterable[int]) -> None:
        """Notes steps of a grid."""
        added = array("i", processes)
        if self._processes is not None:
            del self._processes[self._count :]  # what an interrupt left
            self._processes.extend(added)
        self._count += len(added)

    def extend_alone(self, count: int) -> None:
        """Notes so many steps of a process that is alone."""
        self._count += count

    def cut(self, count: int) -> None:
        """Drops the steps after so many."""
        self._count = min(self._count, count)

    def copy(self) -> Schedule:
        """Returns the same, to be added to by itself."""
        other = Schedule(self._processes is None)
        other._count = self._count
        other._processes = None if self._processes is None else self._processes[:]
        return other


class SearchedSteps:
    """The steps whose results were searched for NaN and infinities, as ranges that do not touch."""

    def __init__(self) -> None:
        self._ranges: list[tuple[int, int]] = []

    def __contains__(self, step: int) -> bool:
        return self.has_all(step, step + 1)

    def __iter__(self) -> Iterator[int]:
        return (step for start, end in self._ranges for step in range(start, end))

    def has_all(self, first: int, end: int) -> bool:
        """Returns whether all steps from one up to another were searched."""
        at = bisect_right(self._ranges, first, key=_START) - 1
        return first >= end or (at >= 0 and end <= self._ranges[at][1])

    def add(self, first: int, count: int = 1) -> None:
        """Notes steps as searched."""
        end, ranges = first + count, self._ranges
        start, behind = bisect_left(ranges, first, key=_END), bisect_right(ranges, end, key=_START)
        if start < behind:
            first, end = min(first, ranges[start][0]), max(end, ranges[behind - 1][1])
        ranges[start:behind] = [(first, end)]

    def cut(self, count: int) -> None:
        """Drops the steps after so many."""
        at = bisect_left(self._ranges, count, key=_END)
        self._ranges[at:] = [(start, count) for start, _ in self._ranges[at : at + 1] if start < count]

    def copy(self) -> SearchedSteps:
        """Returns the same, to be added to by itself."""
        other = SearchedSteps()
        other._ranges = self._ranges[:]
        return other


_START: Final = itemgetter(0)
_END: Final = itemgetter(1)
