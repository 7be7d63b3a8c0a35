"""What the parser, the verifier and the interpreter have to say about a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shlo.ir.source import Source, Span

Severity = Literal["error", "warning", "note", "hint"]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit that would mend a finding: what to call it, what to replace, with what."""

    title: str
    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding: a stable code (`syntax`, `dot_general-C10`), how bad, in words, and where in the source.

    `fix` is an edit that mends it, `help` says in words what does, where no edit of one place does.
    `operation` is where the name of the operation is that is wrong, where the finding is about one.
    """

    message: str
    span: Span
    code: str = "syntax"
    severity: Severity = "error"
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    operation: Span | None = None
    help: str = ""


class ShloError(Exception):
    """Base class of the errors that shlo raises for bad input."""


class ParseError(ShloError):
    """A text that is no valid program. `diagnostics` holds every finding, `source` the text they speak of."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], source: Source) -> None:
        self.diagnostics = diagnostics
        self.source = source
        first = diagnostics[0]
        line, column = source.position(first.span.start)
        more = f" (and {len(diagnostics) - 1} more)" if len(diagnostics) > 1 else ""
        super().__init__(f"{source.name}:{line}:{column}: {first.severity}: {first.message}{more}")


class PrintError(ShloError):
    """A module whose text would be too long. `place` is `file:line:column` where it is known."""

    def __init__(self, message: str, place: str | None = None) -> None:
        self.message, self.place = message, place
        super().__init__(f"{place}: error: {message}" if place else message)


class ExecutionError(ShloError):
    """A program that could not be run to its end.

    `place` is `file:line:column` where it is known, `op` the op's name.
    """

    def __init__(self, message: str, op: str | None = None, place: str | None = None) -> None:
        self.message, self.op, self.place = message, op, place
        super().__init__(f"{place}: error: {message}" if place else message)


class RefinementError(ShloError):
    """A program that is wrong for the arguments that it is refined for.

    `place` is `file:line:column` where it is known.
    """

    def __init__(self, message: str, place: str | None = None) -> None:
        self.message, self.place = message, place
        super().__init__(f"{place}: error: {message}" if place else message)


class PassError(ShloError):
    """A program that a pass cannot transform. `place` is `file:line:column` where it is known."""

    def __init__(self, message: str, place: str | None = None) -> None:
        self.message, self.place = message, place
        super().__init__(f"{place}: error: {message}" if place else message)
