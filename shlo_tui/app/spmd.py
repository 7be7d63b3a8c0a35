"""The debugger on a grid of processes: a pane with all of them, and what they wait for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar, Final

from textual import on
from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget

from shlo.debugger import Session
from shlo.debugger.inspect.snapshots import GridView
from shlo.interpreter.topology.groups import GridShape
from shlo_tui.app import events as messages
from shlo_tui.app.app import DebuggerApp
from shlo_tui.app.layout import Program
from shlo_tui.dialogs.text import Sheet, styled_lines
from shlo_tui.keymap import GRID_GROUP, GRID_KEYS, GROUPS, bindings
from shlo_tui.render.channel_lines import channel_lines
from shlo_tui.render.device_grid import fitting_table
from shlo_tui.render.processes import edge_words, process_words
from shlo_tui.render.wait_graph import waiting_picture
from shlo_tui.session.compare import Compared, compare_value, comparison_lines
from shlo_tui.session.view_model import Scene
from shlo_tui.session.worker import Arrived
from shlo_tui.theme import Look
from shlo_tui.widgets.grid import GridPane
from shlo_tui.widgets.lines import Ink
from shlo_tui.widgets.source import SourcePane
from shlo_tui.widgets.status import Line
from shlo_tui.widgets.values import ValuesPane

BESIDE: Final = 3
"""Lines of the pane that hold no cells: its border, and the two about a process."""

SHARE: Final = 3
"""The pane takes at most one part in so many of the lines of the screen."""


class GridApp(DebuggerApp):
    """The screen of `shlo debug --grid`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(keys=GRID_KEYS)]
    groups = (*GROUPS[:-1], GRID_GROUP, GROUPS[-1])

    def __init__(self, program: Program, look: Look | None = None) -> None:
        super().__init__(program, look)
        self.shape = program.grid or GridShape()

    def on_mount(self) -> None:
        self.base.set_class(True, "-grid")

    def panes_below_the_source(self, ink: Ink) -> Iterable[Widget]:
        pane = GridPane(self.shape, ink)
        yield Container(pane, Line(ink, id="process"), Line(ink, id="edges"), id="processes")

    @property
    def panes(self) -> tuple[Any, ...]:
        return *super().panes, self.pane(GridPane)

    def arrange(self) -> None:
        super().arrange()
        box, pane = self.base.query_one("#processes"), self.pane(GridPane)
        box.display = pane.display
        most = max(self.size.height // SHARE - BESIDE, 2)
        needed = fitting_table(self.shape, box.size.width or self.size.width, most).count
        box.styles.height = "1fr" if self.is_zoomed else min(needed, most) + BESIDE

    def repaint(self) -> None:
        super().repaint()
        for line in self.base.query("#process, #edges").results(Line):
            line.paint(self.ink)

    # --- scenes ---

    @property
    def grid(self) -> GridView | None:
        """All processes where the session is now."""
        return self.scene.grid if self.scene else None

    def show_scene(self, scene: Scene) -> None:
        if scene.grid is not None:
            self.pane(SourcePane).take_source(self.program.sources[scene.grid.selected])
        super().show_scene(scene)
        if scene.grid is not None:
            self.pane(GridPane).show(scene.grid)

    @on(messages.ProcessShown)
    def show_process(self) -> None:
        """Tells about the process under the cursor of the grid pane."""
        if self.grid is not None:
            marks = self.pane(GridPane).marks
            self.base.query_one("#process", Line).say(*process_words(self.grid, marks.process))
            self.base.query_one("#edges", Line).say(*edge_words(self.grid, marks))

    @on(messages.ProcessChosen)
    def _choose_process(self, message: messages.ProcessChosen) -> None:
        if self.grid is not None and message.process != self.grid.selected:
            self.action_command(f"process {message.process}")

    def _show_failure(self, report: Arrived) -> None:
        """Opens the picture where processes wait without end."""
        grid, snapshot = report.scene.grid, report.scene.snapshot
        is_new = snapshot.reason == "failed" and not report.failed
        if is_new and grid is not None and grid.graph.verdict != "waiting":
            self.action_waits()
        else:
            super()._show_failure(report)

    # --- keys ---

    def action_process(self, by: int) -> None:
        if self.grid is not None:
            self.action_command(f"process {(self.grid.selected + by) % self.shape.size}")

    def action_waits(self) -> None:
        if self.grid is not None:
            lines = waiting_picture(self.grid, self.program.sources)
            self.push_screen(Sheet("who waits for whom", self.ink, styled_lines(lines, self.ink)))

    def action_messages(self) -> None:
        if self.grid is not None:
            lines = channel_lines(self.grid)
            self.push_screen(Sheet("messages that wait", self.ink, styled_lines(lines, self.ink)))

    def action_compare(self) -> None:
        value = self.pane(ValuesPane).chosen
        if value is not None:
            self.order(partial(_compare, name=value.name, show=self._show_compared))

    def _show_compared(self, compared: Compared) -> None:
        """Opens a comparison; called in the session's thread."""
        lines = comparison_lines(self.shape, compared)
        sheet = Sheet("in all processes", self.ink, styled_lines(lines, self.ink))
        self.call_from_thread(self.push_screen, sheet)


def _compare(session: Session, name: str, show: Callable[[Compared], None]) -> str:
    """Compares a value of the selected process with those of the others."""
    show(compare_value(session, name))
    return ""
