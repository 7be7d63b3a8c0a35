"""Texts of the Python files that locations name, as far as they lie in folders that the user trusts.

Paths in locations come with the program and are not trusted: a file is read, never run, only if its name ends
with `.py`, it is no larger than LARGEST, and it lies, links followed, below one of the folders.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from shlo.ir.operations import Module, walk
from shlo.places.card import Card
from shlo.places.expressions import PythonExpression, expression_at
from shlo.places.origins import SourceLine, is_library, origin_of
from shlo.places.place import Place, cell_name
from shlo.places.remedies import Remedy
from shlo.support.files import open_input

LARGEST: Final = 4 << 20
"""How many bytes a file may have."""

LARGEST_TOGETHER: Final = 16 << 20
"""How many characters the texts of files have that a program is kept with."""

LONGEST_PATH: Final = 1000

MOST_PARTS: Final = 20
"""How many of the last parts of a path are looked for below a folder."""


class PythonSources:
    """Reads lines of Python files below folders; each file once."""

    def __init__(self, folders: Sequence[str]) -> None:
        self.folders = list(folders)
        self._texts: dict[str, tuple[str, ...]] = {}
        self._known: dict[str, tuple[str, ...] | None] = {}

    def add_folder(self, folder: str) -> None:
        """Looks below another folder, too, and first."""
        self.folders.insert(0, folder)
        self._known.clear()

    def add_texts(self, texts: Mapping[str, str]) -> None:
        """Has the texts of files at hand that another machine had, by the paths that locations name."""
        self._texts.update({path: tuple(text.splitlines()) for path, text in texts.items()})
        self._known.clear()

    def lines(self, path: str) -> tuple[str, ...] | None:
        """Returns the lines of a file that a location names, None where it is not to be found or read."""
        if path not in self._known:
            self._known[path] = self._texts[path] if path in self._texts else self._read(path)
        return self._known[path]

    def texts_of(self, modules: Iterable[Module]) -> dict[str, str]:
        """Returns the texts of the files that the locations of programs name, by path, without libraries and
        what is beyond LARGEST_TOGETHER."""
        programs = {id(module): module for module in modules}.values()
        locations = {id(op.location): op.location for module in programs for op, _ in walk(module.body)}
        files = {line.file for location in locations.values() for line in origin_of(location).lines}
        texts, left = dict[str, str](), LARGEST_TOGETHER
        for file in sorted(file for file in files if not is_library(file)):
            text = "\n".join(self.lines(file) or ())
            left -= len(text)
            if text and left >= 0:
                texts[file] = text
        return texts

    def text_of(self, line: SourceLine | None) -> str:
        """Returns the text of a line; empty where it cannot be read."""
        lines = self.lines(line.file) if line else None
        return lines[line.line - 1].strip() if line and lines and 0 < line.line <= len(lines) else ""

    def expression_of(self, line: SourceLine | None) -> PythonExpression | None:
        """Returns the expression that a line means; None for one of a library, and where it is not known."""
        if line is None or is_library(line.file):
            return None
        return expression_at(self.lines(line.file), line)

    def card_at(self, kind: str, place: Place, deed: str, remedy: Remedy | None, *notes: str) -> Card:
        """Returns the card of an operation, which begins with the expression of its line of Python."""
        line = place.origin.line
        expression = self.expression_of(line)
        subject = expression.subject if expression else place.operation
        return Card(kind, subject, deed, place, self.text_of(line), notes=notes, remedy=remedy)

    def _read(self, path: str) -> tuple[str, ...] | None:
        if cell_name(path):  # of the notebook that runs here
            return tuple(text.rstrip("\n") for text in linecache.getlines(path))
        file_path = find_python_file(path, self.folders)
        try:
            if file_path is None:
                return None
            with open_input(file_path) as file:
                return tuple(file.read(LARGEST).decode("utf-8", "replace").splitlines())
        except OSError:
            return None


def find_python_file(path: str, folders: Sequence[str]) -> Path | None:
    """Returns the file that a location names, if it is a Python file below one of the folders, else None: the
    one that shares most of the last parts of the path, of those the one in the first folder.
    """
    if not path.endswith(".py") or len(path) > LONGEST_PATH or "\0" in path:
        return None
    for candidate, folder in _candidates(path, folders):
        try:
            file_path, root = Path(candidate).resolve(), Path(folder).resolve()
            is_good = file_path.is_relative_to(root) and file_path.suffix == ".py" and file_path.is_file()
            if is_good and file_path.stat().st_size <= LARGEST:
                return file_path
        except (OSError, ValueError, RuntimeError):
            continue
    return None


def _candidates(path: str, folders: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields where a file may lie, and below which folder: where its path says, or with the last parts of it
    below a folder, as the program may have been made on another machine.
    """
    parts = PurePosixPath(path.replace("\\", "/")).parts
    if os.path.isabs(path):
        yield from ((path, folder) for folder in folders)
        parts = parts[1:]
    if ".." in parts:
        return
    for start in range(max(len(parts) - MOST_PARTS, 0), len(parts)):
        yield from ((os.path.join(folder, *parts[start:]), folder) for folder in folders)
