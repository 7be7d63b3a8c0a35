"""What the panes of the debugger show: where the session is, and what they ask its thread for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace
from textual import on

from shlo.debugger.inspect.snapshots import GridView
from shlo.debugger.text.format import reached_text
from shlo.debugger.views.python import PythonView, python_notes, python_view
from shlo.debugger.views.tensor import TensorPart, TensorReader
from shlo.debugger.views.values import ORDERS, find_values, summaries_of
from shlo_tui.app.layout import DebuggedProgram, LayoutApp
from shlo_tui.dialogs.breakpoints import BreakpointsScreen
from shlo_tui.session.view_model import (
    OutlineRow,
    ViewModel,
    changed_names,
    line_states,
    outline_rows,
)
from shlo_tui.session.worker import Query, Worker
from shlo_tui.theme import Appearance
from shlo_tui.widgets import events as messages
from shlo_tui.widgets.grid import GridPane
from shlo_tui.widgets.lines import LineNote, LinePane, StatusLine, TitleLine
from shlo_tui.widgets.outline import OutlinePane, OutputPane
from shlo_tui.widgets.python import PythonPane
from shlo_tui.widgets.source import SourcePane
from shlo_tui.widgets.tensor import TensorPane
from shlo_tui.widgets.timeline import TimelinePane
from shlo_tui.widgets.values import FramesPane, ValuesPane, WatchesPane


class PanesApp(LayoutApp):
    """Fills the panes from the model of the session, and from answers of the session's thread."""

    def __init__(self, program: DebuggedProgram, appearance: Appearance | None = None) -> None:
        super().__init__(program, appearance)
        self.thread: Worker | None = None
        self.model: ViewModel | None = None
        self.edition = 0
        self.chosen: str | None = None
        self.pattern = ""
        self.has_notes = True
        self.has_python, self.has_outline = True, False
        self._changed: frozenset[str] = frozenset()
        self._reader = TensorReader()
        self._receivers: dict[str, Callable[[Any], None]] = {}

    def say(self, *spans: tuple[str, str]) -> None:
        """Shows texts in the status line, each with the name of its style."""
        self.pane(StatusLine).say(*spans)

    def show_model(self, model: ViewModel) -> None:
        """Shows where the session is now."""
        before, self.model = self.model, model
        if model.grid is not None:
            self.pane(SourcePane).take_source(self.program.sources[model.grid.selected])
        self.edition += 1
        if before is None or before.snapshot.position != model.snapshot.position:
            self._changed = changed_names(before, model)
        self.pane(TitleLine).show(self.file_name, model)
        self.pane(SourcePane).show(model)
        self.pane(FramesPane).show(model)
        watches, output = self.pane(WatchesPane), self.pane(OutputPane)
        self._fill(watches, lambda: watches.show(model.watches))
        self._fill(output, lambda: output.show(model.output))
        if self.has_outline:
            self.ask_outline()
        if self.has_python:
            self.ask_python()
        if isinstance(self.screen, BreakpointsScreen):
            self.screen.show(model.breakpoints)
            self.ask_reached()
        self.show_values()
        self.ask_overview()
        self.ask_notes()
        if model.grid is not None:
            self.pane(GridPane).show(model.grid)

    def _fill(self, pane: LinePane, show: Callable[[], None]) -> None:
        """Has a pane show something else. The pane is there where it has lines; when it loses them, the
        source moves to the front in its place.
        """
        before = pane.count
        show()
        if pane.count != before:
            if not pane.count and self._front is pane:
                self.bring_to_front(self.pane(SourcePane))
            self.arrange()

    def show_values(self) -> None:
        """Shows the values in scope that the filter lets through."""
        if self.model is None:
            return
        if self.pattern:
            self._query("filtered", partial(find_values, pattern=self.pattern), self._show_filtered)
        else:
            self._show_filtered(self.model.values)

    def _show_filtered(self, rows: Any) -> None:
        values = self.pane(ValuesPane)
        values.show(rows, self._changed)
        order = "" if values.order == ORDERS[0] else f", {values.order}"
        values.border_title = f"values{f': {self.pattern}' if self.pattern else ''}{order}"
        values.follow(self.chosen)
        self.ask_summaries()
        self.ask_tensor()

    def _query(self, topic: str, query: Query, show: Callable[[Any], None]) -> None:
        """Asks the session's thread for something, and shows the answer when it comes."""
        self._receivers[topic] = show
        if self.thread is not None:
            self.thread.query(topic, query)

    @on(messages.LinesShown)
    def ask_notes(self) -> None:
        """Asks for the values at the ends of the lines that are visible."""
        if self.model is None:
            return
        source = self.pane(SourcePane)
        lines = source.visible_lines
        from_one = range(lines.start + 1, lines.stop + 1)
        self._query("states", partial(line_states, lines=from_one), source.show_states)
        if not self.has_notes:
            return
        self._ask_python_notes()
        names = tuple(
            view.name
            for view in self.model.values
            if view.line is not None and view.line - 1 in lines and view.is_held
            if not source.is_constant(view.line - 1)
        )
        self._query("notes", partial(summaries_of, names=names), self._show_notes)

    def _show_notes(self, summaries: dict[str, str]) -> None:
        texts: dict[int, list[str]] = {}
        fresh: set[int] = set()
        for view in self.model.values if self.model else ():
            if view.line is not None and view.name in summaries:
                texts.setdefault(view.line - 1, []).append(summaries[view.name])
                if view.name in self._changed:
                    fresh.add(view.line - 1)
        notes = {line: LineNote(" | ".join(parts), line in fresh) for line, parts in texts.items()}
        self.pane(SourcePane).show_notes(notes if self.has_notes else {})

    @on(messages.ValuesShown)
    def ask_summaries(self) -> None:
        """Asks for a line about each value in the list that is visible."""
        values = self.pane(ValuesPane)
        if values.wanted:
            self._query("summaries", partial(summaries_of, names=values.wanted), values.show_summaries)

    @on(messages.TensorPartChanged)
    def ask_tensor(self) -> None:
        """Asks for the part of the chosen value that is visible."""
        self._ask_tensor_part()

    def _ask_tensor_part(self, *, seek: bool = False) -> None:
        value = self.pane(ValuesPane).chosen
        tensor = self.pane(TensorPane)
        if value is None:
            tensor.show(None)
        elif tensor.size.height > 0:
            request = tensor.request(value, self.edition, seek)
            self._query("tensor", partial(self._reader.read, request=request), self._show_tensor)

    def _show_tensor(self, view: TensorPart) -> None:
        if view.request.name == self.pane(TensorPane).value_name:
            self.pane(TensorPane).show(view)

    @on(messages.TimelineResized)
    def ask_overview(self) -> None:
        """Asks for the timeline in as many columns as there are."""
        timeline = self.pane(TimelinePane)
        columns = timeline.columns
        self._query("overview", lambda session: session.overview(columns), timeline.show)

    def ask_outline(self) -> None:
        """Asks for the outline: how much of it was executed."""
        self._query("outline", outline_rows, self._show_outline)

    def _open_outline(self, rows: tuple[OutlineRow, ...]) -> None:
        self._show_outline(rows)
        if rows:
            self.bring_to_front(self.pane(OutlinePane))

    def _show_outline(self, rows: tuple[OutlineRow, ...]) -> None:
        pane, frame = self.pane(OutlinePane), self.model.frame if self.model else None
        here = (f"@{frame.function}", frame.origin.scope) if frame else ("", "")
        self._fill(pane, lambda: pane.show(rows if self.has_outline else (), here))

    def action_outline(self) -> None:
        """Shows the outline of the program, or hides it."""
        self.has_outline = not self.has_outline
        if self.has_outline:
            self._query("outline", outline_rows, self._open_outline)
        else:
            self._show_outline(())

    def action_python(self) -> None:
        """Brings the Python that the program was made from to the front; from there, hides it."""
        self.has_python = not self.has_python or self._front is not self.pane(PythonPane)
        if self.has_python:
            self._query("python", python_view, self._open_python)
        else:
            self._show_python(None)

    def ask_python(self) -> None:
        """Asks for the Python that the next operation comes from."""
        self._query("python", python_view, self._show_python)

    def _open_python(self, view: PythonView | None) -> None:
        self._show_python(view)
        if self.pane(PythonPane).view is not None:
            self.bring_to_front(self.pane(PythonPane))
        else:
            self.say(("the next operation has no Python here; --source-root DIR says where it is", "text"))

    def _show_python(self, view: PythonView | None) -> None:
        """Shows a file; where the next operation has none, the one before without a current line."""
        pane = self.pane(PythonPane)
        if view is None and pane.view is not None and self.has_python:
            view = replace(pane.view, current=0, callers=frozenset(), values={})
        self._fill(pane, lambda: pane.show(view))
        self._ask_python_notes()

    def _ask_python_notes(self) -> None:
        """Asks for the values of the names that visible lines of Python assign."""
        pane = self.pane(PythonPane)
        if self.has_notes and (view := pane.view) is not None:
            lines = range(pane.visible_lines.start + 1, pane.visible_lines.stop + 1)
            notes = partial(python_notes, view=view, lines=lines)
            self._query("python notes", notes, partial(self._show_python_notes, view))

    def _show_python_notes(self, view: PythonView, notes: dict[int, str]) -> None:
        fresh = {
            line for line, values in view.values.items() if any(v.value in self._changed for v in values)
        }
        shown = {line - 1: LineNote(text, line in fresh) for line, text in notes.items()}
        self.pane(PythonPane).show_notes(shown if self.has_notes else {})

    def action_inline(self) -> None:
        """Switches the values at line ends on or off."""
        self.has_notes = not self.has_notes
        self.pane(SourcePane).show_notes({})
        self.pane(PythonPane).show_notes({})
        self.ask_notes()

    def action_sort(self) -> None:
        """Sorts the values in scope by another column."""
        values = self.pane(ValuesPane)
        values.next_order()
        self.say((f"values {values.order}", "text"))
        self.show_values()

    def action_follow(self) -> None:
        """Follows the last value in scope instead of a chosen one."""
        self.chosen = None
        self.pane(ValuesPane).follow(None)
        self.ask_tensor()

    def action_next_mark(self) -> None:
        """Goes to the next NaN or Inf of the chosen value."""
        self._ask_tensor_part(seek=True)

    @on(messages.ValueChosen)
    def _choose_value(self, message: messages.ValueChosen) -> None:
        self.chosen = message.name
        self.ask_tensor()

    def ask_reached(self) -> None:
        """Asks how often breakpoints were reached."""

        def show(texts: dict[int, str]) -> None:
            if isinstance(self.screen, BreakpointsScreen):
                self.screen.show_texts(texts)

        self._query(
            "reached",
            lambda session: {point.number: reached_text(session, point) for point in session.breakpoints},
            show,
        )

    @property
    def grid(self) -> GridView | None:
        """All processes of a grid where the session is now."""
        return self.model.grid if self.model else None
