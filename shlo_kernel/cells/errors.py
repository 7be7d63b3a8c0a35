"""Why a cell was not carried out."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.ir.diagnostics import Diagnostic
from shlo.text.escape import escaped
from shlo.text.styled import ansi_text
from shlo_kernel.mime.bundle import cell_lines

_NAMES = {"execution": "ExecutionError", "request": "RequestError", "syntax": "ParseError"}
"""What kind of error a finding's code stands for; any other is the verifier's."""


class CellFailure(Exception):
    """What a notebook shows of a cell that failed: what kind of error it is, its message, and a text that
    tells where, in a terminal's colours."""

    def __init__(self, name: str, message: str, text: str) -> None:
        super().__init__(message)
        self.name, self.message, self.text = name, escaped(message), text


def failure_of(source: str, diagnostics: Sequence[Diagnostic], label: str) -> CellFailure:
    """The failure that findings in a text tell of, an error being among them."""
    first = next(found for found in diagnostics if found.severity == "error")
    text = ansi_text(cell_lines(source, diagnostics, label))
    return CellFailure(_NAMES.get(first.code, "VerificationError"), first.message, text)
