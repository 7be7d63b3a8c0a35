"""Hit conditions: whether a breakpoint with a condition, a count or an expression stops at a position.

That depends on the position and not on the way there, so it is found once, and is the same backwards.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import MutableSequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.control.messages import LogMessage, Messages
from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.environment import Scope
from shlo.debugger.expressions.expression import Expression
from shlo.debugger.inspect.areas import enters
from shlo.debugger.inspect.scope import bound_until
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_points import NOWHERE
from shlo.debugger.replay.trace import ProcessTrace
from shlo.runner.statistics import tensor_of
from shlo.support.cancellation import Cancelled, checkpoint

State = Any
"""What is remembered of a value: its bits, or a digest of many; of a condition, whether it holds."""

UNDEFINED: Final = object()
"""The state where the expression has no value, because one that it uses is not in scope."""

WRITTEN_OUT: Final = 32
"""How many bytes of a value are remembered as they are."""


class ChangeDetector:
    """Where the expression of a breakpoint changes in one process.

    Its value is looked at wherever the process arrives in the breakpoint's function, in the innermost frame.
    It has changed at an arrival where its bits differ from those that it had when it last had a value. With a
    condition: where that holds, and did not hold when it last had a truth value. So this depends on the
    position and not on the way there; values are evaluated as they are asked for, and remembered.
    """

    def __init__(self, cursor: ReplayCursor, point: Breakpoint, process: int) -> None:
        self._cursor = cursor
        self._scope = Scope(cursor)
        self._point = point
        self._process = process
        self._states: dict[int, State] = {}  # by step of the process
        self._defined: dict[int, int] = {}  # by step, the last one before it with a value; -1 for none
        self._may_change: dict[int, bool] = {}  # by number of a program point

    @property
    def _trace(self) -> ProcessTrace:
        return self._cursor.history.traces[self._process]

    def changes(self, position: int) -> bool:
        """Returns whether the value at a position at which the process arrived is another one."""
        step = self._trace.step_at(position)
        state = self._state(step)
        if state is UNDEFINED:
            return False
        before = self._defined_before(step)
        if self._point.condition is not None:
            return state is True and (before < 0 or self._state(before) is not True)
        return before >= 0 and self._state(before) != state

    def forget(self, position: int) -> None:
        """Forgets what was known of positions after one."""
        step = self._trace.step_at(position)
        self._states = {at: state for at, state in self._states.items() if at <= step}
        self._defined = {at: before for at, before in self._defined.items() if at <= step}

    def _defined_before(self, step: int) -> int:
        at = step - 1
        while at >= 0:
            if self._is_candidate(at):
                if self._state(at) is not UNDEFINED:
                    break
                if at in self._defined:
                    at = self._defined[at]
                    break
            at -= 1
        self._defined[step] = at
        return at

    def _is_candidate(self, step: int) -> bool:
        number = self._trace.numbers[step]
        may_change = self._may_change.get(number)
        if may_change is None:
            at = self._trace.point(step)
            may_change = self._may_change[number] = at is not None and self._point.is_at(at)
        return may_change

    def _state(self, step: int) -> State:
        if step not in self._states:
            position = self._trace.positions[step]
            if self._cursor.position == position:
                self._states[step] = self._evaluate(self._cursor)
            else:
                self._evaluate_on_the_way(position)
        return self._states[step]

    def _evaluate_on_the_way(self, position: int) -> None:
        """Evaluates a position, and others on the way to it, which will be asked for next."""
        trace = self._trace
        with self._cursor.fork_at(position) as cursor:
            first = trace.step_at(cursor.position)
            first += trace.positions[first] < cursor.position
            for step in range(first, trace.step_at(position) + 1):
                if step not in self._states and self._is_candidate(step):
                    cursor.seek(trace.positions[step])
                    self._states[step] = self._evaluate(cursor)

    def _evaluate(self, cursor: ReplayCursor) -> State:
        """Returns the state where a cursor is."""
        point = self._point
        selected, cursor.selected = cursor.selected, self._process
        try:
            if point.condition is not None:
                return point.condition.holds(self._scope)
            return UNDEFINED if point.expression is None else _digest(point.expression.evaluate(self._scope))
        except DebuggerError:
            return UNDEFINED
        finally:
            self._scope.outward.clear()
            cursor.selected = selected


def _digest(value: Any) -> State:
    """Returns what tells a value from another one: -0 from 0, but no NaN from itself."""
    if isinstance(value, (bool, int)):
        return value
    array = tensor_of(value if not isinstance(value, float) else np.float64(value))
    if array is None:
        raise DebuggerError("expected a tensor, got a tuple or token")
    data = np.ascontiguousarray(array).tobytes()
    bits = data if len(data) <= WRITTEN_OUT else blake2b(data, digest_size=16).digest()
    return array.dtype.name, array.shape, bits


class _PointState(Struct):
    """What is known of a breakpoint: which program points it is at; whether its condition holds, by position
    and process; the positions before `end` at which it would stop; where its expression changes, by process.
    """

    points: dict[int, bool] = field(default_factory=dict[int, bool])
    known: dict[tuple[int, int], bool] = field(default_factory=dict[tuple[int, int], bool])
    hits: MutableSequence[int] = field(default_factory=lambda: array("q"))
    end: int = 0
    changes: dict[int, ChangeDetector] = field(default_factory=dict[int, ChangeDetector])
    is_noted: bool = False


class HitConditions:
    """Evaluates conditions and counts at the positions of a cursor, and remembers the answers."""

    def __init__(self, cursor: ReplayCursor, messages: Messages) -> None:
        self._cursor = cursor
        self._messages = messages
        self._scope = Scope(cursor)
        self._places: dict[Breakpoint, _PointState] = {}
        self._found: dict[int, tuple[Breakpoint, _PointState]] = {}  # the same, quickly, by number

    def stops(self, point: Breakpoint, process: int, position: int) -> bool:
        """Returns whether a breakpoint at whose place a process arrived at a position stops it there."""
        if not self._holds(point, process, position):
            return False
        return not point.ignored or self.hits(point, position) > point.ignored

    def is_false_up_to(self, point: Breakpoint, index: int, ends: dict[str, int]) -> bool:
        """Returns whether a breakpoint's condition is false where the cursor is, and stays so up to an
        instruction of the innermost frame's block, as all values that it uses are bound already. `known` has
        up to where conditions stay false from here on, by their texts.
        """
        condition = point.condition
        if condition is None or point.kind == "change":
            return False
        end = ends.get(condition.text)
        if end is None:
            end = ends[condition.text] = self._false_until(condition)
        return index <= end

    def _false_until(self, condition: Expression) -> int:
        """Returns the last instruction of the innermost frame's block up to which a condition stays false, -1
        where it holds, or that cannot be told.
        """
        if condition.may_always_change:
            return -1
        frames, end = self._cursor.process.frames, sys.maxsize
        for ref in condition.refs:
            if ref.outer or ref.back or ref.process is not None:
                return -1
            end = min(end, bound_until(frames, ref.name))
        try:
            return -1 if end < 0 or condition.holds(self._scope) else end
        except DebuggerError:
            return -1

    def hits(self, point: Breakpoint, position: int) -> int:
        """Returns how often a breakpoint would have stopped processes up to a position, from the start and
        without its count of times to ignore. What is left out where that is cancelled is not counted.
        """
        state = self._place(point)
        with suppress(Cancelled):
            if point.condition is not None and point.kind != "change" and state.end <= position:
                self._evaluate_on_the_way(point, point.condition, state.end, position)
            for at in self._reached(point, state.end, position):
                checkpoint()
                held = [process for process in self._arrived(point, at) if self._holds(point, process, at)]
                state.hits.extend([at] * len(held))
                state.end = at + 1
            state.end = max(state.end, position + 1)
        return bisect_right(state.hits, position)

    def forget(self, position: int) -> None:
        """Forgets what was known of positions after one: another future begins there."""
        for state in self._places.values():
            state.known = {key: held for key, held in state.known.items() if key[0] <= position}
            del state.hits[bisect_right(state.hits, position) :]
            state.end = min(state.end, position + 1)
            for detector in state.changes.values():
                detector.forget(position)

    def _holds(self, point: Breakpoint, process: int, position: int) -> bool:
        condition = point.condition
        if point.area is not None and not self._enters(point, process, position):
            return False
        if point.kind == "change":
            return self._detector(point, process).changes(position)
        if condition is None:
            return True
        answers = self._place(point).known
        held = answers.get((position, process))
        if held is None:
            if self._cursor.position == position:
                self._evaluate(point, condition, process)
            elif point.kind in ("nonfinite", "shadow"):  # at no place: it has no positions on the way
                with self._cursor.fork_at(position) as cursor:
                    cursor.seek(position)
                    self._evaluate(point, condition, process)
            else:
                self._evaluate_on_the_way(point, condition, position, position)
            held = answers[position, process]
        return held

    def _evaluate_on_the_way(
        self, point: Breakpoint, condition: Expression, first: int, position: int
    ) -> None:
        """Evaluates the positions from one to another, and those that a fork passes on the way there, which
        will be asked for next.
        """
        answers = self._place(point).known
        with self._cursor.fork_at(first) as cursor:
            for at in self._reached(point, cursor.position, position):
                checkpoint()
                unknown = [process for process in self._arrived(point, at) if (at, process) not in answers]
                if unknown:
                    cursor.seek(at)
                for process in unknown:
                    self._evaluate(point, condition, process)

    def _evaluate(self, point: Breakpoint, condition: Expression, process: int) -> None:
        """Notes whether a condition holds in a process where the cursor is."""
        cursor, state = self._cursor, self._place(point)
        selected, cursor.selected = cursor.selected, process
        holds = False
        try:
            holds = condition.holds(self._scope)
        except DebuggerError as error:
            if not state.is_noted:
                state.is_noted = True
                text = f"its condition has no value here, and does not hold: {error}"
                self._messages.add(LogMessage(cursor.position, process, point.number, text))
        finally:
            self._scope.outward.clear()
            cursor.selected = selected
        state.known[cursor.position, process] = holds

    def _detector(self, point: Breakpoint, process: int) -> ChangeDetector:
        changes = self._place(point).changes
        if process not in changes:
            changes[process] = ChangeDetector(self._cursor, point, process)
        return changes[process]

    def _place(self, point: Breakpoint) -> _PointState:
        """Returns what is known of a breakpoint, which is the same for one that only counts or is named in
        another way.
        """
        entry = self._found.get(point.number)
        if entry is None or entry[0] is not point:
            key = replace(point, number=0, enabled=True, ignored=0, message=None)
            entry = self._found[point.number] = point, self._places.setdefault(key, _PointState())
        return entry[1]

    def _arrived(self, point: Breakpoint, position: int) -> list[int]:
        """Returns the processes that arrived at a breakpoint's place at a position."""
        return [
            process
            for process, number in self._cursor.history.arrivals(position)
            if point.is_for(process)
            and self._is_at(point, number)
            and (point.area is None or self._enters(point, process, position))
        ]

    def _reached(self, point: Breakpoint, first: int, last: int) -> list[int]:
        """Returns the positions, from one to another, at which processes arrived at a point of a breakpoint,
        in order.
        """
        if first > last:
            return []
        numbers = [number for number in range(len(self._cursor.points)) if self._is_at(point, number)]
        reached = set[int]()
        for process, trace in enumerate(self._cursor.history.traces):
            if point.is_for(process):
                reached.update(trace.positions_at(numbers, first, last))
        return sorted(reached)

    def _is_at(self, point: Breakpoint, number: int) -> bool:
        is_there = self._place(point).points
        if number not in is_there:
            is_there[number] = number != NOWHERE and point.is_at(self._cursor.points[number])
        return is_there[number]

    def _enters(self, point: Breakpoint, process: int, position: int) -> bool:
        """Returns whether a process came into a breakpoint's area at a position."""
        trace = self._cursor.history.traces[process]
        return enters(trace, trace.step_at(position), lambda number: self._is_at(point, number))
