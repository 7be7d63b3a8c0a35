"""Lines of the source at whose operations a breakpoint stops."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.inspect.line_table import all_code
from shlo.debugger.replay.program_points import ProgramPoint, position_of, value_name
from shlo.interpreter.program.code import Program


class MarkedLines:
    """Finds the lines of breakpoints, once for each place."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str, int | str], frozenset[int]] = {}

    def of(self, point: Breakpoint, program: Program, in_grid: bool) -> frozenset[int]:
        """Returns the lines of a breakpoint in a program; for one on a value, those that bind it."""
        if point.kind == "line":
            return frozenset((int(point.where),))
        if point.kind in ("nonfinite", "change"):
            return frozenset()
        key = id(program), point.kind, point.where
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = frozenset(_search(point, program, in_grid))
        return known


def _search(point: Breakpoint, program: Program, in_grid: bool) -> Iterator[int]:
    for code in all_code(program, in_grid):
        was_there = False
        for index, instruction in enumerate(code.instructions):
            names = [value_name(code, register) for register in instruction.results]
            is_value = point.kind == "value" and point.where in names
            is_there = is_value or (point.kind != "value" and point.is_at(ProgramPoint(code, index)))
            is_entered_here = is_there and not (was_there and point.area)
            if is_entered_here and (place := position_of(code, index)):
                yield place.line
            was_there = is_there
