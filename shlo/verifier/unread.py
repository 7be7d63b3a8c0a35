"""What the parser could not read: what follows from it is no second mistake; which names may be meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from shlo.dialects.names import Nearest
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Module
from shlo.ir.places import Place, innermost, own_stretches, root_of
from shlo.verifier.dominance import declared

_SYMBOL: Final = re.compile(r'@(?:[\w$.-]+|"(?:[^"\\\n]|\\.)*")', re.ASCII)
_VALUE: Final = re.compile(r"%([\w$.-]+)", re.ASCII)
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


def with_meant_names(found: Iterable[Diagnostic], module: Module, text: str) -> Iterator[Diagnostic]:
    """The parser's findings; one at the name of a value that nothing defines says which name may be meant."""
    nearest = Nearest()
    for finding in found:
        match = _VALUE.match(text, finding.span.start)
        is_value = finding.severity == "error" and match is not None and match.end() <= finding.span.end
        close = _meant(match[1], finding.span.start, module, text, nearest) if match and is_value else None
        yield replace(finding, help=f"did you mean %{close}?") if close else finding


def _meant(name: str, offset: int, module: Module, text: str, nearest: Nearest) -> str | None:
    parent = innermost(root_of(module, text), offset).parent
    tables = [region.values for region in parent.operation.regions] if parent else []
    known = {table.names[value]: None for table in tables[:1] for value in declared(module.body, table)}
    return None if name in known else nearest(name, known)


def _symbols(text: str, place: Place) -> Iterator[str]:
    """The symbols on an operation's first lines."""
    start, end = own_stretches(place)[0]
    return (match[0] for match in _SYMBOL.finditer(text, start, min(end, start + _MAX_HEAD)))
