"""Stepping: moves forwards and backwards until something is reached."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from msgspec import Struct

from shlo.debugger.control.breakpoints import Breakpoint, Breakpoints
from shlo.debugger.control.hit_conditions import HitConditions
from shlo.debugger.control.loop_conditions import LoopConditions
from shlo.debugger.control.messages import LogMessage
from shlo.debugger.control.shadow_trail import ShadowTrail
from shlo.debugger.expressions.environment import Scope
from shlo.debugger.expressions.expression import Template
from shlo.debugger.inspect.inspector import Inspector
from shlo.debugger.inspect.loops import Loop, starts_round
from shlo.debugger.inspect.run import SessionRun
from shlo.debugger.inspect.scope import frame_views, views_behind
from shlo.debugger.inspect.snapshots import Reason, Snapshot
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.spans import Armed
from shlo.debugger.tensors.summaries import summary_of
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.spmd.wait_for_graph import GridError
from shlo.support.cancellation import Cancelled, checkpoint

if TYPE_CHECKING:
    from shlo.shadow.tracker import Loss

Until = Callable[[], Reason | None]
"""Asked at every position on the way forwards; a reason ends the move."""

UntilBefore = Callable[[int], Reason | None]
"""Asked for every position on the way backwards."""


class Hit(Struct, frozen=True):
    """A breakpoint, by its number, that stops a process."""

    process: int
    breakpoint: int


class Stepping:
    """Moves a cursor. What ends a move is asked at every position on the way, the first one left out.

    A process that a breakpoint stops, or in which the grid fails, is selected.
    """

    def __init__(
        self, run: SessionRun, breakpoints: Breakpoints, shadow: ShadowTrail, inspector: Inspector
    ) -> None:
        self.reason: Reason = "start"
        """Why the session is where it is."""
        self._run = run
        self._cursor = run.cursor
        self._shadow = shadow
        self._inspector = inspector
        self._breakpoints = breakpoints
        self._conditions = HitConditions(run.cursor, breakpoints.messages)
        self._scope = Scope(run.cursor)
        self._armed = Armed(breakpoints.are_armed, self._ahead, LoopConditions(breakpoints).probes)
        self._is_behind = False
        run.cursor.departed = self.forget

    # --- commands ---

    def go(self, move: Callable[[], Reason]) -> Snapshot:
        """Makes a move; returns where it led."""
        cursor = self._cursor
        with self._run.command():
            cursor.look_for(self._breakpoints.scans)
            self._run.select_frame(None)
            self.reason, self._is_behind = "stopped", False  # unless it ends by itself
            try:
                self.reason = move()
            except Cancelled:
                self.reason = "done" if cursor.is_over else "stopped"
            self._is_behind = self.reason == "breakpoint" and self._stops_behind()
            if cursor.listener is not None:
                cursor.listener.stopped()
        return self.snapshot

    @property
    def snapshot(self) -> Snapshot:
        """Where the session is."""
        cursor = self._cursor
        frames = cursor.process.frames
        views = frame_views(frames)
        return Snapshot(
            position=cursor.position,
            last=cursor.last,
            status=cursor.status,
            reason=self.reason,
            frames=views_behind(frames, views) if self._is_behind else views,
            last_step=self._inspector.last_step(),
            breakpoints=self._hit(cursor.position),
            error=str(cursor.error) if cursor.error else None,
            is_behind=self._is_behind,
            upcoming=views[-1] if views else None,
        )

    @property
    def last_loss(self) -> Loss | None:
        """What digits the last step loses, where shadows are shown or a breakpoint waits for that."""
        is_asked = self._shadow.is_shown or self._breakpoints.on_losses
        return self._shadow.loss(self._cursor.position) if is_asked else None

    def select(self, number: int) -> None:
        """Looks at another process; raises DebuggerError where there is none of that number."""
        self._run.check_process(number)
        self._cursor.selected = number
        self._run.select_frame(None)
        if self.reason == "breakpoint":
            self.reason = "position"  # the breakpoint may have stopped another process
            self._is_behind = False

    def forget(self, position: int) -> None:
        """Forgets what was found behind a position: another future begins there."""
        self._conditions.forget(position)
        self._shadow.forget(position)

    def _hit(self, position: int) -> tuple[int, ...]:
        """Returns the numbers of the breakpoints that stop the selected process at a position."""
        selected = self._cursor.selected
        stopped = {hit.breakpoint for hit in self._hits(position) if hit.process == selected}
        return tuple(sorted(number for number in stopped if self._breakpoints[number].message is None))

    def _stops_behind(self) -> bool:
        """Returns whether the selected process stops where it is because of what its last step did."""
        return any(
            self._breakpoints[hit.breakpoint].is_behind
            for hit in self._hits(self._cursor.position)
            if hit.process == self._cursor.selected
        )

    def times_hit(self, number: int) -> int:
        """Returns how often a breakpoint would have stopped from the start to here, without its count of
        times to ignore; of one on NaN and infinities, as far as steps were searched.
        """
        point, position = self._breakpoints[number], self._cursor.position
        with self._run.command():
            if point.kind == "shadow":
                lossy = self._shadow.lossy(1, position)
                return sum(self._loses(point, at) and self._is_hit(number, 0, at) for at in lossy)
            if point.kind != "nonfinite":
                return self._conditions.hits(point, position)
            steps = [(0, self._cursor.nonfinite_at(0)), *self._cursor.history.nonfinite_up_to(position)]
            return sum(
                point.is_for_nonfinite(nonfinite) and self._is_hit(number, process, at)
                for at, step in steps
                for process, nonfinite in step
            )

    # --- forwards ---

    def _along_recording(self) -> Reason | None:
        """Goes to the next breakpoint, or the end, of what an opened recording has, without taking the steps
        on the way; returns None where the program goes on from there.
        """
        cursor, history, points = self._cursor, self._cursor.history, self._breakpoints
        if cursor.position >= history.replayed or cursor.error is not None:
            return None
        needs_values = any(
            point.enabled and (point.condition or point.message or point.expression or point.ignored)
            for point in points
        )
        last = 0 if needs_values else history.replayed
        for at in range(cursor.position + 1, last + 1):
            try:
                checkpoint()
            except Cancelled:
                cursor.seek(at - 1)
                raise
            if points.scans and at - 1 not in history.scanned:
                cursor.scan(at)
            if points.are_on and self._stops(at):
                return self.to(at, "breakpoint")
        if cursor.position < last:
            reason = self.to(last)
            # "done" may be said of the selected process alone
            return None if reason in ("position", "done") else reason
        return None

    def to_breakpoint(self) -> Reason:
        """Takes steps of all processes to a breakpoint, or to the end."""
        cursor, armed = self._cursor, self._armed
        return self._along_recording() or self._forwards(
            lambda: cursor.forward_many(armed) or cursor.forward(), lambda: None
        )

    def selected(self, until: Until, skips_breakpoints: bool = False, depth: int = sys.maxsize) -> Reason:
        """Takes steps of the selected process, and of others where it waits; `until` is asked where it has
        arrived at another point. It must have no reason where more than `depth` frames are open.
        """
        cursor, armed = self._cursor, self._armed
        if cursor.status == "done":
            return "done"
        number, steps = cursor.selected, cursor.process.steps

        def advanced() -> Reason | None:
            nonlocal steps
            if cursor.process.steps == steps:
                return None
            steps = cursor.process.steps
            return until() if cursor.process.frames else "done"

        def step() -> bool:
            is_deep = len(cursor.process.frames) > depth
            return (is_deep and cursor.forward_many(armed)) or cursor.forward(number)

        return self._forwards(step, advanced, skips_breakpoints)

    def one(self) -> Reason:
        """Takes one step of the selected process, which may be that it begins to wait."""
        cursor = self._cursor
        return self._forwards(
            lambda: cursor.forward(cursor.selected), lambda: "done" if cursor.status == "done" else "step"
        )

    def to_sync(self) -> Reason:
        """Takes all processes to their next synchronisation point or end. Where all are at one, they first
        pass it, or begin to wait there.
        """
        way = _ToSync(self._cursor)
        return self._forwards(way.take, lambda: None if way.next() is not None else "step")

    def _forwards(self, step: Callable[[], bool], until: Until, skips_breakpoints: bool = False) -> Reason:
        cursor, asks = self._cursor, self._breakpoints.are_on and not skips_breakpoints
        before = cursor.position
        while step():
            if asks and (lossy := self._first_loss(before + 1, cursor.position - 1)):
                return self.to(lossy, "breakpoint")
            before = cursor.position
            reason = "breakpoint" if asks and self._stops(cursor.position, says=True) else until()
            if reason:
                return reason
            checkpoint()
        return self._failed() if cursor.error else "done"

    # --- backwards ---

    def backwards(self, until: UntilBefore) -> Reason:
        """Goes back to the last position for which `until` gives a reason or that has a breakpoint."""
        cursor, asks = self._cursor, self._breakpoints.are_on
        scanned_from = cursor.position
        for at in range(scanned_from - 1, -1, -1):
            checkpoint()
            if self._breakpoints.scans and 0 < at <= scanned_from:
                scanned_from = cursor.scan(at)
            reason = "breakpoint" if asks and self._stops(at) else until(at)
            if reason:
                return self.to(at, reason)
        return self.to(0, "beginning")

    def back_to_sync(self) -> Reason:
        """Goes back to where all had arrived at their synchronisation points before."""
        unsettled = self._cursor.history.unsettled
        return self.backwards(lambda at: "step" if at and unsettled[at - 1] and not unsettled[at] else None)

    # --- anywhere ---

    def to(self, position: int, reason: Reason = "position") -> Reason:
        """Goes straight to a position, or as far as the program runs."""
        cursor = self._cursor
        cursor.seek(position)
        if cursor.error:
            return self._failed()
        if cursor.position == position:
            return "done" if cursor.status == "done" else reason
        return "done" if cursor.is_over else "stopped"

    def search(self, move: Callable[[], Reason]) -> Reason:
        """Makes a move that looks for something; goes back to where it began if that is not on the way."""
        cursor = self._cursor
        position, selected = cursor.position, cursor.selected
        reason = move()
        if reason not in ("done", "beginning"):
            return reason
        reason = self.to(position)
        cursor.selected = selected
        return "missed" if cursor.position == position else reason

    # --- what ends a move ---

    def within(self, depth: int) -> Until:
        """Ends a move forwards where no more than `depth` frames are open."""
        cursor = self._cursor
        return lambda: "step" if len(cursor.process.frames) <= depth else None

    def was_within(self, depth: int) -> UntilBefore:
        """Ends a move backwards where no more than `depth` frames were open."""
        return self._at_step(self._cursor.trace.last_within(depth, self._cursor.process.steps))

    def was_anywhere(self) -> UntilBefore:
        """Ends a move backwards one step before."""
        return self._at_step(self._cursor.process.steps - 1)

    def _at_step(self, step: int) -> UntilBefore:
        """Ends a move backwards at one of the selected process's own steps; nowhere for -1."""
        target = self._cursor.trace.positions[step] if step >= 0 else -1
        return lambda at: "step" if at == target else None

    def on_line(self, line: int) -> Until:
        """Ends a move forwards at an operation on a line."""
        cursor = self._cursor
        return lambda: self._line(line, cursor.process.steps)

    def was_on_line(self, line: int) -> UntilBefore:
        """Ends a move backwards at an operation on a line."""
        return self.last_where(lambda step: self._line(line, step))

    def in_round(self, loop: Loop, number: int) -> Until:
        """Ends a move forwards at the beginning of a round of a loop, or where the loop has ended: "done"."""
        process = self._cursor.process

        def until() -> Reason | None:
            if starts_round(process.frames, loop, number):
                return "step"
            return "done" if len(process.frames) < loop.depth else None

        return until

    def last_where(self, until: UntilBefore) -> UntilBefore:
        """Ends a move backwards at the last of the selected process's own steps with a reason."""
        positions = self._cursor.trace.positions
        for step in range(self._cursor.process.steps - 1, -1, -1):
            if (reason := until(step)) is not None:
                target = positions[step]
                return lambda at: reason if at == target else None
        return lambda at: None

    def _line(self, line: int, step: int) -> Reason | None:
        point = self._cursor.trace.point(step)
        return "line" if point and point.position and point.position.line == line else None

    # --- breakpoints and failures ---

    def _stops(self, position: int, says: bool = False) -> bool:
        """Returns whether a breakpoint stops at a position; selects a process that it stops. With `says`, log
        points say what they have to.
        """
        stopped: list[int] = []
        for hit in self._hits(position):
            point = self._breakpoints[hit.breakpoint]
            if point.message is None:
                stopped.append(hit.process)
            elif says:
                self._say(point.message, hit, position)
        if stopped and self._cursor.selected not in stopped:
            self._cursor.selected = min(stopped)
        return bool(stopped)

    def _first_loss(self, first: int, last: int) -> int | None:
        """Returns the first position, from one to another, at which a breakpoint on lost digits stops; log
        points say what they have to on the way.
        """
        if first > last or not self._breakpoints.on_losses:
            return None
        fewest = min(float(point.where) for point in self._breakpoints.on_losses)
        position = self._shadow.next_loss(first - 1, last, fewest)
        while position is not None and not self._stops(position, says=True):
            position = self._shadow.next_loss(position, last, fewest)
        return position

    def _loses(self, point: Breakpoint, position: int) -> bool:
        """Returns whether the step to a position loses what a breakpoint waits for."""
        return point.is_for_loss(self._shadow.digits(position))

    def _say(self, message: Template, hit: Hit, position: int) -> None:
        cursor = self._cursor
        if cursor.position != position:  # behind it lie steps that were taken at once
            with cursor.fork_at(position) as fork:
                fork.seek(position)
                return self._say(message, hit, position)
        selected, cursor.selected = cursor.selected, hit.process
        try:
            text = message.render(self._scope, summary_of)
        finally:
            self._scope.outward.clear()
            cursor.selected = selected
        self._breakpoints.messages.add(LogMessage(position, hit.process, hit.breakpoint, text))
        return None

    def _hits(self, position: int) -> list[Hit]:
        points, hits = self._breakpoints, list[Hit]()
        for process, point in self._cursor.history.arrivals(position):
            if met := points.at_point(point):
                hits += (Hit(process, number) for number in met if self._is_hit(number, process, position))
        for process, nonfinite in self._cursor.nonfinite_at(position) if position or points.scans else ():
            met = points.after(nonfinite)
            hits += (Hit(process, number) for number in met if self._is_hit(number, process, position))
        for point in points.on_losses if position else ():
            if self._loses(point, position) and self._is_hit(point.number, 0, position):
                hits.append(Hit(0, point.number))
        return hits

    def _is_hit(self, number: int, process: int, position: int) -> bool:
        point = self._breakpoints[number]
        return point.is_for(process) and self._conditions.stops(point, process, position)

    def _ahead(self, frame: Frame) -> Collection[int]:
        """Returns the instructions at which the innermost frame may stop before its block ends."""
        points, armed = self._breakpoints, self._breakpoints.armed(frame.code)
        ends: dict[str, int] = {}  # equal conditions are evaluated once
        return [
            index
            for index, numbers in armed.items()
            if index > frame.index
            and not all(self._conditions.is_false_up_to(points[number], index, ends) for number in numbers)
        ]

    def _failed(self) -> Reason:
        """Selects the process at fault."""
        error = self._cursor.error
        if isinstance(error, GridError):
            self._cursor.selected = error.process
        return "failed"


class _ToSync:
    """The way of all processes to their next synchronisation points. Where none is left to arrive at one,
    they first pass those at which they are.
    """

    def __init__(self, cursor: ReplayCursor) -> None:
        grid = self._grid = cursor.grid
        self._cursor = cursor
        self._work = deque(number for number in range(grid.shape.size) if grid.status_of(number) == "ready")
        self._to_pass = set(self._work) if cursor.history.are_settled(cursor.position) else set[int]()

    def take(self) -> bool:
        """Takes a step on the way, the recorded one where that is on it."""
        history = self._cursor.history
        recorded = history.scheduled(self._cursor.position)
        number = recorded if recorded is not None and self._goes_on(recorded) else self.next()
        if number is None:
            return False
        self._to_pass.discard(number)
        has_stepped = self._cursor.forward(number)
        self._work.extend(history.resumed.get(self._cursor.position, ()))
        return has_stepped

    def next(self) -> int | None:
        """Returns the next process that has to go on."""
        while self._work and not self._goes_on(self._work[0]):
            self._work.popleft()
        return self._work[0] if self._work else None

    def _goes_on(self, number: int) -> bool:
        if self._grid.status_of(number) != "ready":
            return False
        return number in self._to_pass or not self._grid.is_at_sync_point(number)
