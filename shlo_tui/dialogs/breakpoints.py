"""The list of breakpoints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from shlo.debugger import Breakpoint
from shlo.debugger.text.format import breakpoint_text
from shlo.text.escape import sanitized
from shlo_tui.dialogs.text import FittedLines, Popup
from shlo_tui.render.status_text import Spans
from shlo_tui.widgets.lines import Palette


class BreakpointLines(FittedLines):
    """A line for each breakpoint."""

    rows: tuple[Breakpoint, ...]
    texts: Mapping[int, str] = MappingProxyType({})

    def spans(self, line: int, width: int) -> Spans:
        """Returns a breakpoint's dot, filled if it is enabled, and its description."""
        point = self.rows[line]
        dot = ("● ", "breakpoint") if point.enabled else ("○ ", "dim")
        return [dot, (sanitized(self.texts.get(point.number) or breakpoint_text(point)), "text")]


class BreakpointsScreen(Popup):
    """Lists breakpoints, switches them, takes them away; `run` carries out a command of the debugger."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,B", "dismiss", "close"),
        Binding("enter", "go", "go there", priority=True),
        Binding("space", "switch", "on or off"),
        Binding("delete,backspace,d", "remove", "take away"),
    ]

    def __init__(
        self,
        palette: Palette,
        points: tuple[Breakpoint, ...],
        run: Callable[[str], None],
        go: Callable[[int], None],
    ) -> None:
        super().__init__()
        self.palette, self.points, self._run_command, self._go = palette, points, run, go

    def compose(self) -> ComposeResult:
        """Yields the titled list of breakpoints."""
        with Vertical(classes="dialog") as box:
            box.border_title = "breakpoints" if self.points else "no breakpoints"
            box.border_subtitle = "Enter shows  Space on/off  d takes away  Esc closes"
            yield BreakpointLines(self.palette, self.points, id="lines")

    def show(self, points: tuple[Breakpoint, ...]) -> None:
        """Shows other breakpoints."""
        self.points = points
        lines = self.query_one(BreakpointLines)
        lines.rows, lines.texts = points, {}
        lines.resize_content()

    def show_texts(self, texts: Mapping[int, str]) -> None:
        """Shows what is known of the breakpoints, by their numbers."""
        lines = self.query_one(BreakpointLines)
        lines.texts = texts
        lines.refresh()

    @property
    def chosen(self) -> Breakpoint | None:
        """The breakpoint under the cursor."""
        return self.points[self.query_one(BreakpointLines).cursor] if self.points else None

    def action_switch(self) -> None:
        """Enables or disables the breakpoint under the cursor."""
        if self.chosen is not None:
            self._run_command(f"{'disable' if self.chosen.enabled else 'enable'} {self.chosen.number}")

    def action_remove(self) -> None:
        """Deletes the breakpoint under the cursor."""
        if self.chosen is not None:
            self._run_command(f"delete {self.chosen.number}")

    def action_go(self) -> None:
        """Closes the list and goes to the line of the breakpoint under the cursor."""
        point = self.chosen
        if point is not None and isinstance(point.where, int):
            self.dismiss()
            self._go(point.where)
