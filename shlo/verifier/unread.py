"""What the verifier finds that follows from what the parser could not read: no second message for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Module
from shlo.ir.places import Place, innermost, own_stretches, root_of

_SYMBOL: Final = re.compile(r'@(?:[\w$.-]+|"(?:[^"\\\n]|\\.)*")', re.ASCII)
_MAX_HEAD: Final = 500
"""How many characters of an operation are looked through for symbols."""
STRUCTURE: Final = frozenset(
    (
        *("missing-terminator", "wrong-terminator", "misplaced-terminator", "misplaced-symbol"),
        *("block-count", "region-count", "block-arguments", "successors", "func.func-A6"),
    )
)
"""Codes that say how blocks and regions are built."""


def without_echoes(
    findings: Iterable[Diagnostic], unread_at: Sequence[Diagnostic], module: Module, text: str
) -> Iterator[Diagnostic]:
    """The verifier's findings about a module that do not follow from what the parser found: a brace too many
    changes how blocks end, an operation that cannot be read is missing around it, or as the function that
    others call."""
    errors = [each for each in unread_at if each.severity == "error"]
    if not errors:
        yield from findings
        return
    root = root_of(module, text)
    unread = [innermost(root, each.span.start) for each in errors]
    touched = {place.start for each in unread for place in each.around()}
    symbols = {name for place in unread for name in _symbols(text, place)}
    for finding in findings:
        place = innermost(root, finding.span.start)
        is_echo = finding.code in STRUCTURE or place.start in touched
        if not is_echo and symbols.isdisjoint(_symbols(text, place)):
            yield finding


def _symbols(text: str, place: Place) -> Iterator[str]:
    """The symbols on an operation's first lines."""
    start, end = own_stretches(place)[0]
    return (match[0] for match in _SYMBOL.finditer(text, start, min(end, start + _MAX_HEAD)))
