"""The processes of a grid in words: tables, who waits for whom, values side by side."""

from __future__ import annotations

from typing import Final

from shlo.debugger.inspect.snapshots import Comparison, GridView, ProcessView, ValueGroup
from shlo.debugger.text.format import name_text
from shlo.interpreter.spmd.wait_for_graph import Waiting

MOST_ROWS: Final = 64
"""How many processes, messages or groups of equal values are told at most."""

MOST_PLACES: Final = 4
"""How many of the places at which tensors differ are told."""


def processes_text(grid: GridView, status: str = "") -> str:
    """Returns a line for each process, or for those of a status; the selected one has a star."""
    views = [view for view in grid.processes if status in ("", view.status)]
    width = max([10, *(len(view.label) for view in views[:MOST_ROWS])])
    lines = [_row(grid, view, width) for view in views[:MOST_ROWS]]
    return "\n".join([*lines, *_more(len(views), "processes")]) or f"no process is {status}"


def process_text(grid: GridView) -> str:
    """Returns the selected process with its number, where it is, and for whom it waits."""
    view = grid.process
    number = f"process {view.number} of {len(grid.processes)}"
    return f"{number}: {view.label} {view.status} {_place(view)}{_for_whom(grid, view.waiting)}".rstrip()


def _row(grid: GridView, view: ProcessView, width: int) -> str:
    star = "*" if view.number == grid.selected else " "
    row = f"{view.label:{width}} {view.status:8} {_place(view)}".rstrip()
    return f"{star} {view.number:4} {row}{_for_whom(grid, view.waiting)}"


def _place(view: ProcessView) -> str:
    if view.operation is None:
        return f"after {view.steps} steps"
    return name_text(view.operation) if view.line is None else f"{view.line:4} {name_text(view.operation)}"


def _for_whom(grid: GridView, waiting: Waiting | None) -> str:
    return "" if waiting is None else f", waits for {_awaited(grid, waiting)}"


def _awaited(grid: GridView, waiting: Waiting) -> str:
    if waiting.kind == "infeed":
        return "its infeed"
    if waiting.kind == "message":
        senders = (
            f" from {grid.graph.names(waiting.missing)}" if waiting.missing else ", which no process sends"
        )
        return f"a message on channel {waiting.channel}{senders}"
    return grid.graph.awaited(waiting)


def wait_graph_text(grid: GridView) -> str:
    """Returns who waits for whom: processes that wait for the same on one line, with an arrow; then, where
    they wait without end, the cycle, one process to a line.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for number, waiting in sorted(grid.graph.waiting.items()):
        groups.setdefault((waiting.where, _awaited(grid, waiting)), []).append(number)
    lines = [
        f"{grid.graph.names(numbers)} --> {awaited}\n     in {name_text(where)}"
        for (where, awaited), numbers in list(groups.items())[:MOST_ROWS]
    ]
    lines += _more(len(groups), "groups of processes")
    return "\n".join([*lines, *_cycle(grid)]) or "no process waits"


def _cycle(grid: GridView) -> list[str]:
    """What is wrong, and the cycle as a picture: an arrow leads from a process to the one it waits for."""
    graph = grid.graph
    if graph.kind == "waiting":
        return []
    if not graph.cycle:
        return ["", graph.sentence(), *graph.blame()]
    arrow = ["  |      |", "  |      v"]
    waiting = [(graph.shape.label(number), graph.waiting[number]) for number in graph.cycle]
    shown = [f"{label}  {name_text(wait.where)}" for label, wait in waiting]
    if len(shown) > MOST_ROWS:
        shown[MOST_ROWS // 2 : -MOST_ROWS // 2] = [f"... {len(shown) - MOST_ROWS} more"]
    lines = [line for text in shown for line in (f"  |   {text}", *arrow)]
    lines[0] = f"  .-> {shown[0]}"
    return ["", graph.sentence(), *graph.blame(), *lines[: -len(arrow)], "  '------'"]


def channels_text(grid: GridView) -> str:
    """Returns the messages under way, a line for each, and what is in infeeds and outfeeds."""
    lines: list[str] = []
    for channel in grid.channels:
        name = f"channel {channel.channel}" if channel.kind == "channel" else channel.kind
        if channel.receiver is not None:
            name += f" {'to' if channel.kind == 'channel' else 'of'} {grid.shape.label(channel.receiver)}"
        lines += (f"{name}: {', '.join(message) or 'nothing'}" for message in channel.messages)
    return "\n".join([*lines[:MOST_ROWS], *_more(len(lines), "messages")]) or "no messages are under way"


def comparison_text(grid: GridView, comparison: Comparison) -> str:
    """Returns a value side by side: a line for each group of processes with the same value, and where those
    that are not in the largest differ from it.
    """
    lines: list[str] = []
    reference = comparison.groups[comparison.reference or 0]
    first = grid.shape.label(reference.processes[0])
    for group in comparison.groups[:MOST_ROWS]:
        lines.append(f"{grid.graph.names(group.processes)}: {group.summary}")
        if group is not reference:
            lines.append(f"     {_difference(group, first)}")
    lines += _more(len(comparison.groups), "groups of processes")
    absent: dict[str, list[int]] = {}
    for value in comparison.absent:
        absent.setdefault(value.absent, []).append(value.process)
    lines += (f"{grid.graph.names(numbers)}: {why}" for why, numbers in absent.items())
    where = f", of {name_text(comparison.place.text)}" if comparison.place.where else ""
    return "\n".join([f"{_agreement(grid, comparison)}{where}", *lines])


def _agreement(grid: GridView, comparison: Comparison) -> str:
    count = sum(len(group.processes) for group in comparison.groups)
    types = {str(value.type) for value in comparison.values if value.type is not None}
    of = f"%{comparison.name} : {types.pop()}" if len(types) == 1 else f"%{comparison.name}"
    many = "1 process" if count == 1 else f"{count} processes"
    if comparison.is_same:
        return f"{of} is the same in {'all ' if count == len(grid.processes) else ''}{many}"
    return f"{of} has {len(comparison.groups)} different values in {count} processes"


def _difference(group: ValueGroup, other: str) -> str:
    if not group.is_comparable:
        return f"of another type or shape than in {other}"
    places = ", ".join(str([*index]) for index in group.places[:MOST_PLACES] if index)
    more = ", ..." if group.differing > MOST_PLACES else ""
    largest = "" if group.largest is None else f", by {group.largest:.6g} at most"
    elements = "1 element differs" if group.differing == 1 else f"{group.differing} elements differ"
    where = f": {places}{more}" if places else ""
    return f"{elements} from {other}{largest}{where}"


def _more(count: int, what: str) -> list[str]:
    return [f"... and {count - MOST_ROWS} more {what}"] if count > MOST_ROWS else []
