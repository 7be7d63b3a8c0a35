"""Where an operation is: its line of Python first, then its line in the program's text."""

from __future__ import annotations

import sys
from typing import Any

from msgspec import Struct

from shlo.places.origins import Origin, SourceLine
from shlo.text.escape import sanitized


class Place(Struct, frozen=True):
    """An operation, its line in the program's text (None where nothing tells), and where it came from.

    `location` is that line as `file:line:column`, where the text has a name.
    """

    operation: str = ""
    line: int | None = None
    origin: Origin = Origin()
    location: str = ""

    @classmethod
    def at(cls, operation: str, location: str | None, origin: Origin) -> Place:
        """Returns the place of an operation at `file:line:column`, None where nothing tells."""
        parts = (location or "").rsplit(":", 2)
        line = int(parts[1]) if len(parts) == 3 and parts[1].isdecimal() else None
        return cls(operation, line, origin, location or "")

    @property
    def where(self) -> str:
        """The lines in words, `train.py:18 loss (MLIR line 33)`; `line 33` where none is of Python."""
        python = short_line_text(self.origin.line)
        if self.line is None:
            return python
        return f"{python} (MLIR line {self.line})" if python else f"line {self.line}"

    @property
    def text(self) -> str:
        """The operation with its lines: `stablehlo.sqrt at train.py:18 loss (MLIR line 33)`."""
        if not self.where:
            return self.operation
        return f"{self.operation} {'at' if self.origin.line else 'on'} {self.where}"


def cell_name(path: str) -> str | None:
    """Returns what a notebook of Python calls the cell that a path is of, `In[3]`; None for other files."""
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython is not None else None
    cells: dict[str, int] = getattr(getattr(shell, "compile", None), "_filename_map", {})
    return f"In[{cells[path]}]" if path in cells else None


def line_text(line: SourceLine | None) -> str | None:
    """Returns a line of Python as `file.py:12 in function`, unsanitized; None for none."""
    if line is None:
        return None
    inside = f" in {line.function}" if line.function else ""
    return f"{cell_name(line.file) or line.file}:{line.line}{inside}"


def short_line_text(line: SourceLine | None) -> str:
    """Returns a line of Python as `file.py:12 function`, without folders, sanitized; empty for none."""
    if line is None:
        return ""
    return sanitized(f"{short_file_text(line.file)}:{line.line} {line.function}".rstrip())


def short_file_text(path: str) -> str:
    """Returns a file without folders, sanitized; a cell of a notebook as `In[3]`."""
    return sanitized(cell_name(path) or path.replace("\\", "/").rpartition("/")[2])


def line_data(line: SourceLine | None) -> dict[str, Any] | None:
    """Returns a line of Python for `--format json`; None for none."""
    return None if line is None else {"file": line.file, "line": line.line, "function": line.function}
