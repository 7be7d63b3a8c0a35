"""The stepper's view of a grid: its processes as buttons, a page of them where there are many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ipywidgets import HTML, BoundedIntText, Button, GridBox, Layout, VBox
from markupsafe import Markup

from shlo.debugger.inspect.snapshots import GridView, ProcessView
from shlo.debugger.text.format_spmd import channels_text, process_text
from shlo.text.escape import escaped
from shlo_kernel.mime.grid import STATES, cells_html, counts_html, row_width, wait_graph_html
from shlo_kernel.mime.markup import shown

PAGE: Final = 64
"""How many processes are buttons at a time."""
WIDEST: Final = 8
"""How many buttons are side by side."""

_CHOSEN: Final = "3px solid var(--jp-ui-font-color1,#111)"
_PLAIN: Final = "3px solid transparent"
_WORDS: Final = "margin:0;max-height:200px;overflow:auto;font-size:12px;line-height:1.35;white-space:pre-wrap"


class GridWidget(VBox):
    """The processes of a grid. `choose` is called with the number of the one that is clicked."""

    def __init__(self, grid: GridView, choose: Callable[[int], None]) -> None:
        self._choose = choose
        self._is_updating = False
        self._first = 0
        self.counts, self.words = HTML(), HTML()
        count = min(len(grid.processes), PAGE)
        self.cells = [self._button(at) for at in range(count)]
        columns = f"repeat({min(row_width(grid.shape), WIDEST)}, max-content)"
        self.box = GridBox(self.cells, layout=Layout(grid_template_columns=columns, grid_gap="2px"))
        last = len(grid.processes) - 1
        layout = Layout(width="160px", display="" if last >= PAGE else "none")
        self.number = BoundedIntText(0, 0, last, description="process", layout=layout)
        self.number.observe(self._type, "value")
        super().__init__([self.counts, self.box, self.number, self.words])

    def show(self, grid: GridView) -> None:
        """Shows the processes as they are."""
        has_pages = len(grid.processes) > PAGE
        self._first = grid.selected - grid.selected % PAGE
        self.counts.value = cells_html(grid, PAGE) if has_pages else counts_html(grid)
        for at, cell in enumerate(self.cells):
            number = self._first + at
            is_there = number < len(grid.processes)
            cell.layout.visibility = "visible" if is_there else "hidden"
            if is_there:
                _show_cell(cell, grid.processes[number], grid)
        self._is_updating = True
        self.number.value = grid.selected
        self._is_updating = False
        lines = [process_text(grid), *([channels_text(grid)] if grid.channels else [])]
        words = Markup('<pre class="shlo-process" style="{}">{}</pre>')
        self.words.value = words.format(_WORDS, shown("\n".join(lines))) + wait_graph_html(grid, _line)

    def _button(self, at: int) -> Button:
        button = Button(layout=Layout(width="auto", min_width="72px", margin="0"))
        button.on_click(lambda _: self._choose(self._first + at))
        return button

    def _type(self, change: Any) -> None:
        if not self._is_updating:
            self._choose(change.new)


def _show_cell(cell: Button, view: ProcessView, grid: GridView) -> None:
    """Makes a button that of a process; its tooltip says what that is doing, and for whom it waits."""
    is_selected = view.number == grid.selected
    state = STATES[view.status]
    cell.description = f"{'▸ ' if is_selected else ''}{view.label} {state.letter}"
    line = "" if view.line is None else f" on line {view.line}"
    where = f" in {view.operation}{line}" if view.operation else ""
    awaited = f", for {grid.graph.awaited(view.waiting)}" if view.waiting else ""
    cell.tooltip = escaped(f"{view.label} is {view.status}{where}{awaited}")
    cell.style.button_color = state.color
    cell.style.text_color = "#000"
    cell.style.font_weight = "bold" if is_selected else "normal"
    cell.layout.border = _CHOSEN if is_selected else _PLAIN


def _line(position: str) -> str:
    """Returns a place as the view of the source numbers its lines."""
    return f"line {position.rsplit(':', 2)[-2]}" if position.count(":") > 1 else position
