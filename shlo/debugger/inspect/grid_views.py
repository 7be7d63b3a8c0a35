"""The processes of a grid as snapshots. A view is made again only where something changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from shlo.debugger.inspect.snapshots import ChannelView, GridView, ProcessView
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_points import ProgramPoint
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.runtime.channels import ChannelKey, Values
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.wait_for_graph import Waiting

Summarize = Callable[[Value], str]
"""Tells a value in one line."""


class GridViews:
    """Makes the views of a grid."""

    def __init__(self, cursor: ReplayCursor, summarize: Summarize) -> None:
        self._cursor = cursor
        self._summarize = summarize
        self._known: dict[int, tuple[ProgramPoint | None, ProcessView]] = {}

    def view(self) -> GridView:
        """Returns all processes where they are now."""
        cursor, grid = self._cursor, self._cursor.grid
        graph = grid.wait_graph()
        processes = [self._process(number, graph.waiting.get(number)) for number in range(grid.shape.size)]
        return GridView(
            *grid.shape,
            selected=cursor.selected,
            status=grid.status,
            processes=tuple(processes),
            graph=graph,
            channels=tuple(_channels(grid, self._summarize)),
            error=None if grid.error is None else str(grid.error),
        )

    def _process(self, number: int, waiting: Waiting | None) -> ProcessView:
        """Returns a process; the view that is known where nothing of it has changed."""
        grid, points = self._cursor.grid, self._cursor.points
        process, status = grid.processes[number], grid.status_of(number)
        frame = process.frames[-1] if process.frames else None
        point = points[points.number(frame.code, frame.index)] if frame else None
        known_point, view = self._known.get(number, (None, None))
        if (
            view is None
            or (known_point, view.steps, view.status) != (point, process.steps, status)
            or view.waiting != waiting
        ):
            view = ProcessView(
                number,
                *grid.shape.place(number),
                grid.shape.label(number),
                status=status,
                operation=point.operation.name if point else None,
                line=point.position.line if point and point.position else None,
                column=point.position.column if point and point.position else None,
                steps=process.steps,
                waiting=waiting,
            )
            self._known[number] = point, view
        return view


def _channels(grid: ProcessGrid, summarize: Summarize) -> Iterator[ChannelView]:
    """What is in the channels, and then in the infeeds and outfeeds of processes."""
    queues = [grid.channels(number) for number in range(grid.shape.size)]
    shared = queues[0].channels
    for key in sorted((key for key, items in shared.items() if items), key=_order):
        channel, receiver = (key, None) if isinstance(key, int) else key
        yield ChannelView(channel, receiver, _lines(shared[key], summarize))
    are_shared = len(queues) > 1 and queues[0] is queues[1]
    for number, queue in enumerate(queues[: 1 if are_shared else None]):
        owner = None if are_shared else number
        if queue.infeed:
            yield ChannelView(0, owner, _lines(queue.infeed, summarize), "infeed")
        if queue.outfeed:
            yield ChannelView(0, owner, _lines(queue.outfeed, summarize), "outfeed")


def _order(key: ChannelKey) -> tuple[int, int]:
    """Channels in the order of their numbers; what anyone may take comes first."""
    return (key, -1) if isinstance(key, int) else key


def _lines(items: Iterable[Values], summarize: Summarize) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(summarize(value) for value in item) for item in items)
