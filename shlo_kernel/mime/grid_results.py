"""What the processes of a grid gave, side by side: equal values are shown once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from shlo.debugger.tensors.summaries import WRITTEN_OUT, summary_of
from shlo.interpreter.spmd.wait_for_graph import names_of
from shlo.interpreter.topology.groups import GridShape
from shlo.pages.grid import GridCell, grid_html
from shlo.runner.equality import equal_groups
from shlo.runner.statistics import tensor_of
from shlo.text.escape import escaped
from shlo.text.shortening import clipped
from shlo_kernel.mime.bundle import HTML, TEXT, Bundle, Value, text_of
from shlo_kernel.mime.grid_picture import row_width
from shlo_kernel.mime.markup import render
from shlo_kernel.mime.tensor import value_html

CELLS_AT_MOST: Final = 256
"""Up to how many processes there is a table with a cell for each."""
GROUPS_AT_MOST: Final = 6
"""How many different values are shown in full."""
OPEN: Final = 2
"""How many of these are not folded."""
LINES_AT_MOST: Final = 64
"""How many different values have a line of text each, where that tells all of them."""
LONGEST_SUMMARY: Final = 60

Group = list[int]
"""Processes that have the same value, bit by bit."""


def mime_of_results(name: str, shape: GridShape, values: Mapping[int, Value]) -> Bundle:
    """Returns the results of one name in all processes that have it, by process."""
    groups = equal_groups((process, value.type, value.array) for process, value in values.items())
    results = _Results(name, shape, values, groups)
    heading = escaped(results.heading())
    return {TEXT: results.text(heading), HTML: results.html(heading)}


class _Results(Struct, frozen=True):
    name: str
    shape: GridShape
    values: Mapping[int, Value]
    groups: list[Group]

    def heading(self) -> str:
        types = dict.fromkeys(str(value.type) for value in self.values.values())
        of = f": {next(iter(types))}" if len(types) == 1 else f"of {len(types)} types"
        where = "in 1 process" if len(self.values) == 1 else f"in {len(self.values):,} processes"
        if len(self.values) < self.shape.size:
            where += f" of {self.shape.size:,}"
        if len(self.values) > 1:
            count = len(self.groups)
            where += ", the same in all" if count == 1 else f", {count:,} different values"
        return f"%{self.name} {of} {where}"

    def text(self, heading: str) -> str:
        if self.are_told_by_cells():
            groups = self.groups[:LINES_AT_MOST]
            rows = (f"{self.names(group)}: {_summary(self.values[group[0]])}" for group in groups)
            return escaped("\n".join([heading, *rows, *self.more(LINES_AT_MOST)]))
        if len(self.groups) == 1:
            return "\n".join([heading, *text_of("", *self.values[self.groups[0][0]]).split("\n")[1:]])
        rows = (
            f"{self.names(group)}: {text_of(f'{self.name}#{group[0]}', *self.values[group[0]])}"
            for group in self.groups[:GROUPS_AT_MOST]
        )
        return "\n".join([heading, *rows, *self.more(GROUPS_AT_MOST)])

    def html(self, heading: str) -> Markup:
        if len(self.groups) == 1:
            body = [("", value_html("", heading, self.values[self.groups[0][0]].array), True)]
            return render("results", heading="", grid="", values=body, more=[])
        has_cells = self.shape.size <= CELLS_AT_MOST
        is_in_full = not has_cells or not self.are_told_by_cells()
        shown = self.groups[:GROUPS_AT_MOST] if is_in_full else []
        return render(
            "results",
            heading=heading,
            grid=self.grid() if has_cells else "",
            values=[(self.names(group), self.value(group), at < OPEN) for at, group in enumerate(shown)],
            more=list(self.more(GROUPS_AT_MOST)) if is_in_full else [],
        )

    def names(self, group: Group) -> str:
        return names_of(self.shape, group)

    def value(self, group: Group) -> Markup:
        """Returns the value of a group in full."""
        value = self.values[group[0]]
        return value_html(f"%{self.name}#{group[0]}", str(value.type), value.array)

    def are_told_by_cells(self) -> bool:
        """Returns whether values differ, and summaries tell all of each."""
        arrays = (tensor_of(self.values[group[0]].array) for group in self.groups)
        return len(self.groups) > 1 and all(
            array is not None and array.size <= WRITTEN_OUT for array in arrays
        )

    def more(self, most: int) -> Iterator[str]:
        rest = len(self.groups) - most
        if rest > 0:
            yield f"and {rest:,} more different values, such as %{self.name}#{self.groups[most][0]}"

    def grid(self) -> Markup:
        """Returns a cell for each process: its label, its value in a few words, its value in colours."""
        cells = [GridCell(self.shape.label(process), "no result", None) for process in range(self.shape.size)]
        for group in self.groups:
            value = self.values[group[0]]
            text, array = _summary(value), tensor_of(value.array)
            for process in group:
                cells[process] = GridCell(self.shape.label(process), text, array)
        return Markup(grid_html(cells, row_width(self.shape)))


def _summary(value: Value) -> str:
    text = summary_of(value.array)
    return clipped(text, LONGEST_SUMMARY, " ...")
