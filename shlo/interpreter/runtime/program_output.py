"""What programs print while they run."""

from __future__ import annotations

import sys
from collections.abc import Callable

from msgspec import Struct


class ProgramOutput(Struct, frozen=True):
    """Lines that a process prints: its number, its label (empty where it is alone), and the text."""

    process: int
    label: str
    text: str

    def __str__(self) -> str:
        return f"{self.label} {self.text}".lstrip()


OutputFn = Callable[[ProgramOutput], None]
"""Shows what a program prints."""


def print_output(output: ProgramOutput) -> None:
    """Prints to standard error."""
    print(output, file=sys.stderr)


def drop_output(output: ProgramOutput) -> None:
    """Shows nothing: for a run beside one that shows the same."""
