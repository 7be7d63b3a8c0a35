"""Diagnostics and errors of the parser, the verifier, the interpreter and the passes."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from shlo.ir.source import Source, Span
from shlo.ir.suggestions import Applicability, Suggestion, rendered
from shlo.ir.upper_layers import error_lines
from shlo.support.picklable import PicklableError

Severity = Literal["error", "warning", "note", "hint"]


class Related(Struct, frozen=True):
    """Another place that belongs to a finding."""

    span: Span
    message: str


class Fix(Struct, frozen=True):
    """Suggested edit: title, span, replacement, and how far it can be trusted."""

    title: str
    span: Span
    replacement: str
    applicability: Applicability = Applicability.LIKELY


class Diagnostic(Struct, frozen=True):
    """A finding: a stable code (`syntax`, `dot_general-C10`), how bad, in words, and where in the source.

    `fix` is an edit that corrects it; `suggestions` are what may be done where one edit is not enough.
    `operation` is the span of the operation's name, where the finding is about one operation.
    """

    message: str
    span: Span
    code: str = "syntax"
    severity: Severity = "error"
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    operation: Span | None = None
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def help(self) -> str:
        """The suggestions in words."""
        return rendered(self.suggestions)


HINT_NOTE: Final = "hint: "
"""How a note on an error begins that says what to do about it."""


class ShloError(PicklableError):
    """Base class of the errors that shlo raises for bad input. Their messages stand alone.

    `hint` says what to do about it; Python's tracebacks show it as a note.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.hint = hint
        super().__init__(message)
        if hint:
            self.add_note(f"{HINT_NOTE}{hint}")

    @property
    def with_hint(self) -> str:
        """Message and, where there is one, hint, in one line."""
        return f"{self}; {self.hint}" if self.hint else str(self)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a trace of Python."""
        return error_lines(self)


class RequestError(ShloError):
    """What the user asked for cannot be done: a file that cannot be read, an argument that does not fit."""


class ParseError(ShloError):
    """A text that is no valid program. `diagnostics` holds every finding, `source` the text they speak of."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], source: Source) -> None:
        self.diagnostics = diagnostics
        self.source = source
        first = diagnostics[0]
        more = f" (and {len(diagnostics) - 1} more)" if len(diagnostics) > 1 else ""
        super().__init__(f"{source.place(first.span.start)}: {first.severity}: {first.message}{more}")


class PlacedError(ShloError):
    """Base class of errors at an operation: `place` is `file:line:column` where it is known."""

    def __init__(self, message: str, place: str | None = None) -> None:
        self.message, self.place = message, place
        super().__init__(f"{place}: error: {message}" if place else message)


class PrintError(PlacedError):
    """A module whose text would be too long."""


class ExecutionError(PlacedError):
    """A program that could not be run to its end. `op` is the name of the operation that failed."""

    def __init__(self, message: str, op: str | None = None, place: str | None = None) -> None:
        self.op = op
        super().__init__(message, place)


class RefinementError(PlacedError):
    """A program that is wrong for the arguments that it is refined for."""


class PassError(PlacedError):
    """A program that a pass cannot transform."""
