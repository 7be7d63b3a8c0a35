"""Who waits for whom, drawn: a cycle of processes with its closing edge, or those that wait beside what they
wait for; and below it what the operations are.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from shlo.debugger.inspect.snapshots import GridView, ProcessView
from shlo.interpreter.spmd.wait_for_graph import Waiting
from shlo.ir.source import Source
from shlo.text.escape import sanitized
from shlo.text.shortening import capitalized
from shlo_tui.render.processes import CYCLE_STYLE, STATES, operation_text
from shlo_tui.render.status_text import Spans, fit

BOX: Final = 24
"""Columns of a box."""

GAP: Final = 22
"""Columns between two boxes that are side by side."""

HEIGHT: Final = 4
"""Rows of a box."""

STEP: Final = 6
"""Rows from one box to the one below."""

TEXT: Final = BOX - 4
WIDTH: Final = 2 * BOX + GAP
RIGHT: Final = BOX + GAP
MIDDLE_LEFT: Final = BOX // 2
MIDDLE_RIGHT: Final = RIGHT + BOX // 2

MOST_BOXES: Final = 8
"""Boxes of a cycle, and rows of other pictures."""

MOST_PLACES: Final = 8
"""Operations whose lines are shown below a picture."""

CLOSING: Final = "closes the cycle"
CORNERS: Final = ("╭", "╮", "╰", "╯")

EDGE: Final = "dim"
"""The style of boxes and of arrows that close nothing."""


class Canvas:
    """Characters at columns and rows, both from 0; what is drawn later covers what was drawn before."""

    def __init__(self) -> None:
        self._cells: dict[int, dict[int, tuple[str, str]]] = {}

    def put(self, x: int, y: int, text: str, style: str) -> None:
        """Writes a text of single-cell characters from left to right."""
        row = self._cells.setdefault(y, {})
        for offset, character in enumerate(text):
            row[x + offset] = character, style

    def down(self, x: int, top: int, bottom: int, character: str, style: str) -> None:
        """Draws a character on the rows from `top` to `bottom`, the last one included."""
        for y in range(top, bottom + 1):
            self.put(x, y, character, style)

    def box(self, x: int, y: int, width: int, lines: tuple[Spans, ...], style: str) -> None:
        """Draws a frame around lines that are at most `width - 4` wide."""
        across = "─" * (width - 2)
        self.put(x, y, f"{CORNERS[0]}{across}{CORNERS[1]}", style)
        for number, words in enumerate(lines, 1):
            self.put(x, y + number, f"│{' ' * (width - 2)}│", style)
            self.write(x + 2, y + number, words)
        self.put(x, y + len(lines) + 1, f"{CORNERS[2]}{across}{CORNERS[3]}", style)

    def write(self, x: int, y: int, words: Spans) -> None:
        """Writes words one after the other."""
        for text, style in words:
            self.put(x, y, text, style)
            x += len(text)

    def lines(self) -> Iterator[Spans]:
        """Yields the drawing from top to bottom."""
        for y in range(max(self._cells, default=-1) + 1):
            row = self._cells.get(y, {})
            cells = [row.get(x, (" ", "text")) for x in range(max(row, default=-1) + 1)]
            yield [
                ("".join(character for character, _ in group), style)
                for style, group in groupby(cells, lambda cell: cell[1])
            ]


class Box(Struct, frozen=True):
    """Two lines in a frame: what it is, and what there is to say about it."""

    title: Spans
    text: str
    style: str = "operation"


def waiting_picture(view: GridView, sources: Sequence[Source]) -> list[Spans]:
    """Returns the lines of the picture and of what there is to say about it, at most WIDTH columns wide;
    `sources` are the texts of the processes' programs.
    """
    if not view.graph.waiting:
        return [[("no process waits", "text")]]
    drawing = _cycle(_cycle_boxes(view)) if view.graph.cycle else _rows(view)
    sentence = sanitized(view.graph.sentence())
    style = "text" if view.graph.kind == "waiting" else "alarm"
    lines = textwrap.wrap(f"{capitalized(sentence)}.", WIDTH)
    for blamed in view.graph.blame():
        lines += textwrap.wrap(f"{sanitized(blamed)}.", WIDTH)
    return [*([(line, style)] for line in lines), [], *drawing.lines(), [], *_places(view, sources)]


# --- boxes ---


def _process_box(process: ProcessView, is_guilty: bool = False) -> Box:
    wait = process.waiting
    channel = f"  channel {wait.channel}" if wait and wait.kind == "message" else ""
    text = operation_text(process.operation) or "has ended"
    sign = STATES[process.status]
    line_text = "" if process.line is None else f"  line {process.line}"
    title = [
        (f"{sign.glyph} ", sign.style),
        (process.label, CYCLE_STYLE if is_guilty else "name"),
        (line_text, "dim"),
    ]
    return Box(title, text + channel)


def _draw(canvas: Canvas, x: int, y: int, box: Box) -> None:
    canvas.box(x, y, BOX, (box.title, [(fit(box.text, TEXT), box.style)]), EDGE)


# --- a cycle ---


def _cycle_boxes(view: GridView) -> list[Box]:
    """Returns a box for each process of the cycle; of many, the first ones and the last ones."""
    cycle, half = view.graph.cycle, MOST_BOXES // 2
    left_out = len(cycle) - MOST_BOXES + 1 if len(cycle) > MOST_BOXES else 0
    ends = [*cycle[:half], *cycle[1 - half :]] if left_out else cycle
    culprits = view.graph.culprits
    boxes = [_process_box(view.processes[number], number in culprits) for number in ends]
    if left_out:
        boxes.insert(half, Box([(f"… {left_out:,} more", "name")], "each for the next", "dim"))
    return boxes


def _cycle(boxes: Sequence[Box]) -> Canvas:
    """Boxes clockwise: the first one top left, the right column downwards, the left column upwards."""
    canvas = Canvas()
    right = boxes[1 : 1 + len(boxes) // 2]
    left = [boxes[0], *reversed(boxes[1 + len(right) :])]
    for x, column in ((0, left), (RIGHT, right)):
        for row, box in enumerate(column):
            _draw(canvas, x, row * STEP, box)
    if not right:  # the edge of a process that waits for itself
        canvas.put(BOX, 1, "══╗", CYCLE_STYLE)
        canvas.put(BOX, 2, f"◀═╝ {CLOSING}", CYCLE_STYLE)
        return canvas
    _arrow(canvas, 1)
    for row in range(len(right) - 1):
        canvas.down(MIDDLE_RIGHT, row * STEP + HEIGHT, row * STEP + HEIGHT, "│", EDGE)
        canvas.put(MIDDLE_RIGHT, row * STEP + HEIGHT + 1, "▼", EDGE)
    _way_back(canvas, len(left), len(right))
    return canvas


def _arrow(canvas: Canvas, y: int) -> None:
    canvas.put(BOX, y, " waits for ".center(GAP - 1, "─") + "▶", EDGE)


def _way_back(canvas: Canvas, left: int, right: int) -> None:
    """From the lowest box on the right to the left column, and up there; the last edge closes the cycle."""
    if left == 1:
        canvas.put(BOX, 2, "◀" + f" {CLOSING} ".center(GAP - 1, "═"), CYCLE_STYLE)
        return
    y = (left - 1) * STEP + 1
    canvas.put(BOX, y, "◀" + "─" * (GAP - 1), EDGE)
    if right < left:
        canvas.put(RIGHT, y, "─" * (BOX // 2) + "╯", EDGE)
        canvas.down(MIDDLE_RIGHT, (right - 1) * STEP + HEIGHT, y - 1, "│", EDGE)
    for row in range(1, left - 1):
        canvas.put(MIDDLE_LEFT, row * STEP + HEIGHT, "▲", EDGE)
        canvas.put(MIDDLE_LEFT, row * STEP + HEIGHT + 1, "│", EDGE)
    canvas.put(MIDDLE_LEFT, HEIGHT, "▲", CYCLE_STYLE)
    canvas.put(MIDDLE_LEFT, HEIGHT + 1, f"║ {CLOSING}", CYCLE_STYLE)


# --- other waiting: who waits on the left, for what on the right ---


def _rows(view: GridView) -> Canvas:
    """Returns a row for processes that wait at one operation for the same ones."""

    def key(number: int) -> object:
        wait = view.graph.waiting[number]
        return (*_operation(view, number), wait.kind, wait.channel, wait.missing)

    canvas = Canvas()
    groups = _grouped(sorted(view.graph.waiting), key)
    for row, numbers in enumerate(groups[:MOST_BOXES]):
        _draw(canvas, 0, row * (HEIGHT + 1), _waiting_box(view, numbers))
        _arrow(canvas, row * (HEIGHT + 1) + 1)
        _draw(canvas, RIGHT, row * (HEIGHT + 1), _awaited_box(view, view.graph.waiting[numbers[0]]))
    if len(groups) > MOST_BOXES:
        rest = sum(map(len, groups[MOST_BOXES:]))
        canvas.put(0, MOST_BOXES * (HEIGHT + 1), f"… and {rest:,} more processes", "dim")
    return canvas


def _waiting_box(view: GridView, numbers: Sequence[int]) -> Box:
    first = view.processes[numbers[0]]
    if len(numbers) == 1:
        return _process_box(first)
    sign, line = STATES[first.status], "" if first.line is None else f":{first.line}"
    title = [(f"{sign.glyph} ", sign.style), (f"{first.label} + {len(numbers) - 1:,} more", "name")]
    return Box(title, operation_text(first.operation) + line)


def _awaited_box(view: GridView, wait: Waiting) -> Box:
    if wait.kind == "infeed":
        return Box([("its infeed", "name")], "is empty", "dim")
    if wait.kind == "message":
        who = f"from {view.graph.names(wait.missing)}" if wait.missing else "no sender left"
        return Box([(f"channel {wait.channel}", "name")], who, "dim")
    culprits = [number for number in wait.missing if number in view.graph.culprits]
    coming = len(view.graph.absence(wait).coming)
    if culprits and len(wait.missing) > 1:
        return _guilty_box(view, culprits, coming)
    if len(wait.missing) == 1:
        return _process_box(view.processes[wait.missing[0]])
    return Box([(f"{len(wait.missing):,} processes", "name")], view.graph.names(wait.missing), "dim")


def _guilty_box(view: GridView, culprits: Sequence[int], coming: int) -> Box:
    """Returns those to blame for what never comes; others that can still come are counted."""
    first = view.processes[culprits[0]]
    sign, more = STATES[first.status], f" + {len(culprits) - 1:,}" if culprits[1:] else ""
    text = "is done" if first.status == "done" else f"in {operation_text(first.operation)}"
    title = [(f"{sign.glyph} ", CYCLE_STYLE), (f"{first.label}{more}", CYCLE_STYLE)]
    return Box(title, f"{text}; {coming:,} to come" if coming else text, CYCLE_STYLE)


# --- the operations at which processes wait ---


def _places(view: GridView, sources: Sequence[Source]) -> Iterator[Spans]:
    """Yields the lines of the source at which processes wait, those of the cycle first, with the
    processes."""
    cycle = dict.fromkeys(view.graph.cycle)
    others = [number for number in sorted(view.graph.waiting) if number not in cycle]
    groups = _grouped([*cycle, *others], lambda number: (id(sources[number]), *_operation(view, number)))
    for numbers in groups[:MOST_PLACES]:
        line = view.processes[numbers[0]].line
        yield [(fit(view.graph.names(numbers), WIDTH).rstrip(), "name")]
        if line is not None:
            text = sanitized(sources[numbers[0]].line_text(line).strip())
            yield [(f"{line:>6} ", "dim"), (fit(text, WIDTH - 7).rstrip(), "text")]
    if len(groups) > MOST_PLACES:
        yield [(f"… and at {len(groups) - MOST_PLACES:,} more operations", "dim")]


def _operation(view: GridView, number: int) -> tuple[str | None, int | None]:
    return view.processes[number].operation, view.processes[number].line


def _grouped(numbers: Iterable[int], key: Callable[[int], object]) -> list[list[int]]:
    """Returns the processes with the same key together."""
    groups: dict[object, list[int]] = {}
    for number in numbers:
        groups.setdefault(key(number), []).append(number)
    return list(groups.values())
