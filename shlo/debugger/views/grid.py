"""Grids of processes: a cell for each, with its state, where it is, and for whom it waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from shlo.debugger.inspect.snapshots import GridView, ProcessView, Status
from shlo.interpreter.spmd.wait_for_graph import WaitForGraph
from shlo.text.escape import escaped
from shlo.text.numbers import plural

MAX_CELLS: Final = 1_024
"""How many processes of a page there are at most."""
MAX_AWAITED: Final = 64
"""How many processes that one waits for are listed."""
MAX_LINES: Final = 20
"""How many lines say what is wrong with a grid."""

STATUSES: Final[tuple[Status, ...]] = ("ready", "waiting", "done", "failed")
"""The states of processes, in the order in which they are counted."""


class GridAxis(Struct, frozen=True):
    """An axis of the mesh."""

    name: str
    size: int


class ProcessCell(Struct, frozen=True, rename="camel"):
    """A process: where it is, for whom it waits, whether it is to blame for a deadlock or merely not there
    yet (`Cell` of web/src/debug_messages.ts).
    """

    process: int
    label: str
    coordinates: Sequence[int]
    status: Status
    operation: str
    line: int | None
    steps: int
    waits_for: Sequence[int]
    awaited: str
    is_in_cycle: bool
    is_guilty: bool
    is_not_there: bool


class GridPage(Struct, frozen=True):
    """Some of the processes in the order of their mesh, and what is wrong with all of them (`Grid` of
    web/src/debug_messages.ts)."""

    axes: Sequence[GridAxis]
    total: int
    start: int
    cells: Sequence[ProcessCell]
    selected: int
    counts: Mapping[Status, int]
    cycle: Sequence[int]
    lines: Sequence[str]


class WaitMarks(Struct, frozen=True):
    """A process, those that it waits for, and those that wait for it."""

    process: int = 0
    awaited: frozenset[int] = frozenset()
    awaiting: frozenset[int] = frozenset()


def grid_page(view: GridView | None, start: int = 0, count: int = MAX_CELLS) -> GridPage:
    """Returns a page of `count` processes from one on; of a single process, a page without cells."""
    if view is None:
        return GridPage((), 1, 0, (), 0, {}, (), ())
    graph, numbers = view.graph, view.shape.in_order[start : start + min(count, MAX_CELLS)]
    missing = {} if graph.kind == "waiting" else {id(wait.missing): wait for wait in graph.waiting.values()}
    cycle, culprits = frozenset(graph.cycle), frozenset(graph.culprits)
    coming = {number for wait in missing.values() for number in graph.absence(wait).coming}

    def cell(process: ProcessView) -> ProcessCell:
        wait, number = process.waiting, process.number
        return ProcessCell(
            number,
            escaped(process.label),
            view.shape.coordinates(number),
            process.status,
            escaped(short_operation(process.operation)),
            process.line,
            process.steps,
            () if wait is None else wait.missing[:MAX_AWAITED],
            "" if wait is None else escaped(graph.awaited(wait)),
            number in cycle,
            number in culprits,
            number in coming,
        )

    return GridPage(
        [GridAxis(escaped(name), size) for name, size in view.shape.axes],
        view.shape.size,
        start,
        [cell(view.processes[number]) for number in numbers],
        view.selected,
        dict(status_counts(view)),
        graph.cycle[:MAX_AWAITED],
        list(map(escaped, _problem_lines(view))),
    )


def _problem_lines(view: GridView) -> list[str]:
    """Returns why a grid cannot go on, and who is to blame; nothing where it can."""
    if view.graph.kind == "waiting":
        return [view.error] if view.error else []
    lines = [view.graph.sentence(), *view.graph.blame()]
    more = len(lines) - MAX_LINES
    return lines[:MAX_LINES] + ([f"and {plural(more, 'line')} more"] if more > 0 else [])


def status_counts(view: GridView) -> Iterator[tuple[Status, int]]:
    """Yields how many processes are of each status that there is."""
    counts = view.counts()
    return ((status, counts[status]) for status in STATUSES if status in counts)


def short_operation(name: str | None) -> str:
    """Returns an operation's name without StableHLO's own."""
    return (name or "").removeprefix("stablehlo.")


def wait_marks(graph: WaitForGraph, process: int) -> WaitMarks:
    """Returns the marks where a process is looked at. Processes that wait for the same ones share the list of
    them, so each list is searched once.
    """
    wait = graph.waiting.get(process)
    searched: dict[int, bool] = {}
    for other in graph.waiting.values():
        if id(other.missing) not in searched:
            searched[id(other.missing)] = process in other.missing
    awaiting = (number for number, other in graph.waiting.items() if searched[id(other.missing)])
    return WaitMarks(process, frozenset(wait.missing if wait else ()), frozenset(awaiting))
