"""One program of a cell, taken apart: what it defines, what runs at once, what its last line names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from shlo.dialects import find_op_def
from shlo.ir.attributes import StringAttr
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Block, Operation
from shlo.ir.source import Source, Span
from shlo.ir.types import Type
from shlo.syntax import Cell, parse_cell
from shlo.syntax.lexer.tokens import NAME
from shlo_kernel.cells.definitions import Definition, TopLevelOps

_NAMES: Final = re.compile(
    rf"^[ \t]*%{NAME}(?:#[0-9]+)?(?:[ \t]*,[ \t]*%{NAME}(?:#[0-9]+)?)*[ \t]*(?://[^\n]*)?$", re.ASCII
)
_NAME: Final = re.compile(rf"%({NAME}(?:#[0-9]+)?)", re.ASCII)


@dataclass(slots=True)
class Part:
    """One program of a cell. `shown` are the names on its last line, without `%`, and where they are."""

    source: Source
    diagnostics: tuple[Diagnostic, ...]
    resources: Mapping[tuple[str, ...], str | bytes]
    shown: list[tuple[str, Span]]
    definitions: list[Definition] = field(default_factory=list[Definition])
    top_level: TopLevelOps | None = None

    @property
    def has_errors(self) -> bool:
        """Whether the part cannot be carried out."""
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)


def read_part(source: Source, given: Mapping[str, Type]) -> Part:
    """Reads one program of a cell, which may use values of the session; `given` are their types by name."""
    text, shown = _without_names(source.text)
    cell = parse_cell(Source(text, source.name), given)
    part = Part(source, cell.diagnostics, cell.resources, shown)
    if not part.has_errors:
        part.diagnostics += tuple(_sort(cell, part))
    return part


def _without_names(text: str) -> tuple[str, list[tuple[str, Span]]]:
    """Returns a text whose last line is blank where it only names values, and these names with their
    places."""
    end = len(text.rstrip())
    start = text.rfind("\n", 0, end) + 1
    line = text[start:end]
    if not _NAMES.match(line):
        return text, []
    code = line.partition("//")[0]
    names = [(match[1], Span(start + match.start(), start + match.end())) for match in _NAME.finditer(code)]
    return text[:start] + " " * (end - start) + text[end:], names


def _sort(cell: Cell, part: Part) -> Iterator[Diagnostic]:
    """Sorts the outermost operations into the part; yields what is where it cannot be."""
    operations: list[Operation] = []
    spans: list[Span] = []
    for operation, span in _placed(cell.block, 0):
        if operation.name == "builtin.module":
            yield from _unpack(operation, span, part)
        elif name_of(operation) is not None:
            yield from _define(operation, span, part)
        elif (op_def := find_op_def(operation.name)) is not None and op_def.has("terminator"):
            yield Diagnostic(f"'{operation.name}' ends a function, and here is none", span)
        else:
            operations.append(operation)
            spans.append(span)
    if operations:
        part.top_level = TopLevelOps(part.source, operations, spans, cell.values, cell.used)


def _placed(block: Block, base: int) -> Iterator[tuple[Operation, Span]]:
    return ((operation, block.span(index, base)) for index, operation in enumerate(block.operations))


def _unpack(module: Operation, span: Span, part: Part) -> Iterator[Diagnostic]:
    """Takes over what a module holds."""
    for block in module.regions[0].blocks:
        for operation, place in _placed(block, span.start):
            if name_of(operation) is None:
                yield Diagnostic("what runs at once must be outside of a module", place)
            else:
                yield from _define(operation, place, part)


def _define(operation: Operation, span: Span, part: Part) -> Iterator[Diagnostic]:
    name = name_of(operation)
    assert name is not None
    if any(definition.name == name for definition in part.definitions):
        yield Diagnostic(f"redefinition of symbol '{name}' in the same cell", span)
    part.definitions.append(Definition(name, operation, part.source, span))


def name_of(operation: Operation) -> str | None:
    """Returns the name that an operation defines as a symbol, None where it defines none."""
    name = operation.attribute("sym_name")
    return name.value if isinstance(name, StringAttr) else None
