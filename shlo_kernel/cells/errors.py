"""Errors of cells: a message and excerpts of the cell with carets."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.diagnostics import Diagnostic
from shlo.text.escape import escaped
from shlo.text.styled import ansi_text
from shlo_kernel.mime.bundle import cell_lines

_NAMES = {"execution": "ExecutionError", "request": "RequestError", "syntax": "ParseError"}
"""The kind of error by a finding's code; any other code is the verifier's."""


class CellError(Exception):
    """Raised for a cell that fails.

    Args:
        name: the kind of error that front ends show.
        message: one line about it.
        text: message and excerpts of the cell with carets, with a terminal's codes for colours.
    """

    def __init__(self, name: str, message: str, text: str) -> None:
        super().__init__(escaped(message))
        self.name, self.message, self.text = name, escaped(message), text

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a trace of Python."""
        return self.text.split("\n")


def cell_error(source: str, diagnostics: Sequence[Diagnostic], label: str) -> CellError:
    """Returns the error for findings in a text, at least one of which is an error."""
    first = next(found for found in diagnostics if found.severity == "error")
    text = ansi_text(cell_lines(source, diagnostics, label))
    return CellError(_NAMES.get(first.code, "VerificationError"), first.message, text)
