"""What a process can meet in a program: its code, the lines it can stop at, the names of values."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.block_index import block_index
from shlo.debugger.replay.program_points import is_entered, position_of, value_name
from shlo.dialects import find_op_def
from shlo.interpreter.program.code import CodeBlock, Program
from shlo.ir.diagnostics import ShloError
from shlo.ir.operations import Block
from shlo.ir.source import Source
from shlo.text.suggest import did_you_mean


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


def first_line(program: Program, function: str) -> int:
    """Returns the line on which a function's first operation is; raises DebuggerError where there is none."""
    try:
        place = position_of(program.function(function).code, 0)
    except (ShloError, IndexError) as error:
        raise DebuggerError(str(error) or f"@{function} has no operations") from None
    if place is None:
        raise DebuggerError(f"the line of @{function} is not known")
    return place.line


def check_value_name(program: Program, name: str, in_grid: bool) -> None:
    """Raises DebuggerError where a process can bind no value of that name."""
    known = value_names(program, in_grid)
    if name not in known:
        hint = did_you_mean(name, known, "%{}", "no name is similar")
        raise DebuggerError(f"no value that the program binds is called %{name}; {hint}")


def value_names(program: Program, in_grid: bool) -> set[str]:
    """Returns the names, without `%`, of the values that a process can bind."""
    return {value_name(code, register) for code in all_code(program, in_grid) for register in code.defined_at}


def operation_names(program: Program, in_grid: bool) -> set[str]:
    """Returns the names of the operations that a process can step on."""
    return {
        instruction.operation.name for code in all_code(program, in_grid) for instruction in code.instructions
    }


def columns_on(program: Program, in_grid: bool, line: int) -> list[int]:
    """Returns the columns (in code points, from 1) at which operations of a line begin."""
    codes = all_code(program, in_grid)
    places = (position_of(code, at) for code in codes for at in block_index(code).lines.get(line, ()))
    return sorted({place.column for place in places if place is not None})


class LineTable:
    """The lines on which operations begin that a process steps on.

    Args:
        steps: for each of them the first and the last line of what the process steps on as a whole, which are
            one but for an operation whose regions a kernel runs.
    """

    def __init__(self, steps: Iterable[tuple[int, int]]) -> None:
        spans = list(steps)
        self._lines = sorted({first for first, _ in spans})
        self._inside = {line: first for first, last in spans for line in range(first + 1, last + 1)}

    @staticmethod
    def of(program: Program, in_grid: bool) -> LineTable:
        """Returns the lines of a program."""
        return LineTable(step for code in all_code(program, in_grid) for step in _steps(code, in_grid))

    @staticmethod
    def of_text(blocks: Iterable[Block], source: Source) -> LineTable:
        """Returns the lines of outermost operations that may not be a program yet: what they call may be
        missing."""
        return LineTable(step for block in blocks for step in _steps_in_text(block, source, 0))

    def nearest(self, line: int) -> int:
        """Returns where a stop that is asked for on a line takes place: there, at the operation whose region
        the line is a part of, or else at the next operation below. Raises DebuggerError where there is none.
        """
        index = bisect_left(self._lines, line)
        if index < len(self._lines) and self._lines[index] == line:
            return line
        if line in self._inside:
            return self._inside[line]
        if index == len(self._lines) or line < 1:
            raise DebuggerError(f"there is no operation on line {line} or below")
        return self._lines[index]

    def between(self, first: int, last: int) -> list[int]:
        """Returns the lines, from one to another, on which operations begin."""
        return self._lines[bisect_left(self._lines, first) : bisect_left(self._lines, last + 1)]


def _steps(code: CodeBlock, in_grid: bool) -> Iterator[tuple[int, int]]:
    source = code.function.program.source
    for index, instruction in enumerate(code.instructions):
        place = position_of(code, index)
        if place is not None:
            is_whole = instruction.operation.regions and not is_entered(instruction, in_grid)
            ends_in = source if is_whole else None
            yield place.line, ends_in.line_of(code.span(index).end) if ends_in else place.line


def _steps_in_text(block: Block, source: Source, start: int) -> Iterator[tuple[int, int]]:
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
