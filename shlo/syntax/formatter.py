"""Tidy text of a program that keeps what its author chose: names, aliases, comments, the order of everything.

An operation is written as MLIR prints it, with the names of the source. Where it uses an alias or has a
comment within, or is in the generic form and has regions, its own text stays and only its blanks are put in
order. What is between the operations (comments, definitions, empty lines) stays between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec import Struct

from shlo.ir.diagnostics import ParseError
from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN, Module, Operation, Region, Signature, ValueTable
from shlo.ir.recursion import recursive
from shlo.ir.source import Source
from shlo.support.cancellation import checked
from shlo.syntax.assembly_format.print_state import (
    ArgumentLocationPiece,
    ArgumentPiece,
    LineBreak,
    Piece,
    RegionPiece,
)
from shlo.syntax.attributes.alias_table import TextCache
from shlo.syntax.attributes.print_locations import location_text
from shlo.syntax.lexer.trivia import (
    Opening,
    Trivia,
    aliases_of,
    end_of_code,
    has_comment,
    parse_label,
    parse_opening,
    parse_trivia,
    reflowed,
    split_at,
    uses_alias,
)
from shlo.syntax.parser.definitions import once_per_dialect
from shlo.syntax.parser.line_templates import SPLIT
from shlo.syntax.parser.module import parse
from shlo.syntax.printer.location_aliases import RESULTS, is_written
from shlo.syntax.printer.module import INDENT, ModulePrinter, default_dialect_in

NO_TRIVIA = Trivia("", "", ())
GENERIC_END = re.compile(r"\}\s*\)[^:]*:\s*\(\s*\)\s*->\s*\(\s*\)")


@recursive
def format_text(source: str | Source) -> str:
    """Returns a program's text with blanks and operations in order. Raises ParseError if it has errors."""
    if isinstance(source, str):
        source = Source(source)
    module, diagnostics = parse(source)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        raise ParseError(tuple(once_per_dialect(diagnostics)), source)
    return "".join(format_module(module, source.text))


@recursive
def format_module(module: Module, source: str) -> list[str]:
    """Returns the text of a module that was read from a text without errors, line by line with their ends: a
    large text is never copied as a whole, during which no other thread would run."""
    lines: list[str] = []
    has_returns = _has_returns(source)
    for line in checked(_Formatter(module, source).lines()):
        ended = f"{line}\n"
        lines += (ended.replace("\n", "\r\n") if has_returns else ended).splitlines(keepends=True)
    return lines


def _has_returns(source: str) -> bool:
    return "\r" in source and "\r\n" in source  # one character is found much faster


class OperationFormatter:
    """Formats single operations of a module that may have errors elsewhere; theirs must have none."""

    def __init__(self, module: Module, source: str) -> None:
        self._formatter = _Formatter(module, source)
        self._has_returns = _has_returns(source)
        self.first_indent = INDENT if is_written(module) else ""
        """The indentation of the operations in the module's body."""

    def text(self, op_path: OpPath, indent: str) -> str | None:
        """Returns an operation's text, its first line not indented; None where a brace of it is missing."""
        source, parent = self._formatter.source, op_path.parent
        dialect = "builtin"
        if parent is not None and parent.parent is not None:
            dialect = default_dialect_in(parent.operation, self._formatter.is_generic(parent.start))
            if parent.operation.name == BROKEN:  # as it is written
                match, name = RESULTS.match(source, op_path.start), op_path.operation.name
                is_left_out = not source.startswith(name, match.end() if match else op_path.start)
                dialect = name.partition(".")[0] if is_left_out else ""
        end = end_of_code(source, op_path.start, op_path.end)
        placed = _SourceOp(
            op_path.operation, op_path.start, end, op_path.values, op_path.region, op_path.block
        )
        try:
            text = "\n".join(self._formatter.operation(placed, indent, dialect))
        except StopIteration:  # `split_at` found none
            return None
        return text.replace("\n", "\r\n") if self._has_returns else text


class _SourceOp(Struct, frozen=True):
    """An operation, its text's span, the values it sees, and its region and block in the operation around."""

    operation: Operation
    start: int
    end: int
    values: ValueTable
    region: int = 0
    block: int = 0


