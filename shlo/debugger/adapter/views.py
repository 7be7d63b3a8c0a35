"""Requests of shlo's own, for views beside an editor: timeline, grid, graph, tensors.

Clients ask while a view is visible. Every answer has a limit, and none grows with the run.
"""

from typing import Any, Final, Required, TypedDict

from msgspec import to_builtins

from shlo.debugger.adapter import tensor_views
from shlo.debugger.adapter.debuggee import Debuggee, source_of
from shlo.debugger.adapter.requests import Request
from shlo.debugger.adapter.variables import range_from
from shlo.debugger.errors import DebuggerError
from shlo.debugger.views.grid import MAX_CELLS, grid_page
from shlo.debugger.views.timeline import timeline_of
from shlo.graph.build import graph_of
from shlo.graph.formats import graph_data

MAX_COLUMNS: Final = 2_000
"""How many columns a timeline has at most."""
MAX_OPS: Final = 50_000
"""How many operations a program may have to be shown as a graph."""


class OverviewArguments(TypedDict, total=False):
    """Whose timeline, in how many columns at most."""

    threadId: int
    columns: Required[int]


class PositionArguments(TypedDict):
    """A position of the run."""

    position: int


class GridArguments(TypedDict, total=False):
    """From which process on, in the order of the mesh, and how many."""

    start: int
    count: int


class ThreadArguments(TypedDict):
    """A process, by the number of its thread."""

    threadId: int


class GraphArguments(TypedDict, total=False):
    """Where the graph is to be; the number of the program whose graph the client has."""

    frameId: int
    known: int


def overview(debuggee: Debuggee, arguments: OverviewArguments) -> dict[str, Any]:
    """Returns the positions that were reached in columns: how deep calls and regions were, where breakpoints
    are and rounds of the innermost loop began; the positions of the last stops.
    """
    columns = arguments["columns"]
    if not 0 < columns <= MAX_COLUMNS:
        raise DebuggerError(f"expected 1 to {MAX_COLUMNS:,} columns, got {columns}")
    if "threadId" in arguments:
        debuggee.select(arguments["threadId"] - 1)
    return to_builtins(timeline_of(debuggee.session, columns, debuggee.stops))


def go_to(debuggee: Debuggee, arguments: PositionArguments) -> None:
    """Goes to a position, past breakpoints."""
    position = arguments["position"]
    if position < 0:
        raise DebuggerError(f"expected a position from 0, got {position}")
    session = debuggee.session
    debuggee.then = lambda: debuggee.move("go to", lambda _: lambda _: session.goto(position))


def grid(debuggee: Debuggee, arguments: GridArguments) -> dict[str, Any]:
    """Returns the processes in the order of their mesh: where each is, for whom it waits, whether it is to
    blame for a deadlock or merely not there yet. Of one process, an answer without cells.
    """
    start, count = range_from(arguments.get("start", 0), arguments.get("count", MAX_CELLS))
    return to_builtins(grid_page(debuggee.session.grid, start, count))


def select_thread(debuggee: Debuggee, arguments: ThreadArguments) -> None:
    """Selects a process, and has the client show it: it stops there."""
    number = arguments["threadId"]
    debuggee.select(number - 1)
    body = {"reason": "goto", "description": "Selected", "threadId": number, "allThreadsStopped": True}
    debuggee.then = lambda: debuggee.event("stopped", body)


def graph(debuggee: Debuggee, arguments: GraphArguments) -> dict[str, Any]:
    """Returns the program of a process as a graph, unless the client has it, and the line that is next."""
    index = debuggee.at(arguments.get("frameId"))
    session = debuggee.session
    number = debuggee.programs.index(debuggee.program)
    frames = session.snapshot.frames
    line = frames[index].line if frames else None
    body: dict[str, Any] = {
        "program": number,
        "line": line,
        "source": source_of(debuggee, debuggee.program),
        "data": None,
    }
    if arguments.get("known") != number:
        data = graph_of(session.module, debuggee.program.path.replace("\\", "/").rpartition("/")[2])
        if data.count() > MAX_OPS:
            raise DebuggerError(f"expected at most {MAX_OPS:,} operations, got {data.count():,}")
        body["data"] = graph_data(data)
    return body


VIEWS: Final[dict[str, Request]] = {
    "shlo/timeline": Request(overview, arguments=OverviewArguments, is_quiet=True),
    "shlo/goTo": Request(go_to, arguments=PositionArguments, is_quiet=True),
    "shlo/grid": Request(grid, arguments=GridArguments, is_quiet=True),
    "shlo/selectThread": Request(select_thread, arguments=ThreadArguments, is_quiet=True),
    "shlo/graph": Request(graph, arguments=GraphArguments, is_quiet=True),
    "shlo/tensors": Request(tensor_views.tensors, arguments=tensor_views.ListArguments, is_quiet=True),
    "shlo/tensor": Request(tensor_views.tensor, arguments=tensor_views.TensorArguments, is_quiet=True),
    "shlo/keep": Request(tensor_views.keep, arguments=tensor_views.KeepArguments, is_quiet=True),
    "shlo/forget": Request(tensor_views.forget, arguments=tensor_views.ForgetArguments, is_quiet=True),
}
