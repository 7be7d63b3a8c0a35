"""Which lines of a source a process can stop at."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from shlo.debugger.errors import DebuggerError
from shlo.debugger.sites import is_steppable, position_of
from shlo.interpreter.program import Code, Program
from shlo.ir.diagnostics import ShloError


class Lines:
    """The lines on which operations begin that a process steps on."""

    def __init__(self, program: Program) -> None:
        self._inside: dict[int, int] = {}  # lines of a kernel's text: on which it begins
        lines: set[int] = set()
        for function in program.functions.values():
            try:
                lines.update(self._of_code(function.code))
            except ShloError:
                continue  # a function that cannot run cannot be stopped in
        self._lines = sorted(lines)

    def nearest(self, line: int) -> int:
        """Where a stop that is asked for on a line takes place: there, at the operation whose region the
        line is a part of, or else at the next operation below. Raises DebuggerError where there is none.
        """
        index = bisect_left(self._lines, line)
        if index < len(self._lines) and self._lines[index] == line:
            return line
        if line in self._inside:
            return self._inside[line]
        if index == len(self._lines) or line < 1:
            raise DebuggerError(f"no operation stands on line {line} or below")
        return self._lines[index]

    def _of_code(self, code: Code) -> Iterator[int]:
        source = code.function.program.source
        for index, instruction in enumerate(code.instructions):
            place = position_of(code, index)
            if place is None:
                continue
            yield place.line
            if is_steppable(instruction.kind):
                for region in code.regions(index):
                    yield from self._of_code(region)
            elif instruction.operation.regions and source is not None:
                end = source.line_of(code.span(index).end)
                self._inside.update(dict.fromkeys(range(place.line + 1, end + 1), place.line))
