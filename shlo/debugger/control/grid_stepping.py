"""The moves of a session of a grid: of one process, of all, and from meeting point to meeting point."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from shlo.debugger.control.breakpoints import Breakpoints
from shlo.debugger.control.stepping import Arrived, Movement, Until, UntilBefore
from shlo.debugger.inspect.snapshots import Reason
from shlo.debugger.replay.cursor import ShouldStop
from shlo.debugger.replay.grid_cursor import GridPlayback
from shlo.interpreter.spmd.wait_report import GridError


class GridMovement(Movement):
    """Moves a grid. A process that a breakpoint stops, or in which the grid fails, is selected."""

    def __init__(self, player: GridPlayback, breakpoints: Breakpoints, stop: ShouldStop) -> None:
        super().__init__(player, breakpoints, stop)
        self._grid = player
        player.departed = self._verdicts.forget

    def forwards(self, until: Until) -> Arrived:
        return self._on(self._grid.forward, until)

    def alone(self, until: Until) -> Arrived:
        """Takes steps of the selected process, and of others where it waits; `until` is asked where it has
        come to another place.
        """
        player = self._grid
        if player.status == "done":
            return "done"
        steps = player.process.steps

        def came() -> Reason | None:
            nonlocal steps
            if player.process.steps == steps:
                return None
            steps = player.process.steps
            return "done" if player.status == "done" else until()

        return self._on(lambda: player.take(player.selected), came)

    def one(self) -> Arrived:
        """Takes one step of the selected process, which may be that it begins to wait."""
        player = self._grid
        return self._on(
            lambda: player.take(player.selected), lambda: "done" if player.status == "done" else "step"
        )

    def meet(self) -> Arrived:
        """Brings all to their next meeting point or end. Where all have come to one, they first pass it, or
        begin to wait there.
        """
        way = _ToMeetings(self._grid)
        return self._on(way.take, lambda: None if way.next() is not None else "step")

    def back_to_meeting(self) -> Arrived:
        """Goes back to where all had come to their meeting points before."""
        unsettled = self._grid.timeline.unsettled
        return self.backwards(lambda at: "step" if at and unsettled[at - 1] and not unsettled[at] else None)

    def to(self, position: int, reason: Reason = "position") -> Arrived:
        return self._judged(super().to(position, reason))

    def _on(self, step: Callable[[], bool], until: Until) -> Arrived:
        return self._judged(super()._on(step, until))

    def _judged(self, arrived: Arrived) -> Arrived:
        """Selects the process at fault where the grid has failed."""
        error = self._grid.error
        if arrived == "failed" and isinstance(error, GridError):
            self._grid.selected = error.process
        return arrived

    def _stops(self, position: int) -> bool:
        stopped = {hit.process for hit in self._hits(position)}
        if stopped and self._grid.selected not in stopped:
            self._grid.selected = min(stopped)
        return bool(stopped)

    def _where(self, until: Callable[[int], Reason | None]) -> UntilBefore:
        """The last place before the one where the selected process stands for which there is a reason."""
        track = self._grid.track
        for step in range(self._grid.process.steps - 1, -1, -1):
            reason, target = until(step), track.positions[step]
            if reason is not None:
                return lambda at: reason if at == target else None
        return lambda at: None


class _ToMeetings:
    """The way of all processes to their next meeting points. Where none is left to come to one, they first
    pass those at which they stand.
    """

    def __init__(self, player: GridPlayback) -> None:
        grid = self._grid = player.grid
        self._player = player
        self._work = deque(number for number in range(grid.shape.size) if grid.status_of(number) == "ready")
        self._to_pass = set(self._work) if self._player.are_settled else set[int]()

    def take(self) -> bool:
        """Takes a step on the way, the recorded one where that is on it."""
        recorded = self._player.recorded
        number = recorded if recorded is not None and self._goes_on(recorded) else self.next()
        if number is None:
            return False
        self._to_pass.discard(number)
        has_taken = self._player.take(number)
        self._work.extend(self._player.timeline.resumed.get(self._player.position, ()))
        return has_taken

    def next(self) -> int | None:
        """The next process that has to go on."""
        while self._work and not self._goes_on(self._work[0]):
            self._work.popleft()
        return self._work[0] if self._work else None

    def _goes_on(self, number: int) -> bool:
        grid = self._grid
        if grid.status_of(number) != "ready":
            return False
        return number in self._to_pass or not grid.is_at_meeting(number)
