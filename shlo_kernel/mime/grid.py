"""The processes of a grid as HTML: what each is doing, who waits for whom, and what they gave, side by side.

It needs no style sheet and no script; states have a letter beside their colour, and edges have words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final

from markupsafe import Markup
from msgspec import Struct

from shlo.debugger.inspect.snapshots import GridView, ProcessView, Status
from shlo.debugger.tensors.summaries import WRITTEN_OUT, summary_of
from shlo.debugger.views.grid import status_counts
from shlo.interpreter.spmd.wait_for_graph import names_of
from shlo.interpreter.topology.groups import GridShape
from shlo.pages.grid import GridCell, grid_html
from shlo.runner.equality import equal_groups
from shlo.runner.statistics import tensor_of
from shlo.text.escape import escaped
from shlo.text.shortening import clipped
from shlo_kernel.mime.bundle import HTML, TEXT, Bundle, CellValue, text_of, value_html
from shlo_kernel.mime.markup import render, render_part


class StatusSign(Struct, frozen=True):
    """How a process in a state is shown: a letter, and a colour that black letters can be read on."""

    letter: str
    color: str


STATES: Final[dict[Status, StatusSign]] = {
    "ready": StatusSign("R", "#8fd0f5"),
    "waiting": StatusSign("W", "#f0b429"),
    "done": StatusSign("D", "#c8c8c8"),
    "failed": StatusSign("F", "#ff8a5c"),
}
DRAWN_AT_MOST: Final = 4096
"""How many processes are drawn."""
NAMED_AT_MOST: Final = 256
"""Up to how many processes each is drawn with its name, and not only as a letter."""
BOXES_AT_MOST: Final = 12
"""How many processes of a cycle, or groups of processes that wait for the same, are drawn."""

EDGE: Final = "#c2410c"
"""The colour of the edge that closes a cycle."""

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

Place = Callable[[str], str]
"""Turns a text that holds places of a program into one with the places that people know."""


def row_width(shape: GridShape) -> int:
    """Returns how many processes are in a row: those of a replica; where each has one partition, all
    replicas."""
    return shape.partitions if shape.partitions > 1 else shape.replicas


def picture_html(grid: GridView, localize: Place = str) -> Markup:
    """Returns the grid, and who waits for whom in it."""
    return render_part("grid", "picture", cells_html(grid), wait_graph_html(grid, localize))


def counts_html(grid: GridView) -> Markup:
    """Returns how many processes are in which state: a legend of the colours."""
    return render_part("grid", "counts", _counts(grid))


def cells_html(grid: GridView, named_at_most: int = NAMED_AT_MOST) -> Markup:
    """Returns rows of cells, one for each process; of many processes letters alone."""
    size, width = len(grid.processes), row_width(grid.shape)
    drawn = grid.processes[:DRAWN_AT_MOST]
    row = _named_row if size <= named_at_most else _letter_row
    rows = [row(grid, drawn[at : at + width]) for at in range(0, len(drawn), width)]
    return render_part("grid", "cells", _counts(grid), rows, max(size - DRAWN_AT_MOST, 0))


def _counts(grid: GridView) -> list[tuple[str, StatusSign, int]]:
    return [(status, STATES[status], count) for status, count in status_counts(grid)]


def _named_row(grid: GridView, views: tuple[ProcessView, ...]) -> dict[str, Any]:
    edges = (EDGE if view.number in grid.graph.cycle else "transparent" for view in views)
    return {"cells": [(view.label, STATES[view.status], edge) for view, edge in zip(views, edges)]}


def _letter_row(grid: GridView, views: tuple[ProcessView, ...]) -> dict[str, Any]:
    """Letters, adjacent ones of one state in one piece."""
    runs = groupby(STATES[view.status] for view in views)
    letters = [(state, state.letter * len(list(run))) for state, run in runs]
    return {"cells": [], "label": views[0].label, "runs": letters}


def letters_text(grid: GridView) -> str:
    """Returns the cells as text: a line of letters for each replica, and what the letters mean."""
    legend = ", ".join(f"{state.letter} {status} {count}" for status, state, count in _counts(grid))
    letters = "".join(STATES[view.status].letter for view in grid.processes[:DRAWN_AT_MOST])
    width = row_width(grid.shape)
    starts = range(0, len(letters), width)
    return "\n".join((legend, *(f"{grid.shape.label(at)} {letters[at : at + width]}" for at in starts)))


def wait_graph_html(grid: GridView, localize: Place = str) -> Markup:
    """Returns the cycle of processes that wait for each other; where there is none, who waits for what."""
    cycle = grid.graph.cycle
    if not grid.graph.waiting:
        return Markup("")
    graph: dict[str, Any] = {"cycle": [], "edges": [], "more": 0}
    if cycle:
        boxes = [_waiting(grid, (number,), localize) for number in cycle[:BOXES_AT_MOST]]
        if len(cycle) > BOXES_AT_MOST:
            boxes[-1:] = [{"more": len(cycle) - BOXES_AT_MOST}, _waiting(grid, cycle[-1:], localize)]
        graph["cycle"] = boxes
        graph["closing"] = " waits for ".join(map(grid.shape.label, (cycle[-1], cycle[0])))
    else:
        processes_by_wait: dict[tuple[str, str, str], list[int]] = {}
        for number, waiting in sorted(grid.graph.waiting.items()):
            key = waiting.operation, waiting.where, grid.graph.awaited(waiting)
            processes_by_wait.setdefault(key, []).append(number)
        groups = list(processes_by_wait.items())
        graph["edges"] = [
            (_waiting(grid, tuple(numbers), localize), awaited)
            for (_, _, awaited), numbers in groups[:BOXES_AT_MOST]
        ]
        graph["more"] = max(len(groups) - BOXES_AT_MOST, 0)
    return render_part("grid", "waits", graph, STATES["waiting"], EDGE)


def _waiting(grid: GridView, numbers: tuple[int, ...], localize: Place) -> dict[str, Any]:
    """Processes that wait in one operation: which ones, in which, where."""
    waiting = grid.graph.waiting[numbers[0]]
    where = f"in {waiting.operation}{waiting.at(localize(waiting.place) if waiting.place else None)}"
    return {"names": names_of(grid.shape, numbers), "where": where, "more": 0}


def mime_of_results(name: str, shape: GridShape, values: Mapping[int, CellValue]) -> Bundle:
    """Returns the results of one name in all processes that have it, by process."""
    groups = equal_groups((process, value.type, value.array) for process, value in values.items())
    results = _Results(name, shape, values, groups)
    heading = escaped(results.heading())
    return {TEXT: results.text(heading), HTML: results.html(heading)}


class _Results(Struct, frozen=True):
    name: str
    shape: GridShape
    values: Mapping[int, CellValue]
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


def _summary(value: CellValue) -> str:
    text = summary_of(value.array)
    return clipped(text, LONGEST_SUMMARY, " ...")
