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
        """Runs a line as a command of the debugger."""
        self.order(lambda session: run_command(session, line).text)

    def action_to_cursor(self, word: str) -> None:
        """Runs the command `word` with the line under the source cursor as its argument."""
        self.action_command(f"{word} {self.pane(SourcePane).cursor + 1}")

    def action_toggle_breakpoint(self) -> None:
        """Sets a breakpoint on the line under the source cursor, or deletes the one there."""
        line = self.pane(SourcePane).cursor + 1
        point = self.model.breakpoint_on(line) if self.model else None
        self.action_command(f"break {line}" if point is None else f"delete {point.number}")

    def action_origin(self) -> None:
        """Goes to the position at which the chosen value was bound."""
        value = self.pane(ValuesPane).chosen
        if value is not None:
            self.chosen = value.name
            self.order(partial(_go_to_origin, name=value.name))

    def action_interrupt(self) -> None:
        """Quits from the quit dialog, leaves a prompt, stops a running command, or asks whether to quit."""
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
        """Exits the application with result 0."""
        self.exit(0)

    # --- dialogs ---

    def action_ask(self, topic: str) -> None:
        """Opens the prompt for a topic: a command, a text to find, a line, a step or a filter."""
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
            dialog = TextDialog(line, self.palette, text_lines(text, self.palette))
            self.call_from_thread(self.push_screen, dialog)

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
        """Opens the table of keys."""
        self.push_screen(TextDialog("keys", self.palette, help_lines(self.groups, self.palette)))

    def action_breakpoints(self) -> None:
        """Opens the list of breakpoints."""
        points = self.model.breakpoints if self.model else ()
        self.push_screen(BreakpointsScreen(self.palette, points, self.action_command, self.show_line))

    # --- all processes ---

    def action_process(self, by: int) -> None:
        """Selects the process `by` numbers further, around the end."""
        if self.grid is not None:
            self.action_command(f"process {(self.grid.selected + by) % self.program.shape.size}")

    @on(messages.ProcessChosen)
    def _choose_process(self, message: messages.ProcessChosen) -> None:
        if self.grid is not None and message.process != self.grid.selected:
            self.action_command(f"process {message.process}")

    def action_wait_graph(self) -> None:
        """Opens the wait-for graph of the processes."""
        self.show_wait_graph()

    def action_messages(self) -> None:
        """Opens the messages that wait in channels, infeeds and outfeeds."""
        self.show_messages()

    def action_compare(self) -> None:
        """Opens the chosen value side by side in all processes."""
        value = self.pane(ValuesPane).chosen
        if value is not None:
            self.order(partial(_compare, name=value.name, show=self.show_compared))

    # --- the source ---

    def show_line(self, line: int) -> None:
        """Puts the cursor on a line, counted from 1."""
        self.pane(SourcePane).put_cursor(line - 1)

    def action_home(self) -> None:
        """Puts the source cursor on the operation of the selected frame."""
        self.pane(SourcePane).go_home()

    def action_find_next(self, direction: int) -> None:
        """Goes to the next or the previous match of the text last searched for."""
        self._find(direction)

    def _find(self, direction: int, here: bool = False) -> None:
        if self.sought and not self.pane(SourcePane).find(self.sought, direction, here):
            self.say([(f"{self.sought} is not in the source", "alarm")])

    def action_inline(self) -> None:
        """Switches the values at line ends on or off."""
        self.has_notes = not self.has_notes
        self.pane(SourcePane).show_notes({})
        self.ask_notes()

    # --- the tensor ---

    def action_slice(self, by: int) -> None:
        """Moves the tensor's slice along the chosen axis."""
        self.pane(TensorPane).slice_by(by)

    def action_axis(self, by: int) -> None:
        """Chooses another axis to move the slice along."""
        self.pane(TensorPane).choose_axis(by)

    def action_turn(self) -> None:
        """Shows the tensor along the next pair of axes."""
        self.pane(TensorPane).turn()

    def action_transpose(self) -> None:
        """Exchanges the tensor's rows and columns."""
        self.pane(TensorPane).transpose()

    def action_view(self) -> None:
        """Shows the tensor in the next view: all, numbers, heat map or histogram."""
        self.pane(TensorPane).next_view()

    def action_next_mark(self) -> None:
        """Goes to the next NaN or Inf of the chosen value."""
        self.ask_tensor_part(seek=True)

    def action_follow(self) -> None:
        """Follows the last value in scope instead of a chosen one."""
        self.chosen = None
        self.pane(ValuesPane).follow(None)
        self.ask_tensor()

    # --- panes ---

    def action_pane(self, name: str) -> None:
        """Brings the pane with a name to the front."""
        self.bring_to_front(next(pane for pane in self.panes if pane.id == name))

    def action_zoom(self) -> None:
        """Switches between the front pane alone and all panes."""
        self.is_zoomed = not self.is_zoomed
        self.arrange()

    def action_dark(self) -> None:
        """Switches between the dark and the light theme, in full colour only."""
        if self.appearance.colours == "full":
            self.theme = LIGHT.name if self.current_theme.dark else DARK.name
            self.call_after_refresh(self.repaint)

    @on(messages.FrameChosen)
    def _choose_frame(self, message: messages.FrameChosen) -> None:
        if self.model is not None and message.index != self.model.selected:
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
