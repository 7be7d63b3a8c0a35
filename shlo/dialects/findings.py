"""What is found wrong with an operation, before it has a place in a text."""

from __future__ import annotations

from msgspec import Struct

from shlo.dialects.op_bindings import OpBindings, Origin
from shlo.ir.diagnostics import Severity
from shlo.ir.suggestions import Suggestion


class Finding(Struct, frozen=True):
    """A stable code (`dot_general-C10`, `use-before-definition`), what is wrong in words, what is at fault
    (members by name, the first one first, or where it is), and what may fix it. The interpreter refuses
    an operation with one that `stops_runs`."""

    code: str
    message: str
    bindings: tuple[str, ...] = ()
    severity: Severity = "error"
    origin: Origin | None = None
    suggestions: tuple[Suggestion, ...] = ()
    stops_runs: bool = True


class Judged(Struct, frozen=True):
    """What is wrong with operations of a signature, and their members."""

    findings: tuple[Finding, ...]
    bindings: OpBindings | None = None
