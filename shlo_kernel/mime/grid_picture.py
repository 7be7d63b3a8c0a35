"""The processes of a grid as HTML: what each is doing, and who waits for whom. It needs no style sheet and no
script; states have a letter beside their colour, and edges have words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Final, NamedTuple

from shlo.debugger.inspect.snapshots import GridView, ProcessView, Status
from shlo.interpreter.spmd.wait_report import Waiting, names_of
from shlo.interpreter.topology.groups import GridShape
from shlo_kernel.mime.highlight import shown


class State(NamedTuple):
    """How a process in a state is shown: a letter, and a colour that black letters can be read on."""

    letter: str
    colour: str


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
"""How many processes of a circle, or groups of processes that wait for the same, are drawn."""

EDGE: Final = "#c2410c"
"""The colour of the edge that closes a circle."""
_FONT: Final = "font-family:var(--jp-code-font-family,monospace);font-size:12px;line-height:1.4"
_ROW: Final = "display:flex;flex-wrap:wrap"
_BOX: Final = "border:1px solid rgba(128,128,128,.7);border-radius:4px;padding:2px 8px;white-space:nowrap"
_FAINT: Final = "opacity:.75"

Place = Callable[[str], str]
"""Turns a text that holds places of a program into one with the places that people know."""


def row_width(shape: GridShape) -> int:
    """How many processes stand in a row: those of a replica; where each has one partition, all replicas."""
    return shape.partitions if shape.partitions > 1 else shape.replicas


def picture_html(grid: GridView, place: Place = str) -> str:
    """The grid, and who waits for whom in it."""
    return f'<div class="shlo-grid" style="{_FONT}">{cells_html(grid)}{waits_html(grid, place)}</div>'


def counts_html(grid: GridView) -> str:
    """How many processes are in which state: a legend of the colours."""
    counts = grid.counts()
    parts = (f"{_letter(status)} {status} {counts[status]:,}" for status in STATES if status in counts)
    return f'<div style="margin:2px 0">{" &nbsp; ".join(parts)}</div>'


def cells_html(grid: GridView, named_at_most: int = NAMED_AT_MOST) -> str:
    """Rows of cells, one for each process; of many processes letters alone."""
    size, width = len(grid.processes), row_width(grid.shape)
    drawn, rest = grid.processes[:CELLS_AT_MOST], size - CELLS_AT_MOST
    row = _named_row if size <= named_at_most else _letter_row
    rows = "".join(row(grid, drawn[at : at + width]) for at in range(0, len(drawn), width))
    more = f"<div>and {rest:,} more processes</div>" if rest > 0 else ""
    return f'{counts_html(grid)}<div style="max-height:16em;overflow:auto">{rows}</div>{more}'


def letters_text(grid: GridView) -> str:
    """The cells as text: a line of letters for each replica, and what the letters stand for."""
    counts = grid.counts()
    legend = ", ".join(
        f"{state.letter} {status} {counts[status]}" for status, state in STATES.items() if status in counts
    )
    letters = "".join(STATES[view.status].letter for view in grid.processes[:CELLS_AT_MOST])
    width = row_width(grid.shape)
    starts = range(0, len(letters), width)
    return "\n".join((legend, *(f"{grid.shape.label(at)} {letters[at : at + width]}" for at in starts)))


def _named_row(grid: GridView, views: tuple[ProcessView, ...]) -> str:
    cells = (
        f'<span style="{_cell(view, view.number in grid.graph.circle)}">'
        f"{view.label} <b>{STATES[view.status].letter}</b></span>"
        for view in views
    )
    return f'<div style="{_ROW}">{"".join(cells)}</div>'


def _cell(view: ProcessView, is_in_circle: bool) -> str:
    edge = EDGE if is_in_circle else "transparent"
    look = f"background:{STATES[view.status].colour};color:#000;border:2px solid {edge}"
    return f"{look};border-radius:3px;padding:0 5px;margin:1px;min-width:4.5em;text-align:center"


def _letter_row(grid: GridView, views: tuple[ProcessView, ...]) -> str:
    """Letters, those of one state that stand side by side in one piece."""
    parts, at = list[str](), 0
    while at < len(views):
        end = at + 1
        while end < len(views) and views[end].status == views[at].status:
            end += 1
        state = STATES[views[at].status]
        parts.append(f'<span style="background:{state.colour};color:#000">{state.letter * (end - at)}</span>')
        at = end
    first = f'<span style="{_FAINT}">{views[0].label} </span>'
    return f'<div style="white-space:pre-wrap;overflow-wrap:anywhere">{first}{"".join(parts)}</div>'


def _letter(status: Status) -> str:
    state = STATES[status]
    return (
        f'<b style="background:{state.colour};color:#000;padding:0 4px;border-radius:3px">{state.letter}</b>'
    )


def waits_html(grid: GridView, place: Place = str) -> str:
    """The circle of processes that wait for each other; where there is none, who waits for what."""
    if not grid.graph.waiting:
        return ""
    body = _circle(grid, place) if grid.graph.circle else _edges(grid, place)
    return f'<div class="shlo-waits" style="{_FONT};margin:6px 0;overflow-x:auto">{body}</div>'


def _circle(grid: GridView, place: Place) -> str:
    """Boxes one above the other, each pointing at the next, and the last one at the first."""
    circle = grid.graph.circle
    arrow = f'<div style="{_FAINT};padding-left:2em">↓ waits for</div>'
    boxes = [_waiting_box(grid, (number,), place) for number in circle[:BOXES_AT_MOST]]
    if len(circle) > BOXES_AT_MOST:
        boxes[-1:] = [
            f'<div style="{_BOX}">... {len(circle) - BOXES_AT_MOST:,} more ...</div>',
            _waiting_box(grid, circle[-1:], place),
        ]
    arc = f"border:2px dashed {EDGE};border-left:0;border-radius:0 8px 8px 0;width:26px;margin:.8em 0"
    head = f'<span style="color:{EDGE};position:relative;top:-.75em;left:-4px">◀</span>'
    edge = " waits for ".join(map(grid.shape.label, (circle[-1], circle[0])))
    words = f"{edge}:<br>this closes the circle"
    return (
        f'<div style="display:inline-flex"><div>{arrow.join(boxes)}</div><div style="{arc}">{head}</div>'
        f'<div style="align-self:center;margin-left:8px;color:{EDGE};font-weight:bold">{words}</div></div>'
    )


def _edges(grid: GridView, place: Place) -> str:
    """A line for each group of processes that wait for the same in the same operation."""
    groups = list(_groups(grid).items())
    rows = (
        f"<tr><td>{_waiting_box(grid, tuple(numbers), place)}</td>"
        f'<td style="{_FAINT}">── waits for ─▶</td>'
        f'<td><div style="{_BOX}">{shown(awaited)}</div></td></tr>'
        for (_, _, awaited), numbers in groups[:BOXES_AT_MOST]
    )
    rest = len(groups) - BOXES_AT_MOST
    more = f"<div>and {rest:,} more groups of processes that wait</div>" if rest > 0 else ""
    return f'<table style="margin:0;{_FONT}">{"".join(rows)}</table>{more}'


def _groups(grid: GridView) -> dict[tuple[str, str | None, str], list[int]]:
    """The processes that wait, by where they do and for what."""
    found: dict[tuple[str, str | None, str], list[int]] = {}
    for number, waiting in sorted(grid.graph.waiting.items()):
        key = waiting.operation, waiting.place, grid.graph.awaited(waiting)
        found.setdefault(key, []).append(number)
    return found


def _waiting_box(grid: GridView, numbers: tuple[int, ...], place: Place) -> str:
    """Processes that wait in one operation: which ones, in which, where."""
    words = " ".join(_where(grid.graph.waiting[numbers[0]], place))
    names = escape(names_of(grid.shape, numbers))
    return f'<div style="{_BOX}">{_letter("waiting")} <b>{names}</b> <span>{shown(words)}</span></div>'


def _where(waiting: Waiting, place: Place) -> Iterator[str]:
    yield f"in {waiting.operation}"
    if waiting.place:
        yield f"at {place(waiting.place)}"
