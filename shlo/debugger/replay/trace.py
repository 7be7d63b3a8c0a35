"""Trace of a process: its program point after each of its steps."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple, overload

import numpy as np

from shlo.debugger.replay.program_points import NOWHERE, ProgramPoint, ProgramPoints
from shlo.debugger.replay.trace_blocks import (
    FEWEST_PACKED,
    ROWS,
    OpenRows,
    RepeatedBlock,
    Test,
    TraceBlock,
    TraceRows,
    block_up_to,
    blocks_of_rows,
    joined,
)
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.program.code import CodeBlock
from shlo.ir.dtypes import Array

MOST_SMALL: Final = 1024
"""How many small blocks there are behind each other at most."""

MOST_EXPANDED: Final = 8
"""Of how many blocks the rows are in memory at most."""

_FIRST_SEARCHED: Final = 64
"""How many steps are searched at once, at first."""


class Column:
    """A column of a trace, by step; parts of it are arrays."""

    def __init__(self, trace: ProcessTrace, which: int) -> None:
        self._trace = trace
        self._which = which

    def __len__(self) -> int:
        return self._trace.last + 1

    def __iter__(self) -> Iterator[int]:
        return iter(self[:].tolist())

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Array: ...
    def __getitem__(self, index: int | slice) -> int | Array:
        if isinstance(index, int):
            step = index + len(self) if index < 0 else index
            return self._trace.row(step)[self._which]
        start, end, _ = index.indices(len(self))
        return self._trace.rows(start, end)[self._which]


class ProcessTrace:
    """Where one process was, by how many steps of its own it had taken: the number of the program point,
    how many frames were open, and the position of the grid at which it arrived there.

    Steps that generated code took are kept as the way that it took, rounds of a loop as what they repeat;
    their rows are made where one is looked at, of a few blocks at a time.
    """

    def __init__(self, points: ProgramPoints) -> None:
        self.points = points
        self.numbers = Column(self, 0)
        """The numbers of the program points, by step."""
        self.depths = Column(self, 1)
        """How many frames were open, by step."""
        self._blocks: list[_Placed] = []
        self._open = OpenRows()  # the steps behind the blocks
        self._small = 0  # how many small blocks there are at the end
        self._expanded = deque[TraceBlock]()
        self._arrived: array[int] | None = None  # positions; None as long as each is the step's number

    @property
    def last(self) -> int:
        """The most steps that the process took."""
        return self._first_open + len(self._open) - 1

    @property
    def _first_open(self) -> int:
        return self._blocks[-1].end if self._blocks else 0

    @property
    def positions(self) -> Sequence[int]:
        """The positions of the grid, by step."""
        return range(self.last + 1) if self._arrived is None else self._arrived

    # --- going on ---

    def arrive(self, frames: Sequence[Frame], position: int) -> None:
        """Notes where the process is after one more step of its own."""
        frame = frames[-1] if frames else None
        number = self.points.number(frame.code, frame.index) if frame else NOWHERE
        step = self.last + 1
        if self._arrived is not None or position != step:
            self._arrive_at(step, [position])
        self._open.append(number, len(frames))
        if len(self._open) >= ROWS:
            self._close()

    def extend(self, numbers: Array, depths: Array, positions: Array) -> None:
        """Notes where the process is after more steps."""
        step = self.last + 1
        if self._arrived is not None or not np.array_equal(positions, np.arange(step, step + len(positions))):
            self._arrive_at(step, positions.tolist())
        self._add(blocks_of_rows(TraceRows(numbers, depths)))

    def defer(self, blocks: Sequence[TraceBlock]) -> None:
        """Notes more steps of a process that is alone, each at the next position."""
        self._add(blocks)

    def _arrive_at(self, step: int, positions: Sequence[int]) -> None:
        if self._arrived is None:
            self._arrived = array("q", range(step))
        del self._arrived[step:]
        self._arrived.extend(positions)

    def _add(self, blocks: Sequence[TraceBlock]) -> None:
        if len(self._open):
            self._close()
        for block in blocks:
            before = self._blocks[-1].block if self._blocks else None
            more = before.and_more(block) if isinstance(before, RepeatedBlock) else None
            if more is not None:
                self._blocks[-1] = _Placed(self._blocks[-1].first, more)
                continue
            self._blocks.append(_Placed(self._first_open, block))
            self._small = self._small + 1 if block.count < FEWEST_PACKED else 0
        if self._small > MOST_SMALL:
            self._join_small()

    def _close(self) -> None:
        """Makes a block of the steps that were taken one by one."""
        first, small = self._first_open, self._small
        placed = list[_Placed]()
        for block in self._open.blocks():
            placed.append(_Placed(first, block))
            first += block.count
            small = small + 1 if block.count < FEWEST_PACKED else 0
        self._blocks += placed  # an interrupt behind this leaves rows twice, and `cut` drops the others
        self._open, self._small = OpenRows(), small

    def _join_small(self) -> None:
        """Makes one block of the small ones at the end."""
        small = self._blocks[-self._small :]
        blocks = blocks_of_rows(joined([placed.block.part(0, placed.block.count) for placed in small]))
        first, placed = small[0].first, list[_Placed]()
        for block in blocks:
            placed.append(_Placed(first, block))
            first += block.count
        self._blocks[-len(small) :] = placed
        self._small = 0

    # --- rows ---

    def _block_of(self, step: int) -> _Placed:
        placed = self._blocks[bisect_right(self._blocks, step, key=_FIRST) - 1]
        self._note_expanded(placed.block)
        return placed

    def _note_expanded(self, block: TraceBlock) -> None:
        """Notes that a block's rows are looked at; drops those of the one for which that was longest ago."""
        if block.is_expanded or block.count < FEWEST_PACKED or isinstance(block, RepeatedBlock):
            return
        self._expanded.append(block)
        if len(self._expanded) > MOST_EXPANDED:
            self._expanded.popleft().drop_rows()

    def row(self, step: int) -> tuple[int, int]:
        """Returns the number of the point after so many steps, and how many frames were open."""
        first = self._first_open
        if step >= first:
            return self._open.numbers[step - first], self._open.depths[step - first]
        if step < 0:
            raise IndexError("there is no such step")
        placed = self._block_of(step)
        numbers, depths = placed.block.rows()
        at = (step - placed.first) % len(numbers)
        return int(numbers[at]), int(depths[at])

    def rows(self, start: int, end: int) -> TraceRows:
        """Returns the rows after steps from one up to another."""
        return joined([placed.part(start, end) for placed in self._between(start, end)])

    def distinct(self, start: int, end: int) -> TraceRows:
        """Returns rows of which there is at least one after steps from one up to another, at least one of
        each that is.
        """
        return joined([placed.distinct(start, end) for placed in self._between(start, end)])

    def _between(self, start: int, end: int) -> Iterator[_Placed]:
        """Yields the blocks with steps from one up to another, the open rows as one."""
        start = max(start, 0)
        at = max(bisect_right(self._blocks, start, key=_FIRST) - 1, 0)
        for placed in self._blocks[at:]:
            if placed.first >= end:
                return
            if placed.end > start:
                self._note_expanded(placed.block)
                yield placed
        first = self._first_open
        if end > first and len(self._open):
            count, from_open = min(end - first, len(self._open)), max(start - first, 0)
            if from_open < count:
                rows = self._open.rows(from_open, count)
                yield _Placed(first + from_open, TraceBlock(count - from_open, lambda: rows, rows.tail))

    def number(self, step: int) -> int:
        """Returns the number of the point after so many steps."""
        first = self._first_open
        if step < first and self._blocks:
            placed = self._blocks[-1]
            if step < placed.first:
                placed = self._blocks[bisect_right(self._blocks, step, key=_FIRST) - 1]
            last_number = placed.block.tail[1] if step == placed.end - 1 else None
            if step == placed.end - 2:
                last_number = placed.block.tail[0]
            if last_number is not None:
                return last_number
        return self.row(step)[0]

    def point(self, step: int) -> ProgramPoint | None:
        """Returns where the process was after so many steps, None where it was done."""
        number = self.number(step)
        return None if number == NOWHERE else self.points[number]

    # --- positions ---

    def step_at(self, position: int) -> int:
        """Returns how many steps the process had taken at a position."""
        return (
            min(position, self.last) if self._arrived is None else bisect_right(self._arrived, position) - 1
        )

    def number_at(self, position: int) -> int | None:
        """Returns the point at which the process arrived at a position, None where it took no step."""
        step = self.step_at(position)
        return self.number(step) if self.positions[step] == position else None

    def _positions_of(self, steps: Array) -> list[int]:
        return steps.tolist() if self._arrived is None else [self._arrived[step] for step in steps]

    # --- searching ---

    def where(self, test: Test, start: int = 0, end: int | None = None) -> Array:
        """Returns the steps, from one up to another, after which the process was at rows that are looked
        for.
        """
        end = self.last + 1 if end is None else end
        steps = [placed.where(test, start, end) for placed in self._between(start, end)]
        return np.concatenate(steps) if steps else np.zeros(0, np.int64)

    def last_where(self, test: Test, end: int) -> int:
        """Returns the last step before another one with a row that is looked for, or -1."""
        length = _FIRST_SEARCHED
        while end > 0:
            first = max(0, end - length)
            for placed in reversed(list(self._between(first, end))):
                step = placed.where(test, first, end)
                if step.size:
                    return int(step[-1])
            end, length = first, length * 4
        return -1

    def last_visit(self, number: int, depth: int, step: int) -> int:
        """Returns the last step up to `step` after which the process was at a point in this depth, or -1."""
        return self.last_where(lambda numbers, depths: (numbers == number) & (depths == depth), step + 1)

    def last_within(self, depth: int, end: int) -> int:
        """Returns the last step before another one in which no more than `depth` frames were open, or -1."""
        return self.last_where(lambda numbers, depths: depths <= depth, end)

    def first_where(self, test: Test, start: int, end: int) -> int:
        """Returns the first step, from one up to another, with a row that is looked for, or -1."""
        end, length = min(end, self.last + 1), _FIRST_SEARCHED
        while start < end:
            until = min(end, start + length)
            steps = self.where(test, start, until)
            if steps.size:
                return int(steps[0])
            start, length = until, length * 4
        return -1

    def next_visit(self, number: int, depth: int, step: int, most: int) -> int:
        """Returns the first of the `most` steps after `step` after which the process was at a point in this
        depth, or -1.
        """
        return self.first_where(
            lambda numbers, depths: (numbers == number) & (depths == depth), step + 1, step + most + 1
        )

    def visits(self, code: CodeBlock, index: int, depth: int | None = None) -> list[int]:
        """Returns the positions at which the process arrived at an instruction, in frames of any depth unless
        one is given.
        """
        number = self.points.number(code, index)

        def test(numbers: Array, depths: Array) -> Array:
            is_match = numbers == number
            return is_match if depth is None else is_match & (depths == depth)

        return self._positions_of(self.where(test))

    def arrivals(self, numbers: Sequence[int], position: int) -> int:
        """Returns how often the process arrived at program points of these numbers up to a position."""
        return len(self.where(_is_one_of(numbers), 0, self.step_at(position) + 1))

    def positions_at(self, numbers: Sequence[int], first: int, last: int) -> list[int]:
        """Returns the positions, from one to another, at which the process arrived at program points of these
        numbers.
        """
        positions = self.positions
        start, end = bisect_left(positions, first), bisect_right(positions, last)
        return self._positions_of(self.where(_is_one_of(numbers), start, end))

    # --- other futures ---

    def copy(self) -> ProcessTrace:
        """Returns a trace with the same past."""
        other = ProcessTrace(self.points)
        other._blocks, other._open, other._small = self._blocks[:], self._open.copy(), self._small
        other._arrived = None if self._arrived is None else self._arrived[:]
        return other

    def cut(self, position: int) -> None:
        """Drops what comes after a position."""
        count = self.step_at(position) + 1
        if self._arrived is not None:
            del self._arrived[count:]
        if count >= self._first_open:
            self._open.cut(count - self._first_open)
            return
        self._open = OpenRows()
        at = bisect_left(self._blocks, count, key=_FIRST)
        first, block = self._blocks[at - 1]
        blocks = block_up_to(block, count - first) if count > first else []
        del self._blocks[at - 1 :]
        self._small = 0
        self._add(blocks)


class _Placed(NamedTuple):
    """A block, and its first step."""

    first: int
    block: TraceBlock

    @property
    def end(self) -> int:
        """The step behind it."""
        return self.first + self.block.count

    def _span(self, start: int, end: int) -> tuple[int, int]:
        return max(start - self.first, 0), min(end - self.first, self.block.count)

    def part(self, start: int, end: int) -> TraceRows:
        """Returns the rows after steps from one up to another."""
        return self.block.part(*self._span(start, end))

    def distinct(self, start: int, end: int) -> TraceRows:
        """Returns each row at least once."""
        return self.block.distinct(*self._span(start, end))

    def where(self, test: Test, start: int, end: int) -> Array:
        """Returns the steps with rows that are looked for."""
        return self.block.where(test, *self._span(start, end)) + self.first


_FIRST: Final = attrgetter("first")


def _is_one_of(numbers: Sequence[int]) -> Test:
    wanted = np.array(numbers, np.int32)
    return lambda visited, depths: np.isin(visited, wanted)
