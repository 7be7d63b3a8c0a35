"""What the parser could not read: what follows from it is no second mistake; which names may be meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.op_path import Place, innermost, iter_own_stretches, root_of
from shlo.ir.operations import Module, ValueTable
from shlo.text.suggest import MOST, NameSuggester
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
    meant = _MeantNames(module, text)
    for finding in found:
        match = _VALUE.match(text, finding.span.start)
        is_value = finding.severity == "error" and match is not None and match.end() <= finding.span.end
        close = meant.find(match[1], finding.span.start) if match and is_value else None
        yield replace(finding, help=f"did you mean %{close}?") if close else finding


class _MeantNames:
    """Looks for the names of values that are meant, in functions with so few that it takes no time that
    somebody would feel while typing."""

    def __init__(self, module: Module, text: str) -> None:
        self._module, self._text = module, text
        self._nearest = NameSuggester()
        self._known: dict[int, dict[str, None]] = {}  # by the id of a table

    def find(self, name: str, offset: int) -> str | None:
        """The name that is meant by one at an offset; None where it is known itself, or none is like it."""
        if self._nearest.limit_reached:
            return None
        parent = innermost(root_of(self._module, self._text), offset).parent
        regions = parent.operation.regions if parent else ()
        known = self._names(regions[0].values) if regions else {}
        return None if name in known or len(known) > MOST else self._nearest(name, known)

    def _names(self, table: ValueTable) -> dict[str, None]:
        """The names of the values that are defined, or as many of them as show that there are too many."""
        if id(table) not in self._known:
            values = islice(declared(self._module.body, table), 2 * MOST)
            self._known[id(table)] = {table.names[value]: None for value in values}
        return self._known[id(table)]


def _symbols(text: str, place: Place) -> Iterator[str]:
    """The symbols on an operation's first lines."""
    start, end = next(iter_own_stretches(place))
    return (match[0] for match in _SYMBOL.finditer(text, start, min(end, start + _MAX_HEAD)))
