"""The debugger on the screen: what the session's thread reports, and what the keys of `keymap` do."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, Final

from textual import on
from textual.app import SystemCommand
from textual.binding import BindingsMap, BindingType
from textual.containers import Container
from textual.screen import Screen

from shlo.debugger import DebuggerError, Session
from shlo.debugger.adapter.clients.listener import Listener
from shlo.debugger.adapter.clients.shared import SharedSession
from shlo.debugger.commands.table import COMMANDS
from shlo.debugger.launch import Launch
from shlo.debugger.provenance.chain import Link
from shlo.debugger.views.blame import blame_tree
from shlo.ir.diagnostics import ShloError
from shlo_tui.app.layout import DebuggedProgram
from shlo_tui.app.prompt import PromptApp
from shlo_tui.dialogs.blame import BlameScreen
from shlo_tui.dialogs.breakpoints import BreakpointsScreen
from shlo_tui.dialogs.prompt import Prompt, QuitQuestion
from shlo_tui.dialogs.sources import SourcesScreen, source_rows
from shlo_tui.dialogs.text import (
    text_width,
    wrapped_lines,
)
from shlo_tui.keymap import GRID_GROUP, GRID_KEYS, GROUPS, bindings, shown
from shlo_tui.render.compare import compare_value, comparison_lines
from shlo_tui.render.processes import channel_lines
from shlo_tui.render.status_text import status_spans
from shlo_tui.render.wait_graph import waiting_picture
from shlo_tui.session.view_model import (
    ViewModel,
)
from shlo_tui.session.worker import Answered, Arrived, Ended, ProgramRefused, Warned, Worker
from shlo_tui.theme import DARK, LIGHT, Appearance
from shlo_tui.widgets import events as messages
from shlo_tui.widgets.grid import ProcessesPanel
from shlo_tui.widgets.outline import OutputPane
from shlo_tui.widgets.python import PythonPane
from shlo_tui.widgets.source import SourcePane
from shlo_tui.widgets.tensor import TensorPane
from shlo_tui.widgets.values import FindingsPane, ValuesPane, WatchesPane, findings_of

PROGRESS_INTERVAL: Final = 0.1
"""Seconds between two looks at how far a running command is."""

CRASHED: Final = 2
"""The exit code after an internal error."""


class DebuggerApp(PromptApp):
    """The screen of `shlo debug`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]

    def __init__(self, program: DebuggedProgram, appearance: Appearance | None = None) -> None:
        super().__init__(program, appearance)
        self.crash: BaseException | None = None
        self._intervals = 0
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

    @on(messages.Reported)
    def take_report(self, message: messages.Reported) -> None:
        """Shows what the session's thread reports; nothing once the screen is being closed."""
        if not self.is_running:
            return
        report = message.report
        if isinstance(report, Arrived):
            before, self._intervals = self.model, 0
            self.show_model(report.model)
            spans = status_spans(report.model.snapshot, report.text, report.failed, report.model.card)
            notes = "; ".join(self.program.notes) if before is None else ""
            self.say(*spans, (notes, "text"))
            if not report.failed and not _fails_at(before, report.model.snapshot.position):
                self._show_failure(report.model)
        elif isinstance(report, Answered):
            self._receivers[report.topic](report.answer)
        elif isinstance(report, ProgramRefused):
            self.show_findings(report.error)
        elif isinstance(report, Warned):
            self.say((report.text, "alarm"))
        elif isinstance(report, Ended):
            self.exit(0)
        else:
            self.crash = report.error
            self.exit(CRASHED)

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

    @on(messages.FindingChosen)
    def _choose_finding(self, message: messages.FindingChosen) -> None:
        if message.span is not None:
            self.show_line(self.pane(SourcePane).source.line_of(message.span.start))

    @on(messages.LineToggled)
    def _toggle_line(self, message: messages.LineToggled) -> None:
        if message.file:
            self.toggle_python_breakpoint(message.line)
        else:
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

    def action_to_cursor(self, word: str) -> None:
        """Runs the command `word` with the line under the cursor of the Python or source as its argument."""
        python = self.pane(PythonPane)
        is_python = self._front is python
        self.action_command(f"{word} {python.where if is_python else self.pane(SourcePane).cursor + 1}")

    def action_toggle_breakpoint(self) -> None:
        """Sets a breakpoint on the line under the cursor of the Python or source, or deletes that there."""
        if self._front is self.pane(PythonPane):
            self.toggle_python_breakpoint(self.pane(PythonPane).cursor + 1)
        else:
            self.toggle_breakpoint(self.pane(SourcePane).cursor + 1)

    def toggle_python_breakpoint(self, line: int) -> None:
        """Sets a breakpoint on a line of the Python that is shown, or deletes the one there."""
        view = self.pane(PythonPane).view
        if view is not None:
            number = view.stops.get(line)
            self.action_command(f"break {view.file}:{line}" if number is None else f"delete {number}")

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

    def action_breakpoints(self) -> None:
        """Opens the list of breakpoints."""
        points = self.model.breakpoints if self.model else ()
        self.push_screen(BreakpointsScreen(self.palette, points, self.action_command, self.show_line))
        self.ask_reached()

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

    def action_blame(self) -> None:
        """Opens what made the number that is not finite, and the way from there to here, as a tree."""
        value = self.pane(ValuesPane).chosen

        def open_tree(session: Session) -> str:
            tree = blame_tree(session, value.name if value else "")
            self.call_from_thread(self.push_screen, BlameScreen(self.palette, tree, self._go_to_link))
            return ""

        self.order(open_tree)

    def _go_to_link(self, link: Link) -> None:
        """Goes to where an element was bound, and looks at its value."""
        self.chosen = link.element.name

        def go(session: Session) -> str:
            if link.element.process != session.cursor.selected:
                session.select_process(link.element.process)
            session.goto(link.element.position)
            return ""

        self.order(go)

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

    def action_home(self) -> None:
        """Puts the source cursor on the operation of the selected frame."""
        self.pane(SourcePane).go_home()

    @on(messages.OutlineChosen)
    def show_outline_line(self, message: messages.OutlineChosen) -> None:
        """Puts the source cursor on the first operation of a scope."""
        self.show_line(message.line)

    @on(messages.PythonLineChosen)
    def show_python_line(self, message: messages.PythonLineChosen) -> None:
        """Puts the source cursor on the first operation that a line of Python led to."""

        def find(session: Session) -> list[int]:
            return session.structure.find_lines(f"{message.file}:{message.line}")

        self._query("python line", find, lambda lines: self.show_line(lines[0]) if lines else None)

    def action_locations(self) -> None:
        """Shows locations in the source, or folds them."""
        source = self.pane(SourcePane)
        source.show_locations(not source.has_locations)

    def action_tensor(self, method: str, *arguments: int) -> None:
        """Calls a method of the tensor pane."""
        getattr(self.pane(TensorPane), method)(*arguments)

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
    grid_notes = (launch.grid_text,) if launch.shape.size > 1 and launch.grid_text not in launch.notes else ()
    notes, share = (*grid_notes, *launch.notes), None
    if listener is not None:
        notes = (listener.greeting, *notes)
        share = partial(SharedSession, launch.sources, listener)
    program = DebuggedProgram(
        launch.source, launch.start, shape=launch.shape, sources=launch.sources, notes=notes, share=share
    )
    return DebuggerApp(program, appearance)
