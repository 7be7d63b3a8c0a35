"""Where an operation is: its line of Python first, then its line in the program's text."""

from __future__ import annotations

from msgspec import Struct

from shlo.places.origins import Origin
from shlo.places.words import short_line_text


class Place(Struct, frozen=True):
    """An operation, its line in the program's text (None where nothing tells), and where it came from."""

    operation: str = ""
    line: int | None = None
    origin: Origin = Origin()

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
