"""Where the cells of a grid's processes are: how many in a line, and how wide each is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shlo.interpreter.topology.groups import GridShape

ROOMY: Final = 22
"""Cells of the screen for a process with its operation and line."""

SHORT: Final = 12
"""For the line and as much of the operation as fits."""

PAIR: Final = 2
"""For the state and a mark beside it."""

SINGLE: Final = 1
"""For the state, or a mark in its place."""

WIDEST: Final = 32
"""Columns that a cell takes at most."""

CELLS: Final = (ROOMY, SHORT, PAIR, SINGLE)


@dataclass(frozen=True, slots=True)
class CellTable:
    """A line holds `per_line` processes of one replica, behind a label of `label` columns; each takes `cell`
    columns.
    """

    shape: GridShape
    per_line: int
    cell: int
    label: int

    @property
    def lines_per_replica(self) -> int:
        """How many lines a replica takes."""
        return -(-self.shape.partitions // self.per_line)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return self.shape.replicas * self.lines_per_replica

    def line_of(self, process: int) -> int:
        """Returns the line that a process is on."""
        replica, partition = self.shape.place(process)
        return replica * self.lines_per_replica + partition // self.per_line

    def processes(self, line: int) -> range:
        """Returns the processes on a line."""
        replica, part = divmod(line, self.lines_per_replica)
        first = part * self.per_line
        last = min(first + self.per_line, self.shape.partitions)
        return range(self.shape.number(replica, first), self.shape.number(replica, last))

    def process_at(self, line: int, x: int) -> int | None:
        """Returns the process whose cell is at a column of the screen; None beside the cells."""
        column = (x - self.label) // self.cell
        there = self.processes(line) if 0 <= line < self.count else range(0)
        return there[column] if 0 <= column < len(there) else None

    def below(self, process: int, lines: int) -> int:
        """Returns the process that is so many lines below another one (above, where negative)."""
        line = self.line_of(process)
        there = self.processes(min(max(line + lines, 0), self.count - 1))
        return there[min(process - self.processes(line).start, len(there) - 1)]


def fitting_table(shape: GridShape, width: int, height: int) -> CellTable:
    """Returns the table with the widest cells whose lines are all visible; else the one with the narrowest.
    Replicas that take one line each come first: then the lines are the grid's own.
    """
    label = label_width(shape)
    space = max(width - label, 1)
    if shape.partitions * SHORT <= space:
        whole = CellTable(shape, shape.partitions, min(space // shape.partitions, WIDEST), label)
        if whole.count <= height:
            return whole
    tables = [CellTable(shape, in_a_line(space // cell, shape), cell, label) for cell in CELLS]
    return next((table for table in tables if table.count <= height), tables[-1])


def label_width(shape: GridShape) -> int:
    """Returns the columns that any label takes, with a space before it and behind it."""
    return len(shape.label(shape.size - 1)) + 2


def in_a_line(count: int, shape: GridShape) -> int:
    """Returns as many of the partitions as fit in a line; where that is not all, a power of two."""
    return shape.partitions if count >= shape.partitions else 1 << (max(count, 1).bit_length() - 1)
