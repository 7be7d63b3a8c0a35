"""The shadow of a session: what each value is in float64, and which steps lose digits.

It follows the run in forks of the session's cursor, from the start and step by step, as far as it is asked
for; states on the way are kept, to go back to. See `shlo.shadow` and docs/shadow.md.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.run import SessionRun
from shlo.debugger.inspect.scope import Bound, find_value, read_only
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.edits import Edit, ValueEdit
from shlo.debugger.replay.result_cache import MemoryUse
from shlo.interpreter.kernel_steps import KernelStep
from shlo.interpreter.program.code import Instruction, Kind
from shlo.interpreter.spmd.grid import GridState
from shlo.ir.dtypes import Array
from shlo.support.cancellation import Cancelled, checkpoint

if TYPE_CHECKING:
    from shlo.shadow.losses import Losses
    from shlo.shadow.run import ShadowRun
    from shlo.shadow.tracker import Loss, ShadowTracker
    from shlo.shadow.values import ShadowValues

KEPT: Final = 16
"""How many states on the way are kept."""

FEWEST_STEPS: Final = 64
"""How many steps are at least between two states that are kept on the way."""


MOST_LOSSES: Final = 1000
"""So many losses of single steps are remembered; others are found again where they are asked for."""


class _ShadowState(Struct, frozen=True):
    """A state of the run with the shadows of its values."""

    position: int
    state: GridState
    values: ShadowValues

    def held(self) -> list[Any]:
        """Returns all values that it holds, and their shadows."""
        return [*_values_of(self.state), *self.values.shadows()]


class ShadowTrail:
    """Follows a session of one process; the session's thread alone uses it.

    What it has found stays valid until another future begins (`forget`). The states that it keeps take
    `memory` bytes at most with their shadows, or there is one.
    """

    def __init__(self, run: SessionRun, memory: int) -> None:
        self.is_shown = False
        """Whether summaries of values tell what is lost."""
        self._run = run
        self._cursor = run.cursor
        self._memory = memory
        self._tracker: ShadowTracker | None = None
        self._followed: ShadowRun | None = None
        self._kept: list[_ShadowState] = []
        self._lossy = array("q")
        self._digits = array("d")  # how many digits the steps to these positions lose
        self._losses: dict[int, Loss] = {}
        self._searched = 0

    def show(self, is_shown: bool = True) -> None:
        """Has summaries of values tell how many digits they lack; raises DebuggerError in a grid."""
        check_shadow(self._run)
        self.is_shown = is_shown

    @property
    def losses(self) -> Losses:
        """What digits are lost on the way to here, or to the furthest position that was asked for."""
        with self._run.command():
            self.follow(self._cursor.position)
        assert self._followed is not None
        return self._followed.losses

    def pair(self, name: str, frame: int = -1) -> tuple[Array, Array]:
        """Returns a tensor of floating-point numbers in scope, and its shadow in f64 or complex<f64>. Raises
        DebuggerError for a value that has none.
        """
        with self._run.command():
            bound = find_value(self._cursor.process.frames, self._run.frame_index(frame), name)
            values = self.of(bound)
        if values is None:
            raise DebuggerError(f"%{name.removeprefix('%')} has no shadow here")
        return read_only(values[0]), read_only(values[1])

    def note(self, bound: Bound) -> str:
        """Returns what the summary of a value in scope tells of its shadow, where shadows are shown."""
        if not self.is_shown:
            return ""
        from shlo.shadow.report import note_of

        values = self.of(bound)
        return "" if values is None else note_of(*values)

    def digits(self, position: int) -> float:
        """Returns how many digits the step to a position loses, 0 for less than one."""
        if position > self._searched:
            self.follow(position)
        return self._known_digits(position)

    def loss(self, position: int) -> Loss | None:
        """Returns what the step to a position loses, None for less than a digit."""
        with self._run.command():
            if self.digits(position) and position not in self._losses:
                self._follow_from(position - 1, position, inf)
        return self._losses.get(position)

    def lossy(self, first: int, last: int) -> Sequence[int]:
        """Returns the positions, from one to another, to which steps lead that lose digits."""
        if last > self._searched:
            self.follow(last)
        return self._lossy[bisect_left(self._lossy, first) : bisect_right(self._lossy, last)]

    def next_loss(self, after: int, last: int, digits: float) -> int | None:
        """Returns the first position behind one, up to a last, to which a step leads that loses so many
        digits; what comes behind that is not looked at.
        """
        position = self._known_loss(after, last, digits)
        if position is None and self._searched < last:
            self.follow(last, digits)
            position = self._known_loss(after, last, digits)
        return position

    def _known_loss(self, after: int, last: int, digits: float) -> int | None:
        indices = range(bisect_right(self._lossy, after), bisect_right(self._lossy, last))
        return next((self._lossy[at] for at in indices if self._digits[at] >= digits), None)

    def _known_digits(self, position: int) -> float:
        at = bisect_left(self._lossy, position)
        return self._digits[at] if at < len(self._lossy) and self._lossy[at] == position else 0.0

    def of(self, bound: Bound) -> tuple[Any, Any] | None:
        """Returns a value in scope with its shadow, None where that is not held or the value is no tensor of
        floating-point numbers.
        """
        from shlo.shadow.measures import is_measured

        state = self.follow(self._cursor.position)
        if state.position != self._cursor.position:
            return None
        frames = state.state.processes[0].frames
        if bound.depth > len(frames):
            return None
        value = frames[bound.depth - 1].registers[bound.register]
        return (value, state.values.of(value)) if is_measured(value) else None

    def forget(self, position: int) -> None:
        """Forgets what was found, where some of it is behind a position: another future begins there."""
        if self._searched > position:
            self._followed, self._searched = None, 0
            self._kept.clear()
            del self._lossy[:], self._digits[:]
            self._losses.clear()

    def follow(self, position: int, digits: float = inf) -> _ShadowState:
        """Follows the run to a position that was reached, to the first step not looked at before that loses
        so many digits, or as far as it comes before it is cancelled; returns the state there.
        """
        check_shadow(self._run)
        state = next((state for state in self._kept if state.position == position), None)
        return self._follow_from(position, position, digits) if state is None else state

    def _follow_from(self, start: int, position: int, digits: float) -> _ShadowState:
        """Follows the run from the last state kept up to a position to another one, as `follow`."""
        cursor = self._cursor
        before = [state for state in self._kept if state.position <= start]
        keeps = cursor.process.keeps_values
        with cursor.fork_at(0) as fork:
            tracker = self._begin(fork, before[-1] if before else None)
            fork.process.keeps_values = keeps
            with suppress(Cancelled):
                while fork.position < position:
                    checkpoint()
                    searched = self._searched
                    if not self._step(fork, tracker):
                        break
                    if fork.position > searched and self._known_digits(fork.position) >= digits:
                        break
            return self._keep(fork, tracker)

    def _begin(self, fork: ReplayCursor, start: _ShadowState | None) -> ShadowTracker:
        """Goes to a state that was kept, or to the start, with the shadows of its values."""
        from shlo.shadow.run import ShadowRun
        from shlo.shadow.tracker import ShadowTracker
        from shlo.shadow.values import ShadowValues

        if self._tracker is None:
            self._tracker = ShadowTracker(self._run.modules[0], self._run.options.semantics)
        if self._followed is None:
            self._followed = ShadowRun()
        self._tracker.values = ShadowValues() if start is None else start.values.copy()
        if start is not None:
            fork.restore(start.state)
        return self._tracker

    def _step(self, fork: ReplayCursor, tracker: ShadowTracker) -> bool:
        """Takes a step of a fork; returns whether there was one."""
        process, history = fork.process, fork.history
        frames = process.frames
        frame = frames[-1]
        code, index, instruction = frame.code, frame.index, frame.instruction
        is_kernel = instruction.kind is Kind.KERNEL
        if is_kernel and history.has_edits:
            point = fork.points[fork.trace.number(process.steps)]
            is_kernel = history.edit_of_step(0, process.steps, point) is None
        operands = frame.operands if is_kernel else ()
        if not fork.forward():
            return False
        if is_kernel and not _sets_result(history.edits_at(fork.position), instruction):
            values = tuple([frame.registers[register] for register in instruction.results])
            self._look_at(fork, tracker, KernelStep(0, frames, code, index, operands, values))
        last = max((state.position for state in self._kept if state.position <= fork.position), default=0)
        if fork.position - last >= max(FEWEST_STEPS, fork.position // KEPT):
            self._keep(fork, tracker)
        return True

    def _look_at(self, fork: ReplayCursor, tracker: ShadowTracker, step: KernelStep) -> None:
        from shlo.shadow.run import take

        assert self._followed is not None
        position, process = fork.position, fork.process
        if position <= self._searched:
            loss = take(tracker, process, step)
        else:
            loss = self._followed.look_at(tracker, process, step)
            self._searched = position
            if loss is not None:
                self._lossy.append(position)
                self._digits.append(loss.here)
        if loss is not None:
            self._losses[position] = loss
            if len(self._losses) > MOST_LOSSES:
                del self._losses[next(iter(self._losses))]

    def _keep(self, fork: ReplayCursor, tracker: ShadowTracker) -> _ShadowState:
        """Keeps the state of a fork, and of those that are kept as many as there is room for: those go first
        that are nearest to their neighbours.
        """
        state = fork.grid.save()
        tracker.values.drop_others(_values_of(state))
        new = _ShadowState(fork.position, state, tracker.values.copy())
        self._searched = max(self._searched, fork.position)
        others = [other for other in self._kept if other.position != new.position]
        self._kept = sorted((*others, new), key=lambda other: other.position)
        use = MemoryUse()
        use.recount(other.held() for other in self._kept)
        while len(self._kept) > KEPT or (len(self._kept) > 1 and use.bytes > self._memory):
            positions = [0, *(other.position for other in self._kept), sys.maxsize]
            gaps = [after - before for before, after in zip(positions, positions[2:])]
            gaps[self._kept.index(new)] = sys.maxsize
            use.release(self._kept.pop(gaps.index(min(gaps))).held())
        return new


def check_shadow(run: SessionRun) -> None:
    """Raises DebuggerError where a run has no shadow."""
    if run.in_grid:
        raise DebuggerError("a grid of processes has no shadow: collectives have none")


def _values_of(state: GridState) -> list[Any]:
    return [value for process in state.processes for value in process.values()]


def _sets_result(edits: Iterable[Edit], instruction: Instruction) -> bool:
    """Returns whether an edit behind a step has set what it has bound, which is exact then."""
    return any(isinstance(edit, ValueEdit) and edit.register in instruction.results for edit in edits)
