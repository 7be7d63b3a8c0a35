"""The question whether to quit while the program runs."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label


class QuitQuestion(ModalScreen[bool]):
    """Gives whether to quit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "quit", priority=True),
        Binding("n,escape,q", "answer(False)", "stay", priority=True),
    ]

    def compose(self) -> ComposeResult:
        """Yields the question."""
        with Vertical(classes="dialog question") as box:
            box.border_title = "quit?"
            yield Label(
                "The operation that runs has not ended yet.\ny or Ctrl-C quits, n stays.", markup=False
            )

    def action_answer(self, answer: bool) -> None:
        """Closes the dialog with the answer."""
        self.dismiss(answer)
