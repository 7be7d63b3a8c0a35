"""Cascading errors: findings that follow from what the parser could not read are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic, Fix, Related
from shlo.ir.op_path import OpFinder, OpPath, iter_header_spans, root_of
from shlo.ir.operations import BROKEN, Block, Module, ValueTable
from shlo.ir.source import Span
from shlo.ir.suggestions import Rename, advise
from shlo.ir.types import Type, UnknownType
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
    errors = [error for error in unreadable if error.severity == "error"]
    collected = list(findings)
    if not errors or not collected:  # the rest takes seconds where there are thousands of errors
        yield from collected
        return
    finder = OpFinder(root_of(module, text))
    broken = [finder.innermost(error.span.start) for error in errors]
    touched = {ancestor.start for op_path in broken for ancestor in op_path.around()}
    symbols = {name for op_path in broken for name in _symbols(text, op_path)}
    is_structure_read = all(_is_about_use(error, op_path, text) for error, op_path in zip(errors, broken))
    for finding in collected:
        op_path = finder.innermost(finding.span.start)
        is_cascading = op_path.start in touched or (finding.code in STRUCTURE and not is_structure_read)
        if not is_cascading and symbols.isdisjoint(_symbols(text, op_path)):
            yield finding


def _is_about_use(finding: Diagnostic, op_path: OpPath, text: str) -> bool:
    """Returns whether what the parser found is about a value that an operation uses: the operation is there,
    and so are the blocks around it."""
    is_inside = op_path.operation.name != BROKEN and op_path.start < finding.span.start
    return is_inside and _USE.fullmatch(text, *finding.span) is not None


def with_name_suggestions(
    diagnostics: Iterable[Diagnostic], module: Module, text: str, starts_document: bool = True
) -> Iterator[Diagnostic]:
    """Yields the parser's findings; one about an undefined value suggests a result without a name, or else
    the nearest name. Lines are named where the text starts its document."""
    suggester = _ValueNameSuggester(module, text)
    for finding in diagnostics:
        match = _VALUE.match(text, finding.span.start)
        if match is None or finding.severity != "error" or match.end() > finding.span.end:
            yield finding
        elif op_path := suggester.find_nameless(match[1], finding.span):
            yield _with_missing_name(finding, match[1], op_path, text, starts_document)
        else:
            close = suggester.find(match[1], finding.span.start)
            rename = Rename(f"%{match[1]}", f"%{close}", "value")
            yield replace(finding, suggestions=(rename,)) if close else finding


def _with_missing_name(
    finding: Diagnostic, name: str, op_path: OpPath, text: str, starts_document: bool
) -> Diagnostic:
    """Returns a finding about an undefined value that proposes its name for results which have none."""
    count = len(op_path.operation.results)
    written = f"%{name} = " if count == 1 else f"%{name}:{count} = "
    line = text.count("\n", 0, op_path.start) + 1
    where = f"line {line}" if starts_document else op_path.operation.name
    what = f"the result of {where} has" if count == 1 else f"the results of {where} have"
    return replace(
        finding,
        suggestions=advise(f"{what} no name: expected `{written}`?"),
        related=(Related(Span(op_path.start, op_path.start + 1), "a result without a name"),),
        fix=Fix(f"insert '{written.strip()}'", Span(op_path.start, op_path.start), written),
    )


class _ValueNameSuggester:
    """Suggests names of values, in functions with few enough of them that it costs no time while typing."""

    def __init__(self, module: Module, text: str) -> None:
        self._module, self._finder = module, OpFinder(root_of(module, text))
        self._nearest = NameSuggester()
        self._known: dict[int, dict[str, None]] = {}  # by the id of a table
        self._nameless: dict[int, list[int]] = {}  # indices of operations, by the id of their block

    def find(self, name: str, offset: int) -> str | None:
        """Returns the known name nearest to one at an offset, None where it is known itself or none is like
        it.
        """
        if self._nearest.limit_reached:
            return None
        names = self._names_at(self._finder.innermost(offset))
        return None if name in names or len(names) > MOST else self._nearest(name, names)

    def find_nameless(self, name: str, span: Span) -> OpPath | None:
        """Returns the nearest operation before a use of an unknown name whose results have no name, and the
        type of the use.
        """
        use = self._finder.innermost(span.start)
        names = self._names_at(use)
        if self._nearest.limit_reached or name in names or len(names) > MOST:
            return None
        wanted = type_of_use(use, name)
        for op_path in use.around():
            if op_path.parent is None:
                continue
            block = op_path.parent.operation.regions[op_path.region].blocks[op_path.block]
            for index in self._nameless_in(block, op_path.values):
                operation, (start, end) = block.operations[index], block.span(index, op_path.parent.start)
                if end <= op_path.start and (wanted is None or wanted in operation.result_types):
                    return OpPath(operation, start, end, op_path.parent, op_path.region, op_path.block)
        return None

    def _nameless_in(self, block: Block, table: ValueTable) -> list[int]:
        """Returns the operations of a block whose results have no name, the last first."""
        if id(block) not in self._nameless:
            self._nameless[id(block)] = [
                index
                for index in reversed(range(len(block.starts)))
                if (results := block.operations[index].results)
                and not any(table.names[value] for value in results)
            ]
        return self._nameless[id(block)]

    def _names_at(self, op_path: OpPath) -> dict[str, None]:
        regions = op_path.parent.operation.regions if op_path.parent else ()
        return self._names(regions[0].values) if regions else {}

    def _names(self, table: ValueTable) -> dict[str, None]:
        """Returns the names of the values that are defined, or enough of them to tell that there are too
        many.
        """
        if id(table) not in self._known:
            values = islice(declared(self._module.body, table), 2 * MOST)
            self._known[id(table)] = {table.names[value]: None for value in values}
        return self._known[id(table)]


def type_of_use(use: OpPath, name: str) -> Type | None:
    """Returns the type that an operation gives an operand by its name."""
    names = use.values.names
    for value, type_ in zip(use.operation.operands, use.operation.operand_types):
        if names[value].partition("#")[0] == name and not isinstance(type_, UnknownType):
            return type_
    return None


def _symbols(text: str, op_path: OpPath) -> Iterator[str]:
    """Yields the symbols on an operation's first lines."""
    start, end = next(iter_header_spans(op_path))
    return (match[0] for match in _SYMBOL.finditer(text, start, min(end, start + _MAX_HEAD)))
