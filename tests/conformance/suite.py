"""The chunks of a checkout of the StableHLO repository: each file split where `// -----` stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SPLIT = re.compile(r"^[ \t]*// -----.*$", re.MULTILINE)
FOLDERS = ("stablehlo/tests", "stablehlo/testdata")


class Chunk(NamedTuple):
    """A part of a file that is a program of its own.

    `key` names it: the path in the suite and the chunk's number.
    """

    path: str
    index: int
    first_line: int
    text: str

    @property
    def key(self) -> str:
        return f"{self.path}#{self.index}"

    @property
    def folder(self) -> str:
        """The part of the suite that a table counts it under."""
        parts = self.path.split("/")[1:-1]
        return "/".join(parts[:2])


def split(text: str) -> list[tuple[int, str]]:
    """Returns the parts of a text between `// -----` lines, each with the number of its first line."""
    parts: list[tuple[int, str]] = []
    start, line = 0, 1
    for match in SPLIT.finditer(text):
        part = text[start : match.start()]
        parts.append((line, part))
        line += part.count("\n") + match[0].count("\n")
        start = match.end()
    parts.append((line, text[start:]))
    return parts


def chunks(suite: Path, only: str = "") -> Iterator[Chunk]:
    """Yields every chunk of the suite's files whose path contains `only`, in the order of their paths."""
    for folder in FOLDERS:
        for path in sorted((suite / folder).rglob("*.mlir")):
            relative = path.relative_to(suite).as_posix()
            if only in relative:
                text = path.read_text("utf-8", "surrogateescape")
                for index, (line, part) in enumerate(split(text)):
                    yield Chunk(relative, index, line, part)
