"""The cells that kernels carried out, kept in a file over restarts.

A line of the file is one cell: session, number, text. Kernels that run side by side append to it.
"""

from __future__ import annotations

import json
import os
from collections import deque
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from shlo.runner.files import replace_file

SIZE: Final = 1000
"""How many cells are remembered."""
LONGEST: Final = 100_000
"""How many characters of a cell are remembered."""

Cell = tuple[int, int, str]


class CellHistory:
    """Cells by session and number; the session of this kernel is the newest."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._cells: deque[Cell] = deque(_read(path), maxlen=SIZE)
        self.session = max((session for session, _, _ in self._cells), default=0) + 1

    def add(self, number: int, text: str) -> None:
        """Remembers a cell; where the file cannot be written, as long as the kernel runs."""
        cell = self.session, number, text[:LONGEST]
        self._cells.append(cell)
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as file:
                file.write(json.dumps(cell) + "\n")

    def last(self, count: int | None) -> list[Any]:
        """Returns the last cells, all of them where no count is given."""
        return _last(list(self._cells), count)

    def between(self, session: int, start: int, stop: int | None) -> list[Any]:
        """Returns the cells of a session from a number up to but not including another one. Session 0 is this
        one, -1 the one before."""
        wanted = session if session > 0 else self.session + session
        return [
            (session and owner, number, text)
            for owner, number, text in self._cells
            if owner == wanted and start <= number and (stop is None or number < stop)
        ]

    def matching(self, pattern: str, count: int | None, unique: bool) -> list[Any]:
        """Returns the last cells that match a pattern of a shell."""
        matches = [cell for cell in self._cells if fnmatchcase(cell[2], pattern)]
        if unique:
            matches = sorted({cell[2]: cell for cell in matches}.values())
        return _last(matches, count)


def _last(cells: list[Cell], count: int | None) -> list[Any]:
    return cells if count is None else cells[-count:] if count > 0 else []


def _read(path: Path) -> list[Cell]:
    """Returns the last cells of a file, and shortens a long one; a line that is no cell is left out."""
    try:
        lines = path.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return []
    if len(lines) > 2 * SIZE:
        newest = "".join(f"{line}\n" for line in lines[-SIZE:]).encode()

        def write(file: BinaryIO) -> None:
            file.write(newest)

        with suppress(OSError):
            replace_file(str(path), write)
    return [cell for line in lines[-SIZE:] if (cell := _cell(line))]


def _cell(line: str) -> Cell | None:
    try:
        entry: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, list) or len(cast("list[Any]", entry)) != 3:
        return None
    session, number, text = cast("list[Any]", entry)
    is_cell = type(session) is int and type(number) is int and isinstance(text, str) and session > 0
    return (session, number, cast("str", text)) if is_cell else None
