"""A screen that keeps what a notebook shows."""

from __future__ import annotations

from typing import Any

import pytest

from shlo_kernel.cells.errors import CellError
from shlo_kernel.notebook import NotebookSession


class Screen:
    """Everything that cells wrote and showed."""

    def __init__(self) -> None:
        self.text = ""
        self.shown: list[dict[str, Any]] = []
        self.statuses: list[str] = []

    def write(self, text: str) -> None:
        self.text += text

    def show(self, data: dict[str, Any]) -> None:
        self.shown.append(data)

    def show_result(self, data: dict[str, Any]) -> None:
        self.shown.append(data)

    def show_status(self, text: str) -> None:
        self.statuses.append(text)

    def clear(self, wait: bool) -> None:
        self.text, self.shown = "", []

    @property
    def titles(self) -> list[str]:
        """The first lines of what was shown."""
        return [data["text/plain"].split("\n")[0] for data in self.shown]


class Notebook(NotebookSession):
    """A notebook whose cells are numbered from 1, on a screen of its own."""

    def __init__(self) -> None:
        self.seen = Screen()
        super().__init__(self.seen)
        self.number = 0

    def cell(self, text: str) -> Screen:
        """Runs a cell; gives what it alone wrote and showed."""
        self.number += 1
        self.screen = self.seen = Screen()
        self.run(text, f"In[{self.number}]")
        return self.seen

    def failure(self, text: str) -> CellError:
        """Runs a cell that fails; gives its error."""
        with pytest.raises(CellError) as caught:
            self.cell(text)
        return caught.value

    def value(self, name: str) -> Any:
        """Returns a value as nested lists."""
        return self.session.values[name].array.tolist()
