"""Errors of cells, and of grids that could not go on: a message and excerpts of the cells with carets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shlo.debugger.inspect.snapshots import GridView, ProcessView, Status
from shlo.debugger.text.format_spmd import wait_graph_text
from shlo.interpreter.spmd.wait_for_graph import GridError, WaitForGraph
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Source, Span
from shlo.support.picklable import PicklableError
from shlo.text.diagnostics import diagnostic_lines
from shlo.text.escape import escaped
from shlo.text.styled import ansi_text, styled
from shlo_kernel.cells.definitions import CellDefinitions
from shlo_kernel.mime.bundle import HTML, TEXT, Bundle, cell_lines
from shlo_kernel.mime.grid import letters_text, picture_html

_NAMES = {"execution": "ExecutionError", "request": "RequestError", "syntax": "ParseError"}
"""The kind of error by a finding's code; any other code is the verifier's."""

OTHERS_AT_MOST = 3
"""How many operations in which others wait are shown with their lines."""


class CellError(PicklableError):
    """Raised for a cell that fails.

    Args:
        name: the kind of error that front ends show.
        message: one line about it.
        text: message and excerpts of the cell with carets, with a terminal's codes for colours.
    """

    def __init__(self, name: str, message: str, text: str) -> None:
        super().__init__(escaped(message))
        self.name, self.message, self.text = name, escaped(message), text

    def _render_traceback_(self) -> list[str]:
        """Returns the lines that IPython shows in place of a Python traceback."""
        return self.text.split("\n")


def cell_error(source: str, diagnostics: Sequence[Diagnostic], label: str) -> CellError:
    """Returns the error for findings in a text, at least one of which is an error."""
    first = next(finding for finding in diagnostics if finding.severity == "error")
    text = ansi_text(cell_lines(source, diagnostics, label))
    return CellError(_NAMES.get(first.code, "VerificationError"), first.message, text)


def mime_of_grid(definitions: CellDefinitions, error: GridError) -> Bundle:
    """Returns the grid as it was left, and who waits for whom in it."""
    grid = _view(error)
    waiting_text = f"\n\n{definitions.place(wait_graph_text(grid))}" if error.graph.waiting else ""
    return {TEXT: escaped(letters_text(grid) + waiting_text), HTML: picture_html(grid, definitions.place)}


def grid_error(definitions: CellDefinitions, error: GridError, otherwise: Source, at: Span) -> CellError:
    """Returns the failure with its place in the cell that defined the function, and those where others wait;
    the line `at` of the cell that ran it where there is no place."""
    failed_at = definitions.cell_span(error.place or "") or (otherwise, at)
    findings = [(failed_at[0], Diagnostic(definitions.place(error.message), failed_at[1], "execution"))]
    findings += _others(definitions, error.graph, failed_at)
    drawn = error.graph.lines()
    notes = [note for note in getattr(error, "__notes__", ()) if note not in drawn]
    remarks = (styled(f"note: {definitions.place(note)}") for note in notes)
    text = ansi_text([*diagnostic_lines(findings), *remarks])
    return CellError("ExecutionError", definitions.place(error.message), text)


def _others(
    definitions: CellDefinitions, graph: WaitForGraph, failed_at: tuple[Source, Span]
) -> Iterator[tuple[Source, Diagnostic]]:
    """Yields the other places in which processes of the cycle, or all, wait."""
    places: dict[str, list[int]] = {}
    for process in graph.cycle or sorted(graph.waiting):
        places.setdefault(graph.waiting[process].place or "", []).append(process)
    spans = ((definitions.cell_span(position), processes) for position, processes in places.items())
    others = [
        (position, processes)
        for position, processes in spans
        if position is not None and position != failed_at
    ]
    for (source, span), processes in others[:OTHERS_AT_MOST]:
        verb = "waits" if len(processes) == 1 else "wait"
        yield source, Diagnostic(f"{graph.names(processes)} {verb} here", span, "", "note")


def _view(error: GridError) -> GridView:
    """Returns the processes as an error tells of them."""
    graph, shape, views = error.graph, error.graph.shape, list[ProcessView]()
    for number in range(shape.size):
        waiting = graph.waiting.get(number)
        operation = waiting.operation if waiting else error.op if number == error.process else None
        status: Status = "failed" if number == error.process else "ready"
        status = "waiting" if waiting else "done" if number in graph.ended else status
        views.append(
            ProcessView(
                number,
                *graph.shape.place(number),
                graph.shape.label(number),
                status,
                operation,
                None,
                None,
                0,
                waiting,
            )
        )
    return GridView(*shape, error.process, "failed", tuple(views), graph, (), error.message)
