"""The processes of a grid as HTML: what each is doing, and who waits for whom. It needs no style sheet and no
script; states have a letter beside their colour, and edges have words.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any, Final

from markupsafe import Markup
from msgspec import Struct

from shlo.debugger.inspect.snapshots import GridView, ProcessView, Status
from shlo.debugger.views.grid import status_counts
from shlo.interpreter.spmd.wait_for_graph import names_of
from shlo.interpreter.topology.groups import GridShape
from shlo_kernel.mime.markup import render_part


class State(Struct, frozen=True):
    """How a process in a state is shown: a letter, and a colour that black letters can be read on."""

    letter: str
    color: str


STATES: Final[dict[Status, State]] = {
    "ready": State("R", "#8fd0f5"),
    "waiting": State("W", "#f0b429"),
    "done": State("D", "#c8c8c8"),
    "failed": State("F", "#ff8a5c"),
}
CELLS_AT_MOST: Final = 4096
"""How many processes are drawn."""
NAMED_AT_MOST: Final = 256
"""Up to how many processes each is drawn with its name, and not only as a letter."""
BOXES_AT_MOST: Final = 12
"""How many processes of a cycle, or groups of processes that wait for the same, are drawn."""

EDGE: Final = "#c2410c"
"""The colour of the edge that closes a cycle."""

Place = Callable[[str], str]
"""Turns a text that holds places of a program into one with the places that people know."""


def row_width(shape: GridShape) -> int:
    """Returns how many processes are in a row: those of a replica; where each has one partition, all
    replicas."""
    return shape.partitions if shape.partitions > 1 else shape.replicas


def picture_html(grid: GridView, place: Place = str) -> Markup:
    """Returns the grid, and who waits for whom in it."""
    return render_part("grid", "picture", cells_html(grid), wait_graph_html(grid, place))


def counts_html(grid: GridView) -> Markup:
    """Returns how many processes are in which state: a legend of the colours."""
    return render_part("grid", "counts", _counts(grid))


def cells_html(grid: GridView, named_at_most: int = NAMED_AT_MOST) -> Markup:
    """Returns rows of cells, one for each process; of many processes letters alone."""
    size, width = len(grid.processes), row_width(grid.shape)
    drawn = grid.processes[:CELLS_AT_MOST]
    row = _named_row if size <= named_at_most else _letter_row
    rows = [row(grid, drawn[at : at + width]) for at in range(0, len(drawn), width)]
    return render_part("grid", "cells", _counts(grid), rows, max(size - CELLS_AT_MOST, 0))


def _counts(grid: GridView) -> list[tuple[str, State, int]]:
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
    letters = "".join(STATES[view.status].letter for view in grid.processes[:CELLS_AT_MOST])
    width = row_width(grid.shape)
    starts = range(0, len(letters), width)
    return "\n".join((legend, *(f"{grid.shape.label(at)} {letters[at : at + width]}" for at in starts)))


def wait_graph_html(grid: GridView, place: Place = str) -> Markup:
    """Returns the cycle of processes that wait for each other; where there is none, who waits for what."""
    cycle = grid.graph.cycle
    if not grid.graph.waiting:
        return Markup("")
    graph: dict[str, Any] = {"cycle": [], "edges": [], "more": 0}
    if cycle:
        boxes = [_waiting(grid, (number,), place) for number in cycle[:BOXES_AT_MOST]]
        if len(cycle) > BOXES_AT_MOST:
            boxes[-1:] = [{"more": len(cycle) - BOXES_AT_MOST}, _waiting(grid, cycle[-1:], place)]
        graph["cycle"] = boxes
        graph["closing"] = " waits for ".join(map(grid.shape.label, (cycle[-1], cycle[0])))
    else:
        found: dict[tuple[str, str, str], list[int]] = {}
        for number, waiting in sorted(grid.graph.waiting.items()):
            key = waiting.operation, waiting.where, grid.graph.awaited(waiting)
            found.setdefault(key, []).append(number)
        groups = list(found.items())
        graph["edges"] = [
            (_waiting(grid, tuple(numbers), place), awaited)
            for (_, _, awaited), numbers in groups[:BOXES_AT_MOST]
        ]
        graph["more"] = max(len(groups) - BOXES_AT_MOST, 0)
    return render_part("grid", "waits", graph, STATES["waiting"], EDGE)


def _waiting(grid: GridView, numbers: tuple[int, ...], place: Place) -> dict[str, Any]:
    """Processes that wait in one operation: which ones, in which, where."""
    waiting = grid.graph.waiting[numbers[0]]
    where = f"in {waiting.operation}{waiting.at(place(waiting.place) if waiting.place else None)}"
    return {"names": names_of(grid.shape, numbers), "where": where, "more": 0}
