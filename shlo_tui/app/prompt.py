"""The prompt: commands of the debugger, what to find, and where to go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from shlo.debugger import Session, ValueView
from shlo.debugger.commands.completion import CommandCompletion, complete_command
from shlo.debugger.commands.table import run_command
from shlo.debugger.structure.structure import lines_with
from shlo.debugger.views.tensor import LevelMap, level_map_of
from shlo.debugger.views.values import find_values, label_of
from shlo_tui.app.layout import DebuggedProgram
from shlo_tui.app.panes import PanesApp
from shlo_tui.dialogs.prompt import Prompt
from shlo_tui.dialogs.text import (
    FRAME,
    DialogLine,
    TextDialog,
    help_lines,
    text_lines,
)
from shlo_tui.keymap import GROUPS
from shlo_tui.session.worker import Command
from shlo_tui.theme import Appearance
from shlo_tui.widgets.charts import LevelPainter
from shlo_tui.widgets.lines import Segments
from shlo_tui.widgets.source import SourcePane
from shlo_tui.widgets.tensor import TensorPane
from shlo_tui.widgets.values import ValuesPane

WIDEST_MAP: Final = 100
"""Cells of the widest heat map above the panes."""

LEGEND: Final = 60
"""Cells of its legend."""


class PromptApp(PanesApp):
    """Asks for commands, texts and numbers, and has the session's thread carry commands out."""

    def __init__(self, program: DebuggedProgram, appearance: Appearance | None = None) -> None:
        super().__init__(program, appearance)
        self.sought = self.sought_value = ""
        self.groups = GROUPS
        self._histories: dict[str, list[str]] = {}
        self._was_interrupted = False

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

    def open_text(self, title: str, lines: Sequence[DialogLine]) -> None:
        """Opens lines of text above the panes."""
        self.push_screen(TextDialog(title, self.palette, lines, self.copy_to_clipboard))

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

    def ask_completion(self, line: str) -> None:
        """Asks what a line at the prompt can go on with."""

        def show(completion: CommandCompletion) -> None:
            if isinstance(self.screen, Prompt):
                self.screen.offer(line, completion)

        self._query("completion", partial(complete_command, line=line), show)

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

    def _go_to_element(self, text: str) -> None:
        """Puts the tensor cursor on the element of an index."""
        numbers = text.strip(" []()").replace(",", " ").split()
        tensor = self.pane(TensorPane)
        if not all(number.lstrip("-").isdecimal() and len(number) < 19 for number in numbers):
            self.say(("an index is written as 3, 5", "alarm"))
        elif trouble := tensor.go_to(tuple(map(int, numbers))):
            self.say((trouble, "alarm"))

    def show_line(self, line: int) -> None:
        """Puts the cursor on a line, counted from 1."""
        self.pane(SourcePane).put_cursor(line - 1)

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
        def show(matches: tuple[ValueView, ...]) -> None:
            if not self.pane(ValuesPane).go_to_found(matches, direction, here):
                self.say((f"no value is found by {text}", "alarm"))

        if text:
            self._query("found value", partial(find_values, pattern=text), show)

    def action_difference(self) -> None:
        """Asks what to compare the chosen value with."""
        value = self.pane(ValuesPane).chosen
        if value is not None:
            self.open_prompt("command", f"diff {label_of(value.name)} ")

    def action_help(self) -> None:
        """Opens the table of keys."""
        self.open_text("keys", help_lines(self.groups))
