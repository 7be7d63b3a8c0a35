"""The debugger on the screen: what the keys of the table `keymap` do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar

from textual import on
from textual.app import SystemCommand
from textual.binding import BindingsMap, BindingType
from textual.screen import Screen

from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo_tui.app.controller import ControllerApp
from shlo_tui.app.layout import Program
from shlo_tui.dialogs.breakpoints import BreakpointsScreen
from shlo_tui.dialogs.prompt import Prompt
from shlo_tui.dialogs.quit import QuitQuestion
from shlo_tui.dialogs.text import TextDialog, help_lines, text_lines
from shlo_tui.keymap import GRID_GROUP, GRID_KEYS, GROUPS, bindings, shown
from shlo_tui.launch import Launch
from shlo_tui.render.compare import Compared, compare_value
from shlo_tui.session.worker import Command
from shlo_tui.theme import DARK, LIGHT, Appearance
from shlo_tui.widgets import events as messages
from shlo_tui.widgets.source import SourcePane
from shlo_tui.widgets.tensor import TensorPane
from shlo_tui.widgets.values import ValuesPane


class DebuggerApp(ControllerApp):
    """The screen of `shlo debug`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]

    def __init__(self, program: Program, appearance: Appearance | None = None) -> None:
        super().__init__(program, appearance)
        self.sought = ""
        self._histories: dict[str, list[str]] = {}
        self._was_interrupted = False
        self.groups = GROUPS
        if program.is_grid:
            self.groups = (*GROUPS[:-1], GRID_GROUP, GROUPS[-1])
            self._bindings.key_to_bindings.update(BindingsMap(bindings(keys=GRID_KEYS)).key_to_bindings)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yields the command palette: what the keys do."""
        for key in (key for _, keys in self.groups for key in keys):
            if not key.pane:
                act = partial(self.run_action, key.action)
                yield SystemCommand(key.help, f"key {shown(key.keys[0])}", act)

    # --- the session ---

    def order(self, command: Command) -> None:
        """Has the session's thread carry a command out."""
        self._was_interrupted = False
        if self.thread is not None:
            self.thread.command(command)
        else:
            self.say([("there is no session, as the program cannot be run", "alarm")])

    def action_command(self, line: str) -> None:
        self.order(lambda session: run_command(session, line).text)

    def action_to_cursor(self, word: str) -> None:
        self.action_command(f"{word} {self.pane(SourcePane).cursor + 1}")

    def action_toggle_breakpoint(self) -> None:
        line = self.pane(SourcePane).cursor + 1
        point = self.scene.breakpoint_on(line) if self.scene else None
        self.action_command(f"break {line}" if point is None else f"delete {point.number}")

    def action_origin(self) -> None:
        value = self.pane(ValuesPane).chosen
        if value is not None:
            self.chosen = value.name
            self.order(partial(_go_to_origin, name=value.name))

    def action_interrupt(self) -> None:
        if isinstance(self.screen, QuitQuestion):
            self.exit(0)
        elif isinstance(self.screen, Prompt):
            self.screen.dismiss(None)
        elif self.thread is not None and self.thread.is_commanded and not self._was_interrupted:
            self._was_interrupted = True
            self.thread.stop()
            self.say(
                [("stopping behind the operation that runs", "busy"), ("  Ctrl-C again to quit", "text")]
            )
        else:
            self.push_screen(QuitQuestion(), self._quit_if)

    def _quit_if(self, answer: bool | None) -> None:
        if answer:
            self.exit(0)

    async def action_quit(self) -> None:
        self.exit(0)

    # --- dialogs ---

    def action_ask(self, topic: str) -> None:
        take = {
            "command": self._take_command,
            "find": self._take_find,
            "line": self._take_line,
            "step": self._take_step,
            "filter": self._take_filter,
        }[topic]
        prompt = Prompt(topic, self._histories.setdefault(topic, []), self.ask_completion)
        self.push_screen(prompt, lambda answer: None if answer is None else take(answer))

    def _take_command(self, line: str) -> None:
        self.order(partial(_carry_out, line=line, tell=self._tell_at_length))

    def _tell_at_length(self, line: str, text: str, ends: bool) -> None:
        """Shows what a command answered, if that has several lines; called in the session's thread."""
        if ends:
            self.call_from_thread(self.exit, 0)
        elif "\n" in text:
            sheet = TextDialog(line, self.palette, text_lines(text, self.palette))
            self.call_from_thread(self.push_screen, sheet)

    def _take_find(self, text: str) -> None:
        self.sought = text
        self._find(1, here=True)

    def _take_line(self, text: str) -> None:
        if text.isdecimal():
            self.show_line(int(text))
        else:
            self.say([("a line is a number", "alarm")])

    def _take_step(self, text: str) -> None:
        self.action_command(f"goto {text.replace(',', '')}")

    def _take_filter(self, text: str) -> None:
        self.pattern = text
        self.show_values()

    def action_help(self) -> None:
        self.push_screen(TextDialog("keys", self.palette, help_lines(self.groups, self.palette)))

    def action_breakpoints(self) -> None:
        points = self.scene.breakpoints if self.scene else ()
        self.push_screen(BreakpointsScreen(self.palette, points, self.action_command, self.show_line))

    # --- all processes ---

    def action_process(self, by: int) -> None:
        if self.grid is not None:
            self.action_command(f"process {(self.grid.selected + by) % self.program.shape.size}")

    @on(messages.ProcessChosen)
    def _choose_process(self, message: messages.ProcessChosen) -> None:
        if self.grid is not None and message.process != self.grid.selected:
            self.action_command(f"process {message.process}")

    def action_waits(self) -> None:
        self.show_waits()

    def action_messages(self) -> None:
        self.show_messages()

    def action_compare(self) -> None:
        value = self.pane(ValuesPane).chosen
        if value is not None:
            self.order(partial(_compare, name=value.name, show=self.show_compared))

    # --- the source ---

    def show_line(self, line: int) -> None:
        """Puts the cursor on a line, counted from 1."""
        self.pane(SourcePane).put_cursor(line - 1)

    def action_home(self) -> None:
        self.pane(SourcePane).go_home()

    def action_find_next(self, direction: int) -> None:
        self._find(direction)

    def _find(self, direction: int, here: bool = False) -> None:
        if self.sought and not self.pane(SourcePane).find(self.sought, direction, here):
            self.say([(f"{self.sought} is not in the source", "alarm")])

    def action_inline(self) -> None:
        self.has_notes = not self.has_notes
        self.pane(SourcePane).show_notes({})
        self.ask_notes()

    # --- the tensor ---

    def action_slice(self, by: int) -> None:
        self.pane(TensorPane).slice_by(by)

    def action_axis(self, by: int) -> None:
        self.pane(TensorPane).choose_axis(by)

    def action_turn(self) -> None:
        self.pane(TensorPane).turn()

    def action_transpose(self) -> None:
        self.pane(TensorPane).transpose()

    def action_view(self) -> None:
        self.pane(TensorPane).next_view()

    def action_next_mark(self) -> None:
        self.ask_tensor_part(seek=True)

    def action_follow(self) -> None:
        self.chosen = None
        self.pane(ValuesPane).follow(None)
        self.ask_tensor()

    # --- panes ---

    def action_pane(self, name: str) -> None:
        self.bring_to_front(next(pane for pane in self.panes if pane.id == name))

    def action_zoom(self) -> None:
        self.is_zoomed = not self.is_zoomed
        self.arrange()

    def action_dark(self) -> None:
        if self.appearance.colours == "full":
            self.theme = LIGHT.name if self.current_theme.dark else DARK.name
            self.call_after_refresh(self.repaint)

    @on(messages.FrameChosen)
    def _choose_frame(self, message: messages.FrameChosen) -> None:
        if self.scene is not None and message.index != self.scene.selected:
            self.action_command(f"frame {message.index}")

    @on(messages.PositionChosen)
    def _choose_position(self, message: messages.PositionChosen) -> None:
        self.action_command(f"goto {message.position}")


def _go_to_origin(session: Session, name: str) -> str:
    """Goes to the position at which a value was bound."""
    position = session.bound_at(name, session.selected_frame)
    if position < 0:
        raise DebuggerError(f"%{name} was bound before the beginning")
    session.goto(position)
    return ""


def _compare(session: Session, name: str, show: Callable[[Compared], None]) -> str:
    """Compares a value of the selected process with those of the others."""
    show(compare_value(session, name))
    return ""


def _carry_out(session: Session, line: str, tell: Callable[[str, str, bool], None]) -> str:
    """Carries out what was written at the prompt."""
    reply = run_command(session, line)
    tell(line, reply.text, reply.ends)
    return reply.text


def app_on(launch: Launch, appearance: Appearance | None = None) -> DebuggerApp:
    """Returns the screen on what is debugged."""
    program = Program(launch.source, launch.start, shape=launch.shape, sources=launch.sources)
    return DebuggerApp(program, appearance)
