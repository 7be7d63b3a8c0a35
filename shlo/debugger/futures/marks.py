"""Positions of a session that are marked, as those where it stopped."""

from __future__ import annotations

from collections import deque
from typing import Final

from shlo.debugger.futures.futures import Futures

MOST_MARKS: Final = 256


class Marks:
    """The last positions that were marked, each in the future in which it was: another one has those alone
    that lie before it forked.
    """

    def __init__(self) -> None:
        self._marks: deque[tuple[str, int]] = deque(maxlen=MOST_MARKS)

    def add(self, futures: Futures, position: int) -> None:
        """Marks a position of the current future."""
        self._marks.append((futures.current.name, position))

    def of_current(self, futures: Futures) -> list[int]:
        """Returns the marked positions that the current future has, in order, each once."""
        common = {name: futures.common(name) for name in {name for name, _ in self._marks}}
        return sorted({position for name, position in self._marks if position <= common[name]})

    def clear(self) -> None:
        """Forgets all marks."""
        self._marks.clear()
