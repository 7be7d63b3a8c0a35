"""Where the cells of a grid's processes are: how many in a line, and how wide each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

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


class CellTable(Struct, frozen=True):
    """A line holds `per_line` processes of one row, behind a label of `label` columns; each takes `cell`
    columns. Rows and columns are the last two axes of the grid; with more axes, a line above each table of
    rows is its heading.
    """

    shape: GridShape
    per_line: int
    cell: int
    label: int

    @property
    def columns(self) -> int:
        """How many processes a row has: the size of the last axis."""
        return self.shape.axes[-1][1]

    @property
    def rows(self) -> int:
        """How many rows are below one heading."""
        return self.shape.axes[-2][1] if len(self.shape.axes) > 1 else 1

    @property
    def lines_per_row(self) -> int:
        """How many lines a row takes."""
        return -(-self.columns // self.per_line)

    @property
    def _lines_per_heading(self) -> int:
        return self._heading_lines + self.rows * self.lines_per_row

    @property
    def _heading_lines(self) -> int:
        return int(len(self.shape.axes) > 2)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return self.shape.size // (self.rows * self.columns) * self._lines_per_heading

    def line_of(self, process: int) -> int:
        """Returns the line that a process is on."""
        offset = 0
        for (_, size), along in zip(self.shape.axes, self.shape.coordinates(process)):
            offset = offset * size + along
        row, column = divmod(offset, self.columns)
        table, row = divmod(row, self.rows)
        line = self._heading_lines + row * self.lines_per_row + column // self.per_line
        return table * self._lines_per_heading + line

    def processes(self, line: int) -> Sequence[int]:
        """Returns the processes on a line, none on a heading."""
        table, line = divmod(line, self._lines_per_heading)
        if line < self._heading_lines:
            return ()
        row, part = divmod(line - self._heading_lines, self.lines_per_row)
        start = (table * self.rows + row) * self.columns
        first = part * self.per_line
        return self.shape.in_order[start + first : start + min(first + self.per_line, self.columns)]

    def label_of(self, line: int) -> str:
        """Returns what a line is called: its first process, its row on a mesh, or, of a heading, the other
        axes.
        """
        there, axes = self.processes(line), self.shape.axes
        if there and not (self.shape.has_axis_names and len(axes) > 1):
            return self.shape.label(there[0])
        along = self.shape.coordinates(there[0] if there else self.processes(line + 1)[0])
        shown = [f"{name}={number}" for (name, _), number in zip(axes, along)]
        if not there:
            return ", ".join(shown[:-2])
        return ", ".join(shown[-2 : None if self.lines_per_row > 1 else -1])

    def process_at(self, line: int, x: int) -> int | None:
        """Returns the process whose cell is at a column of the screen; None beside the cells."""
        column = (x - self.label) // self.cell
        there = self.processes(line) if 0 <= line < self.count else ()
        return there[column] if 0 <= column < len(there) else None

    def below(self, process: int, lines: int) -> int:
        """Returns the process that is so many lines below another one (above, where negative)."""
        line = self.line_of(process)
        column = list(self.processes(line)).index(process)
        wanted = min(max(line + lines, 0), self.count - 1)
        if not self.processes(wanted):  # a heading
            wanted += 1 if lines > 0 or wanted == 0 else -1
        there = self.processes(wanted)
        return there[min(column, len(there) - 1)]


def fitting_table(shape: GridShape, width: int, height: int) -> CellTable:
    """Returns the table with the widest cells whose lines are all visible; else the one with the narrowest.
    Rows that take one line each come first: then the lines are the grid's own.
    """
    columns = shape.axes[-1][1]
    label = label_width(shape, is_whole=True)
    space = max(width - label, 1)
    if columns * SHORT <= space:
        whole = CellTable(shape, columns, min(space // columns, WIDEST), label)
        if whole.count <= height:
            return whole
    label = label_width(shape)
    space = max(width - label, 1)
    tables = [CellTable(shape, in_a_line(space // cell, shape), cell, label) for cell in CELLS]
    return next((table for table in tables if table.count <= height), tables[-1])


def label_width(shape: GridShape, is_whole: bool = False) -> int:
    """Returns the columns that any label takes, with a space before it and behind it; where a line is a whole
    row (`is_whole`), the row has no column to name.
    """
    if is_whole and shape.has_axis_names and len(shape.axes) > 1:
        name, size = shape.axes[-2]
        return len(f"{name}={size - 1}") + 2
    return len(shape.label(shape.in_order[-1])) + 2


def in_a_line(count: int, shape: GridShape) -> int:
    """Returns as many processes of a row as fit in a line; where that is not all, a power of two."""
    columns = shape.axes[-1][1]
    return columns if count >= columns else 1 << (max(count, 1).bit_length() - 1)
