"""What the user is asked: a line at the bottom of the screen (a command, a text to find), whether to quit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from msgspec import Struct
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, Label

from shlo.debugger.commands.completion import CommandCompletion
from shlo.debugger.commands.table import COMMANDS
from shlo.text.escape import sanitized


class Question(Struct, frozen=True):
    """What is asked for: a word before the line, a hint in it."""

    word: str
    hint: str


QUESTIONS: Final[dict[str, Question]] = {
    "command": Question(":", "a command: break 12, print %0[0, :], help"),
    "find": Question("find", "a scope, FILE.py:LINE, or a text; small letters find capitals too"),
    "value": Question("find", "part of a value's name or type; nan or inf: one that holds some"),
    "line": Question("line", "a line's number"),
    "step": Question("step", "a step's number"),
    "element": Question("element", "the index of an element of the tensor: 3, 5"),
    "filter": Question("filter", "part of a name or type, nan or inf; empty shows all values"),
}


class Prompt(ModalScreen[str | None]):
    """Gives what was written, None when it was left with Escape. Up and down go through `history`. `complete`
    is asked what a line can go on with, and has `offer` called.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave"),
        Binding("up", "history(-1)", "before"),
        Binding("down", "history(1)", "after"),
        Binding("tab", "complete", "complete", priority=True),
    ]

    def __init__(
        self, topic: str, history: list[str], complete: Callable[[str], None], text: str = ""
    ) -> None:
        super().__init__()
        self._text = text
        self.question, self.history = QUESTIONS[topic], history
        self._complete = complete if topic == "command" else None
        self._at = len(history)
        names = [name for command in COMMANDS for name in command.names]
        self._suggester = SuggestFromList(names) if topic == "command" else None

    def compose(self) -> ComposeResult:
        """Yields the line for completions, and the prompt with its input field."""
        with Vertical(classes="prompt"):
            yield Label("", markup=False, id="offered")
            with Horizontal():
                yield Label(f" {self.question.word} ", markup=False)
                yield Input(
                    self._text,
                    select_on_focus=False,
                    placeholder=self.question.hint,
                    suggester=self._suggester,
                    compact=True,
                )

    @on(Input.Submitted)
    def answer(self, event: Input.Submitted) -> None:
        """Gives what was written."""
        if event.value and event.value not in self.history[-1:]:
            self.history.append(event.value)
        self.dismiss(event.value)

    def action_leave(self) -> None:
        """Closes the prompt without an answer."""
        self.dismiss(None)

    def action_complete(self) -> None:
        """Requests completions of the input, if the prompt has any."""
        if self._complete is not None:
            self._complete(self.query_one(Input).value)

    def offer(self, line: str, completion: CommandCompletion) -> None:
        """Completes a line as far as that is clear, and shows the words between which one can choose; does
        nothing where the line has become another.
        """
        field, words = self.query_one(Input), completion.words
        if field.value != line or not words:
            return
        end = " " if len(words) == 1 and not "".join(words).endswith(("(", ".")) else ""
        field.value = line[: completion.start] + _common_beginning(words) + end
        field.action_end()
        offered = self.query_one("#offered", Label)
        offered.update(" " + "  ".join(map(sanitized, words)) if len(words) > 1 else "")
        offered.display = len(words) > 1

    def action_history(self, by: int) -> None:
        """Puts an earlier or later line of the history into the input field."""
        self._at = min(max(self._at + by, 0), len(self.history))
        line = self.query_one(Input)
        line.value = self.history[self._at] if self._at < len(self.history) else ""
        line.action_end()


def _common_beginning(words: Sequence[str]) -> str:
    """Returns what all words begin with."""
    first, last = min(words), max(words)
    same = (number for number, (one, other) in enumerate(zip(first, last)) if one != other)
    return first[: next(same, len(first))]


class QuitQuestion(ModalScreen[bool]):
    """Gives whether to quit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "quit", priority=True),
        Binding("n,escape,q", "answer(False)", "stay", priority=True),
    ]

    def __init__(self, is_running: bool) -> None:
        super().__init__()
        self._why = "The operation that runs has not ended yet." if is_running else "Nothing runs now."

    def compose(self) -> ComposeResult:
        """Yields the question."""
        with Vertical(classes="dialog question") as box:
            box.border_title = "quit?"
            yield Label(f"{self._why}\ny or Ctrl-C quits, n stays.", markup=False)

    def action_answer(self, answer: bool) -> None:
        """Closes the dialog with the answer."""
        self.dismiss(answer)