class _Body:
    """The text of a region that is indented so far: the comment behind its `{`, and its lines."""

    def __init__(self, opening: Opening, indent: str) -> None:
        """Starts with the text up to the region's first operation."""
        self.indent = indent
        self.comment = ""
        self.lines: list[str] = []
        if opening.label:
            self.add_label(opening.label, opening.trivia)
        else:
            self.comment = opening.trivia.comment
            self.add(opening.trivia.lines)

    def add(self, lines: Iterable[str]) -> None:
        """Adds lines of comments and definitions, and empty ones."""
        self.lines += [f"{self.indent}{INDENT}{line.strip()}" if line else "" for line in lines]

    def add_label(self, label: str, trivia: Trivia) -> None:
        """Adds the label of a block."""
        self.lines.append(f"{self.indent}{label}{trivia.ending()}")
        self.add(trivia.lines)

    def between(self, before: str, after: str) -> list[str]:
        """Returns the lines of a text that ends with the region's `{`, of the region, and of what follows."""
        lines = _without_ends(self.lines)
        lines.insert(0, f"{before} {self.comment}" if self.comment else before)
        lines.append(f"{self.indent}{after}")
        return lines


class _Formatter:
    def __init__(self, module: Module, source: str) -> None:
        self.module = module
        self.source = source
        self.printer = ModulePrinter(module, generic=False, locations=False)
        self.printer.text_cache = TextCache()
        self.aliases = aliases_of(source)
        self.pieces: dict[tuple[str, Signature], list[Piece]] = {}
        self.tidy: set[tuple[str, str]] = set()
        """Lines, with `%` for every name, that are in order as they are, and the dialect left out in them."""

    def lines(self) -> list[str]:
        """Returns the lines of the whole text; such that belong together may be one, with breaks in it."""
        placed = self._outermost()
        if not placed:
            return [self.source.strip("\ufeff \t\r\n")]
        lines = list(parse_trivia("\n" + self.source[: placed[0].start].lstrip("\ufeff")).lines)
        for index, placed_operation in enumerate(placed):
            end = placed[index + 1].start if index + 1 < len(placed) else len(self.source)
            trivia = parse_trivia(self.source[placed_operation.end : end])
            lines += self.operation(placed_operation, "", "builtin")
            lines[-1] += trivia.ending()
            lines += trivia.lines
        return _without_ends(lines)

    def _outermost(self) -> list[_SourceOp]:
        """Returns the operations that are outermost in the source; none where that is an empty module."""
        operation, start = self.module.operation, self.module.start
        children = list(_children(self.source, operation, start))
        if not children or not is_written(self.module):
            return children
        _, rest = split_at(self.source[children[-1].end :], "}")
        end = len(self.source) - len(rest)
        match = GENERIC_END.match(self.source, end) if self.source[start] == '"' else None
        return [_SourceOp(operation, start, match.end() if match else end + 1, self.module.body.values)]

    # -- operations ------------------------------------------------------------------------------------------

    def operation(self, placed: _SourceOp, indent: str, dialect: str) -> list[str]:
        """Returns an operation's lines, the first one not indented."""
        children = _children(self.source, placed.operation, placed.start)
        first_child = next(children, None)
        if first_child is not None:
            structures, bodies = self._parts(placed, first_child, children, indent)
        else:
            structures, bodies = [self.source[placed.start : placed.end]], {}
        pieces = self._canonical_pieces(placed, structures, bodies, dialect)
        if pieces is not None:
            return _rendered(self._results(placed.start), pieces, placed, indent, bodies)
        first, *others = [reflowed(structure, indent) for structure in structures]
        lines = [first]
        for body, text in zip(bodies.values(), others, strict=True):
            lines += body.between(lines.pop(), text)
        return lines

    def _canonical_pieces(
        self, placed: _SourceOp, structures: list[str], bodies: dict[int, _Body], dialect: str
    ) -> list[Piece] | None:
        """Returns the pieces of an operation as MLIR prints it, None where that would lose what its author
        wrote.

        `structures` are the parts of its text outside its regions, `bodies` its regions that are not empty.
        """
        if placed.operation.successors or (bodies and self.is_generic(placed.start)):
            return None
        if any(has_comment(text) or uses_alias(text, self.aliases) for text in structures):
            return None
        pieces = self._pieces(placed.operation, dialect)
        regions = {piece.index for piece in pieces if isinstance(piece, RegionPiece)}
        empty = {
            index
            for index, region in enumerate(placed.operation.regions)
            if not any(block.operations or block.arguments or block.label for block in region.blocks)
        }
        return pieces if set(bodies) <= regions <= set(bodies) | empty else None

    def _pieces(self, operation: Operation, dialect: str) -> list[Piece]:
        """Returns the pieces of an operation; those without regions are kept, many operations share them."""
        if operation.regions:
            return self.printer.pieces(operation, dialect)
        key = (dialect, operation.signature)
        if key not in self.pieces:
            self.pieces[key] = self.printer.pieces(operation, dialect)
        return self.pieces[key]

    def is_generic(self, start: int) -> bool:
        """Returns whether the operation at an offset is in the generic form."""
        match = RESULTS.match(self.source, start)
        return self.source.startswith('"', match.end() if match else start)

    def _results(self, start: int) -> str:
        """Returns the names on an operation's left."""
        match = RESULTS.match(self.source, start)
        if match is None:
            return ""
        names = re.sub(r"\s+", "", match[0]).rstrip("=")
        return f"{names.replace(',', ', ')} = "

    def _child(self, placed: _SourceOp, indent: str, dialect: str) -> list[str]:
        """Returns an operation's lines. Such that differ in names alone are formatted alike."""
        if any(block.starts for region in placed.operation.regions for block in region.blocks):
            return self.operation(placed, indent, dialect)
        written = self.source[placed.start : placed.end]
        if "\n" in written:
            return self.operation(placed, indent, dialect)
        parts = SPLIT.split(written)
        key = (dialect, "%".join(parts[::2]))
        if key in self.tidy:
            return [written]
        lines = self.operation(placed, indent, dialect)
        if lines == [written] and len(set(parts[1::2])) == len(parts) // 2:
            self.tidy.add(key)
        return lines

    # -- regions ---------------------------------------------------------------------------------------------

    def _parts(
        self, placed: _SourceOp, first: _SourceOp, others: Iterable[_SourceOp], indent: str
    ) -> tuple[list[str], dict[int, _Body]]:
        """Returns the parts of an operation's text outside its regions, and the regions between by number;
        `first` and the `others` are the operations in these."""
        opening = parse_opening(self.source[placed.start : first.start])
        dialect = default_dialect_in(placed.operation, self.is_generic(placed.start))
        structures = [opening.structure]
        bodies = {first.region: _Body(opening, indent)}
        child = first
        for following in checked(chain(others, [None])):
            body = bodies[child.region]
            lines = self._child(child, indent + INDENT, dialect)
            between = self.source[child.end : following.start if following else placed.end]
            if following is None or following.region != child.region:
                trivia, rest = split_at(between, "}")
            elif following.block != child.block:
                trivia, rest = split_at(between, "^")
            elif between.isspace() and between.count("\n") == 1:
                trivia, rest = NO_TRIVIA, ""
            else:
                trivia, rest = parse_trivia(between), ""
            lines[0] = f"{indent}{INDENT}{lines[0]}"
            lines[-1] += trivia.ending()
            body.lines += lines
            body.add(trivia.lines)
            if following is None:
                structures.append(rest)
            elif following.region != child.region:
                opening = parse_opening(rest)
                structures.append(opening.structure)
                bodies[following.region] = _Body(opening, indent)
            elif following.block != child.block:
                body.add_label(*parse_label(rest))
            child = following or child
        return structures, bodies


