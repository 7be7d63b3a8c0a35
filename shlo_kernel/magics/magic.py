"""What a magic is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from shlo_kernel.cells.session import CellSession


class Screen(Protocol):
    """Where a cell's output goes."""

    def write(self, text: str) -> None:
        """Prints a text."""
        ...

    def show(self, data: dict[str, Any]) -> None:
        """Shows something by MIME type."""
        ...

    def show_result(self, data: dict[str, Any]) -> None:
        """Shows what a cell is worth, by MIME type."""
        ...


class Notebook(Protocol):
    """What magics act on: the session, the screen, the Python variables of `%%python`, and how messages
    call the cell that is carried out."""

    session: CellSession
    screen: Screen
    variables: dict[str, Any]
    label: str

    def run(self, text: str, label: str) -> None:
        """Carries out a cell, magics in it included; raises CellError."""
        ...

    def run_program(self, text: str, label: str) -> None:
        """Carries out a text that is StableHLO alone; raises CellError."""
        ...


@dataclass(frozen=True, slots=True)
class Magic:
    """A magic: its name, what follows it (`usage`), a line about it, what it does with the text behind the
    name and, for one that takes the rest of the cell, with that (None without it). The rest of a cell has
    the lines above it as blank lines, so that its lines keep their numbers.

    It raises RequestError, or another ShloError, where it cannot do what it is asked for.
    """

    name: str
    usage: str
    summary: str
    execute: Callable[[Notebook, str, str | None], None]
    takes_cell: bool = False
    takes_line: bool = True
    details: str = ""
    words: tuple[str, ...] = ()

    @property
    def written(self) -> str:
        """How it is written."""
        mark = "%" if self.takes_line else "%%"
        return f"{mark}{self.name} {self.usage}".rstrip()

    @property
    def text(self) -> str:
        """All that there is to say."""
        return "\n".join(filter(None, (self.written, self.summary, self.details)))
