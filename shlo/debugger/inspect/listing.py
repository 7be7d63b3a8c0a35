"""What a process can meet in a program: its code, the lines it can stop at, the names of values."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.areas import Area, AreaKind, PythonLineArea, ScopeArea, read_area
from shlo.debugger.replay.block_index import block_index
from shlo.debugger.replay.program_points import is_entered, origin_at, position_of, value_name
from shlo.dialects import find_op_def
from shlo.interpreter.program.code import CodeBlock, Program
from shlo.ir.diagnostics import ShloError
from shlo.ir.locations import Location, resolve
from shlo.ir.name_stack import part_names, scope_parts
from shlo.ir.operations import Block
from shlo.ir.source import Source, Span
from shlo.places.origins import Origin, origin_of
from shlo.text.suggest import did_you_mean

Lines = tuple[int, int]
"""The first line of something, and its last one."""


def all_code(program: Program, in_grid: bool) -> Iterator[CodeBlock]:
    """Yields the blocks of a program that a process, alone or in a grid, can step through."""
    for function in program.functions.values():
        try:
            for code in function.code.siblings:
                yield from _with_regions(code, in_grid)
        except ShloError:
            continue  # a function that cannot run cannot be stopped in


def _with_regions(code: CodeBlock, in_grid: bool) -> Iterator[CodeBlock]:
    yield code
    for index, instruction in enumerate(code.instructions):
        if is_entered(instruction, in_grid):
            for region in code.regions(index):
                for block in region.siblings:
                    yield from _with_regions(block, in_grid)


def unknown_value(name: str, names: Iterable[str], hint: str = "") -> DebuggerError:
    """Returns the error for a name, without `%`, that no value of the program has."""
    hint = hint or did_you_mean(name, names, "%{}", "no name is similar")
    return DebuggerError(f"no value that the program binds is called %{name}; {hint}")


class Listing:
    """What a process, alone or in a grid, can meet in a program. Each part is found when it is first used."""

    def __init__(self, program: Program, in_grid: bool) -> None:
        self.program = program
        self.in_grid = in_grid

    @cached_property
    def code(self) -> tuple[CodeBlock, ...]:
        """The blocks that a process can step through."""
        return tuple(all_code(self.program, self.in_grid))

    @cached_property
    def lines(self) -> LineTable:
        """The lines on which operations begin that a process steps on."""
        return LineTable.of(self.program, self.in_grid)

    @cached_property
    def index(self) -> ProgramIndex:
        """The operations with their scopes and lines."""
        return ProgramIndex(self.code)

    @cached_property
    def value_names(self) -> frozenset[str]:
        """The names, without `%`, of the values that a process can bind."""
        return frozenset(value_name(code, register) for code in self.code for register in code.defined_at)

    @property
    def operation_names(self) -> set[str]:
        """The names of the operations that a process can step on."""
        return {instruction.operation.name for code in self.code for instruction in code.instructions}

    def columns_on(self, line: int) -> list[int]:
        """Returns the columns (in code points, from 1) at which operations of a line begin."""
        places = (position_of(code, at) for code in self.code for at in block_index(code).lines.get(line, ()))
        return sorted({position.column for position in places if position is not None})

    def first_line(self, function: str) -> int:
        """Returns the line on which a function's first operation is; raises DebuggerError for none."""
        try:
            position = position_of(self.program.function(function).code, 0)
        except (ShloError, IndexError) as error:
            raise DebuggerError(str(error) or f"@{function} has no operations") from None
        if position is None:
            raise DebuggerError(f"the line of @{function} is not known")
        return position.line

    def check_value_name(self, name: str) -> None:
        """Raises DebuggerError where a process can bind no value of that name."""
        if name not in self.value_names:
            short_names = {operation.rpartition(".")[2] for operation in self.operation_names}
            is_operation = name in short_names or name in self.operation_names
            hint = f"break op {name} stops at operations of that name" if is_operation else ""
            raise unknown_value(name, self.value_names, hint)

    def area_name(self, kind: AreaKind, text: str) -> str:
        """Returns the name of an area as breakpoints keep it; raises DebuggerError where the program has no
        operation in it.
        """
        area = read_area(kind, text)
        if not self.index.of_area(area):
            if isinstance(area, PythonLineArea):
                raise DebuggerError(self._no_python_line(area))
            hint = did_you_mean(area.text, self.scope_names(), otherwise="outline shows the scopes")
            raise DebuggerError(f"no operation is in a scope {area.text}; {hint}")
        return area.text if isinstance(area, ScopeArea) else f"{area.file}:{area.line}"

    def _no_python_line(self, area: PythonLineArea) -> str:
        places = {source_line for op in self.index.ops for source_line in op.origin.lines}
        if not places:
            return "the program has no Python lines"
        lines = {
            source_line.line
            for source_line in places
            if PythonLineArea(area.file, source_line.line).is_at(source_line)
        }
        if not lines:
            return f"no operation comes from a file {area.file}"
        nearest = min(lines, key=lambda line: (abs(line - area.line), line))
        return f"no operation comes from {area.file}:{area.line}; the nearest line is {nearest}"

    def scope_names(self) -> list[str]:
        """Returns the parts of all name stacks, in order of first use, each without transformations."""
        scopes = dict.fromkeys(op.origin.scope for op in self.index.ops)
        names = dict.fromkeys(part_names(part)[-1] for scope in scopes for part in scope_parts(scope))
        return [name for name in names if name]


