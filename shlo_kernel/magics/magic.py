"""What a magic is, and where it shows things."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from shlo_kernel.notebook import NotebookSession


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

    def clear(self, wait: bool) -> None:
        """Clears the output of the cell; with `wait`, when it shows something next."""
        ...

    def show_status(self, text: str) -> None:
        """Shows a line about a run in place of the previous one; removes it where the text is empty."""
        ...


class Closable(Protocol):
    """A widget."""

    def close(self) -> None:
        """Removes it from all pages, and frees what it holds."""
        ...


class Magic(Struct, frozen=True):
    """A magic: its name, what follows it (`usage`), a line about it, what it does with the text behind the
    name and, for one that takes the rest of the cell, with that (None without it). The rest of a cell has
    the lines above it as blank lines, so that its lines keep their numbers. `words` are completions.
    `defines` says which values and functions it may define or forget: those named in its line before `=`, or
    any.

    It raises RequestError, or another ShloError, where it cannot do what it is asked for.
    """

    name: str
    usage: str
    summary: str
    execute: Callable[[NotebookSession, str, str | None], None]
    takes_cell: bool = False
    takes_line: bool = True
    details: str = ""
    words: Callable[[], Iterable[str]] = tuple
    defines: Literal["nothing", "named", "anything"] = "nothing"

    @property
    def written(self) -> str:
        """How it is written."""
        mark = "%" if self.takes_line else "%%"
        return f"{mark}{self.name} {self.usage}".rstrip()

    @property
    def text(self) -> str:
        """All that there is to say."""
        return "\n".join(filter(None, (self.written, self.summary, self.details)))
