"""The debugger on the screen: what the session's thread reports, and what the keys of `keymap` do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, Final

from textual import on
from textual.app import SystemCommand
from textual.binding import BindingsMap, BindingType
from textual.containers import Container
from textual.screen import Screen

from shlo.debugger import DebuggerError, Session, ValueView
from shlo.debugger.adapter.clients.listener import Listener
from shlo.debugger.adapter.clients.shared import SharedSession
from shlo.debugger.commands.completion import Completion, complete_command
from shlo.debugger.commands.table import COMMANDS, run_command
from shlo.debugger.inspect.snapshots import GridView
from shlo.debugger.launch import Launch
from shlo.debugger.provenance.chain import Link
from shlo.debugger.structure.structure import lines_with
from shlo.debugger.text.format import reached_text
from shlo.debugger.text.format_structure import PythonView, python_view
from shlo.debugger.views.tensor import LevelMap, TensorPart, TensorReader, level_map_of
from shlo.debugger.views.values import ORDERS, find_values, label_of, summaries_of
from shlo.ir.diagnostics import ShloError
from shlo_tui.app.layout import LayoutApp, Program
from shlo_tui.dialogs.breakpoints import BreakpointsScreen
from shlo_tui.dialogs.prompt import Prompt, QuitQuestion
from shlo_tui.dialogs.sources import SourcesScreen, source_rows
from shlo_tui.dialogs.text import (
    FRAME,
    DialogLine,
    TextDialog,
    help_lines,
    text_lines,
    text_width,
    wrapped_lines,
)
from shlo_tui.keymap import GRID_GROUP, GRID_KEYS, GROUPS, bindings, shown
from shlo_tui.render.compare import compare_value, comparison_lines
from shlo_tui.render.processes import channel_lines
from shlo_tui.render.status_text import status_spans
from shlo_tui.render.wait_graph import waiting_picture
from shlo_tui.session.view_model import (
    OutlineRow,
    ViewModel,
    changed_names,
    line_states,
    outline_rows,
)
from shlo_tui.session.worker import Answered, Arrived, Command, Ended, Query, Refused, Worker
from shlo_tui.theme import DARK, LIGHT, Appearance
from shlo_tui.widgets import events as messages
from shlo_tui.widgets.charts import LevelPainter
from shlo_tui.widgets.grid import GridPane, ProcessesPanel
from shlo_tui.widgets.lines import Segments, StatusLine, TitleLine
from shlo_tui.widgets.outline import OutlinePane, OutputPane, PythonPane
from shlo_tui.widgets.source import LineNote, SourcePane
from shlo_tui.widgets.tensor import TensorPane
from shlo_tui.widgets.timeline import TimelinePane
from shlo_tui.widgets.values import FindingsPane, FramesPane, ValuesPane, WatchesPane, findings_of

PROGRESS_INTERVAL: Final = 0.1
"""Seconds between two looks at how far a running command is."""

WIDEST_MAP: Final = 100
"""Cells of the widest heat map above the panes."""

LEGEND: Final = 60
"""Cells of its legend."""

CRASHED: Final = 2
"""The exit code after an internal error."""


class DebuggerApp(LayoutApp):
    """The screen of `shlo debug`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]

    def __init__(self, program: Program, appearance: Appearance | None = None) -> None:
        super().__init__(program, appearance)
        self.thread: Worker | None = None
        self.model: ViewModel | None = None
        self.edition = 0
        self.chosen: str | None = None
        self.pattern = self.sought = self.sought_value = ""
        self.has_notes = True
        self.has_python = self.has_outline = False
        self.crash: BaseException | None = None
        self.groups = GROUPS
        self._changed: frozenset[str] = frozenset()
        self._reader = TensorReader()
        self._intervals = 0
        self._receivers: dict[str, Callable[[Any], None]] = {}
        self._histories: dict[str, list[str]] = {}
        self._was_interrupted = False
        if program.is_grid:
            self.groups = (*GROUPS[:-1], GRID_GROUP, GROUPS[-1])
            self._bindings.key_to_bindings.update(BindingsMap(bindings(keys=GRID_KEYS)).key_to_bindings)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yields the command palette: what the keys do, and the commands of the prompt."""
        for key in (key for _, keys in self.groups for key in keys):
            if not key.pane:
                act = partial(self.run_action, key.action)
                yield SystemCommand(key.help, f"key {shown(key.keys[0])}", act)
        for command in COMMANDS:
            act = partial(self.open_prompt, "command", f"{command.name} ".lstrip())
            if not command.usage:
                act = partial(self._run_prompt, command.name)
            yield SystemCommand(f":{command.name} {command.usage}".rstrip(), command.summary, act)

    def on_ready(self) -> None:
        """Starts the session's thread, or shows why the program cannot be run."""
        if self.program.start is not None:
            self.thread = Worker(
                self.program.start,
                lambda report: self.post_message(messages.Reported(report)),
                self.program.share,
            )
            self.set_interval(PROGRESS_INTERVAL, self._show_progress)
        elif self.program.error is not None:
            self.call_after_refresh(self.show_findings, self.program.error)

    def on_unmount(self) -> None:
        """Closes the session's thread."""
        if self.thread is not None:
            self.thread.close()

    # --- what the session's thread reports ---

    @on(messages.Reported)
    def take_report(self, message: messages.Reported) -> None:
        """Shows what the session's thread reports; nothing once the screen is being closed."""
        if not self.is_running:
            return
        report = message.report
        if isinstance(report, Arrived):
            before = self.model
            self.show_model(report.model)
            spans = status_spans(report.model.snapshot, report.text, report.failed)
            notes = "; ".join(self.program.notes) if before is None else ""
            self.say(*spans, (notes, "text"))
            if not report.failed and not _fails_at(before, report.model.snapshot.position):
                self._show_failure(report.model)
        elif isinstance(report, Answered):
            self._receivers[report.topic](report.answer)
        elif isinstance(report, Refused):
            self.show_findings(report.error)
        elif isinstance(report, Ended):
            self.exit(0)
        else:
            self.crash = report.error
            self.exit(CRASHED)

    def say(self, *spans: tuple[str, str]) -> None:
        """Shows texts in the status line, each with the name of its style."""
        self.pane(StatusLine).say(*spans)

    def open_text(self, title: str, lines: Sequence[DialogLine]) -> None:
        """Opens lines of text above the panes."""
        self.push_screen(TextDialog(title, self.palette, lines, self.copy_to_clipboard))

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
        self.show_watches(model.watches)
        self.show_output(model.output)
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

    def show_watches(self, lines: tuple[str, ...]) -> None:
        """Shows what is displayed wherever the session stops; its pane is there where there is some."""
        watches = self.pane(WatchesPane)
        is_other = len(lines) != watches.count
        watches.show(lines)
        if is_other:
            if not lines and self._front is watches:
                self.bring_to_front(self.pane(SourcePane))
            self.arrange()

    def show_output(self, lines: tuple[str, ...]) -> None:
        """Shows what the program printed; its pane is there where there is some."""
        output = self.pane(OutputPane)
        before = output.count
        output.show(lines)
        if output.count != before:
            if not lines and self._front is output:
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

    def _show_failure(self, model: ViewModel) -> None:
        """Opens the message of a program that fails, or the graph of processes that wait without end."""
        snapshot = model.snapshot
        if snapshot.error and snapshot.reason == "failed":
            if model.grid is not None and model.grid.graph.kind != "waiting":
                self.action_wait_graph()
            else:
                self.open_text(
                    "the program fails here",
                    wrapped_lines(snapshot.error, min(text_width(self.size.width), 100)),
                )

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
        self.say((f"{count}: the program cannot be run", "alarm"))
        self.call_after_refresh(pane.focus)

    def _show_progress(self) -> None:
        """Says how far a command is that takes longer than a moment."""
        if self.thread is None or not self.thread.is_commanded:
            self._intervals = 0
            return
        self._intervals += 1
        if self._intervals > 2:
            self.say((f"running, {self.thread.steps:,} steps so far", "busy"), ("  Ctrl-C stops it", "text"))

    # --- what the panes lack ---

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

    def action_next_mark(self) -> None:
        """Goes to the next NaN or Inf of the chosen value."""
        self._ask_tensor_part(seek=True)

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

    def ask_completion(self, line: str) -> None:
        """Asks what a line at the prompt can go on with."""

        def show(completion: Completion) -> None:
            if isinstance(self.screen, Prompt):
                self.screen.offer(line, completion)

        self._query("completion", partial(complete_command, line=line), show)

    # --- what was chosen in panes ---

    @on(messages.ValueChosen)
    def _choose_value(self, message: messages.ValueChosen) -> None:
        self.chosen = message.name
        self.ask_tensor()

    @on(messages.FindingChosen)
    def _choose_finding(self, message: messages.FindingChosen) -> None:
        if message.span is not None:
            self.show_line(self.pane(SourcePane).source.line_of(message.span.start))

    @on(messages.LineToggled)
    def _toggle_line(self, message: messages.LineToggled) -> None:
        self.toggle_breakpoint(message.line)

    @on(messages.FrameChosen)
    def _choose_frame(self, message: messages.FrameChosen) -> None:
        if self.model is not None and message.index != self.model.selected:
            self.action_command(f"frame {message.index}")

    @on(messages.PositionChosen)
    def _choose_position(self, message: messages.PositionChosen) -> None:
        self.action_command(f"goto {message.position}")

    @on(messages.ProcessChosen)
    def _choose_process(self, message: messages.ProcessChosen) -> None:
        if self.grid is not None and message.process != self.grid.selected:
            self.action_command(f"process {message.process}")

    @on(messages.ProcessShown)
    def show_process(self) -> None:
        """Tells about the process under the cursor of the grid pane."""
        self.pane(ProcessesPanel).tell()

    # --- keys: the session ---

    def order(self, command: Command) -> None:
        """Has the session's thread carry a command out."""
        self._was_interrupted = False
        if self.thread is not None:
            self.thread.command(command)
        else:
            self.say(("there is no session, as the program cannot be run", "alarm"))

    def action_command(self, line: str) -> None:
        """Runs a line as a command of the debugger."""
        self.order(lambda session: run_command(session, line).text)

    def action_to_cursor(self, word: str) -> None:
        """Runs the command `word` with the line under the source cursor as its argument."""
        self.action_command(f"{word} {self.pane(SourcePane).cursor + 1}")

    def action_toggle_breakpoint(self) -> None:
        """Sets a breakpoint on the line under the source cursor, or deletes the one there."""
        self.toggle_breakpoint(self.pane(SourcePane).cursor + 1)

    def toggle_breakpoint(self, line: int) -> None:
        """Sets a breakpoint on a line, or deletes the one there."""
        point = self.model.breakpoint_on(line) if self.model else None
        self.action_command(f"break {line}" if point is None else f"delete {point.number}")

    def action_origin(self) -> None:
        """Goes to the position at which the chosen value was bound."""
        value = self.pane(ValuesPane).chosen
        if value is None:
            return
        name = self.chosen = value.name

        def go(session: Session) -> str:
            position = session.inspector.bound_at(name, session.selected_frame)
            if position < 0:
                raise DebuggerError(f"%{name} was bound before the beginning")
            session.goto(position)
            return ""

        self.order(go)

    def action_interrupt(self) -> None:
        """Quits from the quit dialog, leaves a prompt, stops a running command, or asks whether to quit."""
        if isinstance(self.screen, QuitQuestion):
            self.exit(0)
        elif isinstance(self.screen, Prompt):
            self.screen.dismiss(None)
        elif self.thread is not None and self.thread.is_commanded and not self._was_interrupted:
            self._was_interrupted = True
            self.thread.stop()
            self.say(("stopping behind the operation that runs", "busy"), ("  Ctrl-C again to quit", "text"))
        else:
            is_running = self.thread is not None and self.thread.is_commanded
            self.push_screen(QuitQuestion(is_running), lambda answer: self.exit(0) if answer else None)

    async def action_quit(self) -> None:
        """Exits the application with result 0."""
        self.exit(0)

    # --- keys: dialogs ---

    def action_ask(self, topic: str) -> None:
        """Opens the prompt for a topic: a command, a text to find, a line, a step or a filter."""
        self.open_prompt(topic)

    def open_prompt(self, topic: str, text: str = "") -> None:
        """Opens the prompt for a topic on a text to go on with."""
        take: Callable[[str], None] = {
            "command": self._run_prompt,
            "find": self._search,
            "value": self._search_value,
            "line": self._go_to_line,
            "step": self._go_to_step,
            "filter": self._filter,
            "element": self._go_to_element,
        }[topic]
        prompt = Prompt(topic, self._histories.setdefault(topic, []), self.ask_completion, text)
        self.push_screen(prompt, lambda answer: None if answer is None else take(answer))

    def _run_prompt(self, line: str) -> None:
        """Runs a command, and opens its answer if that has several lines."""

        def run(session: Session) -> str:
            reply = run_command(session, line)
            if reply.ends:
                self.call_from_thread(self.exit, 0)
            elif reply.tensor is not None:
                title, lines = reply.tensor[0], text_lines(reply.text)
                height = max(self.size.height * 9 // 10 - len(lines) - FRAME, 1)
                painter = LevelPainter(self.appearance, self.palette)
                width = max(min(self.size.width, WIDEST_MAP) - FRAME, 1)
                map_ = level_map_of(reply.tensor[1], height * painter.per_line, width)
                self.call_from_thread(self.open_text, title, [*lines, *self._picture(map_)])
            elif "\n" in reply.text and not line.split()[0].startswith("disp"):  # that has a pane
                self.call_from_thread(self.open_text, line, text_lines(reply.text))
            return reply.text

        self.order(run)

    def _picture(self, map_: LevelMap | None) -> list[Segments]:
        """Returns a heat map with its legend."""
        if map_ is None:
            return []
        painter = LevelPainter(self.appearance, self.palette)
        return [[], *painter.lines(map_, (-1, -1)), painter.legend(map_.scale, LEGEND)]

    def action_find(self) -> None:
        """Asks for what to find: a value where their list has the focus, else a text in the source."""
        self.open_prompt("value" if self._is_in_values else "find")

    @property
    def _is_in_values(self) -> bool:
        return self._front is self.pane(ValuesPane)

    def _search(self, text: str) -> None:
        self.sought = text
        self.action_find_next(1, here=True)

    def _search_value(self, text: str) -> None:
        self.sought_value = text
        self.action_find_next(1, here=True)

    def _go_to_line(self, text: str) -> None:
        if text.isdecimal():
            self.show_line(int(text))
        else:
            self.say(("a line is a number", "alarm"))

    def _go_to_step(self, text: str) -> None:
        self.action_command(f"goto {text.replace(',', '')}")

    def _filter(self, text: str) -> None:
        self.pattern = text
        self.show_values()

    def action_help(self) -> None:
        """Opens the table of keys."""
        self.open_text("keys", help_lines(self.groups))

    def action_breakpoints(self) -> None:
        """Opens the list of breakpoints."""
        points = self.model.breakpoints if self.model else ()
        self.push_screen(BreakpointsScreen(self.palette, points, self.action_command, self.show_line))
        self.ask_reached()

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

    def action_sources(self) -> None:
        """Opens what made the element under the cursor of the tensor pane."""
        tensor = self.pane(TensorPane)
        name, index = tensor.value_name, tensor.element_index
        if index is None:
            return

        def open_first(session: Session) -> str:
            link = session.elements.find(name, index, session.selected_frame)
            return self._open_sources(session, link)

        self.order(open_first)

    def _open_sources(self, session: Session, link: Link) -> str:
        """Opens a dialog from the session's thread; one for an element chosen in it opens above it."""

        def follow(source: Link) -> None:
            self.order(lambda session: self._open_sources(session, source))

        screen = SourcesScreen(self.palette, source_rows(session, link), follow)
        self.call_from_thread(self.push_screen, screen)
        return ""

    # --- keys: all processes ---

    @property
    def grid(self) -> GridView | None:
        """All processes of a grid where the session is now."""
        return self.model.grid if self.model else None

    def action_process(self, by: int) -> None:
        """Selects the process `by` numbers further, around the end."""
        if self.grid is not None:
            self.action_command(f"process {(self.grid.selected + by) % self.program.shape.size}")

    def action_wait_graph(self) -> None:
        """Opens the wait-for graph of the processes."""
        if self.grid is not None:
            self.open_text("who waits for whom", waiting_picture(self.grid, self.program.sources))

    def action_messages(self) -> None:
        """Opens the messages that wait in channels, infeeds and outfeeds."""
        if self.grid is not None:
            self.open_text("messages that wait", channel_lines(self.grid))

    def action_compare(self) -> None:
        """Opens the chosen value side by side in all processes."""
        value = self.pane(ValuesPane).chosen
        if value is None:
            return
        name, width = value.name, text_width(self.size.width)

        def compare(session: Session) -> str:
            lines = comparison_lines(session.cursor.grid.shape, compare_value(session, name), width)
            self.call_from_thread(self.open_text, "in all processes", lines)
            return ""

        self.order(compare)

    # --- keys: the source and the tensor ---

    def show_line(self, line: int) -> None:
        """Puts the cursor on a line, counted from 1."""
        self.pane(SourcePane).put_cursor(line - 1)

    def action_home(self) -> None:
        """Puts the source cursor on the operation of the selected frame."""
        self.pane(SourcePane).go_home()

    def action_find_next(self, direction: int, here: bool = False) -> None:
        """Goes to the next or the previous match of the text last searched for; `here` can be the next."""
        if self._is_in_values:
            self._find_value(self.sought_value, direction, here)
        elif text := self.sought:

            def show(lines: list[int]) -> None:
                self.pane(SourcePane).show_found(text, lines, direction, here)
                if not lines:
                    self.say((f"{text} is not in the source", "alarm"))

            if self.thread is None:
                show(lines_with(self.pane(SourcePane).source, text))
            else:
                self._query("found", lambda session: session.structure.find_lines(text), show)

    def _find_value(self, text: str, direction: int, here: bool) -> None:
        def show(found: tuple[ValueView, ...]) -> None:
            if not self.pane(ValuesPane).go_to_found(found, direction, here):
                self.say((f"no value is found by {text}", "alarm"))

        if text:
            self._query("found value", partial(find_values, pattern=text), show)

    def action_difference(self) -> None:
        """Asks what to compare the chosen value with."""
        value = self.pane(ValuesPane).chosen
        if value is not None:
            self.open_prompt("command", f"diff {label_of(value.name)} ")

    def action_outline(self) -> None:
        """Shows the outline of the program, or hides it."""
        self.has_outline = not self.has_outline
        if self.has_outline:
            self._query("outline", outline_rows, self._open_outline)
        else:
            self._show_outline(())

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
        is_shown = bool(pane.rows)
        pane.show(rows if self.has_outline else (), here)
        if bool(pane.rows) != is_shown:
            if is_shown and self._front is pane:
                self.bring_to_front(self.pane(SourcePane))
            self.arrange()

    @on(messages.OutlineChosen)
    def show_outline_line(self, message: messages.OutlineChosen) -> None:
        """Puts the source cursor on the first operation of a scope."""
        self.show_line(message.line)

    def action_python(self) -> None:
        """Shows the Python that the program was made from, or hides it."""
        self.has_python = not self.has_python
        if self.has_python:
            self.ask_python()
        else:
            self._show_python(None)

    def ask_python(self) -> None:
        """Asks for the Python that the next operation comes from."""
        self._query("python", python_view, self._show_python)

    def _show_python(self, view: PythonView | None) -> None:
        pane = self.pane(PythonPane)
        if self.has_python and view is None:
            self.say(("the next operation has no Python here; --source-root DIR says where it is", "text"))
        pane.show(view if self.has_python else None)
        if not pane.rows and self._front is pane:
            self.bring_to_front(self.pane(SourcePane))
        self.arrange()

    @on(messages.PythonLineChosen)
    def show_python_line(self, message: messages.PythonLineChosen) -> None:
        """Puts the source cursor on the first operation that a line of Python led to."""

        def find(session: Session) -> list[int]:
            return session.structure.find_lines(f"{message.file}:{message.line}")

        self._query("python line", find, lambda lines: self.show_line(lines[0]) if lines else None)

    def action_inline(self) -> None:
        """Switches the values at line ends on or off."""
        self.has_notes = not self.has_notes
        self.pane(SourcePane).show_notes({})
        self.ask_notes()

    def action_locations(self) -> None:
        """Shows locations in the source, or folds them."""
        source = self.pane(SourcePane)
        source.show_locations(not source.has_locations)

    def action_sort(self) -> None:
        """Sorts the values in scope by another column."""
        values = self.pane(ValuesPane)
        values.next_order()
        self.say((f"values {values.order}", "text"))
        self.show_values()

    def _go_to_element(self, text: str) -> None:
        """Puts the tensor cursor on the element of an index."""
        numbers = text.strip(" []()").replace(",", " ").split()
        tensor = self.pane(TensorPane)
        if not all(number.lstrip("-").isdecimal() and len(number) < 19 for number in numbers):
            self.say(("an index is written as 3, 5", "alarm"))
        elif trouble := tensor.go_to(tuple(map(int, numbers))):
            self.say((trouble, "alarm"))

    def action_tensor(self, method: str, *arguments: int) -> None:
        """Calls a method of the tensor pane."""
        getattr(self.pane(TensorPane), method)(*arguments)

    def action_follow(self) -> None:
        """Follows the last value in scope instead of a chosen one."""
        self.chosen = None
        self.pane(ValuesPane).follow(None)
        self.ask_tensor()

    # --- keys: panes ---

    def action_pane(self, name: str) -> None:
        """Brings the pane with a name to the front."""
        pane = next(pane for pane in self.panes if pane.id == name)
        if isinstance(pane, WatchesPane) and not pane.rows:
            self.say(("nothing is displayed; :display %x shows a value after each step", "text"))
        elif isinstance(pane, OutputPane) and not pane.rows:
            self.say(("nothing was printed on the way to here", "text"))
        else:
            self.bring_to_front(pane)

    def action_zoom(self) -> None:
        """Switches between the front pane alone and all panes."""
        self.is_zoomed = not self.is_zoomed
        self.arrange()

    def action_dark(self) -> None:
        """Switches between the dark and the light theme, in full colour only."""
        if self.appearance.colours == "full":
            self.theme = LIGHT.name if self.current_theme.dark else DARK.name
            self.call_after_refresh(self.repaint)


def _fails_at(model: ViewModel | None, position: int) -> bool:
    """Returns whether a model is that of a program which fails at a position, which was then shown."""
    return model is not None and model.snapshot.reason == "failed" and model.snapshot.position == position


def app_on(
    launch: Launch, appearance: Appearance | None = None, listener: Listener | None = None
) -> DebuggerApp:
    """Returns the screen on what is debugged; clients attach to its session at the port of a listener."""
    known = (launch.grid_text,) if launch.shape.size > 1 and launch.grid_text not in launch.notes else ()
    notes, share = (*known, *launch.notes), None
    if listener is not None:
        notes = (f"listening on {listener.address}", *notes)
        share = partial(SharedSession, launch.sources, listener)
    program = Program(
        launch.source, launch.start, shape=launch.shape, sources=launch.sources, notes=notes, share=share
    )
    return DebuggerApp(program, appearance)