class IndexedOp(Struct, frozen=True):
    """An operation that a process can step on: where it is, its line (0 where not known), its origin."""

    code: CodeBlock
    index: int
    line: int
    origin: Origin

    @property
    def op(self) -> str:
        """The operation's name."""
        return self.code.instructions[self.index].operation.name


class ProgramIndex:
    """All operations that a process can step on, in order."""

    def __init__(self, codes: Iterable[CodeBlock]) -> None:
        origins: dict[int, Origin] = {}

        def cached(location: Location | None) -> Origin:
            location = resolve(location)
            if id(location) not in origins:  # the program keeps its locations
                origins[id(location)] = origin_of(location)
            return origins[id(location)]

        self.ops = tuple(
            IndexedOp(code, index, position.line if (position := position_of(code, index)) else 0, origin)
            for code in codes
            for index in range(len(code.instructions))
            for origin in [origin_at(code, index, cached)]
        )

    def of_area(self, area: Area) -> list[IndexedOp]:
        """Returns the operations of an area."""
        is_inside: dict[Origin, bool] = {}
        for op in self.ops:
            if op.origin not in is_inside:
                is_inside[op.origin] = area.contains(op.origin)
        return [op for op in self.ops if is_inside[op.origin]]


class LineTable:
    """The lines on which operations begin that a process steps on.

    Args:
        steps: for each of them the first and the last line of what the process steps on as a whole, which are
            one but for an operation whose regions a kernel runs.
        functions: the first and the last line of each function.
    """

    def __init__(self, steps: Iterable[Lines], functions: Iterable[Lines]) -> None:
        spans = list(steps)
        self._lines = sorted({first for first, _ in spans})
        self._inside = {line: first for first, last in spans for line in range(first + 1, last + 1)}
        self._functions = sorted(functions)

    @staticmethod
    def of(program: Program, in_grid: bool) -> LineTable:
        """Returns the lines of a program."""
        steps = (step for code in all_code(program, in_grid) for step in _steps(code, in_grid))
        source, spans = program.source, (function.span for function in program.functions.values())
        return LineTable(steps, (_lines(source, span) for span in spans if source and span.end > span.start))

    @staticmethod
    def of_text(blocks: Iterable[Block], source: Source) -> LineTable:
        """Returns the lines of outermost operations that may not be a program yet: what they call may be
        missing. Each of them that has regions counts as a function."""
        outermost = list(blocks)
        steps = (step for block in outermost for step in _steps_in_text(block, source, 0))
        return LineTable(steps, (lines for block in outermost for lines in _outermost(block, source, 0)))

    def nearest(self, line: int) -> int:
        """Returns where a stop that is asked for on a line takes place: there, at the operation whose region
        the line is a part of, or else at the next operation below, in a function at the last one above where
        there is none below in it. Raises DebuggerError where there is none.
        """
        if self.between(line, line):
            return line
        if line in self._inside:
            return self._inside[line]
        index = bisect_right(self._functions, line, key=lambda lines: lines[0])
        first, last = self._functions[index - 1] if index else (0, 0)
        if first <= line <= last:
            candidates = self.between(line, last) or self.between(first, line)[-1:]
            where = f"on line {line}, nor a process stops at another one of its function"
        else:
            index = bisect_left(self._lines, line) if line > 0 else len(self._lines)
            candidates, where = self._lines[index : index + 1], f"on line {line} or below"
        if not candidates:
            raise DebuggerError(f"there is no operation {where}")
        return candidates[0]

    def between(self, first: int, last: int) -> list[int]:
        """Returns the lines, from one to another, on which operations begin."""
        return self._lines[bisect_left(self._lines, first) : bisect_left(self._lines, last + 1)]


def _lines(source: Source, span: Span) -> Lines:
    return source.line_of(span.start), source.line_of(span.end)


def _outermost(block: Block, source: Source, start: int) -> Iterator[Lines]:
    """Yields the lines of operations with regions that are in none but those of modules."""
    for index, operation in enumerate(block.operations):
        span = block.span(index, start)
        if operation.name != "builtin.module":
            yield from [_lines(source, span)] if any(region.blocks for region in operation.regions) else []
            continue
        for inner in operation.regions[0].blocks:
            yield from _outermost(inner, source, span.start)


def _steps(code: CodeBlock, in_grid: bool) -> Iterator[Lines]:
    source = code.function.program.source
    for index, instruction in enumerate(code.instructions):
        position = position_of(code, index)
        if position is not None:
            is_whole = instruction.operation.regions and not is_entered(instruction, in_grid)
            ends_in = source if is_whole else None
            yield position.line, ends_in.line_of(code.span(index).end) if ends_in else position.line


def _steps_in_text(block: Block, source: Source, start: int) -> Iterator[Lines]:
    for index, operation in enumerate(block.operations):
        span = block.span(index, start)
        op_def = find_op_def(operation.name)
        is_entered = op_def is not None and op_def.control_flow is not None
        is_around = operation.symbol is not None or operation.name == "builtin.module"
        if not is_around:
            whole = operation.regions and not is_entered
            first = source.line_of(span.start)
            yield first, source.line_of(span.end) if whole else first
        if is_around or is_entered:
            for region in operation.regions:
                for inner in region.blocks:
                    yield from _steps_in_text(inner, source, span.start)
