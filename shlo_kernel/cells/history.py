"""The cells that a kernel carried out, as front ends ask for them."""

from __future__ import annotations

from collections import deque
from fnmatch import fnmatchcase
from typing import Any, Final

KEPT: Final = 1000
"""How many cells are remembered."""


class History:
    """Cells by number, of this session of the kernel alone: entries are session, number and text."""

    def __init__(self) -> None:
        self._cells: deque[tuple[int, str]] = deque(maxlen=KEPT)

    def add(self, number: int, text: str) -> None:
        """Remembers a cell."""
        self._cells.append((number, text))

    def last(self, count: int | None) -> list[Any]:
        """Returns the last cells, all of them where no count is given."""
        return self._entries(list(self._cells), count)

    def between(self, start: int, stop: int | None) -> list[Any]:
        """Returns the cells from a number up to but not including another one."""
        return self._entries(
            [each for each in self._cells if start <= each[0] and (stop is None or each[0] < stop)], None
        )

    def matching(self, pattern: str, count: int | None, unique: bool) -> list[Any]:
        """Returns the last cells that match a pattern of a shell."""
        found = [each for each in self._cells if fnmatchcase(each[1], pattern)]
        if unique:
            found = sorted({text: (number, text) for number, text in found}.values())
        return self._entries(found, count)

    def _entries(self, cells: list[tuple[int, str]], count: int | None) -> list[Any]:
        chosen = cells if count is None else cells[-count:] if count > 0 else []
        return [(0, number, text) for number, text in chosen]
