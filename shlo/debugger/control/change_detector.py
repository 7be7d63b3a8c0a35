"""Change detector: the positions at which an expression has another value than it had last."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final

import numpy as np

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.environment import Scope
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.trace import ProcessTrace
from shlo.runner.statistics import tensor_of

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
