"""One program of a cell, taken apart: what it defines, what runs at once, what its last line names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Block, Module, Operation
from shlo.ir.source import Source, Span
from shlo.ir.types import Type
from shlo.syntax import Cell, parse_cell
from shlo.syntax.lexer.tokens import NAME
from shlo.verifier.op_cursor import is_terminator
from shlo_kernel.cells.definitions import Definition, TopLevelOps

_NAMES: Final = re.compile(
    rf"^[ \t]*%{NAME}(?:#[0-9]+)?(?:[ \t]*,[ \t]*%{NAME}(?:#[0-9]+)?)*[ \t]*(?://[^\n]*)?$", re.ASCII
)
_NAME: Final = re.compile(rf"%({NAME}(?:#[0-9]+)?)", re.ASCII)


class Part(Struct):
    """One program of a cell. `shown` are the names on its last line, without `%`, and where they are."""

    source: Source
    diagnostics: tuple[Diagnostic, ...]
    resources: Mapping[tuple[str, ...], str | bytes]
    shown: list[tuple[str, Span]]
    definitions: list[Definition] = field(default_factory=list[Definition])
    modules: list[Module] = field(default_factory=list[Module])
    top_level: TopLevelOps | None = None

    @property
    def has_errors(self) -> bool:
        """Whether the part cannot be carried out."""
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)


def read_part(text: str, source: Source, given: Mapping[str, Type]) -> Part:
    """Reads one program of a cell, which may use values of the session; `given` are their types by name.
    `source` is the whole cell, `text` that with nothing but blanks outside of the program."""
    text, shown = _without_names(text)
    cell = parse_cell(Source(text, source.name), given)
    part = Part(source, tuple(map(_outside_of_functions, cell.diagnostics)), cell.resources, shown)
    if not part.has_errors:
        part.diagnostics += tuple(_sort(cell, part))
    return part


def outermost_block(text: str, given: Mapping[str, Type]) -> Block | None:
    """Returns the outermost operations of one program of a cell, None where it has errors. The arguments are
    those of `read_part`."""
    cell = parse_cell(Source(_without_names(text)[0], "<cell>"), given)
    return None if any(found.severity == "error" for found in cell.diagnostics) else cell.block


def _outside_of_functions(finding: Diagnostic) -> Diagnostic:
    """Returns a finding, one about a `return` among top-level ops in the words of a cell."""
    if finding.message != "expected an operation, but found 'return'":
        return finding
    message = "'return' ends a function, and here is none"
    return replace(finding, message=message, help="a last line of names, %x, shows values")


def _without_names(text: str) -> tuple[str, list[tuple[str, Span]]]:
    """Returns a text whose last lines are blank where they only name values, and these names with their
    places."""
    names: list[tuple[str, Span]] = []
    end = len(text.rstrip())
    while end:
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end]
        if not _NAMES.match(line):
            break
        code = line.partition("//")[0]
        names[:0] = (
            (each[1], Span(start + each.start(), start + each.end())) for each in _NAME.finditer(code)
        )
        text = text[:start] + " " * (end - start) + text[end:]
        end = len(text[:start].rstrip())
    return text, names


def _sort(cell: Cell, part: Part) -> Iterator[Diagnostic]:
    """Sorts the outermost operations into the part; yields what is where it cannot be."""
    operations: list[Operation] = []
    spans: list[Span] = []
    for operation, span in _placed(cell.block, 0):
        if operation.name == "builtin.module":
            part.modules.append(Module(operation, part.source, (), part.resources, span.start))
            yield from _check(part.modules[-1])
        elif operation.symbol is not None:
            yield from _define(operation, span, part)
        elif is_terminator(operation):
            yield Diagnostic(f"'{operation.name}' ends a function, and here is none", span)
        else:
            operations.append(operation)
            spans.append(span)
    if operations:
        part.top_level = TopLevelOps(part.source, operations, spans, cell.values, cell.used)


def _placed(block: Block, base: int) -> Iterator[tuple[Operation, Span]]:
    return ((operation, block.span(index, base)) for index, operation in enumerate(block.operations))


def _check(module: Module) -> Iterator[Diagnostic]:
    """Yields what a module holds that runs at once."""
    for block in module.body.blocks:
        for operation, place in _placed(block, module.start):
            if operation.symbol is None:
                yield Diagnostic("what runs at once must be outside of a module", place)


def _define(operation: Operation, span: Span, part: Part) -> Iterator[Diagnostic]:
    name = operation.symbol
    assert name is not None
    if any(definition.name == name for definition in part.definitions):
        yield Diagnostic(f"redefinition of symbol '{name}' in the same cell", span)
    part.definitions.append(Definition(name, operation, part.source, span))
