"""The codec's errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shlo.ir.attributes import Attribute
from shlo.ir.diagnostics import ShloError
from shlo.ir.types import Type
from shlo.support.picklable import PicklableError
from shlo.text.shortening import clipped

SHOWN_AT_MOST = 120
"""Characters of an attribute or type that a message shows."""


class BytecodeError(ShloError):
    """Bytes that are no valid bytecode: `message` says what was being read and what is wrong, `offset` where,
    counted in bytes from the start of the file.
    """

    def __init__(self, message: str, offset: int, name: str = "<bytecode>") -> None:
        self.message, self.offset, self.name = message, offset, name
        super().__init__(f"{name}: byte {offset}: {message}")

    def named(self, name: str) -> BytecodeError:
        """Returns the same error of a file with a name."""
        return BytecodeError(self.message, self.offset, name)


class Obstacle(NamedTuple):
    """What keeps an operation out of a file: the operation's name, what is wrong with it, the first version
    of StableHLO that could hold it (None: none can), and the operation's place (`file:3:4`, empty where it is
    not known).
    """

    operation: str
    reason: str
    first: str | None = None
    place: str = ""

    def __str__(self) -> str:
        since = f" (version {self.first} first has it)" if self.first else ""
        return f"{self.place}{': ' if self.place else ''}{self.operation}: {self.reason}{since}"


class EncodingError(ShloError):
    """A program that the format cannot hold; `obstacles` says why, at least one."""

    def __init__(self, obstacles: Sequence[Obstacle]) -> None:
        self.obstacles = tuple(obstacles)
        more = f" (and {len(obstacles) - 1} more)" if len(obstacles) > 1 else ""
        super().__init__(f"{obstacles[0]}{more}")


class ObstacleError(PicklableError):
    """What is wrong with one operation; the writer makes an `Obstacle` of it."""

    def __init__(self, reason: str, first: str | None = None) -> None:
        self.reason, self.first = reason, first
        super().__init__(reason)


class ItemError(ObstacleError):
    """An attribute or type that has no form in the file, or only from a version of StableHLO on."""

    def __init__(self, item: object, first: str | None = None) -> None:
        kind = "type" if isinstance(item, Type) else "attribute"
        text = str(item) if isinstance(item, (Attribute, Type)) else repr(item)
        shown = clipped(text, SHOWN_AT_MOST)
        super().__init__(f"the {kind} {shown} has no form{'' if first is None else ' yet'}", first)