def _children(source: str, operation: Operation, start: int) -> Iterator[_SourceOp]:
    """Yields the operations in an operation's regions that have a text of their own."""
    for number, region in enumerate(operation.regions):
        for position, block in enumerate(region.blocks):
            for index in checked(range(len(block.starts))):
                begin, end = block.span(index, start)
                end = end_of_code(source, begin, end)
                yield _SourceOp(block.operations[index], begin, end, region.values, number, position)


def _rendered(
    results: str, pieces: list[Piece], placed: _SourceOp, indent: str, bodies: dict[int, _Body]
) -> list[str]:
    """Returns the lines of an operation: its results and pieces with the names of the source."""
    operation, names = placed.operation, placed.values.names
    lines: list[str] = []
    parts = [results]
    for piece in pieces:
        if isinstance(piece, str):
            parts.append(piece)
        elif isinstance(piece, int):
            parts.append(f"%{names[operation.operands[piece]]}")
        elif isinstance(piece, LineBreak):
            parts.append("\n" + indent)
        elif isinstance(piece, RegionPiece):
            body = bodies.get(piece.index)
            if body:
                lines += body.between("".join([*parts, "{"]), "}")
                parts = [lines.pop()]
            else:
                parts.append(f"{{\n{indent}}}")
        elif isinstance(piece, (ArgumentPiece, ArgumentLocationPiece)):
            parts.append(_argument_text(operation.regions[piece.region], piece))
    lines.append("".join(parts))
    return lines


def _argument_text(region: Region, piece: ArgumentPiece | ArgumentLocationPiece) -> str:
    block = region.blocks[0]
    if isinstance(piece, ArgumentPiece):
        return f"%{region.values.names[block.arguments[piece.index]]}"
    locations = block.argument_locations
    location = locations[piece.index] if piece.index < len(locations) else None
    return f" {location_text(location)}" if location is not None else ""


def _without_ends(lines: list[str]) -> list[str]:
    """Takes the empty ones at both ends off some lines, and returns these."""
    first, last = 0, len(lines)
    while first < last and not lines[first]:
        first += 1
    while first < last and not lines[last - 1]:
        last -= 1
    del lines[last:]
    del lines[:first]
    return lines
