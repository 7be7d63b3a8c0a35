"""The screen's panes and how they are arranged; `app` fills them and has the keys."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from msgspec import Struct, field
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Container
from textual.filter import LineFilter, NoColor
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer

from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ShloError
from shlo.ir.source import Source
from shlo_tui.session.worker import Share, Start
from shlo_tui.theme import DARK, LIGHT, Appearance, PlainFilter
from shlo_tui.widgets.grid import GridPane, ProcessesPanel
from shlo_tui.widgets.lines import LinePane, LinesWidget, Palette, StatusLine, TitleLine
from shlo_tui.widgets.outline import OutlinePane, OutputPane
from shlo_tui.widgets.python import PythonPane
from shlo_tui.widgets.source import SourcePane
from shlo_tui.widgets.tensor import TensorPane
from shlo_tui.widgets.timeline import TimelinePane
from shlo_tui.widgets.values import FramesPane, ValuesPane, WatchesPane

WIDE: Final = 110
"""Columns from which on there are two columns of panes."""

TALL: Final = 32
"""Lines from which on the timeline has two."""

LEAST_HEIGHT: Final = 20
"""Lines from which on a narrow terminal has room for the Python above the source."""

OPTIONAL: Final = (WatchesPane, PythonPane, OutlinePane, OutputPane)
"""Panes that are shown where they have lines."""

Pane = TypeVar("Pane", bound=Widget)


class DebuggedProgram(Struct, frozen=True):
    """What is debugged: its text, and what starts a session on it or why there is none. Of a grid, its shape
    and the text of each process's program.
    """

    source: Source
    start: Start | None = None
    error: ShloError | None = None
    shape: GridShape = field(default_factory=GridShape)
    sources: Sequence[Source] = ()
    notes: Sequence[str] = ()
    """What to tell first: where the grid is from, arrays that were skipped."""
    share: Share | None = None
    """What lets clients attach to the session."""

    @property
    def is_grid(self) -> bool:
        """Whether there are several processes."""
        return self.shape.size > 1


class LayoutApp(App[int]):
    """The panes. In a narrow terminal the frames take the place of the values while they have the focus."""

    CSS_PATH = "debugger.tcss"
    TITLE = "shlo debug"
    HORIZONTAL_BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-low"), (TALL, "-tall")]  # noqa: RUF012

    def __init__(self, program: DebuggedProgram, appearance: Appearance | None = None) -> None:
        super().__init__()
        self.program, self.appearance = program, appearance or Appearance()
        self.is_zoomed = False
        self._terminal_filters: list[LineFilter] = [NoColor()] if self.appearance.colours == "none" else []
        if self.appearance.ascii:
            self._terminal_filters.append(PlainFilter())
        self.base: Screen[Any]
        self._known: dict[type[Widget], Widget] = {}
        self._front: Widget | None = None

    def compose(self) -> ComposeResult:
        """Yields the panes from top to bottom."""
        self.base = self.screen
        palette = self.appearance.styles(dark=True)
        yield TitleLine(palette, id="title")
        with Container(id="main"):
            with Container(id="left"):
                yield PythonPane(palette, id="python")
                yield SourcePane(self.program.source, palette)
                yield OutlinePane(palette, id="outline")
                yield WatchesPane(palette, id="watches")
                yield OutputPane(palette, id="output")
                if self.program.is_grid:
                    yield ProcessesPanel(self.program.shape, palette)
            with Container(id="side"):
                yield FramesPane(palette, id="frames")
                yield ValuesPane(palette, id="values")
                yield TensorPane(self.appearance, palette)
        yield TimelinePane(palette)
        yield StatusLine(palette, id="status")
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Applies the theme, titles the panes and brings the source to the front."""
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = self.appearance.theme
        self.screen.set_class(self.appearance.ascii, "-ascii")
        self.screen.set_class(self.program.is_grid, "-grid")
        for pane in self.panes:
            pane.border_title = pane.id or ""
        self.pane(TitleLine).show(self.file_name, None)
        self.bring_to_front(self.pane(SourcePane))

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Returns the filters of every line, those that the terminal needs among them."""
        return [*super().get_line_filters(), *self._terminal_filters]

    @property
    def palette(self) -> Palette:
        """The styles of the theme that is on."""
        return self.appearance.styles(self.current_theme.dark)

    @property
    def file_name(self) -> str:
        """The program's file without its folder."""
        return os.path.basename(self.pane(SourcePane).source.name)

    @property
    def panes(self) -> tuple[LinePane | TensorPane, ...]:
        """The panes that can have the focus, in the order of their numbers."""
        panes = self.pane(SourcePane), self.pane(FramesPane), self.pane(ValuesPane), self.pane(TensorPane)
        others = (self.pane(GridPane),) if self.program.is_grid else ()
        more = self.pane(WatchesPane), self.pane(PythonPane), self.pane(OutlinePane), self.pane(OutputPane)
        return (*panes, *others, *more)

    def pane(self, kind: type[Pane]) -> Pane:
        """Returns the pane of a kind, also while something is open above the panes, and while the screen
        closes."""
        pane = self._known.get(kind)
        if pane is None:
            pane = self._known[kind] = self.base.query_one(kind)
        assert isinstance(pane, kind)
        return pane

    def repaint(self) -> None:
        """Gives all panes the styles of the theme that is on."""
        for widget in self.base.query(Widget):
            if isinstance(widget, LinePane | LinesWidget):
                widget.paint(self.palette)

    # --- arranging ---

    def bring_to_front(self, pane: Widget) -> None:
        """Shows a pane and gives it the focus."""
        self._front = pane
        self.arrange()
        pane.focus()

    def arrange(self) -> None:
        """Shows the panes that there is room for."""
        frames, values, tensor = self.pane(FramesPane), self.pane(ValuesPane), self.pane(TensorPane)
        is_wide = self.size.width >= WIDE
        for pane in self.panes:
            is_there = isinstance(pane, TensorPane) or type(pane) not in OPTIONAL or pane.count > 0
            pane.display = is_there and (not self.is_zoomed or pane is self._front)
        if not self.is_zoomed and not is_wide:
            frames.display = self._front is frames
            values.display = self._front is not frames
        self._arrange_python(is_wide)
        for pane in (self.pane(WatchesPane), self.pane(OutputPane)):
            self._fit_lines(pane)
        side = frames, values, tensor
        self.base.query_one("#side").display = any(pane.display for pane in side)
        self.base.query_one("#left").display = any(pane.display for pane in self.panes if pane not in side)
        if self.program.is_grid:
            self.pane(ProcessesPanel).fit(self.size, self.is_zoomed)

    def _arrange_python(self, is_wide: bool) -> None:
        """Where there is no room for both, shows the Python in the place of the source while it has the
        focus.
        """
        python, source = self.pane(PythonPane), self.pane(SourcePane)
        if not self.is_zoomed and not is_wide and (self.size.height < LEAST_HEIGHT or self.program.is_grid):
            python.display = python.display and self._front is python
            source.display = not python.display
        self.base.set_class(python.display and source.display, "-python")

    def _fit_lines(self, pane: LinePane) -> None:
        """Gives a pane the height that its lines need, up to a fifth of the screen."""
        is_alone = self.is_zoomed and self._front is pane
        pane.styles.height = "1fr" if is_alone else min(pane.count, max(self.size.height // 5 - 1, 2)) + 1

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Makes the pane that received the focus the front one."""
        if event.widget in self.panes and event.widget is not self._front:
            self._front = event.widget
            self.arrange()

    def on_resize(self) -> None:
        """Arranges the panes for the new size."""
        self.arrange()
