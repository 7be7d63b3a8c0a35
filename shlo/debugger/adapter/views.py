"""Requests of shlo's own, for views beside an editor: timeline, grid, graph, tensors.

Clients ask while a view is visible. Every answer has a limit, and none grows with the run.
"""

from collections.abc import Sequence
from typing import Any, Final, Required, TypedDict

from shlo.debugger.adapter import tensor_views
from shlo.debugger.adapter.debuggee import Debuggee, source_of
from shlo.debugger.adapter.requests import Request
from shlo.debugger.errors import DebuggerError
from shlo.debugger.futures.marks import Marks
from shlo.debugger.inspect.loops import is_round
from shlo.debugger.inspect.snapshots import GridView, ProcessView
from shlo.debugger.session import Session
from shlo.graph.build import graph_of
from shlo.graph.columns import graph_data
from shlo.interpreter.spmd.wait_for_graph import WaitForGraph
from shlo.text.escape import escaped
from shlo.text.numbers import plural

MAX_COLUMNS: Final = 2_000
"""How many columns a timeline has at most."""
MAX_CELLS: Final = 1_024
"""How many processes of a grid are listed at once."""
MAX_AWAITED: Final = 64
"""How many processes that one waits for are listed."""
MAX_LINES: Final = 20
"""How many lines say what is wrong with a grid."""
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
    return overview_data(debuggee.session, columns, debuggee.stops)


def overview_data(session: Session, columns: int, stops: Marks) -> dict[str, Any]:
    """Returns what the timeline of `web/` shows of a session that stopped at some positions (`Timeline` of
    web/src/debug_messages.ts), in at most `columns` columns.
    """
    found = session.overview(columns)
    frames = session.cursor.process.frames
    rounds = [frames[depth - 1].iteration for depth in range(2, len(frames) + 1) if is_round(frames, depth)]
    return {
        "position": found.position,
        "last": found.last,
        "isDone": session.cursor.is_over,
        "depths": found.depths,
        "breakpoints": _true(found.breakpoints),
        "rounds": _true(found.rounds),
        "stops": [stop for stop in stops.of_current(session.futures) if stop <= found.last],
        "round": rounds[-1] if rounds else None,
        "process": session.process_label,
    }


def _true(columns: Sequence[bool]) -> list[int]:
    return [column for column, is_there in enumerate(columns) if is_there]


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
    view = debuggee.session.grid
    if view is None:
        return {"axes": [], "total": 1, "start": 0, "cells": [], "lines": [], "selected": 0}
    start, count = arguments.get("start", 0), arguments.get("count", MAX_CELLS)
    if start < 0 or count < 0:
        raise DebuggerError(f"expected start and count from 0, got {start} and {count}")
    shown = view.shape.in_order[start : start + min(count, MAX_CELLS)]
    marks = _Marks(view.graph)
    return {
        "axes": [{"name": escaped(name), "size": size} for name, size in view.shape.axes],
        "total": view.shape.size,
        "start": start,
        "cells": [_cell(view, view.processes[number], marks) for number in shown],
        "selected": view.selected,
        "counts": {status: count for status, count in view.counts().items() if count},
        "cycle": view.graph.cycle[:MAX_AWAITED],
        "lines": [escaped(line) for line in _wrong(view)],
    }


class _Marks:
    """Which processes of a grid that cannot go on are what."""

    def __init__(self, graph: WaitForGraph) -> None:
        is_stuck = graph.kind != "waiting"
        lists = {id(wait.missing): wait for wait in graph.waiting.values()}.values() if is_stuck else ()
        self.cycle = frozenset(graph.cycle)
        self.guilty = frozenset(graph.culprits)
        self.coming = frozenset(number for wait in lists for number in graph.absence(wait).coming)


def _cell(view: GridView, process: ProcessView, marks: _Marks) -> dict[str, Any]:
    wait, number = process.waiting, process.number
    return {
        "process": number,
        "label": escaped(process.label),
        "coordinates": view.shape.coordinates(number),
        "status": process.status,
        "operation": escaped((process.operation or "").removeprefix("stablehlo.")),
        "line": process.line,
        "steps": process.steps,
        "waitsFor": [] if wait is None else wait.missing[:MAX_AWAITED],
        "awaited": "" if wait is None else escaped(view.graph.awaited(wait)),
        "isInCycle": number in marks.cycle,
        "isGuilty": number in marks.guilty,
        "isNotThere": number in marks.coming,
    }


def _wrong(view: GridView) -> list[str]:
    """Returns why a grid cannot go on, and who is to blame; nothing where it can."""
    if view.graph.kind == "waiting":
        return [view.error] if view.error else []
    lines = [view.graph.sentence(), *view.graph.blame()]
    return lines[:MAX_LINES] + [f"and {plural(len(lines) - MAX_LINES, 'line')} more"] * (
        len(lines) > MAX_LINES
    )


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
    found: dict[str, Any] = {
        "program": number,
        "line": line,
        "source": source_of(debuggee, debuggee.program),
        "data": None,
    }
    if arguments.get("known") != number:
        data = graph_of(session.module, debuggee.program.path.replace("\\", "/").rpartition("/")[2])
        if data.count() > MAX_OPS:
            raise DebuggerError(f"expected at most {MAX_OPS:,} operations, got {data.count():,}")
        found["data"] = graph_data(data)
    return found


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
