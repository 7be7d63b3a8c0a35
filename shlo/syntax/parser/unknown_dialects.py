"""Operations in pretty forms that no definition describes: what is said of them, once for each dialect.

MLIR parses a pretty form with the code of its dialect. An operation of a dialect that is not known can be
read in the generic form only; here it is an opaque one (`guests.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic

UNKNOWN_DIALECT: Final = "unknown-dialect"
"""The code of a diagnostic about a pretty form of a dialect that is not known."""

HELP: Final = {"mhlo": "`shlo convert --from-mhlo` reads the operations of mhlo as StableHLO's"}
"""What to do about an unknown dialect, by its name."""


def no_definition(name: str) -> str:
    """Returns the message about an operation in a pretty form that no definition describes."""
    return f"unknown operation '{name}'; unknown dialects are written in the generic form \"{name}\"(...)"


def is_guest(found: Diagnostic) -> bool:
    """Returns whether a diagnostic says no more than that an operation is one of another dialect."""
    return found.code == UNKNOWN_DIALECT and not found.suggestions


def once_per_dialect(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics, of UNKNOWN_DIALECT only the first of each dialect, which counts the others."""
    found = list(diagnostics)
    counts = Counter(_dialect_of(each) for each in found if each.code == UNKNOWN_DIALECT)
    shown: set[str] = set()
    kept: list[Diagnostic] = []
    for each in found:
        dialect = _dialect_of(each) if each.code == UNKNOWN_DIALECT else ""
        if dialect in shown:
            continue
        if dialect:
            shown.add(dialect)
        if (others := counts[dialect] - 1) > 0:
            each = replace(each, message=f"{each.message}; {others} more of '{dialect}' are not verified")
        kept.append(each)
    return kept


def _dialect_of(each: Diagnostic) -> str:
    """Returns the dialect of the operation that a message of `no_definition` names."""
    return each.message.partition("'")[2].partition(".")[0]
