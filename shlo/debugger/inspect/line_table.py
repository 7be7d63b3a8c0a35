"""What a process can meet in a program: its code, the lines it can stop at, the names of values."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.program_points import is_entered, position_of, value_name
from shlo.interpreter.program.code import CodeBlock, Program
from shlo.ir.diagnostics import ShloError
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


class LineTable:
    """The lines on which operations begin that a process steps on."""

    def __init__(self, program: Program, in_grid: bool) -> None:
        self._in_grid = in_grid
        self._inside: dict[int, int] = {}  # lines of a kernel's text: on which it begins
        self._lines = sorted({line for code in all_code(program, in_grid) for line in self._of_code(code)})

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

    def _of_code(self, code: CodeBlock) -> Iterator[int]:
        source = code.function.program.source
        for index, instruction in enumerate(code.instructions):
            place = position_of(code, index)
            if place is None:
                continue
            yield place.line
            is_whole = instruction.operation.regions and not is_entered(instruction, self._in_grid)
            if is_whole and source is not None:
                end = source.line_of(code.span(index).end)
                self._inside.update(dict.fromkeys(range(place.line + 1, end + 1), place.line))
