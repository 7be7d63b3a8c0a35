"""What the panes show: reports of the session's thread go to them, and they ask for what they lack."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from textual import on
from textual.containers import Container

from shlo.debugger.commands.completion import Completion, complete_command
from shlo.debugger.inspect.overview import Overview
from shlo.debugger.inspect.snapshots import GridView
from shlo.ir.diagnostics import ShloError
from shlo_tui.app.layout import LayoutApp, Program
from shlo_tui.dialogs.breakpoints import BreakpointsScreen
from shlo_tui.dialogs.prompt import Prompt
from shlo_tui.dialogs.text import TextDialog, styled_lines, wrapped_lines
from shlo_tui.render.channel_lines import channel_lines
from shlo_tui.render.compare import Compared, comparison_lines
from shlo_tui.render.status_text import Spans, status_spans
from shlo_tui.render.wait_graph import waiting_picture
from shlo_tui.session.tensor_view import TensorReader, View
from shlo_tui.session.view_model import (
    MOST_VALUES,
    ViewModel,
    changed_names,
    find_values,
    matching,
    summaries_of,
)
from shlo_tui.session.worker import Answered, Arrived, Crashed, Query, Refused, Report, Worker
from shlo_tui.theme import Appearance
from shlo_tui.widgets import events as messages
from shlo_tui.widgets.findings import FindingsPane, findings_of
from shlo_tui.widgets.frames import FramesPane
from shlo_tui.widgets.grid import GridPane, ProcessesPanel
from shlo_tui.widgets.source import Note, SourcePane
from shlo_tui.widgets.status import StatusLine, TitleLine
from shlo_tui.widgets.tensor import TensorPane
from shlo_tui.widgets.timeline import TimelinePane
from shlo_tui.widgets.values import ValuesPane

PROGRESS_INTERVAL: Final = 0.1
"""Seconds between two looks at how far a running command is."""

CRASHED: Final = 2
"""The exit code after an internal error."""


class ControllerApp(LayoutApp):
    """Shows the scenes that a session's thread reports."""

    def __init__(self, program: Program, appearance: Appearance | None = None) -> None:
        super().__init__(program, appearance)
        self.thread: Worker | None = None
        self.model: ViewModel | None = None
        self.edition = 0
        self.chosen: str | None = None
        self.pattern = ""
        self.has_notes = True
        self.crash: BaseException | None = None
        self._changed: frozenset[str] = frozenset()
        self._reader = TensorReader()
        self._intervals = 0
        self._receivers: dict[str, Callable[[Any], None]] = {}

    def on_ready(self) -> None:
        """Starts the session's thread, or shows why the program cannot be run."""
        if self.program.start is not None:
            self.thread = Worker(self.program.start, self._report)
            self.set_interval(PROGRESS_INTERVAL, self._show_progress)
        elif self.program.error is not None:
            self.call_after_refresh(self.show_findings, self.program.error)

    def on_unmount(self) -> None:
        """Closes the session's thread."""
        if self.thread is not None:
            self.thread.close()

    def _report(self, report: Report) -> None:
        """Takes a report from the session's thread over to the screen's."""
        self.post_message(messages.Reported(report))

    @on(messages.Reported)
    def take_report(self, message: messages.Reported) -> None:
        """Shows what the session's thread has to say."""
        report = message.report
        if isinstance(report, Arrived):
            self.show_model(report.model)
            self.say(status_spans(report.model.snapshot, report.text, report.failed))
            self._show_failure(report)
        elif isinstance(report, Answered):
            self._receivers[report.topic](report.answer)
        elif isinstance(report, Refused):
            self.show_findings(report.error)
        else:
            self._crash(report)

    def _crash(self, report: Crashed) -> None:
        self.crash = report.error
        self.exit(CRASHED)

    def say(self, words: Spans) -> None:
        """Shows words in the status line."""
        self.pane(StatusLine).say(*words)

    # --- scenes ---

    def show_model(self, model: ViewModel) -> None:
        """Shows where the session is now."""
        before, self.model = self.model, model
        if model.grid is not None:
            self.pane(SourcePane).take_source(self.program.sources[model.grid.selected])
        self.edition += 1
        self._intervals = 0
        if before is None or before.snapshot.position != model.snapshot.position:
            self._changed = changed_names(before, model)
        self.pane(TitleLine).show(self.file_name, model)
        self.pane(SourcePane).show(model)
        self.pane(FramesPane).show(model)
        self._show_breakpoints(model)
        self.show_values()
        self.ask_overview()
        self.ask_notes()
        if model.grid is not None:
            self.pane(GridPane).show(model.grid)

    def show_values(self) -> None:
        """Shows the values in scope that the filter lets through."""
        if self.model is None:
            return
        self._show_filtered(matching(self.model.values, self.pattern))
        if self.pattern and len(self.model.values) == MOST_VALUES:
            self._query("filtered", partial(find_values, pattern=self.pattern), self._show_filtered)

    def _show_filtered(self, rows: Any) -> None:
        values = self.pane(ValuesPane)
        values.show(rows, self._changed)
        values.border_title = f"values: {self.pattern}" if self.pattern else "values"
        values.follow(self.chosen)
        self.ask_summaries()
        self.ask_tensor()

    def _show_breakpoints(self, model: ViewModel) -> None:
        if isinstance(self.screen, BreakpointsScreen):
            self.screen.show(model.breakpoints)

    def _show_failure(self, report: Arrived) -> None:
        """Opens the message of a program that fails, or the picture of who waits for whom where processes
        wait without end, if a command went there.
        """
        snapshot, grid = report.model.snapshot, report.model.grid
        if not snapshot.error or snapshot.reason != "failed" or report.failed:
            return
        if grid is not None and grid.graph.kind != "waiting":
            self.show_wait_graph()
        else:
            self.push_screen(
                TextDialog(
                    "the program fails here", self.palette, wrapped_lines(snapshot.error, self.palette)
                )
            )

    # --- all processes ---

    @property
    def grid(self) -> GridView | None:
        """All processes of a grid where the session is now."""
        return self.model.grid if self.model else None

    @on(messages.ProcessShown)
    def show_process(self) -> None:
        """Tells about the process under the cursor of the grid pane."""
        self.pane(ProcessesPanel).tell()

    def show_wait_graph(self) -> None:
        """Opens the picture of who waits for whom."""
        if self.grid is not None:
            lines = waiting_picture(self.grid, self.program.sources)
            self.push_screen(
                TextDialog("who waits for whom", self.palette, styled_lines(lines, self.palette))
            )

    def show_messages(self) -> None:
        """Opens the messages that wait in channels, infeeds and outfeeds."""
        if self.grid is not None:
            lines = channel_lines(self.grid)
            self.push_screen(
                TextDialog("messages that wait", self.palette, styled_lines(lines, self.palette))
            )

    def show_compared(self, compared: Compared) -> None:
        """Opens a value side by side in all processes; called in the session's thread."""
        lines = comparison_lines(self.program.shape, compared)
        dialog = TextDialog("in all processes", self.palette, styled_lines(lines, self.palette))
        self.call_from_thread(self.push_screen, dialog)

    # --- what the panes lack ---

    def _query(self, topic: str, query: Query, show: Callable[[Any], None]) -> None:
        """Asks the session's thread for something, and shows the answer when it comes."""
        self._receivers[topic] = show
        if self.thread is not None:
            self.thread.query(topic, query)

    @on(messages.LinesShown)
    def ask_notes(self) -> None:
        """Asks for the values at the ends of the lines that are visible."""
        if self.model is None or not self.has_notes:
            return
        source = self.pane(SourcePane)
        lines = source.visible_lines
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
        notes = {line: Note(" | ".join(parts), line in fresh) for line, parts in texts.items()}
        self.pane(SourcePane).show_notes(notes if self.has_notes else {})

    @on(messages.ValuesShown)
    def ask_summaries(self) -> None:
        """Asks for a line about each value in the list that is visible."""
        wanted = self.pane(ValuesPane).wanted
        if wanted:
            self._query("summaries", partial(summaries_of, names=wanted), self._show_summaries)

    def _show_summaries(self, summaries: dict[str, str]) -> None:
        self.pane(ValuesPane).show_summaries(summaries)

    @on(messages.TensorPartChanged)
    def ask_tensor(self) -> None:
        """Asks for the part of the chosen value that is visible."""
        self.ask_tensor_part()

    def ask_tensor_part(self, *, seek: bool = False) -> None:
        """Asks for the part of the chosen value that is visible, or (`seek`) that has the next NaN or Inf."""
        value = self.pane(ValuesPane).chosen
        tensor = self.pane(TensorPane)
        if value is None:
            tensor.show(None)
        elif tensor.size.height > 0:
            request = tensor.request(value, self.edition, seek)
            self._query("tensor", partial(self._reader.read, request=request), self._show_tensor)

    def _show_tensor(self, view: View) -> None:
        if view.request.name == self.pane(TensorPane).value_name:
            self.pane(TensorPane).show(view)

    @on(messages.TimelineResized)
    def ask_overview(self) -> None:
        """Asks for the timeline in as many columns as there are."""
        columns = self.pane(TimelinePane).columns
        self._query("overview", lambda session: session.overview(columns), self._show_overview)

    def _show_overview(self, overview: Overview) -> None:
        self.pane(TimelinePane).show(overview)

    def ask_completion(self, line: str) -> None:
        """Asks what a line at the prompt can go on with."""
        self._query(
            "completion", lambda session: (line, complete_command(session, line)), self._show_completion
        )

    def _show_completion(self, answer: tuple[str, Completion]) -> None:
        if isinstance(self.screen, Prompt):
            self.screen.offer(*answer)

    # --- what was chosen in panes ---

    @on(messages.ValueChosen)
    def _choose_value(self, message: messages.ValueChosen) -> None:
        self.chosen = message.name
        self.ask_tensor()

    @on(messages.FindingChosen)
    def _choose_finding(self, message: messages.FindingChosen) -> None:
        if message.span is not None:
            source = self.pane(SourcePane)
            source.put_cursor(source.source.line_of(message.span.start) - 1)

    # --- without a session, and while it works ---

    def show_findings(self, error: ShloError) -> None:
        """Shows what is wrong with the program in place of panes on values."""
        findings = findings_of(error, self.program.source)
        source = self.pane(SourcePane)
        source.show_errors([finding.span for finding in findings if finding.span is not None])
        self.base.query_one("#side", Container).display = False
        pane = FindingsPane(self.palette, self.program.source, findings)
        pane.border_title = "findings"
        self.base.mount(pane, after="#main")
        count = f"{len(findings)} findings" if len(findings) > 1 else "a finding"
        self.say([(f"{count}: the program cannot be run", "alarm")])
        self.call_after_refresh(lambda: self.pane(FindingsPane).focus())

    def _show_progress(self) -> None:
        """Says how far a command is that takes longer than a moment."""
        if self.thread is None or not self.thread.is_commanded:
            self._intervals = 0
            return
        self._intervals += 1
        if self._intervals > 2:
            self.say(
                [(f"running, {self.thread.steps:,} steps so far", "busy"), ("  Ctrl-C stops it", "text")]
            )
