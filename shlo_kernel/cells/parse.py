"""A cell taken apart: StableHLO with magics in between, lines `%name ...`, or `%%name ...` before the rest.

Of one program: what it defines, what runs at once, what its last line names.

Values are written with a percent sign too. A line is a magic's where nothing of an operation follows the
name, and a name alone is a magic's where no value has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Block, Module, Operation
from shlo.ir.source import Source, Span
from shlo.ir.suggestions import advise
from shlo.ir.types import Type
from shlo.syntax import Cell, parse_cell
from shlo.syntax.lexer.tokens import NAME, line_span
from shlo.verifier.op_cursor import is_terminator
from shlo_kernel.cells.definitions import CellDefinition, TopLevelOps

_LINE: Final = re.compile(
    r"^(?P<mark>%%?)(?P<name>[A-Za-z_]\w*)(?:[ \t]+(?![=:,)#{>]|-(?!-))(?P<argument>[^\r\n]*?))?[ \t\r]*$",
    re.MULTILINE | re.ASCII,
)
_ABOVE: Final = re.compile(r"(?:[ \t\r\n]+|//[^\n]*)*")
_NAMES: Final = re.compile(
    rf"^[ \t]*%{NAME}(?:#[0-9]+)?(?:[ \t]*,[ \t]*%{NAME}(?:#[0-9]+)?)*[ \t]*(?://[^\n]*)?$", re.ASCII
)
_NAME: Final = re.compile(rf"%({NAME}(?:#[0-9]+)?)", re.ASCII)


class MagicCall(Struct, frozen=True):
    """A magic's line: its name, what follows, its span, and below `%%` the rest of the cell."""

    name: str
    argument: str
    span: Span
    body: Span | None = None


CellPiece = MagicCall | Span
"""A magic, or a stretch of StableHLO."""


def split_cell(text: str, is_magic: Callable[[str, bool], bool]) -> Iterator[CellPiece]:
    """Yields what a cell consists of, in order. `is_magic` is asked, with a name and whether nothing follows
    it, if a line that looks like a magic's is one."""
    start = 0
    for line in _LINE.finditer(text):
        name, argument = line["name"], line["argument"] or ""
        if line["mark"] == "%%":
            above = _ABOVE.match(text)
            if above is not None and above.end() == line.start():
                end = line_span(text, line.start()).end
                yield MagicCall(name, argument, Span(*line.span()), Span(min(end + 1, len(text)), len(text)))
                return
        elif is_magic(name, not argument):
            yield from _program(text, start, line.start())
            yield MagicCall(name, argument, Span(*line.span()))
            start = line.end()
    yield from _program(text, start, len(text))


def _program(text: str, start: int, end: int) -> Iterator[Span]:
    if text[start:end].strip():
        yield Span(start, end)


class CellProgram(Struct):
    """One program of a cell. `shown` are the names on its last line, without `%`, and where they are."""

    source: Source
    diagnostics: tuple[Diagnostic, ...]
    resources: Mapping[tuple[str, ...], str | bytes]
    shown: list[tuple[str, Span]]
    definitions: list[CellDefinition] = field(default_factory=list[CellDefinition])
    modules: list[Module] = field(default_factory=list[Module])
    top_level: TopLevelOps | None = None

    @property
    def has_errors(self) -> bool:
        """Whether the part cannot be carried out."""
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)


def read_part(text: str, source: Source, types: Mapping[str, Type]) -> CellProgram:
    """Reads one program of a cell, which may use values of the session; `given` are their types by name.
    `source` is the whole cell, `text` that with nothing but blanks outside of the program."""
    text, shown = _without_names(text)
    cell = parse_cell(Source(text, source.name), types)
    part = CellProgram(source, tuple(map(_outside_of_functions, cell.diagnostics)), cell.resources, shown)
    if not part.has_errors:
        part.diagnostics += tuple(_sort(cell, part))
    return part


def outermost_block(text: str, types: Mapping[str, Type]) -> Block | None:
    """Returns the outermost operations of one program of a cell, None where it has errors. The arguments are
    those of `read_part`."""
    cell = parse_cell(Source(_without_names(text)[0], "<cell>"), types)
    return None if any(finding.severity == "error" for finding in cell.diagnostics) else cell.block


def _outside_of_functions(finding: Diagnostic) -> Diagnostic:
    """Returns a finding, one about a `return` among top-level ops in the words of a cell."""
    if finding.message != "expected an operation, but found 'return'":
        return finding
    message = "'return' ends a function, and here is none"
    return replace(finding, message=message, suggestions=advise("a last line of names, %x, shows values"))


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
            (match[1], Span(start + match.start(), start + match.end())) for match in _NAME.finditer(code)
        )
        text = text[:start] + " " * (end - start) + text[end:]
        end = len(text[:start].rstrip())
    return text, names


def _sort(cell: Cell, part: CellProgram) -> Iterator[Diagnostic]:
    """Sorts the outermost operations into the part; yields what is where it cannot be."""
    operations: list[Operation] = []
    spans: list[Span] = []
    for operation, span in _placed(cell.block, 0):
        if operation.name == "builtin.module":
            module = Module(operation, part.source, (), part.resources, span.start)
            part.modules.append(module)
            members = (member for block in module.body.blocks for member in _placed(block, module.start))
            for member, member_span in members:
                if member.symbol is None:
                    yield Diagnostic("what runs at once must be outside of a module", member_span)
        elif operation.symbol is not None:
            name = operation.symbol
            if any(definition.name == name for definition in part.definitions):
                yield Diagnostic(f"redefinition of symbol '{name}' in the same cell", span)
            part.definitions.append(CellDefinition(name, operation, part.source, span))
        elif is_terminator(operation):
            yield Diagnostic(f"'{operation.name}' ends a function, and here is none", span)
        else:
            operations.append(operation)
            spans.append(span)
    if operations:
        part.top_level = TopLevelOps(part.source, operations, spans, cell.values, cell.used)


def _placed(block: Block, base: int) -> Iterator[tuple[Operation, Span]]:
    return ((operation, block.span(index, base)) for index, operation in enumerate(block.operations))
