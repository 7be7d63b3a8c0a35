"""Messages of a session: what log points say, and why conditions cannot be evaluated."""

from __future__ import annotations

from collections import deque
from typing import Final

from msgspec import Struct

KEPT: Final = 10_000
"""How many messages are kept, the last ones."""


class LogMessage(Struct, frozen=True):
    """What a breakpoint says at a position, of the process that is selected there."""

    position: int
    process: int
    breakpoint: int
    text: str


class Messages:
    """The messages of a session, the oldest first. `count` is how many there were, also those not kept."""

    def __init__(self) -> None:
        self.count = 0
        self._kept: deque[LogMessage] = deque(maxlen=KEPT)

    def add(self, message: LogMessage) -> None:
        """Adds a message."""
        self.count += 1
        self._kept.append(message)

    def since(self, count: int) -> tuple[LogMessage, ...]:
        """Returns the messages after the first `count`, as far as they are kept."""
        new = min(self.count - count, len(self._kept))
        return tuple(self._kept)[len(self._kept) - new :] if new > 0 else ()
