"""Cascading errors: findings that follow from what the parser could not read are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.op_path import OpFinder, OpPath, iter_header_spans, root_of
from shlo.ir.operations import BROKEN, Module, ValueTable
from shlo.syntax.lexer.tokens import STRING
from shlo.text.suggest import MOST, NameSuggester
from shlo.verifier.dominance import declared

_SYMBOL: Final = re.compile(rf"@(?:[\w$.-]+|{STRING})", re.ASCII)
_VALUE: Final = re.compile(r"%([\w$.-]+)", re.ASCII)
_USE: Final = re.compile(r"%[\w$.-]+(?:#[0-9]+)?", re.ASCII)
_MAX_HEAD: Final = 500
"""How many characters of an operation are looked through for symbols."""
STRUCTURE: Final = frozenset(
    (
        *("missing-terminator", "wrong-terminator", "misplaced-terminator", "misplaced-symbol"),
        *("block-count", "region-count", "block-arguments", "successors", "func.func-A6"),
    )
)
"""Codes that say how blocks and regions are built."""


def without_cascading(
    findings: Iterable[Diagnostic], unreadable: Sequence[Diagnostic], module: Module, text: str
) -> Iterator[Diagnostic]:
    """Yields the verifier's findings about a module that do not follow from what the parser found.

    A brace too many changes how blocks end; an operation that cannot be read is missing in its block, and as
    the function that others call.
    """
    errors = [each for each in unreadable if each.severity == "error"]
    found = list(findings)
    if not errors or not found:  # the rest takes seconds where there are thousands of errors
        yield from found
        return
    finder = OpFinder(root_of(module, text))
    broken = [finder.innermost(each.span.start) for each in errors]
    touched = {place.start for each in broken for place in each.around()}
    symbols = {name for place in broken for name in _symbols(text, place)}
    is_structure_read = all(_is_about_use(each, place, text) for each, place in zip(errors, broken))
    for finding in found:
        place = finder.innermost(finding.span.start)
        is_cascading = place.start in touched or (finding.code in STRUCTURE and not is_structure_read)
        if not is_cascading and symbols.isdisjoint(_symbols(text, place)):
            yield finding


def _is_about_use(finding: Diagnostic, place: OpPath, text: str) -> bool:
    """Returns whether what the parser found is about a value that an operation uses: the operation is there,
    and so are the blocks around it."""
    is_inside = place.operation.name != BROKEN and place.start < finding.span.start
    return is_inside and _USE.fullmatch(text, *finding.span) is not None


def with_name_suggestions(found: Iterable[Diagnostic], module: Module, text: str) -> Iterator[Diagnostic]:
    """Yields the parser's findings; one about an undefined value suggests the nearest name."""
    suggester = _ValueNameSuggester(module, text)
    for finding in found:
        match = _VALUE.match(text, finding.span.start)
        is_value = finding.severity == "error" and match is not None and match.end() <= finding.span.end
        close = suggester.find(match[1], finding.span.start) if match and is_value else None
        yield replace(finding, help=f"did you mean %{close}?") if close else finding


class _ValueNameSuggester:
    """Suggests names of values, in functions with few enough of them that it costs no time while typing."""

    def __init__(self, module: Module, text: str) -> None:
        self._module, self._finder = module, OpFinder(root_of(module, text))
        self._nearest = NameSuggester()
        self._known: dict[int, dict[str, None]] = {}  # by the id of a table

    def find(self, name: str, offset: int) -> str | None:
        """Returns the known name nearest to one at an offset, None where it is known itself or none is like
        it.
        """
        if self._nearest.limit_reached:
            return None
        parent = self._finder.innermost(offset).parent
        regions = parent.operation.regions if parent else ()
        known = self._names(regions[0].values) if regions else {}
        return None if name in known or len(known) > MOST else self._nearest(name, known)

    def _names(self, table: ValueTable) -> dict[str, None]:
        """Returns the names of the values that are defined, or enough of them to tell that there are too
        many.
        """
        if id(table) not in self._known:
            values = islice(declared(self._module.body, table), 2 * MOST)
            self._known[id(table)] = {table.names[value]: None for value in values}
        return self._known[id(table)]


def _symbols(text: str, place: OpPath) -> Iterator[str]:
    """Yields the symbols on an operation's first lines."""
    start, end = next(iter_header_spans(place))
    return (match[0] for match in _SYMBOL.finditer(text, start, min(end, start + _MAX_HEAD)))
