"""The grid pane: a cell for each process, and marks of who waits for the one under the cursor."""

from __future__ import annotations

from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size
from textual.strip import Strip

from shlo.debugger.inspect.snapshots import GridView, ProcessView
from shlo.debugger.views.grid import WaitMarks, wait_marks
from shlo.interpreter.topology.groups import GridShape
from shlo_tui.render.device_grid import SHORT, SINGLE, fitting_table
from shlo_tui.render.processes import (
    CYCLE_STYLE,
    NO_MARK,
    SELECTED,
    STATES,
    Sign,
    counts_text,
    edge_spans,
    operation_text,
    process_spans,
    shape_text,
    sign_of,
)
from shlo_tui.render.status_text import fit
from shlo_tui.widgets.events import ProcessChosen, ProcessShown
from shlo_tui.widgets.lines import Line, LinePane, Palette, Segments

EXTRA_LINES: Final = 3
"""Lines of the panel that hold no cells: its border, and the two about a process."""

SHARE: Final = 3
"""The panel takes at most one part in so many of the lines of the screen."""


class GridPane(LinePane):
    """Lines of processes; the cursor is one of them. What it waits for and who waits for it are marked."""

    def __init__(self, shape: GridShape, palette: Palette, *, id: str = "grid") -> None:
        super().__init__(palette, id=id)
        self.shape = shape
        self.view: GridView | None = None
        self.marks = WaitMarks()
        self.table = fitting_table(shape, 80, 1)
        self._cycle = frozenset[int]()

    @property
    def count(self) -> int:
        """The number of lines of cells, 0 before the first view."""
        return self.table.count if self.view else 0

    @property
    def at(self) -> int:
        """The process under the cursor."""
        return self.marks.process

    def show(self, view: GridView) -> None:
        """Shows the processes; the cursor goes to the selected one, unless the user moves it."""
        keeps_cursor = self.has_focus and self.view is not None and view.selected == self.view.selected
        if view.shape is not self.shape:  # the session knows the names of the mesh
            self.shape = view.shape
            self.table = fitting_table(self.shape, self.size.width or 80, self.size.height or 1)
            if isinstance(self.parent, ProcessesPanel):
                self.parent.fit_again()
        self.view, self._cycle = view, frozenset(view.graph.cycle)
        self.border_title = f"grid {shape_text(view.shape)}   {counts_text(view)}"
        self.resize_content()
        self.put_on(self.at if keeps_cursor else view.selected)

    def put_on(self, process: int) -> None:
        """Puts the cursor on a process, the nearest there is."""
        if self.view is None:
            return
        process = min(max(process, 0), self.shape.size - 1)
        self.marks = wait_marks(self.view.graph, process)
        self.put_cursor(self.table.line_of(process))
        self.refresh()
        self.post_message(ProcessShown())

    def on_resize(self) -> None:
        """Arranges the cells for the new size and keeps the cursor in view."""
        self.table = fitting_table(self.shape, self.size.width, self.size.height)
        super().on_resize()
        self.put_on(self.at)

    # --- moving ---

    def action_cursor(self, by: int) -> None:
        """Moves the cursor up or down by lines of cells."""
        self.put_on(self.table.below(self.at, by))

    def action_edge(self, side: int) -> None:
        """Puts the cursor on the first or the last process."""
        self.put_on(self.shape.size if side > 0 else 0)

    def action_sideways(self, by: int) -> None:
        """Moves the cursor by a number of processes."""
        self.put_on(self.at + by)

    def action_choose(self) -> None:
        """Posts `ProcessChosen` for the process under the cursor."""
        self.post_message(ProcessChosen(self.at))

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on the process that was clicked and chooses it."""
        offset = event.get_content_offset(self)
        process = offset and self.table.process_at(offset.y + self.scroll_offset.y, offset.x)
        if process is not None:
            self.put_on(process)
            self.action_choose()

    # --- drawing ---

    def line_style(self, line: int) -> Style | None:
        """Returns None, as the cursor is a cell and not a line."""

    def strip(self, line: int, width: int) -> Strip:
        """Returns the label of a line and the cells of its processes."""
        assert self.view
        there = self.table.processes(line)
        label = f" {self.table.label_of(line)}".ljust(self.table.label)
        words = [Segment(label, self.palette["dim"])]
        for number in there:
            words += self._cell(self.view.processes[number])
        return Strip(words)

    def _cell(self, process: ProcessView) -> Segments:
        """Returns a process in the room that it has: its mark, its state, its operation and line."""
        is_selected = process.number == self._selected
        mark = SELECTED if is_selected else sign_of(self.marks, process.number)
        state = STATES[process.status]
        if process.number in self._cycle:
            state = Sign(state.glyph, CYCLE_STYLE)
        if self.table.cell == SINGLE:
            return [self._segment(process, state if mark is NO_MARK else mark)]
        words = [Segment(mark.glyph, self.palette[mark.style]), self._segment(process, state)]
        if self.table.cell < SHORT:
            return words
        line = "" if process.line is None else f":{process.line}"
        operation = fit(operation_text(process.operation), self.table.cell - 4 - len(line)).rstrip()
        sign = Sign(fit(f" {operation}{line}", self.table.cell - 3), "name" if is_selected else "text")
        return [*words, self._segment(process, sign), Segment(" ")]

    @property
    def _selected(self) -> int:
        return self.view.selected if self.view else 0

    def _segment(self, process: ProcessView, sign: Sign) -> Segment:
        """Returns a part of a cell, with the cursor under it."""
        palette = self.palette[sign.style]
        is_looked_at = process.number == self.at and self.at != self._selected
        return Segment(sign.glyph, palette + self.palette["cell.cursor"] if is_looked_at else palette)


class ProcessesPanel(Container):
    """The processes of a grid: a pane with all of them, and two lines about the one under the cursor."""

    def __init__(self, shape: GridShape, palette: Palette) -> None:
        super().__init__(id="processes")
        self.pane = GridPane(shape, palette)
        self._about, self._edges = Line(palette, id="process"), Line(palette, id="edges")
        self._fitted = Size(0, 0), False

    def compose(self) -> ComposeResult:
        """Yields the grid pane and the two lines about the process under its cursor."""
        yield self.pane
        yield self._about
        yield self._edges

    def tell(self) -> None:
        """Tells about the process under the cursor."""
        if self.pane.view is not None:
            self._about.say(*process_spans(self.pane.view, self.pane.marks.process))
            self._edges.say(*edge_spans(self.pane.view, self.pane.marks))

    def fit(self, size: Size, is_zoomed: bool) -> None:
        """Takes the height that the processes need on a screen of some size, up to its share."""
        self._fitted = size, is_zoomed
        self.display = self.pane.display
        most = max(size.height // SHARE - EXTRA_LINES, 2)
        needed = fitting_table(self.pane.shape, self.size.width or size.width, most).count
        self.styles.height = "1fr" if is_zoomed else min(needed, most) + EXTRA_LINES

    def fit_again(self) -> None:
        """Takes the height that the processes need when the names of the mesh have become known."""
        if self._fitted[0]:
            self.fit(*self._fitted)
