"""Moves by areas: to where a process enters one, and to the end of the scope or line of Python it is in."""

from __future__ import annotations

from typing import Literal

from shlo.debugger.control.stepping import Stepping, Until, UntilBefore
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.areas import Area, ScopeArea, enters
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_points import NOWHERE, origin_at
from shlo.debugger.replay.trace import ProcessTrace
from shlo.places.origins import Origin

Unit = Literal["scope", "line"]
"""What a move goes to the end of: a scope of the name stack, or a line of Python."""


class AreaMoves:
    """What ends moves of the selected process, by areas of the program (see `Stepping`)."""

    def __init__(self, cursor: ReplayCursor, stepping: Stepping) -> None:
        self._cursor = cursor
        self._stepping = stepping
        self._origins: dict[int, Origin] = {}  # by number of program point

    @property
    def _trace(self) -> ProcessTrace:
        return self._cursor.trace

    @property
    def _step(self) -> int:
        return self._cursor.process.steps

    def origin(self, number: int) -> Origin | None:
        """Returns the origin of a program point by its number, None for that of a process that is done."""
        if number == NOWHERE:
            return None
        origin = self._origins.get(number)
        if origin is None:
            point = self._cursor.points[number]
            origin = self._origins[number] = origin_at(point.code, point.index)
        return origin

    # --- to an area ---

    def into(self, area: Area) -> Until:
        """Ends a move forwards where the process enters an area."""
        return lambda: "line" if self._enters(area, self._step) else None

    def was_into(self, area: Area) -> UntilBefore:
        """Ends a move backwards where the process entered an area."""
        return self._stepping.last_where(lambda step: "line" if self._enters(area, step) else None)

    def _enters(self, area: Area, step: int) -> bool:
        return enters(self._trace, step, lambda number: self._is_in(area, number))

    def _is_in(self, area: Area, number: int) -> bool:
        origin = self.origin(number)
        return origin is not None and area.contains(origin)

    # --- out of a scope or line ---

    def out(self, unit: Unit, is_deep: bool, start: int) -> Until:
        """Ends a move forwards in the next scope or line: one that is not below the one at the step `start`,
        in its frame or one around it; with `is_deep`, in any other.
        """
        here, depth = self._key(unit, start), self._trace.depths[start]

        def until() -> Literal["step"] | None:
            step = self._step
            key = self._key(unit, step)
            if not key or key == here:
                return None
            is_inside = self._trace.depths[step] > depth or _is_below(unit, key, here)
            return None if is_inside and not is_deep else "step"

        return until

    def out_of(self, area: ScopeArea) -> Until:
        """Ends a move forwards behind a scope that the process is in; raises DebuggerError if it is not."""
        for depth in range(len(self._cursor.process.frames), 0, -1):
            frame = self._cursor.process.frames[depth - 1]
            if area.contains(origin_at(frame.code, frame.index)):
                break
        else:
            raise DebuggerError(f"the next operation is not in the scope {area.text}")

        def until() -> Literal["step"] | None:
            step = self._step
            if self._trace.depths[step] > depth or not self._key("scope", step):
                return None
            return None if self._is_in(area, self._trace.numbers[step]) else "step"

        return until

    def was_out(self, unit: Unit, is_deep: bool) -> UntilBefore:
        """Ends a move backwards at the beginning of the scope or line that the process was in before."""
        target = self._beginning(unit, is_deep)
        return self._stepping.last_where(lambda step: "step" if step == target else None)

    def _beginning(self, unit: Unit, is_deep: bool) -> int:
        """Returns the step after which the scope or line before this step began, or -1."""
        depths = self._trace.depths
        key, beginning = "", -1
        step, depth = self._step, len(depths) if is_deep else max(1, depths[self._step])
        while (step := self._trace.last_within(depth, step)) >= 0:
            step_key = self._key(unit, step)
            if not step_key:
                continue
            if key and step_key != key and (is_deep or not _is_below(unit, step_key, key)):
                break
            key, beginning = key or step_key, step
            depth = depth if is_deep else min(depth, depths[step])
        return beginning

    def _key(self, unit: Unit, step: int) -> str:
        """Returns in which scope or line the process was after a step; empty where that is not known."""
        origin = self.origin(self._trace.numbers[step])
        if origin is None:
            return ""
        if unit == "scope":
            return origin.scope
        return f"{origin.line.file}:{origin.line.line}" if origin.line else ""


def _is_below(unit: Unit, key: str, other: str) -> bool:
    return key == other or (unit == "scope" and bool(other) and key.startswith(f"{other}/"))
