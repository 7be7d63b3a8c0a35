"""Why a grid of processes could not go on: the sentence with carets in the cells, and a picture."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.debugger.inspect.snapshots import GridView, ProcessView, Status
from shlo.debugger.text.format_spmd import wait_graph_text
from shlo.interpreter.spmd.wait_for_graph import GridError, WaitForGraph
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Source, Span
from shlo.text.diagnostics import diagnostic_lines
from shlo.text.escape import escaped
from shlo.text.styled import ansi_text, styled
from shlo_kernel.cells.definitions import Definitions
from shlo_kernel.cells.errors import CellError
from shlo_kernel.mime.bundle import HTML, TEXT, Bundle
from shlo_kernel.mime.grid_picture import letters_text, picture_html

OTHERS_AT_MOST = 3
"""How many operations in which others wait are shown with their lines."""


def mime_of_grid(definitions: Definitions, error: GridError) -> Bundle:
    """Returns the grid as it was left, and who waits for whom in it."""
    grid = _view(error)
    waiting_text = f"\n\n{definitions.place(wait_graph_text(grid))}" if error.graph.waiting else ""
    return {TEXT: escaped(letters_text(grid) + waiting_text), HTML: picture_html(grid, definitions.place)}


def grid_error(definitions: Definitions, error: GridError, otherwise: Source, at: Span) -> CellError:
    """Returns the failure with its place in the cell that defined the function, and those where others wait;
    the line `at` of the cell that ran it where there is no place."""
    place = definitions.cell_span(error.place or "") or (otherwise, at)
    findings = [(place[0], Diagnostic(definitions.place(error.message), place[1], "execution"))]
    findings += _others(definitions, error.graph, place)
    drawn = error.graph.lines()
    notes = [note for note in getattr(error, "__notes__", ()) if note not in drawn]
    told = (styled(f"note: {definitions.place(note)}") for note in notes)
    text = ansi_text([*diagnostic_lines(findings), *told])
    return CellError("ExecutionError", definitions.place(error.message), text)


def _others(
    definitions: Definitions, graph: WaitForGraph, known: tuple[Source, Span]
) -> Iterator[tuple[Source, Diagnostic]]:
    """Yields the other places in which processes of the cycle, or all, wait."""
    places: dict[str, list[int]] = {}
    for process in graph.cycle or sorted(graph.waiting):
        places.setdefault(graph.waiting[process].place or "", []).append(process)
    spots = ((definitions.cell_span(place), processes) for place, processes in places.items())
    others = [
        (cell_span, processes)
        for cell_span, processes in spots
        if cell_span is not None and cell_span != known
    ]
    for (source, span), processes in others[:OTHERS_AT_MOST]:
        verb = "waits" if len(processes) == 1 else "wait"
        yield source, Diagnostic(f"{graph.names(processes)} {verb} here", span, "", "note")


def _view(error: GridError) -> GridView:
    """Returns the processes as an error tells of them."""
    graph = error.graph
    views = tuple(_process(error, number) for number in range(graph.shape.size))
    return GridView(*graph.shape, error.process, "failed", views, graph, (), error.message)


def _process(error: GridError, number: int) -> ProcessView:
    graph = error.graph
    waiting = graph.waiting.get(number)
    operation = waiting.operation if waiting else error.op if number == error.process else None
    status = _status(error, number)
    return ProcessView(number, *graph.shape.place(number), status, operation, None, None, 0, waiting)


def _status(error: GridError, number: int) -> Status:
    if number in error.graph.waiting:
        return "waiting"
    if number in error.graph.ended:
        return "done"
    return "failed" if number == error.process else "ready"
