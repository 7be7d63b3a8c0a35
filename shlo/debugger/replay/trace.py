"""Trace of a process: its program point after each of its steps."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

import numpy as np

from shlo.debugger.replay.program_points import NOWHERE, ProgramPoint, ProgramPoints
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.program.code import CodeBlock
from shlo.ir.dtypes import Array

_FIRST_SEARCHED: Final = 64
"""How many steps are searched at once, at first."""


class ProcessTrace:
    """Where one process was, by how many steps of its own it had taken: the number of the program point,
    how many frames were open, and the position of the grid at which it arrived there.
    """

    def __init__(self, points: ProgramPoints) -> None:
        self.points = points
        self.depths = array("i")
        self.numbers = array("i")  # of program points
        self.positions = array("q")

    @property
    def last(self) -> int:
        """The most steps that the process took."""
        return len(self.numbers) - 1

    def arrive(self, frames: Sequence[Frame], position: int) -> None:
        """Notes where the process is after one more step of its own."""
        frame = frames[-1] if frames else None
        self.depths.append(len(frames))
        self.numbers.append(self.points.number(frame.code, frame.index) if frame else NOWHERE)
        self.positions.append(position)

    def extend(self, numbers: Array, depths: Array, position: int) -> None:
        """Notes where the process is after more steps, one at each position from the given one on."""
        self.depths.frombytes(depths.tobytes())
        self.numbers.frombytes(numbers.tobytes())
        self.positions.frombytes(np.arange(position, position + len(numbers), dtype=np.int64).tobytes())

    def point(self, step: int) -> ProgramPoint | None:
        """Returns where the process was after so many steps, None where it was done."""
        number = self.numbers[step]
        return None if number == NOWHERE else self.points[number]

    def step_at(self, position: int) -> int:
        """Returns how many steps the process had taken at a position."""
        return bisect_right(self.positions, position) - 1

    def number_at(self, position: int) -> int | None:
        """Returns the point at which the process arrived at a position, None where it took no step."""
        step = self.step_at(position)
        return self.numbers[step] if self.positions[step] == position else None

    def last_visit(self, number: int, depth: int, step: int) -> int:
        """Returns the last step up to `step` after which the process was at a point in this depth, or -1."""
        end, length = step + 1, _FIRST_SEARCHED
        while end > 0:
            first = max(0, end - length)
            # copies of a part: an array that is viewed cannot grow
            numbers, depths = np.array(self.numbers[first:end]), np.array(self.depths[first:end])
            found = np.flatnonzero((numbers == number) & (depths == depth))
            if found.size:
                return first + int(found[-1])
            end, length = first, length * 4
        return -1

    def visits(self, code: CodeBlock, index: int, depth: int | None = None) -> list[int]:
        """Returns the positions at which the process arrived at an instruction, in frames of any depth unless
        one is given.
        """
        found = np.array(self.numbers) == self.points.number(code, index)
        if depth is not None:
            found &= np.array(self.depths) == depth
        return np.array(self.positions)[np.flatnonzero(found)].tolist()

    def arrivals(self, numbers: Sequence[int], position: int) -> int:
        """Returns how often the process arrived at program points of these numbers up to a position."""
        visited = np.array(self.numbers)[: self.step_at(position) + 1]
        return int(np.count_nonzero(np.isin(visited, np.array(numbers, visited.dtype))))

    def copy(self) -> ProcessTrace:
        """Returns a trace with the same past."""
        other = ProcessTrace(self.points)
        other.depths, other.numbers, other.positions = self.depths[:], self.numbers[:], self.positions[:]
        return other

    def cut(self, position: int) -> None:
        """Drops what comes after a position."""
        count = bisect_right(self.positions, position)
        del self.positions[count:], self.numbers[count:], self.depths[count:]
