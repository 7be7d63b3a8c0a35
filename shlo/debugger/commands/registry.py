"""What a command of the debugger is: a name, what follows it, what it says, what it does with a Session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from msgspec import Struct

from shlo.debugger.session import Session
from shlo.ir.dtypes import Array


class CommandAnswer(NamedTuple):
    """What a command says; a tensor under its title, to be shown beside that as a picture where there is a
    screen.
    """

    text: str
    tensor: tuple[str, Array] | None = None


Action = Callable[[Session, str], str | CommandAnswer]
"""Carries a command out with what follows its name; returns its answer. Raises DebuggerError."""

Argument = Literal[
    "none",
    "value",
    "expression",
    "breakpoint",
    "command",
    "point",
    "topic",
    "process",
    "scope",
    "area",
    "unit",
]
"""What is behind a command's name, for completion: a value in scope, an expression, the number of a
breakpoint, a command, a place to stop, a topic of `info`, a process of a grid, a scope of the name stack, a
scope or line to go to, a scope or line to step over; or nothing that can be completed.
"""


class DebuggerCommand(Struct, frozen=True):
    """A row of the table of commands. The first of `names` is the command's own, others refer to it."""

    names: tuple[str, ...]
    usage: str
    summary: str
    act: Action
    argument: Argument = "none"
    ends: bool = False

    @property
    def name(self) -> str:
        """The command's own name."""
        return self.names[0]
